//! Jobs that are whole by themselves, each a function of its bytes alone, spread over the workers of an engine: which is next, what is late, which is given up.
//!
//! Where an exploration ([`Fleet`](super::Fleet)) is cut into tasks at will, a job is a whole target of a check, a look of a scan, an island. Its result is the first that
//! anybody brings, so it does not depend on engine, workers, order, duplicates or losses.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use super::patience::{MOST_DEATHS, Patience, given_up};
use crate::engine::{Engine, Failure, Report};

/// How long a result is waited for before looking whether somebody wants an end.
const WAIT: Duration = Duration::from_millis(50);

/// What a job came to: its result, or why there is none.
pub type Outcome = Result<Vec<u8>, String>;

/// Jobs on their way.
pub struct Jobs {
    begun: Instant,
    next_ticket: u64,
    waiting: VecDeque<u64>,
    /// All that have no result yet.
    open: BTreeMap<u64, Open>,
    done: BTreeMap<u64, Outcome>,
    patience: Patience,
}

struct Open {
    job: Vec<u8>,
    /// When it was given out, if it was.
    since: Option<Duration>,
    deaths: u32,
}

impl Jobs {
    /// None yet. Tickets are numbered from this on.
    pub fn new(first_ticket: u64) -> Jobs {
        Jobs {
            begun: Instant::now(),
            next_ticket: first_ticket,
            waiting: VecDeque::new(),
            open: BTreeMap::new(),
            done: BTreeMap::new(),
            patience: Patience::default(),
        }
    }

    /// The ticket after the last.
    pub fn next_ticket(&self) -> u64 {
        self.next_ticket
    }

    /// Adds a job, to be begun after those before it. Its ticket.
    pub fn add(&mut self, job: Vec<u8>) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.open.insert(ticket, Open { job, since: None, deaths: 0 });
        self.waiting.push_back(ticket);
        ticket
    }

    /// Adds a job that somebody waits for already.
    pub fn add_first(&mut self, job: Vec<u8>) -> u64 {
        let ticket = self.add(job);
        self.waiting.rotate_right(1);
        ticket
    }

    /// Has jobs done until this one has a result, which is given once. None where `ended` wants an end before that, or there is no such job.
    pub fn result(&mut self, ticket: u64, engine: &mut dyn Engine, ended: &dyn Fn() -> bool) -> Option<Outcome> {
        loop {
            if let Some(outcome) = self.done.remove(&ticket) {
                return Some(outcome);
            }
            if ended() || !self.open.contains_key(&ticket) {
                return None;
            }
            self.hand_out(engine);
            if let Some(report) = engine.next(WAIT) {
                self.take(report);
            }
        }
    }

    fn hand_out(&mut self, engine: &mut dyn Engine) {
        let now = self.begun.elapsed();
        let late = self.patience.late();
        let is_late = |open: &Open| open.since.is_some_and(|since| now.saturating_sub(since) > late);
        // Before any is done nobody knows how long they take.
        let mut again = None;
        if !self.patience.is_new() {
            again = self.open.iter().find(|(_, open)| is_late(open)).map(|(ticket, _)| *ticket);
        }
        let out = self.open.values().filter(|open| open.since.is_some()).count();
        let free = engine.slots().max(1).saturating_sub(out);
        let next = self.waiting.drain(..free.min(self.waiting.len()));
        for ticket in again.into_iter().chain(next) {
            let Some(open) = self.open.get_mut(&ticket) else { continue };
            open.since = Some(now);
            engine.submit(ticket, open.job.clone());
        }
    }

    /// Takes what became of a job. The first result counts.
    fn take(&mut self, Report { ticket, result }: Report) {
        let Some(open) = self.open.get_mut(&ticket) else { return };
        let outcome = match result {
            Ok(result) => {
                self.patience.note(self.begun.elapsed().saturating_sub(open.since.unwrap_or_default()));
                Ok(result)
            }
            Err(Failure::Died(why)) => {
                open.deaths += 1;
                if open.deaths < MOST_DEATHS {
                    open.since = None;
                    self.waiting.push_front(ticket);
                    return;
                }
                Err(given_up(&why))
            }
            Err(Failure::Refused(why)) => Err(why),
        };
        self.open.remove(&ticket);
        self.waiting.retain(|waiting| *waiting != ticket);
        self.done.insert(ticket, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Squares numbers, and drops, repeats, reorders and kills as chance will have it.
    struct Accidents {
        rng: Rng,
        reports: Vec<Report>,
        deadly: Option<u8>,
    }

    impl Engine for Accidents {
        fn slots(&self) -> usize {
            3
        }

        fn submit(&mut self, ticket: u64, job: Vec<u8>) {
            let died = Report { ticket, result: Err(Failure::Died("killed".into())) };
            if self.deadly == Some(job[0]) || self.rng.below(40) == 0 {
                return self.reports.push(died);
            }
            let done = Report { ticket, result: Ok(vec![job[0] * job[0]]) };
            let times = 1 + self.rng.below(2);
            self.reports.extend((0..times).map(|_| done.clone()));
        }

        fn next(&mut self, _: Duration) -> Option<Report> {
            if self.reports.is_empty() {
                return None;
            }
            let place = self.rng.below(self.reports.len() as u64) as usize;
            Some(self.reports.swap_remove(place))
        }
    }

    fn outcomes(seed: u64, deadly: Option<u8>) -> Vec<Outcome> {
        let mut engine = Accidents { rng: Rng::new(seed, 0), reports: Vec::new(), deadly };
        let mut jobs = Jobs::new(1);
        let tickets: Vec<u64> = (0..12).map(|number| jobs.add(vec![number])).collect();
        tickets.into_iter().filter_map(|ticket| jobs.result(ticket, &mut engine, &|| false)).collect()
    }

    #[test]
    fn jobs_come_to_the_same_whatever_happens_to_their_workers() {
        let expected: Vec<Outcome> = (0..12u8).map(|number| Ok(vec![number * number])).collect();
        assert!((0..50).all(|seed| outcomes(seed, None) == expected));
    }

    #[test]
    fn a_job_that_kills_three_workers_is_given_up_and_no_other() {
        let outcomes = outcomes(1, Some(5));
        let failed: Vec<usize> = (0..12).filter(|place| outcomes[*place].is_err()).collect();
        assert_eq!(failed, [5]);
        assert!(outcomes[5].as_ref().is_err_and(|why| why.contains("3 workers ended with it")));
    }

    #[test]
    fn whoever_wants_an_end_does_not_wait() {
        let mut engine = Accidents { rng: Rng::new(1, 0), reports: Vec::new(), deadly: None };
        let mut jobs = Jobs::new(1);
        let ticket = jobs.add(vec![1]);
        assert!(jobs.result(ticket, &mut engine, &|| true).is_none());
        assert!(jobs.result(99, &mut engine, &|| false).is_none());
    }
}
