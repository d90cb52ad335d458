//! Scouting: short texts that lead into a parser, grown letter by letter.
//!
//! A construct of a real language is many letters long before it does anything (`<a b=""`), and a pattern of it is seldom met by chance at
//! sizes where growth can be measured. But each letter of it leads a little further into the code, and a run of a dozen letters takes next to
//! nothing. So texts are run at just their own length, and one that reaches what none reached before is continued by every letter and word there is.
//! After that come, in turn, who reaches most of the code by itself, since it has come furthest into the language, and who was found first: tried by
//! themselves, the former went ever deeper into one construct, the latter took too long to get anywhere.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, Target};

use super::growth::Lab;
use super::population::hash;
use crate::domain::{Domain, bits_of};

/// The longest text, how many of them are continued, and with how many letters and words.
const LONGEST: usize = 20;
const MOST_TEXTS: u32 = 600;
const MOST_LETTERS: usize = 64;
const MOST_WORDS: usize = 32;
/// A letter that names are made of, which comes first: what it stands for can be numbered.
const NAME: i64 = b'a' as i64;
/// The largest size that is looked at for an array as long as a text.
const LARGEST_SIZE: i64 = 2 * LONGEST as i64;
/// Hits of a branch from here on are all the same: once, or more often.
const MANY: u32 = 2;

/// Texts that were found, and those that are to be continued.
pub struct Scout {
    /// The array that texts are put into, and what inputs look like where it has a length.
    array: usize,
    sizes: BTreeMap<usize, (i64, Domain)>,
    /// What a text may go on with.
    endings: Vec<Vec<i64>>,
    /// Texts that reached new code, and those that only reached it in a new combination: all of them, and in the order they were found, in which
    /// some are no longer waiting.
    further: VecDeque<Vec<i64>>,
    combined: BTreeSet<Combined>,
    found: VecDeque<Combined>,
    /// Branches that were reached, and the combinations of them by how often they were.
    reached: HashSet<usize>,
    combinations: HashSet<u64>,
    left: u32,
}

/// By how many branches it reaches, the most first; then the shorter text.
type Combined = (Reverse<usize>, usize, Vec<i64>);

impl Scout {
    /// Nothing found yet. None where inputs are not declared, or too few lengths can be had.
    pub fn new(target: &Target, budget: &Budget, array: usize, letters: &[i64], words: &[Vec<i64>]) -> Option<Scout> {
        let mut sizes: BTreeMap<usize, (i64, Domain)> = BTreeMap::new();
        target.inputs(1)?;
        for n in (1..=LARGEST_SIZE).filter(|n| target.check_size(*n).is_ok()) {
            let domain = Domain::of(target, n, budget)?;
            let length = domain.template.0.get(array)?.bits.len();
            if (1..=LONGEST).contains(&length) {
                sizes.entry(length).or_insert((n, domain));
            }
        }
        let letters = [NAME].into_iter().chain(letters.iter().copied().filter(|letter| *letter != NAME));
        let letters = letters.take(MOST_LETTERS).map(|letter| vec![letter]);
        let endings = letters.chain(words.iter().take(MOST_WORDS).cloned()).collect();
        let every_length = sizes.len() == LONGEST;
        let further = VecDeque::from([Vec::new()]);
        every_length.then(|| Scout {
            array,
            sizes,
            endings,
            further,
            combined: BTreeSet::new(),
            found: VecDeque::new(),
            reached: HashSet::new(),
            combinations: HashSet::new(),
            left: MOST_TEXTS,
        })
    }

    /// Whether there is nothing to continue.
    pub fn is_done(&self) -> bool {
        self.left == 0 || (self.further.is_empty() && self.combined.is_empty())
    }

    /// Continues one text in all ways. The text and its array, if none of them leads on: then there is no more to it.
    pub fn go_on(&mut self, lab: &mut Lab<'_, '_>) -> Option<(usize, Vec<i64>)> {
        let text = self.next()?;
        self.left = self.left.saturating_sub(1);
        let mut leads_on = false;
        for at in 0..self.endings.len() {
            let longer = [&text[..], &self.endings[at]].concat();
            let Some(input) = self.input(&longer) else { continue };
            let Some((n, _)) = self.sizes.get(&longer.len()) else { continue };
            if lab.runner.run_for(lab.fuel, lab.target, *n, &input, lab.budget).is_none() {
                continue;
            }
            let hits = lab.runner.hits().iter().enumerate().filter(|(_, hits)| **hits > 0);
            let combination: Vec<(usize, u32)> = hits.map(|(site, hits)| (site, (*hits).min(MANY))).collect();
            let before = self.reached.len();
            self.reached.extend(combination.iter().map(|(site, _)| site));
            let is_new = self.reached.len() > before;
            leads_on |= is_new;
            match (is_new, self.combinations.insert(hash(&combination))) {
                (true, _) => self.further.push_back(longer),
                (_, true) => {
                    let combined = (Reverse(combination.len()), longer.len(), longer);
                    self.found.push_back(combined.clone());
                    self.combined.insert(combined);
                }
                _ => {}
            }
        }
        (!leads_on && !text.is_empty()).then_some((self.array, text))
    }

    /// The text to be continued next.
    fn next(&mut self) -> Option<Vec<i64>> {
        if let Some(further) = self.further.pop_front() {
            return Some(further);
        }
        if self.left.is_multiple_of(2) {
            return Some(self.combined.pop_first()?.2);
        }
        while let Some(first) = self.found.pop_front() {
            if self.combined.remove(&first) {
                return Some(first.2);
            }
        }
        None
    }

    /// The input with this text; other arrays have the first letter everywhere.
    fn input(&self, text: &[i64]) -> Option<InputValues> {
        let (_, domain) = self.sizes.get(&text.len())?;
        let mut input = domain.template.clone();
        for (k, named) in input.0.iter_mut().enumerate().filter(|(_, named)| !named.scalar) {
            let (low, high) = domain.range(k);
            let bits = |value: i64| bits_of(named.ty, i128::from(value).clamp(low, high));
            named.bits = if k == self.array {
                text.iter().map(|value| bits(*value)).collect()
            } else {
                vec![bits(self.endings.first().map_or(0, |ending| ending[0])); named.bits.len()]
            };
        }
        Some(input)
    }
}
