//! The killer adversary (McIlroy, 1999): the program runs once, and its input is made up while it asks.
//!
//! Every element begins as *gas*, an unsaid value beyond all others. Where the program compares two elements of gas, one of them is *frozen* to
//! the next solid value, and of the two preferably the one that was last compared with something solid: that is how a pivot behaves. So every
//! pivot turns out to be one of the least elements, whatever its rule of choice, and the same holds for whatever else splits by comparing.
//! No solver is asked. Whether the input is bad is for a run to tell.

use slowpath_program::call::{ElemType, InputSpec};
use slowpath_program::input::InputValues;
use slowpath_term::{InputId, Model};

use crate::budget::Budget;
use crate::driver::{Choice, Driver, Step};
use crate::node::Node;
use crate::target::{SearchError, Target};

/// Where gas is: beyond the greatest of the solid values, which rise, or below the least, and they fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gas {
    Greatest,
    Least,
}

/// The input that one run of the adversary comes to; where the budget or a limit ended the run, as far as it came. None where there is
/// nothing to compare: no two elements of gas ever met, or a harness makes its inputs itself.
pub fn adversary(target: &Target, n: i64, gas: Gas, budget: &Budget) -> Result<Option<InputValues>, SearchError> {
    let Some(specs) = target.inputs(n) else { return Ok(None) };
    let mut driver = Driver::new(target, budget);
    driver.keeps_model = true;
    let mut node = driver.root(n)?;
    // The input is what the adversary says; nothing has to be possible.
    driver.asks_solver = false;
    let mut elements = Elements::of(&node, &specs, gas);
    node.model = elements.model(&node.model);
    while let Step::Decide(choice) = driver.advance(&mut node) {
        let side = match elements.decide(&driver, &node, &choice) {
            None => choice.current,
            Some(model) => {
                node.model = model;
                // Sides exhaust what is possible; should that fail, the run shows it.
                let goes = choice.sides.iter().position(|side| driver.goes(&node, *side));
                goes.unwrap_or(choice.current)
            }
        };
        // Neither the path condition nor the decisions are of use: paths of sorts are long.
        node.state.answer(choice.sides[side].answer);
    }
    Ok((elements.frozen > 0).then(|| node.state.input_values(&node.model)))
}

/// What can be frozen.
struct Elements {
    gas: Gas,
    /// By the number of the input; None for what is no element of a number's kind.
    values: Vec<Option<Values>>,
    /// Elements frozen so far: each is the next value.
    frozen: u64,
    /// The element of gas that was last compared with something solid.
    candidate: Option<InputId>,
}

/// The values of one element.
#[derive(Clone, Copy)]
struct Values {
    ty: ElemType,
    low: i128,
    high: i128,
    is_gas: bool,
}

impl Elements {
    fn of(node: &Node, specs: &[InputSpec], gas: Gas) -> Elements {
        let mut values = Vec::new();
        let count: u64 = specs.iter().map(|spec| u64::from(spec.count)).sum();
        for (record, spec) in node.state.inputs().iter().zip(specs) {
            let end = (record.first.0 + record.count) as usize;
            values.resize(end.max(values.len()), None);
            for i in 0..record.count {
                let id = record.first.0 + i;
                // Bytes that are one word together are an element together, and have its first number.
                let ty = match record.lane(i) {
                    Some(lane) if lane.word.0 != id => continue,
                    Some(lane) => word_type(lane.bytes),
                    None => record.ty,
                };
                let declared = spec.range.filter(|_| ty == record.ty);
                values[id as usize] = Values::new(ty, declared, count);
            }
        }
        Elements { gas, values, frozen: 0, candidate: None }
    }

    /// The model in which all elements are gas.
    fn model(&self, model: &Model) -> Model {
        let ids = (0..).map(InputId).zip(&self.values);
        model.with_all(ids.filter_map(|(id, values)| Some((id, (*values)?.gas(self.gas)))))
    }

    /// Freezes elements until a decision is about one of gas at most. None where it is already.
    fn decide(&mut self, driver: &Driver<'_>, node: &Node, choice: &Choice) -> Option<Model> {
        let terms = choice.sides.first()?.terms();
        let (mut gas, mut solid): (Vec<InputId>, bool) = (Vec::new(), false);
        for id in terms.into_iter().flatten().flat_map(|term| driver.terms.inputs(term)) {
            match self.values.get(id.index()).copied().flatten() {
                Some(values) if values.is_gas && !gas.contains(id) => gas.push(*id),
                Some(values) => solid |= !values.is_gas,
                None => {}
            }
        }
        let mut model = None;
        while gas.len() > 1 {
            let place = gas.iter().position(|id| Some(*id) == self.candidate).unwrap_or(gas.len() - 1);
            let id = gas.remove(place);
            let values = self.values.get_mut(id.index())?.as_mut()?;
            // Where values run out, the rest stays as it is.
            let value = values.solid(self.gas, self.frozen)?;
            values.is_gas = false;
            self.frozen += 1;
            solid = true;
            model = Some(model.as_ref().unwrap_or(&node.model).with(id, value));
        }
        if solid && gas.len() == 1 {
            self.candidate = gas.first().copied();
        }
        model
    }
}

impl Values {
    /// Small values, if there are enough for all elements. None where there are not.
    fn new(ty: ElemType, declared: Option<(i128, i128)>, count: u64) -> Option<Values> {
        let (low, high) = declared.unwrap_or_else(|| ty.bounds());
        let low = if high > i128::from(count) { low.max(0) } else { low };
        (ty != ElemType::Bool && high - low >= i128::from(count)).then_some(Values { ty, low, high, is_gas: true })
    }

    fn gas(&self, gas: Gas) -> u64 {
        bits(self.ty, if gas == Gas::Greatest { self.high } else { self.low })
    }

    fn solid(&self, gas: Gas, frozen: u64) -> Option<u64> {
        let step = i128::from(frozen);
        let value = if gas == Gas::Greatest { self.low + step } else { self.high - step };
        (self.low < value && value < self.high || step == 0).then(|| bits(self.ty, value))
    }
}

/// A word of so many bytes, as numbers whose order does not depend on the sign.
fn word_type(bytes: u8) -> ElemType {
    match bytes {
        2 => ElemType::I16,
        4 => ElemType::I32,
        _ => ElemType::I64,
    }
}

/// The bits that stand for a number within its type.
fn bits(ty: ElemType, number: i128) -> u64 {
    match ty {
        ElemType::F32 => u64::from((number as f32).to_bits()),
        ElemType::F64 => (number as f64).to_bits(),
        _ => number as u64 & ty.mask(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slowpath_program::input::NamedInput;

    use crate::concrete::ConcreteRun;
    use crate::evolve::test_target::target;

    /// Takes the middle element as its pivot and looks for smaller ones: where there are none, only the pivot is done with, else half of
    /// the rest. Nearly every input has it halve.
    const SPLITS: &str = r#"(module (memory 1)
        (func (export "f") (param $a i32) (param $n i32) (local $end i32) (local $p i32) (local $i i32) (local $smaller i32) (local $t i32)
            (local.set $end (i32.add (local.get $a) (i32.mul (local.get $n) (i32.const 4))))
            (block $done (loop $next
                (br_if $done (i32.ge_u (i32.add (local.get $a) (i32.const 4)) (local.get $end)))
                (local.set $p (i32.add (local.get $a)
                    (i32.and (i32.shr_u (i32.sub (local.get $end) (local.get $a)) (i32.const 1)) (i32.const -4))))
                (local.set $t (i32.load (local.get $p)))
                (i32.store (local.get $p) (i32.load (local.get $a)))
                (i32.store (local.get $a) (local.get $t))
                (local.set $smaller (i32.const 0))
                (local.set $i (i32.add (local.get $a) (i32.const 4)))
                (loop $scan
                    (if (i32.lt_s (i32.load (local.get $i)) (local.get $t)) (then (local.set $smaller (i32.const 1))))
                    (br_if $scan (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $end))))
                (if (local.get $smaller)
                    (then (local.set $end (local.get $p)))
                    (else (local.set $a (i32.add (local.get $a) (i32.const 4)))))
                (br $next)))))"#;

    #[test]
    fn every_pivot_turns_out_to_be_the_least() {
        let (target, budget, n) = (target(SPLITS), Budget::default(), 64);
        let cost = |input: &InputValues| ConcreteRun::of(&target, n, input, &budget).expect("it runs").cost;
        let bad = adversary(&target, n, Gas::Greatest, &budget).expect("it runs").expect("elements are compared");
        let falling = InputValues(
            bad.0.iter().map(|input| NamedInput { bits: (0..64).rev().collect(), ..input.clone() }).collect(),
        );
        assert!(cost(&bad) > 8 * cost(&falling), "{} and {}", cost(&bad), cost(&falling));
        // The comparisons alone are n(n - 1)/2.
        assert!(cost(&bad) > 64 * 63 / 2 * 10, "{}", cost(&bad));
    }

    #[test]
    fn where_nothing_is_compared_there_is_nothing_to_say() {
        let zeros = target(crate::evolve::test_target::ZEROS);
        assert_eq!(adversary(&zeros, 8, Gas::Least, &Budget::default()).expect("it runs"), None);
    }
}
