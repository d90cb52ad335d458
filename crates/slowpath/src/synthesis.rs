//! Synthesis of path conditions: which small worst paths it learns from, and what it says where it cannot.

use slowpath_search::{Budget, Example, How, Learned, SearchError, SizeFinding, Synthesis, Target, Unmodelled};

use crate::policy::Sources;
use crate::subject::Subject;

/// Sizes learned from, beyond those explored completely, while a policy leads there.
const GUIDED_SIZES: i64 = 12;
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
    let (by_policy, by_exploration) = examples(target, subject, learned, budget)?;
    for examples in [by_policy, by_exploration] {
        match Synthesis::infer(target, &examples, budget)? {
            Ok(synthesis) => return Ok(Ok(synthesis)),
            Err(unmodelled) if why.is_empty() => why = unmodelled,
            Err(_) => {}
        }
    }
    Ok(Err(words(subject, &why)))
}

/// The worst input of every small size: once the policy's, whose path is alike at all sizes, and beyond the sizes explored completely;
/// once those that exploration came across first.
fn examples(
    target: &Target,
    subject: &Subject,
    learned: &Learned,
    budget: &Budget,
) -> Result<(Vec<Example>, Vec<Example>), SearchError> {
    let explored: Vec<Example> = learned.exact.iter().filter_map(example).collect();
    let known = learned.exact.last().map_or(0, |found| found.size);
    let mut guided = Vec::new();
    for n in 1..=(known + GUIDED_SIZES).max(LEAST_SIZES) {
        if subject.check_size(n).is_err() || budget.expired().is_some() {
            break;
        }
        let exact = explored.iter().find(|example| example.size == n);
        let found = learned.chosen.run(target, n, budget)?.map(|(found, _)| found);
        let led = found.as_ref().filter(|found| found.paths == 1).and_then(example);
        match (led, exact) {
            (Some(led), Some(exact)) if led.cost == exact.cost => guided.push(Example { sure: true, ..led }),
            (_, Some(exact)) => guided.push(exact.clone()),
            (Some(led), None) => guided.push(led),
            (None, None) => break,
        }
    }
    Ok((guided, explored))
}

fn example(found: &SizeFinding) -> Option<Example> {
    let worst = found.worst.as_ref()?;
    let sure = match found.how {
        How::Exhaustive => found.complete,
        How::Guided { validated, .. } => validated,
        _ => false,
    };
    Some(Example { size: found.size, input: worst.input.clone(), cost: worst.cost, sure })
}

/// What could not be modelled, by source line.
fn words(subject: &Subject, unmodelled: &[Unmodelled]) -> String {
    let sources = Sources::read(subject);
    let one = |of: &Unmodelled| match of.site {
        Some(site) => format!("{}: {}", sources.place(subject, site), of.why),
        None => of.why.clone(),
    };
    unmodelled.iter().map(one).collect::<Vec<_>>().join("; ")
}
