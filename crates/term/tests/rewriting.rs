//! Every rewrite rule, held to plain evaluation: random trees are evaluated as they stand and built through the arena, on
//! all values of small inputs. A wrong rule shows up as one differing value.

use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, TermId, Terms, UnOp, ops};

/// A term as written, before any rewriting.
#[derive(Clone, Debug)]
enum Raw {
    Const(u8, u64),
    Var(u32, u8),
    Un(UnOp, Box<Raw>),
    Bin(BinOp, Box<Raw>, Box<Raw>),
    Cmp(CmpOp, Box<Raw>, Box<Raw>),
    Conv(ConvOp, u8, Box<Raw>),
    Extract(u8, u8, Box<Raw>),
    Concat(Box<Raw>, Box<Raw>),
    Ite(Box<Raw>, Box<Raw>, Box<Raw>),
}

impl Raw {
    fn width(&self) -> u8 {
        match self {
            Raw::Const(w, _) | Raw::Var(_, w) | Raw::Conv(_, w, _) | Raw::Extract(_, w, _) => *w,
            Raw::Un(_, a) | Raw::Bin(_, a, _) | Raw::Ite(_, a, _) => a.width(),
            Raw::Cmp(..) => 1,
            Raw::Concat(a, b) => a.width() + b.width(),
        }
    }

    fn eval(&self, model: &[u64]) -> u64 {
        match self {
            Raw::Const(_, v) => *v,
            Raw::Var(i, _) => model[*i as usize],
            Raw::Un(op, a) => ops::un(*op, a.width(), a.eval(model)),
            Raw::Bin(op, a, b) => ops::bin(*op, a.width(), a.eval(model), b.eval(model)),
            Raw::Cmp(op, a, b) => u64::from(ops::cmp(*op, a.width(), a.eval(model), b.eval(model))),
            Raw::Conv(op, w, a) => ops::conv(*op, a.width(), *w, a.eval(model)),
            Raw::Extract(lo, w, a) => a.eval(model) >> lo & ops::mask(*w),
            Raw::Concat(a, b) => a.eval(model) << b.width() | b.eval(model),
            Raw::Ite(c, a, b) => {
                if c.eval(model) == 1 {
                    a.eval(model)
                } else {
                    b.eval(model)
                }
            }
        }
    }

    fn build(&self, terms: &mut Terms) -> TermId {
        match self {
            Raw::Const(w, v) => terms.constant(*w, *v),
            Raw::Var(i, w) => terms.var(InputId(*i), *w),
            Raw::Un(op, a) => {
                let a = a.build(terms);
                terms.un(*op, a)
            }
            Raw::Bin(op, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.bin(*op, a, b)
            }
            Raw::Cmp(op, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.cmp(*op, a, b)
            }
            Raw::Conv(op, w, a) => {
                let a = a.build(terms);
                terms.conv(*op, *w, a)
            }
            Raw::Extract(lo, w, a) => {
                let a = a.build(terms);
                terms.extract(a, *lo, *w)
            }
            Raw::Concat(a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.concat(a, b)
            }
            Raw::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b, 7)
            }
        }
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn constant(&mut self, width: u8) -> Raw {
        let all = ops::mask(width);
        let value = match self.below(4) {
            0 => self.pick(&[0, 1, all, all >> 1, (all >> 1) + 1, all - 1]),
            _ => self.next(),
        };
        Raw::Const(width, value & all)
    }

    fn bool(&mut self, vars: &[u8; 2], depth: u32) -> Raw {
        self.tree(vars, 1, depth)
    }

    fn tree(&mut self, vars: &[u8; 2], width: u8, depth: u32) -> Raw {
        let fitting: Vec<u32> = (0..2).filter(|&i| vars[i as usize] == width).collect();
        if depth == 0 || self.below(12) == 0 {
            return if fitting.is_empty() || self.below(3) == 0 {
                self.constant(width)
            } else {
                Raw::Var(self.pick(&fitting), width)
            };
        }
        let deeper = depth - 1;
        match self.below(if width == 1 { 16 } else { 13 }) {
            0..=4 => {
                let op = self.pick(&INT_BIN);
                let a = self.tree(vars, width, deeper);
                // A constant operand is where most rules are.
                let b = if self.below(2) == 0 { self.constant(width) } else { self.tree(vars, width, deeper) };
                if self.below(4) == 0 { Raw::Bin(op, b.into(), a.into()) } else { Raw::Bin(op, a.into(), b.into()) }
            }
            5 => Raw::Un(
                self.pick(&[UnOp::Not, UnOp::Not, UnOp::Clz, UnOp::Ctz, UnOp::Popcnt]),
                self.tree(vars, width, deeper).into(),
            ),
            6 | 7 if width > 1 => {
                let from = 1 + self.below(u64::from(width) - 1) as u8;
                Raw::Conv(self.pick(&[ConvOp::ZExt, ConvOp::SExt]), width, self.tree(vars, from, deeper).into())
            }
            8 if width < 8 => {
                let from = width + 1 + self.below(4) as u8;
                let lo = self.below(u64::from(from - width) + 1) as u8;
                Raw::Extract(lo, width, self.tree(vars, from, deeper).into())
            }
            9 if width > 1 => {
                let low = 1 + self.below(u64::from(width) - 1) as u8;
                Raw::Concat(self.tree(vars, width - low, deeper).into(), self.tree(vars, low, deeper).into())
            }
            10 | 11 => {
                let cond = self.bool(vars, deeper);
                let side =
                    |r: &mut Random| if r.below(2) == 0 { r.constant(width) } else { r.tree(vars, width, deeper) };
                Raw::Ite(cond.into(), side(self).into(), side(self).into())
            }
            12.. if width == 1 => {
                let of = 1 + self.below(6) as u8;
                let (mut a, mut b) = (self.tree(vars, of, deeper), self.tree(vars, of, deeper));
                if self.below(2) == 0 {
                    b = self.constant(of);
                }
                if self.below(2) == 0 {
                    (a, b) = (b, a);
                }
                Raw::Cmp(self.pick(&[CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle]), a.into(), b.into())
            }
            _ => self.tree(vars, width, deeper),
        }
    }
}

const INT_BIN: [BinOp; 15] = [
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

/// Compares the tree with its term on all values of both inputs; facts about the term must hold for each.
fn check(raw: &Raw, widths: [u8; 2]) {
    let mut terms = Terms::new();
    let t = raw.build(&mut terms);
    assert_eq!(terms.width(t), raw.width(), "{raw:?}");
    let mut evaluator = Evaluator::new();
    let choice = terms.first_ite(t);
    assert_eq!(choice.is_some(), terms.has_ite(t));
    let sides = choice.map(|(cond, _)| (cond, terms.substitute(t, cond, true), terms.substitute(t, cond, false)));
    let (lo, hi) = terms.bounds(t);
    let (slo, shi) = terms.signed_bounds(t);
    let (known, low) = terms.known_low_bits(t);
    for x in 0..1u64 << widths[0] {
        for y in 0..1u64 << widths[1] {
            let model = Model::from_values(vec![x, y]);
            let (want, got) = (raw.eval(&[x, y]), evaluator.eval(&terms, &model, t));
            assert_eq!(got, want, "x={x} y={y}\n{raw:?}\n{:?}", terms.node(t));
            assert!(lo <= want && want <= hi, "bounds {lo}..={hi} of {raw:?} at x={x} y={y}");
            let signed = ops::sext(raw.width(), want);
            assert!(slo <= signed && signed <= shi, "signed bounds {slo}..={shi} of {raw:?} at x={x} y={y}");
            assert_eq!(want & ((1u128 << known) - 1) as u64, low, "low bits of {raw:?}");
            if let Some((cond, then, els)) = sides {
                let side = if evaluator.holds(&terms, &model, cond) { then } else { els };
                assert_eq!(evaluator.eval(&terms, &model, side), want, "substitute in {raw:?}");
            }
        }
    }
}

#[test]
fn random_trees_keep_their_value_on_all_inputs() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let rounds = if cfg!(debug_assertions) { 30_000 } else { 200_000 };
    for round in 0..rounds {
        let widths = [1 + random.below(4) as u8, 1 + random.below(4) as u8];
        let width = if round % 2 == 0 { 1 } else { 1 + random.below(8) as u8 };
        let depth = 2 + random.below(4) as u32;
        let raw = random.tree(&widths, width, depth);
        check(&raw, widths);
    }
}

/// Shapes with a rule of their own, which random trees seldom reach: every constant at width 4, both inputs of width 4 or 2.
#[test]
fn every_shape_with_a_rule_keeps_its_value_for_every_constant() {
    let x = || Box::new(Raw::Var(0, 4));
    let y = || Box::new(Raw::Var(1, 2));
    let wide = |op| Box::new(Raw::Conv(op, 4, y()));
    let orders = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];
    for c in 0..16 {
        let c = || Box::new(Raw::Const(4, c));
        for d in 0..16 {
            let d = || Box::new(Raw::Const(4, d));
            for op in INT_BIN {
                for inner in INT_BIN {
                    check(&Raw::Bin(op, Box::new(Raw::Bin(inner, x(), c())), d()), [4, 2]);
                    check(&Raw::Bin(op, d(), Box::new(Raw::Bin(inner, x(), c()))), [4, 2]);
                }
                for cmp in orders {
                    check(&Raw::Cmp(cmp, Box::new(Raw::Bin(op, x(), c())), d()), [4, 2]);
                    check(&Raw::Cmp(cmp, d(), Box::new(Raw::Bin(op, wide(ConvOp::SExt), c()))), [4, 2]);
                    check(&Raw::Cmp(cmp, Box::new(Raw::Bin(op, wide(ConvOp::ZExt), c())), d()), [4, 2]);
                }
            }
        }
        for cmp in orders {
            for ext in [ConvOp::ZExt, ConvOp::SExt] {
                let other = if ext == ConvOp::ZExt { ConvOp::SExt } else { ConvOp::ZExt };
                let narrow = || Box::new(Raw::Conv(other, 4, Box::new(Raw::Extract(1, 3, x()))));
                let difference = |op| {
                    Box::new(Raw::Bin(
                        BinOp::Sub,
                        wide(op),
                        Box::new(Raw::Conv(op, 4, Box::new(Raw::Extract(0, 2, x())))),
                    ))
                };
                for raw in [
                    Raw::Cmp(cmp, wide(ext), c()),
                    Raw::Cmp(cmp, c(), wide(ext)),
                    Raw::Cmp(cmp, wide(ext), narrow()),
                    Raw::Cmp(cmp, narrow(), wide(ext)),
                    Raw::Cmp(cmp, difference(ext), c()),
                    Raw::Cmp(cmp, c(), difference(ext)),
                    Raw::Un(UnOp::Not, Box::new(Raw::Cmp(cmp, wide(ext), c()))),
                    Raw::Cmp(cmp, Box::new(Raw::Concat(y(), Box::new(Raw::Extract(2, 2, x())))), c()),
                ] {
                    check(&raw, [4, 2]);
                }
            }
        }
    }
}

#[test]
fn float_trees_keep_their_value() {
    let specials: Vec<u64> = [0.0f32, -0.0, 1.0, -1.5, 2.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 3e9, 1e-45]
        .iter()
        .map(|v| u64::from(v.to_bits()))
        .chain([0xffff_ffff, 0x7f80_0001])
        .collect();
    let bins = [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv, BinOp::FMin, BinOp::FMax];
    let cmps = [CmpOp::FEq, CmpOp::FLt, CmpOp::FLe];
    let x = || Box::new(Raw::Var(0, 32));
    let y = || Box::new(Raw::Var(1, 32));
    let mut trees = Vec::new();
    for op in bins {
        trees.push(Raw::Bin(op, x(), y()));
        trees.push(Raw::Bin(op, y(), x()));
        trees.push(Raw::Bin(op, x(), x()));
        trees.push(Raw::Bin(op, Box::new(Raw::Const(32, 0)), x()));
    }
    for op in cmps {
        trees.push(Raw::Cmp(op, x(), y()));
        trees.push(Raw::Cmp(op, y(), x()));
        trees.push(Raw::Cmp(op, x(), x()));
        trees.push(Raw::Un(UnOp::Not, Box::new(Raw::Cmp(op, x(), y()))));
        trees.push(Raw::Bin(BinOp::And, Box::new(Raw::Cmp(op, x(), y())), Box::new(Raw::Cmp(op, y(), x()))));
    }
    for op in [UnOp::FSqrt, UnOp::FCeil, UnOp::FFloor, UnOp::FTrunc, UnOp::FNearest] {
        trees.push(Raw::Un(op, x()));
    }
    for (op, width) in
        [(ConvOp::FPromote, 64), (ConvOp::FToS, 32), (ConvOp::FToU, 64), (ConvOp::FFromS, 64), (ConvOp::FFromU, 32)]
    {
        trees.push(Raw::Conv(op, width, x()));
    }
    trees.push(Raw::Conv(ConvOp::FDemote, 32, Box::new(Raw::Conv(ConvOp::FPromote, 64, x()))));
    let mut evaluator = Evaluator::new();
    let mut terms = Terms::new();
    for raw in &trees {
        let t = raw.build(&mut terms);
        for &a in &specials {
            for &b in &specials {
                let model = Model::from_values(vec![a, b]);
                assert_eq!(evaluator.eval(&terms, &model, t), raw.eval(&[a, b]), "{raw:?} at {a:#x} {b:#x}");
            }
        }
    }
}
