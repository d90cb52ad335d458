//! Synthesis of path conditions: which small worst paths it learns from, and what it says where it cannot.

use std::time::Instant;

use slowpath_report::SynthesisReport;
use slowpath_search::{Budget, Example, Learned, Point, SearchError, Synthesis, Target, Unmodelled, reproduce};

use crate::input_law::InputLaw;
use crate::sources::Sources;
use crate::subject::Subject;

/// Sizes learned from, beyond those explored completely, while a policy leads there.
const GUIDED_SIZES: i64 = 12;
/// As many are tried first.
const FIRST_GUIDED_SIZES: i64 = 8;
/// The part of the time left that the search at one of them may take.
const SIZE_SHARE: f64 = 0.1;
/// Sizes explored completely that are enough without a policy.
const FEWEST_EXPLORED: usize = 7;
/// Points shown before the rest is only counted.
const SHOWN: usize = 12;
/// Sizes up to this one are learned from even where few were explored completely.
const LEAST_SIZES: i64 = 20;

/// The model of all sizes, or why there is none.
pub(crate) fn infer(
    target: &Target,
    subject: &Subject,
    learned: &Learned,
    budget: &Budget,
) -> Result<Result<Synthesis, String>, SearchError> {
    let mut why = Vec::new();
    let known = learned.exact.last().map_or(0, |found| found.size);
    // A few guided sizes are often enough, and larger ones can take long.
    for largest in [known + FIRST_GUIDED_SIZES, (known + GUIDED_SIZES).max(LEAST_SIZES)] {
        let (by_policy, by_exploration) = examples(target, subject, learned, largest, budget)?;
        for examples in [by_policy, by_exploration] {
            match Synthesis::infer(target, &examples, budget)? {
                Ok(synthesis) => return Ok(Ok(synthesis)),
                Err(unmodelled) if why.is_empty() => why = unmodelled,
                Err(_) => {}
            }
        }
    }
    let recursive = Synthesis::infer_recursive(target, &worst_of_each(target, learned)?, budget)?;
    Ok(recursive.map_err(|_| words(subject, &why)))
}

/// The model of all sizes from the inputs a law gives, which are alike at all sizes where those of a search are not.
pub(crate) fn infer_by_law(
    target: &Target,
    learned: &Learned,
    law: &InputLaw,
    budget: &Budget,
) -> Result<Option<Synthesis>, SearchError> {
    let exact: Vec<Example> = learned.exact.iter().filter_map(Example::of).collect();
    // Where the law's input is not the worst, it is no example of it.
    let as_bad = |by_law: &Example| exact.iter().all(|e| e.size != by_law.size || e.cost == by_law.cost);
    let examples: Vec<Example> =
        (1..=LEAST_SIZES).filter_map(|n| law.example(target, n, budget)).filter(as_bad).collect();
    Ok(Synthesis::infer(target, &examples, budget)?.ok())
}

/// Every worst input known of every size explored completely.
fn worst_of_each(target: &Target, learned: &Learned) -> Result<Vec<Vec<Example>>, SearchError> {
    let mut all = Vec::new();
    for (found, summary) in learned.exact.iter().zip(&learned.summaries) {
        let mut of_size = Vec::new();
        for decisions in &summary.worst_paths {
            let worst = reproduce(target, found.size, decisions)?;
            of_size.push(Example { size: found.size, input: worst.input, cost: worst.cost, sure: true });
        }
        all.push(of_size);
    }
    Ok(all)
}

/// The model of all sizes from nothing but sizes explored completely, if these are enough.
pub(crate) fn infer_explored(
    target: &Target,
    explored: &Learned,
    budget: &Budget,
) -> Result<Option<Synthesis>, SearchError> {
    if explored.exact.len() < FEWEST_EXPLORED {
        return Ok(None);
    }
    let examples: Vec<Example> = explored.exact.iter().filter_map(Example::of).collect();
    if let Ok(synthesis) = Synthesis::infer(target, &examples, budget)? {
        return Ok(Some(synthesis));
    }
    Ok(Synthesis::infer_recursive(target, &worst_of_each(target, explored)?, budget)?.ok())
}

/// The worst input of every small size: once the policy's, whose path is alike at all sizes, and beyond the sizes explored completely;
/// once those that exploration came across first.
fn examples(
    target: &Target,
    subject: &Subject,
    learned: &Learned,
    largest: i64,
    budget: &Budget,
) -> Result<(Vec<Example>, Vec<Example>), SearchError> {
    let explored: Vec<Example> = learned.exact.iter().filter_map(Example::of).collect();
    let mut guided = Vec::new();
    // A policy that leaves choices open follows many paths, none of which is like those of other sizes.
    if !learned.policies.candidates.iter().any(|candidate| candidate.deterministic) {
        return Ok((explored, Vec::new()));
    }
    for n in 1..=largest {
        if subject.check_size(n).is_err() || budget.expired().is_some() {
            break;
        }
        let exact = explored.iter().find(|example| example.size == n);
        let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let deadline = left.map(|left| Instant::now() + left.mul_f64(SIZE_SHARE));
        let found = learned.policies.run(target, n, &Budget { deadline, ..budget.clone() })?.map(|(found, _)| found);
        let led = found.as_ref().filter(|found| found.paths == 1 && found.complete).and_then(Example::of);
        match (led, exact) {
            (Some(led), Some(exact)) if led.cost == exact.cost => guided.push(Example { sure: true, ..led }),
            (_, Some(exact)) => guided.push(exact.clone()),
            (Some(led), None) => guided.push(led),
            (None, None) => break,
        }
    }
    Ok((guided, explored))
}

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
fn words(subject: &Subject, unmodelled: &[Unmodelled]) -> String {
    let sources = Sources::read(subject);
    let one = |of: &Unmodelled| match of.site {
        Some(site) => format!("{}: {}", sources.place(subject, site).0, of.why),
        None => of.why.clone(),
    };
    unmodelled.iter().map(one).collect::<Vec<_>>().join("; ")
}
