//! Bounds against what was found. Only verified costs count: an input that another engine ran is proof.

use slowpath_fit::Class;
use slowpath_report::{CheckedBound, Evidence, Findings, GrowthReport, Judgement, Rule, SizeResult, count};

use crate::check::baseline::{Baseline, Costs};
use crate::check::config::TargetConfig;
use crate::growth::{Promise, keeps};

/// A law that keeps its bound, in words.
fn law(law: &GrowthReport) -> String {
    let class = law.class.map(|class| class.to_string()).unwrap_or_default();
    format!("the worst cost grows like {class} ({}: {})", law.verdict, law.formula)
}

/// Every bound of a target, judged. `sure` has only what is verified; `strict` is whether an open bound fails the check.
pub(crate) fn judge(
    target: &TargetConfig,
    sure: &Findings,
    baseline: Option<&Baseline>,
    strict: bool,
) -> Vec<CheckedBound> {
    let judge = Judge { sure, strict };
    let mut out: Vec<CheckedBound> = target.expect.iter().map(|class| judge.growth(class)).collect();
    out.extend(target.max.iter().map(|(size, max)| judge.maximum(*size, *max)));
    if let Some(baseline) = baseline {
        out.push(judge.baseline(baseline.target(&target.name)));
    }
    out
}

struct Judge<'a> {
    sure: &'a Findings,
    strict: bool,
}

impl Judge<'_> {
    fn bound(&self, rule: Rule, bound: String, judgement: Judgement, message: String) -> CheckedBound {
        CheckedBound { rule, bound, judgement, strict: self.strict, message, evidence: None }
    }

    fn at(&self, size: i64) -> Option<&SizeResult> {
        self.sure.results.iter().find(|result| result.size == size)
    }

    fn growth(&self, expected: &Class) -> CheckedBound {
        let (judgement, message) = match keeps(self.sure, expected) {
            Promise::Kept => (Judgement::Kept, self.sure.fit.as_ref().map_or_else(String::new, law)),
            Promise::Broken(how) => (Judgement::Exceeded, how),
            Promise::Open(why) => (Judgement::Open, why),
        };
        let mut bound = self.bound(Rule::Growth, expected.to_string(), judgement, message);
        if bound.judgement == Judgement::Exceeded {
            bound.evidence = self.sure.results.last().and_then(|result| Evidence::of(self.sure, result));
        }
        bound
    }

    fn maximum(&self, size: i64, max: u64) -> CheckedBound {
        let text = format!("at most {} at size {size}", count(max));
        let Some((result, cost)) = self.at(size).and_then(|result| Some((result, result.cost?))) else {
            let why = format!("size {size} has no verified result");
            return self.bound(Rule::Maximum, text, Judgement::Open, why);
        };
        let found = format!("the worst cost at size {size} is {} ({})", result.cost_text(), result.confidence.name());
        if cost <= max && result.at_least {
            return self.bound(Rule::Maximum, text, Judgement::Open, format!("{found}: its run was cut at a limit"));
        }
        if cost <= max {
            return self.bound(Rule::Maximum, text, Judgement::Kept, found);
        }
        let message = format!("{found}, above the maximum of {}", count(max));
        let evidence = Evidence::of(self.sure, result);
        CheckedBound { evidence, ..self.bound(Rule::Maximum, text, Judgement::Exceeded, message) }
    }

    fn baseline(&self, old: Option<&Costs>) -> CheckedBound {
        let text = "no cost above the baseline's".to_owned();
        let open = |why: String| self.bound(Rule::Baseline, text.clone(), Judgement::Open, why);
        let Some(old) = old else {
            return open("the baseline does not have this target; --update-baseline adds it".to_owned());
        };
        if old.cost_model != self.sure.cost_model {
            let why = format!("the baseline counts {}, not {}", old.cost_model, self.sure.cost_model);
            return open(format!("{why}; --update-baseline replaces it"));
        }
        let both: Vec<(&SizeResult, u64, u64)> = self
            .sure
            .results
            .iter()
            .filter_map(|result| Some((result, result.cost?, *old.costs.get(&result.size)?)))
            .collect();
        let Some(worse) = both.iter().filter(|(_, now, then)| now > then).max_by_key(|(result, ..)| result.size) else {
            let cut = both.iter().find(|(result, ..)| result.at_least);
            return match (both.len(), cut) {
                (0, _) => open("the baseline has none of the sizes that were analysed".to_owned()),
                (_, Some((result, ..))) => open(format!("the worst run at size {} was cut at a limit", result.size)),
                (sizes, None) => {
                    self.bound(Rule::Baseline, text, Judgement::Kept, format!("compared at {sizes} sizes"))
                }
            };
        };
        let (result, now, then) = *worse;
        let size = result.size;
        let message =
            format!("the worst cost at size {size} is {}, up from {} in the baseline", count(now), count(then));
        let evidence = Evidence::of(self.sure, result);
        CheckedBound { evidence, ..self.bound(Rule::Baseline, text, Judgement::Exceeded, message) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use slowpath_report::{Judgement, from_json};

    use super::judge;
    use crate::check::baseline::Baseline;
    use crate::check::config::TargetConfig;
    use crate::request::{AnalyzeRequest, EntryRequest};

    #[test]
    fn a_run_that_was_cut_exceeds_a_bound_or_leaves_it_open() {
        let mut found = from_json(include_str!("../../../report/tests/data/isort.json")).unwrap();
        let then = Baseline::updated(None, &[("t".to_owned(), found.clone())]);
        let last = found.results.last_mut().unwrap();
        (last.cost, last.at_least) = (Some(10), true);
        let size = last.size;
        for (max, expected) in [(9, Judgement::Exceeded), (10, Judgement::Open), (11, Judgement::Open)] {
            let target = TargetConfig {
                name: "t".to_owned(),
                line: 1,
                request: AnalyzeRequest::new("a.c", EntryRequest::Missing),
                expect: None,
                max: BTreeMap::from([(size, max)]),
                strict: false,
            };
            let bounds = judge(&target, &found, Some(&then), true);
            let judgements: Vec<Judgement> = bounds.iter().map(|bound| bound.judgement).collect();
            assert_eq!(judgements, [expected, Judgement::Open], "a maximum of {max}, and the baseline");
        }
        let now = Baseline::updated(None, &[("t".to_owned(), found)]);
        let sizes = |baseline: &Baseline| baseline.target("t").map(|costs| costs.costs.len());
        assert_eq!(sizes(&now), sizes(&then).map(|sizes| sizes - 1), "only whole costs are a baseline");
    }
}
