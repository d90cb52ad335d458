//! The families of closed forms that are tried: which terms go together.

use super::term::{Log, Term};

/// Terms whose coefficients are looked for together.
#[derive(Clone, Debug)]
pub struct Basis {
    pub terms: Vec<Term>,
    /// Whether it is a plain polynomial.
    pub plain: bool,
    /// Whether it bends: pieces of many functions are straight, so straight ones need more evidence.
    pub bends: bool,
}

/// Bases that are parts of one large one: where that contradicts the costs, so do they.
pub struct Family {
    pub union: Vec<Term>,
    pub bases: Vec<Basis>,
}

impl Family {
    fn new(bases: Vec<Basis>) -> Family {
        let mut union: Vec<Term> = Vec::new();
        for term in bases.iter().flat_map(|basis| &basis.terms) {
            if !union.contains(term) {
                union.push(*term);
            }
        }
        Family { union, bases }
    }
}

/// The highest power in a plain polynomial, and in one that depends on the residue of n.
const HIGHEST_POWER: u32 = 6;
const HIGHEST_POWER_BY_RESIDUE: u32 = 4;

/// All families, those that people would think of first in front.
pub fn families() -> Vec<Family> {
    let mut out = vec![Family::new((0..=HIGHEST_POWER).map(polynomial).collect())];
    out.extend(Log::ALL.map(logarithmic).map(Family::new));
    out.extend(Log::ALL.map(squares_of_logarithms).map(Family::new));
    out.extend((2..=4).map(by_residue).map(Family::new));
    out.extend((2..=10).map(exponential).map(Family::new));
    out.push(Family::new(factorial()));
    for (base, step) in [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4)] {
        out.extend((0..step).map(|more| Family::new(stepped(base, step, more))));
    }
    out
}

fn powers(degree: u32) -> Vec<Term> {
    (0..=degree).map(Term::Power).collect()
}

fn polynomial(degree: u32) -> Basis {
    Basis { terms: powers(degree), plain: true, bends: degree >= 2 }
}

fn special(terms: Vec<Term>, bends: bool) -> Basis {
    Basis { terms, plain: false, bends }
}

fn logarithmic(log: Log) -> Vec<Basis> {
    let (one, n, n2) = (Term::Power(0), Term::Power(1), Term::Power(2));
    let [l, nl, n2l] = [0, 1, 2].map(|power| Term::Log { log, power, logs: 1 });
    let rounded = Term::Rounded(log);
    let sums = [
        vec![one, l],
        vec![one, nl],
        vec![one, n, l],
        vec![one, n, nl],
        vec![one, n, rounded],
        vec![one, n, nl, rounded],
        vec![one, n, l, nl, rounded],
        vec![one, n, n2, l],
        vec![one, n, n2, nl],
        vec![one, n, n2, n2l],
        vec![one, n, n2, l, nl, rounded],
        vec![one, n, n2, l, nl, n2l],
    ];
    sums.map(|terms| special(terms, false)).into()
}

/// Loops over the halves of n within each other, for each element or once.
fn squares_of_logarithms(log: Log) -> Vec<Basis> {
    let (one, n) = (Term::Power(0), Term::Power(1));
    let [[l, l2], [nl, nl2]] = [0, 1].map(|power| [1, 2].map(|logs| Term::Log { log, power, logs }));
    let sums = [
        vec![one, l, l2],
        vec![one, n, l, l2],
        vec![one, n, nl, nl2],
        vec![one, n, l, nl, nl2],
        vec![one, n, l, nl, l2, nl2],
    ];
    sums.map(|terms| special(terms, false)).into()
}

/// Calls in pairs or threes, each for several elements less.
fn stepped(base: u64, step: u64, more: u64) -> Vec<Basis> {
    let lead = Term::Stepped { base, step, more };
    (0..=1).map(|degree| special([powers(degree), vec![lead]].concat(), true)).collect()
}

/// Polynomials of which the lower coefficients depend on what n leaves when divided by the modulus.
fn by_residue(modulus: u64) -> Vec<Basis> {
    let mut out = Vec::new();
    for degree in 1..=HIGHEST_POWER_BY_RESIDUE {
        for varying in 0..=degree {
            let mut terms = powers(degree);
            for residue in 1..modulus {
                terms.extend((0..=varying).map(|power| Term::Residue { modulus, residue, power }));
            }
            out.push(special(terms, degree >= 2));
        }
    }
    out
}

fn exponential(base: u64) -> Vec<Basis> {
    let (plain, steep) = (Term::Exponential { base, power: 0 }, Term::Exponential { base, power: 1 });
    let leads = [vec![plain], vec![plain, steep]];
    let sums = (0..=2).flat_map(|degree| leads.iter().map(move |lead| [powers(degree), lead.clone()].concat()));
    sums.map(|terms| special(terms, true)).collect()
}

fn factorial() -> Vec<Basis> {
    let (full, less) = (Term::Factorial { less: 0 }, Term::Factorial { less: 1 });
    let leads = [vec![full], vec![less], vec![less, full]];
    let sums = (0..=1).flat_map(|degree| leads.iter().map(move |lead| [powers(degree), lead.clone()].concat()));
    sums.map(|terms| special(terms, true)).collect()
}
