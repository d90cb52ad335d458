//! The path as the layers see it: conjuncts in order, where each input occurs, its domain, and the order graph.
//!
//! Paths are extended without telling the solver. At the next question [`Track::follow`] drops what the new path does not share
//! with the last one and adds the rest, so that a search which goes deeper one condition at a time pays for one condition.

use std::rc::Rc;

use slowpath_term::{BinOp, Evaluator, InputId, Model, Node, TermId, Terms};

use crate::difference::{Atom, Atoms, Graph};
use crate::path::PathCondition;
use crate::sets::{Set, Solutions};

/// A domain of more pieces is not cut any finer: it stays correct, only wider than need be.
const MOST_PIECES: usize = 64;

/// One conjunct of the path, and what is to be undone when it goes.
#[derive(Clone, Copy)]
struct Conjunct {
    term: TermId,
    /// Length of the path up to and with the condition it is part of.
    depth: u32,
    /// Edges it put into the graph.
    edges: u8,
    /// It replaced a domain, which is on the trail.
    narrowed: bool,
    /// Already on the path further up; nothing was added for it.
    repeated: bool,
}

/// The path, indexed.
#[derive(Default)]
pub(crate) struct Track {
    /// The names of the path's conditions: each with the depth behind which it begins.
    names: Vec<(u64, usize)>,
    /// Conditions of the path.
    depth: usize,
    conjuncts: Vec<Conjunct>,
    /// Conjuncts that mention an input, by input.
    occurs: Vec<Vec<u32>>,
    domains: Vec<Option<Rc<Set>>>,
    /// Domains that were replaced, newest last.
    trail: Vec<(InputId, Option<Rc<Set>>)>,
    pub(crate) graph: Graph,
    pub(crate) solutions: Solutions,
    on_path: Vec<bool>,
    fresh: Vec<(u64, TermId)>,
    pending: Vec<TermId>,
}

impl Track {
    /// Brings the view to `path`.
    pub(crate) fn follow(&mut self, terms: &Terms, path: &PathCondition) {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        let mut depth = path.len();
        let mut run = self.names.len();
        for (name, term) in path.suffixes() {
            while run > 0 && self.names[run - 1].1 >= depth {
                run -= 1;
            }
            if depth <= self.depth && run > 0 && self.names[run - 1].0 == name {
                break;
            }
            fresh.push((name, term));
            depth -= 1;
        }
        self.shrink(terms, depth);
        for &(name, term) in fresh.iter().rev() {
            if self.names.last().is_none_or(|last| last.0 != name) {
                self.names.push((name, self.depth));
            }
            self.depth += 1;
            self.extend(terms, term);
        }
        self.fresh = fresh;
    }

    fn shrink(&mut self, terms: &Terms, depth: usize) {
        while self.conjuncts.last().is_some_and(|conjunct| conjunct.depth as usize > depth) {
            let Some(conjunct) = self.conjuncts.pop() else { break };
            if conjunct.repeated {
                continue;
            }
            self.on_path[conjunct.term.index()] = false;
            for input in terms.inputs(conjunct.term) {
                self.occurs[input.index()].pop();
            }
            self.graph.pop(u32::from(conjunct.edges));
            if conjunct.narrowed
                && let Some((input, domain)) = self.trail.pop()
            {
                self.domains[input.index()] = domain;
            }
        }
        while self.names.last().is_some_and(|name| name.1 >= depth) {
            self.names.pop();
        }
        self.depth = depth;
    }

    /// Adds a condition, a conjunction as its parts.
    fn extend(&mut self, terms: &Terms, term: TermId) {
        self.pending.push(term);
        while let Some(term) = self.pending.pop() {
            match terms.node(term) {
                Node::Bin { op: BinOp::And, width: 1, a, b } => self.pending.extend([b, a]),
                Node::Const { .. } => {}
                _ => self.push(terms, term),
            }
        }
    }

    fn push(&mut self, terms: &Terms, term: TermId) {
        if self.on_path.len() < terms.len() {
            self.on_path.resize(terms.len().next_power_of_two(), false);
        }
        let depth = self.depth as u32;
        if std::mem::replace(&mut self.on_path[term.index()], true) {
            self.conjuncts.push(Conjunct { term, depth, edges: 0, narrowed: false, repeated: true });
            return;
        }
        let index = self.conjuncts.len() as u32;
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
        let mut conjunct = Conjunct { term, depth, edges: 0, narrowed: false, repeated: false };
        if let Some(atom) = Atom::between_inputs(terms, term) {
            conjunct.edges = u8::from(self.graph.push_atom(&atom));
        } else if inputs.len() == 1 {
            conjunct.narrowed = self.narrow(terms, term).is_some();
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
        self.trail.push((solution.input, slot.replace(Rc::new(narrowed))));
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
    pub(crate) fn conjuncts_of(&self, input: InputId) -> impl Iterator<Item = TermId> + '_ {
        self.occurs.get(input.index()).into_iter().flatten().map(|&i| self.conjuncts[i as usize].term)
    }

    /// Number of conjuncts that mention an input.
    pub(crate) fn count_of(&self, input: InputId) -> usize {
        self.occurs.get(input.index()).map_or(0, Vec::len)
    }

    /// All conjuncts, oldest first.
    pub(crate) fn conjuncts(&self) -> impl Iterator<Item = TermId> + '_ {
        self.conjuncts.iter().map(|conjunct| conjunct.term)
    }

    /// The first conjunct of the changed inputs that fails under `model`. Those of other inputs hold as they did before.
    pub(crate) fn first_violated(
        &self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        model: &Model,
        changed: &[InputId],
    ) -> Option<TermId> {
        let mut conjuncts = changed.iter().flat_map(|&input| self.conjuncts_of(input));
        conjuncts.find(|&conjunct| !evaluator.holds(terms, model, conjunct))
    }

    /// The conjuncts that share inputs with `t`, directly or through others, oldest first.
    pub(crate) fn slice(&self, terms: &Terms, t: TermId) -> Vec<TermId> {
        let mut taken = vec![false; self.conjuncts.len()];
        let mut met = vec![false; self.occurs.len()];
        let mut inputs: Vec<InputId> = terms.inputs(t).to_vec();
        let mut slice: Vec<u32> = Vec::new();
        while let Some(input) = inputs.pop() {
            if input.index() >= met.len() || std::mem::replace(&mut met[input.index()], true) {
                continue;
            }
            for &i in &self.occurs[input.index()] {
                if !std::mem::replace(&mut taken[i as usize], true) {
                    slice.push(i);
                    inputs.extend_from_slice(terms.inputs(self.conjuncts[i as usize].term));
                }
            }
        }
        slice.sort_unstable();
        slice.into_iter().map(|i| self.conjuncts[i as usize].term).collect()
    }
}
