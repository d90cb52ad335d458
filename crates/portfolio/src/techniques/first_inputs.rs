//! First inputs: before anything else every size gets inputs of simple shapes, random ones, and those of other sizes, stretched.

use std::time::Duration;

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, Rng, SearchError, SizeFinding, draw_input};

use crate::claim::FoundBy;
use crate::dictionary::Dictionary;
use crate::domain::Domain;
use crate::ledger::Row;
use crate::runs::Runs;
use crate::shapes::{of_constants, shaped};
use crate::stretch::stretched;
use crate::technique::{Session, Stage, Technique};

/// Random inputs that are run.
const RANDOM: u64 = 24;
/// Sizes whose worst input is stretched: the largest ones below, and the smallest one above.
const SMALLER: usize = 4;
/// Ways in which the worst input of a larger size is cut before anything else.
const CUT: usize = 3;
/// Constants of the program that arrays are filled with.
const CONSTANTS: usize = 48;
/// How long after its time inputs are tried where none has run to its end yet; of all sizes together after the end of the analysis.
const OVERTIME: Duration = Duration::from_millis(100);
/// A hundredth of a size's time.
const SHARE: f64 = 0.01;

/// Instructions that a run may take in overtime, if those of no smaller size are more.
const OVERTIME_FUEL: u64 = 50_000_000;

/// What the worst input of a size costs, and its instructions.
fn price(row: &Row) -> Option<(u64, u64)> {
    let worst = row.best.as_ref()?.finding.worst.as_ref()?;
    Some((worst.cost, worst.costs.instructions))
}

#[derive(Default)]
pub struct FirstInputs {
    dictionary: Option<Dictionary>,
}

impl Technique for FirstInputs {
    fn name(&self) -> FoundBy {
        FoundBy::FirstInputs
    }

    fn stage(&self) -> Stage {
        Stage::First
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        (!session.ledger.row(n).is_some_and(|row| row.is_settled())).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        let at_end = budget.latest(OVERTIME);
        let latest = begun.saturating_add(budget.left()).saturating_add(OVERTIME).min(at_end);
        let target = session.target;
        // A size that the call refuses is an error to be told, not a size without inputs.
        target.check_size(n).map_err(slowpath_machine::StartError::Signature)?;
        // And so is a program that cannot be started.
        draw_input(target, n, target.seed, budget)?;
        let Some(domain) = Domain::of(target, n, budget) else { return Ok(None) };
        let fresh = !session.ledger.row(n).is_some_and(|row| row.tried.contains_key(&FoundBy::FirstInputs));
        let rows = |smaller: bool| session.ledger.rows().filter(move |row| (row.size < n) == smaller && row.size != n);
        // More input hardly ever costs less: the costliest of all that are smaller comes first.
        let costliest = session.ledger.costliest_below(n);
        let (least, least_instructions) = costliest.and_then(price).unwrap_or_default();
        let others = rows(true).rev().take(SMALLER).filter(|row| costliest.is_none_or(|first| first.size != row.size));
        let neighbours = costliest.into_iter().chain(others);
        let input_of = |row: &'_ Row| row.best.as_ref()?.finding.worst.as_ref().map(|worst| worst.input.clone());
        let corpus = session.settings.corpus.iter().filter(|_| fresh).cloned();
        let worst: Vec<InputValues> = corpus.chain(neighbours.filter_map(input_of)).collect();
        // A few ways to cut that of the next larger size come before the many to stretch smaller ones: there may be time for some of them only.
        let larger: Vec<InputValues> = rows(false).take(1).filter_map(input_of).collect();
        let cut = larger.iter().flat_map(|input| stretched(input, &domain).take(CUT));
        let cut_otherwise = larger.iter().flat_map(|input| stretched(input, &domain).skip(CUT));
        let stretched = cut.chain(worst.iter().flat_map(|input| stretched(input, &domain))).chain(cut_otherwise);
        let dictionary =
            self.dictionary.get_or_insert_with(|| Dictionary::of(&target.program, &session.settings.dictionary));
        let numbers = dictionary.numbers();
        let constants = &numbers[..numbers.len().min(CONSTANTS)];
        // The inputs that `--average` draws first, so that no worst case is below one of them.
        let draw = |i| Rng::new(target.seed, i ^ 0x5EED_0000_0000_0000).next();
        let random = (0..RANDOM).filter_map(|i| draw_input(target, n, draw(i), budget).ok().flatten());
        let new = shaped(&domain).chain(random).chain(of_constants(&domain, constants));
        let new = new.take(if fresh { usize::MAX } else { 0 });
        let mut runs = Runs::new(target, n, &mut *session.runner, budget);
        for (tried, input) in stretched.chain(new).enumerate() {
            // There is to be one, however little time there is and however long it took to come here.
            let latest = if tried == 0 { at_end } else { latest };
            let is_enough = runs.leader().is_some_and(|(_, ran)| ran.cost >= least);
            let (expired, now) = (runs.expired().is_some(), budget.now());
            let limit_reached = runs.leader().is_some_and(|(_, ran)| ran.at_least) && is_enough;
            if limit_reached || expired && (is_enough || now >= latest && (runs.leader().is_some() || now >= at_end)) {
                break;
            }
            // In overtime all that is to be shown is that it costs no less than a smaller size.
            let most = if expired { least_instructions.max(OVERTIME_FUEL) } else { target.limits.instructions };
            runs.run_for(most, &input);
        }
        Ok(Some(runs.best().finding(n, budget.seconds_since(begun))))
    }
}
