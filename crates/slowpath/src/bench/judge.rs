//! The verdict on one cell.

use crate::bench::cells::{Cell, Statistic, Verdict};

/// The resolution of published times; they are whole seconds.
const RESOLUTION: f64 = 1.0;

/// What is known of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub statistic: Statistic,
    pub size: i64,
    pub published: Option<f64>,
    pub illegible: bool,
    pub ours: Option<f64>,
    /// Ours is complete, verified and not short of a known worst case: fit to go beyond the paper.
    pub sound: bool,
    /// What the suite says ours is.
    pub stated: Option<u64>,
    /// The cost found falls short of the known one, as the suite says it does.
    pub short_as_stated: bool,
}

/// The cell with its verdict; `why` is said where it was missed.
pub(crate) fn judge(facts: Facts, why: impl FnOnce() -> String) -> Cell {
    let Facts { statistic, size, published, ours, .. } = facts;
    let verdict = verdict(facts);
    let why = matches!(verdict, Verdict::Missed { .. }).then(why);
    Cell { statistic, size, published, illegible: facts.illegible, ours, verdict, why }
}

fn verdict(facts: Facts) -> Verdict {
    let Facts { statistic, published, ours, sound, .. } = facts;
    let (published, ours) = match (published, ours) {
        (Some(published), Some(ours)) => (published, ours),
        (Some(_), None) => return Verdict::Missed { stated: false },
        (None, Some(_)) if sound && !facts.illegible => return Verdict::Beyond,
        (None, _) => return Verdict::None,
    };
    if let Some(stated) = facts.stated.map(|stated| stated as f64)
        && stated != published
    {
        let as_good = match statistic {
            Statistic::ExhaustivePaths => ours == stated,
            Statistic::Longest | Statistic::Worst => stated <= ours && ours != published,
            Statistic::GuidedPaths | Statistic::ExhaustiveSeconds | Statistic::Seconds => {
                published < ours && ours <= stated
            }
        };
        if as_good {
            return Verdict::Missed { stated: true };
        }
    }
    if facts.short_as_stated && statistic != Statistic::ExhaustivePaths {
        return Verdict::Missed { stated: true };
    }
    let met = match statistic {
        Statistic::ExhaustivePaths => ours == published,
        Statistic::GuidedPaths => sound && ours <= published,
        Statistic::Longest | Statistic::Worst if ours > published => return Verdict::Beyond,
        Statistic::Longest | Statistic::Worst => ours == published,
        Statistic::ExhaustiveSeconds | Statistic::Seconds => sound && ours < published + RESOLUTION,
    };
    if met { Verdict::Met } else { Verdict::Missed { stated: false } }
}

#[cfg(test)]
mod tests {
    use super::{Facts, judge};
    use crate::bench::cells::{Statistic, Verdict};

    const MISSED: Verdict = Verdict::Missed { stated: false };
    const STATED: Verdict = Verdict::Missed { stated: true };

    fn check(statistic: Statistic, published: Option<f64>, ours: Option<f64>, stated: Option<u64>, verdict: Verdict) {
        let facts = Facts {
            statistic,
            size: 3,
            published,
            illegible: false,
            ours,
            sound: true,
            stated,
            short_as_stated: false,
        };
        let cell = judge(facts, || "because".to_owned());
        assert_eq!(cell.verdict, verdict, "{facts:?}");
        assert_eq!(cell.why.is_some(), matches!(verdict, Verdict::Missed { .. }));
    }

    #[test]
    fn more_guided_paths_or_a_lower_cost_are_a_miss() {
        check(Statistic::GuidedPaths, Some(2.0), Some(1.0), None, Verdict::Met);
        check(Statistic::GuidedPaths, Some(1.0), Some(2.0), None, MISSED);
        check(Statistic::Worst, Some(294.0), Some(291.0), None, MISSED);
        check(Statistic::Worst, Some(294.0), Some(294.0), None, Verdict::Met);
        check(Statistic::ExhaustivePaths, Some(24.0), Some(25.0), None, MISSED);
        check(Statistic::Seconds, Some(0.0), Some(0.9), None, Verdict::Met);
        check(Statistic::Seconds, Some(2.0), Some(3.1), None, MISSED);
    }

    #[test]
    fn more_than_the_paper_has_is_beyond() {
        check(Statistic::Longest, Some(10.0), Some(11.0), None, Verdict::Beyond);
        check(Statistic::GuidedPaths, None, Some(1.0), None, Verdict::Beyond);
        check(Statistic::GuidedPaths, None, None, None, Verdict::None);
        check(Statistic::GuidedPaths, Some(1.0), None, None, MISSED);
    }

    #[test]
    fn a_stated_miss_must_be_no_worse_than_stated() {
        check(Statistic::Worst, Some(294.0), Some(291.0), Some(291), STATED);
        check(Statistic::Worst, Some(294.0), Some(290.0), Some(291), MISSED);
        check(Statistic::Worst, Some(294.0), Some(294.0), Some(291), Verdict::Met);
        check(Statistic::GuidedPaths, Some(1.0), Some(36.0), Some(36), STATED);
        check(Statistic::GuidedPaths, Some(1.0), Some(37.0), Some(36), MISSED);
        check(Statistic::Longest, Some(1.0), Some(14.0), Some(14), STATED);
    }

    #[test]
    fn a_fast_search_that_falls_short_of_the_known_worst_case_is_a_miss() {
        let facts = Facts {
            statistic: Statistic::Seconds,
            size: 20,
            published: Some(6.0),
            illegible: false,
            ours: Some(0.1),
            sound: false,
            stated: None,
            short_as_stated: false,
        };
        assert_eq!(judge(facts, String::new).verdict, MISSED);
        assert_eq!(judge(Facts { short_as_stated: true, ..facts }, String::new).verdict, STATED);
        assert_eq!(judge(Facts { published: None, ..facts }, String::new).verdict, Verdict::None);
    }
}
