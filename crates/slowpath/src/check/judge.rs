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
        let found = format!("the worst cost at size {size} is {} ({})", count(cost), result.confidence.name());
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
            return match both.len() {
                0 => open("the baseline has none of the sizes that were analysed".to_owned()),
                sizes => self.bound(Rule::Baseline, text, Judgement::Kept, format!("compared at {sizes} sizes")),
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
