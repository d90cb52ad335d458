//! Recursion: activations as one more level of nesting.
//!
//! A function that divides its input, calls itself on the parts and then compares what they came to (merge sort) makes no
//! sequence that one generator could make. But each activation's own conditions are one, if elements are named by their part and
//! by their rank there, which the part's own conditions have settled. So what is inferred is one activation, by its size;
//! and the path condition of n is that of its parts and its own.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_sequence::Parameter;
use slowpath_term::{CmpOp, Node, TermId, Terms};

use super::generators::{self, Modelled};
use super::leaf_vector::{Piece, Template};
use super::path_condition::Inputs;
use super::points::{Group, Of};
use super::trace::{Condition, Point, Trace};
use crate::budget::Budget;

/// Parts that one activation may have.
const MOST_PARTS: usize = 4;

/// One comparison of two elements: the first is the smaller one, or not the greater one.
#[derive(Clone, Copy, Debug)]
struct Order {
    op: CmpOp,
    width: u8,
    low: u32,
    high: u32,
}

/// The last activation of a trace: what it compares, by part and rank.
pub(super) struct Activation {
    size: u64,
    cost: u64,
    /// The lengths of the parts.
    parts: Vec<u64>,
    own: Vec<Own>,
}

/// One condition of an activation: part and rank of both sides.
#[derive(Clone, Copy, Debug)]
struct Own {
    point: Point,
    op: CmpOp,
    width: u8,
    low: (u32, i64),
    high: (u32, i64),
}

impl Activation {
    /// The activation that compares all elements of the only input, in a trace that consists of comparisons of elements.
    pub fn last(trace: &Trace) -> Option<Activation> {
        let [record] = &trace.records[..] else { return None };
        let count = usize::try_from(record.count).ok()?;
        let mut by_activation: BTreeMap<u32, Vec<(Point, Order)>> = BTreeMap::new();
        for condition in &trace.conditions {
            by_activation.entry(condition.activation).or_default().push((condition.point, order_of(trace, condition)?));
        }
        let spans: Vec<(u32, u32, u32)> = by_activation
            .iter()
            .map(|(activation, list)| {
                let ends = list.iter().flat_map(|(_, order)| [order.low, order.high]);
                (*activation, ends.clone().min().unwrap_or(0), ends.max().unwrap_or(0) + 1)
            })
            .collect();
        let (last, ..) = *spans.iter().rev().find(|(_, from, to)| (*to - *from) as usize == count)?;
        // Parts: the largest spans of other activations, and what is in none of them, one by one.
        let mut others: Vec<(u32, u32)> =
            spans.iter().filter(|(activation, ..)| *activation != last).map(|(_, from, to)| (*from, *to)).collect();
        others.sort_by_key(|(from, to)| (*from, std::cmp::Reverse(*to)));
        let mut parts: Vec<(u32, u32)> = Vec::new();
        let mut next = 0;
        for (from, to) in others.into_iter().chain([(record.count, record.count)]) {
            if to <= next && from < record.count {
                continue;
            }
            if from < next {
                return None;
            }
            parts.extend((next..from).map(|single| (single, single + 1)));
            if from < to {
                parts.push((from, to));
            }
            next = to;
        }
        if parts.len() > MOST_PARTS || parts.len() < 2 {
            return None;
        }
        // Who is where in a part is settled by the conditions inside it.
        let mut places = vec![(0, 0); count];
        for (at, (from, to)) in parts.iter().enumerate() {
            let inside = by_activation
                .iter()
                .filter(|(activation, _)| **activation != last)
                .flat_map(|(_, list)| list.iter().map(|(_, order)| (order.low, order.high)))
                .filter(|(low, high)| (from..to).contains(&low) && (from..to).contains(&high))
                .map(|(low, high)| (low - from, high - from));
            for (rank, element) in total_order((to - from) as usize, inside)?.into_iter().enumerate() {
                places[(from + element) as usize] = (at as u32, rank as i64);
            }
        }
        let own = by_activation[&last]
            .iter()
            .map(|(point, order)| Own {
                point: *point,
                op: order.op,
                width: order.width,
                low: places[order.low as usize],
                high: places[order.high as usize],
            })
            .collect();
        let parts = parts.iter().map(|(from, to)| u64::from(to - from)).collect();
        Some(Activation { size: trace.size, cost: trace.cost, parts, own })
    }

    /// Which sides its decisions took.
    pub fn sides(&self) -> Vec<u32> {
        let side = |own: &Own| if let Point::Side { side, .. } = own.point { side } else { 0 };
        self.own.iter().map(side).collect()
    }

    pub fn size(&self) -> u64 {
        self.size
    }
}

/// A condition as an order of two elements of the first input.
fn order_of(trace: &Trace, condition: &Condition) -> Option<Order> {
    let terms = &trace.terms;
    let Node::Cmp { op: op @ (CmpOp::Slt | CmpOp::Sle | CmpOp::Ult | CmpOp::Ule), a, b } = terms.node(condition.term)
    else {
        return None;
    };
    let element = |t: TermId| match terms.node(t) {
        Node::Var { input, .. } => trace.place(input).and_then(|(_, index)| u32::try_from(index).ok()),
        _ => None,
    };
    Some(Order { op, width: terms.width(a), low: element(a)?, high: element(b)? })
}

/// The elements from the least to the greatest. `None`: that is not settled.
fn total_order(count: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Option<Vec<u32>> {
    let mut above: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut below = vec![0u32; count];
    for (low, high) in pairs {
        above.get_mut(low as usize)?.push(high);
        *below.get_mut(high as usize)? += 1;
    }
    let mut least: Vec<u32> = (0..count as u32).filter(|element| below[*element as usize] == 0).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(element) = least.pop() {
        if !least.is_empty() {
            return None;
        }
        order.push(element);
        for &high in &above[element as usize] {
            below[high as usize] -= 1;
            if below[high as usize] == 0 {
                least.push(high);
            }
        }
    }
    (order.len() == count).then_some(order)
}

/// One activation, by its size.
#[derive(Clone, Debug)]
pub(super) struct Recursion {
    points: Vec<Modelled>,
    /// The lengths of its parts.
    parts: Vec<Parameter>,
    /// The smallest size with parts, and the smallest that all generators hold for; those between are kept as they are.
    least: u64,
    from: u64,
    small: BTreeMap<u64, Vec<Own>>,
    /// What an activation costs beyond its parts, and what is known of small ones as a whole.
    cost: Option<Parameter>,
    costs: BTreeMap<u64, u64>,
}

/// Why activations have no rule.
pub(super) struct NoRule {
    pub point: Option<Point>,
    pub why: String,
}

impl Recursion {
    /// The rule of activations of different sizes, ascending. These are few: of each function of the size, the two largest ones
    /// only judge.
    pub fn infer(activations: &[&Activation], costs: &BTreeMap<u64, u64>) -> Result<Recursion, NoRule> {
        let plain = |why: &str| NoRule { point: None, why: why.to_owned() };
        let first = activations.first().ok_or_else(|| plain("no activation compares all elements"))?;
        if activations.iter().any(|a| a.parts.len() != first.parts.len()) {
            return Err(plain("activations of different sizes have different numbers of parts"));
        }
        let length = |part: usize| {
            let lengths: Vec<(u64, i128)> = activations.iter().map(|a| (a.size, i128::from(a.parts[part]))).collect();
            Parameter::fit(&lengths)
        };
        let parts: Option<Vec<Parameter>> = (0..first.parts.len()).map(length).collect();
        let parts = parts.ok_or_else(|| plain("the lengths of an activation's parts follow no known rule"))?;
        let sizes: Vec<u64> = activations.iter().map(|a| a.size).collect();
        let mut points = Vec::new();
        for group in groups(activations) {
            let modelled = generators::model(&group, &sizes, 0).map_err(|none| NoRule {
                point: match group.of {
                    Of::Condition(point) => Some(point),
                    Of::Definition(_) => None,
                },
                why: none.to_string(),
            })?;
            points.push(modelled);
        }
        let from = points.iter().map(Modelled::from).max().unwrap_or(0);
        let beyond_parts: Option<Vec<(u64, i128)>> = activations
            .iter()
            .map(|a| {
                let of_parts: Option<u64> = a.parts.iter().map(|part| costs.get(part).copied()).sum();
                Some((a.size, i128::from(a.cost) - i128::from(of_parts?)))
            })
            .collect();
        let cost = beyond_parts.and_then(|samples| (0..3).find_map(|skip| Parameter::fit(samples.get(skip..)?)));
        let small = activations.iter().filter(|a| a.size < from).map(|a| (a.size, a.own.clone())).collect();
        Ok(Recursion { points, parts, least: first.size, from, small, cost, costs: costs.clone() })
    }

    /// The smallest size that is put together.
    pub fn least(&self) -> u64 {
        self.least
    }

    pub fn points(&self) -> &[Modelled] {
        &self.points
    }

    /// What size n costs: its parts and its own.
    pub fn cost(&self, n: u64) -> Option<u64> {
        self.cost_of(n, &mut self.costs.clone())
    }

    fn cost_of(&self, n: u64, known: &mut BTreeMap<u64, u64>) -> Option<u64> {
        if let Some(cost) = known.get(&n) {
            return Some(*cost);
        }
        let mut sum = u64::try_from(self.cost.as_ref()?.value(n)?).ok()?;
        for part in &self.parts {
            let part = u64::try_from(part.value(n)?).ok().filter(|part| *part < n)?;
            sum = sum.checked_add(self.cost_of(part, known)?)?;
        }
        known.insert(n, sum);
        Some(sum)
    }

    /// The conditions of size n as terms.
    pub fn conditions(
        &self,
        terms: &mut Terms,
        inputs: &Inputs<'_>,
        n: u64,
        budget: &Budget,
    ) -> Result<Vec<TermId>, String> {
        let block = self.block(n, budget.terms, &mut HashMap::new()).ok_or_else(|| {
            format!("the activations do not go together at this size (or there are more than {} conditions, --max-search-memory)", budget.terms)
        })?;
        let mut all = Vec::with_capacity(block.orders.len());
        for order in &block.orders {
            let mut element = |index: u32| Some(terms.var(inputs.id(0, i64::from(index))?, order.width));
            let (low, high) = (element(order.low), element(order.high));
            let (Some(low), Some(high)) = (low, high) else { return Err("an element is beyond the input".to_owned()) };
            let condition = terms.cmp(order.op, low, high);
            all.push(condition);
        }
        Ok(all)
    }

    /// The activation of size n with everything inside it. Sizes repeat on every level, so what was made is kept.
    fn block(&self, n: u64, most: usize, made: &mut HashMap<u64, Rc<Block>>) -> Option<Rc<Block>> {
        if let Some(block) = made.get(&n) {
            return Some(Rc::clone(block));
        }
        if n < self.least {
            return (n < 2).then(|| Rc::new(Block { orders: Vec::new(), sorted: (0..n as u32).collect() }));
        }
        let mut block = Block::default();
        let mut parts = Vec::with_capacity(self.parts.len());
        let mut start = 0u32;
        for part in &self.parts {
            let length = u64::try_from(part.value(n)?).ok().filter(|length| *length < n)?;
            let inner = self.block(length, most, made)?;
            let moved = |order: &Order| Order { low: order.low + start, high: order.high + start, ..*order };
            block.orders.extend(inner.orders.iter().map(moved));
            parts.push((start, inner));
            start = start.checked_add(u32::try_from(length).ok()?)?;
        }
        if u64::from(start) != n {
            return None;
        }
        let element = |class: u32, rank: i64| {
            let (start, inner) = parts.get(class as usize)?;
            Some(start + *inner.sorted.get(usize::try_from(rank).ok()?)?)
        };
        let within = block.orders.len();
        for point in &self.points {
            if n < self.from {
                break;
            }
            let [Piece::Input { record: low, width }, Piece::Input { record: high, .. }, Piece::Cmp(op)] =
                point.template.0[..]
            else {
                return None;
            };
            let vectors = point.vectors(n, most)?;
            let [lows, highs] = &vectors[..] else { return None };
            for (a, b) in lows.iter().zip(highs) {
                block.orders.push(Order { op, width, low: element(low, *a)?, high: element(high, *b)? });
            }
            if block.orders.len() > most {
                return None;
            }
        }
        for own in self.small.get(&n).into_iter().flatten() {
            let (low, high) = (element(own.low.0, own.low.1)?, element(own.high.0, own.high.1)?);
            block.orders.push(Order { op: own.op, width: own.width, low, high });
        }
        let chains = parts
            .iter()
            .flat_map(|(start, inner)| inner.sorted.windows(2).map(move |pair| (pair[0] + start, pair[1] + start)));
        let own = block.orders[within..].iter().map(|order| (order.low, order.high));
        block.sorted = total_order(usize::try_from(n).ok()?, chains.chain(own))?;
        let block = Rc::new(block);
        made.insert(n, Rc::clone(&block));
        Some(block)
    }
}

/// All conditions of an activation and those inside it, and its elements from the least to the greatest.
#[derive(Default)]
struct Block {
    orders: Vec<Order>,
    sorted: Vec<u32>,
}

/// The activations' own conditions by point, operator and parts.
fn groups(activations: &[&Activation]) -> Vec<Group> {
    let mut index: FxHashMap<(Point, Template), usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for (at, activation) in activations.iter().enumerate() {
        for own in &activation.own {
            // A part stands where else an input does, and a rank where else an index does.
            let element = |(part, _): (u32, i64)| Piece::Input { record: part, width: own.width };
            let template = Template(vec![element(own.low), element(own.high), Piece::Cmp(own.op)]);
            let found = *index.entry((own.point, template)).or_insert_with_key(|(point, template)| {
                let sequences = vec![vec![Vec::new(); 2]; activations.len()];
                groups.push(Group { of: Of::Condition(*point), template: template.clone(), sequences });
                groups.len() - 1
            });
            let sequences = &mut groups[found].sequences[at];
            sequences[0].push(own.low.1);
            sequences[1].push(own.high.1);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::total_order;

    #[test]
    fn an_order_is_total_or_none() {
        assert_eq!(total_order(3, [(2, 0), (0, 1)].into_iter()), Some(vec![2, 0, 1]));
        assert_eq!(total_order(3, [(2, 0), (2, 1)].into_iter()), None);
        assert_eq!(total_order(2, [(0, 1), (1, 0)].into_iter()), None);
        assert_eq!(total_order(2, [(0, 5)].into_iter()), None);
        assert_eq!(total_order(0, [].into_iter()), Some(vec![]));
    }
}
