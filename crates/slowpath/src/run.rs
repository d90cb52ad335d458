//! One concrete run of a given input.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};
use slowpath_machine::Limit;
use slowpath_program::call::{Entry, Layout};
use slowpath_program::input::InputValues;
use slowpath_program::{Trap, ValType};
use slowpath_search::{Budget, ConcreteRun, CostModel};
use slowpath_solver::SolverConfig;

use crate::document::counters;
use crate::error::Error;
use crate::panics::Panics;
use crate::request::{EntryRequest, Limits, ProgramRequest};
use crate::subject::Subject;
use crate::verify::trap_of;

/// Everything a run needs to know.
#[derive(Clone, Debug)]
pub struct RunRequest {
    pub program: ProgramRequest,
    pub entry: EntryRequest,
    pub size: i64,
    /// The inputs as JSON text; none where the program takes none.
    pub input: Option<String>,
    pub cost: CostModel,
    pub limits: Limits,
    pub interrupt: Arc<AtomicBool>,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// Every counter by its name.
    pub costs: Map<String, Value>,
    /// A number, several, or null.
    pub result: Value,
    pub trap: Option<String>,
    /// What the panic that it is says, where the trap does not.
    pub message: Option<String>,
    /// The limit that ended the run.
    pub stopped: Option<String>,
    /// Worth telling the user.
    pub warnings: Vec<String>,
}

impl RunReport {
    /// As `run --format json` prints it.
    pub fn to_json(&self) -> Value {
        let mut out = json!({"costs": self.costs, "result": self.result, "trap": self.trap});
        if let Some(message) = &self.message {
            out["message"] = json!(message);
        }
        if let Some(why) = &self.stopped {
            out["stopped"] = json!(why);
        }
        out
    }
}

/// Runs one input.
pub fn run(request: &RunRequest) -> Result<RunReport, Error> {
    let subject = Subject::load(&request.program, &request.entry, &request.cost)?;
    subject.check_size(request.size)?;
    let target = subject.target(request.limits.machine(), SolverConfig::default(), 0);
    let budget = Budget { interrupt: request.interrupt.clone(), ..Budget::default() };
    let execute = |input: &InputValues| {
        ConcreteRun::of(&target, request.size, input, &budget)
            .map_err(|error| Error::Search { file: subject.file.clone(), source: Box::new(error) })
    };
    let given = request.input.as_deref().map(parse).transpose()?;
    let (run, warnings) = match &subject.entry {
        Entry::Call(spec) => {
            let layout = spec.layout(request.size, 0)?;
            (execute(&call_input(&subject, given.as_ref(), &layout)?)?, Vec::new())
        }
        Entry::Harness { .. } => {
            let input = given.as_ref().map(InputValues::from_json_untyped).transpose()?;
            let run = execute(&input.clone().unwrap_or_default())?;
            if input.is_none() && !run.input.0.is_empty() {
                return Err(Error::NoInput { example: run.input.to_json().to_string() });
            }
            let warnings = name_warnings(&input.unwrap_or_default(), &run.input);
            (run, warnings)
        }
    };
    let absent = run.absent.iter().map(|what| format!("the program reads {what}"));
    let warnings = warnings.into_iter().chain(absent).collect();
    let trap = run.outcome.as_ref().and_then(trap_of);
    let panics = Panics::of(&request.program, &subject, target.limits);
    let panics = panics.filter(|_| trap == Some(&Trap::Unreachable));
    let message = panics.and_then(|panics| panics.message(request.size, &run.input, &budget));
    Ok(RunReport {
        costs: counters(&run.costs, &request.cost, run.cost),
        result: results(&subject.func_type().results, &run.results),
        trap: trap.map(ToString::to_string),
        message,
        stopped: stopped(&run, &request.limits),
        warnings,
    })
}

fn parse(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(Error::InputNotJson)
}

/// The inputs of a call; without any given, the error shows what they look like.
fn call_input(subject: &Subject, given: Option<&Value>, layout: &Layout) -> Result<InputValues, Error> {
    match given {
        Some(json) => Ok(subject.read_input(layout, json)?),
        None if layout.inputs.is_empty() => Ok(InputValues::default()),
        None => Err(Error::NoInput { example: InputValues::zeros(layout).to_json().to_string() }),
    }
}

/// A harness names its inputs only while it runs; a slip in a name would silently be a 0.
fn name_warnings(given: &InputValues, made: &InputValues) -> Vec<String> {
    let unused = given.0.iter().filter(|input| made.get(&input.name).is_none());
    let absent = made.0.iter().filter(|input| given.get(&input.name).is_none());
    unused
        .map(|input| format!("the program made no input called `{}`", input.name))
        .chain(absent.map(|input| format!("the input `{}` was not given and is 0", input.name)))
        .collect()
}

fn stopped(run: &ConcreteRun, limits: &Limits) -> Option<String> {
    match (&run.outcome, run.stopped) {
        (Some(_), _) => None,
        (None, Some(Limit::Instructions)) => {
            Some(format!("the run was ended after {} instructions (--max-instructions)", limits.instructions))
        }
        (None, Some(Limit::CallDepth)) => Some(format!("calls deeper than {} (--max-depth)", limits.depth)),
        (None, None) => Some("interrupted".to_owned()),
    }
}

/// Results by their WebAssembly type: integers signed, floats as numbers where JSON has them.
pub(crate) fn results(types: &[ValType], bits: &[u64]) -> Value {
    let mut values: Vec<Value> = types.iter().zip(bits).map(|(ty, bits)| result(*ty, *bits)).collect();
    match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::Array(values),
    }
}

fn result(ty: ValType, bits: u64) -> Value {
    let float = |value: f64, nan: String| match value {
        value if value.is_nan() => Value::from(nan),
        value if value.is_infinite() => Value::from(if value > 0.0 { "inf" } else { "-inf" }),
        value => Value::from(value),
    };
    match ty {
        ValType::I32 => Value::from(bits as u32 as i32),
        ValType::I64 => Value::from(bits as i64),
        // The shortest decimal of the f32, not of the f64 it would widen to.
        ValType::F32 => {
            let value = f32::from_bits(bits as u32);
            float(value.to_string().parse().unwrap_or(f64::from(value)), nan_word(bits, 0x7fc0_0000, 8))
        }
        ValType::F64 => float(f64::from_bits(bits), nan_word(bits, 0x7ff8_0000_0000_0000, 16)),
        // Of a vector, its halves.
        ValType::V128Low | ValType::V128High => Value::from(bits),
        ValType::FuncRef | ValType::ExternRef => Value::Null,
    }
}

fn nan_word(bits: u64, canonical: u64, digits: usize) -> String {
    if bits == canonical { "NaN".to_owned() } else { format!("nan:{bits:#0width$x}", width = digits + 2) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use slowpath_program::ValType;

    use super::results;

    #[test]
    fn results_are_read_by_their_type() {
        assert_eq!(results(&[], &[]), json!(null));
        assert_eq!(results(&[ValType::I32], &[0xffff_ffff]), json!(-1));
        assert_eq!(results(&[ValType::I64], &[u64::MAX]), json!(-1));
        assert_eq!(results(&[ValType::F32], &[u64::from(0.1f32.to_bits())]), json!(0.1));
        assert_eq!(results(&[ValType::F32], &[0x7fc0_0000]), json!("NaN"));
        assert_eq!(results(&[ValType::F64], &[0xfff8_0000_0000_0000]), json!("nan:0xfff8000000000000"));
        let two = [ValType::F64, ValType::I32];
        assert_eq!(results(&two, &[f64::NEG_INFINITY.to_bits(), 7]), json!(["-inf", 7]));
    }
}
