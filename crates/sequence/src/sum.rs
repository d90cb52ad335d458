//! Sums of products over a size n and an index i: what parameters and laws are made of.

use crate::ratio::{Ratio, gcd};
use crate::solve::System;
use serde::{Deserialize, Serialize};

/// A quantity that sums are built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Atom {
    /// The size.
    N,
    /// The index.
    I,
    /// The row of the index: ⌊i/width⌋.
    Row,
    /// The column of the index: i mod width.
    Column,
    /// ⌊(n + plus)/by⌋
    FloorN { plus: u8, by: u8 },
    /// ⌊i/by⌋
    FloorI { by: u8 },
    /// ⌊log₂ n⌋, for n ≥ 1
    FloorLog,
    /// ⌈log₂ n⌉, for n ≥ 1
    CeilLog,
    /// 2^⌊log₂ n⌋: the largest power of two up to n, for n ≥ 1
    FloorPower,
    /// 2^⌈log₂ n⌉: the smallest power of two from n, for n ≥ 1
    CeilPower,
    /// How many bits of i are set.
    Ones,
}

/// Where a sum is evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub n: i128,
    pub i: i128,
    /// The length of a row, or 0 where there are no rows.
    pub width: i128,
}

impl Place {
    pub fn size(n: u64) -> Place {
        Place { n: i128::from(n), i: 0, width: 0 }
    }
}

impl Atom {
    pub(crate) fn value(self, at: Place) -> Option<i128> {
        Some(match self {
            Atom::N => at.n,
            Atom::I => at.i,
            Atom::Row => at.i.checked_div_euclid(at.width)?,
            Atom::Column => at.i.checked_rem_euclid(at.width)?,
            Atom::FloorN { plus, by } => at.n.checked_add(i128::from(plus))?.checked_div_euclid(i128::from(by))?,
            Atom::FloorI { by } => at.i.checked_div_euclid(i128::from(by))?,
            Atom::FloorLog => i128::from(at.n.checked_ilog2()?),
            Atom::CeilLog => i128::from(ceil_log(at.n)?),
            Atom::FloorPower => 1i128 << at.n.checked_ilog2()?,
            Atom::CeilPower => 1i128.checked_shl(ceil_log(at.n)?)?,
            Atom::Ones => i128::from(u64::try_from(at.i).ok()?.count_ones()),
        })
    }

    /// Whether the index matters.
    pub(crate) fn has_index(self) -> bool {
        matches!(self, Atom::I | Atom::Row | Atom::Column | Atom::FloorI { .. } | Atom::Ones)
    }
}

fn ceil_log(n: i128) -> Option<u32> {
    (n >= 1).then(|| if n == 1 { 0 } else { (n - 1).ilog2() + 1 })
}

/// A product of atoms, repeated for powers; the empty one is 1.
pub(crate) type Product = Vec<Atom>;

fn product(atoms: &[Atom], at: Place) -> Option<i128> {
    atoms.iter().try_fold(1i128, |all, atom| all.checked_mul(atom.value(at)?))
}

/// One summand: `factor` times the product of `atoms`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Term {
    pub factor: i128,
    pub atoms: Product,
}

/// A sum of products with whole factors, divided by `over`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sum {
    pub(crate) terms: Vec<Term>,
    pub(crate) over: i128,
}

impl Sum {
    pub(crate) fn constant(value: i128) -> Sum {
        let terms = if value == 0 { Vec::new() } else { vec![Term { factor: value, atoms: Vec::new() }] };
        Sum { terms, over: 1 }
    }

    fn new(basis: &[Product], factors: &[Ratio]) -> Option<Sum> {
        let mut over = 1i128;
        for factor in factors {
            over = (over / gcd(over, factor.denominator())?).checked_mul(factor.denominator())?;
        }
        let mut terms = Vec::new();
        for (atoms, factor) in basis.iter().zip(factors) {
            if !factor.is_zero() {
                let whole = factor.numerator().checked_mul(over / factor.denominator())?;
                terms.push(Term { factor: whole, atoms: atoms.clone() });
            }
        }
        Some(Sum { terms, over })
    }

    /// The exact value. `None`: it is no whole number, or does not fit.
    pub(crate) fn value(&self, at: Place) -> Option<i128> {
        let mut total = 0i128;
        for term in &self.terms {
            total = total.checked_add(term.factor.checked_mul(product(&term.atoms, at)?)?)?;
        }
        if self.over == 1 {
            return Some(total);
        }
        (total.checked_rem(self.over)? == 0).then(|| total / self.over)
    }

    /// The one sum over `basis` that `train` settles and all of `points` agree with.
    pub(crate) fn fit<'a>(
        basis: &[Product],
        train: impl Iterator<Item = &'a (Place, i128)>,
        mut points: impl Iterator<Item = &'a (Place, i128)>,
    ) -> Option<Sum> {
        let mut system = System::new(basis.len());
        let mut row = vec![0; basis.len()];
        for (at, value) in train {
            for (cell, atoms) in row.iter_mut().zip(basis) {
                *cell = product(atoms, *at)?;
            }
            system.add(&row, *value)?;
            if system.is_determined() {
                break;
            }
        }
        let sum = Sum::new(basis, &system.solution()?)?;
        points.all(|(at, value)| sum.value(*at) == Some(*value)).then_some(sum)
    }

    /// How much there is to read: one for each summand, more for what is harder to grasp.
    pub(crate) fn weight(&self) -> usize {
        let atom = |atom: &Atom| match atom {
            Atom::N | Atom::I | Atom::Row | Atom::Column => 1,
            _ => 3,
        };
        let terms: usize = self.terms.iter().map(|term| 1 + term.atoms.iter().map(atom).sum::<usize>()).sum();
        terms + usize::from(self.over != 1) + 1
    }
}

/// A sum at one size, for many indices.
pub(crate) struct SumAtSize {
    terms: Vec<Term>,
    constant: i128,
    slope: i128,
    over: i128,
    base: Place,
}

impl SumAtSize {
    pub fn new(sum: &Sum, base: Place) -> Option<SumAtSize> {
        let (mut terms, mut constant, mut slope) = (Vec::<Term>::new(), 0i128, 0i128);
        for term in &sum.terms {
            let (index, size): (Product, Product) = term.atoms.iter().partition(|atom| atom.has_index());
            let factor = term.factor.checked_mul(product(&size, base)?)?;
            match index[..] {
                [] => constant = constant.checked_add(factor)?,
                [Atom::I] => slope = slope.checked_add(factor)?,
                _ => terms.push(Term { factor, atoms: index }),
            }
        }
        Some(SumAtSize { terms, constant, slope, over: sum.over, base })
    }

    pub fn value(&self, i: i128) -> Option<i128> {
        let mut total = self.slope.checked_mul(i)?.checked_add(self.constant)?;
        for term in &self.terms {
            let value = product(&term.atoms, Place { i, ..self.base })?;
            total = total.checked_add(term.factor.checked_mul(value)?)?;
        }
        if self.over == 1 {
            return Some(total);
        }
        (total % self.over == 0).then(|| total / self.over)
    }
}
