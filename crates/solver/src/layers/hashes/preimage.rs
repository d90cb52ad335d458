//! Inputs under which a term has a given value, and others keep theirs: by inverting it for one input, by going through the values of a byte, by drawing values of
//! some inputs, and where it is a chain of steps, by meeting in its middle.
//!
//! What comes out are candidates that give the value, by evaluation; the caller asks about everything else. That there are none proves nothing.

use slowpath_term::{Model, TermId};

use super::middle;
use super::source::Source;
use super::view::{Change, Tools, View};
use crate::layers::invert::Inverter;
use crate::sets::Intervals;

/// Operations done for one value.
const MOST_DONE: u64 = 2_000_000;
/// Candidates that are returned.
const MOST_FOUND: usize = 12;
/// Inputs that are changed alone, and that values are drawn for.
const ALONE: usize = 6;
const TOGETHER: usize = 16;

/// Changes of inputs under which the terms are what they are to be, all other inputs staying as the model has them. The first is what has to
/// change.
pub(super) fn preimages(tools: &mut Tools<'_>, model: &Model, wanted: &[(TermId, u64)]) -> Vec<Change> {
    let Some(&(t, value)) = wanted.first() else { return Vec::new() };
    let Some(mut view) = View::of(tools.terms, tools.track, model, wanted) else { return Vec::new() };
    let until = tools.done + MOST_DONE;
    let mut found: Vec<Change> = Vec::new();
    alone(tools, &mut view, model, (t, value), &mut found);
    if !middle::is_rare(tools.terms, t) {
        drawn(tools, &mut view, until, &mut found);
    } else if found.is_empty() {
        found.extend(middle::meet(tools, &mut view, t, value));
    }
    found
}

/// Changes of one input.
fn alone(tools: &mut Tools<'_>, view: &mut View, model: &Model, (t, value): (TermId, u64), found: &mut Vec<Change>) {
    let width = tools.terms.width(t);
    // What comes by chance has its part.
    let most = found.len() + MOST_FOUND / 2;
    for at in 0..view.sources.len().min(ALONE) {
        let Source { input, leaf, ref few, .. } = view.sources[at];
        let now = view.flat.value(leaf);
        let mut values = few.clone();
        if values.is_empty() {
            let domain = tools.track.domain(input).cloned();
            let inverter = Inverter::new(tools.terms, tools.evaluator, model, input, domain.as_deref());
            values = inverter.candidates_for(t, Intervals::single(width, value));
        }
        let behind = view.behind(&[leaf]);
        for value in values {
            view.flat.set(leaf, value);
            view.flat.evaluate_only(&behind);
            tools.done += behind.len() as u64;
            if value != now && found.len() < most && view.is_wanted() {
                found.push(vec![(input, value)]);
            }
        }
        view.flat.set(leaf, now);
        view.flat.evaluate_only(&behind);
    }
}

/// Changes of several inputs by chance: of a bucket one in so many values is right.
fn drawn(tools: &mut Tools<'_>, view: &mut View, until: u64, found: &mut Vec<Change>) {
    let sources: Vec<Source> =
        view.sources.iter().take(TOGETHER).filter(|source| source.count() > 1).cloned().collect();
    // What keeps other terms as they are is rare, and likely to be right.
    let most = if view.wanted.len() > 1 { found.len() + 1 } else { MOST_FOUND };
    // Two of them, then four, and so on: few changes first.
    for together in [2, 4, TOGETHER] {
        let some = &sources[..together.min(sources.len())];
        let leaves: Vec<u32> = some.iter().map(|source| source.leaf).collect();
        let before: Vec<u64> = leaves.iter().map(|leaf| view.flat.value(*leaf)).collect();
        let behind = view.behind(&leaves);
        // Most draws fail at the first term: the others are looked at where it is right.
        let behind_first = view.flat.behind(&leaves, &[view.wanted[0].0]);
        let left = until.saturating_sub(tools.done);
        let share = tools.done + if together >= sources.len() { left } else { left / 2 };
        while tools.done < share && found.len() < most {
            tools.done += behind_first.len() as u64 + 4 * leaves.len() as u64 + 1;
            for source in some {
                view.flat.set(source.leaf, source.draw(&mut tools.numbers));
            }
            view.flat.evaluate_only(&behind_first);
            let (first, value) = view.wanted[0];
            if view.flat.value(first) != value {
                continue;
            }
            view.flat.evaluate_only(&behind);
            tools.done += behind.len() as u64;
            if view.is_wanted() {
                found.push(some.iter().map(|source| (source.input, view.flat.value(source.leaf))).collect());
            }
        }
        for (leaf, value) in leaves.iter().zip(before) {
            view.flat.set(*leaf, value);
        }
        view.flat.evaluate_only(&behind);
        if together >= sources.len() {
            break;
        }
    }
}
