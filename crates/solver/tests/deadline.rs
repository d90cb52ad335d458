//! Z3 is not asked when the time is over, and what it is asked before ends by then; so does what other layers work at.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use slowpath_solver::{Answer, Halt, PathCondition, Solver, SolverConfig};
use slowpath_term::{BinOp, CmpOp, InputId, Model, TermId, Terms};

/// A product that only Z3 can take apart, and that it takes long for.
fn factors(terms: &mut Terms) -> TermId {
    let (x, y) = (terms.var(InputId(0), 64), terms.var(InputId(1), 64));
    let product = terms.bin(BinOp::Mul, x, y);
    let semiprime = terms.constant(64, 4_294_967_291 * 4_294_967_279);
    let one = terms.constant(64, 1);
    let limit = terms.constant(64, 1 << 32);
    let conditions = [
        terms.cmp(CmpOp::Eq, product, semiprime),
        terms.cmp(CmpOp::Ult, one, x),
        terms.cmp(CmpOp::Ult, x, limit),
        terms.cmp(CmpOp::Ult, one, y),
        terms.cmp(CmpOp::Ult, y, limit),
    ];
    terms.and_all(&conditions)
}

#[test]
fn no_question_goes_to_z3_when_the_time_is_over() {
    let mut terms = Terms::new();
    let question = factors(&mut terms);
    let mut solver = Solver::new(SolverConfig::default());
    solver.until(Some(Instant::now()));
    let answer = solver.check(&mut terms, &PathCondition::new(), &Model::new(), question);
    assert!(matches!(&answer, Answer::Unknown(why) if why.contains("time")), "{answer:?}");
    assert_eq!(solver.stats().smt_queries, 0);
    solver.until(None);
    solver.check(&mut terms, &PathCondition::new(), &Model::new(), question);
    assert_eq!(solver.stats().smt_queries, 1);
}

#[test]
fn a_question_ends_with_the_time_there_is() {
    let mut terms = Terms::new();
    let question = factors(&mut terms);
    // Far longer than any test may take: only the deadline can end it.
    let mut solver = Solver::new(SolverConfig { z3_timeout_ms: 3_600_000, ..SolverConfig::default() });
    solver.until(Some(Instant::now() + Duration::from_millis(200)));
    solver.check(&mut terms, &PathCondition::new(), &Model::new(), question);
    assert_eq!(solver.stats().smt_queries, 1);
}

/// A path that orders so many inputs, each against each, and all of them told apart in one question.
fn ordered(terms: &mut Terms, inputs: u32) -> (PathCondition, TermId) {
    let all: Vec<TermId> = (0..inputs).map(|i| terms.var(InputId(i), 32)).collect();
    let mut path = PathCondition::new();
    for (i, low) in all.iter().enumerate() {
        for high in &all[i + 1..] {
            path.add(terms.cmp(CmpOp::Ule, *low, *high));
        }
    }
    let apart: Vec<TermId> = all.windows(2).map(|pair| terms.cmp(CmpOp::Ult, pair[0], pair[1])).collect();
    let question = terms.and_all(&apart);
    (path, question)
}

#[test]
fn orders_between_very_many_inputs_end_with_the_work_there_is() {
    let mut terms = Terms::new();
    let (path, question) = ordered(&mut terms, 40);
    let mut solver = Solver::new(SolverConfig::default());
    solver.limit_work(1_000_000);
    assert!(matches!(solver.check(&mut terms, &path, &Model::new(), question), Answer::Sat(_)));
    assert!(solver.take_work() > 1_000, "what is looked at is counted");
    // Each of the inputs drags along all that come after it, by way of every order between them.
    let mut terms = Terms::new();
    let (path, question) = ordered(&mut terms, 700);
    let mut solver = Solver::new(SolverConfig::default());
    solver.limit_work(1_000_000);
    let answer = solver.check(&mut terms, &path, &Model::new(), question);
    assert!(matches!(&answer, Answer::Unknown(why) if why.contains("orders")), "{answer:?}");
    assert!(solver.take_work() < 100_000_000);
}

#[test]
fn a_question_that_is_stopped_from_outside_says_by_what() {
    let mut terms = Terms::new();
    let question = factors(&mut terms);
    let mut solver = Solver::new(SolverConfig { z3_timeout_ms: 3_600_000, ..SolverConfig::default() });
    let halt = |set: bool, why: &str| Halt { flag: Arc::new(AtomicBool::new(set)), why: why.to_owned() };
    solver.halt_with(vec![halt(false, "the user wants an end"), halt(true, "memory is used up")]);
    let answer = solver.check(&mut terms, &PathCondition::new(), &Model::new(), question);
    assert!(matches!(&answer, Answer::Unknown(why) if why.contains("memory is used up")), "{answer:?}");
}
