//! A closed form: terms with rational coefficients.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::term::Term;
use crate::class::Class;
use crate::notation;

#[derive(Clone, Debug)]
pub struct Form {
    /// What is summed, without zeros, fastest growing first.
    terms: Vec<(Term, BigRational)>,
    /// The smallest size it holds for.
    pub from: u64,
    /// The sizes whose costs were predicted, not used.
    pub checked_on: Vec<u64>,
}

impl Form {
    pub fn new(mut terms: Vec<(Term, BigRational)>, from: u64, checked_on: Vec<u64>) -> Form {
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        terms.sort_by_key(|(term, _)| std::cmp::Reverse(term.rank()));
        Form { terms, from, checked_on }
    }

    pub fn class(&self) -> Class {
        self.terms.first().map_or(Class::CONSTANT, |(term, _)| term.class())
    }

    /// Whether costs rise, or at least do not fall, in the long run. Others describe the costs, but no growth.
    pub fn grows(&self) -> bool {
        self.residues().all(|n| {
            let sum = self.at_residue(n);
            sum.first().is_none_or(|(term, lead)| {
                // Rounded sizes differ from n by a factor, so the two are judged together.
                let peers = sum.iter().filter(|(other, _)| other.class() == term.class());
                lead.is_positive()
                    || (term.class() == Class::LINEAR && peers.map(|(_, c)| c).sum::<BigRational>().is_positive())
            })
        })
    }

    pub fn text(&self) -> String {
        let modulus = self.modulus();
        let one = |n: u64| {
            let terms: Vec<(BigRational, String)> =
                self.at_residue(n).into_iter().map(|(term, coefficient)| (coefficient, term.text())).collect();
            notation::rational_sum(&terms)
        };
        match modulus {
            1 => one(0),
            2 => format!("{} for even n, {} for odd n", one(0), one(1)),
            _ => {
                let cases: Vec<String> =
                    self.residues().map(|r| format!("{} for n mod {modulus} = {r}", one(r))).collect();
                cases.join(", ")
            }
        }
    }

    /// The value at n, as near as a float comes; never infinite.
    pub fn value(&self, n: u64) -> f64 {
        if self.terms.iter().any(|(term, _)| n > term.largest_size()) {
            return f64::MAX;
        }
        let sum: BigRational =
            self.terms.iter().map(|(term, c)| c * BigRational::from(term.exact(n))).fold(zero(), |a, b| a + b);
        sum.to_f64().filter(|value| value.is_finite()).unwrap_or(f64::MAX)
    }

    fn modulus(&self) -> u64 {
        let of = |term: &Term| match *term {
            Term::Residue { modulus, .. } => modulus,
            _ => 1,
        };
        self.terms.iter().map(|(term, _)| of(term)).max().unwrap_or(1)
    }

    fn residues(&self) -> impl Iterator<Item = u64> + use<> {
        0..self.modulus()
    }

    /// The sum for sizes that leave `n`, with equal powers taken together.
    fn at_residue(&self, n: u64) -> Vec<(Term, BigRational)> {
        let mut out: Vec<(Term, BigRational)> = Vec::new();
        for (term, coefficient) in &self.terms {
            let plain = match *term {
                Term::Residue { residue, .. } if residue != n => continue,
                Term::Residue { power, .. } => Term::Power(power),
                other => other,
            };
            match out.iter_mut().find(|(there, _)| *there == plain) {
                Some((_, sum)) => *sum += coefficient,
                None => out.push((plain, coefficient.clone())),
            }
        }
        out.retain(|(_, coefficient)| !coefficient.is_zero());
        out.sort_by_key(|(term, _)| std::cmp::Reverse(term.rank()));
        out
    }
}

fn zero() -> BigRational {
    BigRational::from(BigInt::zero())
}
