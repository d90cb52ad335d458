//! Meeting in the middle of a chain of steps: a text's hash takes one letter after the other, each step undone if its letter is known. So what
//! the last letters lead back to from the wanted hash, and what the first letters lead to, need only meet.
//!
//! 65,536 ways back and 262,144 forward meet four times over in 32 bits. Nothing is proven where they do not.

use rustc_hash::FxHashMap;
use slowpath_term::ops::{self, mask};
use slowpath_term::{BinOp, ConvOp, InputId, Node, TermId, Terms, UnOp};

use super::source::Source;
use super::view::{Change, Tools, View};
use crate::layers::invert::{divide, shift_of, unmixed};

/// Values that a term may have and still be hit by chance.
const COMMON: u64 = 1 << 12;
/// Ways back from the wanted value, and ways forward.
const BACK: u64 = 1 << 16;
const FORWARD: u64 = 1 << 18;
/// Meetings that are returned.
const MOST_FOUND: usize = 4;
/// Steps of a chain.
const MOST_STEPS: usize = 512;

/// Whether a given value of the term is too rare to be hit by chance.
pub(super) fn is_rare(terms: &Terms, t: TermId) -> bool {
    let (low, high) = terms.bounds(t);
    high - low >= COMMON
}

/// One step of the chain, seen from its result.
#[derive(Clone, Copy)]
struct Undo {
    how: How,
    width: u8,
    /// What the step came from, and the other operand, if it has one.
    from: TermId,
    other: Option<TermId>,
}

#[derive(Clone, Copy)]
enum How {
    /// An operation with another operand, which is on the left or not.
    Bin {
        op: BinOp,
        left: bool,
    },
    /// A number mixed with itself shifted.
    Mixed {
        op: BinOp,
        shift: (u8, bool),
        first: bool,
    },
    Not,
    /// Wider, with zeros or with the sign.
    Wider {
        op: ConvOp,
        narrow: u8,
    },
}

impl Undo {
    /// What the step began with if it ended with `v`.
    fn undo(self, v: u64, other: u64) -> Option<u64> {
        let width = self.width;
        let all = mask(width);
        let before = match self.how {
            How::Bin { op: BinOp::Add, .. } => v.wrapping_sub(other) & all,
            How::Bin { op: BinOp::Xor, .. } => v ^ other,
            How::Bin { op: BinOp::Sub, left: true } => v.wrapping_add(other) & all,
            How::Bin { op: BinOp::Sub, left: false } => other.wrapping_sub(v) & all,
            How::Bin { op: BinOp::Mul, .. } if other % 2 == 1 => divide(v, other, 0, width)?,
            How::Bin { op: BinOp::RotL, left: true } => ops::bin(BinOp::RotR, width, v, other),
            How::Bin { op: BinOp::RotR, left: true } => ops::bin(BinOp::RotL, width, v, other),
            How::Bin { .. } => return None,
            How::Mixed { op, shift, first } => unmixed(op, width, shift, first, v),
            How::Not => !v & all,
            How::Wider { op, narrow } => {
                let before = v & mask(narrow);
                return (ops::conv(op, narrow, width, before) == v).then_some(before);
            }
        };
        Some(before)
    }
}

/// The step that a term is the result of. Of two operands with inputs the one with more is what was hashed before.
fn step(terms: &Terms, t: TermId) -> Option<Undo> {
    let is_known = |t: TermId| terms.inputs(t).is_empty();
    let width = terms.width(t);
    match terms.node(t) {
        Node::Un { op: UnOp::Not, a, .. } => Some(Undo { how: How::Not, width, from: a, other: None }),
        Node::Conv { op: op @ (ConvOp::ZExt | ConvOp::SExt), a, .. } => {
            Some(Undo { how: How::Wider { op, narrow: terms.width(a) }, width, from: a, other: None })
        }
        Node::Bin { op, a, b, .. } => {
            for (x, y, first) in [(a, b, true), (b, a, false)] {
                if let (BinOp::Xor | BinOp::Add | BinOp::Sub, Some(shift)) = (op, shift_of(terms, x, y)) {
                    return Some(Undo { how: How::Mixed { op, shift, first }, width, from: x, other: None });
                }
            }
            let left = is_known(b) || (!is_known(a) && terms.inputs(a).len() >= terms.inputs(b).len());
            let (from, other) = if left { (a, b) } else { (b, a) };
            Some(Undo { how: How::Bin { op, left }, width, from, other: Some(other) })
        }
        _ => None,
    }
}

/// Where a chain is cut: the steps behind the cut, what stands there, and the inputs of both sides.
struct Cut {
    steps: Vec<Undo>,
    middle: TermId,
    late: Vec<Source>,
    early: Vec<Source>,
}

/// Follows the chain back until the steps have values enough to meet.
fn cut(terms: &Terms, sources: &[Source], t: TermId) -> Option<Cut> {
    let (mut steps, mut middle) = (Vec::new(), t);
    let mut late: Vec<InputId> = Vec::new();
    let source_of = |input: &InputId| sources.iter().find(|source| source.input == *input).cloned();
    let count = |inputs: &[InputId]| {
        let counts = inputs.iter().filter_map(source_of).map(|source| source.count());
        counts.fold(1u64, u64::saturating_mul)
    };
    let mut best = None;
    while steps.len() < MOST_STEPS {
        let Some(undo) = step(terms, middle) else { break };
        if let Some(other) = undo.other {
            late.extend(terms.inputs(other));
        }
        steps.push(undo);
        middle = undo.from;
        let early = terms.inputs(middle);
        if early.is_empty() {
            break;
        }
        if late.is_empty() || early.iter().any(|input| late.contains(input)) {
            continue;
        }
        best = Some((steps.len(), middle, late.clone()));
        if count(&late) >= BACK {
            break;
        }
    }
    let (length, middle, mut late) = best?;
    steps.truncate(length);
    late.sort_unstable();
    late.dedup();
    let early: Option<Vec<Source>> = terms.inputs(middle).iter().map(source_of).collect();
    Some(Cut { steps, middle, late: late.iter().map(source_of).collect::<Option<_>>()?, early: early? })
}

/// Changes of inputs under which `t` is `wanted`.
pub(super) fn meet(tools: &mut Tools<'_>, view: &mut View, t: TermId, wanted: u64) -> Vec<Change> {
    let Some(Cut { steps, middle, late, early }) = cut(tools.terms, &view.sources, t) else { return Vec::new() };
    let flat = &mut view.flat;
    let Some(middle) = flat.place(middle) else { return Vec::new() };
    let others: Option<Vec<Option<u32>>> =
        steps.iter().map(|undo| undo.other.map_or(Some(None), |other| flat.place(other).map(Some))).collect();
    let Some(others) = others else { return Vec::new() };
    let all: Vec<u32> = others.iter().flatten().copied().collect();
    let places = |sources: &[Source]| sources.iter().map(|source| source.leaf).collect::<Vec<u32>>();
    let behind = flat.behind(&places(&late), &all);
    // What the wanted value leads back to, by the last inputs.
    let mut back: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
    for turn in 0..BACK.min(2 * late.iter().map(Source::count).fold(1, u64::saturating_mul)) {
        if turn > 0 {
            late.iter().for_each(|source| flat.set(source.leaf, source.draw(&mut tools.numbers)));
        }
        flat.evaluate_only(&behind);
        tools.done += (behind.len() + steps.len()) as u64;
        let before = steps.iter().zip(&others).try_fold(wanted, |v, (undo, other)| {
            let other = other.map_or(0, |place| flat.value(place));
            undo.undo(v, other)
        });
        if let Some(before) = before {
            back.entry(before).or_insert_with(|| late.iter().map(|source| flat.value(source.leaf)).collect());
        }
    }
    // What the first inputs lead to.
    let behind = flat.behind(&places(&early), &[middle]);
    let mut found = Vec::new();
    for turn in 0..FORWARD.min(2 * early.iter().map(Source::count).fold(1, u64::saturating_mul)) {
        if turn > 0 {
            early.iter().for_each(|source| flat.set(source.leaf, source.draw(&mut tools.numbers)));
        }
        flat.evaluate_only(&behind);
        tools.done += behind.len() as u64 + 4;
        let Some(values) = back.get(&flat.value(middle)) else { continue };
        let late = late.iter().zip(values).map(|(source, value)| (source.input, *value));
        let early = early.iter().map(|source| (source.input, flat.value(source.leaf)));
        found.push(early.chain(late).collect());
        if found.len() == MOST_FOUND {
            break;
        }
    }
    found
}
