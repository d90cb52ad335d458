//! The law of costs of different standing: those asked for, those known beside them, and families of inputs that grow by one rule.

use crate::fit::FEWEST_SIZES;
use crate::growth::Growth;
use crate::known::Known;
use crate::stages::{growth, growth_of_family};
use crate::verdict::Verdict;

/// The law of all that is `known`, of which `own` are the sizes asked for; no slower than any of the families, whose members are sizes with their costs.
pub fn growth_beside(known: &Known, own: &Known, families: &[Vec<(u64, u64)>]) -> Growth {
    let of_all = growth_of_all(known, own);
    families.iter().fold(of_all, |found, family| no_slower_than(family, known, found))
}

/// The law of all that is known. Where there is none, that of the sizes asked for, if it is an upper bound of the others: sizes may be
/// of one kind only, such as the squares of whole numbers.
fn growth_of_all(known: &Known, own: &Known) -> Growth {
    let is_law = |growth: &Growth| matches!(growth.verdict, Verdict::Exact | Verdict::Fitted);
    let of_all = growth(known);
    if is_law(&of_all) {
        return of_all;
    }
    let mut of_own = growth(own);
    let costs = [&known.exact, &known.found, &known.cut];
    if !is_law(&of_own) || costs.into_iter().flatten().any(|&(size, cost)| of_own.refuted_by(size, cost)) {
        return of_all;
    }
    of_own.verdict = Verdict::Fitted;
    of_own.why += "; sizes beside those asked for cost less";
    of_own
}

/// Growth, or that of a family of inputs where it is faster than what is certain of the rest. A family that has not come to what smaller
/// inputs cost already may grow only up to there.
fn no_slower_than(family: &[(u64, u64)], known: &Known, found: Growth) -> Growth {
    if matches!(found.verdict, Verdict::Exact | Verdict::Fitted) || family.len() < FEWEST_SIZES || !leads(family, known)
    {
        return found;
    }
    let mut of_family = growth_of_family(family);
    if of_family.verdict != Verdict::AtLeast || of_family.class <= found.class {
        return found;
    }
    of_family.why = format!("inputs that grow by one rule cost so much: {}", of_family.why);
    of_family
}

/// Whether the largest member of a family costs as much as anything known that is half as large.
fn leads(family: &[(u64, u64)], known: &Known) -> bool {
    let Some(&(largest, cost)) = family.iter().max_by_key(|member| member.0) else { return false };
    let others = [&known.exact, &known.found, &known.cut].into_iter().flatten();
    others.filter(|other| other.0 <= largest / 2).all(|other| other.1 <= cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;

    fn doublings(cost: impl Fn(u64) -> u64) -> Vec<(u64, u64)> {
        (0..=10).map(|k| (1 << k, cost(1 << k))).collect()
    }

    #[test]
    fn a_family_below_what_is_known_says_nothing() {
        // Bits of one number taken away one by one: 32 at most, and rising numbers have few.
        let bits = |n: u64| 16 * u64::from(n.ilog2()) + 16;
        let family: Vec<(u64, u64)> = doublings(bits).split_off(2);
        let of = |found: Vec<(u64, u64)>| {
            let known = Known { found, ..Known::default() };
            no_slower_than(&family, &known, growth(&known))
        };
        let logarithm: Class = "log n".parse().expect("a class");
        let below = of(doublings(|_| 528));
        assert!(below.class.is_none_or(|class| logarithm.is_worse_than(&class)), "{:?}", below.class);
        assert_eq!(of(doublings(|_| 100)).class, Some(logarithm));
    }
}
