//! History policies (SPF-WCA, Section III): what to do at a site depends on the last decisions of the same activation.
//!
//! The histories of a site are a trie, latest decision first. A history the policy never saw falls back to the longest
//! part of it that it did.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use slowpath_machine::Answer;
use slowpath_program::SiteId;
use smallvec::SmallVec;

use super::branch::Level;
use super::{side_number, sides_of};
use crate::driver::Choice;
use crate::node::Decision;

/// A set of sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices(u64);

impl Choices {
    /// With one more side; sides past 63 cannot be told apart and allow everything.
    pub fn with(self, side: u32) -> Choices {
        if side < 64 { Choices(self.0 | 1 << side) } else { Choices(u64::MAX) }
    }

    pub fn contains(self, side: u32) -> bool {
        side >= 64 || self.0 >> side & 1 == 1
    }

    pub fn union(self, other: Choices) -> Choices {
        Choices(self.0 | other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What sides that cannot be told apart come to.
    pub fn all() -> Choices {
        Choices(u64::MAX)
    }

    /// Exactly one side.
    pub fn is_single(self) -> bool {
        self.0.count_ones() == 1
    }

    /// The sides in it.
    pub fn sides(self) -> impl Iterator<Item = u32> {
        (0..64).filter(move |s| self.0 >> s & 1 == 1)
    }
}

/// One decision of a history.
type Step = (SiteId, u32);

#[derive(Clone, Debug, Default, PartialEq)]
struct Trie {
    /// What was chosen after exactly this history.
    here: Choices,
    /// What was chosen after this history and any longer one.
    below: Choices,
    next: BTreeMap<Step, Trie>,
}

impl Trie {
    fn insert(&mut self, history: &mut dyn Iterator<Item = Step>, side: u32) {
        self.below = self.below.with(side);
        match history.next() {
            None => self.here = self.here.with(side),
            Some(step) => self.next.entry(step).or_default().insert(history, side),
        }
    }

    /// What to do after a history (latest decision first).
    fn look(&self, history: &mut dyn Iterator<Item = Step>) -> Choices {
        match history.next() {
            None => {
                if self.here.is_empty() {
                    self.below
                } else {
                    self.here
                }
            }
            Some(step) => match self.next.get(&step) {
                Some(next) => next.look(history),
                None => self.below,
            },
        }
    }

    fn join(&mut self, other: &Trie) {
        self.here = self.here.union(other.here);
        self.below = self.below.union(other.below);
        for (step, trie) in &other.next {
            self.next.entry(*step).or_default().join(trie);
        }
    }

    fn height(&self) -> usize {
        self.next.values().map(|t| 1 + t.height()).max().unwrap_or(0)
    }

    /// Histories with exactly one choice, and all of them.
    fn determined(&self) -> (usize, usize) {
        let mine = (usize::from(self.here.is_single()), usize::from(!self.here.is_empty()));
        self.next.values().map(Trie::determined).fold(mine, |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Decisions in all histories together, each history counted `above` decisions longer.
    fn steps(&self, above: usize) -> usize {
        let mine = if self.here.is_empty() { 0 } else { above };
        self.next.values().map(|trie| trie.steps(above + 1)).fold(mine, usize::saturating_add)
    }

    fn visit(&self, history: &mut Vec<Step>, f: &mut impl FnMut(&[Step], Choices)) {
        if !self.here.is_empty() {
            f(history, self.here);
        }
        for (step, trie) in &self.next {
            history.push(*step);
            trie.visit(history, f);
            history.pop();
        }
    }
}

/// The recent decisions of each activation, as far back as a policy looks.
#[derive(Clone, Debug, Default)]
pub struct Context {
    recent: FxHashMap<u32, Vec<Step>>,
    memory: usize,
}

impl Context {
    /// Remembers this many decisions of each activation.
    pub fn new(memory: usize) -> Context {
        Context { recent: FxHashMap::default(), memory }
    }

    /// Takes note of a decision.
    pub fn decided(&mut self, site: SiteId, activation: u32, answer: Answer) {
        if self.memory == 0 {
            return;
        }
        let recent = self.recent.entry(activation).or_default();
        // Trimmed now and then rather than at every step.
        if recent.len() >= 2 * self.memory {
            recent.drain(..recent.len() + 1 - self.memory);
        }
        recent.push((site, side_number(answer)));
    }

    /// The last decision of an activation.
    pub(crate) fn latest(&self, activation: u32) -> Option<Step> {
        self.history(activation).next()
    }

    /// The last decisions of an activation, latest first.
    fn history(&self, activation: u32) -> impl Iterator<Item = Step> + '_ {
        self.recent.get(&activation).into_iter().flat_map(|r| r.iter().rev().copied())
    }
}

/// A history policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryPolicy {
    /// Length of histories; none means as long as they were.
    pub length: Option<usize>,
    tries: BTreeMap<SiteId, Trie>,
}

impl HistoryPolicy {
    /// The policy of one worst path. Forced decisions are part of histories, but teach no choice.
    pub fn of_path(decisions: &[Decision], length: Option<usize>) -> HistoryPolicy {
        let mut policy = HistoryPolicy { length, tries: BTreeMap::new() };
        let mut histories: FxHashMap<u32, Vec<Step>> = FxHashMap::default();
        let limit = length.unwrap_or(usize::MAX);
        for (site, side, decision) in sides_of(decisions) {
            let history = histories.entry(decision.activation).or_default();
            if !decision.forced {
                let trie = policy.tries.entry(site).or_default();
                trie.insert(&mut history.iter().rev().take(limit).copied(), side);
            }
            history.push((site, side));
        }
        policy
    }

    /// Unification: what either allows.
    pub fn join(&mut self, other: &HistoryPolicy) {
        for (site, trie) in &other.tries {
            self.tries.entry(*site).or_default().join(trie);
        }
    }

    /// The ranking κ: how many of its histories it resolves uniquely, less those it does not.
    pub fn rank(&self) -> i64 {
        let (single, all) = self.tries.values().map(Trie::determined).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        single as i64 - 2 * (all - single) as i64
    }

    /// Whether every history it knows has one choice.
    pub fn is_deterministic(&self) -> bool {
        self.tries.values().map(Trie::determined).all(|(single, all)| single == all)
    }

    /// The longest history it looks at.
    pub fn height(&self) -> usize {
        self.tries.values().map(Trie::height).max().unwrap_or(0)
    }

    /// Decisions in the histories of all its rules together.
    pub fn steps(&self) -> usize {
        self.tries.values().map(|trie| trie.steps(0)).fold(0, usize::saturating_add)
    }

    pub(crate) fn levels(&self, choice: &Choice, context: &Context) -> SmallVec<[Level; 2]> {
        let limit = self.length.unwrap_or(usize::MAX);
        let wanted = match self.tries.get(&choice.site) {
            Some(trie) => trie.look(&mut context.history(choice.activation).take(limit)),
            None => Choices::default(),
        };
        let level = |side: u32| {
            // A site without an opinion leaves both sides open; a side not wanted is still taken where nothing else is possible.
            if wanted.is_empty() || wanted.contains(side) { Level::Permitted } else { Level::IfForced }
        };
        choice.sides.iter().map(|s| level(side_number(s.answer))).collect()
    }

    /// Every rule: site, history (latest first), choices.
    pub fn rules(&self) -> Vec<(SiteId, Vec<Step>, Choices)> {
        let mut out = Vec::new();
        for (site, trie) in &self.tries {
            trie.visit(&mut Vec::new(), &mut |history, choices| out.push((*site, history.to_vec(), choices)));
        }
        out
    }

    /// A policy from its rules.
    pub fn from_rules(length: Option<usize>, rules: impl IntoIterator<Item = (SiteId, Vec<Step>, Choices)>) -> Self {
        let mut policy = HistoryPolicy { length, tries: BTreeMap::new() };
        for (site, history, choices) in rules {
            for side in choices.sides() {
                policy.tries.entry(site).or_default().insert(&mut history.iter().copied(), side);
            }
        }
        policy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(sides: &[u32]) -> Vec<Decision> {
        let decision = |s: &u32| Decision { site: SiteId(1), activation: 1, answer: Answer::Case(*s), forced: false };
        sides.iter().map(decision).collect()
    }

    #[test]
    fn alternation_needs_a_history_of_one() {
        let memoryless = HistoryPolicy::of_path(&path(&[0, 1, 0, 1, 0]), Some(0));
        assert!(!memoryless.is_deterministic());
        let one = HistoryPolicy::of_path(&path(&[0, 1, 0, 1, 0]), Some(1));
        assert!(one.is_deterministic() && one.rank() > memoryless.rank());
    }

    #[test]
    fn rules_give_back_the_policy() {
        let policy = HistoryPolicy::of_path(&path(&[0, 0, 1, 0, 0, 1]), Some(2));
        assert_eq!(HistoryPolicy::from_rules(policy.length, policy.rules()), policy);
    }

    #[test]
    fn histories_of_a_thousand_decisions_fit_a_small_stack() {
        let long = vec![(SiteId(1), 0); 1024];
        let policy = HistoryPolicy::from_rules(None, [(SiteId(1), long.clone(), Choices::default().with(1))]);
        let mut joined = policy.clone();
        joined.join(&policy);
        assert_eq!((joined.height(), joined.steps(), joined.rank()), (1024, 1024, 1));
        assert_eq!(joined.rules(), [(SiteId(1), long, Choices::default().with(1))]);
    }

    #[test]
    fn rules_give_back_unified_policies_and_sides_beyond_counting() {
        let mut policy = HistoryPolicy::of_path(&path(&[0, 0, 70, 0, 1]), None);
        policy.join(&HistoryPolicy::of_path(&path(&[1, 0, 0, 70]), None));
        assert!(policy.rules().iter().any(|(_, _, choices)| *choices == Choices::all()));
        assert_eq!(HistoryPolicy::from_rules(None, policy.rules()), policy);
        assert_eq!(policy.steps(), policy.rules().iter().map(|(_, history, _)| history.len()).sum::<usize>());
    }
}
