//! The conditions of the path that is followed, by the inputs they mention.
//!
//! A future depends on the conditions on the inputs it mentions, and on those that these conditions mention in turn. The
//! others hold for some input, whatever the future decides: the path has a model, and they share no input with it.

use std::cell::Cell;

use slowpath_solver::{Allowed, Intervals, PathCondition};
use slowpath_term::{CmpOp, Condition, ConvOp, InputId, Node, TermId, Terms, UnOp};
use smallvec::SmallVec;

use super::atom::{Atom, Range, intersect};
use super::input_set::InputSet;
use crate::driver::comparison_words;

/// A condition, and the inputs under which it is found.
pub struct Known {
    words: [u64; 2],
    pub atom: Atom,
    inputs: SmallVec<[InputId; 2]>,
}

/// Ranges of inputs that are told apart: most arrays have one.
const MOST_RANGES: usize = 32;

/// The conditions of one path, which is followed depth first.
#[derive(Default)]
pub struct Conditions {
    pub list: Vec<Known>,
    /// Places in the list, in the order of the conditions' words: however a path came to its conditions, they are written alike.
    order: Vec<u32>,
    /// For each input the conditions that mention it, each with the values it leaves, after those before: None once more is said than that.
    of_input: Vec<Vec<(u32, Option<Intervals>)>>,
    /// The inputs that some condition mentions.
    constrained: InputSet,
    /// Conditions that every path begins with.
    common: usize,
    /// For each input what those that mention it alone allow: `None` for everything.
    ranges: Vec<Option<Range>>,
    /// All that some input is restricted to on every path, each once; and the inputs of which it is not known.
    different_ranges: Vec<Intervals>,
    unclear: InputSet,
    allowed: Allowed,
    /// Conditions looked at since this was last asked.
    looked_at: Cell<u64>,
}

impl Conditions {
    /// The conditions that every path begins with.
    pub fn of_start(terms: &Terms, path: &PathCondition) -> Conditions {
        let mut conditions = Conditions { common: path.len(), ..Conditions::default() };
        conditions.follow(terms, path);
        conditions.list_ranges();
        conditions
    }

    fn list_ranges(&mut self) {
        for (input, range) in (0..).map(InputId).zip(&self.ranges) {
            match range {
                None => {}
                Some(Range::Within(values)) if self.different_ranges.contains(values) => {}
                Some(Range::Within(values)) if self.different_ranges.len() < MOST_RANGES => {
                    self.different_ranges.push(values.clone());
                }
                Some(_) => {
                    self.unclear.insert(input);
                }
            }
        }
    }

    /// Goes on to the end of a path of which the conditions up to here are known.
    pub fn follow(&mut self, terms: &Terms, path: &PathCondition) {
        let fresh = path.len().saturating_sub(self.list.len());
        let mut fresh: SmallVec<[Condition; 4]> = path.iter().take(fresh).collect();
        fresh.reverse();
        for condition in fresh {
            self.push(terms, condition);
        }
    }

    fn push(&mut self, terms: &Terms, condition: Condition) {
        let (words, parts) = match condition {
            Condition::Term(term) => ([0, term.raw().get().into()], [Some(term), None]),
            Condition::Compares(comparison) => (comparison_words(comparison), [Some(comparison.a), Some(comparison.b)]),
        };
        let mut inputs: SmallVec<[InputId; 2]> = SmallVec::new();
        inputs.extend(parts.into_iter().flatten().flat_map(|t: TermId| terms.inputs(t).iter().copied()));
        inputs.sort_unstable();
        inputs.dedup();
        let atom = self.atom(terms, condition, &inputs);
        let at = self.list.len();
        if at < self.common
            && let [input] = inputs[..]
        {
            // What is said of one input on every path need not be compared, and connects it with nothing.
            self.restrict(input, &atom);
            inputs.clear();
        }
        for input in &inputs {
            if self.of_input.len() <= input.index() {
                self.of_input.resize(input.index() + 1, Vec::new());
            }
            let left =
                self.values_left(*input).zip(atom.values()).map(|(left, values)| intersect(&left, values).into());
            self.of_input[input.index()].push((at as u32, left));
            self.constrained.insert(*input);
        }
        let place = self.order.partition_point(|other| self.list[*other as usize].words < words);
        self.order.insert(place, at as u32);
        self.list.push(Known { words, atom, inputs });
    }

    /// What a condition says, where that is easily said.
    fn atom(&mut self, terms: &Terms, condition: Condition, inputs: &[InputId]) -> Atom {
        let (a, b, equal) = match condition {
            Condition::Compares(c) if c.op == CmpOp::Eq => (c.a, c.b, !c.negated),
            Condition::Compares(_) => return Atom::Other,
            Condition::Term(term) => {
                if inputs.len() == 1 {
                    return self.allowed.values(terms, term).map_or(Atom::Other, Atom::Within);
                }
                let (term, equal) = match terms.node(term) {
                    Node::Un { op: UnOp::Not, a, .. } => (a, false),
                    _ => (term, true),
                };
                let Node::Cmp { op: CmpOp::Eq, a, b } = terms.node(term) else { return Atom::Other };
                (a, b, equal)
            }
        };
        match (plain_input(terms, a), plain_input(terms, b)) {
            (Some((a, kind)), Some((b, other))) if kind == other && a != b => match equal {
                true => Atom::Equal(a, b),
                false => Atom::Differ(a, b, kind.width),
            },
            _ => Atom::Other,
        }
    }

    fn restrict(&mut self, input: InputId, atom: &Atom) {
        if self.ranges.len() <= input.index() {
            self.ranges.resize(input.index() + 1, None);
        }
        let slot = &mut self.ranges[input.index()];
        *slot = Some(match (slot.take(), atom) {
            (None, Atom::Within(values)) => Range::Within(values.clone()),
            (Some(Range::Within(known)), Atom::Within(values)) => Range::Within(intersect(&known, values).into()),
            _ => Range::Unclear,
        });
    }

    /// Goes back to a path of so many conditions.
    pub fn truncate(&mut self, len: usize) {
        if self.list.len() > len {
            self.order.retain(|at| (*at as usize) < len);
        }
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

    /// The conditions that mention an input, but for those of every path that mention it alone.
    pub fn of(&self, input: InputId) -> impl Iterator<Item = &Known> + '_ {
        let all = self.of_input.get(input.index());
        self.looked_at.set(self.looked_at.get() + all.map_or(0, |all| all.len() as u64) + 1);
        all.into_iter().flatten().map(|(at, _)| &self.list[*at as usize])
    }

    /// The values that are left of an input, if the path says nothing but that about it.
    pub fn values_left(&self, input: InputId) -> Option<Intervals> {
        self.looked_at.set(self.looked_at.get() + 1);
        if let Some((_, left)) = self.of_input.get(input.index()).and_then(|all| all.last()) {
            return left.clone();
        }
        match self.range(input) {
            None => Some([(0, u64::MAX)].into()),
            Some(Range::Within(values)) => Some(values.clone()),
            Some(Range::Unclear) => None,
        }
    }

    /// What every path says about an input alone.
    pub fn range(&self, input: InputId) -> Option<&Range> {
        self.ranges.get(input.index())?.as_ref()
    }

    /// Which of the ranges of inputs a byte is within, a bit for each.
    pub fn ranges_with(&self, byte: u8) -> u64 {
        let within = |values: &Intervals| values.iter().any(|(low, high)| (*low..=*high).contains(&byte.into()));
        self.different_ranges.iter().fold(0, |bits, values| bits << 1 | u64::from(within(values)))
    }

    /// Whether it is not known what every path says about one of these inputs alone.
    pub fn is_range_unclear(&self, inputs: &InputSet) -> bool {
        self.unclear.both(inputs).next().is_some()
    }

    /// Whether some condition mentions an input.
    pub fn is_constrained(&self, input: InputId) -> bool {
        self.constrained.contains(input)
    }

    /// Those of the inputs that some condition mentions.
    pub fn constrained<'a>(&'a self, mentioned: &'a InputSet) -> impl Iterator<Item = InputId> + 'a {
        mentioned.both(&self.constrained)
    }

    /// How many conditions were looked at since this was last asked.
    pub fn take_looked_at(&self) -> u64 {
        self.looked_at.take()
    }

    /// Writes down the conditions that mention these inputs, or share inputs with those that do, in an order of their own.
    pub fn write_all(&self, mut waiting: SmallVec<[InputId; 8]>, out: &mut Vec<u64>) {
        self.looked_at.set(self.looked_at.get() + self.list.len() as u64);
        let mut chosen = vec![false; self.list.len()];
        let mut seen = InputSet::default();
        while let Some(input) = waiting.pop() {
            if !seen.insert(input) {
                continue;
            }
            for (at, _) in self.of_input.get(input.index()).into_iter().flatten() {
                if !std::mem::replace(&mut chosen[*at as usize], true) {
                    let inputs = self.list[*at as usize].inputs.iter().copied();
                    waiting.extend(inputs.filter(|other| !seen.contains(*other)));
                }
            }
        }
        out.push(1);
        let count = out.len();
        out.push(0);
        let (mut written, mut last) = (0, None);
        for at in self.order.iter().filter(|at| chosen[**at as usize]) {
            let words = self.list[*at as usize].words;
            if last.replace(words) != Some(words) {
                out.extend(words);
                written += 1;
            }
        }
        out[count] = written;
    }
}

/// How an input is read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reading {
    width: u8,
    extended: Option<(ConvOp, u8)>,
}

/// The input that a term is, by itself or extended.
fn plain_input(terms: &Terms, t: TermId) -> Option<(InputId, Reading)> {
    match terms.node(t) {
        Node::Var { input, width } => Some((input, Reading { width, extended: None })),
        Node::Conv { op: op @ (ConvOp::ZExt | ConvOp::SExt), width: to, a } => match terms.node(a) {
            Node::Var { input, width } => Some((input, Reading { width, extended: Some((op, to)) })),
            _ => None,
        },
        _ => None,
    }
}
