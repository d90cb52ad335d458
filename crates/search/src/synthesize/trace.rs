//! The trace of a worst path: every condition it adds, and the constraint generator point that added it.

use slowpath_machine::Answer;
use slowpath_program::SiteId;
use slowpath_program::call::ElemType;
use slowpath_program::input::InputValues;
use slowpath_term::{InputId, Model, TermId, Terms};

use crate::budget::Budget;
use crate::driver::{Driver, Step};
use crate::node::Node;
use crate::target::{SearchError, Target};

/// Longer traces teach nothing that shorter ones do not, and inference leaves them out.
pub(super) const MOST_CONDITIONS: usize = 4096;

/// A constraint generator point: one side of a place that decides, or all that is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// A range of the signature, `slowpath_assume`, a value that was fixed.
    Assumed,
    /// 0: false, 1: true, from 2 on: the cases of a switch.
    Side { site: SiteId, side: u32 },
}

/// One condition of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub point: Point,
    /// The activation of the function that decided.
    pub activation: u32,
    pub term: TermId,
}

/// One named input: how many elements it has, and the first one's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub name: String,
    pub ty: ElemType,
    pub scalar: bool,
    pub first: u32,
    pub count: u32,
}

/// The conditions of one path, in the order of execution.
pub(super) struct Trace {
    pub size: u64,
    pub cost: u64,
    pub records: Vec<Record>,
    pub conditions: Vec<Condition>,
    pub terms: Terms,
}

/// Follows the path of an input. No solver is needed, since the input says where every decision goes; and every decision counts as
/// one, also where an earlier one implies it, so that no gap depends on what implies what. `None`: the path is too long, or it did
/// not come to its end.
pub(super) fn record(
    target: &Target,
    n: i64,
    input: &InputValues,
    budget: &Budget,
) -> Result<Option<Trace>, SearchError> {
    let mut driver = Driver::new(target, budget);
    // Its formulas are of the inputs as they were declared.
    driver.only_bytes = true;
    let mut node = driver.root(n)?;
    node.model = Model::from_values(input.0.iter().flat_map(|named| named.bits.iter().copied()).collect());
    let mut conditions = Vec::new();
    loop {
        let step = driver.advance(&mut node);
        note(&mut driver.terms, &node, Point::Assumed, 0, &mut conditions);
        match step {
            Step::Decide(choice) => {
                let side = match choice.sides[choice.current].answer {
                    Answer::Bool(answer) => u32::from(answer),
                    Answer::Case(case) => case.saturating_add(2),
                    Answer::Range(..) | Answer::Value(_) => return Ok(None),
                };
                driver.take(&mut node, &choice, choice.current, None, false);
                note(
                    &mut driver.terms,
                    &node,
                    Point::Side { site: choice.site, side },
                    choice.activation,
                    &mut conditions,
                );
            }
            Step::Done(_) => break,
            Step::Cut(_) | Step::Stop(_) => return Ok(None),
        }
        if conditions.len() > MOST_CONDITIONS {
            return Ok(None);
        }
    }
    let record = |r: &slowpath_machine::InputRecord| Record {
        name: r.name.clone(),
        ty: r.ty,
        scalar: r.scalar,
        first: r.first.0,
        count: r.count,
    };
    let (Ok(size), records) = (u64::try_from(n), node.state.inputs().iter().map(record).collect()) else {
        return Ok(None);
    };
    let cost = target.cost.of(&node.state);
    Ok(Some(Trace { size, cost, records, conditions, terms: driver.terms }))
}

/// Enters what the path condition has gained.
fn note(terms: &mut Terms, node: &Node, point: Point, activation: u32, conditions: &mut Vec<Condition>) {
    let fresh = node.path.len() - conditions.len();
    let from = conditions.len();
    let gained = node.path.iter().take(fresh);
    conditions.extend(gained.map(|gained| Condition { point, activation, term: terms.condition(gained) }));
    conditions[from..].reverse();
}

impl Trace {
    /// The record that an input belongs to, and its place there.
    pub fn place(&self, input: InputId) -> Option<(u32, i64)> {
        let at = self.records.partition_point(|record| record.first <= input.0).checked_sub(1)?;
        let record = self.records.get(at)?;
        (input.0 - record.first < record.count).then(|| (at as u32, i64::from(input.0 - record.first)))
    }
}
