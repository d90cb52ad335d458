//! What a known worst input costs, found by running it.

use serde_json::{Map, Value};
use slowpath_machine::Outcome;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_search::{Budget, ConcreteRun, Target};

use crate::bench::formula::evaluate;
use crate::bench::suite::Program;
use crate::subject::Subject;

/// The branches of the worst input that the suite knows at a size; none where it knows none.
pub(crate) fn known_branches(
    program: &Program,
    subject: &Subject,
    target: &Target,
    n: i64,
    budget: &Budget,
) -> Result<Option<u64>, String> {
    if !program.worst_inputs.contains_key(&n) && program.worst_input.is_empty() {
        return Ok(None);
    }
    let shape = match &subject.entry {
        Entry::Call(spec) => InputValues::zeros(&spec.layout(n, 0).map_err(|error| error.to_string())?),
        // A harness makes its inputs while it runs, so it must run once to show them.
        Entry::Harness { .. } => run(target, n, &InputValues::default(), budget)?.input,
    };
    let input = match program.worst_inputs.get(&n) {
        Some(given) => InputValues::from_json_untyped(given).map_err(|error| error.to_string())?,
        None => {
            let json = filled(program, &shape, n)?;
            InputValues::from_json_untyped(&json).map_err(|error| error.to_string())?
        }
    };
    let run = run(target, n, &typed(&input, &shape), budget)?;
    match run.outcome {
        Some(Outcome::Returned) => Ok(Some(run.costs.branches)),
        _ => Err(format!("the known worst input of size {n} does not run to its end")),
    }
}

/// An input of this shape by the suite's formulas.
fn filled(program: &Program, shape: &InputValues, n: i64) -> Result<Value, String> {
    let mut out = Map::new();
    for input in &shape.0 {
        let formula = program.worst_input.get(&input.name);
        let formula = formula.ok_or_else(|| format!("there is no formula for the input `{}`", input.name))?;
        let values: Result<Vec<i64>, String> =
            (0..input.bits.len()).map(|i| evaluate(formula, &[("i", i as i64), ("n", n)])).collect();
        out.insert(input.name.clone(), Value::from(values?));
    }
    Ok(Value::Object(out))
}

/// Values under the types and in the order the program takes them.
fn typed(values: &InputValues, shape: &InputValues) -> InputValues {
    let mut out = shape.clone();
    for input in &mut out.0 {
        let Some(given) = values.get(&input.name) else { continue };
        let ty = input.ty;
        input.bits.iter_mut().enumerate().for_each(|(i, bits)| *bits = given.bits_as(ty, i));
    }
    out
}

fn run(target: &Target, n: i64, input: &InputValues, budget: &Budget) -> Result<ConcreteRun, String> {
    ConcreteRun::of(target, n, input, budget).map_err(|error| error.to_string())
}
