//! Running plain inputs, quickly and many of them. Whoever has an engine for that lends it to the portfolio.

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, ConcreteRun, Target};

/// What one run of an input showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// By the target's cost model.
    pub cost: u64,
    /// The limit of instructions, or the end of its time, ended the run: it costs at least this.
    pub at_least: bool,
    /// Instructions that were run.
    pub instructions: u64,
}

/// An engine that runs inputs.
pub trait Runner {
    /// Runs one input for at most so many instructions. None where it cannot be run, or is not one the harness allows.
    fn run_for(
        &mut self,
        instructions: u64,
        target: &Target,
        n: i64,
        input: &InputValues,
        budget: &Budget,
    ) -> Option<Ran>;

    /// Runs one input to its end, or to the limit of all runs.
    fn run(&mut self, target: &Target, n: i64, input: &InputValues, budget: &Budget) -> Option<Ran> {
        self.run_for(target.limits.instructions, target, n, input, budget)
    }

    /// How often the last run reached each branch site, by the site's number; empty where nobody counts.
    fn hits(&self) -> &[u32];

    /// Whether a run takes much less time than following a path does.
    fn is_fast(&self) -> bool {
        false
    }
}

/// Our own machine with plain numbers: it counts every cost there is.
#[derive(Debug, Default)]
pub struct OnMachine;

impl Runner for OnMachine {
    fn run_for(
        &mut self,
        instructions: u64,
        target: &Target,
        n: i64,
        input: &InputValues,
        budget: &Budget,
    ) -> Option<Ran> {
        let run = if instructions < target.limits.instructions {
            let mut shorter = target.clone();
            shorter.limits.instructions = instructions;
            ConcreteRun::of(&shorter, n, input, budget).ok()?
        } else {
            ConcreteRun::of(target, n, input, budget).ok()?
        };
        let instructions = run.costs.instructions;
        // What was ended before it began says nothing.
        let has_begun = !run.is_at_least() || instructions > 0;
        (has_begun && run.is_allowed()).then_some(Ran { cost: run.cost, at_least: run.is_at_least(), instructions })
    }

    fn hits(&self) -> &[u32] {
        &[]
    }
}
