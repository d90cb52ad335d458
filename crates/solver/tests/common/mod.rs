//! Random paths for the oracle tests: a forest of feasible paths that grows by the answers it gets.

#![allow(clippy::print_stdout, reason = "what a test says of itself, shown where it fails")]
#![allow(dead_code, reason = "every test program has its own copy and uses part of it")]

use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig, SolverKind};
use slowpath_term::{BinOp, Comparison, Condition, Evaluator, Model, Node, TermId, Terms, ops};

/// The operators of two integers.
pub const INT_BIN: [BinOp; 15] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::RotL,
    BinOp::RotR,
];

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// Small numbers, numbers next to borders, any number.
    pub fn constant(&mut self, width: u8) -> u64 {
        let border = self.pick(&[0, ops::sign_bit(width), ops::mask(width)]);
        let v = match self.below(4) {
            0 => self.below(8),
            1 => border.wrapping_add(self.below(5)).wrapping_sub(2),
            2 => 1 << self.below(u64::from(width)),
            _ => self.next() ^ self.next() << 40,
        };
        v & ops::mask(width)
    }
}

/// How many conjunctions an oracle run tries: `SLOWPATH_ORACLE`, or the default.
pub fn rounds(default: u64) -> u64 {
    std::env::var("SLOWPATH_ORACLE").ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Grows random forests until `rounds` conjunctions were decided; every answer is held to evaluation or to Z3.
pub fn run(
    rounds: u64,
    seed: u64,
    world: impl FnMut(&mut Random, &mut Terms) -> Box<dyn FnMut(&mut Random, &mut Terms) -> TermId>,
) {
    run_with(true, rounds, seed, world);
}

/// The same of the layers alone, or of all of the solver.
pub fn run_with(
    asks_z3: bool,
    rounds: u64,
    seed: u64,
    mut world: impl FnMut(&mut Random, &mut Terms) -> Box<dyn FnMut(&mut Random, &mut Terms) -> TermId>,
) {
    let mut random = Random::new(seed);
    let config = SolverConfig { z3_timeout_ms: 50, ..SolverConfig::default() };
    let mut layered = Solver::new(config.clone());
    layered.ask_z3(asks_z3);
    let mut oracle = Solver::new(SolverConfig { kind: SolverKind::Z3, z3_timeout_ms: 500, ..config });
    let mut evaluator = Evaluator::new();
    let (mut asked, mut sat, mut unsat, mut refuted_by_layers) = (0, 0, 0, 0);
    while asked < rounds {
        let mut terms = Terms::new();
        let mut condition = world(&mut random, &mut terms);
        let mut forest = vec![(PathCondition::new(), Model::new())];
        for _ in 0..150 {
            asked += 1;
            // The newest path mostly, an old one now and then: that is what searches do. Long ones take Z3 long.
            let long = forest[forest.len() - 1].0.len() > 14;
            let at = if long || random.below(4) == 0 {
                random.below(forest.len() as u64) as usize / 2
            } else {
                forest.len() - 1
            };
            let (path, model) = forest[at].clone();
            let extra = condition(&mut random, &mut terms);
            let smt_before = layered.stats().smt_queries;
            match layered.check(&mut terms, &path, &model, extra) {
                Answer::Sat(found) => {
                    sat += 1;
                    for condition in path.iter().chain([extra.into()]) {
                        let holds = evaluator.satisfies(&terms, &found, condition);
                        assert!(holds, "the model satisfies {condition:?}");
                    }
                    if random.below(16) == 0 {
                        let answer = oracle.check(&mut terms, &path, &model, extra);
                        assert!(!answer.is_unsat(), "a model exists, yet Z3 says unsat for {:?}", terms.node(extra));
                    }
                    // What a search leaves unmade has to mean the same.
                    let mut longer = path.clone();
                    longer.add(match terms.node(extra) {
                        Node::Cmp { op, a, b } if random.below(2) == 0 => {
                            Condition::Compares(Comparison { op, a, b, negated: false })
                        }
                        _ => extra.into(),
                    });
                    forest.push((longer, found));
                }
                Answer::Unsat => {
                    unsat += 1;
                    if layered.stats().smt_queries == smt_before {
                        refuted_by_layers += 1;
                        let answer = oracle.check(&mut terms, &path, &model, extra);
                        assert!(
                            !answer.is_sat(),
                            "layers refute what Z3 satisfies: {}",
                            describe(&mut terms, &path, extra)
                        );
                    }
                }
                Answer::Unknown(_) => {}
            }
        }
    }
    let stats = layered.stats();
    println!(
        "{asked} conjunctions: {sat} sat, {unsat} unsat ({refuted_by_layers} by layers), {} by Z3",
        stats.smt_queries
    );
    for layer in &stats.layers {
        println!("{layer:?}");
    }
    assert_eq!(stats.rejected_models, 0, "no layer offers a wrong model");
    assert!(refuted_by_layers > 0 && sat > 0);
}

fn describe(terms: &mut Terms, path: &PathCondition, extra: TermId) -> String {
    let conditions: Vec<TermId> = path.iter().chain([extra.into()]).map(|c| terms.condition(c)).collect();
    conditions.into_iter().map(|t| show(terms, t)).collect::<Vec<_>>().join("\n  ")
}

pub fn show(terms: &Terms, t: TermId) -> String {
    let children: Vec<String> = terms.node(t).children().map(|child| show(terms, child)).collect();
    match terms.node(t) {
        slowpath_term::Node::Const { width, bits } => format!("{bits}:{width}"),
        slowpath_term::Node::Var { input, width } => format!("{input:?}:{width}"),
        slowpath_term::Node::Cmp { op, .. } => format!("{op:?}({})", children.join(", ")),
        slowpath_term::Node::Bin { op, .. } => format!("{op:?}({})", children.join(", ")),
        slowpath_term::Node::Un { op, .. } => format!("{op:?}({})", children.join(", ")),
        slowpath_term::Node::Conv { op, width, .. } => format!("{op:?}{width}({})", children.join(", ")),
        slowpath_term::Node::Extract { width, lo, .. } => format!("Extract[{lo}+{width}]({})", children.join(", ")),
        slowpath_term::Node::Concat { .. } => format!("Concat({})", children.join(", ")),
        slowpath_term::Node::Ite { .. } => format!("Ite({})", children.join(", ")),
    }
}
