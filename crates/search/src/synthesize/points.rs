//! Induction variable sequences: what each leaf of each point is, from condition to condition, at every size.

use rustc_hash::FxHashMap;
use slowpath_term::TermId;

use super::leaf_vector::{Classes, Reader, Template};
use super::trace::{Point, Trace};

/// More points are none that a model could be read from.
const MOST_GROUPS: usize = 256;

/// What a group of leaf vectors is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    /// Conditions of a point.
    Condition(Point),
    /// Definitions of a class; their own number comes before the leaves.
    Definition(u32),
}

/// The leaf vectors of one point and template.
pub(super) struct Group {
    pub of: Of,
    pub template: Template,
    /// For each trace, for each leaf, its numbers in the order of execution.
    pub sequences: Vec<Vec<Vec<i64>>>,
}

/// Why traces have no groups.
pub(super) enum Unreadable {
    /// A condition of this point is too large for a template.
    TooLarge(Point),
    /// There are more kinds of conditions than a model is made of.
    TooMany,
}

/// All groups, in the order in which they first occur. `single_assignment`: with a definition for every value computed.
pub(super) fn groups(traces: &[Trace], single_assignment: bool) -> Result<Vec<Group>, Unreadable> {
    let mut classes = Classes::default();
    let mut table = Table { groups: Vec::new(), index: FxHashMap::default(), traces: traces.len() };
    for (at, trace) in traces.iter().enumerate() {
        let too_large = |t: Option<TermId>| {
            let condition = trace.conditions.iter().find(|condition| Some(condition.term) == t);
            Unreadable::TooLarge(condition.map_or(Point::Assumed, |condition| condition.point))
        };
        let reader = if single_assignment {
            Reader::single_assignment(trace, &mut classes).ok_or_else(|| too_large(None))?
        } else {
            Reader::whole(trace)
        };
        for (t, class, number) in reader.definitions() {
            let vector = reader.definition(t).ok_or_else(|| too_large(None))?;
            let numbers = std::iter::once(number).chain(vector.leaves);
            table.enter(Of::Definition(class), vector.template, at, numbers)?;
        }
        for condition in &trace.conditions {
            let vector = reader.condition(condition.term).ok_or_else(|| too_large(Some(condition.term)))?;
            table.enter(Of::Condition(condition.point), vector.template, at, vector.leaves.into_iter())?;
        }
    }
    Ok(table.groups)
}

struct Table {
    groups: Vec<Group>,
    index: FxHashMap<(Of, Template), usize>,
    traces: usize,
}

impl Table {
    fn enter(
        &mut self,
        of: Of,
        template: Template,
        trace: usize,
        numbers: impl Iterator<Item = i64>,
    ) -> Result<(), Unreadable> {
        let groups = &mut self.groups;
        let traces = self.traces;
        let at = *self.index.entry((of, template)).or_insert_with_key(|(_, template)| {
            let components = template.leaves() + usize::from(matches!(of, Of::Definition(_)));
            let sequences = vec![vec![Vec::new(); components]; traces];
            groups.push(Group { of, template: template.clone(), sequences });
            groups.len() - 1
        });
        if groups.len() > MOST_GROUPS {
            return Err(Unreadable::TooMany);
        }
        for (sequence, number) in groups[at].sequences[trace].iter_mut().zip(numbers) {
            sequence.push(number);
        }
        Ok(())
    }
}
