//! Running a module given as text.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::input::InputValues;
use slowpath_program::names::Names;
use slowpath_program::{Probes, load};
use slowpath_replay::{Ran, ReplayError, ReplayLimits, Replayed, Replayer, Runner};

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
    replayer(module).unwrap().run(&Entry::Call(spec), n, &inputs).unwrap()
}

/// Runs `$f` as a harness.
#[allow(dead_code)]
pub fn harness(module: &str, n: i64, inputs: serde_json::Value) -> Replayed {
    try_harness(module, n, inputs).unwrap()
}

#[allow(dead_code)]
pub fn try_harness(module: &str, n: i64, inputs: serde_json::Value) -> Result<Replayed, ReplayError> {
    let inputs = InputValues::from_json_untyped(&inputs).unwrap();
    replayer(module)?.run(&Entry::Harness { name: "f".to_owned() }, n, &inputs)
}

/// A replayer and a runner of the same function.
pub struct Both {
    entry: Entry,
    replayer: Replayer,
    pub runner: Runner,
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
    let runner = Runner::new(&program, &wasm, function, &entry, limits.clone()).unwrap();
    Both { replayer: Replayer::new(&wasm, function, limits).unwrap(), runner, entry }
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

    /// Runs both, checks that they say the same, and returns it; None if they refuse.
    pub fn agree(&mut self, n: i64, inputs: serde_json::Value) -> Option<Ran> {
        let (ran, replayed) = self.runs(n, inputs);
        let expected = replayed.map(|run| Ran {
            instructions: run.instructions,
            exact: run.exact,
            trap: run.trap,
            out_of_fuel: false,
            output: run.output,
            custom: run.custom,
            memory_pages: run.memory_pages,
        });
        assert_eq!(ran, expected);
        ran.ok()
    }
}
