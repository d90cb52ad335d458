//! Random programs of C by every strategy, held to brute force over all their inputs: what is called exact is the worst there is, what is
//! called validated too, and what is called verified costs what is said.

pub mod generate;

use std::fmt::{Display, Formatter};
use std::path::Path;

use slowpath::{
    AnalyzeRequest, CostModel, EntryRequest, Limits, Purpose, SolverConfig, Strategy, Subject, analyze_subject,
};
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_report::{Confidence, SizeResult};
use slowpath_search::{Budget, ConcreteRun, Target};

use generate::Generated;

/// Every strategy there is.
pub const STRATEGIES: [Strategy; 11] = [
    Strategy::Auto,
    Strategy::Exhaustive,
    Strategy::Memo,
    Strategy::Wise,
    Strategy::History,
    Strategy::DepthFirst,
    Strategy::Random,
    Strategy::Evolve,
    Strategy::Mutate,
    Strategy::Pump,
    Strategy::Synthesize,
];

/// Claims of one kind: how many, and how many of them are wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    pub made: u64,
    pub wrong: u64,
}

impl Claims {
    fn note(&mut self, right: bool) {
        self.made += 1;
        self.wrong += u64::from(!right);
    }
}

/// What a soak came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub programs: u64,
    /// Inputs that brute force ran.
    pub runs: u64,
    pub analyses: u64,
    /// Sizes with a result.
    pub results: u64,
    pub exact: Claims,
    pub validated: Claims,
    pub verified: Claims,
    /// Results that fall short of the worst and do not claim otherwise.
    pub short: u64,
    /// What is wrong, in words.
    pub troubles: Vec<String>,
}

impl Tally {
    /// Adds what another came to.
    pub fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.runs += other.runs;
        self.analyses += other.analyses;
        self.results += other.results;
        self.short += other.short;
        for (mine, others) in [
            (&mut self.exact, other.exact),
            (&mut self.validated, other.validated),
            (&mut self.verified, other.verified),
        ] {
            mine.made += others.made;
            mine.wrong += others.wrong;
        }
        self.troubles.extend(other.troubles);
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} programs, {} inputs by brute force, {} analyses, {} results\n\
             exact: {} claims, {} wrong\nvalidated: {} claims, {} wrong\nverified: {} claims, {} wrong\n\
             {} results fall short of the worst and do not claim otherwise; {} troubles",
            self.programs,
            self.runs,
            self.analyses,
            self.results,
            self.exact.made,
            self.exact.wrong,
            self.validated.made,
            self.validated.wrong,
            self.verified.made,
            self.verified.wrong,
            self.short,
            self.troubles.len()
        )
    }
}

/// The program of a seed, by every strategy with so much effort each. Its source is written into `folder`.
pub fn soak(seed: u64, effort: u64, folder: &Path) -> Tally {
    let program = generate::program(seed);
    let file = folder.join(format!("soak_{seed}.c"));
    let mut tally = Tally { programs: 1, ..Tally::default() };
    match check(&program, seed, effort, &file, &mut tally) {
        Ok(()) => {}
        Err(why) => tally.troubles.push(format!("seed {seed}: {why}")),
    }
    tally
}

fn check(program: &Generated, seed: u64, effort: u64, file: &Path, tally: &mut Tally) -> Result<(), String> {
    std::fs::write(file, &program.text).map_err(|error| error.to_string())?;
    let sizes: Vec<i64> = (1..=program.largest).collect();
    let mut request = AnalyzeRequest::new(file, EntryRequest::Call(program.call.clone()));
    request.sizes = Some(sizes.clone());
    request.effort = Some(effort);
    request.jobs = 1;
    request.seed = seed;
    request.cost = if seed.is_multiple_of(2) { CostModel::Instructions } else { CostModel::Branches };
    let subject = Subject::load(&request.program, &request.entry, &request.cost).map_err(|error| error.to_string())?;
    let target = subject.target(Limits::default().machine(), SolverConfig::default(), 0);
    let worst: Vec<u64> = sizes.iter().map(|n| brute_force(&target, program, *n, tally)).collect::<Result<_, _>>()?;
    for strategy in STRATEGIES {
        request.strategy = strategy;
        let name = strategy.name();
        let mut disagreements = Vec::new();
        let done = analyze_subject(&request, subject.clone(), Purpose::Report, &mut |progress| {
            if let slowpath::Progress::Disagreement(text) = progress {
                disagreements.push(text.to_owned());
            }
        });
        tally.analyses += 1;
        let findings = done.map_err(|error| format!("{name}: {error}"))?.findings;
        tally.troubles.extend(disagreements.into_iter().map(|text| format!("seed {seed}, {name}: {text}")));
        for result in &findings.results {
            let Some(most) = sizes.iter().position(|n| *n == result.size).map(|at| worst[at]) else { continue };
            let before = tally.troubles.len();
            judge(&subject, &target, result, most, tally)?;
            for trouble in &mut tally.troubles[before..] {
                *trouble = format!("seed {seed}, {name}, size {}: {trouble}", result.size);
            }
        }
    }
    Ok(())
}

/// Holds one result to the greatest cost there is.
fn judge(subject: &Subject, target: &Target, result: &SizeResult, most: u64, tally: &mut Tally) -> Result<(), String> {
    let (Some(cost), false) = (result.cost, result.at_least) else { return Ok(()) };
    tally.results += 1;
    let claims = match result.confidence {
        Confidence::Exact => Some(&mut tally.exact),
        Confidence::Validated => Some(&mut tally.validated),
        _ => None,
    };
    let claimed = claims.is_some();
    if let Some(claims) = claims {
        claims.note(cost == most);
    }
    if claimed && cost != most || cost > most {
        tally.troubles.push(format!("{} {cost}, the worst is {most}", result.confidence.name()));
    }
    tally.short += u64::from(!claimed && cost < most);
    if let Some(input) = result.input.as_ref().filter(|_| result.verified) {
        let Entry::Call(spec) = &subject.entry else { return Err("no call".to_owned()) };
        let layout = spec.layout(result.size, 0).map_err(|error| error.to_string())?;
        let values = subject.read_input(&layout, input).map_err(|error| error.to_string())?;
        let again = ConcreteRun::of(target, result.size, &values, &Budget::default()).map_err(|e| e.to_string())?;
        let right = again.cost == cost;
        tally.verified.note(right);
        if !right {
            tally.troubles.push(format!("verified {cost}, the input costs {}", again.cost));
        }
    }
    Ok(())
}

/// The greatest cost over all inputs of a size.
fn brute_force(target: &Target, program: &Generated, n: i64, tally: &mut Tally) -> Result<u64, String> {
    let Entry::Call(spec) = &target.entry else { return Err("no call".to_owned()) };
    let layout = spec.layout(n, 0).map_err(|error| error.to_string())?;
    let mut values = InputValues::zeros(&layout);
    let count = (program.highest + 1).pow(n as u32);
    let mut most = 0;
    for number in 0..count {
        let mut rest = number;
        for input in &mut values.0 {
            for bits in &mut input.bits {
                *bits = rest % (program.highest + 1);
                rest /= program.highest + 1;
            }
        }
        let run = ConcreteRun::of(target, n, &values, &Budget::default()).map_err(|error| error.to_string())?;
        if run.outcome.is_none() {
            return Err("a limit ended a run of brute force".to_owned());
        }
        tally.runs += 1;
        most = most.max(run.cost);
    }
    Ok(most)
}
