//! `slowpath merge`: several documents of one target as one, with the worst of each size.

use slowpath_report::{Confidence, Findings, SizeResult};

use crate::growth::{Beside, law};

/// Why documents cannot become one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    #[error("there is nothing to merge: name at least one findings document")]
    Nothing,
    #[error("the documents are of different targets: {0}")]
    Other(String),
    #[error(
        "at size {size} one document says that {exact} is the exact worst cost, another has a verified input that costs {found}: \
         this is a bug in slowpath, please report it with both documents"
    )]
    Contradiction { size: i64, exact: u64, found: u64 },
}

/// One document of several.
pub fn merge(documents: Vec<Findings>) -> Result<Findings, MergeError> {
    let mut documents = documents;
    let Some(first) = documents.first() else { return Err(MergeError::Nothing) };
    for other in &documents[1..] {
        same_target(first, other)?;
    }
    let costs: Vec<(i64, u64)> = documents.iter().flat_map(verified_costs).collect();
    for document in &mut documents {
        no_contradiction(document, &costs)?;
        revoke_what_is_beaten(document, &costs);
    }
    let mut rest = documents.into_iter();
    let Some(mut merged) = rest.next() else { return Err(MergeError::Nothing) };
    for other in rest {
        add(&mut merged, other);
    }
    merged.results.sort_by_key(|result| result.size);
    merged.fit = law(&merged, Beside::default());
    Ok(merged)
}

fn same_target(a: &Findings, b: &Findings) -> Result<(), MergeError> {
    let pairs = [
        ("function", a.target.function.clone(), b.target.function.clone()),
        ("call", a.target.call.clone().unwrap_or_default(), b.target.call.clone().unwrap_or_default()),
        ("harness", a.target.harness.clone().unwrap_or_default(), b.target.harness.clone().unwrap_or_default()),
        ("cost", a.cost_model.clone(), b.cost_model.clone()),
    ];
    for (what, a, b) in pairs {
        if a != b {
            return Err(MergeError::Other(format!("{what} `{a}` and `{b}`")));
        }
    }
    if a.target.module != b.target.module {
        return Err(MergeError::Other("the compiled modules differ".to_owned()));
    }
    Ok(())
}

fn verified_costs(document: &Findings) -> Vec<(i64, u64)> {
    let verified = document.results.iter().filter(|result| result.verified);
    verified.filter_map(|result| Some((result.size, result.cost?))).collect()
}

fn no_contradiction(document: &Findings, costs: &[(i64, u64)]) -> Result<(), MergeError> {
    for result in document.results.iter().filter(|result| result.confidence == Confidence::Exact) {
        let Some(exact) = result.cost.filter(|_| !result.at_least) else { continue };
        if let Some((size, found)) = costs.iter().find(|(size, cost)| *size == result.size && *cost > exact) {
            return Err(MergeError::Contradiction { size: *size, exact, found: *found });
        }
    }
    Ok(())
}

/// Where what a document calls validated or challenged is beaten at one size, it is not believed at the others either.
fn revoke_what_is_beaten(document: &mut Findings, costs: &[(i64, u64)]) {
    for sure in [Confidence::Validated, Confidence::Challenged] {
        let beaten = |result: &SizeResult| {
            let cost = result.cost.unwrap_or(0);
            result.confidence == sure && costs.iter().any(|(size, found)| *size == result.size && *found > cost)
        };
        let Some(size) = document.results.iter().find(|result| beaten(result)).map(|result| result.size) else {
            continue;
        };
        for result in document.results.iter_mut().filter(|result| result.confidence == sure) {
            result.confidence = Confidence::BestFound;
        }
        let name = sure.name();
        document
            .limits
            .push(format!("size {size}: another document has worse, so nothing of this one is {name} any more"));
    }
}

fn add(merged: &mut Findings, other: Findings) {
    for result in other.results {
        match merged.results.iter_mut().find(|known| known.size == result.size) {
            Some(known) if rank(&result) > rank(known) => *known = result,
            Some(_) => {}
            None => merged.results.push(result),
        }
    }
    for limit in other.limits {
        if !merged.limits.contains(&limit) {
            merged.limits.push(limit);
        }
    }
    merged.policy = merged.policy.take().or(other.policy);
    merged.input_law = merged.input_law.take().or(other.input_law);
    merged.synthesis = merged.synthesis.take().or(other.synthesis);
}

/// Which of two results of a size is kept: the verified one, the costlier one, the surer one.
fn rank(result: &SizeResult) -> (bool, Option<u64>, bool, usize) {
    let sure = Confidence::ALL.iter().rev().position(|one| *one == result.confidence).unwrap_or(0);
    (result.verified, result.cost, result.at_least, sure)
}
