//! Input laws: the worst inputs of several sizes as one formula, which then gives the worst input of any size without a search.
//!
//! A law is inferred from some sizes and believed only if, at larger sizes it has not seen, its inputs cost exactly what a search
//! at those sizes found.

use std::collections::BTreeMap;

use slowpath_machine::Outcome;
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_search::{Budget, ConcreteRun, Example, PathFinding, Provenance, SizeFinding, Target};
use slowpath_sequence::{Law, Parameter, Pattern, infer_law, rank_samples};

use crate::simplify_inputs;

/// Sizes needed to infer from.
const FEWEST_SAMPLES: usize = 5;
/// Sizes known exactly that are looked at, the largest.
const MOST_SAMPLES: usize = 12;
/// A law this easy to read need not be made easier.
const EASY: usize = 8;
/// Laws of one input that are tried.
const MOST_LAWS: usize = 4;
/// Elements of one input that a law is asked for.
const MOST_ELEMENTS: usize = 100_000_000;

/// Sizes a law is validated on.
const HELD_OUT: usize = 3;
/// Sizes beyond those known exactly that a rule is looked for in.
const BEYOND: i64 = 6;

/// The law of the worst inputs, from what is known exactly and what a search finds at any size.
///
/// Among many worst inputs of a size the exact search and the policy tend to pick different ones, and either may be the
/// one that follows a rule from size to size. Small sizes may have inputs of their own kind. A law whose values fit at the `largest` size
/// comes before one whose values do not.
pub(crate) fn find(
    target: &Target,
    exact: &[SizeFinding],
    search: &dyn Fn(i64) -> Option<SizeFinding>,
    largest: i64,
    budget: &Budget,
) -> Option<InputLaw> {
    let mut too_large = None;
    for Samples { samples, held_out, at_least } in sample_choices(exact, search)? {
        let plain = InputLaw::infer(target, &samples, &held_out, budget);
        let fits = |law: &InputLaw| law.input(target, largest).is_some();
        let plain_fits = plain.as_ref().is_some_and(fits);
        let worth_more = |law: &InputLaw| plain.as_ref().is_none_or(|old| !plain_fits || law.weight() < old.weight());
        // Easier values are looked for where these are hard to read, or too large for their type.
        let simple = plain_fits && plain.as_ref().is_some_and(|law| law.weight() <= EASY);
        let easier = if simple { None } else { simplify_inputs::samples(target, &samples, budget) };
        let easier = easier.and_then(|samples| InputLaw::infer(target, &samples, &held_out, budget));
        let laws = easier.filter(|law| fits(law) && worth_more(law)).into_iter().chain(plain);
        let beaten = |law: &InputLaw| at_least.iter().any(|e| law.cost(target, e.size, budget) < Some(e.cost));
        for law in laws.filter(|law| !beaten(law)) {
            if fits(&law) {
                return Some(law);
            }
            too_large.get_or_insert(law);
        }
    }
    too_large
}

/// What a law is inferred from, and what it is validated on.
struct Samples {
    samples: Vec<Example>,
    held_out: Vec<Example>,
    /// What is known of larger sizes, perhaps not the worst.
    at_least: Vec<Example>,
}

/// Ways to choose samples, best first.
fn sample_choices(exact: &[SizeFinding], search: &dyn Fn(i64) -> Option<SizeFinding>) -> Option<Vec<Samples>> {
    let known = exact.last()?.size;
    let at = |n: i64| Example::of(&search(n)?);
    let held_out: Vec<Example> = [2, 5, known + 5].into_iter().map_while(|more| at(known + BEYOND + more)).collect();
    let mut exact: Vec<Example> = exact.iter().filter(|found| found.size > 2).filter_map(Example::of).collect();
    exact.drain(..exact.len().saturating_sub(MOST_SAMPLES));
    let mut sample_choices = Vec::new();
    if held_out.len() == HELD_OUT {
        // Where the policy misses the worst case, its input is no example of it.
        let as_bad = |sample: &Example| exact.iter().any(|e| e.size == sample.size && e.cost == sample.cost);
        let inside = exact.iter().filter_map(|e| at(e.size)).filter(as_bad);
        let beyond: Vec<Example> = (known + 1..=known + BEYOND).map_while(at).collect();
        let by_policy: Vec<Example> = inside.chain(beyond.iter().cloned()).collect();
        sample_choices.extend([by_policy, beyond, exact.clone()].map(|samples| Samples {
            samples,
            held_out: held_out.clone(),
            at_least: Vec::new(),
        }));
    }
    // Nothing has to lead beyond the sizes explored completely, if these are enough.
    if !held_out.iter().any(|found| found.sure) && exact.len() >= FEWEST_SAMPLES + HELD_OUT {
        let largest = exact.split_off(exact.len() - HELD_OUT);
        sample_choices.push(Samples { samples: exact, held_out: largest, at_least: held_out });
    }
    Some(sample_choices)
}

/// One input of the program by formula.
#[derive(Clone, Debug)]
struct Named {
    like: NamedInput,
    length: Parameter,
    law: Law,
}

/// The inputs of every size.
#[derive(Clone, Debug)]
pub struct InputLaw {
    inputs: Vec<Named>,
    /// Sizes it was inferred from.
    samples: Vec<i64>,
    /// Larger sizes at which its inputs cost what a search found.
    checked: Vec<i64>,
    /// Whether what the search found there can be relied on.
    sure: bool,
}

impl InputLaw {
    /// The law of the samples' inputs, if one holds at the sizes held out.
    pub fn infer(target: &Target, samples: &[Example], held_out: &[Example], budget: &Budget) -> Option<InputLaw> {
        if samples.len() < FEWEST_SAMPLES || held_out.is_empty() {
            return None;
        }
        let first = &samples.first()?.input.0;
        let choices: Vec<Vec<Named>> = (0..first.len()).map(|k| laws_of(samples, k)).collect::<Option<_>>()?;
        // Every input by its own best law first, then by its second best, and so on.
        let most = choices.iter().map(Vec::len).max()?;
        for nth in 0..most.min(2 * MOST_LAWS) {
            let inputs: Vec<Named> = choices.iter().filter_map(|laws| laws.get(nth).or(laws.last())).cloned().collect();
            let sizes = samples.iter().map(|sample| sample.size).collect();
            let checked = held_out.iter().map(|sample| sample.size).collect();
            let sure = held_out.iter().all(|sample| sample.sure);
            let law = InputLaw { inputs, samples: sizes, checked, sure };
            let holds = |sample: &Example| law.cost(target, sample.size, budget) == Some(sample.cost);
            if held_out.iter().all(holds) {
                return Some(law);
            }
        }
        None
    }

    fn cost(&self, target: &Target, n: i64, budget: &Budget) -> Option<u64> {
        let run = ConcreteRun::of(target, n, &self.input(target, n)?, budget).ok()?;
        run.outcome.map(|_| run.cost)
    }

    /// How much there is to read.
    fn weight(&self) -> usize {
        self.inputs.iter().map(|named| named.law.weight()).sum()
    }

    /// The input of size n, if all its values are ones the call allows.
    pub fn input(&self, target: &Target, n: i64) -> Option<InputValues> {
        let values = self.values(n)?;
        simplify_inputs::named(target, n, &values)
    }

    /// Its input of size n as an example of the worst.
    pub fn example(&self, target: &Target, n: i64, budget: &Budget) -> Option<Example> {
        Some(Example { size: n, input: self.input(target, n)?, cost: self.cost(target, n, budget)?, sure: self.sure })
    }

    /// Each input with its values, whether they fit or not.
    fn values(&self, n: i64) -> Option<Vec<(NamedInput, Vec<i64>)>> {
        let size = u64::try_from(n).ok()?;
        let values = |named: &Named| {
            let length = usize::try_from(named.length.value(size)?).ok().filter(|length| *length <= MOST_ELEMENTS)?;
            Some((named.like.clone(), named.law.array(size, length)?))
        };
        self.inputs.iter().map(values).collect()
    }

    /// What its input costs at size n: one concrete run. Where its values do not fit there, what they cost when they are made to fit.
    pub fn finding(&self, target: &Target, n: i64, budget: &Budget) -> Option<SizeFinding> {
        let begun = budget.now();
        let mut limits = BTreeMap::new();
        let exact = self.input(target, n);
        let mut sure = self.sure && exact.is_some();
        let inputs = match exact {
            Some(input) => vec![input],
            None => {
                limits.insert("the law's values are not allowed at this size, so they were made to fit".into(), 1);
                simplify_inputs::clamped(target, n, &self.values(n)?)
            }
        };
        let runs = inputs.into_iter().filter_map(|input| {
            let run = ConcreteRun::of(target, n, &input, budget).ok()?;
            Some((run, input))
        });
        let ended = |run: &ConcreteRun| run.outcome.is_some() || run.stopped.is_some();
        let (run, input) = runs.max_by_key(|(run, _)| (ended(run), run.cost))?;
        if let Some(Outcome::Trapped(trap)) = &run.outcome
            && !self.traps(target, budget)
        {
            limits.insert(format!("the law's input ends in a trap ({trap}), as at no size it was validated on"), 1);
            sure = false;
        }
        let worst = PathFinding::of_run(&run).map(|path| PathFinding { input, ..path });
        if worst.is_none() {
            // No search would get further.
            limits.insert("the law's input did not run to its end (--max-instructions, --budget)".into(), 1);
        }
        Some(SizeFinding {
            size: n,
            provenance: if sure { Provenance::Law } else { Provenance::Guided { validated: false } },
            paths: 1,
            worst_paths: u64::from(worst.is_some()),
            complete: worst.is_some(),
            worst,
            limits,
            seconds: budget.seconds_since(begun),
            ..SizeFinding::default()
        })
    }

    /// Whether its inputs end in traps where it was validated on others.
    fn traps(&self, target: &Target, budget: &Budget) -> bool {
        let run = self.checked.last().and_then(|n| {
            let input = self.input(target, *n)?;
            ConcreteRun::of(target, *n, &input, budget).ok()
        });
        run.is_some_and(|run| matches!(run.outcome, Some(Outcome::Trapped(_))))
    }

    /// In words and as code.
    pub fn in_words(&self) -> LawInWords {
        let inputs = self.inputs.iter().map(Named::in_words).collect();
        LawInWords { inputs, inferred_at: self.samples.clone(), checked_at: self.checked.clone() }
    }
}

/// A law for people and for programs.
#[derive(Clone, Debug)]
pub struct LawInWords {
    pub inputs: Vec<NamedLaw>,
    /// Sizes it was inferred from.
    pub inferred_at: Vec<i64>,
    /// Larger sizes at which its inputs cost what a search found.
    pub checked_at: Vec<i64>,
}

/// The law of one input.
#[derive(Clone, Debug)]
pub struct NamedLaw {
    pub name: String,
    pub law: String,
    /// Its number of elements, as a function of n.
    pub length: String,
    /// One element, as an expression in C and in Rust.
    pub c: String,
    pub rust: String,
    /// The pattern that it repeats, where it is one.
    pub pattern: Option<Pattern>,
}

impl Named {
    fn in_words(&self) -> NamedLaw {
        let (law, name) = (self.law.to_string(), &self.like.name);
        NamedLaw {
            law: if self.like.scalar { law.replace("a[i]", name) } else { law.replace("a[", &format!("{name}[")) },
            name: name.clone(),
            length: self.length.to_string(),
            c: self.law.c_expression(),
            rust: self.law.rust_expression(),
            pattern: None,
        }
    }
}

/// Laws of the k-th input, over its values as they are, then over their ranks.
fn laws_of(samples: &[Example], k: usize) -> Option<Vec<Named>> {
    let like = samples.last()?.input.0.get(k)?.clone();
    if like.ty.is_float() {
        return None;
    }
    let mut values: Vec<(u64, Vec<i64>)> = Vec::new();
    for sample in samples {
        let input = sample.input.0.get(k).filter(|input| input.name == like.name)?;
        let number = |bits: &u64| i64::try_from(like.ty.integer(*bits)).ok();
        values.push((u64::try_from(sample.size).ok()?, input.bits.iter().map(number).collect::<Option<_>>()?));
    }
    let lengths: Vec<(u64, i128)> = values.iter().map(|(n, list)| (*n, list.len() as i128)).collect();
    let length = Parameter::fit(&lengths)?;
    let mut laws = infer_law(&values);
    laws.truncate(MOST_LAWS);
    laws.extend(infer_law(&rank_samples(&values)).into_iter().take(MOST_LAWS));
    let named = |law| Named { like: NamedInput { bits: Vec::new(), ..like.clone() }, length: length.clone(), law };
    (!laws.is_empty()).then(|| laws.into_iter().map(named).collect())
}
