//! Guided search (GuidedTestGen, Algorithm 3 of WISE; guidedSymExe, Procedure 3 of SPF-WCA): only the paths a policy
//! generates. A side the policy rules out costs no question to the solver. Where it leaves forks open, the costliest
//! state so far goes first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use slowpath_machine::{Limit, Outcome};
use slowpath_program::Trap;
use slowpath_term::Model;
use smallvec::{SmallVec, smallvec};

use crate::budget::{Budget, Stop};
use crate::driver::{Choice, Driver, Step};
use crate::findings::{PathFinding, Provenance, SizeFinding};
use crate::node::{Node, Trail};
use crate::policy::{Balance, Context, Favourites, Frequencies, Level, Policy};
use crate::reproduce::make_readable;
use crate::target::{SearchError, Target};

/// The decisions of longer paths are not listed: nobody follows them again, and the list would be most of the memory.
const MOST_KEPT: usize = 100_000;

/// A node on its way, with what its activations decided.
struct Guided {
    node: Node,
    context: Context,
    /// Kept where there are invariants to validate it on.
    balance: Option<Balance>,
    cost: u64,
    /// Later forks go first among equals, which makes the order depth first.
    order: u64,
}

impl PartialEq for Guided {
    fn eq(&self, other: &Guided) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Guided {}

impl PartialOrd for Guided {
    fn partial_cmp(&self, other: &Guided) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Guided {
    fn cmp(&self, other: &Guided) -> Ordering {
        (self.cost, self.order).cmp(&(other.cost, other.order))
    }
}

/// The sides to go on with: side and the model that goes there. `forced` where the policy had no say.
struct Sides {
    sides: SmallVec<[(usize, Option<Model>); 2]>,
    forced: bool,
}

/// How to go about a policy that leaves several sides open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuidedOptions {
    /// Sides that break an invariant of these are not followed.
    pub frequencies: Frequencies,
    /// Which of the sides to follow first.
    pub favourites: Favourites,
    /// Paths in a row that may bring nothing; none: all are followed.
    pub patience: Option<u64>,
}

/// Explores the paths a policy generates at size `n`. A policy learned on small sizes may generate none at a large one, where
/// it meets a side that it forbids for want of an example: then such sides are taken where nothing else is left.
pub fn guided(
    target: &Target,
    n: i64,
    policy: &Policy,
    options: &GuidedOptions,
    budget: &Budget,
) -> Result<SizeFinding, SearchError> {
    let strict = follow(target, n, policy, options, budget, false)?;
    if strict.worst.is_some() || strict.stop.is_some() || strict.cut > 0 {
        return Ok(strict);
    }
    let mut lenient = follow(target, n, policy, options, budget, true)?;
    lenient.complete = false;
    lenient.seconds += strict.seconds;
    lenient.limits.insert("the policy generates no path; sides it has no example of were taken".into(), 1);
    Ok(lenient)
}

fn follow(
    target: &Target,
    n: i64,
    policy: &Policy,
    options: &GuidedOptions,
    budget: &Budget,
    lenient: bool,
) -> Result<SizeFinding, SearchError> {
    let begun = budget.now();
    let mut driver = Driver::new(target, budget);
    let root = driver.root(n)?;
    let provenance = Provenance::Guided { validated: false };
    let mut finding = SizeFinding { size: n, provenance, ..SizeFinding::default() };
    let mut best: Option<(u64, Node, Outcome)> = None;
    let balance = (!options.frequencies.is_empty()).then(Balance::default);
    // Who never has to choose need not remember what to choose by.
    let favourites = if policy.leaves_choices() { Favourites::MEMORY } else { 0 };
    let context = Context::new(policy.memory().max(favourites));
    let sole_sides = match policy {
        // Where nothing but the sides themselves has to be remembered.
        Policy::Branch(policy) if !policy.leaves_choices() && balance.is_none() => Some(policy.sole_sides()),
        _ => None,
    };
    let mut waiting = BinaryHeap::from([Guided { node: root, context, balance, cost: 0, order: 0 }]);
    let mut order = 0;
    let mut impatient = false;
    'paths: while let Some(mut guided) = waiting.pop() {
        if finding.paths >= budget.paths {
            finding.stop = Some(Stop::Paths);
            break;
        }
        if options.patience.is_some_and(|most| finding.paths - finding.worst_at >= most) {
            finding.limits.insert("paths that the policy leaves open were not followed".into(), 1);
            impatient = true;
            break;
        }
        let outcome = loop {
            let step = match &sole_sides {
                Some(sides) => driver.advance_along(&mut guided.node, sides),
                None => driver.advance(&mut guided.node),
            };
            let choice = match step {
                Step::Decide(choice) => choice,
                Step::Done(outcome) => break outcome,
                Step::Cut(limit) => {
                    finding.cut += 1;
                    let path = PathFinding::of_node(target, &guided.node, Outcome::Returned);
                    let path = PathFinding { at_least: limit == Limit::Instructions, ..path };
                    if finding.cut_worst.as_ref().is_none_or(|known| path.cost > known.cost) {
                        finding.cut_worst = Some(path);
                    }
                    continue 'paths;
                }
                Step::Stop(stop) => {
                    finding.stop = Some(stop);
                    break 'paths;
                }
            };
            let levels = policy.levels(&choice, &guided.context);
            // Most decisions of a good policy: it permits one side, and the model goes there already.
            if levels.iter().enumerate().all(|(side, level)| (*level == Level::Permitted) == (side == choice.current)) {
                take(&mut driver, &mut guided, &choice, choice.current, None, false);
                continue;
            }
            let mut sides = decide(&mut driver, &guided, &choice, policy, &levels);
            if sides.sides.len() > 1
                && let Some(balance) = &guided.balance
            {
                let keeps = |way: &(usize, Option<Model>)| {
                    options.frequencies.allow(balance, choice.site, choice.sides[way.0].answer)
                };
                if sides.sides.iter().any(keeps) {
                    sides.sides.retain(|way| keeps(way));
                }
            }
            if lenient && sides.sides.is_empty() {
                sides.sides.push((choice.current, None));
            }
            if sides.sides.len() > 1 {
                // The last one is followed at once. Stable, so that equals keep their order.
                sides.sides.sort_by_key(|(side, _)| options.favourites.weight(&choice, *side, &guided.context));
            }
            let Some((side, model)) = sides.sides.pop() else { continue 'paths };
            for (side, model) in sides.sides {
                order += 1;
                let mut fork = Guided {
                    node: guided.node.clone(),
                    context: guided.context.clone(),
                    balance: guided.balance.clone(),
                    cost: target.cost.of(&guided.node.state),
                    order,
                };
                take(&mut driver, &mut fork, &choice, side, model, false);
                waiting.push(fork);
            }
            take(&mut driver, &mut guided, &choice, side, model, sides.forced);
        };
        if outcome == Outcome::Trapped(Trap::AssumeFailed) {
            continue;
        }
        finding.paths += 1;
        let cost = target.cost.of(&guided.node.state);
        match best.as_ref().map(|b| b.0) {
            Some(b) if cost < b => {}
            Some(b) if cost == b => finding.worst_paths += 1,
            _ => {
                finding.worst_paths = 1;
                finding.worst_at = finding.paths;
                best = Some((cost, guided.node, outcome));
            }
        }
    }
    finding.complete = finding.stop.is_none() && finding.cut == 0 && !impatient;
    if let Some((_, mut node, outcome)) = best {
        make_readable(&mut driver, &mut node);
        if node.trail.len() > MOST_KEPT {
            node.trail = Trail::default();
        }
        finding.worst = Some(PathFinding::of_node(target, &node, outcome));
    }
    finding.stats = driver.solver_stats();
    finding.limits.append(&mut driver.limits);
    finding.count_cut();
    finding.seconds = budget.seconds_since(begun);
    Ok(finding)
}

fn take(driver: &mut Driver<'_>, g: &mut Guided, choice: &Choice, side: usize, model: Option<Model>, forced: bool) {
    if let Some(balance) = &mut g.balance {
        balance.decided(choice.site, choice.sides[side].answer);
    }
    g.context.decided(choice.site, choice.activation, choice.sides[side].answer);
    driver.take(&mut g.node, choice, side, model, forced);
}

/// The sides the policy generates here. Asks the solver only about sides the policy wants.
fn decide(driver: &mut Driver<'_>, g: &Guided, choice: &Choice, policy: &Policy, levels: &[Level]) -> Sides {
    let unknown = driver.unknown;
    let mut sides = SmallVec::new();
    for (side, level) in levels.iter().enumerate() {
        if *level != Level::Permitted {
            continue;
        }
        if side == choice.current {
            sides.push((side, None));
        } else if let Some(model) = driver.feasible_side(&g.node, choice.sides[side]) {
            sides.push((side, Some(model)));
        }
    }
    if !sides.is_empty() || levels[choice.current] == Level::Forbidden {
        return Sides { sides, forced: false };
    }
    // Nothing permitted is feasible: the model's own side, if it is the only one left.
    let others = (0..levels.len()).filter(|s| *s != choice.current && levels[*s] != Level::Permitted);
    for side in others {
        if driver.feasible_side(&g.node, choice.sides[side]).is_some() {
            return match policy {
                // A branch policy generates a half-permitted side only where it is forced.
                Policy::Branch(_) => Sides { sides: SmallVec::new(), forced: false },
                Policy::History(_) => Sides { sides: smallvec![(choice.current, None)], forced: false },
            };
        }
    }
    Sides { sides: smallvec![(choice.current, None)], forced: driver.unknown == unknown }
}
