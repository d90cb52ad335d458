//! Ranges and readable models.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig, SolverKind};
use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, TermId, Terms};

struct World {
    terms: Terms,
    solver: Solver,
    path: PathCondition,
    model: Model,
}

impl World {
    fn new(kind: SolverKind) -> World {
        let solver = Solver::new(SolverConfig { kind, ..SolverConfig::default() });
        World { terms: Terms::new(), solver, path: PathCondition::new(), model: Model::new() }
    }

    /// Adds a condition, and a model for it.
    fn assume(&mut self, t: TermId) {
        match self.solver.check(&mut self.terms, &self.path, &self.model, t) {
            Answer::Sat(model) => self.model = model,
            other => panic!("the test assumes what cannot be: {other:?}"),
        }
        self.path = self.path.push(t);
    }

    fn compare(&mut self, op: CmpOp, a: TermId, b: TermId) -> TermId {
        self.terms.cmp(op, a, b)
    }
}

#[test]
fn the_range_of_an_index_is_exact() {
    for kind in [SolverKind::Layered, SolverKind::Z3] {
        let mut w = World::new(kind);
        let x = w.terms.var(InputId(0), 32);
        let (ten, c90, four) = (w.terms.constant(32, 10), w.terms.constant(32, 90), w.terms.constant(32, 4));
        let low = w.compare(CmpOp::Ule, ten, x);
        let high = w.compare(CmpOp::Ult, x, c90);
        w.assume(low);
        w.assume(high);
        assert_eq!(w.solver.range(&mut w.terms, &w.path, &w.model, x), (10, 89));
        let address = w.terms.bin(BinOp::Mul, x, four);
        assert_eq!(w.solver.range(&mut w.terms, &w.path, &w.model, address), (40, 356));
    }
}

#[test]
fn a_range_without_questions_is_what_structure_says() {
    let mut terms = Terms::new();
    let byte = terms.var(InputId(0), 8);
    let wide = terms.conv(ConvOp::ZExt, 32, byte);
    let mut solver = Solver::new(SolverConfig { range_queries: 0, ..SolverConfig::default() });
    assert_eq!(solver.range(&mut terms, &PathCondition::new(), &Model::new(), wide), (0, 255));
    assert_eq!(solver.stats().queries, 0);
}

#[test]
fn a_readable_model_of_an_order_is_its_ranks() {
    let mut w = World::new(SolverKind::Layered);
    let x: Vec<TermId> = (0..5).map(|i| w.terms.var(InputId(i), 32)).collect();
    w.model = Model::from_values(vec![5000, 70, 4, 0xffff_ff00, 0x8000_0000]);
    for pair in x.windows(2) {
        let greater = w.compare(CmpOp::Slt, pair[1], pair[0]);
        w.path = w.path.push(greater);
    }
    let readable = w.solver.readable(&mut w.terms, &w.path, &w.model, &|_| true);
    assert_eq!(readable.values(), [4, 3, 2, 1, 0]);
}

#[test]
fn a_readable_model_respects_constants_and_arithmetic() {
    let mut w = World::new(SolverKind::Layered);
    let x: Vec<TermId> = (0..3).map(|i| w.terms.var(InputId(i), 32)).collect();
    let hundred = w.terms.constant(32, 100);
    w.model = Model::from_values(vec![123_456, 100, 400_000_000, 77]);
    let above = w.compare(CmpOp::Slt, hundred, x[0]);
    let equal = w.compare(CmpOp::Eq, x[1], hundred);
    let product = w.terms.bin(BinOp::Mul, x[2], x[2]);
    let large = w.compare(CmpOp::Ult, hundred, product);
    w.path = w.path.push(above).push(equal).push(large);
    let readable = w.solver.readable(&mut w.terms, &w.path, &w.model, &|_| true);
    let mut evaluator = Evaluator::new();
    assert!(w.path.iter().all(|t| evaluator.satisfies(&w.terms, &readable, t)));
    assert_eq!(readable.get(InputId(0)), 101);
    assert_eq!(readable.get(InputId(1)), 100);
    assert!(readable.get(InputId(2)) < 1000);
    assert_eq!(readable.get(InputId(3)), 0, "an input the path does not mention is 0");
}

#[test]
fn bytes_are_decided_without_z3() {
    let mut w = World::new(SolverKind::Layered);
    let bytes: Vec<TermId> = (0..4).map(|i| w.terms.var(InputId(i), 8)).collect();
    let wide: Vec<TermId> = bytes.iter().map(|&b| w.terms.conv(ConvOp::ZExt, 32, b)).collect();
    let (minus_a, letters) = (w.terms.constant(32, (-97i64) as u64), w.terms.constant(32, 26));
    for &b in &wide {
        let from_a = w.terms.bin(BinOp::Add, b, minus_a);
        let letter = w.compare(CmpOp::Ult, from_a, letters);
        w.assume(letter);
    }
    for pair in wide.windows(2) {
        let less = w.compare(CmpOp::Slt, pair[0], pair[1]);
        w.assume(less);
    }
    let b = w.terms.constant(32, u64::from(b'c'));
    let too_small = w.compare(CmpOp::Slt, wide[3], b);
    assert!(w.solver.check(&mut w.terms, &w.path, &w.model, too_small).is_unsat());
    let word = wide[3];
    let d = w.terms.constant(32, u64::from(b'd'));
    let smallest = w.compare(CmpOp::Eq, word, d);
    w.assume(smallest);
    assert_eq!(w.model.values(), [97, 98, 99, 100]);
    assert_eq!(w.solver.stats().smt_queries, 0);
}

#[test]
fn a_solver_forgets_when_it_meets_another_arena() {
    let mut solver = Solver::new(SolverConfig::default());
    for _ in 0..2 {
        let mut terms = Terms::new();
        let (x, y) = (terms.var(InputId(0), 16), terms.var(InputId(1), 16));
        let product = terms.bin(BinOp::Mul, x, y);
        let prime = terms.constant(16, 251);
        let question = terms.cmp(CmpOp::Eq, product, prime);
        assert!(solver.check(&mut terms, &PathCondition::new(), &Model::new(), question).is_sat());
    }
    assert_eq!(solver.stats().queries, 2);
    assert_eq!(solver.stats().rejected_models, 0);
}

/// Rounds of squaring and mixing, of which nobody knows what leads to a given end.
fn mixed(terms: &mut Terms, rounds: usize) -> TermId {
    let (x, y) = (terms.var(InputId(0), 64), terms.var(InputId(1), 64));
    let seven = terms.constant(64, 7);
    let mixed = (0..rounds).fold(x, |mixed, _| {
        let square = terms.bin(BinOp::Mul, mixed, mixed);
        let shifted = terms.bin(BinOp::LShr, mixed, seven);
        let sum = terms.bin(BinOp::Add, square, shifted);
        terms.bin(BinOp::Xor, sum, y)
    });
    let target = terms.constant(64, 0x0123_4567_89ab_cdef);
    terms.cmp(CmpOp::Eq, mixed, target)
}

#[test]
fn an_exhausted_limit_is_unknown() {
    let mut terms = Terms::new();
    let question = mixed(&mut terms, 3);
    let mut solver = Solver::new(SolverConfig::default());
    // Too little work for Z3 to get anywhere, on every machine.
    solver.limit_work(20_000);
    match solver.check(&mut terms, &PathCondition::new(), &Model::new(), question) {
        Answer::Unknown(why) => assert!(why.contains("limit of its work"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(solver.stats().unknown, 1);
}

#[test]
fn what_z3_could_not_even_be_told_within_its_limit_is_not_asked() {
    let mut terms = Terms::new();
    let question = mixed(&mut terms, 200);
    for kind in [SolverKind::Layered, SolverKind::Z3] {
        let mut solver = Solver::new(SolverConfig { kind, ..SolverConfig::default() });
        solver.limit_work(100_000_000);
        match solver.check(&mut terms, &PathCondition::new(), &Model::new(), question) {
            Answer::Unknown(why) => assert!(why.contains("more than Z3 can do"), "{why}"),
            other => panic!("{other:?}"),
        }
        assert!(solver.take_work() < 10_000_000);
    }
}
