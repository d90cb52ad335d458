//! Where individuals are made: the tools, what was seen, and the costliest path so far.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use slowpath_machine::Outcome;
use slowpath_solver::SolverStats;
use slowpath_term::{InputId, Model};

use super::individual::Individual;
use super::nearby::{masks, nearby};
use super::plan::{Plan, Run};
use super::tail::{Guide, Sequence, Tail};
use crate::budget::{Budget, Stop};
use crate::driver::Driver;
use crate::findings::{PathFinding, Provenance, SizeFinding, TrapFinding};
use crate::node::{Decision, Node};
use crate::reproduce::{input_of, make_readable};
use crate::rng::Rng;
use crate::tally::Tally;
use crate::target::{SearchError, Target};

/// Paths remembered in order to recognise them; with more, remembering starts afresh.
const MOST_SEEN: usize = 1 << 22;

/// The costliest path so far.
enum Champion {
    /// As it ended, in the terms of the lab's arena.
    Node(Box<Node>, Outcome),
    /// Made independent of the arena.
    Path(Box<PathFinding>),
}

/// Tools and memory of one evolution.
pub(crate) struct Lab<'t> {
    pub driver: Driver<'t>,
    pub root: Rc<Node>,
    target: &'t Target,
    n: i64,
    budget: Budget,
    known_optimum: Option<u64>,
    /// Evaluations that may bring nothing costlier, besides as many as there were before.
    pub patience: Option<u64>,
    /// Evaluations when the costliest path was found.
    best_at: u64,
    pub tally: Tally,
    best: Option<(u64, Champion)>,
    seen: FxHashSet<u64>,
    /// Of the last path; nearly always those of the next.
    masks: Rc<Vec<u64>>,
    /// Runs that ended in a path.
    pub evaluations: u64,
    /// Those whose path was known.
    pub duplicates: u64,
    stats: SolverStats,
    limits: BTreeMap<String, u64>,
}

impl<'t> Lab<'t> {
    /// An empty lab for one size.
    pub fn new(target: &'t Target, n: i64, known: Option<u64>, budget: &Budget) -> Result<Lab<'t>, SearchError> {
        let mut driver = Driver::new(target, budget);
        let root = Rc::new(driver.root(n)?);
        Ok(Lab {
            driver,
            root,
            target,
            n,
            budget: budget.clone(),
            known_optimum: known,
            patience: None,
            best_at: 0,
            tally: Tally::default(),
            best: None,
            seen: FxHashSet::default(),
            masks: Rc::default(),
            evaluations: 0,
            duplicates: 0,
            stats: SolverStats::default(),
            limits: BTreeMap::new(),
        })
    }

    /// Why no further path may be run.
    pub fn spent(&self) -> Option<Stop> {
        if self.known_optimum.is_some_and(|known| self.best_cost() >= Some(known)) {
            return Some(Stop::KnownOptimum);
        }
        if self.patience.is_some_and(|patience| self.evaluations - self.best_at > self.best_at + patience) {
            return Some(Stop::NothingCostlier);
        }
        if self.tally.paths + self.tally.cut >= self.budget.paths {
            return Some(Stop::Paths);
        }
        self.budget.expired()
    }

    /// Stops asking Z3 once it has mostly found what cannot be: an evolution can do without a side now and then, but not with
    /// milliseconds for each. Goes by counts, so that a seed decides everything.
    pub fn weigh_z3(&mut self) {
        const ENOUGH: u64 = 4;
        const WORTH: u64 = 4;
        let stats = self.driver.solver_stats();
        if stats.smt_queries >= ENOUGH
            && let Some(z3) = stats.layers.last()
            && z3.sat * WORTH < z3.seen
        {
            self.driver.solver.ask_z3(false);
        }
    }

    /// The cost of the costliest path so far.
    pub fn best_cost(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.0)
    }

    /// Books a path that came to its end. Whether it is new.
    pub fn book(&mut self, individual: &Individual, node: &Node, outcome: &Outcome) -> bool {
        self.evaluations += 1;
        if self.seen.len() >= MOST_SEEN {
            self.seen.clear();
        }
        if !self.seen.insert(individual.key()) {
            self.duplicates += 1;
            return false;
        }
        self.tally.ended(self.target, node, outcome.clone());
        if self.best_cost().is_none_or(|best| individual.cost > best) {
            self.best_at = self.evaluations;
            self.best = Some((individual.cost, Champion::Node(Box::new(node.clone()), outcome.clone())));
        }
        true
    }

    /// Which bits each input of a path has, shared with other paths where they are the same.
    pub fn masks(&mut self, node: &Node) -> Rc<Vec<u64>> {
        let masks = masks(node);
        if *self.masks != masks {
            self.masks = Rc::new(masks);
        }
        Rc::clone(&self.masks)
    }

    /// The path of an input near that of an individual.
    pub fn run_nearby(&mut self, individual: &Individual, rng: &mut Rng) -> Result<Run, Stop> {
        let Some(model) = nearby(&individual.model, &individual.masks, rng) else { return Ok(Run::Nothing) };
        self.run_input(model, rng)
    }

    /// The path of an individual's input with the two values in each other's place that a decision compares. That inverts the decision, and leaves all others alone that
    /// do not tell the two apart: what the solver would have to be asked of everything between them.
    pub fn run_exchanged(&mut self, individual: &Individual, index: usize, rng: &mut Rng) -> Result<Run, Stop> {
        let [a, b] = *self.driver.terms.inputs(individual.genes[index].cond) else { return Ok(Run::Nothing) };
        let mask = |input: InputId| individual.masks.get(input.0 as usize).copied().unwrap_or(0);
        let (x, y) = (individual.model.get(a), individual.model.get(b));
        if x == y || mask(a) != mask(b) {
            return Ok(Run::Nothing);
        }
        self.run_input(individual.model.with_all([(a, y), (b, x)]), rng)
    }

    /// The path of an input.
    fn run_input(&mut self, model: Model, rng: &mut Rng) -> Result<Run, Stop> {
        let mut start = Node::clone(&self.root);
        start.model = model;
        let root = Rc::clone(&self.root);
        if !root.path.iter().all(|cond| self.driver.satisfies(&start, cond)) {
            return Ok(Run::Nothing);
        }
        let tail = Tail { keep_model: true, ..Tail::random() };
        self.run(Plan { model: Some(start.model), ..Plan::free(tail) }, rng)
    }

    /// Follows recorded decisions wherever that is possible.
    pub fn follow(&mut self, decisions: &[Decision], rng: &mut Rng) -> Result<Run, Stop> {
        let steps = decisions
            .iter()
            .map(|d| (d.site, d.answer))
            .filter(|(_, a)| !matches!(a, slowpath_machine::Answer::Value(_)));
        let tail = Tail { keep_model: true, ..Tail::by(Guide::Sequence(Sequence::of(steps))) };
        self.run(Plan::free(tail), rng)
    }

    /// Starts a new arena when the old one has taken half of what there is, and expresses the individuals in it. Gives up
    /// where they alone take as much.
    pub fn refresh(&mut self, individuals: &mut Vec<Rc<Individual>>) -> Result<(), Stop> {
        let most = self.budget.terms / 2;
        if self.driver.terms.len() <= most {
            return Ok(());
        }
        self.settle_champion();
        let mut driver = Driver::new(self.target, &self.budget);
        let root = driver.root(self.n).map_err(|_| Stop::Memory)?;
        self.stats.add(&self.driver.solver_stats());
        for (what, times) in &self.driver.limits {
            *self.limits.entry(what.clone()).or_insert(0) += times;
        }
        self.driver = driver;
        self.root = Rc::new(root);
        let mut rng = Rng::new(self.target.seed, u64::MAX);
        for old in std::mem::take(individuals) {
            if self.driver.terms.len() > most / 2 {
                break;
            }
            if let Run::Path(new, _) = self.follow(&old.decisions(), &mut rng)? {
                individuals.push(new);
            }
        }
        if individuals.len() < 2 { Err(Stop::Memory) } else { Ok(()) }
    }

    fn settle_champion(&mut self) {
        let Some((cost, champion)) = self.best.take() else { return };
        let path = match champion {
            Champion::Path(path) => path,
            Champion::Node(mut node, outcome) => {
                make_readable(&mut self.driver, &mut node);
                Box::new(PathFinding::of_node(self.target, &node, outcome))
            }
        };
        self.best = Some((cost, Champion::Path(path)));
    }

    /// All there is to report.
    pub fn finding(mut self, provenance: Provenance, stop: Stop, begun: std::time::Duration) -> SizeFinding {
        self.settle_champion();
        let worst = self.best.and_then(|(_, champion)| match champion {
            Champion::Path(path) => Some(*path),
            Champion::Node(..) => None,
        });
        let mut traps = Vec::new();
        for ((_, site), (trap, paths, examples)) in &self.tally.traps {
            // A path on which a value was fixed under a precondition may not be found again without it.
            let examples =
                examples.iter().filter_map(|f| input_of(self.target, self.n, f, &self.budget).ok()).collect();
            traps.push(TrapFinding { trap: trap.clone(), site: *site, paths: *paths, examples });
        }
        self.stats.add(&self.driver.solver_stats());
        for (what, times) in std::mem::take(&mut self.driver.limits) {
            *self.limits.entry(what).or_insert(0) += times;
        }
        let mut finding = SizeFinding {
            path_count: None,
            size: self.n,
            provenance,
            paths: self.tally.paths,
            worst,
            worst_paths: self.tally.worst_paths,
            worst_at: 0,
            traps,
            cut: self.tally.cut,
            cut_worst: self.tally.cut_worst,
            complete: false,
            stop: Some(stop),
            limits: self.limits,
            stats: self.stats,
            seconds: self.budget.seconds_since(begun),
        };
        finding.count_cut();
        finding
    }
}
