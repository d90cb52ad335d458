//! Hashes: a given bucket, keys of one bucket, and hashes that are equal.
//!
//! Over buckets (`buckets`) what is impossible is refuted, and what is possible becomes a wanted value for each hash. Inputs with that value are
//! found by inverting, by going through a byte, by chance, or by meeting in the middle (`preimage`, `middle`). A search in vain is silent.

mod buckets;
mod middle;
mod preimage;
mod source;
mod view;

use slowpath_term::{BinOp, CmpOp, Evaluator, Model, Node, TermId, Terms};

use self::buckets::{Buckets, End, Wanted};
use self::preimage::preimages;
use self::view::Tools;
use super::Question;
use crate::answer::Verdict;
use crate::numbers::Numbers;
use crate::track::Track;

/// Longer slices are left to others.
const MOST_CONJUNCTS: usize = 400;
/// Wanted buckets for which inputs are looked for, and models that are tried in all.
const MOST_WANTED: u32 = 12;
const MOST_MODELS: u32 = 96;
/// Operations done for one question: a few hundredths of a second. Without it a question in vain took fifty times as long, and efforts were overshot.
const MOST_IN_ALL: u64 = 10_000_000;
/// Terms looked at to see whether a condition has a hash.
const MOST_TERMS: usize = 2_000;
/// Questions in vain, more than were answered, after which one in so many is tried.
const MOST_VAIN: u32 = 16;
const ONE_IN: u32 = 16;
/// Operations that are done in the time of a step.
const PER_STEP: u64 = 4;

/// How it went so far.
#[derive(Default)]
pub(super) struct Record {
    vain: u32,
    asked: u32,
}

impl Record {
    fn is_worth_it(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.vain < MOST_VAIN || self.asked.is_multiple_of(ONE_IN)
    }

    fn note(&mut self, verdict: &Verdict) {
        self.vain = match verdict {
            Verdict::Pass => (self.vain + 1).min(2 * MOST_VAIN),
            _ => self.vain.saturating_sub(4),
        };
    }
}

struct Attempt<'a> {
    question: &'a Question<'a>,
    slice: &'a [TermId],
    tools: Tools<'a>,
    models: u32,
}

pub(super) fn decide(
    question: &Question<'_>,
    slice: &[TermId],
    track: &Track,
    evaluator: &mut Evaluator,
    record: &mut Record,
    work: &mut u64,
) -> Verdict {
    let terms = question.terms;
    if slice.len() > MOST_CONJUNCTS
        || terms.has_float(question.extra)
        || !question.goals.iter().any(|goal| mixes(terms, *goal))
        || !record.is_worth_it()
    {
        return Verdict::Pass;
    }
    let numbers = Numbers(0x4a_5b ^ question.extra.index() as u64);
    let tools = Tools { terms, track, evaluator, numbers, done: 0 };
    let mut attempt = Attempt { question, slice, tools, models: MOST_MODELS };
    let verdict = attempt.decide();
    *work += attempt.tools.done / PER_STEP;
    record.note(&verdict);
    verdict
}

impl Attempt<'_> {
    fn decide(&mut self) -> Verdict {
        let &Question { terms, model, goals, .. } = self.question;
        let evaluator = &mut *self.tools.evaluator;
        if let Some(mut buckets) = Buckets::of(terms, goals, self.slice, |t| evaluator.eval(terms, model, t)) {
            let (mut found, mut wanted) = (None, 0);
            let end = buckets.go_through(&mut |all| {
                wanted += 1;
                let changes: Vec<Wanted> = all.iter().copied().filter(|one| one.is_new).collect();
                found = self.realise(model, &changes, all);
                found.is_some() || wanted == MOST_WANTED || self.tools.done >= MOST_IN_ALL
            });
            self.tools.done += buckets.done();
            return match found {
                Some(model) => Verdict::Sat(model),
                None if end == End::Exhausted && wanted == 0 => Verdict::Unsat,
                None => Verdict::Pass,
            };
        }
        let [goal] = *goals else { return Verdict::Pass };
        self.equal(goal).map_or(Verdict::Pass, Verdict::Sat)
    }

    /// A model in which these terms have these values, one after the other, and all that share inputs with them keep theirs.
    fn realise(&mut self, model: &Model, changes: &[Wanted], all: &[Wanted]) -> Option<Model> {
        let Some((first, rest)) = changes.split_first() else { return self.checked(model) };
        let terms = self.question.terms;
        let inputs = terms.inputs(first.bucket);
        let shares = |other: &&Wanted| {
            other.bucket != first.bucket && terms.inputs(other.bucket).iter().any(|input| inputs.contains(input))
        };
        let wanted: Vec<(TermId, u64)> =
            [first].into_iter().chain(all.iter().filter(shares)).map(|one| (one.bucket, one.value)).collect();
        for change in preimages(&mut self.tools, model, &wanted) {
            if let Some(found) = self.realise(&model.with_all(change), rest, all) {
                return Some(found);
            }
            if self.models == 0 || self.tools.done >= MOST_IN_ALL {
                break;
            }
        }
        None
    }

    /// The model, if it satisfies the question.
    fn checked(&mut self, model: &Model) -> Option<Model> {
        self.models = self.models.checked_sub(1)?;
        let Question { terms, goals, .. } = *self.question;
        let evaluator = &mut *self.tools.evaluator;
        goals.iter().chain(self.slice).all(|&t| evaluator.holds(terms, model, t)).then(|| model.clone())
    }

    /// Two terms of many values made equal: one stays as it is.
    fn equal(&mut self, goal: TermId) -> Option<Model> {
        let Question { terms, model, .. } = *self.question;
        let Node::Cmp { op: CmpOp::Eq, a, b } = terms.node(goal) else { return None };
        for (x, y) in [(a, b), (b, a)] {
            let inputs = terms.inputs(x);
            if inputs.is_empty() || terms.inputs(y).iter().any(|input| inputs.contains(input)) {
                continue;
            }
            let wanted = self.tools.evaluator.eval(terms, model, y);
            let wanted = Wanted { bucket: x, value: wanted, is_new: true };
            if let Some(found) = self.realise(model, &[wanted], &[]) {
                return Some(found);
            }
        }
        None
    }
}

/// Whether a condition has a hash in it: a product, a remainder, bits mixed by xor or rotation, of something with inputs.
fn mixes(terms: &Terms, t: TermId) -> bool {
    let (mut waiting, mut seen) = (vec![t], rustc_hash::FxHashSet::default());
    while let Some(t) = waiting.pop() {
        if !seen.insert(t) {
            continue;
        }
        if seen.len() > MOST_TERMS {
            return false;
        }
        let node = terms.node(t);
        match node {
            Node::Bin { op: BinOp::Mul | BinOp::URem | BinOp::Xor | BinOp::RotL | BinOp::RotR, width, .. }
                if width > 8 =>
            {
                return true;
            }
            _ => waiting.extend(node.children()),
        }
    }
    false
}
