//! The path as the layers see it: conjuncts in order, where each input occurs, its domain, and the order graph.
//!
//! Paths are extended without telling the solver. At the next question [`Track::follow`] drops what the new path does not share
//! with the last one and adds the rest, so that a search which goes deeper one condition at a time pays for one condition.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use slowpath_term::{BinOp, Condition, Evaluator, InputId, Model, Node, TermId, Terms};
use smallvec::SmallVec;

use crate::block_vec::BlockVec;
use crate::difference::{Atom, Atoms, Graph, Point};
use crate::path::PathCondition;
use crate::sets::{Set, Solutions};

/// A domain of more pieces is not cut any finer: it stays correct, only wider than need be.
const MOST_PIECES: usize = 64;

/// One conjunct of the path, and what is to be undone when it goes.
#[derive(Clone, Copy)]
struct Conjunct {
    condition: Condition,
    /// Length of the path up to and with the condition it is part of.
    depth: u32,
    /// Edges it put into the graph.
    edges: u8,
    undo: Undo,
}

/// What a conjunct did beside its edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undo {
    /// Already on the path further up; nothing was added for it.
    Repeated,
    /// An order between two inputs: the graph alone knows where it occurs.
    Order,
    /// It occurs at its inputs.
    Occurs,
    /// And it replaced a domain, which is on the trail.
    Narrowed,
}

/// How far the path is the one that it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unchanged {
    /// The first so many conjuncts.
    pub(crate) conjuncts: usize,
    /// The first so many changes of domains.
    pub(crate) narrowings: usize,
}

/// Places where a repeated comparison is looked for before it is taken for a new one.
const RECENT: usize = 1 << 12;

/// The path, indexed.
#[derive(Default)]
pub(crate) struct Track {
    /// The names of the path's conditions: each with the depth behind which it begins.
    names: Vec<(u64, usize)>,
    /// Conditions of the path.
    depth: usize,
    conjuncts: BlockVec<Conjunct>,
    /// Conjuncts that mention an input, by input, but for orders between two.
    occurs: Vec<Vec<u32>>,
    domains: Vec<Option<Rc<Set>>>,
    /// Domains that were replaced, newest last, each with a name that no other change of a domain has.
    trail: Vec<(InputId, Option<Rc<Set>>, u64)>,
    /// Changes of domains that were ever made.
    narrowings: u64,
    /// Conjuncts and replaced domains that stayed in place since somebody asked.
    unchanged: Unchanged,
    pub(crate) graph: Graph,
    pub(crate) solutions: Solutions,
    on_path: Vec<bool>,
    /// Where comparisons were last put, by a hash of them, and the rest of the hash. What is found there is compared before it counts; but where the
    /// rest differs it is not even looked at, which would be far away.
    recent: Vec<(u32, u32)>,
    /// Comparisons are made terms at once: some layer asked for terms before.
    making: bool,
    pending: Vec<TermId>,
    /// Conditions that some beginning of the path contradicts, and its depth, deepest last.
    refuted: Vec<(usize, TermId)>,
    refuted_terms: FxHashSet<TermId>,
}

/// Refuted conditions that are remembered at once.
const MOST_REFUTED: usize = 1 << 16;

impl Track {
    /// Whether the path, or a beginning of it, was found to contradict a condition.
    pub(crate) fn is_refuted(&self, condition: TermId) -> bool {
        self.refuted_terms.contains(&condition)
    }

    /// Remembers that the path contradicts a condition, for as long as it only grows.
    pub(crate) fn refute(&mut self, condition: TermId) {
        if self.refuted.len() < MOST_REFUTED && self.refuted_terms.insert(condition) {
            self.refuted.push((self.depth, condition));
        }
    }

    /// Brings the view to `path`.
    pub(crate) fn follow(&mut self, terms: &mut Terms, path: &PathCondition) {
        // Newest first, back to the run that is known, if only in part.
        let mut fresh: SmallVec<[(u64, usize, &[Condition]); 4]> = SmallVec::new();
        let mut known = 0;
        for (name, begin, run) in path.runs() {
            if let Some(end) = self.end_of(name, begin) {
                known = end.min(begin + run.len());
                fresh.push((name, known, &run[known - begin..]));
                break;
            }
            fresh.push((name, begin, run));
        }
        self.shrink(terms, known);
        for (name, begin, run) in fresh.into_iter().rev().filter(|fresh| !fresh.2.is_empty()) {
            if self.names.last().is_none_or(|last| last.0 != name) {
                self.names.push((name, begin));
            }
            for &condition in run {
                self.depth += 1;
                self.extend(terms, condition);
            }
        }
    }

    /// The depth at which the run of that name ends that begins at a depth, if it is on the path.
    fn end_of(&self, name: u64, begin: usize) -> Option<usize> {
        let at = self.names.binary_search_by_key(&begin, |known| known.1).ok()?;
        (self.names[at].0 == name).then(|| self.names.get(at + 1).map_or(self.depth, |next| next.1))
    }

    /// Makes every conjunct a term, now and from now on: what comes after the layers that know orders looks at terms.
    pub(crate) fn make(&mut self, terms: &mut Terms) {
        if std::mem::replace(&mut self.making, true) {
            return;
        }
        for conjunct in self.conjuncts.iter_mut() {
            let term = terms.condition(conjunct.condition);
            conjunct.condition = term.into();
            if self.on_path.len() < terms.len() {
                self.on_path.resize(terms.len().next_power_of_two(), false);
            }
            self.on_path[term.index()] = true;
        }
    }

    fn shrink(&mut self, terms: &Terms, depth: usize) {
        while let Some((_, term)) = self.refuted.pop_if(|refuted| refuted.0 > depth) {
            self.refuted_terms.remove(&term);
        }
        while self.conjuncts.last().is_some_and(|conjunct| conjunct.depth as usize > depth) {
            let Some(conjunct) = self.conjuncts.pop() else { break };
            if conjunct.undo == Undo::Repeated {
                continue;
            }
            self.graph.pop(u32::from(conjunct.edges));
            let Condition::Term(term) = conjunct.condition else { continue };
            if let Some(on_path) = self.on_path.get_mut(term.index()) {
                *on_path = false;
            }
            if conjunct.undo == Undo::Order {
                continue;
            }
            for input in terms.inputs(term) {
                self.occurs[input.index()].pop();
            }
            if conjunct.undo == Undo::Narrowed
                && let Some((input, domain, _)) = self.trail.pop()
            {
                self.domains[input.index()] = domain;
            }
        }
        while self.names.last().is_some_and(|name| name.1 >= depth) {
            self.names.pop();
        }
        self.depth = depth;
        let Unchanged { conjuncts, narrowings } = &mut self.unchanged;
        *conjuncts = self.conjuncts.len().min(*conjuncts);
        *narrowings = self.trail.len().min(*narrowings);
    }

    /// How far the path is the one that it was when this was last asked.
    pub(crate) fn take_unchanged(&mut self) -> Unchanged {
        let now = Unchanged { conjuncts: self.conjuncts.len(), narrowings: self.trail.len() };
        std::mem::replace(&mut self.unchanged, now)
    }

    /// A number for the domains of all inputs as they are now: the same one only where all are the same.
    pub(crate) fn domains_name(&self) -> u64 {
        self.trail.last().map_or(0, |newest| newest.2)
    }

    /// Number of changes of domains on the path.
    pub(crate) fn narrowings(&self) -> usize {
        self.trail.len()
    }

    /// Adds a condition, a conjunction as its parts.
    fn extend(&mut self, terms: &mut Terms, condition: Condition) {
        let term = match condition {
            Condition::Term(term) => term,
            Condition::Compares(comparison) => {
                let order = Condition::Compares(comparison.straight());
                match Atom::between_inputs(terms, order).filter(|_| !self.making) {
                    Some((plus, minus, limit)) => return self.push_order(order, plus, minus, limit),
                    None => terms.comparison(comparison),
                }
            }
        };
        self.pending.push(term);
        while let Some(term) = self.pending.pop() {
            match terms.node(term) {
                Node::Bin { op: BinOp::And, width: 1, a, b } => self.pending.extend([b, a]),
                Node::Const { .. } => {}
                _ => self.push(terms, term),
            }
        }
    }

    /// Adds an order between two inputs that is no term.
    fn push_order(&mut self, order: Condition, plus: Point, minus: Point, limit: i64) {
        let (index, depth) = (self.conjuncts.len() as u32, self.depth as u32);
        if self.recent.is_empty() {
            self.recent.resize(RECENT, (0, 0));
        }
        let mixed = ((plus.index() as u64) << 32 | minus.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (place, rest) = ((mixed >> 32) as usize % RECENT, mixed as u32 ^ (mixed >> 44) as u32);
        let before = std::mem::replace(&mut self.recent[place], (index, rest));
        if before.1 == rest
            && let Some(known) = self.conjuncts.get(before.0 as usize)
            && known.condition == order
        {
            // The one that is not repeated stays the one to be found.
            self.recent[place] = before;
            self.conjuncts.push(Conjunct { condition: order, depth, edges: 0, undo: Undo::Repeated });
            return;
        }
        self.graph.push_conjunct(plus, minus, limit, index);
        self.conjuncts.push(Conjunct { condition: order, depth, edges: 1, undo: Undo::Order });
    }

    fn push(&mut self, terms: &Terms, term: TermId) {
        if self.on_path.len() < terms.len() {
            self.on_path.resize(terms.len().next_power_of_two(), false);
        }
        let depth = self.depth as u32;
        let condition = Condition::Term(term);
        if std::mem::replace(&mut self.on_path[term.index()], true) {
            self.conjuncts.push(Conjunct { condition, depth, edges: 0, undo: Undo::Repeated });
            return;
        }
        let index = self.conjuncts.len() as u32;
        if let Some((plus, minus, limit)) = Atom::between_inputs(terms, condition) {
            self.graph.push_conjunct(plus, minus, limit, index);
            self.conjuncts.push(Conjunct { condition, depth, edges: 1, undo: Undo::Order });
            return;
        }
        let inputs = terms.inputs(term);
        if let Some(last) = inputs.last()
            && self.occurs.len() <= last.index()
        {
            self.occurs.resize(last.index() + 1, Vec::new());
            self.domains.resize(last.index() + 1, None);
        }
        for input in inputs {
            self.occurs[input.index()].push(index);
        }
        let mut conjunct = Conjunct { condition, depth, edges: 0, undo: Undo::Occurs };
        if inputs.len() == 1 {
            if self.narrow(terms, term).is_some() {
                conjunct.undo = Undo::Narrowed;
            }
        } else {
            let atoms = Atoms::of(terms, term, |input, width, signed| self.bounds(input, width, signed));
            conjunct.edges = self.graph.push(&atoms) as u8;
        }
        self.conjuncts.push(conjunct);
    }

    /// Cuts the domain of the only input of `term` and puts the old one on the trail; `None` if nothing was cut.
    fn narrow(&mut self, terms: &Terms, term: TermId) -> Option<()> {
        let solution = self.solutions.of(terms, term)?;
        let slot = &mut self.domains[solution.input.index()];
        let narrowed = match slot {
            None => solution.set.clone(),
            Some(domain) => domain.intersect(&solution.set),
        };
        // An empty domain would mean that the path has no model; then nothing here may be relied upon.
        if narrowed.is_empty() || narrowed.pieces() > MOST_PIECES {
            return None;
        }
        self.narrowings += 1;
        self.trail.push((solution.input, slot.replace(Rc::new(narrowed)), self.narrowings));
        Some(())
    }

    /// What the conditions on this input alone leave of its values; `None` if there are none.
    pub(crate) fn domain(&self, input: InputId) -> Option<&Rc<Set>> {
        self.domains.get(input.index())?.as_ref()
    }

    /// Least and greatest value of an input of `width` bits, from the conditions on it alone.
    pub(crate) fn bounds(&self, input: InputId, width: u8, signed: bool) -> (i128, i128) {
        match self.domain(input) {
            Some(domain) => domain.hull(signed),
            None if signed => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            None => (0, (1 << width) - 1),
        }
    }

    /// Sound bounds of a term, given sound bounds: better where its only input has a domain that can be gone through.
    pub(crate) fn narrow_bounds(
        &self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        model: &Model,
        t: TermId,
        bounds: (u64, u64),
    ) -> (u64, u64) {
        let &[input] = terms.inputs(t) else { return bounds };
        match (self.domain(input).map(Rc::as_ref), terms.node(t)) {
            (Some(domain), Node::Var { .. }) => {
                let (lo, hi) = domain.hull(false);
                (lo as u64, hi as u64)
            }
            (Some(Set::Bytes(domain)), _) => domain.iter().fold((u64::MAX, 0), |(lo, hi), v| {
                let value = evaluator.eval(terms, &model.with(input, v), t);
                (lo.min(value), hi.max(value))
            }),
            _ => bounds,
        }
    }

    /// The conjuncts that mention an input.
    fn indices_of(&self, input: InputId) -> impl Iterator<Item = u32> + '_ {
        let occurs = self.occurs.get(input.index()).into_iter().flatten().copied();
        occurs.chain(self.graph.conjuncts_of(input))
    }

    /// Number of conjuncts that mention an input.
    pub(crate) fn count_of(&self, input: InputId) -> usize {
        self.occurs.get(input.index()).map_or(0, Vec::len) + self.graph.count_of(input)
    }

    /// Number of conjuncts.
    pub(crate) fn len(&self) -> usize {
        self.conjuncts.len()
    }

    /// The conjuncts from a place on, oldest first.
    pub(crate) fn conjuncts_from(&self, place: usize) -> impl Iterator<Item = Condition> + '_ {
        (place..self.conjuncts.len()).map(|i| self.conjuncts[i].condition)
    }

    /// All conjuncts, oldest first.
    pub(crate) fn conjuncts(&self) -> impl Iterator<Item = Condition> + '_ {
        self.conjuncts.iter().map(|conjunct| conjunct.condition)
    }

    /// The first conjunct of the changed inputs that fails under `model`. Those of other inputs hold as they did before.
    pub(crate) fn first_violated(
        &self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        model: &Model,
        changed: &[InputId],
    ) -> Option<Condition> {
        let indices = changed.iter().flat_map(|&input| self.indices_of(input));
        let mut conditions = indices.map(|i| self.conjuncts[i as usize].condition);
        conditions.find(|&condition| !evaluator.satisfies(terms, model, condition))
    }

    /// The conjuncts that share inputs with `t`, directly or through others, oldest first. All were made terms.
    pub(crate) fn slice(&self, terms: &Terms, t: TermId) -> Vec<TermId> {
        debug_assert!(self.making, "comparisons have no place in a slice");
        let mut taken = vec![false; self.conjuncts.len()];
        let mut met: Vec<bool> = Vec::new();
        let mut inputs: Vec<InputId> = terms.inputs(t).to_vec();
        let mut slice: Vec<(u32, TermId)> = Vec::new();
        while let Some(input) = inputs.pop() {
            if met.len() <= input.index() {
                met.resize(input.index() + 1, false);
            }
            if std::mem::replace(&mut met[input.index()], true) {
                continue;
            }
            for i in self.indices_of(input) {
                if let Condition::Term(term) = self.conjuncts[i as usize].condition
                    && !std::mem::replace(&mut taken[i as usize], true)
                {
                    slice.push((i, term));
                    inputs.extend_from_slice(terms.inputs(term));
                }
            }
        }
        slice.sort_unstable();
        slice.into_iter().map(|(_, term)| term).collect()
    }
}
