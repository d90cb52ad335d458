//! Compares a finding with two other runs of its input: on an engine that is not ours, and on our own machine with plain numbers.

use std::cell::Cell;
use std::fmt::{Display, Formatter};
use std::mem::discriminant;
use std::sync::Arc;

use slowpath_machine::{Costs, Outcome};
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::{Trap, ValType};
use slowpath_replay::{EngineKind, ReplayError, ReplayLimits, Replayed, Replayer};
use slowpath_search::{Budget, ConcreteRun, CostModel, PathFinding, Target};

use crate::request::Limits;
use crate::subject::Subject;

const PAGE: u64 = 65_536;

/// What the other runs say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Agrees,
    /// Nothing to compare with, and why.
    CannotTell(String),
    /// A bug in slowpath: what differs.
    Disagrees(Vec<String>),
}

/// Why the other engine has nothing to say.
enum Refusal {
    /// It does not take the module.
    NoEngine(String),
    /// It would hold more memory than there is.
    NoRoom,
    Run(ReplayError),
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NoEngine(why) => f.write_str(why),
            Refusal::NoRoom => f.write_str(NO_ROOM),
            // No fault of the engine's.
            Refusal::Run(ReplayError::Stopped) => f.write_str(NO_TIME),
            Refusal::Run(error) => write!(f, "{}: {error}", other_engine()),
        }
    }
}

const NO_TIME: &str = "no time was left to run it again (--budget)";
const NO_ROOM: &str = "no memory was left to run it again (--max-search-memory)";

/// Both other engines, ready to run.
pub(crate) struct Verifier {
    /// None with the reason why the other engine does not take the module.
    replayer: Result<Arc<Replayer>, String>,
    /// For a run.
    fuel: u64,
    entry: Entry,
    results: Vec<ValType>,
}

impl Verifier {
    /// Compiles the module for the other engine.
    pub fn new(subject: &Subject, limits: &ReplayLimits) -> Verifier {
        let (wasm, world) = (&subject.compiled.wasm, subject.program.world.clone());
        let replayer = Replayer::in_world(wasm, subject.function.0, world, limits.clone());
        Verifier {
            replayer: replayer.map(Arc::new).map_err(|error| error.to_string()),
            fuel: limits.fuel,
            entry: subject.entry.clone(),
            results: subject.func_type().results.clone(),
        }
    }

    /// The other engine, where it takes the module.
    pub fn engine(&self) -> Option<Arc<Replayer>> {
        self.replayer.as_ref().ok().cloned()
    }

    /// Runs an input on the other engine.
    pub fn replay(&self, n: i64, input: &InputValues) -> Result<Replayed, String> {
        let replayer = self.replayer.as_ref().map_err(Clone::clone)?;
        replayer.run(&self.entry, n, input).map_err(|error| error.to_string())
    }

    /// Runs an input on the other engine for so many instructions, until the budget's end at the latest, in which it holds about so many bytes.
    fn replay_within(
        &self,
        (n, input): (i64, &InputValues),
        fuel: u64,
        bytes: u64,
        budget: &Budget,
    ) -> Result<Replayed, Refusal> {
        let replayer = self.replayer.as_ref().map_err(|why| Refusal::NoEngine(why.clone()))?;
        if !budget.has_room(bytes) {
            return Err(Refusal::NoRoom);
        }
        // It may hold more, where it is not known how much.
        let too_much = Cell::new(false);
        let is_over = || {
            too_much.set(too_much.get() || !budget.has_room(0));
            too_much.get() || budget.expired().is_some()
        };
        let ran = replayer.run_unless(&self.entry, n, input, fuel, is_over);
        ran.map_err(|error| match error {
            ReplayError::Stopped if too_much.get() => Refusal::NoRoom,
            error => Refusal::Run(error),
        })
    }

    /// Runs a path's input on both engines and compares all there is to compare.
    pub fn verify(&self, target: &Target, n: i64, path: &PathFinding, budget: &Budget) -> Verdict {
        // A run may be over before it first looks at the clock: of many sizes, each is a little more.
        if budget.expired().is_some() {
            return Verdict::CannotTell(NO_TIME.to_owned());
        }
        if path.at_least {
            return self.verify_cut(n, path, budget);
        }
        let machine = match ConcreteRun::of(target, n, &path.input, budget) {
            Ok(machine) => machine,
            Err(error) => return Verdict::CannotTell(format!("the input cannot be run again: {error}")),
        };
        if machine.outcome.is_none() {
            return Verdict::CannotTell(match budget.expired() {
                Some(_) => NO_TIME.to_owned(),
                None if machine.out_of_time => NO_ROOM.to_owned(),
                None => "the input could not be run again before a limit ended it".to_owned(),
            });
        }
        let mut differences = compare_machine(&target.cost, path, &machine);
        let replayed = match self.replay_within((n, &path.input), self.fuel, machine.held, budget) {
            Ok(replayed) => replayed,
            // It has far more than the run here took.
            Err(Refusal::Run(ReplayError::OutOfFuel(fuel))) => {
                let (here, theirs) = (path.costs.instructions, other_engine());
                differences.push(format!("end: after {here} instructions here, not after {fuel} on {theirs}"));
                return Verdict::Disagrees(differences);
            }
            Err(why) if differences.is_empty() => return Verdict::CannotTell(why.to_string()),
            Err(_) => return Verdict::Disagrees(differences),
        };
        // How deep calls can go is no property of the program.
        if path.outcome == Outcome::Trapped(Trap::StackOverflow) || replayed.trap == Some(Trap::StackOverflow) {
            let why = "its cost depends on how deep calls can go (--max-depth), which no other engine can confirm";
            return if differences.is_empty() {
                Verdict::CannotTell(why.to_owned())
            } else {
                Verdict::Disagrees(differences)
            };
        }
        differences.extend(self.compare_replayed(&machine, path, &replayed));
        if differences.is_empty() { Verdict::Agrees } else { Verdict::Disagrees(differences) }
    }

    /// Runs the input of a path that was cut at the limit of instructions: the other engine has to run out of the same fuel.
    fn verify_cut(&self, n: i64, path: &PathFinding, budget: &Budget) -> Verdict {
        let instructions = path.costs.instructions;
        match self.replay_within((n, &path.input), instructions, 0, budget) {
            Err(Refusal::Run(ReplayError::OutOfFuel(_))) => Verdict::Agrees,
            Err(why) => Verdict::CannotTell(why.to_string()),
            Ok(run) if run.instructions >= instructions => Verdict::Agrees,
            Ok(run) => Verdict::Disagrees(vec![format!(
                "end: cut short after {instructions} instructions here, after {} on {} it was over",
                run.instructions,
                other_engine()
            )]),
        }
    }

    fn compare_replayed(&self, machine: &ConcreteRun, path: &PathFinding, replayed: &Replayed) -> Vec<String> {
        let mut differences = Vec::new();
        let mut differ = |what: &str, ours: String, theirs: String| {
            differences.push(format!("{what}: {ours} here, {theirs} on {}", other_engine()));
        };
        let trap = trap_of(&path.outcome);
        if !same_trap(trap, replayed.trap.as_ref()) {
            differ("end", describe(trap), describe(replayed.trap.as_ref()));
            return differences;
        }
        let costs = &path.costs;
        // After most traps it only knows the count of its last call or return.
        let expected = if replayed.exact { costs.instructions } else { path.replay_instructions };
        let fewer_is_fine = !replayed.exact && replayed.instructions <= costs.instructions;
        if replayed.instructions != expected && !fewer_is_fine {
            differ("instructions", expected.to_string(), replayed.instructions.to_string());
        }
        let memory = u64::from(replayed.memory_pages) * PAGE;
        for (what, ours, theirs) in [
            ("custom", costs.custom, replayed.custom),
            ("output", costs.output, replayed.output),
            ("memory", costs.memory, memory),
        ] {
            if ours != theirs {
                differ(what, ours.to_string(), theirs.to_string());
            }
        }
        for (position, ty) in self.results.iter().enumerate().filter(|(_, ty)| !ty.is_ref()) {
            let (ours, theirs) = (machine.results.get(position), replayed.results.get(position));
            if ours != theirs {
                differ(&format!("result {position} ({ty})"), bits(ours), bits(theirs));
            }
        }
        differences
    }

    /// Runs an input that should trap, and says whether the other engine traps in the same way.
    pub fn confirms_trap(&self, n: i64, path: &PathFinding, budget: &Budget) -> bool {
        self.replay_within((n, &path.input), self.fuel, 0, budget)
            .is_ok_and(|replayed| same_trap(trap_of(&path.outcome), replayed.trap.as_ref()))
    }
}

/// What the other engine is called.
pub fn other_engine() -> &'static str {
    EngineKind::default().name()
}

pub(crate) fn replay_limits(limits: &Limits) -> ReplayLimits {
    /// Frames of ordinary functions are far smaller.
    const BYTES_PER_CALL: usize = 4096;
    let defaults = ReplayLimits::default();
    let for_depth = (limits.depth as usize).saturating_mul(BYTES_PER_CALL).min(4 << 30);
    ReplayLimits {
        // Generous, since one bulk operation may overshoot our own limit.
        fuel: limits.instructions.saturating_mul(2).saturating_add(1 << 33).min(defaults.fuel),
        memory_bytes: limits.memory,
        stack_bytes: defaults.stack_bytes.max(for_depth),
        ..defaults
    }
}

/// Plain numbers decide nothing symbolic; all other counters must be the same.
fn compare_machine(model: &CostModel, path: &PathFinding, machine: &ConcreteRun) -> Vec<String> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, path: String, run: String| {
        differences.push(format!("{what}: {path} on the path, {run} when its input is run"));
    };
    let (on_path, in_run) = (trap_of(&path.outcome), machine.outcome.as_ref().and_then(trap_of));
    if !same_trap(on_path, in_run) {
        differ("end", describe(on_path), describe(in_run));
        return differences;
    }
    if *model != CostModel::Decisions && path.cost != machine.cost {
        differ("cost", path.cost.to_string(), machine.cost.to_string());
    }
    let counters = Costs::NAMES.iter().zip(path.costs.values().into_iter().zip(machine.costs.values()));
    for (name, (on_path, in_run)) in counters.filter(|(name, _)| **name != "decisions") {
        if on_path != in_run {
            differ(name, on_path.to_string(), in_run.to_string());
        }
    }
    differences
}

pub(crate) fn trap_of(outcome: &Outcome) -> Option<&Trap> {
    match outcome {
        Outcome::Returned => None,
        Outcome::Trapped(trap) => Some(trap),
    }
}

/// The words of a host function's refusal may differ.
pub(crate) fn same_trap(a: Option<&Trap>, b: Option<&Trap>) -> bool {
    match (a, b) {
        (Some(Trap::Exit(a)), Some(Trap::Exit(b))) => a == b,
        (Some(a), Some(b)) => discriminant(a) == discriminant(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn describe(trap: Option<&Trap>) -> String {
    trap.map_or_else(|| "returns".to_owned(), |trap| format!("trap ({trap})"))
}

fn bits(value: Option<&u64>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |bits| format!("{bits:#x}"))
}

#[cfg(test)]
mod tests {
    use slowpath_search::{Budget, PathFinding, Target, depth_first};
    use slowpath_solver::SolverConfig;

    use super::{Verdict, Verifier, replay_limits};
    use crate::request::{AnalyzeRequest, EntryRequest};
    use crate::subject::Subject;

    /// The worst path of a small function, and the engines to compare it with.
    fn worst_path() -> (Verifier, Target, PathFinding) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("f.wat");
        let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
            (if (result i32) (i32.gt_s (local.get 0) (i32.const 5))
                (then (i32.div_s (i32.const 9) (local.get 0))) (else (i32.const 1)))))"#;
        std::fs::write(&file, text).unwrap();
        let request = AnalyzeRequest::new(file, EntryRequest::Call("f(x: i32)".into()));
        let subject = Subject::load(&request.program, &request.entry, &request.cost).unwrap();
        let target = subject.target(request.limits.machine(), SolverConfig::default(), 0);
        let found = depth_first(&target, 1, &Budget::default()).unwrap();
        (Verifier::new(&subject, &replay_limits(&request.limits)), target, found.worst.unwrap())
    }

    #[test]
    fn a_wrong_count_or_a_wrong_input_is_noticed() {
        let (verifier, target, path) = worst_path();
        let verdict = |path: &PathFinding| verifier.verify(&target, 1, path, &Budget::default());
        assert_eq!(verdict(&path), Verdict::Agrees);

        let mut wrong = path.clone();
        wrong.costs.instructions += 1;
        let Verdict::Disagrees(differences) = verdict(&wrong) else { panic!("{:?}", verdict(&wrong)) };
        assert!(differences.iter().any(|d| d.contains(super::other_engine())), "{differences:?}");
        assert!(differences.iter().any(|d| d.contains("when its input is run")), "{differences:?}");

        let mut wrong = path.clone();
        wrong.input.0[0].bits[0] = 0;
        assert!(matches!(verdict(&wrong), Verdict::Disagrees(_)));

        let mut wrong = path.clone();
        wrong.outcome = slowpath_machine::Outcome::Trapped(slowpath_program::Trap::Unreachable);
        assert!(matches!(verdict(&wrong), Verdict::Disagrees(_)));
        assert!(!verifier.confirms_trap(1, &wrong, &Budget::default()));
    }

    #[test]
    fn a_run_that_does_not_end_elsewhere_is_a_disagreement() {
        let (mut verifier, target, path) = worst_path();
        verifier.fuel = 1;
        let verdict = verifier.verify(&target, 1, &path, &Budget::default());
        let Verdict::Disagrees(differences) = verdict else { panic!("{verdict:?}") };
        assert!(differences[0].contains("not after 1 on"), "{differences:?}");
        let over = Budget::of_time(std::time::Duration::ZERO);
        assert!(matches!(verifier.verify(&target, 1, &path, &over), Verdict::CannotTell(_)), "time is no fault");
    }

    #[test]
    fn an_input_that_cannot_be_run_gives_no_verdict() {
        let (verifier, target, mut path) = worst_path();
        path.input.0.clear();
        assert!(!matches!(verifier.verify(&target, 1, &path, &Budget::default()), Verdict::Agrees));
    }
}
