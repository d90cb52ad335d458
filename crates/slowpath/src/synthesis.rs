//! The model of path conditions, in the words of the document.

use slowpath_report::SynthesisReport;
use slowpath_search::{Point, Synthesis, Unmodelled};

use crate::sources::Sources;
use crate::subject::Subject;

/// Points shown before the rest is only counted.
const SHOWN: usize = 12;
/// The model as the document holds it.
pub(crate) fn report(subject: &Subject, synthesis: &Synthesis) -> SynthesisReport {
    let sources = Sources::read(subject);
    let point = |(point, leaves): (Point, Vec<String>)| {
        let at = match point {
            Point::Assumed => "assumed".to_owned(),
            Point::Side { site, side } => {
                let (place, sides) = sources.place(subject, site);
                format!("{place} {}", sides.name(side))
            }
        };
        format!("{at}: {}", leaves.join("; "))
    };
    let points: Vec<String> = synthesis.points().map(point).collect();
    let what = if synthesis.is_recursive() { "one activation of the recursion" } else { "path conditions" };
    let mut explained = vec![
        format!(
            "{what} inferred at sizes {:?}, validated on {:?}; it holds from size {} on",
            synthesis.learned,
            synthesis.held_out,
            synthesis.from()
        ),
        if synthesis.is_recursive() {
            "the ranks that are compared, within the parts of an activation of size n:".to_owned()
        } else {
            "the leaves of the conditions at size n:".to_owned()
        },
    ];
    let left = points.len().saturating_sub(SHOWN);
    explained.extend(points.iter().take(SHOWN).cloned());
    if left > 0 {
        explained.push(format!("and {left} more points"));
    }
    SynthesisReport {
        recursive: synthesis.is_recursive(),
        inferred_at: synthesis.learned.clone(),
        validated_on: synthesis.held_out.clone(),
        from: synthesis.from(),
        explained,
    }
}

/// What could not be modelled, by source line.
pub(crate) fn words(subject: &Subject, unmodelled: &[Unmodelled]) -> String {
    let sources = Sources::read(subject);
    let one = |of: &Unmodelled| match of.site {
        Some(site) => format!("{}: {}", sources.place(subject, site).0, of.why),
        None => of.why.clone(),
    };
    unmodelled.iter().map(one).collect::<Vec<_>>().join("; ")
}
