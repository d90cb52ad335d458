//! Functions of a size: the simplest that a few samples agree on, with samples to spare.

use crate::sum::{Atom, Place, Product, Sum};
use serde::{Deserialize, Serialize};

/// Samples that have to agree beyond those that settle a function, unless told otherwise.
const HELD_OUT: usize = 2;
/// Functions that [`Parameter::candidates`] returns at most.
const MAX_CANDIDATES: usize = 6;
/// Samples that are looked at, the smallest sizes first.
const MAX_SAMPLES: usize = 256;
/// Remainders by more than the families know, which samples have to show by themselves.
const LONG_PERIODS: std::ops::RangeInclusive<u8> = 5..=8;

/// An exact function of n: a sum, or one for each remainder of n.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parameter {
    /// The sum of class `n mod classes.len()`.
    pub(crate) classes: Vec<Sum>,
}

/// A family of functions with as many degrees of freedom as there are factors to choose.
enum Family {
    Sum(Vec<Product>),
    /// A polynomial of the degree for each remainder.
    Classes {
        by: usize,
        degree: usize,
    },
}

impl Family {
    /// Whether it was chosen among many, and so has to prove itself on one more sample.
    fn is_unusual(&self) -> bool {
        matches!(self, Family::Sum(basis) if basis.iter().flatten().any(|atom| *atom != Atom::N))
    }

    /// Samples that settle a member.
    fn freedom(&self) -> usize {
        match self {
            Family::Sum(basis) => basis.len() + usize::from(self.is_unusual()),
            Family::Classes { by, degree } => by * (degree + 1),
        }
    }

    fn fit(&self, samples: &[(Place, i128)], held_out: usize) -> Option<Parameter> {
        if samples.len() < self.freedom() + held_out {
            return None;
        }
        match self {
            Family::Sum(basis) => {
                let sum = Sum::fit(basis, samples[..samples.len() - held_out].iter(), samples.iter())?;
                // ⌊log₂ n⌋ is 0 at size 1 alone: one odd sample there must not settle a factor.
                if self.is_unusual() && held_out > 0 {
                    Sum::fit(basis, samples[1..].iter(), samples.iter())?;
                }
                Some(Parameter { classes: vec![sum] })
            }
            Family::Classes { by, degree } => {
                let basis = powers(*degree);
                let mut classes = Vec::with_capacity(*by);
                for rest in 0..*by {
                    let class: Vec<(Place, i128)> =
                        samples.iter().filter(|(at, _)| at.n % *by as i128 == rest as i128).copied().collect();
                    // Every class keeps one to be checked against, whatever the total says.
                    let train = class.len().checked_sub(held_out.min(1))?;
                    classes.push(Sum::fit(&basis, class[..train].iter(), class.iter())?);
                }
                Some(Parameter { classes })
            }
        }
    }
}

/// The powers of n from `degree` down to 1.
fn powers(degree: usize) -> Vec<Product> {
    (0..=degree).rev().map(|power| vec![Atom::N; power]).collect()
}

/// Quantities that loops make of n by dividing and halving.
fn unusual_atoms() -> Vec<Atom> {
    let mut atoms = Vec::new();
    for by in 2..=4u8 {
        atoms.push(Atom::FloorN { plus: 0, by });
        for plus in (1..by).rev() {
            atoms.push(Atom::FloorN { plus, by });
        }
        if by == 2 {
            atoms.extend([Atom::FloorLog, Atom::CeilLog, Atom::FloorPower, Atom::CeilPower]);
        }
    }
    atoms
}

thread_local! {
    /// The families, simplest first; made once because inference asks very often.
    static FAMILIES: Vec<Family> = families();
}

fn families() -> Vec<Family> {
    use Atom::N;
    let mut all = vec![Family::Sum(powers(0)), Family::Sum(powers(1))];
    let atoms = unusual_atoms();
    all.extend(atoms.iter().map(|&atom| Family::Sum(vec![vec![atom], vec![]])));
    all.push(Family::Sum(powers(2)));
    all.extend((2..=4).map(|by| Family::Classes { by, degree: 0 }));
    all.extend(atoms.iter().map(|&atom| Family::Sum(vec![vec![N], vec![atom], vec![]])));
    all.push(Family::Classes { by: 2, degree: 1 });
    all.extend(atoms.iter().map(|&atom| Family::Sum(vec![vec![atom, atom], vec![atom], vec![]])));
    all.push(Family::Sum(powers(3)));
    all.extend(atoms.iter().map(|&atom| Family::Sum(vec![vec![N, atom], vec![N], vec![atom], vec![]])));
    for (log, power) in [(Atom::CeilLog, Atom::CeilPower), (Atom::FloorLog, Atom::FloorPower)] {
        all.push(Family::Sum(vec![vec![N, log], vec![power], vec![N], vec![]]));
    }
    all.push(Family::Classes { by: 2, degree: 2 });
    all.push(Family::Classes { by: 3, degree: 1 });
    all.push(Family::Classes { by: 4, degree: 1 });
    all.push(Family::Sum(powers(4)));
    all.push(Family::Classes { by: 3, degree: 2 });
    all.push(Family::Classes { by: 4, degree: 2 });
    all
}

/// The samples by size. `None`: two of one size disagree.
fn ordered(samples: &[(u64, i128)]) -> Option<Vec<(Place, i128)>> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    sorted.truncate(MAX_SAMPLES);
    Some(sorted.into_iter().map(|(n, value)| (Place::size(n), value)).collect())
}

impl Parameter {
    /// The function that is `value` everywhere.
    pub fn constant(value: i64) -> Parameter {
        Parameter { classes: vec![Sum::constant(i128::from(value))] }
    }

    pub(crate) fn of(sum: Sum) -> Parameter {
        Parameter { classes: vec![sum] }
    }

    /// n + `plus`
    pub(crate) fn n_plus(plus: i128) -> Parameter {
        let mut sum = Sum::constant(plus);
        sum.terms.insert(0, crate::sum::Term { factor: 1, atoms: vec![Atom::N] });
        Parameter::of(sum)
    }

    pub(crate) fn atom(atom: Atom) -> Parameter {
        Parameter::of(Sum { terms: vec![crate::sum::Term { factor: 1, atoms: vec![atom] }], over: 1 })
    }

    /// The simplest function through all samples, two of which it did not need.
    pub fn fit(samples: &[(u64, i128)]) -> Option<Parameter> {
        Parameter::fit_holding_out(samples, HELD_OUT)
    }

    /// The simplest function through all samples, at least `held_out` of which it did not need.
    pub fn fit_holding_out(samples: &[(u64, i128)], held_out: usize) -> Option<Parameter> {
        let samples = ordered(samples)?;
        FAMILIES
            .with(|families| families.iter().find_map(|family| family.fit(&samples, held_out)))
            .or_else(|| LONG_PERIODS.filter(|_| held_out > 0).find_map(|by| Parameter::by_period(&samples, by)))
    }

    /// The function that grows by the same amount from every size to the one `by` larger, where every remainder shows it twice:
    /// once is what roots and logarithms do as well for a while.
    fn by_period(samples: &[(Place, i128)], by: u8) -> Option<Parameter> {
        let period = i128::from(by);
        let later = |at: &Place| samples.iter().find(|(later, _)| later.n == at.n + period);
        let mut rises =
            samples.iter().filter_map(|(at, value)| Some((at.n % period, later(at)?.1.checked_sub(*value)?)));
        let (_, rise) = rises.clone().next()?;
        let mut shown = vec![0; usize::from(by)];
        let steady = rises.all(|(rest, more)| {
            shown[rest as usize] += 1;
            more == rise
        });
        if !steady || shown.iter().any(|times| *times < 2) {
            return None;
        }
        let floors = (0..by).rev().map(|plus| vec![vec![Atom::FloorN { plus, by }], vec![]]);
        let fit = |basis: &[Product], of: &[(Place, i128)]| Sum::fit(basis, of.iter(), of.iter());
        if let Some(sum) = floors.into_iter().find_map(|basis| fit(&basis, samples)) {
            return Some(Parameter::of(sum));
        }
        let class = |rest: i128| {
            let of_class: Vec<_> = samples.iter().filter(|(at, _)| at.n % period == rest).copied().collect();
            fit(&powers(1), &of_class)
        };
        (0..period).map(class).collect::<Option<_>>().map(|classes| Parameter { classes })
    }

    /// A few functions through all samples, simplest first. Those after the first are for whoever can try them out.
    pub fn candidates(samples: &[(u64, i128)]) -> Vec<Parameter> {
        let Some(samples) = ordered(samples) else { return Vec::new() };
        let mut found: Vec<Parameter> = Vec::new();
        FAMILIES.with(|families| {
            for family in families {
                if found.len() == MAX_CANDIDATES {
                    break;
                }
                if let Some(new) = family.fit(&samples, HELD_OUT)
                    && !found.iter().any(|old| old.agrees_up_to_64(&new))
                {
                    found.push(new);
                }
            }
        });
        found
    }

    /// Two ways to write one function agree wherever one looks; up to 64 all of ours that differ have parted.
    pub(crate) fn agrees_up_to_64(&self, other: &Parameter) -> bool {
        (1..=64).all(|n| self.value(n) == other.value(n))
    }

    /// The exact value at a size. `None`: it is no whole number there, or does not fit.
    pub fn value(&self, n: u64) -> Option<i128> {
        self.value_at(Place::size(n))
    }

    pub(crate) fn sum_for(&self, n: i128) -> Option<&Sum> {
        let class = n.checked_rem_euclid(self.classes.len() as i128)?;
        self.classes.get(usize::try_from(class).ok()?)
    }

    pub(crate) fn value_at(&self, at: Place) -> Option<i128> {
        self.sum_for(at.n)?.value(at)
    }

    /// Whether it is the same at every size.
    pub fn is_constant(&self) -> bool {
        matches!(&self.classes[..], [sum] if sum.terms.iter().all(|term| term.atoms.is_empty()))
    }

    pub(crate) fn weight(&self) -> usize {
        self.classes.iter().map(Sum::weight).sum()
    }
}

#[cfg(test)]
mod tests;
