//! What a known worst input costs, found by running it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use slowpath::{AnalyzeRequest, Subject};
use slowpath_machine::Outcome;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_search::{Budget, ConcreteRun, Target};

use crate::error::BenchError;
use crate::formula::evaluate;
use crate::suite::{Program, Suite};

/// Runs every worst input that the suite has for a program up to a size. Each must cost what the suite says; how many
/// there were.
pub fn run_worst_inputs(suite: &Suite, program: &Program, largest: i64) -> Result<usize, BenchError> {
    let cost = program.cost.parse().map_err(|error| suite.bad_field(program, "cost", error))?;
    let request = AnalyzeRequest { cost, ..AnalyzeRequest::new(&program.file, program.entry()) };
    let subject = Subject::load(&request.program, &request.entry, &request.cost)
        .map_err(|source| BenchError::Program { program: program.name.clone(), source: Box::new(source) })?;
    let target = subject.target(request.limits.machine(), request.solver.clone(), request.seed);
    let oracle = Oracle { suite, program, subject: &subject, target: &target };
    let mut ran = 0;
    let sizes: BTreeSet<&i64> = program.worst_branches_at.keys().chain(program.worst_at.keys()).collect();
    for n in sizes.into_iter().filter(|n| **n <= largest) {
        oracle.known(*n, &Budget::default())?;
        ran += usize::from(oracle.has_input(*n));
    }
    Ok(ran)
}

/// What a suite knows of one program's worst cases.
pub(crate) struct Oracle<'s> {
    pub suite: &'s Suite,
    pub program: &'s Program,
    pub subject: &'s Subject,
    pub target: &'s Target,
}

impl Oracle<'_> {
    /// What the worst case costs at a size: in the unit of the program's `cost`, or in branches where the suite has no more.
    /// Where there is an input, it is run and must cost just that.
    pub fn known(&self, n: i64, budget: &Budget) -> Result<Option<u64>, BenchError> {
        let cost = self.program.worst_at.get(&n).copied();
        let branches = self.program.worst_branches_at.get(&n).copied();
        if self.has_input(n) && cost.or(branches).is_some() {
            let bad = |field, what| self.suite.bad_field(self.program, field, what);
            let ran = self.run(n, budget).map_err(|what| bad("worst_input", what))?;
            let fields = [("worst_at", cost, ran.cost), ("worst_branches_at", branches, ran.costs.branches)];
            for (field, said, found) in fields {
                if let Some(said) = said.filter(|said| *said != found) {
                    return Err(bad(field, format!("the worst input of size {n} costs {found}, not {said}")));
                }
            }
        }
        Ok(cost.or(branches))
    }

    fn has_input(&self, n: i64) -> bool {
        self.program.worst_inputs.contains_key(&n) || !self.program.worst_input.is_empty()
    }

    fn run(&self, n: i64, budget: &Budget) -> Result<ConcreteRun, String> {
        let run =
            |input: &InputValues| ConcreteRun::of(self.target, n, input, budget).map_err(|error| error.to_string());
        let shape = match &self.subject.entry {
            Entry::Call(spec) => InputValues::zeros(&spec.layout(n, 0).map_err(|error| error.to_string())?),
            // A harness makes its inputs while it runs, so it must run once to show them.
            Entry::Harness { .. } => run(&InputValues::default())?.input,
        };
        let json = match self.program.worst_inputs.get(&n) {
            Some(given) => given.clone(),
            None => filled(self.program, &shape, n)?,
        };
        let input = InputValues::from_json_untyped(&json).map_err(|error| error.to_string())?;
        let run = run(&typed(&input, &shape))?;
        match run.outcome {
            Some(Outcome::Returned) => Ok(run),
            _ => Err(format!("the worst input of size {n} does not run to its end")),
        }
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
