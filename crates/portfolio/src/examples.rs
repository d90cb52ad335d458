//! Which small worst inputs path conditions are inferred from: those of a policy, which are alike at all sizes, and those of exploration.

use slowpath_search::{Budget, Example, Learned, SearchError, Synthesis, Target, Unmodelled, reproduce};

use crate::input_law::InputLaw;

/// Sizes learned from, beyond those explored completely, while a policy leads there.
const GUIDED_SIZES: i64 = 12;
/// As many are tried first.
const FIRST_GUIDED_SIZES: i64 = 8;
/// The part of the time left that the search at one of them may take.
const SIZE_SHARE: f64 = 0.1;
/// Sizes explored completely that are enough without a policy.
const FEWEST_EXPLORED: usize = 7;
/// Sizes up to this one are learned from even where few were explored completely.
const LEAST_SIZES: i64 = 20;

/// The model of all sizes, or why there is none.
pub fn infer(
    target: &Target,
    learned: &Learned,
    budget: &Budget,
) -> Result<Result<Synthesis, Vec<Unmodelled>>, SearchError> {
    let mut why = Vec::new();
    let known = learned.explored.last().map_or(0, |found| found.size);
    // A few guided sizes are often enough, and larger ones can take long.
    for largest in [known + FIRST_GUIDED_SIZES, (known + GUIDED_SIZES).max(LEAST_SIZES)] {
        let (by_policy, by_exploration) = examples(target, learned, largest, budget)?;
        for examples in [by_policy, by_exploration] {
            match Synthesis::infer(target, &examples, budget)? {
                Ok(synthesis) => return Ok(Ok(synthesis)),
                Err(unmodelled) if why.is_empty() => why = unmodelled,
                Err(_) => {}
            }
        }
    }
    let recursive = Synthesis::infer_recursive(target, &worst_of_each(target, learned, budget)?, budget)?;
    Ok(recursive.map_err(|_| why))
}

/// The model of all sizes from the inputs a law gives, which are alike at all sizes where those of a search are not.
pub fn infer_by_law(
    target: &Target,
    learned: &Learned,
    law: &InputLaw,
    budget: &Budget,
) -> Result<Option<Synthesis>, SearchError> {
    let explored: Vec<Example> = learned.explored.iter().filter_map(Example::of).collect();
    // Where the law's input is not the worst, it is no example of it.
    let as_bad = |by_law: &Example| explored.iter().all(|e| e.size != by_law.size || e.cost == by_law.cost);
    let examples: Vec<Example> =
        (1..=LEAST_SIZES).filter_map(|n| law.example(target, n, budget)).filter(as_bad).collect();
    Ok(Synthesis::infer(target, &examples, budget)?.ok())
}

/// The model of all sizes from nothing but sizes explored completely, if these are enough.
pub fn infer_explored(target: &Target, explored: &Learned, budget: &Budget) -> Result<Option<Synthesis>, SearchError> {
    if explored.explored.len() < FEWEST_EXPLORED {
        return Ok(None);
    }
    let examples: Vec<Example> = explored.explored.iter().filter_map(Example::of).collect();
    if let Ok(synthesis) = Synthesis::infer(target, &examples, budget)? {
        return Ok(Some(synthesis));
    }
    Ok(Synthesis::infer_recursive(target, &worst_of_each(target, explored, budget)?, budget)?.ok())
}

/// Every worst input known of every size explored completely.
fn worst_of_each(target: &Target, learned: &Learned, budget: &Budget) -> Result<Vec<Vec<Example>>, SearchError> {
    let mut all = Vec::new();
    for (found, summary) in learned.explored.iter().zip(&learned.summaries) {
        let mut of_size = Vec::new();
        for decisions in &summary.worst_paths {
            let worst = match reproduce(target, found.size, decisions, budget) {
                // Others of its size may do.
                Err(SearchError::GaveUp) => continue,
                worst => worst?,
            };
            of_size.push(Example { size: found.size, input: worst.input, cost: worst.cost, sure: found.complete });
        }
        all.push(of_size);
    }
    Ok(all)
}

/// The worst input of every small size: once the policy's, whose path is alike at all sizes, and beyond the sizes explored completely;
/// once those that exploration came across first.
fn examples(
    target: &Target,
    learned: &Learned,
    largest: i64,
    budget: &Budget,
) -> Result<(Vec<Example>, Vec<Example>), SearchError> {
    let explored: Vec<Example> = learned.explored.iter().filter_map(Example::of).collect();
    let mut guided = Vec::new();
    // A policy that leaves choices open follows many paths, none of which is like those of other sizes.
    if !learned.policies.candidates.iter().any(|candidate| candidate.deterministic) {
        return Ok((explored, Vec::new()));
    }
    for n in 1..=largest {
        if target.check_size(n).is_err() || budget.expired().is_some() {
            break;
        }
        let exact = explored.iter().find(|example| example.size == n);
        let found = learned.policies.run(target, n, &budget.part(SIZE_SHARE))?.map(|(found, _)| found);
        let led = found.as_ref().filter(|found| found.paths == 1 && found.complete).and_then(Example::of);
        match (led, exact) {
            (Some(led), Some(exact)) if led.cost == exact.cost => guided.push(Example { sure: exact.sure, ..led }),
            (_, Some(exact)) => guided.push(exact.clone()),
            (Some(led), None) => guided.push(led),
            (None, None) => break,
        }
    }
    Ok((guided, explored))
}
