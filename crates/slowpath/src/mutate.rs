//! The baseline without symbolic execution: a plain genetic search over concrete inputs, run on wasmtime.
//!
//! What wasmtime counts (instructions, output, custom costs, memory) is the fitness there; any other cost model runs the
//! inputs on our own machine.

use std::time::Instant;

use slowpath_machine::{InputSource, Outcome};
use slowpath_program::call::{ElemType, Entry};
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_program::trap::Trap;
use slowpath_replay::Replayed;
use slowpath_search::{
    Budget, ConcreteRun, CostModel, EvolveParams, PathFinding, Provenance, Rng, SearchError, SizeFinding, Stop, Target,
    run_concrete,
};

use crate::verify::Verifier;

const PAGE: u64 = 65_536;
/// Individuals that compete to become a parent.
const TOURNAMENT: u64 = 4;
/// Draws for an initial individual that the harness accepts.
const DRAWS: u64 = 20;
/// Values that programs tend to treat specially, besides the ends of the type.
const INTERESTING: [i64; 8] = [0, 1, -1, 2, 10, 100, 127, 128];

/// Lowest and highest value of every input, by name.
type Ranges = Vec<(String, (i128, i128))>;

struct Individual {
    input: InputValues,
    cost: u64,
}

/// Searches at size `n`. Of the parameters it uses population, elite, generations and known optimum.
pub(crate) fn mutate(
    target: &Target,
    verifier: &Verifier,
    n: i64,
    params: &EvolveParams,
    budget: &Budget,
) -> Result<SizeFinding, SearchError> {
    let begun = Instant::now();
    let ranges = ranges(target, n)?;
    let rng = Rng::new(target.seed, 0x3A7E);
    let mut search =
        Search { target, verifier, n, budget, ranges, rng, known: params.known_optimum, runs: 0, refused: 0 };
    let mut population = Vec::new();
    let mut generations = 0;
    let size = params.population.max(2);
    let mut stop = search.sample(size, &mut population).err();
    while stop.is_none() {
        if params.generations.is_some_and(|most| generations >= most) {
            stop = Some(Stop::Generations);
        } else if population.len() < 2 {
            stop = Some(Stop::NothingNew);
        } else {
            stop = search.generation(size, params.elite, &mut population).err();
            generations += 1;
        }
    }
    let best = population.iter().max_by_key(|i| i.cost);
    let worst = match best {
        Some(best) => finding(&ConcreteRun::of(target, n, &best.input, &Budget::default())?),
        None => None,
    };
    let mut limits = std::collections::BTreeMap::new();
    if search.refused > 0 {
        limits.insert("an input could not be run or was outside what the harness assumes".to_owned(), search.refused);
    }
    Ok(SizeFinding {
        size: n,
        provenance: Provenance::Mutated { generations },
        paths: search.runs,
        worst_paths: u64::from(worst.is_some()),
        worst_at: 0,
        worst,
        stop,
        limits,
        seconds: begun.elapsed().as_secs_f64(),
        ..SizeFinding::default()
    })
}

/// The run of the best input, as a path without recorded decisions.
fn finding(run: &ConcreteRun) -> Option<PathFinding> {
    Some(PathFinding {
        cost: run.cost,
        costs: run.costs,
        replay_instructions: run.replay_instructions,
        outcome: run.outcome.clone()?,
        input: run.input.clone(),
        decisions: Vec::new(),
    })
}

/// Inputs of a call have ranges; a harness checks its own.
fn ranges(target: &Target, n: i64) -> Result<Ranges, SearchError> {
    let Entry::Call(spec) = &target.entry else { return Ok(Vec::new()) };
    let layout = spec.layout(n, 0).map_err(slowpath_machine::StartError::Signature)?;
    Ok(layout.inputs.into_iter().filter_map(|spec| Some((spec.name, spec.range?))).collect())
}

struct Search<'a> {
    target: &'a Target,
    verifier: &'a Verifier,
    n: i64,
    budget: &'a Budget,
    ranges: Ranges,
    rng: Rng,
    known: Option<u64>,
    runs: u64,
    refused: u64,
}

impl Search<'_> {
    /// Random inputs, drawn uniformly over their types and ranges.
    fn sample(&mut self, size: usize, population: &mut Vec<Individual>) -> Result<(), Stop> {
        let mut draws = DRAWS * size as u64;
        while population.len() < size && draws > 0 {
            draws -= 1;
            let seed = self.rng.next();
            let Ok(drawn) = run_concrete(self.target, self.n, InputSource::Random(seed), self.budget) else { continue };
            self.evaluate(drawn.input, population)?;
        }
        Ok(())
    }

    fn generation(&mut self, size: usize, elite: usize, population: &mut Vec<Individual>) -> Result<(), Stop> {
        population.sort_by_key(|i| std::cmp::Reverse(i.cost));
        let mut next: Vec<Individual> = Vec::new();
        let mut outcome = Ok(());
        // Enough tries for a harness that refuses most of what it is given.
        for _ in 0..size * DRAWS as usize {
            if next.len() + elite.min(size) >= size.max(elite.min(size) + 1) {
                break;
            }
            let (a, b) = (self.tournament(population), self.tournament(population));
            let mut child = self.cross(&population[a].input, &population[b].input);
            self.change(&mut child);
            outcome = self.evaluate(child, &mut next);
            if outcome.is_err() {
                break;
            }
        }
        // What was found must not be lost when time is up.
        let keep = if outcome.is_err() { population.len() } else { elite };
        population.truncate(keep);
        population.append(&mut next);
        outcome
    }

    /// Runs an input; those that are none are not taken in.
    fn evaluate(&mut self, input: InputValues, population: &mut Vec<Individual>) -> Result<(), Stop> {
        if let Some(stop) = self.budget.expired() {
            return Err(stop);
        }
        if self.runs >= self.budget.paths {
            return Err(Stop::Paths);
        }
        self.runs += 1;
        let Some(cost) = self.cost(&input) else {
            self.refused += 1;
            return Ok(());
        };
        population.push(Individual { input, cost });
        if self.known.is_some_and(|known| cost >= known) { Err(Stop::KnownOptimum) } else { Ok(()) }
    }

    fn cost(&self, input: &InputValues) -> Option<u64> {
        let replayed = |of: fn(&Replayed) -> u64| {
            let run = self.verifier.replay(self.n, input).ok()?;
            (run.trap != Some(Trap::AssumeFailed)).then(|| of(&run))
        };
        match self.target.cost {
            CostModel::Instructions => replayed(|run| run.instructions),
            CostModel::Output => replayed(|run| run.output),
            CostModel::Custom => replayed(|run| run.custom),
            CostModel::Memory => replayed(|run| u64::from(run.memory_pages) * PAGE),
            _ => {
                let run = ConcreteRun::of(self.target, self.n, input, self.budget).ok()?;
                run.outcome.filter(|outcome| *outcome != Outcome::Trapped(Trap::AssumeFailed)).map(|_| run.cost)
            }
        }
    }

    fn tournament(&mut self, population: &[Individual]) -> usize {
        let mut draw = || self.rng.below(population.len() as u64) as usize;
        let mut best = draw();
        for _ in 1..TOURNAMENT {
            let rival = draw();
            if population[rival].cost > population[best].cost {
                best = rival;
            }
        }
        best
    }

    /// One-point or uniform, over all values in order.
    fn cross(&mut self, a: &InputValues, b: &InputValues) -> InputValues {
        let mut child = a.clone();
        let total: usize = child.0.iter().map(|input| input.bits.len()).sum();
        let cut = self.rng.below(total as u64 + 1) as usize;
        let uniform = self.rng.below(2) == 0;
        let mut at = 0;
        for (input, other) in child.0.iter_mut().zip(&b.0).filter(|(x, y)| x.ty == y.ty) {
            for (bits, other) in input.bits.iter_mut().zip(&other.bits) {
                let theirs = if uniform { self.rng.below(2) == 0 } else { at >= cut };
                if theirs {
                    *bits = *other;
                }
                at += 1;
            }
        }
        child
    }

    /// Changes one value, and with even odds after each a further one.
    fn change(&mut self, child: &mut InputValues) {
        let total: u64 = child.0.iter().map(|input| input.bits.len() as u64).sum();
        if total == 0 {
            return;
        }
        let pick = |child: &InputValues, at: u64| -> (usize, usize) {
            let mut at = at as usize;
            for (i, input) in child.0.iter().enumerate() {
                if at < input.bits.len() {
                    return (i, at);
                }
                at -= input.bits.len();
            }
            (0, 0)
        };
        loop {
            let (i, j) = pick(child, self.rng.below(total));
            let (k, l) = pick(child, self.rng.below(total));
            let elsewhere = child.0[k].bits_as(child.0[i].ty, l);
            let range = self.ranges.iter().find(|r| r.0 == child.0[i].name).map(|r| r.1);
            child.0[i].bits[j] = new_value(&child.0[i], j, elsewhere, range, &mut self.rng);
            if self.rng.below(2) == 0 {
                return;
            }
        }
    }
}

/// Another value for one element: random, a step away, special, or the value of another element.
fn new_value(input: &NamedInput, at: usize, elsewhere: u64, range: Option<(i128, i128)>, rng: &mut Rng) -> u64 {
    let ty = input.ty;
    let old = input.bits[at];
    let (low, high) = range.unwrap_or_else(|| ty.bounds());
    if matches!(ty, ElemType::F32 | ElemType::F64) && range.is_none() {
        return match rng.below(4) {
            0 => rng.next() & ty.mask(),
            1 => old.wrapping_add(1) & ty.mask(),
            2 => old.wrapping_sub(1) & ty.mask(),
            _ => elsewhere,
        };
    }
    let number = |bits: u64| match ty {
        ElemType::F32 => f64::from(f32::from_bits(bits as u32)) as i128,
        ElemType::F64 => f64::from_bits(bits) as i128,
        _ => ty.integer(bits),
    };
    // The span of a 64-bit type is 2^64 - 1, which a draw below 2^64 covers but for one value.
    let span = u64::try_from(high - low).unwrap_or(u64::MAX);
    let value = match rng.below(6) {
        0 => low + i128::from(rng.below(span.saturating_add(1))),
        1 => number(old) + 1,
        2 => number(old) - 1,
        3 => i128::from(INTERESTING[rng.below(INTERESTING.len() as u64) as usize]),
        4 => {
            if rng.below(2) == 0 {
                low
            } else {
                high
            }
        }
        _ => number(elsewhere),
    };
    let value = value.clamp(low, high);
    match ty {
        ElemType::F32 => u64::from((value as f32).to_bits()),
        ElemType::F64 => (value as f64).to_bits(),
        _ => value as u64 & ty.mask(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_values_stay_in_their_type_and_range() {
        let mut rng = Rng::new(0, 0);
        for (ty, range) in [
            (ElemType::U8, None),
            (ElemType::I8, Some((-3, 5))),
            (ElemType::I64, None),
            (ElemType::U64, Some((7, 7))),
            (ElemType::Bool, Some((0, 1))),
            (ElemType::F64, Some((0, 10))),
        ] {
            let start = range.map_or(0, |(low, _): (i128, i128)| low);
            let bits = if ty == ElemType::F64 { (start as f64).to_bits() } else { start as u64 & ty.mask() };
            let mut input = NamedInput { name: "a".into(), ty, scalar: true, bits: vec![bits] };
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..500 {
                let elsewhere = input.bits[0];
                input.bits[0] = new_value(&input, 0, elsewhere, range, &mut rng);
                assert_eq!(input.bits[0] & !ty.mask(), 0);
                seen.insert(input.bits[0]);
                if let Some((low, high)) = range {
                    let value = if ty == ElemType::F64 {
                        f64::from_bits(input.bits[0]) as i128
                    } else {
                        ty.integer(input.bits[0])
                    };
                    assert!((low..=high).contains(&value), "{ty:?} {value}");
                }
            }
            assert!(seen.len() > 1 || range == Some((7, 7)), "{ty:?}");
        }
    }
}
