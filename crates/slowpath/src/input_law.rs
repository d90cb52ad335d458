//! Input laws: the worst inputs of several sizes as one formula, which then gives the worst input of any size without a search.
//!
//! A law is inferred from some sizes and believed only if, at larger sizes it has not seen, its inputs cost exactly what a search
//! at those sizes found.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_search::{Budget, ConcreteRun, Example, How, PathFinding, SizeFinding, Target};
use slowpath_sequence::{Law, Parameter, infer_law, rank_samples};

/// Sizes needed to infer from.
const FEWEST_SAMPLES: usize = 5;
/// Sizes known exactly that are looked at, the largest.
const MOST_SAMPLES: usize = 12;
/// Laws of one input that are tried.
const MOST_LAWS: usize = 4;
/// Elements of one input that a law is asked for.
const MOST_ELEMENTS: usize = 100_000_000;

/// Sizes a law is held against.
const HELD_OUT: usize = 3;
/// Sizes beyond those known exactly that a rule is looked for in.
const BEYOND: i64 = 6;

/// The law of the worst inputs, from what is known exactly and what a policy finds at any size.
///
/// Among many worst inputs of a size the exact search and the policy tend to pick different ones, and either may be the
/// one that follows a rule from size to size. Small sizes may have inputs of their own kind.
pub(crate) fn find(
    target: &Target,
    exact: &[SizeFinding],
    policy: &dyn Fn(i64) -> Option<SizeFinding>,
    budget: &Budget,
) -> Option<InputLaw> {
    let known = exact.last()?.size;
    let at = |n: i64| Example::of(&policy(n)?);
    let held_out: Vec<Example> = [2, 5, known + 5].into_iter().map_while(|more| at(known + BEYOND + more)).collect();
    if held_out.len() < HELD_OUT {
        return None;
    }
    let mut exact: Vec<Example> = exact.iter().filter(|found| found.size > 2).filter_map(Example::of).collect();
    exact.drain(..exact.len().saturating_sub(MOST_SAMPLES));
    // Where the policy misses the worst case, its input is no example of it.
    let as_bad = |sample: &Example| exact.iter().any(|e| e.size == sample.size && e.cost == sample.cost);
    let inside = exact.iter().filter_map(|e| at(e.size)).filter(as_bad);
    let beyond: Vec<Example> = (known + 1..=known + BEYOND).map_while(at).collect();
    let by_policy: Vec<Example> = inside.chain(beyond.iter().cloned()).collect();
    [&by_policy, &beyond, &exact].into_iter().find_map(|samples| InputLaw::infer(target, samples, &held_out, budget))
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
pub(crate) struct InputLaw {
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
        let run = ConcreteRun::of(target, n, &self.input(n)?, budget).ok()?;
        run.outcome.map(|_| run.cost)
    }

    /// The input of size n.
    pub fn input(&self, n: i64) -> Option<InputValues> {
        let size = u64::try_from(n).ok()?;
        let input = |named: &Named| {
            let length = usize::try_from(named.length.value(size)?).ok().filter(|length| *length <= MOST_ELEMENTS)?;
            let (mask, (least, most)) = (named.like.ty.mask(), named.like.ty.bounds());
            let values = named.law.array(size, length)?;
            // A value that does not fit its type would wrap into another one.
            let fits = values.iter().all(|v| least <= i128::from(*v) && i128::from(*v) <= most);
            let bits = values.into_iter().map(|v| v as u64 & mask).collect();
            fits.then_some(())?;
            Some(NamedInput { bits, ..named.like.clone() })
        };
        self.inputs.iter().map(input).collect::<Option<_>>().map(InputValues)
    }

    /// What its input costs at size n: one concrete run.
    pub fn finding(&self, target: &Target, n: i64, budget: &Budget) -> Option<SizeFinding> {
        let begun = std::time::Instant::now();
        let input = self.input(n)?;
        let run = ConcreteRun::of(target, n, &input, budget).ok()?;
        let worst = run.outcome.map(|outcome| PathFinding {
            cost: run.cost,
            costs: run.costs,
            replay_instructions: run.replay_instructions,
            outcome,
            input,
            decisions: Vec::new(),
        });
        let mut limits = BTreeMap::new();
        if worst.is_none() {
            // No search would get further.
            limits.insert("the law's input did not run to its end (--max-instructions, --budget)".into(), 1);
        }
        Some(SizeFinding {
            size: n,
            how: if self.sure { How::Law } else { How::Guided { validated: false, challenged: false } },
            paths: 1,
            worst_paths: u64::from(worst.is_some()),
            complete: worst.is_some(),
            worst,
            limits,
            seconds: begun.elapsed().as_secs_f64(),
            ..SizeFinding::default()
        })
    }

    /// As the document holds it.
    pub fn report(&self) -> Value {
        let text = |named: &Named| {
            let law = named.law.to_string();
            let name = &named.like.name;
            if named.like.scalar { law.replace("a[i]", name) } else { law.replace("a[", &format!("{name}[")) }
        };
        let inputs: Vec<Value> = self
            .inputs
            .iter()
            .map(|named| {
                json!({
                    "name": named.like.name,
                    "law": text(named),
                    "length": named.length.to_string(),
                    "c": named.law.c_expression(),
                    "rust": named.law.rust_expression(),
                })
            })
            .collect();
        json!({"inputs": inputs, "inferred_at": self.samples, "checked_at": self.checked})
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
