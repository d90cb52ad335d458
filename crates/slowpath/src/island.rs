//! One island: a search with a seed of its own, for an effort, that begins with what all of them know. A pure function of the program, the settings and what it is told,
//! whoever does it and wherever.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use slowpath_portfolio::{FoundBy, Knowledge, Ledger, Session, Settings};
use slowpath_search::work::{ISLAND, RECORDS, WorkError, seal, unseal};
use slowpath_search::{Budget, Clock, time_of};

use crate::error::Error;
use crate::parcel::identity_of_work;
use crate::records::{self, Record};
use crate::request::AnalyzeRequest;
use crate::setup::{engines, plan, settings, within_reach};
use crate::subject::Subject;
use crate::{corpus, dictionary_file, memory};

/// What an island is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Island {
    /// The strategy, as on the command line.
    pub strategy: String,
    pub seed: u64,
    /// Steps of work.
    pub effort: u64,
    /// What it begins with.
    pub records: Vec<Record>,
}

/// What an island came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    /// Work that was done.
    pub steps: u64,
    pub records: Vec<Record>,
}

impl Island {
    /// As a task.
    pub fn to_bytes(&self, identity: u64) -> Vec<u8> {
        // It has numbers, texts and inputs: nothing to fail.
        seal(ISLAND, identity, &serde_json::to_vec(self).unwrap_or_default())
    }

    fn from_bytes(bytes: &[u8], identity: u64) -> Result<Island, WorkError> {
        let inside = unseal(ISLAND, identity, bytes)?;
        serde_json::from_slice(inside).map_err(|_| WorkError::Wrong("an island that is none"))
    }
}

impl Found {
    pub fn from_bytes(bytes: &[u8], identity: u64) -> Result<Found, WorkError> {
        let inside = unseal(RECORDS, identity, bytes)?;
        serde_json::from_slice(inside).map_err(|_| WorkError::Wrong("records that are none"))
    }
}

/// Does a task that came as bytes. `within` has what may end it from outside, and the limits of memory; its clock and deadline do not matter.
pub(crate) fn answer(
    request: &AnalyzeRequest,
    subject: &Subject,
    task: &[u8],
    within: &Budget,
) -> Result<Vec<u8>, Error> {
    let identity = identity_of_work(subject, request);
    let island = Island::from_bytes(task, identity)?;
    let found = search(request, subject, &island, within)?;
    Ok(seal(RECORDS, identity, &serde_json::to_vec(&found).unwrap_or_default()))
}

fn search(request: &AnalyzeRequest, subject: &Subject, island: &Island, within: &Budget) -> Result<Found, Error> {
    let strategy = island.strategy.parse().map_err(|_| WorkError::Wrong("a strategy that there is not"))?;
    let one = AnalyzeRequest { strategy, seed: island.seed, effort: Some(island.effort), jobs: 1, ..request.clone() };
    let plan = plan(&one, subject);
    let target = subject.target(one.limits.machine(), one.solver.clone(), one.seed);
    plan.sizes().iter().try_for_each(|n| target.check_size(*n))?;
    let dictionary = one.dictionary.as_deref().map(dictionary_file::load).transpose()?.unwrap_or_default();
    let corpus = one.corpus.as_deref().map(|folder| corpus::read(folder, subject)).transpose()?.unwrap_or_default();
    // What its solver does is its own affair; work is counted by whoever gets the result.
    let budget = Budget {
        clock: Clock::work(),
        deadline: Some(time_of(island.effort)),
        solved: Arc::default(),
        ..within.clone()
    };
    let bytes = memory::limit(one.limits.search_memory, true);
    let (plan, _) = within_reach(plan, &target, &budget, bytes);
    let (_verifier, mut runner) = engines(&one, subject, &budget, bytes);
    let mut ledger = Ledger::default();
    for found in island.records.iter().filter_map(|record| record.again(subject, &target, &budget)) {
        ledger.offer(FoundBy::Island, found);
    }
    let mut session = Session {
        target: &target,
        settings: Settings { corpus, dictionary, ..settings(&one, &plan, false) },
        ledger,
        knowledge: Knowledge::default(),
        runner: &mut runner,
        budget,
        sizes_left: 1,
        events: &mut |_| {},
        after: &mut |_| {},
    };
    let _ = slowpath_portfolio::run(&mut session, &one.strategy.of_portfolio(one.evolve_from_policy), &plan);
    Ok(Found { steps: session.budget.clock.steps(), records: records::of(&session.ledger).collect() })
}

/// The body for fuzzers: whatever the bytes are, they are an island or what one came to, or refused. Tells which.
pub(crate) fn fuzz_island(bytes: &[u8], identity: u64) -> bool {
    let island = Island::from_bytes(bytes, identity);
    if let Ok(island) = &island {
        assert!(Island::from_bytes(&island.to_bytes(identity), identity).as_ref() == Ok(island));
    }
    island.is_ok() || Found::from_bytes(bytes, identity).is_ok()
}
