//! What a search found at one size.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use slowpath_machine::{Costs, Mode, Outcome};
use slowpath_program::input::InputValues;
use slowpath_program::{SiteId, Trap};
use slowpath_solver::SolverStats;

use crate::budget::Stop;
use crate::concrete::ConcreteRun;
use crate::node::{Decision, Node};
use crate::target::Target;

/// One path, with an input that follows it.
#[derive(Clone, Debug)]
pub struct PathFinding {
    /// By the target's cost model.
    pub cost: u64,
    pub costs: Costs,
    /// A limit cut the path short: it costs at least this.
    pub at_least: bool,
    /// Instructions wasmtime will show: less than the true count where a trap cut the path.
    pub replay_instructions: u64,
    pub outcome: Outcome,
    pub input: InputValues,
    /// None where the input came from a law, or where they are too many to keep.
    pub decisions: Vec<Decision>,
}

impl PathFinding {
    /// The path of a node that came to its end, with the input of its model.
    pub fn of_node<M: Mode>(target: &Target, node: &Node<M>, outcome: Outcome) -> PathFinding {
        PathFinding {
            cost: target.cost.of(&node.state),
            costs: node.state.meter.costs(),
            at_least: false,
            replay_instructions: node.state.meter.saved_instructions(),
            outcome,
            input: node.state.input_values(&node.model),
            decisions: node.trail.decisions(),
        }
    }

    /// The path of an input that was run, without recorded decisions. None where another limit than that of instructions or time ended it.
    pub fn of_run(run: &ConcreteRun) -> Option<PathFinding> {
        let at_least = run.is_at_least();
        Some(PathFinding {
            cost: run.cost,
            costs: run.costs,
            at_least,
            replay_instructions: run.replay_instructions,
            outcome: run.outcome.clone().or(at_least.then_some(Outcome::Returned))?,
            input: run.input.clone(),
            decisions: Vec::new(),
        })
    }

    /// The path of an input of which another engine has shown that it costs at least this, after so many instructions.
    pub fn of_cut(input: InputValues, cost: u64, instructions: u64) -> PathFinding {
        PathFinding {
            cost,
            costs: Costs { instructions, ..Costs::default() },
            at_least: true,
            replay_instructions: instructions,
            outcome: Outcome::Returned,
            input,
            decisions: Vec::new(),
        }
    }
}

/// A trap some input causes.
#[derive(Clone, Debug)]
pub struct TrapFinding {
    pub trap: Trap,
    /// Where the path's last decision was, for people.
    pub site: Option<SiteId>,
    /// How many paths end in it.
    pub paths: u64,
    /// Some of them (the first ones in canonical order).
    pub examples: Vec<PathFinding>,
}

/// How the paths of a size were chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provenance {
    /// All of them, as far as the budget went.
    #[default]
    Exhaustive,
    /// Those a learned policy generates; validated if it found the exact worst case of every held-out size.
    Guided { validated: bool },
    /// The one an input law gives, which at larger sizes than it was inferred from cost what a search found there.
    Law,
    /// The one of a synthesised path condition; validated if that holds at every held-out size, and its cost is the one predicted.
    Synthesized { validated: bool },
    /// Those an evolution came across: so many generations, paths run, and of these known ones.
    Evolved { generations: u64, evaluations: u64, duplicates: u64 },
    /// Runs of concrete inputs that a genetic search made.
    Mutated { generations: u64 },
}

/// What was found at one size.
#[derive(Clone, Debug, Default)]
pub struct SizeFinding {
    pub size: i64,
    pub provenance: Provenance,
    /// Paths followed to their end, traps included; the greatest number there is where they are more.
    pub paths: u64,
    /// The number of paths where it is greater than `paths` can say.
    pub path_count: Option<BigUint>,
    /// The costliest path.
    pub worst: Option<PathFinding>,
    /// How many paths cost as much.
    pub worst_paths: u64,
    /// Of a guided search: after how many paths the costliest was there.
    pub worst_at: u64,
    pub traps: Vec<TrapFinding>,
    /// Paths a limit cut short.
    pub cut: u64,
    /// The costliest path that was cut short, as far as it went.
    pub cut_worst: Option<PathFinding>,
    /// Every path was explored to its end; of a guided search, every path the policy generates.
    pub complete: bool,
    /// Why the search stopped early.
    pub stop: Option<Stop>,
    pub limits: BTreeMap<String, u64>,
    pub stats: SolverStats,
    pub seconds: f64,
}

impl SizeFinding {
    /// What the costliest path costs.
    pub fn cost(&self) -> Option<u64> {
        self.worst.as_ref().map(|worst| worst.cost)
    }

    /// Takes the path that was cut short for the worst, if it costs as much by then as any other.
    pub(crate) fn count_cut(&mut self) {
        if let Some(cut) = self.cut_worst.as_ref().filter(|cut| cut.at_least)
            && self.cost().is_none_or(|cost| cost <= cut.cost)
        {
            self.worst_paths = 1;
            self.worst = self.cut_worst.clone();
        }
    }
}
