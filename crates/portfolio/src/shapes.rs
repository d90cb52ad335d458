//! Inputs of simple shapes: equal, rising, falling, alternating, extreme. Many worst inputs are of one of them.

use slowpath_program::call::ElemType;
use slowpath_program::input::InputValues;

use crate::domain::{Domain, bits_of, bounds};
use crate::series::{apart, joined_domain};

/// The value at an index of so many, between a lowest and a highest value.
type Shape = fn(usize, usize, i128, i128) -> i128;

/// Zero comes first: what is nearest to it in the range.
const SHAPES: [Shape; 15] = [
    |_, _, low, high| 0.clamp(low, high),
    |_, _, low, high| 1.clamp(low, high),
    |_, _, _, high| high,
    |_, _, low, _| low,
    // Rising and falling by one, from the bottom of the range or from zero.
    |i, _, low, high| (0.clamp(low, high) + i as i128).min(high),
    |i, n, low, high| (0.clamp(low, high) + (n - i) as i128).min(high),
    |i, n, low, high| low + (high - low) * i as i128 / n.max(1) as i128,
    |i, n, low, high| high - (high - low) * i as i128 / n.max(1) as i128,
    // Alternating, and in short periods.
    |i, _, low, high| if i % 2 == 0 { low } else { high },
    |i, _, low, high| ((i % 2) as i128).clamp(low, high),
    |i, _, low, high| (low.max(0) + (i % 3) as i128).min(high),
    // Up and down again; halves; the last or the first one different.
    |i, n, low, high| (0.clamp(low, high) + i.min(n - i) as i128).min(high),
    |i, n, low, high| if 2 * i < n { low.max(0) } else { high },
    |i, n, low, high| if i + 1 < n { 0.clamp(low, high) } else { 1.clamp(low, high) },
    |i, _, low, high| if i > 0 { 0.clamp(low, high) } else { high },
];

/// Shapes that are tried in pairs where there are several inputs, the first ones.
const PAIRED: usize = 7;

/// Every input in each shape; and, where there are several inputs, in pairs of shapes. Made one by one: inputs may be large.
pub fn shaped(domain: &Domain) -> impl Iterator<Item = InputValues> {
    let joined = joined_domain(domain);
    let paired = if joined.template.0.len() > 1 { PAIRED } else { 0 };
    let pairs = (0..paired).flat_map(move |first| (0..paired).map(move |rest| (first, rest)));
    let alike = (0..SHAPES.len()).map(|shape| (shape, shape));
    let floats = floats(&joined);
    let shapes = alike
        .chain(pairs.filter(|(first, rest)| first != rest))
        .map(move |(first, rest)| fill(&joined, &|k| if k == 0 { first } else { rest }));
    shapes.chain(floats).map(|input| apart(input, &domain.template))
}

/// Floats that are no whole numbers: between them, beyond them, and none at all. Loops that converge take longest for one of these.
const FLOATS: [f64; 9] =
    [f64::INFINITY, f64::NAN, f64::NEG_INFINITY, 0.1, 5e-324, f64::MAX, f64::MIN_POSITIVE, -0.0, f64::EPSILON];

/// Every float that may be anything filled with each of these, all else zero.
fn floats(domain: &Domain) -> Vec<InputValues> {
    let is_free = |k: usize, ty: ElemType| ty.is_float() && domain.ranges.get(k) == Some(&bounds(ty));
    let free: Vec<bool> = domain.template.0.iter().enumerate().map(|(k, input)| is_free(k, input.ty)).collect();
    let filled = |value: f64| {
        let mut out = fill(domain, &|_| 0);
        for (input, _) in out.0.iter_mut().zip(&free).filter(|(_, free)| **free) {
            let bits = if input.ty == ElemType::F32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
            input.bits.fill(bits);
        }
        out
    };
    let count = if domain.declared && free.contains(&true) { FLOATS.len() } else { 0 };
    FLOATS[..count].iter().map(|value| filled(*value)).collect()
}

fn fill(domain: &Domain, shape: &dyn Fn(usize) -> usize) -> InputValues {
    let mut out = domain.template.clone();
    for (k, input) in out.0.iter_mut().enumerate() {
        let (low, high) = domain.ranges.get(k).copied().unwrap_or((0, 0));
        let (n, ty) = (input.bits.len(), input.ty);
        for (i, bits) in input.bits.iter_mut().enumerate() {
            *bits = bits_of(ty, SHAPES[shape(k)](i, n, low, high).clamp(low, high));
        }
    }
    out
}

/// Every array filled with one of these values, and with pairs of neighbours among them: what a program names it may well treat
/// specially.
pub fn of_constants<'d>(domain: &'d Domain, constants: &'d [i64]) -> impl Iterator<Item = InputValues> + 'd {
    let filled = move |unit: &[i64]| {
        let mut out = domain.template.clone();
        for (k, input) in out.0.iter_mut().enumerate().filter(|(_, input)| !input.scalar) {
            let (low, high) = domain.ranges.get(k).copied().unwrap_or((0, 0));
            let ty = input.ty;
            for (i, bits) in input.bits.iter_mut().enumerate() {
                *bits = bits_of(ty, i128::from(unit[i % unit.len()]).clamp(low, high));
            }
        }
        out
    };
    constants.iter().map(move |one| filled(&[*one])).chain(constants.windows(2).map(filled))
}
