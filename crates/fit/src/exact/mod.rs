//! Exact recognition: a closed form with rational coefficients that every cost agrees with.
//!
//! Coefficients are solved for from as few of the smallest sizes as determine them; all other sizes only check. Forms
//! are tried from simple to complicated, where each size that has to be left out at the start counts as a coefficient.

mod basis;
mod field;
mod form;
mod solve;
mod term;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::points::Point;
use basis::Basis;
use field::Modular;
pub use form::Form;
use solve::Unsolved;
use term::Term;

/// How many sizes at the start may differ from the form.
const LONGEST_START: usize = 12;

/// The simplest closed form of the costs, if there is one.
pub fn recognise(points: &[Point]) -> Option<Form> {
    let families = basis::families();
    let mut tries: Vec<(usize, &Basis)> = Vec::new();
    for start in 0..=LONGEST_START.min(points.len() / 2) {
        let used = &points[start..];
        let possible =
            families.iter().filter(|family| in_range(&family.union, used) && !contradicts(&family.union, used));
        tries.extend(possible.flat_map(|family| &family.bases).map(|basis| (start, basis)));
    }
    tries.sort_by_key(|(start, basis)| (start + basis.terms.len(), *start));
    tries.into_iter().find_map(|(start, basis)| try_basis(basis, points, start))
}

fn try_basis(basis: &Basis, points: &[Point], start: usize) -> Option<Form> {
    let used = points.get(start..)?;
    let doubtful = !worth_trying(basis, used, points.len(), start)
        || !steps_are_checked(basis, used)
        || !powers_are_checked(basis, used);
    if doubtful || contradicts(&basis.terms, used) {
        return None;
    }
    let unknowns = basis.terms.len();
    let solved = solve::solve(unknowns, used.len(), |i| {
        let factors = basis.terms.iter().map(|term| BigRational::from(term.exact(used[i].size)));
        factors.chain([BigRational::from(BigInt::from(used[i].cost))]).collect()
    })
    .ok()?;
    let checked_on: Vec<u64> = solved.checks.iter().map(|&i| used[i].size).collect();
    let terms = basis.terms.iter().copied().zip(solved.coefficients).collect();
    let form = Form::new(terms, used[0].size, checked_on);
    (form.grows() && every_residue_is_checked(basis, &form.checked_on)).then_some(form)
}

/// Whether there are sizes enough to believe what might be found.
fn worth_trying(basis: &Basis, used: &[Point], all: usize, start: usize) -> bool {
    let unknowns = basis.terms.len();
    let simple = basis.plain && unknowns <= 3;
    // One size that is different, mostly the first, is nothing unusual for a curve; pieces of many curves are straight.
    let allowed = usize::from(simple && unknowns == 3);
    let checks = if simple { 2 } else { 3 } + usize::from(unknowns > 4) + start.min(2).saturating_sub(allowed);
    // A constant end may also be a search that found no worse.
    let start_is_short = if unknowns == 1 { start <= 2.min(all / 4) } else { start <= all / 4 || basis.bends };
    let mut costs: Vec<u64> = used.iter().map(|point| point.cost).collect();
    costs.sort_unstable();
    costs.dedup();
    used.len() >= unknowns + checks && start_is_short && (unknowns == 1 || costs.len() > unknowns)
}

/// Between two powers of two a whole logarithm is a constant, and any form with one a polynomial: however many sizes are there, only as many
/// as determine that polynomial say anything. There must be two more of them than coefficients.
fn steps_are_checked(basis: &Basis, used: &[Point]) -> bool {
    let log = basis.terms.iter().find_map(|term| match *term {
        Term::Log { log, .. } | Term::Rounded(log) => Some(log),
        _ => None,
    });
    let Some(log) = log else { return true };
    let power = |term: &Term| match *term {
        Term::Power(power) | Term::Log { power, .. } => power as usize,
        _ => 0,
    };
    let degree = basis.terms.iter().map(power).max().unwrap_or(0);
    let steps = used.chunk_by(|a, b| log.of(a.size) == log.of(b.size));
    let telling: usize = steps.map(|step| step.len().min(degree + 1)).sum();
    telling >= basis.terms.len() + 2
}

/// A power that rises every few sizes is a constant between them: only sizes at which it differs say anything about it, and there must be three
/// more of them than coefficients.
fn powers_are_checked(basis: &Basis, used: &[Point]) -> bool {
    let differ = |step: u64, more: u64| used.chunk_by(|a, b| (a.size + more) / step == (b.size + more) / step).count();
    basis.terms.iter().all(|term| match *term {
        Term::Stepped { step, more, .. } => differ(step, more) >= basis.terms.len() + 3,
        _ => true,
    })
}

/// Whether all terms have values of a sensible length at all sizes.
fn in_range(terms: &[Term], used: &[Point]) -> bool {
    terms.iter().all(|term| used.iter().all(|p| (term.smallest_size()..=term.largest_size()).contains(&p.size)))
}

/// Whether the equations have no solution modulo a prime, and so none at all.
fn contradicts(terms: &[Term], used: &[Point]) -> bool {
    let equation = |i: usize| {
        let factors = terms.iter().map(|term| term.modular(used[i].size));
        factors.chain([Modular::from(used[i].cost)]).collect()
    };
    solve::solve(terms.len(), used.len(), equation).is_err_and(|why| why == Unsolved::Contradiction)
}

/// A form by residues is only believed where each residue was predicted at least once.
fn every_residue_is_checked(basis: &Basis, checked_on: &[u64]) -> bool {
    basis.terms.iter().all(|term| match *term {
        Term::Residue { modulus, .. } => {
            (0..modulus).all(|residue| checked_on.iter().filter(|&&n| n % modulus == residue).count() >= 2)
        }
        _ => true,
    })
}
