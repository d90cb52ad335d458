//! The verdict on one cell.

use crate::cells::{Cell, Statistic, Verdict};

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
    pub stated: Option<f64>,
    /// What ours has to reach, where the suite asks for more than the published figure.
    pub floor: Option<f64>,
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
    if let Some(stated) = facts.stated
        && stated != published
    {
        let as_good = match statistic {
            Statistic::ExhaustivePaths => ours == stated,
            Statistic::Longest | Statistic::Worst => stated <= ours && ours != published,
            Statistic::EvolveRatio | Statistic::AutoRatio => stated <= ours && falls_short(facts, ours),
            Statistic::GuidedPaths | Statistic::ExhaustiveSeconds | Statistic::Seconds | Statistic::MakeSeconds => {
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
        Statistic::EvolveRatio | Statistic::AutoRatio if falls_short(facts, ours) => false,
        Statistic::EvolveRatio | Statistic::AutoRatio if ours > published => return Verdict::Beyond,
        Statistic::EvolveRatio | Statistic::AutoRatio => true,
        Statistic::MakeSeconds => sound && ours * facts.floor.unwrap_or(1.0) <= published,
    };
    if met { Verdict::Met } else { Verdict::Missed { stated: false } }
}

/// Whether a part of the known worst cost is less than was published, or than the suite asks for.
fn falls_short(facts: Facts, ours: f64) -> bool {
    ours < facts.floor.unwrap_or(0.0).max(facts.published.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::{Facts, judge};
    use crate::cells::{Statistic, Verdict};

    const MISSED: Verdict = Verdict::Missed { stated: false };
    const STATED: Verdict = Verdict::Missed { stated: true };

    fn check(statistic: Statistic, published: Option<f64>, ours: Option<f64>, stated: Option<u32>, verdict: Verdict) {
        let facts = Facts {
            statistic,
            size: 3,
            published,
            illegible: false,
            ours,
            sound: true,
            stated: stated.map(f64::from),
            floor: None,
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
            floor: None,
            short_as_stated: false,
        };
        assert_eq!(judge(facts, String::new).verdict, MISSED);
        assert_eq!(judge(Facts { short_as_stated: true, ..facts }, String::new).verdict, STATED);
        assert_eq!(judge(Facts { published: None, ..facts }, String::new).verdict, Verdict::None);
    }

    #[test]
    fn a_ratio_has_to_reach_both_the_published_one_and_the_floor() {
        let verdict = |published, ours, floor, stated| {
            let facts = Facts {
                statistic: Statistic::AutoRatio,
                size: 100,
                published: Some(published),
                illegible: false,
                ours: Some(ours),
                sound: true,
                stated,
                floor,
                short_as_stated: false,
            };
            judge(facts, String::new).verdict
        };
        assert_eq!(verdict(1.0, 1.0, Some(1.0), None), Verdict::Met);
        assert_eq!(verdict(0.85, 0.9, None, None), Verdict::Beyond);
        assert_eq!(verdict(0.85, 0.9, Some(1.0), None), MISSED);
        assert_eq!(verdict(0.85, 0.9, Some(1.0), Some(0.9)), STATED);
        assert_eq!(verdict(0.85, 0.8, None, None), MISSED);
    }

    #[test]
    fn making_an_input_has_to_be_faster_by_the_floor_and_the_input_worst() {
        let verdict = |ours, floor, sound| {
            let facts = Facts {
                statistic: Statistic::MakeSeconds,
                size: 500,
                published: Some(20.0),
                illegible: false,
                ours: Some(ours),
                sound,
                stated: None,
                floor,
                short_as_stated: false,
            };
            judge(facts, String::new).verdict
        };
        assert_eq!(verdict(19.0, None, true), Verdict::Met);
        assert_eq!(verdict(19.0, Some(10.0), true), MISSED);
        assert_eq!(verdict(1.9, Some(10.0), true), Verdict::Met);
        assert_eq!(verdict(0.1, None, false), MISSED);
    }
}
