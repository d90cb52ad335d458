//! The search for patterns: what is tried next, and when it ends.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::time::Duration;

use slowpath_search::Rng;
use slowpath_sequence::{Counter, Pattern};

use super::candidates::{is_text, means, numbered, of_input, pairs, repeated_words, singles, values};
use super::change::{InputMeans, Means};
use super::growth::{EXPLODES, Lab, Ladder};
use super::population::{Individual, Population};
use super::scout::Scout;
use crate::characters::characters;
use crate::claim::FoundBy;
use crate::dictionary::Dictionary;
use crate::ledger::Ledger;
use crate::patterns::JointPattern;

/// Evaluations without a success after which the search ends, beside half of those there were. Tried: 2,000, by which the search ended
/// with half of its time left, before units of three letters had their chance.
const PATIENCE: u64 = 10_000;
/// Where patterns explode runs need not be so long, since smaller sizes tell them apart: this many times shorter, down to a least.
const LESS_FUEL: u64 = 4;
const LEAST_FUEL: u64 = 200_000;
/// Words of the program, or of the user, that units are made of: the first ones.
const MOST_WORDS: usize = 64;
/// How often single values are tried behind what opens code that nothing had reached, and how much of that is kept: headers and keywords
/// are short.
const MOST_OPENINGS: u32 = 8;
const LONGEST_OPENING: usize = 12;
/// How often what opens such code is taken apart: a parser of XML was seen to have 35 such moments in 50,000 trials.
const MOST_TAKEN_APART: u32 = 100;
/// The part of the time that goes into looking for constructs, and the longest part of one that is repeated.
const SCOUTING: f64 = 0.25;
const LONGEST_PART: usize = 9;
/// The longest construct whose beginning and end are repeated equally often.
const LONGEST_NESTED: usize = 5;
/// What most languages allow between two words.
const SPACE: i64 = b' ' as i64;
/// The largest value of ASCII.
const ASCII: i64 = 127;
/// Pairs of letters that a new beginning tries first.
const AGAIN: usize = 400;
/// Sizes whose worst input is taken apart, the largest ones with a new one.
const SEEDS: usize = 4;

/// Patterns to try, and those that survived.
pub struct Trials {
    pub population: Population,
    means: Means,
    values: Vec<Vec<i64>>,
    /// Patterns still to be tried beside those that evolve.
    waiting: VecDeque<JointPattern>,
    /// How many single values there are still to try, first of all, and the letters they have shown to be different.
    singles_left: usize,
    letters: Vec<i64>,
    /// How many branches each of the single values reached.
    reach: BTreeMap<i64, usize>,
    /// Whether pairs of them were put on the list.
    paired: bool,
    /// How often single values are still tried behind what opened code that nothing had reached.
    openings: u32,
    /// How often what opened such code is still taken apart.
    taken_apart: u32,
    /// Who looks for constructs, once letters are known, how long that took so far, and which parts of them were put on the list.
    scout: Option<Scout>,
    scouted: Duration,
    parts: HashSet<Pattern>,
    /// Parts of constructs, still to be tried.
    constructs: VecDeque<JointPattern>,
    words: Vec<Vec<i64>>,
    /// Values of text that the program names.
    named: Vec<i64>,
    /// Costs at which the inputs of sizes were taken apart.
    seeded: BTreeMap<i64, u64>,
    rng: Rng,
    /// The best of populations that came to nothing more.
    past: Vec<Individual>,
}

impl Trials {
    /// Nothing tried yet.
    pub fn new(ladder: &Ladder, dictionary: &Dictionary, seed: u64) -> Trials {
        let domain = &ladder.rungs[0].1;
        let values: Vec<Vec<i64>> = (0..domain.template.0.len()).map(|k| values(domain, k, dictionary)).collect();
        let word = |word: &Vec<u8>| word.iter().map(|byte| i64::from(*byte)).collect();
        let words: Vec<Vec<i64>> = dictionary.words().iter().take(MOST_WORDS).map(word).collect();
        let waiting: VecDeque<JointPattern> = singles(domain, &values, &words).into();
        Trials {
            population: Population::default(),
            means: means(domain, &values, &words),
            scout: None,
            scouted: Duration::ZERO,
            parts: HashSet::new(),
            constructs: VecDeque::new(),
            words,
            singles_left: waiting.len(),
            letters: Vec::new(),
            reach: BTreeMap::new(),
            paired: false,
            openings: MOST_OPENINGS,
            taken_apart: MOST_TAKEN_APART,
            named: dictionary.numbers().iter().copied().filter(is_text).collect(),
            values,
            waiting,
            seeded: BTreeMap::new(),
            rng: Rng::new(seed, 0x9A77),
            past: Vec::new(),
        }
    }

    /// Begins again with another sample of the pairs of letters, once nothing new is found: what evolves depends on chance. What was learned about the
    /// program stays, and the best so far are kept for the race.
    pub fn restart(&mut self, ladder: &Ladder, leaders: usize) {
        let population = std::mem::take(&mut self.population);
        self.past.extend(population.leaders(leaders).into_iter().cloned());
        self.population.evaluated = population.evaluated;
        let domain = &ladder.rungs[0].1;
        let mut pairs = pairs(domain, &self.values, &self.letters);
        for _ in 0..AGAIN.min(pairs.len()) {
            let drawn = pairs.swap_remove(self.rng.below(pairs.len() as u64) as usize);
            self.waiting.push_back(drawn);
        }
        (self.openings, self.taken_apart) = (MOST_OPENINGS, MOST_TAKEN_APART);
    }

    /// Those that are to be compared at larger sizes: the leaders of now, and of earlier beginnings.
    pub fn leaders(&self, most: usize) -> Vec<&Individual> {
        let mut leaders = self.population.leaders(most);
        leaders.extend(&self.past);
        leaders
    }

    /// Takes the worst inputs apart that others have found since it was last done.
    pub fn seed(&mut self, ledger: &Ledger) {
        let mut new = Vec::new();
        for row in ledger.rows().rev() {
            let (Some(best), Some(cost)) = (&row.best, row.cost()) else { continue };
            let Some(worst) = best.finding.worst.as_ref().filter(|_| best.found_by != FoundBy::Pump) else { continue };
            if new.len() < SEEDS && self.seeded.get(&row.size) != Some(&cost) {
                self.seeded.insert(row.size, cost);
                new.extend(of_input(&worst.input));
            }
        }
        self.waiting.extend(new);
    }

    /// Tries one pattern after the other. Whether it has nothing left to try that promises anything.
    pub fn go_on(&mut self, ladder: &Ladder, lab: &mut Lab<'_, '_>) -> bool {
        let mut from_waiting = true;
        let begun = lab.budget.now();
        let scouted = self.scouted;
        while lab.budget.expired().is_none() {
            let time = lab.budget.now().saturating_sub(begun);
            if self.scouted - scouted < time.mul_f64(SCOUTING) {
                let begun = lab.budget.now();
                self.scout(lab);
                self.scouted += lab.budget.now().saturating_sub(begun);
            }
            // Single values come first; of the rest every other one, so that what they show is built on at once.
            from_waiting = self.singles_left > 0 || !from_waiting;
            let waiting = if from_waiting { self.waiting.pop_front() } else { None };
            let Some(next) = waiting.or_else(|| self.child()) else { return true };
            let (letter, reached, tried) = (self.letter(&next), self.population.reached(), next.clone());
            let new = self.population.evaluate(next, lab);
            if self.singles_left > 0 {
                let branches = lab.runner.hits().iter().filter(|hits| **hits > 0).count();
                self.reach.extend(letter.map(|letter| (letter, branches)));
                let tells = |letter: &i64| new || self.named.contains(letter);
                self.letters.extend(letter.filter(tells).filter(|letter| !self.letters.contains(letter)));
                self.singles_left -= 1;
                if self.singles_left == 0 {
                    self.learned(ladder, lab);
                }
            } else if self.population.reached() > reached {
                self.opened(&tried);
            }
            let explodes = self.population.best().is_some_and(|best| best.growth.cut >= EXPLODES);
            if explodes && lab.fuel > LEAST_FUEL {
                lab.fuel = (lab.fuel / LESS_FUEL).max(LEAST_FUEL);
                self.population.measure_again(lab);
            }
            let nothing_waits = self.waiting.is_empty() && self.constructs.is_empty();
            if nothing_waits && self.population.since > PATIENCE + self.population.evaluated / 2 {
                return true;
            }
        }
        false
    }

    /// The value that the first array is filled with, if it is a single one.
    fn letter(&self, joint: &JointPattern) -> Option<i64> {
        let first = self.means.inputs.iter().position(|input| !input.scalar)?;
        let alone = |pattern: &&Pattern| pattern.unit.len() == 1 && pattern.step == 0 && pattern.counter.is_none();
        joint.0.get(first).filter(alone).map(|pattern| pattern.unit[0])
    }

    /// All single values were tried. Puts pairs of letters on the list: those the program names, and those that it was seen to tell apart.
    fn learned(&mut self, ladder: &Ladder, lab: &Lab<'_, '_>) {
        let domain = &ladder.rungs[0].1;
        // Only so many are paired, and the first ones first: those that lead furthest into the code. Languages are made of marks, and one letter or
        // digit does for most others.
        let reach = std::mem::take(&mut self.reach);
        self.letters.sort_by_key(|letter| (is_alphanumeric(letter), Reverse(reach.get(letter).copied())));
        self.means.learn(&self.letters);
        if !std::mem::replace(&mut self.paired, true) {
            self.know_characters(ladder);
            self.waiting.extend(numbered(domain, &self.values, &self.means, &self.letters));
            self.waiting.extend(pairs(domain, &self.values, &self.letters));
            let is_text = |input: &InputMeans| input.alphabets().next().is_some();
            // What a text means to a matcher depends on the other one.
            let arrays = self.means.inputs.iter().filter(|input| !input.scalar).count();
            let array = self.means.inputs.iter().position(is_text).filter(|_| arrays == 1);
            self.scout = array.and_then(|array| Scout::new(lab.target, lab.budget, array, &self.letters, &self.words));
        }
    }

    /// Where the program tells a byte from others that is no ASCII, it may well read UTF-8: characters of it become words.
    fn know_characters(&mut self, ladder: &Ladder) {
        let domain = &ladder.rungs[0].1;
        let Some(first) = domain.template.0.iter().position(|input| !input.scalar) else { return };
        let is_byte = domain.template.0[first].ty.bytes() == 1;
        if !is_byte || !self.letters.iter().any(|letter| !(0..=ASCII).contains(letter)) {
            return;
        }
        let characters = characters(self.means.inputs[first].range);
        self.waiting.extend(repeated_words(domain, &self.values, &characters));
        self.words.splice(0..0, characters.clone());
        self.means.words.extend(characters);
    }

    /// Looks for constructs for a moment, or tries a part of one. Of a construct every part is repeated, with what is around it once.
    fn scout(&mut self, lab: &mut Lab<'_, '_>) {
        if let Some(part) = self.constructs.pop_front() {
            self.population.evaluate(part, lab);
            return;
        }
        let Some(scout) = &mut self.scout else { return };
        let found = scout.go_on(lab);
        if scout.is_done() {
            self.scout = None;
        }
        let (Some((array, text)), Some(best)) = (found, self.population.best()) else { return };
        let space = [SPACE].into_iter().find(|space| self.letters.contains(space) || self.named.contains(space));
        let (means, whole) = (&self.means.inputs[array], Pattern::repeated(&text));
        let nested = if text.len() <= LONGEST_NESTED { means.nested_parts(&whole) } else { Vec::new() };
        let parts = means.parts(&whole).into_iter().filter(|part| part.unit.len() <= LONGEST_PART);
        for mut part in parts.chain(nested) {
            part.filler = space.or(Some(part.unit[0])).filter(|_| is_cut(&part));
            // What comes after a part does not make it another one, unless it is repeated too, nor does which of its names is numbered.
            let counter = part.counter.as_ref().map(|_| Counter { at: 0, first: 0, digits: 0 });
            let known = Pattern { suffix: Vec::new(), filler: None, counter, ..part.clone() };
            if self.parts.insert(known) {
                let mut next = best.pattern.clone();
                next.0[array] = part;
                self.constructs.push_back(next);
            }
        }
    }

    /// Code was reached that nothing reached before. What opens it may be a whole construct of which only a part is to be repeated, and behind
    /// it other values may make a difference. Both are tried next.
    fn opened(&mut self, opened: &JointPattern) {
        if let Some(left) = self.openings.checked_sub(1) {
            self.openings = left;
            self.singles_after(opened);
        }
        if let Some(left) = self.taken_apart.checked_sub(1) {
            self.taken_apart = left;
            let first = self.means.inputs.iter().position(|input| !input.scalar);
            let parts = first.map_or(Vec::new(), |first| self.means.inputs[first].parts(&opened.0[first]));
            for (first, part) in first.into_iter().cycle().zip(parts) {
                let mut next = opened.clone();
                next.0[first] = part;
                self.waiting.push_front(next);
                self.singles_left += usize::from(self.singles_left > 0);
            }
        }
    }

    /// Tries what may lead a race with something instead of half a unit: a pattern that has to be closed is bad only at the few sizes where whole
    /// repetitions happen to fit.
    pub fn fill_up(&mut self, leaders: usize, lab: &mut Lab<'_, '_>) {
        let filled: Vec<JointPattern> =
            self.population.leaders(leaders).iter().flat_map(|one| filled(&one.pattern)).collect();
        for pattern in filled {
            if lab.budget.expired().is_some() {
                break;
            }
            self.population.evaluate(pattern, lab);
        }
    }

    fn singles_after(&mut self, opened: &JointPattern) {
        let Some(first) = self.means.inputs.iter().position(|input| !input.scalar) else { return };
        let opening = &opened.0[first];
        let prefix: Vec<i64> = opening.prefix.iter().chain(&opening.unit).copied().take(LONGEST_OPENING).collect();
        for value in self.values[first].iter().rev() {
            let mut next = opened.clone();
            next.0[first] = Pattern { prefix: prefix.clone(), ..Pattern::repeated(&[*value]) };
            self.waiting.push_front(next);
            self.singles_left += 1;
        }
    }

    fn child(&mut self) -> Option<JointPattern> {
        let parent = self.population.parent(&mut self.rng)?;
        let other = self.population.parent(&mut self.rng)?;
        let survivors = |input: usize, rng: &mut Rng| self.population.element(input, rng);
        Some(self.means.child(&parent.pattern, &other.pattern, &survivors, &mut self.rng))
    }
}

/// Whether a value is that of a letter or digit.
fn is_alphanumeric(value: &i64) -> bool {
    u8::try_from(*value).is_ok_and(|byte| byte.is_ascii_alphanumeric())
}

/// Whether something ends the pattern that would come after half a unit at most sizes.
fn is_cut(pattern: &Pattern) -> bool {
    !pattern.suffix.is_empty() && (pattern.unit.len() > 1 || pattern.counter.is_some())
}

/// A pattern with what may stand instead of half a unit.
fn filled(joint: &JointPattern) -> Vec<JointPattern> {
    let mut all = Vec::new();
    for (k, pattern) in joint.0.iter().enumerate().filter(|(_, one)| one.filler.is_none() && is_cut(one)) {
        let mut fillers = vec![SPACE, pattern.unit[0]];
        fillers.extend(pattern.prefix.last());
        fillers.dedup();
        for filler in fillers {
            let mut filled = joint.clone();
            filled.0[k].filler = Some(filler);
            all.push(filled);
        }
    }
    all
}
