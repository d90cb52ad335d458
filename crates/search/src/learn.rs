//! Choosing a policy without the user: explore small sizes, learn candidates of growing expressiveness, hold each
//! against larger sizes whose exact worst case is known.

use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::findings::{Provenance, SizeFinding};
use crate::guided::{GuidedOptions, guided};
use crate::node::Decision;
use crate::parallel::exhaustive_with_summary;
use crate::policy::{BranchPolicy, Favourites, Frequencies, HistoryPolicy, Policy, SizeSummary, find_good_generator};
use crate::target::{SearchError, Target};

/// History lengths tried where the user asks for none, in this order.
const LENGTHS: [Option<usize>; 13] = [
    Some(0),
    Some(1),
    Some(2),
    Some(3),
    Some(4),
    Some(6),
    Some(8),
    Some(12),
    Some(16),
    Some(24),
    Some(32),
    Some(48),
    None,
];
/// Paths a candidate may need at a held-out size.
const MOST_PATHS: u64 = 1024;
/// Paths of a size that is still explored for learning. A number of paths rather than a time, so that what is learned is
/// the same on every machine that has time enough.
const MOST_LEARNED_PATHS: f64 = 200_000.0;
/// From so many paths, or so many sizes, on a policy that three held-out sizes confirm is enough to end learning. Fewer would
/// not do: what a program does from some size on, such as a sort from seven elements, must have been seen.
const SETTLING_PATHS: u64 = 5_000;
const SETTLING_SIZES: usize = 12;
/// Sizes that have to confirm it.
const SETTLING_HELD_OUT: usize = 3;
/// Where the next size has so many times the paths of the last, and so many in all, fewer have to.
const DEAR_GROWTH: f64 = 20.0;
const DEAR_PATHS: f64 = 100_000.0;
const DEAR_HELD_OUT: usize = 2;
/// A policy that leaves sides open finds the worst early if the worst path was among so many first ones at every held-out size.
const EARLY: u64 = 4;
/// How many times as many it must have followed in all for that to mean anything.
const EARLY_AMONG: u64 = 8;
/// Paths in a row that may bring nothing where a policy that finds the worst early is followed.
const PATIENCE: u64 = 64;
/// Paths followed to validate candidates on sizes, all together; a number for the same reason.
const MOST_VALIDATION_PATHS: u64 = 60_000;
/// Validated policies kept to be tried at each large size.
const VALIDATED: usize = 4;
/// Policies kept that follow one path but fell short of some held-out size: they cost little to try, and the sizes they were
/// learned from may contradict each other (merge sort at 7 and at 8).
const SINGLE_PATH: usize = 6;
/// The part of the time left that one of several policies may take at one size, where none of them is sure.
const RIVAL_SHARE: f64 = 0.125;
/// Paths that it may follow there.
const MOST_RIVAL_PATHS: u64 = 4096;

/// Which kinds of policy to consider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Wise,
    History,
    Either,
}

/// How many of the last decisions history policies look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HistoryLength {
    /// Several lengths are tried, short ones first.
    #[default]
    Adaptive,
    Fixed(usize),
    /// As long as the activation's past is.
    Unlimited,
}

impl HistoryLength {
    /// The lengths to try, in this order.
    fn lengths(self) -> Vec<Option<usize>> {
        match self {
            HistoryLength::Adaptive => LENGTHS.to_vec(),
            HistoryLength::Fixed(length) => vec![Some(length)],
            HistoryLength::Unlimited => vec![None],
        }
    }
}

/// A policy and how it came about.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub policy: Policy,
    /// Invariants that prune what the policy leaves open; none where it leaves nothing open.
    pub frequencies: Frequencies,
    /// What the path it was learned from did most often, to be followed first.
    pub favourites: Favourites,
    /// At every held-out size the worst path was among the first of many.
    pub finds_early: bool,
    /// Sizes it was learned from.
    pub learned: (i64, i64),
    /// Held-out sizes at which guided search reached the exact worst cost.
    pub validated: Vec<i64>,
    /// Held-out sizes at which it did not.
    pub failed: Vec<i64>,
    /// One path at every held-out size.
    pub deterministic: bool,
    /// The least part of the exact worst cost it reached at a held-out size.
    pub least_share: f64,
    /// Position in the order of expressiveness.
    pub complexity: usize,
}

impl Candidate {
    /// Reached the exact worst case at every held-out size, and there was one.
    pub fn is_validated(&self) -> bool {
        self.failed.is_empty() && !self.validated.is_empty()
    }

    /// Validated, and at a large size the worst path need not be looked for among very many.
    fn is_sure(&self) -> bool {
        self.is_validated() && (self.deterministic || self.finds_early)
    }

    /// How to follow it at a size: all its paths, or as long as that pays.
    fn options(&self, patience: Option<u64>) -> GuidedOptions {
        GuidedOptions { frequencies: self.frequencies.clone(), favourites: self.favourites.clone(), patience }
    }
}

/// The policies to use, best first.
#[derive(Clone, Debug, Default)]
pub struct PolicySet {
    pub candidates: Vec<Candidate>,
}

/// What learning came to.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// Sizes explored to the end, from 1 on: completely, but for values that had to be fixed on the way.
    pub explored: Vec<SizeFinding>,
    /// The next size, as far as it was explored.
    pub unfinished: Option<SizeFinding>,
    /// The policies come from paths that are only the worst known.
    pub guessed: bool,
    /// Why exploring ended, if it was no limit.
    pub failure: Option<String>,
    pub summaries: Vec<SizeSummary>,
    pub policies: PolicySet,
}

/// What judging candidates has taken so far.
#[derive(Default)]
struct Judging {
    /// Paths followed.
    followed: u64,
}

/// Explores sizes 1, 2, 3 … up to `largest` as long as `exploring` lasts, then chooses policies.
pub fn learn(
    target: &Target,
    family: Family,
    history: HistoryLength,
    largest: i64,
    jobs: usize,
    budget: &Budget,
    exploring: &Budget,
) -> Result<Learned, SearchError> {
    let kinds = (family, history);
    let mut judging = Judging::default();
    let mut settled =
        |learned: &Learned, held_out: usize| settle(target, kinds, learned, held_out, budget, &mut judging);
    let (mut learned, policies) =
        explore_small(target, largest, MOST_LEARNED_PATHS, jobs, exploring, Some(&mut settled))?;
    learned.policies = match policies {
        Some(policies) => policies,
        None => choose(target, kinds, &learned, budget, &mut judging)?,
    };
    Ok(learned)
}

/// Policies from sizes that were not explored, by the worst path known of each: ascending, each with that one path. They are no more than a
/// guess, since nothing shows that these paths are the worst.
pub fn learn_from_paths(
    target: &Target,
    family: Family,
    history: HistoryLength,
    paths: Vec<SizeFinding>,
    budget: &Budget,
) -> Result<Learned, SearchError> {
    let mut learned = Learned::default();
    for found in paths {
        let Some(worst) = found.worst.as_ref().filter(|worst| !worst.decisions.is_empty()) else { continue };
        let mut summary = SizeSummary { size: found.size, ..SizeSummary::default() };
        summary.path(worst.cost, worst.decisions.clone());
        summary.sort();
        learned.summaries.push(summary);
        learned.explored.push(found);
    }
    let mut judging = Judging::default();
    learned.policies = choose(target, (family, history), &learned, budget, &mut judging)?;
    Ok(learned)
}

/// Explores sizes 1, 2, 3 … up to `largest` as long as `exploring` lasts and a size has no more than about `most` paths. No policy is chosen.
pub fn explore(
    target: &Target,
    largest: i64,
    most: f64,
    jobs: usize,
    exploring: &Budget,
) -> Result<Learned, SearchError> {
    Ok(explore_small(target, largest, most, jobs, exploring, None)?.0)
}

/// What was explored is enough if this comes to policies that so many of the largest sizes confirm.
type Settled<'s> = &'s mut dyn FnMut(&Learned, usize) -> Result<Option<PolicySet>, SearchError>;

/// Explores one size after the other; ends early with policies that are good enough, if somebody asks.
fn explore_small(
    target: &Target,
    largest: i64,
    most: f64,
    jobs: usize,
    exploring: &Budget,
    mut settled: Option<Settled<'_>>,
) -> Result<(Learned, Option<PolicySet>), SearchError> {
    let mut learned = Learned::default();
    let mut last = Duration::ZERO;
    let (mut next_paths, mut next_sizes) = (SETTLING_PATHS, SETTLING_SIZES);
    for n in 1..=largest {
        let paths: Vec<f64> = learned.explored.iter().rev().take(3).map(|f| f.paths as f64).collect();
        let (expected, at_most) = expected_growth(&paths);
        let now = paths.first().copied().unwrap_or(1.0);
        if let Some(settled) = &mut settled
            && at_most > DEAR_GROWTH
            && now * at_most > DEAR_PATHS
            && let Some(policies) = settled(&learned, DEAR_HELD_OUT)?
        {
            return Ok((learned, Some(policies)));
        }
        // The larger estimate may be far too large; it decides alone only where it is far out of reach.
        if now * expected > most || now * at_most > 4.0 * most || last.mul_f64(at_most.min(1e6)) > exploring.left() {
            break;
        }
        let begun = exploring.now();
        let (finding, summary) = match exhaustive_with_summary(target, n, jobs, exploring) {
            Ok(explored) => explored,
            Err(error) if n > 1 => {
                learned.failure = Some(format!("size {n}: {error}"));
                break;
            }
            Err(error) => return Err(error),
        };
        if finding.stop.is_some() || finding.cut > 0 {
            learned.unfinished = Some(finding);
            break;
        }
        last = exploring.now().saturating_sub(begun);
        learned.explored.push(finding);
        learned.summaries.push(summary);
        let (paths, sizes) = (learned.explored.iter().map(|f| f.paths).sum::<u64>(), learned.explored.len());
        if let Some(settled) = &mut settled
            && n < largest
            && (paths >= next_paths || sizes >= next_sizes)
        {
            (next_paths, next_sizes) = (2 * paths, sizes + SETTLING_SIZES / 2);
            if let Some(policies) = settled(&learned, SETTLING_HELD_OUT)? {
                return Ok((learned, Some(policies)));
            }
        }
    }
    Ok((learned, None))
}

/// The policies of the sizes before the ones held out that are confirmed by those: up to the second that follows one path.
fn settle(
    target: &Target,
    kinds: (Family, HistoryLength),
    learned: &Learned,
    held_out: usize,
    budget: &Budget,
    judging: &mut Judging,
) -> Result<Option<PolicySet>, SearchError> {
    let Some(end) = learned.summaries.len().checked_sub(held_out + 1) else { return Ok(None) };
    // A size with a single path confirms nothing.
    if learned.explored[end + 1..].iter().any(|finding| finding.paths < 2) {
        return Ok(None);
    }
    // As many as were explored: exploring further is to stay affordable.
    let most = learned.explored.iter().map(|finding| finding.paths).sum::<u64>();
    let most = judging.followed + most;
    let mut sure: Vec<Candidate> = Vec::new();
    for candidate in candidates_of(kinds, &learned.summaries[..=end]) {
        let candidate = judge(target, candidate, learned, end, budget, judging)?;
        if candidate.is_sure() && candidate.validated.len() == held_out {
            sure.push(candidate);
        }
        if enough(&sure) {
            return Ok(Some(ranked(sure)));
        }
        if judging.followed > most || budget.expired().is_some() {
            break;
        }
    }
    Ok((!sure.is_empty()).then(|| ranked(sure)))
}

/// How many times the paths of the last size the next one has, from the paths of the last ones, newest first: if growth goes on;
/// and if, where it has been growing itself, that goes on too.
fn expected_growth(paths: &[f64]) -> (f64, f64) {
    let growth = |now: f64, before: f64| (now / before.max(1.0)).max(1.0);
    match *paths {
        [now, before, first] => {
            let (latest, earlier) = (growth(now, before), growth(before, first));
            (latest, latest * growth(latest, earlier))
        }
        [now, before] => (growth(now, before), growth(now, before)),
        _ => (1.0, 1.0),
    }
}

/// Learns candidates and ranks them: validated, then deterministic, then simple.
fn choose(
    target: &Target,
    kinds: (Family, HistoryLength),
    learned: &Learned,
    budget: &Budget,
    judging: &mut Judging,
) -> Result<PolicySet, SearchError> {
    let summaries = &learned.summaries;
    let mut candidates: Vec<Candidate> = Vec::new();
    let most = judging.followed + MOST_VALIDATION_PATHS;
    let Some(last) = summaries.len().checked_sub(1) else { return Ok(PolicySet::default()) };
    // Two sizes held out first, where there are enough, so that simple policies are judged by as much as elaborate ones.
    let mut ends: Vec<usize> = Vec::new();
    if last >= 3 {
        ends.push(last - 2);
    }
    ends.extend(last.checked_sub(1));
    ends.extend((1..last.saturating_sub(2)).rev().take(2));
    ends.push(last);
    'learning: for end in ends {
        for candidate in candidates_of(kinds, &summaries[..=end]) {
            if candidates.iter().any(|c| c.policy == candidate.policy) {
                continue;
            }
            let candidate = judge(target, candidate, learned, end, budget, judging)?;
            let settled = candidate.is_validated() && candidate.deterministic && candidate.validated.len() >= 2;
            candidates.push(candidate);
            let spent = judging.followed > most || budget.expired().is_some();
            if spent || (settled && enough(&candidates)) {
                break 'learning;
            }
        }
    }
    // What all sizes together teach is the simplest policy's best chance, whatever the others have used up.
    if !candidates.iter().any(|c| c.is_validated() && c.deterministic)
        && let Some(simplest) = candidates_of(kinds, summaries).into_iter().next()
        && !candidates.iter().any(|c| c.policy == simplest.policy)
    {
        candidates.push(judge(target, simplest, learned, last, budget, judging)?);
    }
    Ok(ranked(candidates))
}

/// Validates a candidate learned from sizes up to the `end`-th on the others.
fn judge(
    target: &Target,
    candidate: Candidate,
    learned: &Learned,
    end: usize,
    budget: &Budget,
    judging: &mut Judging,
) -> Result<Candidate, SearchError> {
    let held_out = &learned.explored[end + 1..];
    let mut judged = validate(target, candidate.clone(), held_out, budget, judging)?;
    if !judged.deterministic && !held_out.is_empty() {
        let frequencies = Frequencies::learn(&learned.summaries[..=end]);
        if !frequencies.is_empty() {
            let pruned = validate(target, Candidate { frequencies, ..candidate }, held_out, budget, judging)?;
            if pruned.least_share >= judged.least_share
                && (pruned.deterministic || pruned.failed.len() < judged.failed.len())
            {
                judged = pruned;
            }
        }
    }
    if held_out.is_empty() {
        // No size is left to judge it by; that it gives back the sizes it was learned from is at least something.
        let own = learned.explored.get(end.saturating_sub(1)..).unwrap_or(&[]);
        let tried = validate(target, judged.clone(), own, budget, judging)?;
        (judged.deterministic, judged.least_share) = (tried.deterministic, tried.least_share);
    }
    Ok(judged)
}

/// A few good ones are enough: they are tried side by side at large sizes.
fn enough(candidates: &[Candidate]) -> bool {
    candidates.iter().filter(|c| c.is_validated() && c.deterministic).count() >= 2
}

fn ranked(mut candidates: Vec<Candidate>) -> PolicySet {
    candidates.sort_by(|a, b| {
        let key = |c: &Candidate| {
            (!c.is_validated(), !c.deterministic, std::cmp::Reverse(c.validated.len().min(2)), c.complexity)
        };
        let unvalidated = !a.is_validated() && !b.is_validated();
        let by_share = if unvalidated { b.least_share.total_cmp(&a.least_share) } else { std::cmp::Ordering::Equal };
        by_share.then_with(|| key(a).cmp(&key(b))).then_with(|| b.learned.1.cmp(&a.learned.1))
    });
    let (mut validated, mut single) = (0, 0);
    candidates.retain(|c| {
        // Without anything validated, what follows several paths is better than nothing.
        let worth = c.is_validated() || c.deterministic || validated == 0;
        let (count, most) = if c.is_validated() { (&mut validated, VALIDATED) } else { (&mut single, SINGLE_PATH) };
        *count += usize::from(worth);
        worth && *count <= most
    });
    PolicySet { candidates }
}

/// Candidates from the summaries of sizes up to some k, simple ones first.
fn candidates_of((family, history): (Family, HistoryLength), summaries: &[SizeSummary]) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    let (Some(first), Some(last)) = (summaries.first(), summaries.last()) else { return out };
    let mut add = |policy: Policy, learned: (i64, i64)| {
        let complexity = out.len();
        out.push(Candidate {
            frequencies: Frequencies::default(),
            favourites: favourites(last, &policy),
            policy,
            finds_early: false,
            learned,
            validated: Vec::new(),
            failed: Vec::new(),
            deterministic: false,
            least_share: 0.0,
            complexity,
        });
    };
    if family != Family::History
        && let Some(policy) = find_good_generator(summaries)
    {
        add(Policy::Branch(policy), (first.size, last.size));
    }
    if family != Family::Wise {
        for length in history.lengths() {
            if let Some(policy) = best_of_size(last, length) {
                // The latest two sizes together, where that is still one choice a history; and the latest alone.
                let before = summaries.len().checked_sub(2).and_then(|i| best_of_size(&summaries[i], length));
                if let Some(before) = before {
                    let mut joined = policy.clone();
                    joined.join(&before);
                    if joined.is_deterministic() {
                        add(Policy::History(joined), (last.size - 1, last.size));
                    }
                }
                add(Policy::History(policy), (last.size, last.size));
            }
        }
    }
    out
}

/// What the worst path does most often that a policy generates.
fn favourites(summary: &SizeSummary, policy: &Policy) -> Favourites {
    let generates = |path: &&Vec<Decision>| match policy {
        Policy::Branch(policy) => BranchPolicy::least(path).is_below(policy),
        Policy::History(_) => true,
    };
    summary.examples().find(generates).map(|path| Favourites::of_path(path)).unwrap_or_default()
}

/// The best-ranked policy among a size's worst paths.
fn best_of_size(summary: &SizeSummary, length: Option<usize>) -> Option<HistoryPolicy> {
    summary
        .examples()
        .map(|path| HistoryPolicy::of_path(path, length))
        .enumerate()
        .max_by_key(|(i, policy)| (policy.rank(), std::cmp::Reverse(*i)))
        .map(|(_, policy)| policy)
}

/// Guided search at sizes whose exact worst cost is known.
fn validate(
    target: &Target,
    mut candidate: Candidate,
    held_out: &[SizeFinding],
    budget: &Budget,
    judging: &mut Judging,
) -> Result<Candidate, SearchError> {
    candidate.deterministic = !held_out.is_empty();
    // A history policy says nothing of sites it never saw, so that at small sizes it may be right by chance.
    candidate.finds_early = matches!(candidate.policy, Policy::Branch(_));
    let mut last: Option<SizeFinding> = None;
    candidate.least_share = f64::from(u8::from(!held_out.is_empty()));
    for exact in held_out {
        if budget.expired().is_some() {
            // A judgement that was cut short is none.
            candidate.validated.clear();
            candidate.finds_early = false;
            break;
        }
        let small = Budget { paths: MOST_PATHS, ..budget.clone() };
        let found = guided(target, exact.size, &candidate.policy, &candidate.options(None), &small)?;
        judging.followed += found.paths + found.cut;
        candidate.deterministic &= found.paths == 1 && found.complete;
        let (reached, wanted) = (found.cost(), exact.cost());
        if reached == wanted {
            // Where it had to be lenient, neither is the case.
            candidate.finds_early &= found.worst_at <= EARLY && (found.complete || found.stop.is_some());
            last = Some(found);
            candidate.validated.push(exact.size);
        } else {
            candidate.finds_early = false;
            candidate.failed.push(exact.size);
            let part = reached.unwrap_or(0) as f64 / wanted.unwrap_or(1).max(1) as f64;
            candidate.least_share = candidate.least_share.min(part);
        }
        if !candidate.deterministic && !candidate.failed.is_empty() {
            break;
        }
    }
    candidate.finds_early &= last.is_some_and(|found| found.paths >= EARLY_AMONG * found.worst_at);
    Ok(candidate)
}

impl Learned {
    /// Whether every size learned from is known exactly.
    pub fn is_exact(&self) -> bool {
        !self.guessed && self.explored.iter().all(|found| found.complete)
    }
}

impl PolicySet {
    /// Guided search at a large size with every alternative; the costliest result, and which policy gave it. Those that
    /// follow one path go first; unless one of them was validated, each gets a part of the time that is left.
    pub fn run(&self, target: &Target, n: i64, budget: &Budget) -> Result<Option<(SizeFinding, usize)>, SearchError> {
        let mut best: Option<(SizeFinding, usize)> = None;
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by_key(|i| !self.candidates[*i].deterministic);
        let single = self.candidates.iter().any(|c| c.is_validated() && c.deterministic);
        let sure = single || self.candidates.iter().any(Candidate::is_sure);
        let mut unfinished = false;
        for i in order {
            let candidate = &self.candidates[i];
            // Where one that follows one path was validated, rivals that were not are not needed; where one finds the worst early, only
            // those that cost as little.
            if (single && !(candidate.is_validated() && candidate.deterministic))
                || (sure && !candidate.is_sure() && !candidate.deterministic)
                || (best.is_some() && budget.expired().is_some())
            {
                continue;
            }
            // What was never validated on a larger size may follow one path at small sizes and very many here.
            let mut limited = budget.clone();
            if !sure {
                limited = budget.part(RIVAL_SHARE);
                limited.paths = limited.paths.min(MOST_RIVAL_PATHS);
            }
            let patience = candidate.is_sure().then_some(PATIENCE);
            let mut found = guided(target, n, &candidate.policy, &candidate.options(patience), &limited)?;
            if found.stop == Some(Stop::Paths) && limited.paths < budget.paths {
                found.stop = Some(Stop::OpenPaths);
            }
            unfinished |= candidate.is_validated() && found.worst.is_none() && found.stop.is_some();
            found.provenance = Provenance::Guided { validated: candidate.is_validated() && found.complete };
            let better = |b: &SizeFinding| (found.cost(), found.complete) > (b.cost(), b.complete);
            if best.as_ref().is_none_or(|b| better(&b.0)) {
                best = Some((found, i));
            }
        }
        if unfinished && let Some((found, _)) = &mut best {
            found
                .limits
                .insert("the validated policy led to no path in the time it had; another one was followed".into(), 1);
        }
        Ok(best)
    }
}
