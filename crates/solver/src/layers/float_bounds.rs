//! Arithmetic on a few unknown floats, by bounds: boxes of inputs are refuted by interval arithmetic, tried in their middle, and split.
//!
//! Where every box is refuted, so is the question. A middle that satisfies all conditions is a model. Otherwise, after so many boxes,
//! the next layer is asked. Boxes are halved by the order of floats and not by their values: sixty-four halvings end at a single one.

use rustc_hash::FxHashMap;
use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Node, TermId, Terms, UnOp, ops};

use super::Question;
use crate::answer::Verdict;
use crate::interval::{Interval, Truth};

/// Terms that the conditions are made of; boxes that are looked at; both together; and inputs that are split.
const MOST_TERMS: usize = 4_000;
const MOST_BOXES: usize = 600;
const MOST_WORK: usize = 200_000;
const MOST_INPUTS: usize = 3;
/// Terms that are bounded in the time of a step.
const PER_STEP: usize = 2;

/// Decides, and counts the steps it took.
pub(super) fn decide(question: &Question<'_>, slice: &[TermId], evaluator: &mut Evaluator, work: &mut u64) -> Verdict {
    let &Question { terms, model, extra, .. } = question;
    if !terms.has_float(extra) {
        return Verdict::Pass;
    }
    let Some(bounds) = Bounds::of(terms, slice, extra) else { return Verdict::Pass };
    if bounds.inputs.is_empty() || bounds.inputs.len() > MOST_INPUTS {
        return Verdict::Pass;
    }
    let boxes = MOST_BOXES.min(MOST_WORK / bounds.order.len().max(1));
    let mut open: Vec<Vec<Interval>> = vec![vec![Interval::ANY; bounds.inputs.len()]];
    let (mut values, mut refuted_all, mut looked_at) = (vec![Value::Open; bounds.order.len()], true, 0);
    while let Some(region) = open.pop() {
        looked_at += 1;
        if looked_at > boxes {
            refuted_all = false;
            break;
        }
        if !bounds.can_hold(terms, &region, &mut values) {
            continue;
        }
        let middle = region.iter().zip(&bounds.inputs).map(|(range, (input, width))| (*input, middle(*range, *width)));
        let candidate = model.with_all(middle);
        if [extra].iter().chain(slice).all(|t| evaluator.holds(terms, &candidate, *t)) {
            *work += (looked_at * bounds.order.len() / PER_STEP) as u64;
            return Verdict::Sat(candidate);
        }
        match halves(&region, &bounds.inputs) {
            Some(halves) => open.extend(halves),
            // A single value, both zeros for one, that bounds do not decide.
            None => refuted_all = false,
        }
    }
    *work += (looked_at * bounds.order.len() / PER_STEP) as u64;
    if refuted_all { Verdict::Unsat } else { Verdict::Pass }
}

/// What is known of a term in a box.
#[derive(Clone, Copy)]
enum Value {
    Float(Interval),
    Truth(Truth),
    Open,
}

/// The conditions, ready to be bounded again and again.
struct Bounds {
    /// Every term they are made of, children first.
    order: Vec<TermId>,
    place: FxHashMap<TermId, usize>,
    conditions: Vec<TermId>,
    /// The inputs that are read as floats, with their widths.
    inputs: Vec<(InputId, u8)>,
}

impl Bounds {
    fn of(terms: &Terms, slice: &[TermId], extra: TermId) -> Option<Bounds> {
        let conditions: Vec<TermId> = slice.iter().copied().chain([extra]).collect();
        let mut open = conditions.clone();
        let mut place: FxHashMap<TermId, usize> = FxHashMap::default();
        while let Some(term) = open.pop() {
            if place.insert(term, 0).is_none() {
                open.extend(terms.node(term).children());
                if place.len() > MOST_TERMS {
                    return None;
                }
            }
        }
        // A term is made after what it is made of.
        let mut order: Vec<TermId> = place.keys().copied().collect();
        order.sort_unstable_by_key(|term| term.index());
        let mut inputs = Vec::new();
        for (i, term) in order.iter().enumerate() {
            place.insert(*term, i);
            inputs.extend(terms.node(*term).children().filter(|_| reads_floats(terms, *term)).filter_map(|child| {
                match terms.node(child) {
                    Node::Var { input, width } => Some((input, width)),
                    _ => None,
                }
            }));
        }
        inputs.sort_unstable();
        inputs.dedup();
        Some(Bounds { order, place, conditions, inputs })
    }

    /// Whether no condition is refuted in a box.
    fn can_hold(&self, terms: &Terms, region: &[Interval], values: &mut [Value]) -> bool {
        for (i, term) in self.order.iter().enumerate() {
            values[i] = self.value(terms, *term, region, values);
        }
        self.conditions.iter().all(|condition| self.truth(*condition, values).can_hold)
    }

    fn float(&self, t: TermId, values: &[Value]) -> Interval {
        match self.place.get(&t).map(|place| values[*place]) {
            Some(Value::Float(interval)) => interval,
            _ => Interval::ANY,
        }
    }

    fn truth(&self, t: TermId, values: &[Value]) -> Truth {
        match self.place.get(&t).map(|place| values[*place]) {
            Some(Value::Truth(truth)) => truth,
            _ => Truth::OPEN,
        }
    }

    fn value(&self, terms: &Terms, t: TermId, region: &[Interval], values: &[Value]) -> Value {
        let float = |t: TermId| self.float(t, values);
        let truth = |t: TermId| self.truth(t, values);
        match terms.node(t) {
            Node::Const { width: 1, bits } => Value::Truth(Truth { can_hold: bits == 1, can_fail: bits == 0 }),
            Node::Const { width: width @ (32 | 64), bits } => Value::Float(Interval::point(read(bits, width))),
            Node::Var { input, width } => match self.inputs.binary_search(&(input, width)) {
                Ok(at) => Value::Float(region[at]),
                Err(_) => Value::Open,
            },
            Node::Un { op: UnOp::Not, width: 1, a } => Value::Truth(truth(a).not()),
            Node::Un {
                op: op @ (UnOp::FSqrt | UnOp::FCeil | UnOp::FFloor | UnOp::FTrunc | UnOp::FNearest),
                width,
                a,
            } => Value::Float(Interval::unary(op, width, float(a))),
            Node::Bin { op: BinOp::And, width: 1, a, b } => Value::Truth(truth(a).and(truth(b))),
            Node::Bin { op: BinOp::Or, width: 1, a, b } => Value::Truth(truth(a).or(truth(b))),
            Node::Bin { op: op @ (BinOp::And | BinOp::Xor), width: width @ (32 | 64), a, b } => {
                let (sign, magnitude) = (ops::sign_bit(width), ops::mask(width) >> 1);
                let with = |mask: u64| {
                    if terms.as_const(a) == Some(mask) {
                        Some(b)
                    } else {
                        (terms.as_const(b) == Some(mask)).then_some(a)
                    }
                };
                match op {
                    BinOp::Xor => with(sign).map_or(Value::Open, |x| Value::Float(float(x).negated())),
                    _ => with(magnitude).map_or(Value::Open, |x| Value::Float(float(x).absolute())),
                }
            }
            Node::Bin {
                op: op @ (BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FMin | BinOp::FMax),
                width,
                a,
                b,
            } => Value::Float(Interval::binary(op, width, float(a), float(b))),
            Node::Cmp { op: op @ (CmpOp::FEq | CmpOp::FLt | CmpOp::FLe), a, b } => {
                Value::Truth(Interval::compare(op, float(a), float(b)))
            }
            Node::Conv { op: ConvOp::FPromote, a, .. } => Value::Float(float(a)),
            Node::Conv { op: ConvOp::FDemote, a, .. } => Value::Float(float(a).demoted()),
            Node::Conv { op: op @ (ConvOp::FFromS | ConvOp::FFromU), a, .. } => {
                let most = 2f64.powi(i32::from(terms.width(a)));
                let low = if op == ConvOp::FFromS { -most } else { 0.0 };
                Value::Float(Interval { low, high: most, nan: false })
            }
            Node::Ite { cond, then, els, .. } => match (truth(cond), terms.width(t)) {
                (Truth { can_fail: false, .. }, 32 | 64) => Value::Float(float(then)),
                (Truth { can_hold: false, .. }, 32 | 64) => Value::Float(float(els)),
                (_, 32 | 64) => Value::Float(float(then).union(float(els))),
                _ => Value::Open,
            },
            _ => Value::Open,
        }
    }
}

/// Whether a term takes its operands as floats.
fn reads_floats(terms: &Terms, t: TermId) -> bool {
    use BinOp::{FAdd, FDiv, FMax, FMin, FMul, FSub};
    match terms.node(t) {
        Node::Bin { op, .. } => matches!(op, FAdd | FSub | FMul | FDiv | FMin | FMax),
        Node::Un { op, .. } => matches!(op, UnOp::FSqrt | UnOp::FCeil | UnOp::FFloor | UnOp::FTrunc | UnOp::FNearest),
        Node::Cmp { op, .. } => op.is_float(),
        Node::Conv { op, .. } => matches!(op, ConvOp::FPromote | ConvOp::FDemote | ConvOp::FToS | ConvOp::FToU),
        _ => false,
    }
}

fn read(bits: u64, width: u8) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

fn write(value: f64, width: u8) -> u64 {
    match (value.is_nan(), width) {
        (true, 32) => 0x7fc0_0000,
        (true, _) => 0x7ff8_0000_0000_0000,
        (_, 32) => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// A float's place in the order of all floats of its width; both zeros have the same.
fn rank(value: f64, width: u8) -> i128 {
    let bits = write(value, width);
    let magnitude = i128::from(bits & (ops::mask(width) >> 1));
    if bits & ops::sign_bit(width) == 0 { magnitude } else { -magnitude }
}

fn ranked(rank: i128, width: u8) -> f64 {
    let magnitude = rank.unsigned_abs() as u64;
    read(if rank < 0 { magnitude | ops::sign_bit(width) } else { magnitude }, width)
}

/// The bits of a value in the middle of a range.
fn middle(range: Interval, width: u8) -> u64 {
    if range.is_empty() {
        return write(f64::NAN, width);
    }
    write(ranked((rank(range.low, width) + rank(range.high, width)) / 2, width), width)
}

/// A box in two, by the range with the most values; none where it is a single point.
fn halves(region: &[Interval], inputs: &[(InputId, u8)]) -> Option<[Vec<Interval>; 2]> {
    let with = |at: usize, range: Interval| {
        let mut half = region.to_vec();
        half[at] = range;
        half
    };
    // Whether it is a number comes before which.
    if let Some(at) = region.iter().position(|range| range.nan && !range.is_empty()) {
        return Some([with(at, Interval::NAN), with(at, Interval { nan: false, ..region[at] })]);
    }
    let values = |at: &usize| {
        let (range, (_, width)) = (region[*at], inputs[*at]);
        if range.is_empty() { 0 } else { rank(range.high, width) - rank(range.low, width) }
    };
    let at = (0..region.len()).max_by_key(values).filter(|at| values(at) > 0)?;
    let (range, (_, width)) = (region[at], inputs[at]);
    let last = (rank(range.low, width) + rank(range.high, width)).div_euclid(2);
    let (below, above) = (ranked(last, width), ranked(last + 1, width));
    Some([with(at, Interval { high: below, ..range }), with(at, Interval { low: above, ..range })])
}
