//! Synthesis of path conditions (XSTRESSOR, Sections III to VI): the worst path of a large size is not executed but put together from
//! generators that small worst paths taught, and solved with one call.

mod generators;
mod leaf_vector;
mod path_condition;
mod points;
mod trace;

use std::time::Instant;

use slowpath_program::SiteId;
use slowpath_program::input::InputValues;
use slowpath_sequence::Parameter;
use slowpath_term::{Model, Terms};

use crate::budget::Budget;
use crate::findings::{How, SizeFinding};
use crate::target::{SearchError, Target};
use generators::Modelled;
use path_condition::{Inputs, Shape};
use points::{Of, Unreadable};
pub use trace::Point;
use trace::Trace;

/// Traces needed to infer anything from.
const FEWEST_TRACES: usize = 5;
/// The largest traces only judge what the others taught, where there are enough of them.
const HELD_OUT: usize = 2;
/// Points named that could not be modelled.
const MOST_NAMED: usize = 3;
/// Small sizes left out where all together follow no rule; inference itself leaves out up to three.
const LEFT_OUT: [usize; 2] = [0, 3];

/// The worst input of a small size.
#[derive(Clone, Debug)]
pub struct Example {
    pub size: i64,
    pub input: InputValues,
    pub cost: u64,
    /// It is the worst for certain, or a validated policy says so.
    pub sure: bool,
}

/// Why a path condition cannot be synthesised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmodelled {
    /// The place it is about, if it is about one.
    pub site: Option<SiteId>,
    pub why: String,
}

impl Unmodelled {
    fn plain(why: impl Into<String>) -> Unmodelled {
        Unmodelled { site: None, why: why.into() }
    }

    fn at(point: Point, why: String) -> Unmodelled {
        match point {
            Point::Side { site, .. } => Unmodelled { site: Some(site), why },
            Point::Assumed => Unmodelled::plain(format!("among the assumptions, {why}")),
        }
    }
}

/// The worst path conditions of all sizes.
#[derive(Clone, Debug)]
pub struct Synthesis {
    points: Vec<Modelled>,
    shapes: Vec<Shape>,
    cost: Option<Parameter>,
    from: u64,
    /// Sizes it was inferred from.
    pub learned: Vec<i64>,
    /// Larger sizes at which what it synthesises costs what is known.
    pub held_out: Vec<i64>,
    /// Whether the costs it was held against can be relied on.
    pub sure: bool,
}

impl Synthesis {
    /// Infers the generators of all points from worst inputs of small sizes, ascending.
    pub fn infer(
        target: &Target,
        examples: &[Example],
        budget: &Budget,
    ) -> Result<Result<Synthesis, Vec<Unmodelled>>, SearchError> {
        let mut traces = Vec::new();
        for example in examples {
            match trace::record(target, example.size, &example.input, budget)? {
                Some(trace) if trace.cost == example.cost => traces.push(trace),
                Some(_) => return Err(SearchError::Diverged(format!("the input of size {}", example.size))),
                // Longer ones follow.
                None => break,
            }
        }
        let sure = examples.iter().take(traces.len()).all(|example| example.sure);
        let mut why = vec![Unmodelled::plain("too few worst paths of small sizes are known")];
        for left_out in LEFT_OUT {
            for single_assignment in [false, true] {
                let Some(some) = traces.get(left_out..).filter(|some| some.len() >= FEWEST_TRACES) else { continue };
                if budget.expired().is_some() {
                    break;
                }
                match model(some, single_assignment) {
                    Ok(mut synthesis) => {
                        synthesis.sure = sure;
                        match synthesis.judge(target, examples, budget) {
                            Ok(()) => return Ok(Ok(synthesis)),
                            Err(wrong) => why = vec![wrong],
                        }
                    }
                    Err(points) => why = points,
                }
            }
        }
        Ok(Err(why))
    }

    /// Synthesises the sizes that were held out, which has to come to their costs.
    fn judge(&self, target: &Target, examples: &[Example], budget: &Budget) -> Result<(), Unmodelled> {
        for example in examples.iter().filter(|example| self.held_out.contains(&example.size)) {
            let found = self.solved(target, example.size, budget);
            let cost = found.map(|found| found.worst.map(|worst| worst.cost));
            let size = example.size;
            match cost {
                Ok(Some(cost)) if cost == example.cost => {}
                Ok(cost) => {
                    let (cost, known) = (cost.unwrap_or(0), example.cost);
                    let why = format!("at size {size} the synthesised input costs {cost}, not {known}");
                    return Err(Unmodelled::plain(why));
                }
                Err(why) => return Err(Unmodelled::plain(format!("at size {size}: {why}"))),
            }
        }
        Ok(())
    }

    /// The smallest size it holds for.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// What the synthesised input of size n should cost, where costs follow a rule.
    pub fn predicted(&self, n: i64) -> Option<u64> {
        u64::try_from(self.cost.as_ref()?.value(u64::try_from(n).ok()?)?).ok()
    }

    /// The law of the costs, for people.
    pub fn cost_law(&self) -> Option<String> {
        self.cost.as_ref().map(ToString::to_string)
    }

    /// Synthesises the path condition of size n, solves it and runs the input. `Err` says why not.
    pub fn at(&self, target: &Target, n: i64, budget: &Budget) -> Result<SizeFinding, String> {
        let mut found = self.solved(target, n, budget)?;
        let cost = found.worst.as_ref().map(|worst| worst.cost);
        let predicted = self.predicted(n);
        found.how = How::Synthesized { validated: self.sure && cost.is_some() && cost == predicted };
        let note = match (predicted, cost) {
            (Some(predicted), Some(cost)) if predicted != cost => {
                format!("the synthesised input was predicted to cost {predicted}, and costs {cost}")
            }
            (None, _) => {
                "the costs of small sizes follow no known rule that the synthesised input could be held against"
                    .to_owned()
            }
            _ => return Ok(found),
        };
        found.limits.insert(note, 1);
        Ok(found)
    }

    fn solved(&self, target: &Target, n: i64, budget: &Budget) -> Result<SizeFinding, String> {
        let begun = Instant::now();
        let size = u64::try_from(n).ok().filter(|size| *size >= self.from);
        let size = size.ok_or_else(|| format!("what was inferred holds from size {} on", self.from))?;
        let inputs = Inputs::at(&self.shapes, size).ok_or("the lengths of the inputs are not known")?;
        let mut terms = Terms::new();
        let conditions = path_condition::conditions(&mut terms, &self.points, &inputs, size, budget)?;
        let hint = Model::new();
        path_condition::solve_and_run(target, n, &mut terms, &conditions, &inputs, &hint, budget, begun)
    }

    /// The generators in words: place, side, and the sequence of each leaf.
    pub fn points(&self) -> impl Iterator<Item = (Point, Vec<String>)> + '_ {
        self.points.iter().filter_map(|point| match point.of {
            Of::Condition(at) => Some((at, point.leaves.iter().map(|leaf| leaf.generator().to_string()).collect())),
            Of::Definition(_) => None,
        })
    }
}

/// Generators for all points of the traces, or the points that have none.
fn model(traces: &[Trace], single_assignment: bool) -> Result<Synthesis, Vec<Unmodelled>> {
    let shapes = Shape::of_all(traces).map_err(|name| {
        vec![Unmodelled::plain(match name {
            Some(name) => format!("the length of the input {name} follows no known rule"),
            None => "which inputs there are depends on the size".to_owned(),
        })]
    })?;
    let groups = points::groups(traces, single_assignment).map_err(|why| {
        vec![match why {
            Unreadable::TooLarge(point) => Unmodelled::at(point, "a condition is too large to be modelled".to_owned()),
            Unreadable::TooMany => Unmodelled::plain("the conditions are of too many kinds"),
        }]
    })?;
    let held_out = HELD_OUT.min(traces.len() - FEWEST_TRACES);
    let mut points = Vec::new();
    let mut failed = Vec::new();
    for group in &groups {
        match generators::model(group, traces, held_out) {
            Ok(modelled) => points.push(modelled),
            Err(none) => {
                let point = match group.of {
                    Of::Condition(point) => point,
                    Of::Definition(_) => Point::Assumed,
                };
                failed.push(Unmodelled::at(point, no_sequence(&none)));
                if failed.len() == MOST_NAMED {
                    break;
                }
            }
        }
    }
    if !failed.is_empty() {
        return Err(failed);
    }
    let from = points.iter().map(Modelled::from).max().unwrap_or(0).max(traces[0].size);
    let costs: Vec<(u64, i128)> = traces.iter().map(|trace| (trace.size, i128::from(trace.cost))).collect();
    let cost = (0..=HELD_OUT + 1).find_map(|skipped| Parameter::fit(costs.get(skipped..)?));
    let sizes = |some: &[Trace]| some.iter().map(|trace| trace.size as i64).collect();
    let (learned, held_out) = traces.split_at(traces.len() - held_out);
    Ok(Synthesis { points, shapes, cost, from, learned: sizes(learned), held_out: sizes(held_out), sure: false })
}

fn no_sequence(none: &generators::NoSequence) -> String {
    let sizes = match none.sizes.as_slice() {
        [only] => format!("size {only}"),
        sizes => {
            let list: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            format!("sizes {}", list.join(", "))
        }
    };
    let leaf = ordinal(none.leaf + 1);
    if none.held_out {
        format!("the sequence of the {leaf} leaf fails where it is held against larger {sizes}")
    } else {
        format!("the {leaf} leaf follows no known sequence ({sizes})")
    }
}

fn ordinal(number: usize) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        _ => format!("{number}th"),
    }
}
