//! At one size: what leads straight to an input, what goes on from there, and where the rest of the budget goes.

use std::time::Duration;

use super::attempts::{Turns, progress};
use crate::claim::{Evidence, FoundBy};
use crate::technique::{Session, Stage};
use crate::techniques::law::LAW_FROM;
use crate::techniques::{few_paths, synthesis};

/// The part of what is left that one slice of the rest of the budget takes.
const SLICE: f64 = 0.2;
/// Below this, a technique has its turn in every so-manieth slice only: beginning costs some of them more than such a part.
const LITTLE_MOMENTUM: f64 = 0.3;
const SELDOM: u64 = 4;
/// The least part of all the rest that a slice is.
const LEAST_SLICE: f64 = 0.06;
/// Slices in a row that may bring nothing and take no time, before a size is left alone.
const IDLE: u64 = 3;

impl Turns {
    /// What leads straight to an input of this size.
    pub(super) fn lead(&mut self, n: i64, session: &mut Session<'_>) {
        for probe in few_paths::probes(session, n) {
            let (share, policy) = (session.share(), session.knowledge.policy(&session.ledger).is_some());
            if !policy || session.settings.compares_policies {
                break;
            }
            self.attempt(FoundBy::FewPaths, probe, session, &share);
            if !session.ledger.row(probe).is_some_and(|row| row.is_exact()) {
                break;
            }
            session.knowledge.probed = probe;
            self.attempt(FoundBy::Policy, probe, session, &share);
        }
        // What synthesis finds is as good to infer a law from as what a policy finds.
        let large = n >= LAW_FROM && self.techniques.has(FoundBy::InputLaw);
        if large && session.settings.synthesizes && session.knowledge.policy(&session.ledger).is_none() {
            synthesis::prepare(session);
        }
        if large {
            let share = session.share();
            self.attempt(FoundBy::InputLaw, n, session, &share);
        }
        self.stage(Stage::Lead, n, session);
    }

    /// What goes on from there: a share of the time that is left.
    pub(super) fn search(&mut self, n: i64, share: f64, session: &mut Session<'_>) {
        let budget = session.budget.part(share);
        let trusted = session.ledger.caught_out(FoundBy::Policy).is_none();
        for technique in self.techniques.of(Stage::Search) {
            let before = progress(technique, n, session);
            self.attempt(technique, n, session, &budget);
            self.note_momentum(technique, progress(technique, n, session) > before);
        }
        // What was not tried on the word of a policy that has now been caught out.
        if trusted && session.ledger.caught_out(FoundBy::Policy).is_some() {
            self.stage(Stage::Lead, n, session);
        }
    }

    /// The rest of the budget goes to the largest size that may still get worse, and when nothing helps there, to the next.
    pub(super) fn rest(&mut self, sizes: &[i64], session: &mut Session<'_>) {
        let least = session.budget.part(LEAST_SLICE).left().max(Duration::from_millis(200));
        for n in sizes.iter().rev() {
            let (mut idle, mut turn) = (0, 0);
            while idle < IDLE + SELDOM && session.budget.expired().is_none() {
                let open = session
                    .ledger
                    .row(*n)
                    .is_some_and(|row| !row.is_settled() && row.evidence() != Some(Evidence::Believed));
                if !open {
                    break;
                }
                let (begun, cost) = (session.budget.now(), session.ledger.cost(*n));
                let failures = |session: &Session<'_>| session.ledger.row(*n).map_or(0, |row| row.attempts_failed);
                let failed = failures(session);
                let slice = session.budget.part(SLICE).within(Duration::from_secs(10)).left();
                let slice = session.budget.within(slice.max(least));
                for technique in self.techniques.of(Stage::Search) {
                    let momentum = self.momentum.get(&technique).copied().unwrap_or(1.0);
                    if momentum >= LITTLE_MOMENTUM || turn % SELDOM == SELDOM - 1 {
                        self.attempt_by_momentum(technique, *n, session, &slice);
                    }
                }
                turn += 1;
                let used = session.budget.now().saturating_sub(begun);
                let idled = used < Duration::from_millis(1) || failures(session) > failed;
                let vain = session.ledger.cost(*n) == cost && idled;
                idle = if vain { idle + 1 } else { 0 };
            }
        }
    }
}
