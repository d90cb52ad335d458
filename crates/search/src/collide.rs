//! Inputs whose parts go to one place: what hash tables, counters and other tables that are indexed by inputs are slow on.
//!
//! An input is followed under its own values, every unknown address fixed to what it is. Addresses of one shape, each of other inputs, are places
//! of one table, and so are buckets that conditions speak of; the solver's layers are asked for other inputs with which all of them are the place of most. Nothing is proven here, and
//! nothing claimed: whoever asked runs what comes out.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};
use slowpath_program::input::InputValues;
use slowpath_solver::{Answer, is_bucket};
use slowpath_term::{CmpOp, Evaluator, InputId, Model, Node as Shape, TermId, Terms};

use crate::budget::Budget;
use crate::concrete::draw_input;
use crate::driver::{Driver, Step};
use crate::node::Node;
use crate::rng::Rng;
use crate::target::{SearchError, Target};

/// Decisions that are followed.
const MOST_DECISIONS: usize = 1_000_000;
/// Tables that are filled together, those with most places first, and each alone.
const MOST_TABLES: usize = 12;
const ALONE: usize = 4;
/// Inputs that a place depends on, and operations of it.
const MOST_INPUTS: usize = 256;
const MOST_OPERATIONS: usize = 2_000;
/// Random inputs that keys are taken from where a key would be the same as another one.
const OTHERS: u64 = 3;
/// Conditions on single inputs that are kept.
const MOST_KEPT: usize = 20_000;

/// Places of one table, each of other inputs: the addresses as terms, in the order they were met.
struct Table {
    places: Vec<TermId>,
}

/// Inputs like this one in which all that goes into a table goes to one place: of each table alone, and of all together. Empty where the
/// program has no such table; none where the budget ended it.
pub fn colliding(
    target: &Target,
    n: i64,
    input: &InputValues,
    seed: u64,
    budget: &Budget,
) -> Result<Option<Vec<InputValues>>, SearchError> {
    let mut driver = Driver::new(target, budget);
    driver.keeps_model = true;
    driver.asks_solver = false;
    driver.fixes_addresses = true;
    driver.asked = Some(Vec::new());
    let mut node = driver.root(n)?;
    node.model = driver.words(n).model(input);
    let root = node.path.clone();
    if !root.iter().all(|condition| driver.satisfies(&node, condition)) {
        return Ok(Some(Vec::new()));
    }
    let Some((kept, buckets)) = follow(&mut driver, &mut node) else { return Ok(None) };
    let asked = driver.asked.take().unwrap_or_default();
    let (conditions, mut places): (Vec<TermId>, Vec<TermId>) =
        asked.into_iter().partition(|t| driver.terms.width(*t) == 1);
    places.extend(buckets);
    let tables = tables(&driver.terms, &places);
    if tables.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut path = root;
    for condition in conditions.into_iter().chain(kept) {
        if driver.holds(&node, condition) {
            path.add(condition);
        }
    }
    driver.asks_solver = true;
    driver.solver.ask_z3(false);
    let words = driver.words(n);
    let others: Vec<Model> = (0..OTHERS)
        .filter_map(|i| draw_input(target, n, Rng::new(seed, i).next(), budget).ok().flatten())
        .map(|other| words.model(&other))
        .collect();
    let own = node.model.clone();
    let mut found: Vec<InputValues> = Vec::new();
    let together = Some(&tables[..]).filter(|tables| tables.len() > 1);
    let alone = tables.iter().take(ALONE).map(std::slice::from_ref);
    // The place of most, and the first one there is: programs compare with zero.
    let of_most = alone.chain(together).map(|tables| (tables, false));
    for (tables, is_first) in of_most.chain([(&tables[..], true)]) {
        node.path.clone_from(&path);
        node.model.clone_from(&own);
        // What was filled when the budget ended it counts too.
        let has_time = tables.iter().all(|table| fill(&mut driver, &mut node, table, is_first, &others));
        let input = node.state.input_values(&node.model);
        if !found.contains(&input) {
            found.push(input);
        }
        if !has_time {
            break;
        }
    }
    Ok(Some(found))
}

/// Follows the node's own model to the end. The conditions on single inputs that were met, and the buckets of all; none where the budget ended it.
fn follow(driver: &mut Driver<'_>, node: &mut Node) -> Option<(Vec<TermId>, Vec<TermId>)> {
    let (mut kept, mut met) = (Vec::new(), FxHashSet::default());
    let (mut buckets, mut seen) = (Vec::new(), FxHashSet::default());
    let mut looked = 0;
    for _ in 0..MOST_DECISIONS {
        match driver.advance(node) {
            Step::Decide(choice) => {
                let side = choice.sides[choice.current];
                let parts = side.terms().into_iter().flatten();
                let few = parts.clone().map(|t| driver.terms.inputs(t).len()).sum::<usize>();
                parts.for_each(|t| find_buckets(&driver.terms, t, &mut seen, &mut buckets));
                if few == 1 && kept.len() < MOST_KEPT {
                    let condition = driver.cond(side);
                    if met.insert(condition) && !is_of_places(&driver.terms, condition, &mut looked) {
                        kept.push(condition);
                    }
                }
                driver.take(node, &choice, choice.current, None, false);
            }
            Step::Done(_) | Step::Cut(_) => break,
            Step::Stop(_) => return None,
        }
    }
    driver.count_work(seen.len() as u64 + looked);
    Some((kept, buckets))
}

/// Whether a condition has inputs by way of places alone, which are buckets of what was computed of them: it says where a key went, and how full
/// a smaller table was then, which is what is to change.
fn is_of_places(terms: &Terms, condition: TermId, looked: &mut u64) -> bool {
    let (mut waiting, mut seen) = (vec![condition], FxHashSet::default());
    while let Some(t) = waiting.pop() {
        if !seen.insert(t) {
            continue;
        }
        *looked += 1;
        if matches!(terms.node(t), Shape::Var { .. }) || seen.len() > MOST_OPERATIONS {
            return false;
        }
        let is_computed = || terms.node(t).children().any(|of| matches!(terms.node(of), Shape::Bin { .. }));
        if !(is_bucket(terms, t) && is_computed()) {
            waiting.extend(terms.node(t).children());
        }
    }
    true
}

/// Adds the buckets that a term is made of, those that were not seen before.
fn find_buckets(terms: &Terms, t: TermId, seen: &mut FxHashSet<TermId>, buckets: &mut Vec<TermId>) {
    let mut waiting = vec![t];
    while let Some(t) = waiting.pop() {
        if !seen.insert(t) {
            continue;
        }
        if is_bucket(terms, t) {
            buckets.push(t);
        } else {
            waiting.extend(terms.node(t).children());
        }
    }
}

/// The tables that places belong to, those with most of them first. Places of one table have no inputs in common.
fn tables(terms: &Terms, places: &[TermId]) -> Vec<Table> {
    let mut met = FxHashSet::default();
    let mut by_shape: HashMap<u64, usize> = HashMap::new();
    let mut tables: Vec<(Table, FxHashSet<InputId>)> = Vec::new();
    for &place in places.iter().filter(|place| met.insert(**place)) {
        let inputs = terms.inputs(place);
        if inputs.is_empty() || inputs.len() > MOST_INPUTS {
            continue;
        }
        let Some(shape) = shape(terms, place) else { continue };
        let at = *by_shape.entry(shape).or_insert_with(|| {
            tables.push((Table { places: Vec::new() }, FxHashSet::default()));
            tables.len() - 1
        });
        let (table, known) = &mut tables[at];
        if inputs.iter().all(|input| !known.contains(input)) {
            known.extend(inputs);
            table.places.push(place);
        }
    }
    let mut tables: Vec<Table> = tables.into_iter().map(|(table, _)| table).collect();
    tables.retain(|table| table.places.len() > 1);
    tables.sort_by_key(|table| std::cmp::Reverse(table.places.len()));
    tables.truncate(MOST_TABLES);
    tables
}

/// A number that terms share which differ in their inputs only.
fn shape(terms: &Terms, root: TermId) -> Option<u64> {
    let (mut places, mut inputs) = (FxHashMap::default(), FxHashMap::default());
    let mut hasher = DefaultHasher::new();
    let mut waiting = vec![root];
    while let Some(t) = waiting.pop() {
        let next = places.len();
        if next > MOST_OPERATIONS {
            return None;
        }
        if let Some(place) = places.get(&t) {
            (0u8, place).hash(&mut hasher);
            continue;
        }
        places.insert(t, next);
        let node = terms.node(t);
        std::mem::discriminant(&node).hash(&mut hasher);
        match node {
            Shape::Const { width, bits } => (width, bits).hash(&mut hasher),
            Shape::Var { input, width } => {
                let next = inputs.len();
                (width, *inputs.entry(input).or_insert(next)).hash(&mut hasher);
            }
            Shape::Un { op, width, .. } => (op, width).hash(&mut hasher),
            Shape::Bin { op, width, .. } => (op, width).hash(&mut hasher),
            Shape::Cmp { op, .. } => op.hash(&mut hasher),
            Shape::Conv { op, width, .. } => (op, width).hash(&mut hasher),
            Shape::Extract { width, lo, .. } => (width, lo).hash(&mut hasher),
            Shape::Concat { .. } | Shape::Ite { .. } => {}
        }
        waiting.extend(node.children());
    }
    Some(hasher.finish())
}

/// Changes the node's model so that all of a table goes to the place of most, or to the first one, each by other values than the rest, as far as the layers find
/// them. False where the budget ended it.
fn fill(driver: &mut Driver<'_>, node: &mut Node, table: &Table, is_first: bool, others: &[Model]) -> bool {
    let values: Vec<u64> = table.places.iter().map(|place| driver.value(node, *place)).collect();
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    values.iter().for_each(|value| *counts.entry(*value).or_default() += 1);
    let mut most = values.iter().max_by_key(|value| counts[*value]).copied().unwrap_or(0);
    if let (true, Some(place)) = (is_first, table.places.first()) {
        most = driver.terms.bounds(*place).0;
    }
    let mut keys: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut evaluator = Evaluator::new();
    for &place in &table.places {
        if driver.must_stop().is_some() {
            return false;
        }
        let width = driver.terms.width(place);
        let wanted = driver.terms.constant(width, most);
        let wanted = driver.terms.cmp(CmpOp::Eq, place, wanted);
        let inputs = driver.terms.inputs(place).to_vec();
        let key = |model: &Model| inputs.iter().map(|input| model.get(*input)).collect::<Vec<u64>>();
        for i in 0..=others.len() {
            let start = match i.checked_sub(1) {
                None => node.model.clone(),
                Some(i) => node.model.with_all(inputs.iter().map(|input| (*input, others[i].get(*input)))),
            };
            let terms = &mut driver.terms;
            // The layers take it for granted that the model they are given is one of the path.
            if i > 0 && !node.path.iter().all(|condition| evaluator.satisfies(terms, &start, condition)) {
                continue;
            }
            let Answer::Sat(model) = driver.solver.check(terms, &node.path, &start, wanted) else { continue };
            if keys.insert(key(&model)) {
                node.model = model;
                node.path.add(wanted);
                break;
            }
        }
    }
    driver.count_work(evaluator.take_computed());
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::test_target::target;

    /// Words, hashed by a product, into a table of 64 bytes that counts them.
    const COUNTED: &str = r#"(module (memory (export "memory") 1)
        (func (export "f") (param $p i32) (param $n i32) (local $i i32) (local $at i32)
          (loop $next
            (if (i32.lt_s (local.get $i) (local.get $n)) (then
              (local.set $at (i32.shr_u
                (i32.mul (i32.load (i32.add (local.get $p) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 0x9E3779B1))
                (i32.const 26)))
              (i32.store8 offset=1024 (local.get $at) (i32.add (i32.load8_u offset=1024 (local.get $at)) (i32.const 1)))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br $next))))))"#;

    #[test]
    fn different_words_come_to_one_place() {
        let target = target(COUNTED);
        let budget = Budget::default();
        // Beginning with equal words, which would be no collision.
        for equal in [false, true] {
            let mut input = draw_input(&target, 12, 5, &budget).unwrap().unwrap();
            if equal {
                input.0[0].bits.fill(7);
            }
            let found = colliding(&target, 12, &input, 1, &budget).unwrap().expect("there is no end");
            let places = |input: &InputValues| {
                let hash = |key: &u64| (*key as u32).wrapping_mul(0x9E37_79B1) >> 26;
                input.0[0].bits.iter().map(hash).collect::<FxHashSet<u32>>()
            };
            let one = found.iter().find(|input| places(input).len() == 1).expect("all in one place");
            let keys: FxHashSet<u64> = one.0[0].bits.iter().copied().collect();
            assert!(keys.len() >= 4, "{keys:?}");
        }
    }

    /// The same table after one of eight places, of which four are told from the others: as where it has grown.
    const GROWN: &str = r#"(module (memory (export "memory") 1)
        (func (export "f") (param $p i32) (param $n i32) (local $i i32) (local $h i32) (local $at i32)
          (loop $next
            (if (i32.lt_s (local.get $i) (local.get $n)) (then
              (local.set $h (i32.shr_u
                (i32.mul (i32.load (i32.add (local.get $p) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 0x9E3779B1))
                (i32.const 16)))
              (if (i32.gt_u (i32.and (local.get $h) (i32.const 7)) (i32.const 3)) (then
                (i32.store8 offset=2048 (i32.const 0) (i32.const 1))))
              (local.set $at (i32.and (local.get $h) (i32.const 63)))
              (i32.store8 offset=1024 (local.get $at) (i32.add (i32.load8_u offset=1024 (local.get $at)) (i32.const 1)))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (br $next))))))"#;

    #[test]
    fn where_keys_went_before_the_table_grew_does_not_keep_them_there() {
        let target = target(GROWN);
        let budget = Budget::default();
        let input = draw_input(&target, 12, 5, &budget).unwrap().unwrap();
        let places = |input: &InputValues| {
            let place = |key: &u64| (*key as u32).wrapping_mul(0x9E37_79B1) >> 16 & 63;
            input.0[0].bits.iter().map(place).collect::<FxHashSet<u32>>()
        };
        let halves: FxHashSet<bool> = places(&input).iter().map(|place| place & 7 > 3).collect();
        assert_eq!(halves.len(), 2, "some keys are on each side");
        let found = colliding(&target, 12, &input, 1, &budget).unwrap().expect("there is no end");
        assert!(found.iter().any(|input| places(input).len() == 1), "all in one place");
    }

    #[test]
    fn what_has_no_table_has_no_collisions() {
        let target = target(crate::evolve::test_target::ZEROS);
        let input = draw_input(&target, 6, 0, &Budget::default()).unwrap().unwrap();
        assert_eq!(colliding(&target, 6, &input, 0, &Budget::default()).unwrap(), Some(Vec::new()));
    }
}
