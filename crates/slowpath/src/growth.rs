//! The growth law of a document's costs, and whether it keeps a promise.

use slowpath_fit::{Class, FEWEST_SIZES, Known, Verdict, growth_beside};
use slowpath_portfolio::PREDICTED;
use slowpath_report::{Confidence, Findings, GrowthReport};

/// Analysed sizes for which the law's own value is given.
const MOST_DRAWN: usize = 200;

/// What is known of the costs beside the results of a document: sizes and costs of verified runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    /// Sizes that were explored completely on the way.
    pub exact: Vec<(u64, u64)>,
    /// The best inputs known at sizes that were only tried to test the law.
    pub probes: Vec<(u64, u64)>,
    /// Runs that a limit cut short, and what they had cost by then.
    pub cut: Vec<(u64, u64)>,
    /// Inputs that repeat one pattern, or grow by one recipe: the worst case grows no slower than they do.
    pub families: Vec<Vec<(u64, u64)>>,
}

/// The law as the document holds it, and what it predicts for larger sizes. None where there are too few sizes.
pub(crate) fn law(findings: &Findings, beside: Beside) -> Option<GrowthReport> {
    let own = known(findings, Beside::default());
    let families = beside.families.clone();
    let known = known(findings, beside);
    if sizes_of(&known).len() < FEWEST_SIZES {
        return None;
    }
    // What was only run to test the law is not drawn, and the law is asked about what lies ahead of the sizes analysed.
    let sizes = Some(sizes_of(&own)).filter(|sizes| !sizes.is_empty()).unwrap_or_else(|| sizes_of(&known));
    let largest = sizes.last().copied()?;
    // The sizes analysed as well, for whoever draws the law.
    let ahead = PREDICTED.iter().filter_map(|times| largest.checked_mul(*times));
    Some(GrowthReport::new(&growth_beside(&known, &own, &families), sizes.into_iter().take(MOST_DRAWN).chain(ahead)))
}

/// The sizes of costs that were not cut short, ascending.
fn sizes_of(known: &Known) -> Vec<u64> {
    let mut sizes: Vec<u64> = [&known.exact, &known.found].into_iter().flatten().map(|point| point.0).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// What the results of a document say, with what is known beside them. Only verified ones count, if any is: where no
/// engine can run the program again, the law is no surer than its costs, and the document says so among its limits.
fn known(findings: &Findings, beside: Beside) -> Known {
    let any = findings.results.iter().any(|result| result.verified);
    let mut known = Known { exact: beside.exact, found: beside.probes, cut: beside.cut, believed: Vec::new() };
    for result in findings.results.iter().filter(|result| result.verified || !any) {
        let (Some(cost), Ok(size)) = (result.cost, u64::try_from(result.size)) else { continue };
        if result.at_least {
            known.cut.push((size, cost));
            continue;
        }
        match result.confidence {
            Confidence::Exact => known.exact.push((size, cost)),
            // What a probe beats is not believed.
            Confidence::Validated if known.found.iter().all(|probe| probe.0 != size || probe.1 <= cost) => {
                known.found.push((size, cost));
                known.believed.push(size);
            }
            Confidence::Validated | Confidence::Challenged | Confidence::BestFound => known.found.push((size, cost)),
        }
    }
    known
}

/// How a law compares with what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promise {
    Kept,
    /// It grows faster: how, and the largest size that shows it.
    Broken(String),
    /// The law is not known, so neither can be said.
    Open(String),
}

/// Whether the costs found grow no faster than `expected`.
pub fn keeps(findings: &Findings, expected: &Class) -> Promise {
    match &findings.fit {
        Some(law) => promise(law, expected),
        None => Promise::Open(format!("growth needs at least {FEWEST_SIZES} sizes with a result")),
    }
}

fn promise(law: &GrowthReport, expected: &Class) -> Promise {
    let Some(class) = &law.class else { return Promise::Open(law.why.clone()) };
    let at_least = if law.verdict == Verdict::AtLeast { "at least " } else { "" };
    if class.is_worse_than(expected) {
        let formula = &law.formula;
        return Promise::Broken(format!(
            "the worst cost grows {at_least}like {class} ({formula}), not like {expected}"
        ));
    }
    match law.verdict {
        Verdict::Exact | Verdict::Fitted => Promise::Kept,
        Verdict::AtLeast | Verdict::NotSure => {
            Promise::Open(format!("the worst cost grows {at_least}like {class}, and maybe faster: {}", law.why))
        }
    }
}

#[cfg(test)]
mod tests {
    use slowpath_fit::growth;

    use super::*;

    fn doublings(cost: impl Fn(u64) -> u64) -> Vec<(u64, u64)> {
        (0..=10).map(|k| (1 << k, cost(1 << k))).collect()
    }

    #[test]
    fn a_bound_is_kept_by_what_is_sure_and_broken_by_what_is_certain() {
        let square = |n: u64| 3 * n * n + 7;
        let law = |known: &Known| GrowthReport::new(&growth(known), []);
        let sure = law(&Known { exact: doublings(square), ..Known::default() });
        let at_least = law(&Known { found: doublings(square), ..Known::default() });
        let unsure = law(&Known { exact: vec![(1, 5), (2, 90), (3, 7), (4, 8), (5, 1)], ..Known::default() });
        assert_eq!(
            [sure.verdict, at_least.verdict, unsure.verdict],
            [Verdict::Exact, Verdict::AtLeast, Verdict::NotSure]
        );
        assert_eq!(promise(&sure, &Class::QUADRATIC), Promise::Kept);
        for law in [&sure, &at_least] {
            assert!(matches!(promise(law, &Class::N_LOG_N), Promise::Broken(_)), "{}", law.verdict);
        }
        for (law, expected) in [(&at_least, Class::QUADRATIC), (&at_least, Class::CUBIC), (&unsure, Class::CUBIC)] {
            assert!(matches!(promise(law, &expected), Promise::Open(_)), "{} {expected}", law.verdict);
        }
    }
}
