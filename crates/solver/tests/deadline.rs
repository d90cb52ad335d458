//! Z3 is not asked when the time is over, and what it is asked before ends by then.

use std::time::{Duration, Instant};

use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig};
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
