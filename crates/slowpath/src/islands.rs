//! Islands: a fixed number of searches, each with a seed of its own, that exchange their records at fixed efforts. What they find together is what the analysis
//! itself begins with.
//!
//! Evolutions and patterns are luck; several tries with other seeds find more than one that is longer. Who carries the islands, and in which order they
//! end, makes no difference: records are exchanged when all of a round are there, in the order of the islands.

use std::collections::BTreeMap;
use std::sync::Arc;

use slowpath_portfolio::{FoundBy, Ledger};
use slowpath_search::work::{Engine, Failure, Jobs, Threads};
use slowpath_search::{Budget, Target, steps_of};

use crate::error::Error;
use crate::island::{self, Found, Island};
use crate::parcel::identity_of_work;
use crate::records::{self, Record};
use crate::request::{AnalyzeRequest, Strategy};
use crate::subject::Subject;

/// More islands than this are taken for a slip.
pub const MOST_ISLANDS: u32 = 1024;

/// How often records are exchanged, the last time with the analysis itself.
const ROUNDS: u64 = 4;
/// The part of the budget that all islands have together.
const SHARE: f64 = 0.5;
/// What islands of `auto` do, in turn.
const OF_AUTO: [Strategy; 3] = [Strategy::Mutate, Strategy::Pump, Strategy::Evolve];

/// What a search on an island can be; none where chance has no part in it.
fn strategies(strategy: Strategy) -> &'static [Strategy] {
    match strategy {
        Strategy::Auto => &OF_AUTO,
        Strategy::Mutate => &[Strategy::Mutate],
        Strategy::Pump => &[Strategy::Pump],
        Strategy::Evolve => &[Strategy::Evolve],
        _ => &[],
    }
}

/// Refuses islands where chance has no part in the search.
pub(crate) fn check(request: &AnalyzeRequest) -> Result<(), Error> {
    let strategy = request.strategy;
    let is_possible = request.islands == 0 || !strategies(strategy).is_empty();
    if is_possible { Ok(()) } else { Err(Error::NoIslands { strategy: strategy.name() }) }
}

/// Has the islands of a request searched, and offers what they found. What to say of those that could not be.
pub(crate) fn visit(
    request: &AnalyzeRequest,
    subject: &Subject,
    target: &Target,
    budget: &Budget,
    ledger: &mut Ledger,
) -> Vec<String> {
    if request.islands == 0 || strategies(request.strategy).is_empty() {
        return Vec::new();
    }
    let strategies = strategies(request.strategy);
    let known = records::of(ledger).map(|record| (record.size, record)).collect();
    let identity = identity_of_work(subject, request);
    let mut islands = Islands { request, strategies, identity, budget, known, limits: Vec::new() };
    let lent = target.explorations.lend_engine(|engine, first| islands.search(engine, first));
    if !lent {
        let count = request.jobs.min(request.islands as usize);
        let (request, subject, budget) = (request.clone(), subject.clone(), budget.clone());
        let doing = move |task: &[u8], halt: &Arc<_>| {
            let within = Budget { interrupt: Arc::clone(halt), ..budget.clone() };
            island::answer(&request, &subject, task, &within).map_err(|error| Failure::Refused(error.to_string()))
        };
        islands.search(&mut Threads::doing(count, Box::new(doing)), 1);
    }
    let Islands { known, mut limits, .. } = islands;
    for record in known.into_values() {
        match record.again(subject, target, budget) {
            Some(found) => {
                ledger.offer(FoundBy::Island, found);
            }
            None => limits.push(format!("size {}: the input of an island could not be run again", record.size)),
        }
    }
    limits
}

struct Islands<'i> {
    request: &'i AnalyzeRequest,
    strategies: &'static [Strategy],
    identity: u64,
    budget: &'i Budget,
    /// The records of all.
    known: BTreeMap<i64, Record>,
    limits: Vec<String>,
}

impl Islands<'_> {
    /// All rounds. Tickets are numbered from `first_ticket` on; the one after the last.
    fn search(&mut self, engine: &mut dyn Engine, first_ticket: u64) -> u64 {
        let share = self.budget.part(SHARE);
        let count = u64::from(self.request.islands);
        // Work is shared by all of them; time passes for as many as there are slots at once.
        let turns = if share.clock.is_by_work() { count } else { count.div_ceil(engine.slots().max(1) as u64) };
        let effort = (steps_of(share.left()) / ROUNDS / turns).max(1);
        let mut jobs = Jobs::new(first_ticket);
        for round in 0..ROUNDS {
            let tickets: Vec<u64> = (0..count).map(|place| jobs.add(self.island(round, place, effort))).collect();
            let mut steps = 0;
            for (place, ticket) in tickets.into_iter().enumerate() {
                let Some(outcome) = jobs.result(ticket, engine, &|| share.expired().is_some()) else {
                    engine.halt();
                    return jobs.next_ticket();
                };
                let found = outcome.and_then(|b| Found::from_bytes(&b, self.identity).map_err(|why| why.to_string()));
                match found {
                    Ok(found) => {
                        steps += found.steps;
                        found.records.into_iter().for_each(|record| self.learn(record));
                    }
                    Err(why) => self.limits.push(format!("island {} was given up: {why}", place + 1)),
                }
            }
            // At the end of a round, so that nothing depends on who came first.
            self.budget.charge(steps);
        }
        jobs.next_ticket()
    }

    fn island(&self, round: u64, place: u64, effort: u64) -> Vec<u8> {
        let number = round * u64::from(self.request.islands) + place;
        let strategy = self.strategies[place as usize % self.strategies.len()].name().to_owned();
        let seed = self.request.seed.wrapping_add(number).wrapping_add(1);
        Island { strategy, seed, effort, records: self.known.values().cloned().collect() }.to_bytes(self.identity)
    }

    fn learn(&mut self, record: Record) {
        if self.known.get(&record.size).is_none_or(|known| known.cost < record.cost) {
            self.known.insert(record.size, record);
        }
    }
}
