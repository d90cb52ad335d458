//! The path condition of a size that was never executed, put together from the generators.

use rustc_hash::FxHashMap;
use slowpath_program::call::ElemType;
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_sequence::Parameter;
use slowpath_solver::{Answer, SolverStats};
use slowpath_term::{InputId, Model, TermId, Terms};

use super::generators::Modelled;
use super::points::Of;
use super::trace::Trace;
use crate::budget::Budget;
use crate::concrete::ConcreteRun;
use crate::driver::solver_within;
use crate::findings::PathFinding;
use crate::target::Target;

/// A named input at every size.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    name: String,
    ty: ElemType,
    scalar: bool,
    count: Parameter,
}

impl Shape {
    /// The inputs of all traces. `Err`: the name of one whose length follows no rule, or nothing where the inputs themselves differ.
    pub fn of_all(traces: &[Trace]) -> Result<Vec<Shape>, Option<String>> {
        let first = traces.first().ok_or(None)?;
        let same = |trace: &Trace| {
            trace.records.len() == first.records.len()
                && trace.records.iter().zip(&first.records).all(|(a, b)| (&a.name, a.ty) == (&b.name, b.ty))
        };
        if !traces.iter().all(same) {
            return Err(None);
        }
        let shape = |at: usize| {
            let record = &first.records[at];
            let counts: Vec<(u64, i128)> =
                traces.iter().map(|trace| (trace.size, i128::from(trace.records[at].count))).collect();
            let count = Parameter::fit(&counts).ok_or_else(|| Some(record.name.clone()))?;
            Ok(Shape { name: record.name.clone(), ty: record.ty, scalar: record.scalar, count })
        };
        (0..first.records.len()).map(shape).collect()
    }
}

/// Where the elements of the inputs are at one size.
pub(super) struct Inputs<'s> {
    shapes: &'s [Shape],
    /// First number and count of each.
    places: Vec<(u32, u32)>,
}

impl<'s> Inputs<'s> {
    pub fn at(shapes: &'s [Shape], n: u64) -> Option<Inputs<'s>> {
        let mut places = Vec::with_capacity(shapes.len());
        let mut next = 0u32;
        for shape in shapes {
            let count = u32::try_from(shape.count.value(n)?).ok()?;
            places.push((next, count));
            next = next.checked_add(count)?;
        }
        Some(Inputs { shapes, places })
    }

    /// The input at an index of a record.
    pub fn id(&self, record: u32, index: i64) -> Option<InputId> {
        let (first, count) = *self.places.get(record as usize)?;
        let index = u32::try_from(index).ok().filter(|index| *index < count)?;
        Some(InputId(first + index))
    }

    /// Number of elements of a record.
    pub fn count(&self, record: u32) -> usize {
        self.places.get(record as usize).map_or(0, |place| place.1 as usize)
    }

    pub fn values(&self, model: &Model) -> InputValues {
        let named = |(shape, &(first, count)): (&Shape, &(u32, u32))| NamedInput {
            name: shape.name.clone(),
            ty: shape.ty,
            scalar: shape.scalar,
            bits: (first..first + count).map(|id| model.get(InputId(id)) & shape.ty.mask()).collect(),
        };
        InputValues(self.shapes.iter().zip(&self.places).map(named).collect())
    }
}

/// The elements as terms. Each is asked for very often.
struct Elements<'i> {
    inputs: &'i Inputs<'i>,
    known: Vec<Option<TermId>>,
}

impl Elements<'_> {
    fn term(&mut self, terms: &mut Terms, record: u32, index: i64, width: u8) -> Option<TermId> {
        let id = self.inputs.id(record, index)?;
        if self.known.len() <= id.index() {
            self.known.resize((id.index() + 1).next_power_of_two(), None);
        }
        // Every element has one width, that of its type.
        Some(*self.known[id.index()].get_or_insert_with(|| terms.var(id, width)))
    }
}

/// The conditions of size n as terms, each once. `Err` says why there are none.
pub(super) fn conditions(
    terms: &mut Terms,
    points: &[Modelled],
    inputs: &Inputs<'_>,
    n: u64,
    budget: &Budget,
) -> Result<Vec<TermId>, String> {
    let unfit = || "the generators do not go together at this size".to_owned();
    let mut left = budget.terms;
    let mut vectors_of = |point: &Modelled| {
        let vectors = point.vectors(n, left).ok_or_else(|| {
            format!("the path condition is too long, or its generators do not go together (at most {left} conditions, --max-search-memory)")
        })?;
        left = left.saturating_sub(vectors.first().map_or(0, Vec::len));
        Ok::<_, String>(vectors)
    };
    let mut definitions = Definitions::default();
    for point in points {
        if let Of::Definition(class) = point.of {
            definitions.enter(class, point, vectors_of(point)?).ok_or_else(unfit)?;
        }
    }
    let mut elements = Elements { inputs, known: Vec::new() };
    definitions.build(terms, &mut elements).ok_or_else(unfit)?;
    let mut seen: Vec<bool> = Vec::new();
    let mut all = Vec::new();
    for point in points {
        if matches!(point.of, Of::Definition(_)) {
            continue;
        }
        let vectors = vectors_of(point)?;
        let mut leaves = vec![0; vectors.len()];
        for at in 0..vectors.first().map_or(0, Vec::len) {
            for (leaf, numbers) in leaves.iter_mut().zip(&vectors) {
                *leaf = numbers[at];
            }
            let built = point.template.build(
                terms,
                &leaves,
                |terms, record, index, width| elements.term(terms, record, index, width),
                |class, number| definitions.term(class, number),
            );
            let condition = built.ok_or_else(unfit)?;
            if condition == terms.ff() {
                return Err("the path condition contradicts itself".to_owned());
            }
            if seen.len() <= condition.index() {
                seen.resize(terms.len().next_power_of_two(), false);
            }
            if condition != terms.tt() && !std::mem::replace(&mut seen[condition.index()], true) {
                all.push(condition);
            }
        }
        if let Some(stop) = budget.expired() {
            return Err(stop.to_string());
        }
    }
    Ok(all)
}

/// The definitions of one size, by class and number.
#[derive(Default)]
struct Definitions<'m> {
    made_of: FxHashMap<(u32, i64), (&'m Modelled, Vec<i64>)>,
    terms: FxHashMap<(u32, i64), TermId>,
}

impl<'m> Definitions<'m> {
    fn enter(&mut self, class: u32, point: &'m Modelled, vectors: Vec<Vec<i64>>) -> Option<()> {
        let (numbers, leaves) = vectors.split_first()?;
        for (at, number) in numbers.iter().enumerate() {
            let own = leaves.iter().map(|leaf| leaf[at]).collect();
            if self.made_of.insert((class, *number), (point, own)).is_some() {
                return None;
            }
        }
        Some(())
    }

    fn term(&self, class: u32, number: i64) -> Option<TermId> {
        self.terms.get(&(class, number)).copied()
    }

    /// Builds all, what is referred to first; on a stack of its own, as chains are as long as loops. `None`: a circle, or a reference to nothing.
    fn build(&mut self, terms: &mut Terms, elements: &mut Elements<'_>) -> Option<()> {
        let mut keys: Vec<(u32, i64)> = self.made_of.keys().copied().collect();
        keys.sort_unstable();
        let mut begun: FxHashMap<(u32, i64), ()> = FxHashMap::default();
        for key in keys {
            let mut stack = vec![key];
            while let Some(&key) = stack.last() {
                if self.terms.contains_key(&key) {
                    stack.pop();
                    continue;
                }
                let (point, leaves) = self.made_of.get(&key)?;
                let mut missing = None;
                let built = point.template.build(
                    terms,
                    leaves,
                    |terms, record, index, width| elements.term(terms, record, index, width),
                    |class, number| {
                        let found = self.terms.get(&(class, number)).copied();
                        if found.is_none() {
                            missing = Some((class, number));
                        }
                        found
                    },
                );
                match (built, missing) {
                    (Some(term), _) => {
                        self.terms.insert(key, term);
                        stack.pop();
                    }
                    (None, Some(other)) => {
                        // Each is begun again for every reference it has; more often means a circle.
                        if begun.insert(other, ()).is_some() && stack.contains(&other) {
                            return None;
                        }
                        stack.push(other);
                    }
                    (None, None) => return None,
                }
            }
        }
        Some(())
    }
}

/// A model of the conditions, by one call of the solver, and what that took.
pub(super) fn solve(
    target: &Target,
    terms: &mut Terms,
    conditions: &[TermId],
    hint: &Model,
    budget: &Budget,
) -> Result<(Model, SolverStats), String> {
    let mut solver = solver_within(target, budget);
    let answer = solver.solve(terms, conditions, hint, &mut || budget.expired().is_none());
    budget.charge(solver.take_work());
    match answer {
        Answer::Sat(model) => Ok((model, solver.stats())),
        Answer::Unsat => Err("the path condition has no solution".to_owned()),
        Answer::Unknown(why) => Err(format!("the solver gave up on the path condition: {why}")),
    }
}

/// The path that an input takes.
pub(super) fn run(target: &Target, n: i64, input: InputValues, budget: &Budget) -> Result<PathFinding, String> {
    let run = ConcreteRun::of(target, n, &input, budget).map_err(|error| error.to_string())?;
    let path = PathFinding::of_run(&run).ok_or("the synthesised input did not run to its end within the limits")?;
    Ok(PathFinding { input, ..path })
}
