//! The inputs of one size: how many of which type, and which values each may have.

use slowpath_program::call::ElemType;
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_search::{Budget, Rng, Target, draw_input, random_paths};

/// Random draws after which a harness is asked for an input by way of its path conditions.
const DRAWS: u64 = 8;
/// Paths sampled for that.
const PATHS: u64 = 4;

/// Lowest and highest value of an input's elements, both included.
pub type Range = (i128, i128);

/// What inputs of one size look like.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Every input with some values that are allowed.
    pub template: InputValues,
    /// For every input what its values may be. Of a harness, which judges for itself, what it has accepted so far.
    pub ranges: Vec<Range>,
    /// Whether the ranges were declared and not only observed.
    pub declared: bool,
}

impl Domain {
    /// The inputs of a size. None where no input is known that a harness allows.
    pub fn of(target: &Target, n: i64, budget: &Budget) -> Option<Domain> {
        if let Some(specs) = target.inputs(n) {
            let ranges: Vec<Range> = specs.iter().map(|spec| spec.range.unwrap_or_else(|| bounds(spec.ty))).collect();
            let zero = |(spec, range): (&slowpath_program::call::InputSpec, &Range)| NamedInput {
                name: spec.name.clone(),
                ty: spec.ty,
                scalar: spec.scalar,
                bits: vec![bits_of(spec.ty, 0.clamp(range.0, range.1)); spec.count as usize],
            };
            let template = InputValues(specs.iter().zip(&ranges).map(zero).collect());
            return Some(Domain { template, ranges, declared: true });
        }
        let mut domain = drawn(target, n, budget).or_else(|| sampled(target, n, budget))?;
        for i in 0..DRAWS {
            let seed = Rng::new(target.seed, 0xD0_0000 + i).next();
            if let Ok(Some(input)) = draw_input(target, n, seed, budget) {
                domain.accept(&input);
            }
        }
        Some(domain)
    }

    fn observed(template: InputValues) -> Domain {
        let ranges = template.0.iter().map(|input| spread(input).unwrap_or((0, 0))).collect();
        Domain { template, ranges, declared: false }
    }

    /// Takes note of values that a harness has accepted.
    pub fn accept(&mut self, input: &InputValues) {
        if self.declared {
            return;
        }
        for (range, named) in self.ranges.iter_mut().zip(&input.0) {
            if let Some((low, high)) = spread(named) {
                *range = (range.0.min(low), range.1.max(high));
            }
        }
    }

    /// The values an element of the k-th input may be given: what is declared, or a little more than was accepted so far.
    pub fn range(&self, k: usize) -> Range {
        let (low, high) = self.ranges.get(k).copied().unwrap_or((0, 0));
        if self.declared {
            return (low, high);
        }
        let (least, most) = self.template.0.get(k).map_or((low, high), |input| bounds(input.ty));
        let margin = 1 + (high - low) / 16;
        ((low - margin).max(least), (high + margin).min(most))
    }

    /// How many inputs there are in all, as far as that can be counted.
    pub fn count(&self) -> Option<u128> {
        if !self.declared || self.template.0.iter().any(|input| input.ty.is_float()) {
            return None;
        }
        let mut count: u128 = 1;
        for (input, (low, high)) in self.template.0.iter().zip(&self.ranges) {
            let values = u128::try_from(high - low + 1).ok()?;
            count = count.checked_mul(values.checked_pow(u32::try_from(input.bits.len()).ok()?)?)?;
        }
        Some(count)
    }
}

/// An input that the harness accepts, by luck.
fn drawn(target: &Target, n: i64, budget: &Budget) -> Option<Domain> {
    let draw = |i| draw_input(target, n, Rng::new(target.seed, i).next(), budget).ok().flatten();
    (0..DRAWS).find_map(draw).map(Domain::observed)
}

/// An input that the harness accepts, from the conditions it sets.
fn sampled(target: &Target, n: i64, budget: &Budget) -> Option<Domain> {
    let found = random_paths(target, n, PATHS, budget).ok()?;
    found.worst.map(|worst| Domain::observed(worst.input))
}

/// Least and greatest value of an input.
fn spread(input: &NamedInput) -> Option<Range> {
    let values = || input.bits.iter().map(|bits| number_of(input.ty, *bits));
    Some((values().min()?, values().max()?))
}

/// What a type can hold; of floats the whole numbers that they tell apart.
pub fn bounds(ty: ElemType) -> Range {
    match ty {
        ElemType::F32 => (-(1 << 24), 1 << 24),
        ElemType::F64 => (-(1 << 53), 1 << 53),
        _ => ty.bounds(),
    }
}

/// The number that an element's bits stand for; of a float the nearest of those that it tells apart.
pub fn number_of(ty: ElemType, bits: u64) -> i128 {
    let float = match ty {
        ElemType::F32 => f64::from(f32::from_bits(bits as u32)),
        ElemType::F64 => f64::from_bits(bits),
        _ => return ty.integer(bits),
    };
    let (low, high) = bounds(ty);
    (float as i128).clamp(low, high)
}

/// The bits of an element that stand for a number within its type.
pub fn bits_of(ty: ElemType, number: i128) -> u64 {
    match ty {
        ElemType::F32 => u64::from((number as f32).to_bits()),
        ElemType::F64 => (number as f64).to_bits(),
        _ => number as u64 & ty.mask(),
    }
}
