//! How a path goes on once nothing prescribes it: at random as in the paper, or after the example of another path.

use rustc_hash::FxHashMap;
use slowpath_machine::Answer;
use slowpath_program::SiteId;
use smallvec::SmallVec;

use super::chance;
use super::individual::Gene;
use crate::driver::Choice;
use crate::rng::Rng;

/// How far ahead a sequence is searched for the site a path has come to.
const RESYNC: usize = 64;
/// Bits of a context that one decision takes.
const TOKEN_BITS: usize = 8;
/// The longest context of a habit, in decisions.
pub(crate) const LONGEST_HABIT: usize = 64 / TOKEN_BITS;

/// What to do at the decisions of the rest of a path.
pub(crate) struct Tail {
    pub guide: Guide,
    /// Where the guide has no say: follow the model instead of drawing a side.
    pub keep_model: bool,
    /// Takes precedence over the guide.
    pub regular: Option<Regular>,
}

/// One side of a site, wherever it can be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Regular {
    pub site: SiteId,
    /// In this activation only.
    pub activation: Option<u32>,
    pub answer: Answer,
}

/// Whom to follow.
pub(crate) enum Guide {
    Nobody,
    Aligned(Aligned),
    Sequence(Sequence),
    Habit(Habit),
    Bias(Bias),
}

impl Tail {
    /// Every side equally likely (RANDOMSELECTION).
    pub fn random() -> Tail {
        Tail::by(Guide::Nobody)
    }

    /// The guide, and random sides where it has no say.
    pub fn by(guide: Guide) -> Tail {
        Tail { guide, keep_model: false, regular: None }
    }

    /// The side to take if it is feasible.
    pub fn prefer(&mut self, choice: &Choice, rng: &mut Rng) -> Option<Answer> {
        let own = match &mut self.guide {
            Guide::Nobody => None,
            Guide::Aligned(aligned) => aligned.next(choice),
            Guide::Sequence(sequence) => sequence.next(choice.site),
            Guide::Habit(habit) => habit.next(choice, rng),
            Guide::Bias(bias) => bias.next(choice, rng),
        };
        match self.regular {
            Some(r) if r.site == choice.site && r.activation.is_none_or(|a| a == choice.activation) => Some(r.answer),
            _ => own,
        }
    }

    /// Notes a decision that was made.
    pub fn decided(&mut self, site: SiteId, activation: u32, answer: Answer) {
        if let Guide::Habit(habit) = &mut self.guide {
            habit.context.decided(site, activation, answer);
        }
    }
}

/// Gives the answer that another path gave at the same site, activation and occurrence as in another path.
#[derive(Default)]
pub(crate) struct Aligned(FxHashMap<(SiteId, u32), (usize, Vec<Answer>)>);

impl Aligned {
    /// After the example of these decisions.
    pub fn to(genes: &[Gene]) -> Aligned {
        let mut out = Aligned::default();
        for gene in genes {
            out.0.entry((gene.site, gene.activation)).or_default().1.push(gene.answer);
        }
        out
    }

    fn next(&mut self, choice: &Choice) -> Option<Answer> {
        let (at, answers) = self.0.get_mut(&(choice.site, choice.activation))?;
        *at += 1;
        answers.get(*at - 1).copied()
    }
}

/// Gives the answers of another path in its order; where sites differ, what lies between is skipped.
pub(crate) struct Sequence {
    steps: Vec<(SiteId, Answer)>,
    at: usize,
}

impl Sequence {
    /// After the example of these decisions.
    pub fn of(steps: impl IntoIterator<Item = (SiteId, Answer)>) -> Sequence {
        Sequence { steps: steps.into_iter().collect(), at: 0 }
    }

    fn next(&mut self, site: SiteId) -> Option<Answer> {
        let ahead = self.steps.get(self.at..)?;
        let skipped = ahead.iter().take(RESYNC).position(|(s, _)| *s == site)?;
        self.at += skipped + 1;
        Some(ahead[skipped].1)
    }
}

/// The last few decisions of every activation.
#[derive(Default)]
struct Recent(FxHashMap<u32, u64>);

impl Recent {
    fn decided(&mut self, site: SiteId, activation: u32, answer: Answer) {
        let side = match answer {
            Answer::Bool(b) => u64::from(b),
            Answer::Case(i) => u64::from(i),
            Answer::Value(_) | Answer::Range(..) => return,
        };
        let recent = self.0.entry(activation).or_default();
        *recent = *recent << TOKEN_BITS | (1 + (u64::from(site.0) * 7 + side) % 255);
    }

    fn of(&self, activation: u32, length: usize) -> u64 {
        let all = self.0.get(&activation).copied().unwrap_or(0);
        if length >= LONGEST_HABIT { all } else { all & ((1 << (length * TOKEN_BITS)) - 1) }
    }
}

/// How often each answer was given, by site and context.
type Counts = FxHashMap<(SiteId, u64), SmallVec<[(Answer, u32); 2]>>;

/// What another path usually did at a site after the same recent decisions of the activation: a history policy learned
/// from one path, and so a guess at how its regularity goes on.
pub(crate) struct Habit {
    counts: Counts,
    context: Recent,
    length: usize,
    /// Always the most frequent answer, instead of drawing in proportion.
    strict: bool,
}

impl Habit {
    /// The habits of a path. `made` are the decisions before those that are to be chosen.
    pub fn of(genes: &[Gene], made: &[Gene], length: usize, strict: bool) -> Habit {
        let mut counts = Counts::default();
        let mut context = Recent::default();
        for gene in genes {
            let counted = counts.entry((gene.site, context.of(gene.activation, length))).or_default();
            match counted.iter_mut().find(|(answer, _)| *answer == gene.answer) {
                Some((_, count)) => *count += 1,
                None => counted.push((gene.answer, 1)),
            }
            context.decided(gene.site, gene.activation, gene.answer);
        }
        let mut context = Recent::default();
        for gene in made {
            context.decided(gene.site, gene.activation, gene.answer);
        }
        Habit { counts, context, length, strict }
    }

    fn next(&self, choice: &Choice, rng: &mut Rng) -> Option<Answer> {
        let counted = self.counts.get(&(choice.site, self.context.of(choice.activation, self.length)))?;
        if self.strict {
            return counted.iter().rev().max_by_key(|(_, count)| *count).map(|(answer, _)| *answer);
        }
        let total: u64 = counted.iter().map(|(_, count)| u64::from(*count)).sum();
        let mut at = rng.below(total);
        for (answer, count) in counted {
            if at < u64::from(*count) {
                return Some(*answer);
            }
            at -= u64::from(*count);
        }
        None
    }
}

/// A favourite side for every site, drawn when the site is first met: random paths that are regular.
#[derive(Default)]
pub(crate) struct Bias(FxHashMap<SiteId, (usize, f64)>);

impl Bias {
    /// How faithful to the favourite.
    const STRENGTHS: [f64; 4] = [1.0, 0.95, 0.8, 0.0];

    fn next(&mut self, choice: &Choice, rng: &mut Rng) -> Option<Answer> {
        let (side, strength) = *self.0.entry(choice.site).or_insert_with(|| {
            let strength = Bias::STRENGTHS[rng.below(Bias::STRENGTHS.len() as u64) as usize];
            (rng.below(choice.sides.len() as u64) as usize, strength)
        });
        let side = choice.sides.get(side)?;
        chance(rng, strength).then_some(side.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_finds_its_place_again() {
        let (a, b) = (SiteId(1), SiteId(2));
        let yes = Answer::Bool(true);
        let no = Answer::Bool(false);
        let mut sequence = Sequence::of([(a, yes), (b, no), (b, no), (a, no), (b, yes)]);
        assert_eq!(sequence.next(a), Some(yes));
        assert_eq!(sequence.next(a), Some(no), "both at b are skipped");
        assert_eq!(sequence.next(SiteId(9)), None, "what never comes skips nothing");
        assert_eq!(sequence.next(b), Some(yes));
        assert_eq!(sequence.next(b), None);
    }

    #[test]
    fn a_habit_depends_on_the_recent_decisions_of_the_activation() {
        let terms = slowpath_term::Terms::new();
        let gene = |activation, answer| Gene {
            site: SiteId(3),
            activation,
            answer: Answer::Bool(answer),
            cond: terms.tt(),
            key: 0,
        };
        // Activation 1 alternates, activation 2 stays.
        let path: Vec<Gene> = (0..20).flat_map(|i| [gene(1, i % 2 == 0), gene(2, false)]).collect();
        let habit = Habit::of(&path, &path[..2], 2, true);
        let context = habit.context.of(1, 2);
        let counted = &habit.counts[&(SiteId(3), context)];
        assert_eq!(counted.as_slice(), [(Answer::Bool(false), 1)], "after one true: seen once, at the start");
        let after = |last: &[Gene]| {
            let habit = Habit::of(&path, last, 2, true);
            habit.counts[&(SiteId(3), habit.context.of(1, 2))].clone()
        };
        assert!(after(&[gene(1, true), gene(1, false)]).iter().all(|(answer, _)| *answer == Answer::Bool(true)));
        assert!(after(&[gene(1, false), gene(1, true)]).iter().all(|(answer, _)| *answer == Answer::Bool(false)));
    }
}
