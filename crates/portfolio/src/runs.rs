//! Many concrete runs at one size: the costliest is kept, and becomes a path at the end.

use std::time::Duration;

use slowpath_program::input::InputValues;
use slowpath_search::{
    Budget, ConcreteRun, PathFinding, Provenance, Rng, SizeFinding, Stop, Target, colliding, compared_values,
    draw_input,
};

use crate::alphabets::Alphabets;
use crate::runner::{Ran, Runner};

/// How long the costliest inputs of all sizes may run on our own machine after the budget's end: they are all there is to show for the search.
const COUNTED: Duration = Duration::from_millis(700);

/// Runs inputs of one size and remembers the costliest.
pub struct Runs<'r, 's> {
    target: &'r Target,
    n: i64,
    runner: &'r mut (dyn Runner + 's),
    budget: &'r Budget,
    alphabets: Alphabets,
    best: Option<(InputValues, Ran)>,
    tried: u64,
    refused: u64,
}

/// What many runs came to.
pub struct Best {
    /// The path of the costliest input.
    pub worst: Option<PathFinding>,
    pub tried: u64,
    /// Inputs that could not be run, or that the harness does not allow.
    pub refused: u64,
}

impl Best {
    /// What many runs came to, as what a technique found at a size in so many seconds.
    pub fn finding(self, size: i64, seconds: f64) -> SizeFinding {
        SizeFinding {
            size,
            provenance: Provenance::Mutated { generations: 0 },
            paths: self.tried,
            worst_paths: u64::from(self.worst.is_some()),
            worst: self.worst,
            seconds,
            ..SizeFinding::default()
        }
    }
}

impl<'r, 's> Runs<'r, 's> {
    /// None yet.
    pub fn new(target: &'r Target, n: i64, runner: &'r mut (dyn Runner + 's), budget: &'r Budget) -> Runs<'r, 's> {
        let alphabets = Alphabets::of(target, n);
        Runs { target, n, runner, budget, alphabets, best: None, tried: 0, refused: 0 }
    }

    /// Why no further input may be run.
    pub fn expired(&self) -> Option<Stop> {
        self.budget.expired()
    }

    /// Runs one input. None where that cannot be, or the harness does not allow it.
    pub fn run(&mut self, input: &InputValues) -> Option<Ran> {
        self.run_for(self.target.limits.instructions, input)
    }

    /// Runs one input for so many instructions at most; what is cut there costs at least what it did.
    pub fn run_for(&mut self, instructions: u64, input: &InputValues) -> Option<Ran> {
        self.tried += 1;
        let fitted = self.alphabets.fit(input);
        let input = fitted.as_ref().unwrap_or(input);
        let Some(ran) = self.runner.run_for(instructions, self.target, self.n, input, self.budget) else {
            self.refused += 1;
            return None;
        };
        if self.best.as_ref().is_none_or(|(_, best)| (ran.cost, ran.at_least) > (best.cost, best.at_least)) {
            self.best = Some((input.clone(), ran));
        }
        Some(ran)
    }

    /// How often the last run reached each branch site.
    pub fn hits(&self) -> &[u32] {
        self.runner.hits()
    }

    /// What an input leads the program to compare, by following it for a part of the time that is left. What cannot be followed has nothing to tell.
    pub fn compared(&self, input: &InputValues, share: f64) -> Vec<(i64, i64)> {
        compared_values(self.target, self.n, input, &self.budget.part(share)).unwrap_or_default()
    }

    /// Inputs like this one in which all that goes into a table goes to one place, looked for in a part of the time that is left. Where it takes too
    /// long to follow, one drawn by chance goes to the same tables, and may be shorter. None where neither was quick enough.
    pub fn colliding(&self, input: &InputValues, seed: u64, share: f64) -> Option<Vec<InputValues>> {
        let budget = self.budget.part(share);
        let look = |input: &InputValues, budget: &Budget| {
            colliding(self.target, self.n, input, seed, budget).unwrap_or_else(|_| Some(Vec::new()))
        };
        look(input, &budget.part(0.5)).or_else(|| {
            let drawn = draw_input(self.target, self.n, Rng::new(self.target.seed, seed).next(), &budget);
            look(&drawn.ok().flatten()?, &budget)
        })
    }

    /// The costliest input known so far, and what it costs.
    pub fn leader(&self) -> Option<&(InputValues, Ran)> {
        self.best.as_ref()
    }

    /// Inputs run so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// The costliest input as a path, by a run on our own machine, which counts everything.
    pub fn best(self) -> Best {
        let (target, n) = (self.target, self.n);
        let path = |(input, ran): (InputValues, Ran)| {
            // Running to the limit once more would show nothing new.
            if ran.at_least {
                return Some(PathFinding::of_cut(input, ran.cost, ran.instructions));
            }
            let run = ConcreteRun::of(target, n, &input, &self.budget.of_one_run(COUNTED)).ok()?;
            // There was no time to count it here: it goes past all that the other engine counted but the last.
            let past =
                |input| PathFinding::of_cut(input, ran.cost.saturating_sub(1), ran.instructions.saturating_sub(1));
            if run.out_of_time { Some(past(input)) } else { PathFinding::of_run(&run) }
        };
        Best { worst: self.best.and_then(path), tried: self.tried, refused: self.refused }
    }
}
