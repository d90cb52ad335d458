//! Conditions over buckets: the few values that are left of a hash by a remainder, a mask or a shift.
//!
//! Which bucket a key is in is an unknown of its own, of few values, whatever the hash is. Conditions that have the inputs of hashes only by
//! way of their buckets are decided over these unknowns, by going through them: what no buckets satisfy no inputs do.

use rustc_hash::{FxHashMap, FxHashSet};
use slowpath_term::{InputId, Node, TermId, Terms};

use crate::bucket::is_bucket;
use crate::flat::Flat;

/// Terms looked at, and operations of the conditions.
const MOST_TERMS: usize = 40_000;
/// Operations done for one question.
const MOST_DONE: u64 = 1_500_000;
/// Buckets that are gone through; which bounds recursion.
const MOST_UNKNOWNS: usize = 48;

/// The conditions of a question that are about buckets alone, as operations on them.
pub(super) struct Buckets {
    flat: Flat,
    /// The buckets in the order they are given values: place, least value, how many, and the value now.
    unknowns: Vec<Unknown>,
    /// Conditions by the last of their buckets: what is evaluated, and where the conditions are.
    checks: Vec<(Vec<u32>, Vec<u32>)>,
    done: u64,
}

struct Unknown {
    bucket: TermId,
    place: u32,
    low: u64,
    count: u64,
    now: u64,
}

/// What a bucket is to be.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) bucket: TermId,
    pub(super) value: u64,
    /// Whether it is another value than now.
    pub(super) is_new: bool,
}

/// How going through all values ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Somebody was satisfied with some values.
    Taken,
    /// There are no others.
    Exhausted,
    GaveUp,
}

impl Buckets {
    /// The buckets that the goals hang on. None where a goal is about something else as well, or there is too much to look at.
    pub(super) fn of(
        terms: &Terms,
        goals: &[TermId],
        slice: &[TermId],
        mut value: impl FnMut(TermId) -> u64,
    ) -> Option<Buckets> {
        let mut looked = 0;
        let mut memo = FxHashMap::default();
        let mut read = |t: TermId| buckets_of(terms, t, &mut looked, &mut memo);
        let mut pure: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for &goal in goals {
            pure.push((goal, read(goal)??));
        }
        let mut others: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for &condition in slice {
            if let Some(buckets) = read(condition)? {
                others.push((condition, buckets));
            }
        }
        // Those that share inputs with the goals, directly or through others.
        let mut order: Vec<TermId> = Vec::new();
        let mut met: FxHashSet<TermId> = FxHashSet::default();
        let mut inputs: FxHashSet<InputId> = FxHashSet::default();
        let goals_own = pure.len();
        let mut at = 0;
        while at < pure.len() {
            for bucket in pure[at].1.clone() {
                if met.insert(bucket) {
                    order.push(bucket);
                    inputs.extend(terms.inputs(bucket));
                }
            }
            others.retain(|(condition, buckets)| {
                let shares = terms.inputs(*condition).iter().any(|input| inputs.contains(input));
                if shares {
                    pure.push((*condition, buckets.clone()));
                }
                !shares
            });
            at += 1;
        }
        if order.is_empty() || order.len() > MOST_UNKNOWNS || goals_own == 0 {
            return None;
        }
        // Those of the goals last: what is given a value last is changed first.
        order.reverse();
        let roots: Vec<TermId> = pure.iter().map(|(condition, _)| *condition).collect();
        let flat = Flat::of(terms, &roots, |t| met.contains(&t), MOST_TERMS)?;
        let unknowns: Option<Vec<Unknown>> = order
            .iter()
            .map(|&bucket| {
                let (low, high) = terms.bounds(bucket);
                Some(Unknown { bucket, place: flat.place(bucket)?, low, count: high - low + 1, now: value(bucket) })
            })
            .collect();
        let unknowns = unknowns?;
        let mut conditions = vec![Vec::new(); unknowns.len()];
        for (condition, buckets) in &pure {
            let last = unknowns.iter().rposition(|unknown| buckets.contains(&unknown.bucket))?;
            conditions[last].push(flat.place(*condition)?);
        }
        let checks = unknowns
            .iter()
            .zip(conditions)
            .map(|(_, places)| {
                let leaves: Vec<u32> = unknowns.iter().map(|unknown| unknown.place).collect();
                (flat.behind(&leaves, &places), places)
            })
            .collect();
        let mut buckets = Buckets { flat, unknowns, checks, done: 0 };
        // Constants have their values from now on.
        for unknown in &buckets.unknowns {
            buckets.flat.set(unknown.place, unknown.now);
        }
        buckets.flat.evaluate();
        Some(buckets)
    }

    /// Operations done.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// Goes through all values that satisfy the conditions, those as now first, until `take` is satisfied with them: each bucket with its value, and whether that is another one than now.
    pub(super) fn go_through(&mut self, take: &mut dyn FnMut(&[Wanted]) -> bool) -> End {
        self.from(0, take)
    }

    fn from(&mut self, at: usize, take: &mut dyn FnMut(&[Wanted]) -> bool) -> End {
        let Some(&Unknown { place, low, count, now, .. }) = self.unknowns.get(at) else {
            let wanted = |unknown: &Unknown| {
                let value = self.flat.value(unknown.place);
                Wanted { bucket: unknown.bucket, value, is_new: value != unknown.now }
            };
            let wanted: Vec<Wanted> = self.unknowns.iter().map(wanted).collect();
            return if take(&wanted) { End::Taken } else { End::Exhausted };
        };
        let offset = now.wrapping_sub(low);
        for i in 0..count {
            if self.done > MOST_DONE {
                return End::GaveUp;
            }
            self.flat.set(place, low + (offset.wrapping_add(i)) % count);
            let (behind, conditions) = &self.checks[at];
            self.flat.evaluate_only(behind);
            self.done += behind.len() as u64 + 1;
            if !conditions.iter().all(|place| self.flat.value(*place) == 1) {
                continue;
            }
            match self.from(at + 1, take) {
                End::Exhausted => {}
                end => return end,
            }
        }
        End::Exhausted
    }
}

/// The buckets of a condition; none inside where it has inputs in another way too; none at all where too many terms were looked at.
#[allow(clippy::option_option, reason = "both are answers, and either ends what asked")]
fn buckets_of(
    terms: &Terms,
    condition: TermId,
    looked: &mut usize,
    memo: &mut FxHashMap<TermId, bool>,
) -> Option<Option<Vec<TermId>>> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut waiting = vec![condition];
    while let Some(t) = waiting.pop() {
        if !seen.insert(t) {
            continue;
        }
        *looked += 1;
        if *looked > MOST_TERMS {
            return None;
        }
        if *memo.entry(t).or_insert_with(|| is_bucket(terms, t)) {
            found.push(t);
            continue;
        }
        match terms.node(t) {
            Node::Var { .. } => return Some(None),
            node => waiting.extend(node.children()),
        }
    }
    Some(Some(found))
}
