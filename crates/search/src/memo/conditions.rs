//! The conditions of the path that is followed, by the inputs they mention.
//!
//! A future depends on the conditions on the inputs it mentions, and on those that these conditions mention in turn. The
//! others hold for some input, whatever the future decides: the path has a model, and they share no input with it.

use slowpath_solver::PathCondition;
use slowpath_term::{Condition, InputId, TermId, Terms};
use smallvec::SmallVec;

use super::input_set::InputSet;
use crate::driver::comparison_words;

/// A condition, and the inputs under which it is found.
struct Known {
    words: [u64; 2],
    inputs: SmallVec<[InputId; 2]>,
}

/// The conditions of one path, which is followed depth first.
#[derive(Default)]
pub struct Conditions {
    list: Vec<Known>,
    /// For each input the conditions that mention it.
    of_input: Vec<Vec<u32>>,
    /// The inputs that some condition mentions.
    constrained: InputSet,
    /// Conditions that every path begins with.
    common: usize,
}

impl Conditions {
    /// The conditions that every path begins with.
    pub fn of_start(terms: &Terms, path: &PathCondition) -> Conditions {
        let mut conditions = Conditions { common: path.len(), ..Conditions::default() };
        conditions.follow(terms, path);
        conditions
    }

    /// Goes on to the end of a path of which the conditions up to here are known.
    pub fn follow(&mut self, terms: &Terms, path: &PathCondition) {
        let mut fresh: SmallVec<[Condition; 4]> = path.iter().take(path.len().saturating_sub(self.list.len())).collect();
        fresh.reverse();
        for condition in fresh {
            self.push(terms, condition);
        }
    }

    fn push(&mut self, terms: &Terms, condition: Condition) {
        let (words, [a, b]) = match condition {
            Condition::Term(term) => ([0, term.raw().get().into()], [Some(term), None]),
            Condition::Compares(comparison) => {
                (comparison_words(comparison), [Some(comparison.a), Some(comparison.b)])
            }
        };
        let mut inputs: SmallVec<[InputId; 2]> = SmallVec::new();
        inputs.extend([a, b].into_iter().flatten().flat_map(|t: TermId| terms.inputs(t).iter().copied()));
        inputs.sort_unstable();
        inputs.dedup();
        let at = self.list.len() as u32;
        // What is said of one input on every path need not be compared, and connects it with nothing.
        if self.list.len() < self.common && inputs.len() <= 1 {
            inputs.clear();
        }
        for input in &inputs {
            if self.of_input.len() <= input.index() {
                self.of_input.resize(input.index() + 1, Vec::new());
            }
            self.of_input[input.index()].push(at);
            self.constrained.insert(*input);
        }
        self.list.push(Known { words, inputs });
    }

    /// Goes back to a path of so many conditions.
    pub fn truncate(&mut self, len: usize) {
        while self.list.len() > len {
            let Some(known) = self.list.pop() else { break };
            for input in known.inputs {
                let list = &mut self.of_input[input.index()];
                list.pop();
                if list.is_empty() {
                    self.constrained.remove(input);
                }
            }
        }
    }

    /// Writes down the conditions that say anything about these inputs, directly or through others, in an order of their own.
    pub fn slice(&self, mentioned: &InputSet, out: &mut Vec<u64>) {
        let mut waiting: SmallVec<[InputId; 8]> = mentioned.both(&self.constrained).collect();
        let mut met: SmallVec<[InputId; 8]> = SmallVec::new();
        let mut words: SmallVec<[[u64; 2]; 8]> = SmallVec::new();
        let mut taken: rustc_hash::FxHashSet<u32> = rustc_hash::FxHashSet::default();
        let mut seen = InputSet::default();
        while let Some(input) = waiting.pop() {
            let mut one = InputSet::default();
            one.insert(input);
            if seen.both(&one).next().is_some() {
                continue;
            }
            seen.insert(input);
            met.push(input);
            for at in &self.of_input[input.index()] {
                if taken.insert(*at) {
                    let known = &self.list[*at as usize];
                    words.push(known.words);
                    waiting.extend(known.inputs.iter().copied());
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        out.push(words.len() as u64);
        out.extend(words.iter().flatten());
    }
}
