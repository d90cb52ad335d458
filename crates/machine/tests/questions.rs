//! What the machine asks, and that each answer goes where it belongs.

mod common;

use common::Machine;
use slowpath_machine::{Answer, Branching, Event, Guide, Mode, Outcome, Question, QuestionKind, Symbolic, Value};
use slowpath_program::Trap;
use slowpath_term::{Comparison, Evaluator, InputId, Model, Terms};

fn symbolic(text: &str, inputs: u32) -> Machine<Symbolic> {
    let mut machine = Machine::<Symbolic>::new(text);
    let args: Vec<Value> = (0..inputs)
        .map(|i| {
            let term = machine.terms.var(InputId(i), 32);
            Symbolic::from_term(&machine.terms, term)
        })
        .collect();
    machine.call(&args);
    machine
}

/// Answers every question as the inputs' values demand; gives the questions asked.
fn follow(machine: &mut Machine<Symbolic>, inputs: &[u64]) -> (Event, Vec<Question>) {
    let (model, mut evaluator) = (Model::from_values(inputs.to_vec()), Evaluator::new());
    let mut asked = Vec::new();
    loop {
        let question = match machine.state.run(&mut machine.terms) {
            Event::Ask(question) => question,
            other => return (other, asked),
        };
        let mut value = |t| evaluator.eval(&machine.terms, &model, t);
        let answer = match &question.kind {
            QuestionKind::Branch(t) | QuestionKind::Trap(t, _) | QuestionKind::Assume(t) => {
                Answer::Bool(value(*t) == 1)
            }
            QuestionKind::Unless(t) => Answer::Bool(value(*t) == 0),
            QuestionKind::Compare(c) => Answer::Bool(evaluator.compares(&machine.terms, &model, *c)),
            QuestionKind::Switch(cases) => {
                Answer::Case(cases.iter().position(|t| value(*t) == 1).expect("one case holds") as u32)
            }
            QuestionKind::Range(t) => Answer::Range(value(*t), value(*t)),
            QuestionKind::Pin(t, _) => Answer::Value(value(*t)),
        };
        machine.state.answer(answer);
        asked.push(question);
    }
}

fn returned(event: &Event) -> bool {
    matches!(event, Event::Done(Outcome::Returned))
}

fn result(machine: &mut Machine<Symbolic>, inputs: &[u64]) -> u64 {
    let value = machine.state.results()[0];
    let term = Symbolic::to_term(&mut machine.terms, 32, value);
    Evaluator::new().eval(&machine.terms, &Model::from_values(inputs.to_vec()), term)
}

#[test]
fn the_answer_to_a_later_operand_does_not_reach_an_earlier_one() {
    // Two operands to pin, the second of which is split on a comparison first.
    let text = r#"(module (memory 1) (data (i32.const 30) "xyz")
        (func (export "f") (param i32 i32) (result i32)
          (memory.copy (local.get 0) (i32.add (i32.const 20) (i32.mul (i32.const 10) (i32.lt_u (local.get 1) (i32.const 5)))) (i32.const 3))
          (i32.load8_u (i32.const 501))))"#;
    let mut machine = symbolic(text, 2);
    let (event, asked) = follow(&mut machine, &[500, 4]);
    assert!(returned(&event), "{event:?}");
    assert_eq!(result(&mut machine, &[500, 4]), u64::from(b'y'));
    assert!(asked.iter().any(|q| matches!(q.kind, QuestionKind::Pin(..))));
}

#[test]
fn a_loop_that_only_branches_on_terms_can_be_polled() {
    let text = r#"(module (func (export "f") (param i32) (loop (br_if 0 (local.get 0)))))"#;
    let mut machine = symbolic(text, 1);
    machine.state.check_at = 1000;
    let (event, asked) = follow(&mut machine, &[1]);
    assert!(matches!(event, Event::Poll), "{event:?}");
    assert!(!asked.is_empty() && machine.state.meter.raw.instructions <= 1000);
    // It goes on from where it was: the question whose answer was there is not asked again.
    let decisions = machine.state.meter.raw.decisions;
    machine.state.check_at = 1010;
    let (event, asked) = follow(&mut machine, &[1]);
    assert!(matches!(event, Event::Poll));
    assert!(asked.len() as u64 <= machine.state.meter.raw.decisions - decisions + 1);
}

#[test]
fn a_poll_between_question_and_jump_charges_and_decides_once() {
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (if (result i32) (i32.lt_u (local.get 0) (i32.const 5)) (then (i32.const 1)) (else (i32.const 2)))))"#;
    for check_at in 0..10 {
        let mut machine = symbolic(text, 1);
        machine.state.check_at = check_at;
        let (mut event, _) = follow(&mut machine, &[7]);
        if matches!(event, Event::Poll) {
            machine.state.check_at = u64::MAX;
            event = follow(&mut machine, &[7]).0;
        }
        assert!(returned(&event));
        assert_eq!(result(&mut machine, &[7]), 2);
        let costs = machine.state.meter.costs();
        assert_eq!((costs.instructions, costs.branches, costs.decisions), (6, 1, 1), "polled at {check_at}");
    }
}

#[test]
fn a_select_between_references_is_decided() {
    let text = r#"(module (table 2 funcref) (elem declare func $one $two) (type $t (func (result i32)))
        (func $one (result i32) (i32.const 1)) (func $two (result i32) (i32.const 2))
        (func (export "f") (param i32) (result i32)
          (table.set (i32.const 0) (select (result funcref) (ref.func $one) (ref.func $two) (local.get 0)))
          (call_indirect (type $t) (i32.const 0))))"#;
    for (input, expected) in [(0, 2), (9, 1)] {
        let mut machine = symbolic(text, 1);
        let (event, asked) = follow(&mut machine, &[input]);
        assert!(returned(&event), "{event:?}");
        assert_eq!(result(&mut machine, &[input]), expected);
        assert_eq!(asked.len(), 1);
    }
}

#[test]
fn a_symbolic_index_has_one_case_for_each_target() {
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (block (block (block (br_table 0 1 0 1 1 2 (local.get 0))) (return (i32.const 10))) (return (i32.const 20)))
        (i32.const 30)))"#;
    for (input, expected) in [(0, 10), (1, 20), (2, 10), (4, 20), (5, 30), (1 << 31, 30)] {
        let mut machine = symbolic(text, 1);
        let (event, asked) = follow(&mut machine, &[input]);
        assert!(returned(&event));
        assert_eq!(result(&mut machine, &[input]), expected);
        assert!(matches!(&asked[..], [Question { kind: QuestionKind::Switch(cases), .. }] if cases.len() == 3));
    }
}

#[test]
fn a_symbolic_index_into_a_very_long_table_is_pinned() {
    let list = "0 1 ".repeat(5000);
    let text = format!(
        r#"(module (func (export "f") (param i32) (result i32)
        (block (block (br_table {list} 1 (local.get 0))) (return (i32.const 10))) (i32.const 20)))"#
    );
    for (input, expected) in [(6, 10), (7, 20), (u64::from(u32::MAX), 20)] {
        let mut machine = symbolic(&text, 1);
        let (event, asked) = follow(&mut machine, &[input]);
        assert!(returned(&event));
        assert_eq!(result(&mut machine, &[input]), expected);
        assert!(matches!(&asked[..], [Question { kind: QuestionKind::Pin(..), .. }]));
    }
}

#[test]
fn selects_over_terms_with_very_many_shared_parts_take_no_time() {
    // Each round doubles the number of ways through the term.
    let text = r#"(module (func (export "f") (param i32 i32) (result i32) (local i32)
        (loop
          (local.set 0 (i32.add (i32.mul (local.get 0) (local.get 0)) (select (local.get 0) (local.get 1) (local.get 1))))
          (br_if 0 (i32.lt_u (local.tee 2 (i32.add (local.get 2) (i32.const 1))) (i32.const 200))))
        (local.get 0)))"#;
    let start = std::time::Instant::now();
    let mut machine = symbolic(text, 2);
    let (event, _) = follow(&mut machine, &[3, 5]);
    assert!(returned(&event));
    let expected = (0..200).fold(3u32, |x, _| x.wrapping_mul(x).wrapping_add(x));
    assert_eq!(result(&mut machine, &[3, 5]), u64::from(expected));
    assert!(start.elapsed() < std::time::Duration::from_secs(120), "{:?}", start.elapsed());
}

#[test]
fn a_host_call_that_asks_is_charged_once_and_its_decisions_count() {
    let text = r#"(module (import "slowpath" "cost" (func $cost (param i32)))
        (func (export "f") (param i32 i32) (call $cost (i32.add (local.get 0) (i32.eq (local.get 1) (i32.const 1))))))"#;
    let mut machine = symbolic(text, 2);
    let (event, _) = follow(&mut machine, &[40, 1]);
    assert!(returned(&event));
    let costs = machine.state.meter.costs();
    assert_eq!((costs.instructions, costs.calls, costs.custom, costs.decisions), (7, 1, 41, 1));
}

#[test]
fn an_answer_of_the_wrong_kind_ends_the_path_with_a_message() {
    let text = r#"(module (func (export "f") (param i32) (if (local.get 0) (then (nop)))))"#;
    let mut machine = symbolic(text, 1);
    assert!(matches!(machine.state.run(&mut machine.terms), Event::Ask(_)));
    machine.state.answer(Answer::Range(0, 1));
    let event = machine.state.run(&mut machine.terms);
    assert!(matches!(event, Event::Done(Outcome::Trapped(Trap::Host(_)))), "{event:?}");
}

#[test]
fn a_fork_goes_its_own_way() {
    let text = r#"(module (memory 1) (table 2 funcref) (global $g (mut i32) (i32.const 0))
        (func (export "f") (param i32) (result i32)
          (i32.store (i32.const 100) (local.get 0)) (global.set $g (i32.const 1))
          (if (i32.gt_s (local.get 0) (i32.const 10)) (then (i32.store8 (i32.const 101) (i32.const 255)) (global.set $g (i32.const 2))))
          (i32.add (i32.load (i32.const 100)) (global.get $g))))"#;
    let mut machine = symbolic(text, 1);
    assert!(matches!(machine.state.run(&mut machine.terms), Event::Ask(_)));
    let mut fork = machine.state.clone();
    for (input, expected) in [(50, 50 + 0xff00 + 2), (3, 4)] {
        let (event, _) = follow(&mut machine, &[input]);
        assert!(returned(&event));
        assert_eq!(result(&mut machine, &[input]), expected);
        std::mem::swap(&mut machine.state, &mut fork);
    }
}

/// Settles comparisons as the inputs' values demand, but for one in so many.
struct Settles {
    model: Model,
    leaves: usize,
    seen: Vec<(u32, u32, bool)>,
}

impl Guide for Settles {
    fn compare(&mut self, terms: &Terms, branching: Branching, asked: Comparison) -> Option<bool> {
        if self.seen.len() % self.leaves == self.leaves - 1 {
            return None;
        }
        let holds = Evaluator::new().compares(terms, &self.model, asked);
        self.seen.push((branching.site.0, branching.activation, holds));
        Some(holds)
    }
}

#[test]
fn what_is_settled_beforehand_goes_and_costs_as_if_it_had_been_asked() {
    // The greater of two numbers by a branch on a flag, on its opposite, on a comparison and on its opposite.
    let text = r#"(module (func (export "f") (param i32 i32 i32) (result i32) (local $flag i32)
        (local.set $flag (i32.lt_s (local.get 0) (local.get 1)))
        (if (local.get $flag) (then (local.set 0 (local.get 1))))
        (if (i32.eqz (local.get $flag)) (then (local.set 1 (local.get 0))))
        (if (i32.gt_u (local.get 2) (local.get 1)) (then (local.set 1 (local.get 2))))
        (block (br_if 0 (i32.le_s (local.get 2) (local.get 0))) (local.set 0 (local.get 2)))
        (block (br_if 0 (local.get $flag)) (local.set 0 (i32.add (local.get 0) (i32.const 1))))
        (i32.xor (local.get 0) (local.get 1))))"#;
    for inputs in [[1, 2, 3], [3, 2, 1], [2, 2, 2], [7, 0xffff_fff0, 9], [5, 9, 0x8000_0000]] {
        let mut asked = symbolic(text, 3);
        let (event, questions) = follow(&mut asked, &inputs);
        assert!(returned(&event) && questions.len() >= 4, "{event:?}");
        for leaves in [1, 2, 3, 100] {
            let mut guided = symbolic(text, 3);
            let model = Model::from_values(inputs.to_vec());
            let mut guide = Settles { model, leaves, seen: Vec::new() };
            let mut decisions = Vec::new();
            let event = loop {
                let event = guided.state.run_guided(&mut guided.terms, &mut guide);
                decisions.append(&mut guide.seen);
                let Event::Ask(Question { site, activation, kind: QuestionKind::Compare(c), .. }) = event else {
                    break event;
                };
                let holds = Evaluator::new().compares(&guided.terms, &guide.model, c);
                decisions.push((site.0, activation, holds));
                guided.state.answer(Answer::Bool(holds));
            };
            assert!(returned(&event), "{event:?}");
            assert_eq!(guided.state.meter.costs(), asked.state.meter.costs(), "{inputs:?}, {leaves}");
            let sites: Vec<(u32, u32)> = questions.iter().map(|q| (q.site.0, q.activation)).collect();
            assert_eq!(decisions.iter().map(|d| (d.0, d.1)).collect::<Vec<_>>(), sites);
            assert_eq!(result(&mut guided, &inputs), result(&mut asked, &inputs));
        }
    }
}
