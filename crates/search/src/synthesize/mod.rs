//! Synthesis of path conditions (XSTRESSOR, Sections III to VI): the worst path of a large size is not executed but put together from
//! generators that small worst paths taught, and solved with one call.

mod activations;
mod cost;
mod generators;
mod hint;
mod leaf_vector;
mod path_condition;
mod points;
mod trace;

use std::collections::BTreeMap;

use slowpath_program::SiteId;
use slowpath_program::input::InputValues;
use slowpath_term::{Model, TermId, Terms};

use crate::budget::Budget;
use crate::findings::{Provenance, SizeFinding};
use crate::target::{SearchError, Target};
use activations::{Activation, Recursion};
use cost::CostRule;
use generators::Modelled;
use hint::Hint;
use leaf_vector::Piece;
use path_condition::{Inputs, Shape};
use points::{Group, Of, Unreadable};
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

impl Example {
    /// The worst input of a finding.
    pub fn of(found: &SizeFinding) -> Option<Example> {
        let worst = found.worst.as_ref()?;
        let sure = match found.provenance {
            Provenance::Exhaustive => found.complete,
            Provenance::Guided { validated } | Provenance::Synthesized { validated } => validated,
            _ => false,
        };
        Some(Example { size: found.size, input: worst.input.clone(), cost: worst.cost, sure })
    }
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
    model: Rule,
    shapes: Vec<Shape>,
    hint: Option<Hint>,
    from: u64,
    /// Sizes it was inferred from.
    pub learned: Vec<i64>,
    /// Larger sizes at which what it synthesises costs what is known.
    pub held_out: Vec<i64>,
    /// Whether the costs it was validated on can be relied on.
    pub sure: bool,
}

/// What conditions and costs follow from.
#[derive(Clone, Debug)]
enum Rule {
    /// Every point has its generators.
    Loops { points: Vec<Modelled>, cost: Option<CostRule> },
    /// One activation has, and it is made of smaller ones.
    Recursion(Recursion),
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
            match follow(target, example, budget)? {
                Some(trace) => traces.push(trace),
                // Longer ones follow.
                None => break,
            }
        }
        let mut why = vec![Unmodelled::plain("too few worst paths of small sizes are known")];
        for left_out in LEFT_OUT {
            for single_assignment in [false, true] {
                let Some(some) = traces.get(left_out..).filter(|some| some.len() >= FEWEST_TRACES) else { continue };
                if budget.expired().is_some() {
                    break;
                }
                match model(some, single_assignment) {
                    Ok(synthesis) => match synthesis.judged(target, examples, budget) {
                        Ok(synthesis) => return Ok(Ok(synthesis)),
                        Err(wrong) => why = vec![wrong],
                    },
                    Err(points) => why = points,
                }
            }
        }
        Ok(Err(why))
    }

    /// The model of a recursion that divides its input: worst inputs of every small size, ascending, and of one size as many as are
    /// known, since not all of them are like those of other sizes.
    pub fn infer_recursive(
        target: &Target,
        examples: &[Vec<Example>],
        budget: &Budget,
    ) -> Result<Result<Synthesis, Vec<Unmodelled>>, SearchError> {
        let mut traces = Vec::new();
        let mut activations: Vec<Vec<Activation>> = Vec::new();
        let mut costs = BTreeMap::new();
        for of_size in examples {
            let mut found: Vec<Activation> = Vec::new();
            for example in of_size {
                let Some(trace) = follow(target, example, budget)? else { continue };
                costs.insert(trace.size, trace.cost);
                found.extend(Activation::last(&trace));
                if trace.size as usize > traces.len() {
                    traces.push(trace);
                }
            }
            if !found.is_empty() {
                activations.push(found);
            }
        }
        let mut why =
            vec![Unmodelled::plain("too few activations are known that compare all that their parts came to")];
        let shapes = Shape::of_all(&traces);
        let (Ok(shapes), true) = (shapes, activations.len() >= FEWEST_TRACES + HELD_OUT) else { return Ok(Err(why)) };
        let known: Vec<Example> = examples.iter().filter_map(|of_size| of_size.first()).cloned().collect();
        for alike in ALIKE {
            let chosen: Vec<&Activation> =
                activations.iter().filter_map(|of_size| of_size.iter().max_by_key(|a| alike(&a.sides()))).collect();
            if budget.expired().is_some() {
                break;
            }
            match Recursion::infer(&chosen, &costs) {
                Err(none) => {
                    why = vec![
                        none.point
                            .map_or_else(|| Unmodelled::plain(&none.why), |p| Unmodelled::at(p, none.why.clone())),
                    ];
                }
                Ok(recursion) => {
                    let sizes: Vec<i64> = chosen.iter().map(|a| a.size() as i64).collect();
                    let (learned, held_out) = sizes.split_at(sizes.len() - HELD_OUT);
                    let synthesis = Synthesis {
                        from: recursion.least(),
                        model: Rule::Recursion(recursion),
                        shapes: shapes.clone(),
                        hint: None,
                        learned: learned.to_vec(),
                        held_out: held_out.to_vec(),
                        sure: false,
                    };
                    match synthesis.judged(target, &known, budget) {
                        Ok(synthesis) => return Ok(Ok(synthesis)),
                        Err(wrong) => why = vec![wrong],
                    }
                }
            }
        }
        Ok(Err(why))
    }

    /// Synthesises the sizes that were held out, which has to come to their costs.
    fn judged(mut self, target: &Target, examples: &[Example], budget: &Budget) -> Result<Synthesis, Unmodelled> {
        // What was validated on nothing proves nothing.
        self.sure = !self.held_out.is_empty() && examples.iter().all(|example| example.sure);
        let held_out: Vec<&Example> = examples.iter().filter(|e| self.held_out.contains(&e.size)).collect();
        for example in held_out {
            let size = example.size;
            let found = match self.solved(target, size, budget) {
                Ok(found) => found,
                Err(why) => return Err(Unmodelled::plain(format!("at size {size}: {why}"))),
            };
            let (cost, known) = (found.worst.map_or(0, |worst| worst.cost), example.cost);
            if cost != known {
                let why = format!("at size {size} the synthesised input costs {cost}, not {known}");
                return Err(Unmodelled::plain(why));
            }
            // Questions at a small size are many at a large one.
            if found.stats.queries > 0 && self.hint.is_none() {
                let inputs: Vec<(u64, &InputValues)> = examples
                    .iter()
                    .filter(|e| self.learned.contains(&e.size) && e.size as u64 >= self.from)
                    .map(|e| (e.size as u64, &e.input))
                    .collect();
                self.hint = Some(Hint::infer(&inputs));
            }
        }
        Ok(self)
    }

    /// The smallest size it holds for.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Whether it is made of activations rather than of loops.
    pub fn is_recursive(&self) -> bool {
        matches!(self.model, Rule::Recursion(_))
    }

    /// What the synthesised input of size n should cost, where costs follow a rule.
    pub fn predicted(&self, n: i64) -> Option<u64> {
        let n = u64::try_from(n).ok()?;
        match &self.model {
            Rule::Loops { cost, .. } => cost.as_ref()?.at(n),
            Rule::Recursion(recursion) => recursion.cost(n),
        }
    }

    /// Synthesises the path condition of size n, solves it and runs the input. `Err` says why not.
    pub fn at(&self, target: &Target, n: i64, budget: &Budget) -> Result<SizeFinding, String> {
        let mut found = self.solved(target, n, budget)?;
        let cost = found.cost();
        let predicted = self.predicted(n);
        found.provenance = Provenance::Synthesized { validated: self.sure && cost.is_some() && cost == predicted };
        let note = match (predicted, cost) {
            (Some(predicted), Some(cost)) if predicted != cost => {
                format!("the synthesised input was predicted to cost {predicted}, but costs {cost}")
            }
            (None, _) => {
                "the costs of small sizes follow no known rule, so what the synthesised input should cost is not known"
                    .to_owned()
            }
            _ => return Ok(found),
        };
        found.limits.insert(note, 1);
        Ok(found)
    }

    fn solved(&self, target: &Target, n: i64, budget: &Budget) -> Result<SizeFinding, String> {
        let begun = budget.now();
        let size = u64::try_from(n).ok().filter(|size| *size >= self.from);
        let size = size.ok_or_else(|| format!("what was inferred holds from size {} on", self.from))?;
        let inputs = Inputs::at(&self.shapes, size).ok_or("the lengths of the inputs are not known")?;
        let mut terms = Terms::new();
        let conditions: Vec<TermId> = match &self.model {
            Rule::Loops { points, .. } => path_condition::conditions(&mut terms, points, &inputs, size, budget)?,
            Rule::Recursion(recursion) => recursion.conditions(&mut terms, &inputs, size, budget)?,
        };
        let hint = self.hint.as_ref().map_or_else(Model::new, |hint| hint.model(size, &inputs));
        let (model, stats) = path_condition::solve(target, &mut terms, &conditions, &hint, budget)?;
        let worst = path_condition::run(target, n, inputs.values(&model), budget)?;
        Ok(SizeFinding {
            size: n,
            provenance: Provenance::Synthesized { validated: false },
            paths: 1,
            worst: Some(worst),
            worst_paths: 1,
            complete: true,
            stats,
            seconds: budget.seconds_since(begun),
            ..SizeFinding::default()
        })
    }

    /// The generators in words: a point, and the sequence of each leaf of its conditions.
    pub fn points(&self) -> impl Iterator<Item = (Point, Vec<String>)> + '_ {
        let points = match &self.model {
            Rule::Loops { points, .. } => points.as_slice(),
            Rule::Recursion(recursion) => recursion.points(),
        };
        points.iter().filter_map(|point| match point.of {
            Of::Condition(at) => Some((at, point.leaves.iter().map(ToString::to_string).collect())),
            Of::Definition(_) => None,
        })
    }
}

/// The greatest is chosen.
type Likeness = (usize, Vec<u32>);

/// Ways to choose among the worst activations of each size those that are alike: by which side comes last, by which comes first,
/// by where the two alternate most.
const ALIKE: [fn(&[u32]) -> Likeness; 6] = [
    |sides| (0, sides.iter().rev().copied().collect()),
    |sides| (0, sides.iter().rev().map(|side| !side).collect()),
    |sides| (0, sides.to_vec()),
    |sides| (0, sides.iter().map(|side| !side).collect()),
    |sides| (alternations(sides), sides.iter().rev().copied().collect()),
    |sides| (alternations(sides), sides.iter().rev().map(|side| !side).collect()),
];

fn alternations(sides: &[u32]) -> usize {
    sides.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The trace of an example, unless it is too long.
fn follow(target: &Target, example: &Example, budget: &Budget) -> Result<Option<Trace>, SearchError> {
    match trace::record(target, example.size, &example.input, budget)? {
        Some(trace) if trace.cost != example.cost => {
            Err(SearchError::Diverged(format!("the worst input of size {} costs something else", example.size)))
        }
        other => Ok(other),
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
    let sizes: Vec<u64> = traces.iter().map(|trace| trace.size).collect();
    let mut points = Vec::new();
    let mut failed = Vec::new();
    for group in &groups {
        match generators::model(group, &sizes, held_out) {
            Ok(modelled) => points.push(modelled),
            Err(none) => {
                failed.push(match group.of {
                    Of::Condition(point) => Unmodelled::at(point, none.to_string()),
                    Of::Definition(class) => {
                        let uses = |group: &&Group| group.template.0.contains(&Piece::Ref { class });
                        let first = groups.iter().filter(uses).find_map(|group| match group.of {
                            Of::Condition(point) => Some(point),
                            Of::Definition(_) => None,
                        });
                        Unmodelled::at(first.unwrap_or(Point::Assumed), format!("of a value it compares, {none}"))
                    }
                });
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
    let cost = CostRule::infer(&costs);
    let sizes: Vec<i64> = traces.iter().map(|trace| trace.size as i64).collect();
    let (learned, held_out) = sizes.split_at(sizes.len() - held_out);
    let (learned, held_out) = (learned.to_vec(), held_out.to_vec());
    Ok(Synthesis { model: Rule::Loops { points, cost }, shapes, hint: None, from, learned, held_out, sure: false })
}
