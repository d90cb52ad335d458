//! Shorter patterns that are about as bad: whatever can be left out at little loss is, for people to read.

use slowpath_sequence::Pattern;

use super::growth::{Growth, Lab};
use crate::patterns::JointPattern;

/// The part of the cost that has to stay.
const AS_BAD: f64 = 0.97;

/// The pattern with as little as possible in it.
pub fn shorten(mut pattern: JointPattern, mut growth: Growth, lab: &mut Lab<'_, '_>) -> (JointPattern, Growth) {
    let as_bad = growth;
    'again: loop {
        for shorter in shorter(&pattern) {
            if lab.budget.expired().is_some() {
                return (pattern, growth);
            }
            if let Some(found) = lab.growth(&shorter).filter(|found| as_bad.is_reached_by(found, AS_BAD)) {
                (pattern, growth) = (shorter, found);
                continue 'again;
            }
        }
        return (pattern, growth);
    }
}

/// Everything that has one part or one element less, those first that lack most. A filler stays: a few sizes at which it is not needed say
/// nothing of the others.
fn shorter(pattern: &JointPattern) -> Vec<JointPattern> {
    let mut all = Vec::new();
    for (k, one) in pattern.0.iter().enumerate() {
        let mut add = |change: &dyn Fn(&mut Pattern)| {
            let mut less = one.clone();
            change(&mut less);
            if let Some(counter) = &mut less.counter {
                counter.at = counter.at.min(less.unit.len());
            }
            if less != *one && !less.unit.is_empty() {
                let mut joint = pattern.clone();
                joint.0[k] = less;
                all.push(joint);
            }
        };
        add(&|less| (less.second, less.middle, less.second_fills) = (Vec::new(), Vec::new(), false));
        add(&|less| less.prefix.clear());
        add(&|less| less.suffix.clear());
        add(&|less| less.middle.clear());
        add(&|less| less.step = 0);
        add(&|less| less.counter = None);
        add(&|less| less.unit.truncate(less.unit.len() / 2));
        for part in PARTS {
            for at in 0..part(&mut one.clone()).len() {
                add(&|less| {
                    part(less).remove(at);
                });
            }
        }
    }
    all
}

type Part = fn(&mut Pattern) -> &mut Vec<i64>;

const PARTS: [Part; 5] = [|p| &mut p.prefix, |p| &mut p.unit, |p| &mut p.middle, |p| &mut p.second, |p| &mut p.suffix];
