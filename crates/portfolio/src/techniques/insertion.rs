//! Insertion: inputs that grow by a recipe. All cycles of one and of two moves are tried at a small size, the best of them at a larger one;
//! longer cycles are climbed to, one move exchanged for another for as long as that costs more.

use std::collections::BTreeMap;

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, CostModel, Provenance, Rng, SearchError, SizeFinding, Target};

use crate::alphabets::Alphabets;
use crate::claim::{Evidence, FoundBy};
use crate::domain::Domain;
use crate::recipes::{KnownRecipe, LONGEST, Move, Recipe, Recipes};
use crate::runner::{Ran, Runner};
use crate::runs::{Best, Runs};
use crate::technique::{Session, Stage, Technique};

/// The share of a size's time: of what is believed, and of what is not. Short cycles are tried in any case: that takes a tenth of a second, and
/// what is believed is not always right.
const SHARES: [f64; 2] = [0.02, 0.15];
/// The part of that where all inputs are bytes: text is no matter of order.
const OF_BYTES: f64 = 0.3;
/// The part of the time that looking for recipes takes; the rest is for their inputs at the size asked for.
const LOOKING: f64 = 0.7;
/// Sizes to try recipes at, the largest at which inputs have few enough elements; and how many times larger the one is that decides. Each has its
/// odd neighbour with it: what is bad at even sizes only is no rule.
const SIZES: [i64; 4] = [24, 16, 12, 8];
const FEW_ELEMENTS: usize = 64;
const TIMES: [i64; 2] = [8, 4];
/// Cycles of two moves that are tried at the larger size, of the 5,184 there are at the small one. Tried with seven sorts, selections and trees: all
/// of these pairs find what grows fastest in each of them; random climbs of as many runs miss it in three.
const BEST_PAIRS: usize = 48;
const FEWEST_PAIRS: usize = 6;
/// Instructions that one run may take.
const FUEL: u64 = 4_000_000;
/// Lengths of the cycles climbed to, in turn. Longer ones brought nothing.
const PERIODS: [usize; 4] = [4, 3, 4, 6];
/// Rounds over all places of a cycle in one climb.
const ROUNDS: usize = 4;
/// Recipes that are kept, and how many of them are run at a size.
const KEPT: usize = 24;
const FOLLOWED: usize = 10;
/// Climbs in a row that may bring nothing before it is enough.
const VAIN: u64 = 16;
/// Steps of the budget's clock that making an input takes: a step an insertion, and one for so many elements moved.
const MOVED_PER_STEP: u64 = 64;

/// The search, which goes on where it was, whatever the size it is called for.
#[derive(Default)]
pub struct Insertion {
    search: Option<Search>,
    does_not_apply: bool,
}

/// A size, and what inputs look like there.
type Size = (i64, Domain, Alphabets);

const SMALL: usize = 0;
const LARGE: usize = 1;

/// Where recipes are tried.
struct Search {
    /// The small size and the one that decides, each with its neighbour and with what inputs look like there.
    sizes: [[Size; 2]; 2],
    rng: Rng,
    /// Cycles of one move that were tried, and of two.
    singles: usize,
    pairs: usize,
    /// The best of the latter: what they cost at the small size.
    best_pairs: Vec<(u64, [Move; 2])>,
    climbs: u64,
    vain: u64,
}

impl Technique for Insertion {
    fn name(&self) -> FoundBy {
        FoundBy::Insertion
    }

    fn stage(&self) -> Stage {
        Stage::Search
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        // Decisions are counted of unknown inputs only.
        if self.does_not_apply || session.target.cost == CostModel::Decisions || session.settings.compares_policies {
            return None;
        }
        let row = session.ledger.row(n).filter(|row| !row.is_settled())?;
        let longest = session.target.inputs(n).into_iter().flatten().map(|input| input.count as usize).max();
        if longest > Some(LONGEST) {
            return None;
        }
        let enough =
            session.knowledge.recipes.is_final || self.search.as_ref().is_some_and(|search| search.vain >= VAIN);
        if enough && open(&session.knowledge.recipes, n).next().is_none() {
            return None;
        }
        let bytes = session.target.inputs(n).is_some_and(|inputs| inputs.iter().all(|input| input.ty.bytes() == 1));
        let begins = self.search.as_ref().is_none_or(|search| !search.pairs_are_done());
        let share = SHARES[usize::from(begins || row.evidence() != Some(Evidence::Believed))];
        Some(if bytes { share * OF_BYTES } else { share })
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        if self.search.is_none() {
            self.search = Search::begin(session.target, budget);
        }
        let Some(search) = &mut self.search else {
            self.does_not_apply = true;
            return Ok(None);
        };
        let looking = budget.part(LOOKING);
        let mut lab = Lab { target: session.target, runner: &mut *session.runner, budget: &looking, tried: 0 };
        if !session.knowledge.recipes.is_final {
            search.go_on(&mut session.knowledge.recipes, &mut lab);
        }
        let looked_at = lab.tried;
        let Some(domain) = Domain::of(session.target, n, budget) else { return Ok(None) };
        let order: Vec<usize> = open(&session.knowledge.recipes, n).collect();
        let known = session.ledger.cost(n);
        let mut runs = Runs::new(session.target, n, &mut *session.runner, budget);
        for at in order {
            if runs.leader().is_some() && runs.expired().is_some() {
                break;
            }
            let one = &mut session.knowledge.recipes.known[at];
            let Some(input) = make(&one.recipe, &domain, budget) else { continue };
            if let Some(ran) = runs.run(&input) {
                one.costs.insert(n, ran);
            }
        }
        let worse = runs.leader().is_some_and(|(_, ran)| known.is_none_or(|known| ran.cost > known));
        let (worst, paths) = match worse {
            true => {
                let Best { worst, tried, .. } = runs.best();
                (worst, tried)
            }
            false => (None, runs.tried()),
        };
        Ok(Some(SizeFinding {
            size: n,
            provenance: Provenance::Mutated { generations: 0 },
            paths: paths + looked_at,
            worst_paths: u64::from(worst.is_some()),
            worst,
            seconds: budget.seconds_since(begun),
            ..SizeFinding::default()
        }))
    }
}

/// The best recipes that were not run at a size yet.
fn open(recipes: &Recipes, n: i64) -> impl Iterator<Item = usize> {
    let best = recipes.known.iter().enumerate().take(FOLLOWED);
    best.filter(move |(_, one)| !one.costs.contains_key(&n)).map(|(at, _)| at)
}

/// The input of a recipe, which takes its time.
fn make(recipe: &Recipe, domain: &Domain, budget: &Budget) -> Option<InputValues> {
    let elements: u64 = domain.template.0.iter().map(|named| named.bits.len() as u64).sum();
    let input = recipe.input(domain)?;
    budget.charge(elements + elements.saturating_mul(elements) / MOVED_PER_STEP);
    Some(input)
}

/// Who runs inputs, and how many there were.
struct Lab<'l, 's> {
    target: &'l Target,
    runner: &'l mut (dyn Runner + 's),
    budget: &'l Budget,
    tried: u64,
}

impl Lab<'_, '_> {
    fn run(&mut self, (n, domain, alphabets): &Size, recipe: &Recipe) -> Option<Ran> {
        let input = make(recipe, domain, self.budget)?;
        let input = alphabets.fit(&input).unwrap_or(input);
        self.tried += 1;
        self.runner.run_for(FUEL.min(self.target.limits.instructions), self.target, *n, &input, self.budget)
    }

    /// What a recipe costs at a size and its neighbour together.
    fn cost(&mut self, sizes: &[Size; 2], recipe: &Recipe) -> Option<u64> {
        let [even, odd] = sizes;
        Some(self.run(even, recipe)?.cost.saturating_add(self.run(odd, recipe)?.cost))
    }
}

impl Search {
    /// None where no array grows with n.
    fn begin(target: &Target, budget: &Budget) -> Option<Search> {
        let at = |n: i64| {
            let domain = target.check_size(n).ok().and_then(|()| Domain::of(target, n, budget))?;
            Some((n, domain, Alphabets::of(target, n)))
        };
        let elements = |domain: &Domain| domain.template.0.iter().map(|named| named.bits.len()).sum::<usize>();
        let small = SIZES.iter().filter_map(|n| at(*n)).find(|(_, domain, _)| elements(domain) <= FEW_ELEMENTS)?;
        let short = |(_, domain, _): &Size| elements(domain) <= LONGEST;
        let large = TIMES.iter().filter_map(|times| at(small.0 * times)).find(short)?;
        let odd = [at(small.0 + 1)?, at(large.0 + 1)?];
        let sizes = [small, large].into_iter().zip(odd).map(|(even, odd)| [even, odd]).collect::<Vec<_>>();
        let search = Search {
            sizes: sizes.try_into().ok()?,
            rng: Rng::new(target.seed, 0x1A5E_7710),
            singles: 0,
            pairs: 0,
            best_pairs: Vec::new(),
            climbs: 0,
            vain: 0,
        };
        search.grows().contains(&true).then_some(search)
    }

    /// Which inputs grow with n.
    fn grows(&self) -> Vec<bool> {
        let [small, large] = &self.sizes;
        let pairs = small[0].1.template.0.iter().zip(&large[0].1.template.0);
        pairs.map(|(small, large)| !small.scalar && small.bits.len() < large.bits.len()).collect()
    }

    /// The recipe that makes all inputs by one cycle.
    fn alike(&self, cycle: &[Move]) -> Recipe {
        Recipe(self.grows().into_iter().map(|grows| grows.then(|| cycle.to_vec())).collect())
    }

    /// Looks for recipes until the budget ends, or for as long as that brings something.
    fn go_on(&mut self, recipes: &mut Recipes, lab: &mut Lab<'_, '_>) {
        for one in Move::all().skip(self.singles) {
            if lab.budget.expired().is_some() {
                return;
            }
            self.keep(&self.alike(&[one]), recipes, lab);
            self.singles += 1;
        }
        self.try_pairs(lab);
        // However little time there was, the best so far have to show what they are worth.
        for (place, (_, pair)) in self.best_pairs.iter().enumerate() {
            if place >= FEWEST_PAIRS && (lab.budget.expired().is_some() || !self.pairs_are_done()) {
                break;
            }
            self.keep(&self.alike(pair), recipes, lab);
        }
        while self.vain < VAIN && lab.budget.expired().is_none() {
            let mut recipe = self.beginning(recipes);
            self.climb(&mut recipe, SMALL, ROUNDS, lab);
            // What is best at the size that decides is looked at more closely there.
            let mut won = self.keep(&recipe, recipes, lab);
            if won {
                self.climb(&mut recipe, LARGE, 1, lab);
                won |= self.keep(&recipe, recipes, lab);
            }
            self.vain = if won { 0 } else { self.vain + 1 };
            self.climbs += 1;
        }
    }

    fn pairs_are_done(&self) -> bool {
        let count = Move::distinct().count();
        self.pairs >= count * count
    }

    /// All cycles of two moves at the small size; of those that cost the same, one is enough.
    fn try_pairs(&mut self, lab: &mut Lab<'_, '_>) {
        let all = Move::distinct().flat_map(|first| Move::distinct().map(move |second| [first, second]));
        for pair in all.skip(self.pairs) {
            if lab.budget.expired().is_some() {
                return;
            }
            self.pairs += 1;
            let (recipe, [even, odd]) = (self.alike(&pair), &self.sizes[SMALL]);
            let Some(first) = lab.run(even, &recipe) else { continue };
            // What is far from the best at one size need not be run at the other.
            let least = self.best_pairs.get(BEST_PAIRS - 1).map_or(0, |known| known.0);
            if first.cost < least / 3 {
                continue;
            }
            let Some(second) = lab.run(odd, &recipe) else { continue };
            let cost = first.cost.saturating_add(second.cost);
            let place = self.best_pairs.partition_point(|known| known.0 > cost);
            if place < BEST_PAIRS && self.best_pairs.get(place).is_none_or(|known| known.0 != cost) {
                self.best_pairs.insert(place, (cost, pair));
                self.best_pairs.truncate(BEST_PAIRS);
            }
        }
    }

    /// Where a climb begins: two of the best in turn, or anywhere.
    fn beginning(&mut self, recipes: &Recipes) -> Recipe {
        let period = PERIODS[self.climbs as usize % PERIODS.len()];
        let count = if self.climbs.is_multiple_of(2) { recipes.known.len().min(FOLLOWED) as u64 } else { 0 };
        let mut parent = || recipes.known.get(self.rng.below(count.max(1)) as usize).filter(|_| count > 0);
        let parents = [parent(), parent()];
        let grows = self.grows();
        let mut cycle = |k: usize| -> Vec<Move> {
            let known = parents.iter().filter_map(|parent| parent.and_then(|one| one.recipe.0.get(k)?.as_ref()));
            let known: Vec<Move> = known.flatten().copied().collect();
            (0..period).map(|i| known.get(i).copied().unwrap_or_else(|| Move::draw(&mut self.rng))).collect()
        };
        Recipe(grows.iter().enumerate().map(|(k, grows)| grows.then(|| cycle(k))).collect())
    }

    /// Exchanges single moves for as long as that costs more at one of the sizes.
    fn climb(&self, recipe: &mut Recipe, size: usize, rounds: usize, lab: &mut Lab<'_, '_>) {
        let Some(mut best) = lab.cost(&self.sizes[size], recipe) else { return };
        let places: Vec<(usize, usize)> = (0..recipe.0.len())
            .flat_map(|k| (0..recipe.0[k].as_ref().map_or(0, Vec::len)).map(move |at| (k, at)))
            .collect();
        for _ in 0..rounds {
            let before = best;
            for (k, at) in &places {
                for one in Move::all() {
                    if lab.budget.expired().is_some() {
                        return;
                    }
                    let Some(old) = recipe.exchange(*k, *at, one).filter(|old| *old != one) else { continue };
                    match lab.cost(&self.sizes[size], recipe) {
                        Some(cost) if cost > best => best = cost,
                        _ => {
                            recipe.exchange(*k, *at, old);
                        }
                    }
                }
            }
            if best == before {
                return;
            }
        }
    }

    /// Keeps a recipe if it is among the best at the size that decides. Whether it is the very best now.
    fn keep(&self, recipe: &Recipe, recipes: &mut Recipes, lab: &mut Lab<'_, '_>) -> bool {
        if recipes.known.iter().any(|known| known.recipe == *recipe) {
            return false;
        }
        let mut new = KnownRecipe { recipe: recipe.clone(), costs: BTreeMap::new() };
        for size in &self.sizes[LARGE] {
            let Some(ran) = lab.run(size, recipe) else { return false };
            new.costs.insert(size.0, ran);
        }
        let at = |one: &KnownRecipe, size: &Size| one.costs.get(&size.0).map_or(0, |ran| ran.cost);
        let cost = |one: &KnownRecipe| self.sizes[LARGE].iter().map(|size| at(one, size)).min();
        // Of those that cost the same the shortest says most.
        let rank = |one: &KnownRecipe| (std::cmp::Reverse(cost(one)), one.recipe.period());
        if recipes.known.iter().any(|one| cost(one) == cost(&new) && rank(one) <= rank(&new)) {
            return false;
        }
        let won = recipes.known.first().is_none_or(|best| cost(&new) > cost(best));
        let place = recipes.known.partition_point(|one| rank(one) <= rank(&new));
        recipes.known.insert(place, new);
        recipes.known.truncate(KEPT);
        won
    }
}
