//! What conditions say about some inputs, whatever the others are: where that is easily said, states agree more often than their
//! conditions do.
//!
//! Exact, or silent. An input that nobody will mention again and that only has to differ from fewer others than it has values
//! can always be chosen: it says nothing about them. One that equals another is that other.

use rustc_hash::FxHashMap;
use slowpath_term::InputId;
use smallvec::SmallVec;

use super::atom::{Atom, Range, intersect};
use super::conditions::Conditions;
use super::input_set::InputSet;

/// Inputs that are equal, and what is said about their one value.
#[derive(Default)]
struct Class {
    members: Vec<InputId>,
    /// Inputs that it differs from.
    others: Vec<InputId>,
    /// The values it may have; None for all.
    values: Option<Vec<(u64, u64)>>,
    width: Option<u8>,
    /// Members that will be mentioned.
    mentioned: Vec<InputId>,
}

impl Class {
    fn restrict(&mut self, values: &[(u64, u64)]) {
        self.values = Some(match &self.values {
            None => values.to_vec(),
            Some(known) => intersect(known, values),
        });
    }

    /// Whether a value can be found for it whatever the inputs are that it differs from.
    fn is_free(&self) -> bool {
        let mut others = self.others.clone();
        others.sort_unstable();
        others.dedup();
        let values = match (&self.values, self.width) {
            (Some(values), _) => values.iter().fold(0u128, |sum, (low, high)| sum + u128::from(high - low) + 1),
            (None, Some(width)) => 1 << width,
            (None, None) => return true,
        };
        values > others.len() as u128
    }
}

/// All inputs that equal this one. `own`: what every path says of it by itself need not be said. None where something is said
/// that is not understood here.
fn class_of(conditions: &Conditions, mentioned: &InputSet, input: InputId, own: bool) -> Option<Class> {
    let mut class = Class { members: vec![input], ..Class::default() };
    let mut seen = InputSet::default();
    seen.insert(input);
    let mut at = 0;
    while let Some(&member) = class.members.get(at) {
        at += 1;
        if mentioned.contains(member) {
            class.mentioned.push(member);
        }
        if !own || member != input {
            match conditions.range(member) {
                None => {}
                Some(Range::Within(values)) => class.restrict(values),
                Some(Range::Unclear) => return None,
            }
        }
        for known in conditions.of(member) {
            match &known.atom {
                Atom::Within(values) => class.restrict(values),
                Atom::Equal(a, b) => {
                    let other = if *a == member { *b } else { *a };
                    if seen.insert(other) {
                        class.members.push(other);
                    }
                }
                Atom::Differ(a, b, width) => {
                    class.width = Some(*width);
                    class.others.push(if *a == member { *b } else { *a });
                }
                Atom::Other => return None,
            }
        }
    }
    Some(class)
}

/// Writes down what is said about the mentioned inputs; false where not all of it is understood here.
fn write(conditions: &Conditions, mentioned: &InputSet, inputs: &[InputId], out: &mut Vec<u64>) -> bool {
    // The mentioned input that stands for each input of a class that has one.
    let mut stands_for: FxHashMap<InputId, InputId> = FxHashMap::default();
    let mut classes = Vec::new();
    for &input in inputs {
        if stands_for.contains_key(&input) {
            continue;
        }
        let Some(class) = class_of(conditions, mentioned, input, true) else { return false };
        for member in &class.members {
            stands_for.insert(*member, input);
        }
        classes.push((input, class));
    }
    out.extend([2, classes.len() as u64]);
    for (input, mut class) in classes {
        out.extend([u64::from(input.0), class.mentioned.len() as u64]);
        class.mentioned.sort_unstable();
        out.extend(class.mentioned.iter().map(|member| u64::from(member.0)));
        let values = class.values.unwrap_or_default();
        out.push(values.len() as u64);
        out.extend(values.iter().flat_map(|(low, high)| [*low, *high]));
        let mut differs = Vec::new();
        for other in class.others {
            match stands_for.get(&other) {
                Some(known) => differs.push(u64::from(known.0)),
                None => match class_of(conditions, mentioned, other, false) {
                    Some(class) if class.mentioned.is_empty() && class.is_free() => {}
                    _ => return false,
                },
            }
        }
        differs.sort_unstable();
        differs.dedup();
        out.push(differs.len() as u64);
        out.extend(differs);
    }
    true
}

/// Writes down what the path says about these inputs, so that equal numbers mean that the same values are possible.
pub fn slice(conditions: &Conditions, mentioned: &InputSet, out: &mut Vec<u64>) {
    let inputs: SmallVec<[InputId; 8]> = conditions.constrained(mentioned).collect();
    if inputs.is_empty() {
        return out.push(0);
    }
    let before = out.len();
    if !write(conditions, mentioned, &inputs, out) {
        out.truncate(before);
        conditions.write_all(inputs, out);
    }
}
