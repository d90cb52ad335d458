//! What an exploration keeps of the paths it finishes: counts, the worst, the traps. Inputs are made afterwards.

use std::collections::BTreeMap;

use slowpath_machine::{Limit, Limits, Mode, Outcome};
use slowpath_program::{SiteId, Trap};

use crate::budget::Stop;
use crate::driver::Driver;
use crate::findings::PathFinding;
use crate::node::{Decision, Node, canonical};
use crate::policy::SizeSummary;
use crate::target::Target;

/// Example paths kept for each kind of trap at each place.
pub(crate) const TRAP_EXAMPLES: usize = 8;

/// A path as the exploration remembers it: its input is made afterwards, by following the decisions again, so that
/// it does not depend on the order of exploration.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub cost: u64,
    pub decisions: Vec<Decision>,
    /// An input that takes this path, for when it cannot be made afresh; empty where none is known.
    pub model: Vec<u64>,
}

/// Paths that end in one kind of trap after one site: the trap, how many, and some of them.
pub(crate) type TrapTally = (Trap, u64, Vec<Found>);

/// What one exploration came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub paths: u64,
    pub worst: Option<Found>,
    pub worst_paths: u64,
    pub traps: BTreeMap<(String, Option<SiteId>), TrapTally>,
    pub cut: u64,
    /// The costliest of the paths that a limit cut short, as far as they went; of equals the canonically first.
    pub cut_worst: Option<PathFinding>,
    pub stop: Option<Stop>,
    /// What the paths teach, where that was asked for.
    pub summary: Option<SizeSummary>,
}

impl Tally {
    /// Books a path that came to its end.
    pub fn ended(&mut self, target: &Target, node: &Node, outcome: Outcome) {
        // An input outside what the harness allows is no path.
        if outcome == Outcome::Trapped(Trap::AssumeFailed) {
            return;
        }
        self.paths += 1;
        let cost = target.cost.of(&node.state);
        if let Some(summary) = &mut self.summary {
            summary.path(cost, node.trail.decisions());
        }
        let best = self.worst.as_ref().map(|w| w.cost);
        if best == Some(cost) {
            self.worst_paths += 1;
        } else if best.is_none_or(|b| cost > b) {
            self.worst = Some(found(node, cost));
            self.worst_paths = 1;
        }
        if let Outcome::Trapped(trap) = outcome
            && trap.is_fault()
        {
            self.trapped(node, cost, trap);
        }
    }

    fn trapped(&mut self, node: &Node, cost: u64, trap: Trap) {
        let decisions = node.trail.decisions();
        let site = decisions.last().map(|d| d.site);
        let entry = self.traps.entry((trap.to_string(), site)).or_insert_with(|| (trap, 0, Vec::new()));
        entry.1 += 1;
        if entry.2.len() < TRAP_EXAMPLES {
            entry.2.push(found(node, cost));
        }
    }

    /// Books a path that a limit cut short.
    pub fn cut<M: Mode>(&mut self, driver: &mut Driver<'_>, node: &Node<M>, limit: Limit) {
        self.cut += 1;
        self.keep_cut(cut_path(driver.target, node, limit));
        driver.limit(limit_reached(driver.target, limit));
    }

    /// Keeps a path that was cut short, if it is the worst of these.
    pub fn keep_cut(&mut self, path: PathFinding) {
        let order = |path: &PathFinding| (std::cmp::Reverse(path.cost), canonical(&path.decisions));
        if self.cut_worst.as_ref().is_none_or(|known| order(&path) < order(known)) {
            self.cut_worst = Some(path);
        }
    }

    /// Adds what another worker found. The canonically first of equally bad paths wins, whoever found it.
    pub fn merge(&mut self, other: Tally) {
        self.paths += other.paths;
        self.cut += other.cut;
        self.stop = self.stop.or(other.stop);
        match (&mut self.summary, other.summary) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (None, theirs) => self.summary = theirs,
            (_, None) => {}
        }
        if let Some(theirs) = other.cut_worst {
            self.keep_cut(theirs);
        }
        match (&self.worst, other.worst) {
            (Some(mine), Some(theirs)) if theirs.cost == mine.cost => {
                self.worst_paths += other.worst_paths;
                if canonical(&theirs.decisions) < canonical(&mine.decisions) {
                    self.worst = Some(theirs);
                }
            }
            (Some(mine), Some(theirs)) if theirs.cost < mine.cost => {}
            (_, Some(theirs)) => {
                self.worst = Some(theirs);
                self.worst_paths = other.worst_paths;
            }
            (_, None) => {}
        }
        for (key, (trap, count, examples)) in other.traps {
            let entry = self.traps.entry(key).or_insert_with(|| (trap, 0, Vec::new()));
            entry.1 += count;
            entry.2.extend(examples);
            entry.2.sort_by_key(|f| canonical(&f.decisions));
            entry.2.truncate(TRAP_EXAMPLES);
        }
    }
}

/// A path that a limit cut short, as far as it went.
pub(crate) fn cut_path<M: Mode>(target: &Target, node: &Node<M>, limit: Limit) -> PathFinding {
    // A path that calls too deep for us is none that a larger limit of instructions would let go on.
    let at_least = limit == Limit::Instructions;
    PathFinding { at_least, ..PathFinding::of_node(target, node, Outcome::Returned) }
}

/// What is said where a limit cut a path short.
pub(crate) fn limit_reached(target: &Target, limit: Limit) -> String {
    let Limits { instructions, call_depth, .. } = target.limits;
    match limit {
        Limit::Instructions => {
            format!("a path of more than {instructions} instructions was cut short (--max-instructions)")
        }
        Limit::CallDepth => format!("calls deeper than {call_depth} (--max-depth)"),
    }
}

fn found(node: &Node, cost: u64) -> Found {
    Found { cost, decisions: node.trail.decisions(), model: node.model.values().to_vec() }
}
