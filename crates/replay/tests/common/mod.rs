//! Running a module given as text, on every engine that is built in: all of them have to say the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::input::InputValues;
use slowpath_program::names::Names;
use slowpath_program::trap::Trap;
use slowpath_program::{Probes, load};
use slowpath_replay::{EngineKind, Ran, ReplayError, ReplayLimits, Replayed, Replayer, Runner};

/// These limits for each engine.
fn on_each(limits: &ReplayLimits) -> impl Iterator<Item = ReplayLimits> {
    EngineKind::ALL.iter().map(|engine| ReplayLimits { engine: *engine, ..limits.clone() })
}

/// What all engines say. How deep calls can go is each engine's own, and so what was counted until then.
fn agreed(mut said: impl Iterator<Item = Result<Replayed, ReplayError>>) -> Result<Replayed, ReplayError> {
    let first = said.next().expect("an engine");
    let overflows =
        |run: &Result<Replayed, ReplayError>| run.as_ref().is_ok_and(|run| run.trap == Some(Trap::StackOverflow));
    said.for_each(|other| {
        assert!(first == other || (overflows(&first) && overflows(&other)), "engines differ: {first:?}, {other:?}");
    });
    first
}

/// A module with the function `$f` to be called.
#[allow(dead_code)]
pub fn replayer(module: &str) -> Result<Replayer, ReplayError> {
    replayer_within(module, ReplayLimits::default())
}

pub fn replayer_within(module: &str, limits: ReplayLimits) -> Result<Replayer, ReplayError> {
    let wasm = wat::parse_str(module).unwrap();
    let (function, _) = Names::from_wasm(&wasm).iter().find(|(_, name)| *name == "f").expect("a function $f");
    Replayer::new(&wasm, function, limits)
}

/// Runs `$f` as `call` says, with the inputs given as JSON.
#[allow(dead_code)]
pub fn call(module: &str, call: &str, n: i64, inputs: serde_json::Value) -> Replayed {
    let spec = CallSpec::parse(call).unwrap();
    // Where the memory ends does not matter for reading values.
    let inputs = InputValues::from_json(&inputs, &spec.layout(n, 0).unwrap()).unwrap();
    let entry = Entry::Call(spec);
    agreed(on_each(&ReplayLimits::default()).map(|limits| replayer_within(module, limits)?.run(&entry, n, &inputs)))
        .unwrap()
}

/// Runs `$f` as a harness.
#[allow(dead_code)]
pub fn harness(module: &str, n: i64, inputs: serde_json::Value) -> Replayed {
    try_harness(module, n, inputs).unwrap()
}

#[allow(dead_code)]
pub fn try_harness(module: &str, n: i64, inputs: serde_json::Value) -> Result<Replayed, ReplayError> {
    let inputs = InputValues::from_json_untyped(&inputs).unwrap();
    let entry = Entry::Harness { name: "f".to_owned() };
    agreed(on_each(&ReplayLimits::default()).map(|limits| replayer_within(module, limits)?.run(&entry, n, &inputs)))
}

/// A replayer and a runner of the same function.
pub struct Both {
    entry: Entry,
    replayer: Replayer,
    pub runner: Runner,
    /// Those of other engines.
    others: Vec<(Replayer, Runner)>,
}

/// Both for `$f`, called as `call` says or, if that is empty, as a harness.
#[allow(dead_code)]
pub fn both(module: &str, call: &str) -> Both {
    both_within(module, call, ReplayLimits::default())
}

#[allow(dead_code)]
pub fn both_within(module: &str, call: &str, limits: ReplayLimits) -> Both {
    let wasm = wat::parse_str(module).unwrap();
    let program = load(&wasm, &Probes::default()).unwrap();
    let function = program.find_function("f").expect("a function $f").0;
    let entry = match call {
        "" => Entry::Harness { name: "f".to_owned() },
        call => Entry::Call(CallSpec::parse(call).unwrap()),
    };
    let mut engines = on_each(&limits).map(|limits| {
        let runner = Runner::new(&program, &wasm, function, &entry, limits.clone()).unwrap();
        (Replayer::new(&wasm, function, limits).unwrap(), runner)
    });
    let (replayer, runner) = engines.next().expect("an engine");
    let others = engines.collect();
    Both { entry, replayer, runner, others }
}

#[allow(dead_code)]
impl Both {
    pub fn inputs(&self, n: i64, inputs: serde_json::Value) -> InputValues {
        match &self.entry {
            Entry::Call(spec) => InputValues::from_json(&inputs, &spec.layout(n, 0).unwrap()).unwrap(),
            Entry::Harness { .. } => InputValues::from_json_untyped(&inputs).unwrap(),
        }
    }

    /// What each says of a run.
    pub fn runs(
        &mut self,
        n: i64,
        inputs: serde_json::Value,
    ) -> (Result<Ran, ReplayError>, Result<Replayed, ReplayError>) {
        let inputs = self.inputs(n, inputs);
        (self.runner.run(n, &inputs, u64::MAX / 2), self.replayer.run(&self.entry, n, &inputs))
    }

    /// Runs both, checks that they say the same, on every engine, and returns it; None if they refuse.
    pub fn agree(&mut self, n: i64, inputs: serde_json::Value) -> Option<Ran> {
        let (ran, replayed) = self.runs(n, inputs.clone());
        assert_eq!(ran, replayed.clone().map(expected));
        let inputs = self.inputs(n, inputs);
        for (replayer, runner) in &mut self.others {
            let theirs = runner.run(n, &inputs, u64::MAX / 2);
            let fresh = replayer.run(&self.entry, n, &inputs);
            assert_eq!(theirs, fresh.clone().map(expected));
            // How deep calls can go is each engine's own.
            if theirs.as_ref().is_ok_and(|ran| ran.trap == Some(Trap::StackOverflow)) {
                assert_eq!(ran.as_ref().ok().and_then(|ran| ran.trap.clone()), Some(Trap::StackOverflow));
                continue;
            }
            // And so are the words in which they refuse a module.
            match (&fresh, &replayed) {
                (Err(ReplayError::Engine(_)), Err(ReplayError::Engine(_))) => {}
                _ => assert_eq!(fresh, replayed, "engines differ"),
            }
            if ran.is_ok() {
                assert_eq!(self.runner.hits(), runner.hits(), "engines count branches differently");
            }
        }
        ran.ok()
    }
}

/// What a runner should say of a run.
fn expected(run: Replayed) -> Ran {
    Ran {
        instructions: run.instructions,
        exact: run.exact,
        trap: run.trap,
        out_of_fuel: false,
        output: run.output,
        custom: run.custom,
        memory_pages: run.memory_pages,
    }
}
