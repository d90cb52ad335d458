//! Models people can read: small values, near zero, where the path allows.

use slowpath_term::ops::mask;
use slowpath_term::{CmpOp, Comparison, Condition, Evaluator, InputId, Model, Node, TermId, Terms};

use crate::sets::integer;
use crate::track::Track;

struct Reader<'a> {
    terms: &'a Terms,
    track: &'a Track,
    evaluator: &'a mut Evaluator,
    budget: u32,
}

/// One input of the path.
#[derive(Clone, Copy)]
struct Entry {
    input: InputId,
    width: u8,
    signed: bool,
}

pub(crate) fn readable(
    terms: &Terms,
    track: &Track,
    evaluator: &mut Evaluator,
    model: &Model,
    signed: &dyn Fn(InputId) -> bool,
    budget: u32,
) -> Model {
    let mut reader = Reader { terms, track, evaluator, budget };
    let (widths, constants) = reader.survey();
    let entries: Vec<Entry> = widths
        .iter()
        .enumerate()
        .filter(|(_, width)| **width > 0)
        .map(|(i, &width)| {
            let input = InputId(i as u32);
            Entry { input, width, signed: signed(input) }
        })
        .collect();
    // Inputs the path says nothing about are 0.
    let free =
        (0..model.values().len()).filter(|&i| widths.get(i).is_none_or(|&w| w == 0)).map(|i| (InputId(i as u32), 0));
    let model = model.with_all(free);

    // Ranks keep every order between inputs; if the path is only about those, that is all.
    let ranked = reader.ranked(&model, &entries, &[]);
    if reader.satisfies_path(&ranked) {
        return ranked;
    }
    let ranked = reader.ranked(&model, &entries, &constants);
    if reader.satisfies_path(&ranked) { ranked } else { reader.one_by_one(model, &entries) }
}

impl Reader<'_> {
    /// Width of every input on the path (0: not there), and the constants it is compared with.
    fn survey(&self) -> (Vec<u8>, Vec<(u8, u64)>) {
        let (mut widths, mut constants): (Vec<u8>, Vec<(u8, u64)>) = (Vec::new(), Vec::new());
        let mut seen = vec![false; self.terms.len()];
        let mut stack: Vec<TermId> = Vec::new();
        let add = |stack: &mut Vec<TermId>, seen: &mut [bool], t: TermId| {
            if !std::mem::replace(&mut seen[t.index()], true) {
                stack.push(t);
            }
        };
        let mut compared = |op: CmpOp, sides: [TermId; 2]| {
            for side in sides {
                if let Some(constant) = self.terms.as_const(side)
                    && !op.is_float()
                {
                    constants.push((self.terms.width(side), constant));
                }
            }
        };
        for condition in self.track.conjuncts() {
            match condition {
                Condition::Term(term) => add(&mut stack, &mut seen, term),
                Condition::Compares(Comparison { op, a, b, .. }) => {
                    compared(op, [a, b]);
                    add(&mut stack, &mut seen, a);
                    add(&mut stack, &mut seen, b);
                }
            }
        }
        while let Some(t) = stack.pop() {
            let node = self.terms.node(t);
            match node {
                Node::Var { input, width } => {
                    if widths.len() <= input.index() {
                        widths.resize(input.index() + 1, 0);
                    }
                    widths[input.index()] = width;
                }
                Node::Cmp { op, a, b } => compared(op, [a, b]),
                _ => {}
            }
            node.children().for_each(|child| add(&mut stack, &mut seen, child));
        }
        constants.sort_unstable();
        constants.dedup();
        (widths, constants)
    }

    fn satisfies_path(&mut self, model: &Model) -> bool {
        let Reader { terms, track, evaluator, budget } = self;
        track.conjuncts().all(|condition| {
            *budget = budget.saturating_sub(1);
            *budget > 0 && evaluator.satisfies(terms, model, condition)
        })
    }

    /// Every value by its rank among the values of its kind. With anchors (constants of the path) values equal to one stay,
    /// those between two move down next to the lower one, those below all move up next to the lowest.
    fn ranked(&self, model: &Model, entries: &[Entry], constants: &[(u8, u64)]) -> Model {
        let mut changes = Vec::with_capacity(entries.len());
        let mut kinds: Vec<(u8, bool)> = entries.iter().map(|e| (e.width, e.signed)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for (width, signed) in kinds {
            let of_kind = || entries.iter().filter(move |e| (e.width, e.signed) == (width, signed));
            let value = |e: &Entry| integer(model.get(e.input) & mask(width), width, signed);
            let mut anchors: Vec<i128> =
                constants.iter().filter(|c| c.0 == width).map(|c| integer(c.1, width, signed)).collect();
            if !constants.is_empty() {
                anchors.push(0);
            }
            anchors.sort_unstable();
            anchors.dedup();
            let mut values: Vec<i128> = of_kind().map(value).collect();
            values.sort_unstable();
            values.dedup();
            let places = place(&values, &anchors);
            for e in of_kind() {
                let rank = values.partition_point(|&v| v < value(e));
                changes.push((e.input, places[rank] as u64 & mask(width)));
            }
        }
        model.with_all(changes)
    }

    /// Each input in turn as close to zero as its conditions allow, the others staying as they are.
    fn one_by_one(&mut self, model: Model, entries: &[Entry]) -> Model {
        let mut model = model;
        for e in entries {
            let now = integer(model.get(e.input) & mask(e.width), e.width, e.signed);
            let mut candidates = vec![0, 1, -1, 2, 3, 10];
            candidates.extend((1..e.width).rev().map(|k| now >> k));
            // Printable characters read better than others.
            if e.width == 8 && !(32..127).contains(&now) {
                candidates.extend([97, 48, 32]);
            }
            candidates.retain(|v| v.unsigned_abs() < now.unsigned_abs() && (e.signed || *v >= 0));
            for value in candidates {
                let cost = self.track.count_of(e.input) as u32 + 1;
                if self.budget < cost {
                    return model;
                }
                self.budget -= cost;
                let candidate = model.with(e.input, value as u64 & mask(e.width));
                if self.track.first_violated(self.terms, self.evaluator, &candidate, &[e.input]).is_none() {
                    model = candidate;
                    break;
                }
            }
        }
        model
    }
}

/// Where ascending values go: order is kept, and so is their position among the anchors where there is room.
fn place(values: &[i128], anchors: &[i128]) -> Vec<i128> {
    let Some(&lowest) = anchors.first() else { return (0..values.len() as i128).collect() };
    let below = values.partition_point(|&v| v < lowest);
    let mut places: Vec<i128> = (0..below).map(|i| lowest - (below - i) as i128).collect();
    for &v in &values[below..] {
        let anchor = anchors[anchors.partition_point(|&a| a <= v) - 1];
        let next = places.last().map_or(anchor, |&last| last + 1);
        places.push(if v == anchor { anchor } else { next.max(anchor + 1) });
    }
    places
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn values_keep_their_order_among_themselves_and_the_anchors() {
        assert_eq!(place(&[-700, 5, 9000], &[]), [0, 1, 2]);
        assert_eq!(place(&[-700, -3, 0, 77, 100, 4000, 5000], &[0, 100]), [-2, -1, 0, 1, 100, 101, 102]);
    }
}
