//! SYMBOLICEXECUTIONPRE: a path that complies with a precondition as far as it can, from the deepest point it shares with
//! a parent.
//!
//! The parent's model leads through the shared decisions without a question to the solver. There the conditions are
//! assumed one by one; the model then satisfies all that were accepted, and every side it takes is consistent with them.

use std::rc::Rc;

use slowpath_machine::{Answer, Outcome};
use slowpath_program::Trap;
use slowpath_solver::PathCondition;
use slowpath_term::{Condition, Model};

use super::individual::{Gene, Individual, extend_key};
use super::lab::Lab;
use super::plan::{Plan, Run};
use super::snapshots::Snapshots;
use super::tail::Tail;
use crate::budget::Stop;
use crate::driver::{Choice, Step};
use crate::node::Node;
use crate::rng::Rng;

/// Decisions between the first snapshots of a path.
const FIRST_GAP: usize = 16;

/// A path on its way.
struct Walk {
    node: Node,
    /// The condition of the path alone, where `node.path` has a precondition as well.
    pure: Option<PathCondition>,
    /// Conditions of `node.path` that are also in `pure`, or are not to be.
    booked: usize,
    genes: Vec<Gene>,
    snapshots: Snapshots,
}

impl Walk {
    /// Adds what came to the path since to its own condition.
    fn book_conditions(&mut self) {
        let Some(pure) = &mut self.pure else { return };
        let fresh: Vec<Condition> = self.node.path.iter().take(self.node.path.len() - self.booked).collect();
        for condition in fresh.into_iter().rev() {
            pure.add(condition);
        }
        self.booked = self.node.path.len();
    }

    /// The node with nothing but the condition of its path.
    fn pure_node(&self) -> Node {
        let mut node = self.node.clone();
        if let Some(pure) = &self.pure {
            node.path = pure.clone();
        }
        node
    }
}

impl Lab<'_> {
    /// Runs a plan.
    pub fn run(&mut self, mut plan: Plan<'_>, rng: &mut Rng) -> Result<Run, Stop> {
        if let Some(stop) = self.spent() {
            return Err(stop);
        }
        self.weigh_z3();
        let mut walk = self.begin(&plan);
        if let Some((parent, shared)) = plan.parent {
            while walk.genes.len() < shared {
                let choice = match self.driver.advance(&mut walk.node) {
                    Step::Decide(choice) => choice,
                    end => return self.end(walk, end),
                };
                let gene = parent.genes[walk.genes.len()];
                let same = |s: &crate::driver::Side| s.answer == gene.answer;
                let side = choice.sides.iter().position(same).filter(|_| choice.site == gene.site);
                // Only where a value was fixed otherwise than for the parent is its model of no use.
                match side {
                    Some(side) if self.try_side(&mut walk, &choice, side) => {}
                    _ => return Ok(Run::Infeasible),
                }
            }
        }
        if plan.invert {
            let choice = match self.driver.advance(&mut walk.node) {
                Step::Decide(choice) => choice,
                end => return self.end(walk, end),
            };
            let before = plan.parent.and_then(|(parent, shared)| parent.genes.get(shared)).map(|gene| gene.answer);
            if !self.invert(&mut walk, &choice, before, rng) {
                return Ok(Run::Infeasible);
            }
            plan.tail.decided(choice.site, choice.activation, walk.genes[walk.genes.len() - 1].answer);
        }
        if !plan.conditions.is_empty() {
            walk.pure = Some(walk.node.path.clone());
            for cond in &plan.conditions {
                self.driver.assume(&mut walk.node, *cond);
            }
            walk.booked = walk.node.path.len();
        }
        loop {
            let choice = match self.driver.advance(&mut walk.node) {
                Step::Decide(choice) => choice,
                end => return self.end(walk, end),
            };
            self.choose(&mut walk, &choice, &mut plan.tail, rng);
        }
    }

    /// The deepest snapshot that lies on the shared decisions.
    fn begin(&self, plan: &Plan<'_>) -> Walk {
        let Some((parent, shared)) = plan.parent else {
            let mut node = Node::clone(&self.root);
            if let Some(model) = &plan.model {
                node.model = model.clone();
            }
            return Walk { node, pure: None, booked: 0, genes: Vec::new(), snapshots: Snapshots::new(FIRST_GAP) };
        };
        let (depth, kept) = parent.snapshots.before(shared).map_or((0, &self.root), |(at, node)| (*at, node));
        let mut node = Node::clone(kept);
        node.model = parent.model.clone();
        let genes = parent.genes[..depth].to_vec();
        Walk { node, pure: None, booked: 0, genes, snapshots: parent.snapshots.up_to(depth) }
    }

    /// Goes one way if that is possible.
    fn try_side(&mut self, walk: &mut Walk, choice: &Choice, side: usize) -> bool {
        if side == choice.current {
            self.take(walk, choice, side, None);
            return true;
        }
        let model = self.driver.feasible_side(&walk.node, choice.sides[side]);
        let feasible = model.is_some();
        if feasible {
            self.take(walk, choice, side, model);
        }
        feasible
    }

    /// Takes any side but one.
    fn invert(&mut self, walk: &mut Walk, choice: &Choice, before: Option<Answer>, rng: &mut Rng) -> bool {
        let mut others: Vec<usize> =
            (0..choice.sides.len()).filter(|i| Some(choice.sides[*i].answer) != before).collect();
        while !others.is_empty() {
            let side = others.swap_remove(rng.below(others.len() as u64) as usize);
            if self.try_side(walk, choice, side) {
                return true;
            }
        }
        false
    }

    /// Takes the side that the tail prefers, if it is feasible; else one drawn among the feasible ones, or the model's.
    fn choose(&mut self, walk: &mut Walk, choice: &Choice, tail: &mut Tail, rng: &mut Rng) {
        let preferred = tail.prefer(choice, rng).and_then(|a| choice.sides.iter().position(|s| s.answer == a));
        let mut left: Vec<usize> = (0..choice.sides.len()).collect();
        let mut taken = false;
        if let Some(side) = preferred {
            taken = self.try_side(walk, choice, side);
            left.retain(|i| *i != side);
        }
        if !taken && tail.keep_model {
            self.take(walk, choice, choice.current, None);
            taken = true;
        }
        while !taken && left.len() > 1 {
            let side = left.swap_remove(rng.below(left.len() as u64) as usize);
            taken = self.try_side(walk, choice, side);
        }
        if !taken {
            self.take(walk, choice, choice.current, None);
        }
        if let Some(gene) = walk.genes.last() {
            tail.decided(gene.site, gene.activation, gene.answer);
        }
    }

    fn take(&mut self, walk: &mut Walk, choice: &Choice, side: usize, model: Option<Model>) {
        self.driver.take(&mut walk.node, choice, side, model, false);
        let answer = choice.sides[side].answer;
        let key = extend_key(walk.genes.last().map_or(0, |gene| gene.key), choice.site, answer);
        // A decision that is not forced ends in its condition.
        let last = walk.node.path.last();
        let cond = last.map_or(self.driver.terms.tt(), |condition| self.driver.terms.condition(condition));
        walk.genes.push(Gene { site: choice.site, activation: choice.activation, answer, cond, key });
        walk.book_conditions();
        if walk.snapshots.wants(walk.genes.len()) {
            walk.snapshots.keep(walk.genes.len(), walk.pure_node());
        }
    }

    fn end(&mut self, mut walk: Walk, end: Step) -> Result<Run, Stop> {
        match end {
            Step::Done(Outcome::Trapped(Trap::AssumeFailed)) | Step::Decide(_) => Ok(Run::Nothing),
            Step::Done(outcome) => {
                walk.book_conditions();
                let cost = self.driver.target.cost.of(&walk.node.state);
                let node = walk.pure_node();
                let Walk { genes, snapshots, .. } = walk;
                let masks = self.masks(&node);
                let individual = Individual { genes, cost, model: node.model.clone(), masks, snapshots };
                let new = self.book(&individual, &node, &outcome);
                Ok(Run::Path(Rc::new(individual), new))
            }
            Step::Cut(limit) => {
                self.tally.cut(&mut self.driver, &walk.node, limit);
                Ok(Run::Nothing)
            }
            Step::Stop(stop) => Err(stop),
        }
    }
}
