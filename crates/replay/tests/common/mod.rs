//! Running a module given as text.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::input::InputValues;
use slowpath_program::names::Names;
use slowpath_replay::{ReplayError, ReplayLimits, Replayed, Replayer};

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
