//! Accidents do not change what an exploration comes to.

use std::time::Duration;

use super::*;
use crate::evolve::test_target::{ZEROS, target};
use crate::rng::Rng;
use crate::work::{Engine, Threads, decode_task, encode_explored, finding_of, slice, stamp};
use crate::{Budget, SizeFinding, Target, depth_first};

/// Does tasks itself, and drops, repeats, reorders and kills as chance will have it.
struct Accidents<'t> {
    target: &'t Target,
    rng: Rng,
    done: Vec<Report>,
    /// Ends every worker that gets this ticket.
    deadly: Option<u64>,
}

impl Engine for Accidents<'_> {
    fn slots(&self) -> usize {
        3
    }

    fn submit(&mut self, ticket: u64, task: Vec<u8>) {
        let identity = stamp(self.target, 7, 6).identity;
        let header = decode_task(&task, identity).expect("a task");
        let result = slice(self.target, 6, &header.task, &Budget::default()).expect("a slice");
        let report = Report { ticket, result: Ok(encode_explored(&header.stamp, &result)) };
        let died = Report { ticket, result: Err(Failure::Died("killed".into())) };
        let damaged = Report { ticket, result: Ok(vec![1, 2, 3]) };
        if self.deadly == Some(ticket) {
            self.done.push(died);
            return;
        }
        match self.rng.next() % 20 {
            // Lost.
            0 | 1 => {}
            2 => self.done.push(died),
            3 => self.done.push(damaged),
            4 | 5 => self.done.extend([report.clone(), report]),
            _ => self.done.push(report),
        }
    }

    fn next(&mut self, _: Duration) -> Option<Report> {
        if self.done.is_empty() {
            return None;
        }
        let place = (self.rng.next() % self.done.len() as u64) as usize;
        Some(self.done.swap_remove(place))
    }
}

fn run(engine: &mut dyn Engine, fleet: &mut Fleet) {
    let mut now = Duration::ZERO;
    while !fleet.is_done() {
        while let Some((ticket, task)) = fleet.next(now) {
            engine.submit(ticket, task);
        }
        match engine.next(Duration::from_millis(20)) {
            Some(report) => fleet.take(report, now),
            // Time passes only where nothing comes any more.
            None => now += Duration::from_secs(4),
        }
        assert!(now < Duration::from_secs(1_000_000), "it gets nowhere");
    }
}

fn outline(found: &SizeFinding) -> String {
    let worst = found.worst.as_ref().map(|path| (path.cost, &path.decisions, &path.input));
    format!("{} {} {} {:?} {worst:?}", found.paths, found.worst_paths, found.complete, found.limits)
}

fn fleet(target: &Target, effort: u64, slots: usize) -> Fleet {
    Fleet::new(stamp(target, 7, 6), Explored::nothing(6, false), effort, slots, 1)
}

fn finding(target: &Target, fleet: &Fleet) -> SizeFinding {
    finding_of(target, 6, &Budget::default(), fleet.state(), Duration::ZERO).expect("it can be followed").0
}

#[test]
fn losses_duplicates_deaths_and_any_order_change_nothing() {
    let target = target(ZEROS);
    let whole = outline(&depth_first(&target, 6, &Budget::default()).unwrap());
    for seed in 0..12 {
        let mut fleet = fleet(&target, [1, 400, 20_000][seed as usize % 3], 3);
        let mut engine = Accidents { target: &target, rng: Rng::new(seed, 2), done: Vec::new(), deadly: None };
        run(&mut engine, &mut fleet);
        let found = finding(&target, &fleet);
        // Three accidents in a row with one task are a matter of chance, and said.
        if found.limits.is_empty() {
            assert_eq!(outline(&found), whole, "seed {seed}");
        } else {
            assert!(!found.complete, "seed {seed}");
        }
    }
}

#[test]
fn threads_are_an_engine() {
    let target = target(ZEROS);
    let whole = outline(&depth_first(&target, 6, &Budget::default()).unwrap());
    for count in [1, 2, 4] {
        let mut threads = Threads::new(&target, stamp(&target, 7, 6).identity, count, &Budget::default());
        let mut fleet = fleet(&target, 400, count);
        run(&mut threads, &mut fleet);
        assert_eq!(outline(&finding(&target, &fleet)), whole);
    }
}

#[test]
fn a_task_that_ends_its_workers_is_given_up_and_said() {
    let target = target(ZEROS);
    let mut engine = Accidents { target: &target, rng: Rng::new(1, 1), done: Vec::new(), deadly: Some(4) };
    let mut fleet = fleet(&target, 400, 3);
    run(&mut engine, &mut fleet);
    let found = finding(&target, &fleet);
    assert!(!found.complete && found.limits.keys().any(|why| why.contains("3 workers ended")), "{:?}", found.limits);
}

#[test]
fn the_state_at_any_time_is_enough_to_go_on_from() {
    let target = target(ZEROS);
    let whole = outline(&depth_first(&target, 6, &Budget::default()).unwrap());
    for results in 1..12 {
        let mut first = fleet(&target, 400, 3);
        let mut engine = Accidents { target: &target, rng: Rng::new(9, 9), done: Vec::new(), deadly: None };
        for _ in 0..results {
            while let Some((ticket, task)) = first.next(Duration::ZERO) {
                engine.submit(ticket, task);
            }
            if let Some(report) = engine.next(Duration::ZERO) {
                first.take(report, Duration::ZERO);
            }
        }
        let mut threads = Threads::new(&target, stamp(&target, 7, 6).identity, 2, &Budget::default());
        let mut second = Fleet::new(stamp(&target, 7, 6), first.state(), 1_000, 2, 1);
        run(&mut threads, &mut second);
        assert_eq!(outline(&finding(&target, &second)), whole, "after {results}");
    }
}
