//! Vector instructions, lane by lane on numbers or terms.
//!
//! A vector is two values of 64 bits. Terms come apart into lanes by `extract` and together by `concat`, whose rules give back
//! what was put in; so a byte of memory that went through a vector is still that byte.

use slowpath_program::vector::{Bitwise, LaneBinary, LaneCompare, LaneConversion, LaneShift, LaneUnary, VectorOp};
use slowpath_term::{BinOp, CmpOp, ConvOp, Node, TermId, Terms, UnOp, ops};
use smallvec::SmallVec;

use crate::mode::{Mode, Truth};

type Lanes<M> = SmallVec<[<M as Mode>::Value; 16]>;

/// Executes a vector instruction: `regs` begins with its operands, and its results are put there. `site` is where it is.
pub(crate) fn execute<M: Mode>(terms: &mut Terms, op: VectorOp, regs: &mut [M::Value], site: u32) {
    let mut at = Lane::<M> { terms, regs };
    match op {
        VectorOp::AnyTrue => at.any_true(),
        VectorOp::AllTrue(width) => at.all_true(width),
        VectorOp::Bitmask(width) => at.bitmask(width),
        VectorOp::Extract { width, index, signed } => at.extract(width, index, signed),
        VectorOp::Bits(op) => at.bitwise(op),
        VectorOp::Not => at.not(),
        VectorOp::Bitselect => at.bitselect(),
        VectorOp::Splat(width) => at.splat(width),
        VectorOp::Replace { width, index } => at.replace(width, index),
        VectorOp::Binary(op, width) => at.each2(width, |at, x, y| at.binary(op, width, x, y)),
        VectorOp::Unary(op, width) => at.each(width, |at, x| at.unary(op, width, x)),
        VectorOp::Compare(op, width) => at.each2(width, |at, x, y| at.compare(op, width, x, y, site)),
        VectorOp::Shift(op, width) => at.shift(op, width),
        VectorOp::Narrow { from, signed } => at.narrow(from, signed),
        VectorOp::Extend { from, signed, high } => at.extend(from, signed, high),
        VectorOp::ExtMul { from, signed, high } => at.ext_mul(from, signed, high),
        VectorOp::ExtAddPairwise { from, signed } => at.ext_add_pairwise(from, signed),
        VectorOp::Dot => at.dot(),
        VectorOp::Convert(conversion) => at.convert(conversion),
        VectorOp::Shuffle => at.shuffle(),
        VectorOp::Swizzle => at.swizzle(),
    }
}

struct Lane<'a, M: Mode> {
    terms: &'a mut Terms,
    regs: &'a mut [M::Value],
}

fn extension(signed: bool) -> ConvOp {
    if signed { ConvOp::SExt } else { ConvOp::ZExt }
}

/// A number of a width as one of 64 bits, to be cut to any width.
fn signed(value: i64, width: u8) -> u64 {
    value as u64 & ops::mask(width)
}

impl<M: Mode> Lane<'_, M> {
    // --- taking apart and putting together ---

    /// `width` bits of a value of 64, from bit `low` on.
    fn part(&mut self, half: M::Value, low: u8, width: u8) -> M::Value {
        if let Some(bits) = M::bits(half) {
            return M::value(bits >> low & ops::mask(width));
        }
        let half = M::to_term(self.terms, 64, half);
        let part = self.terms.extract(half, low, width);
        M::from_term(self.terms, part)
    }

    /// The lanes of the vector at `at`.
    fn lanes(&mut self, at: usize, width: u8) -> Lanes<M> {
        let halves = [self.regs[at], self.regs[at + 1]];
        halves
            .into_iter()
            .flat_map(|half| (0..64 / width).map(move |i| (half, i * width)))
            .map(|(half, low)| self.part(half, low, width))
            .collect()
    }

    /// The lanes of one half of the vector at `at`.
    fn half_lanes(&mut self, at: usize, high: bool, width: u8) -> Lanes<M> {
        let half = self.regs[at + usize::from(high)];
        (0..64 / width).map(|i| self.part(half, i * width, width)).collect()
    }

    /// The value of 64 bits that has these lanes, the first one lowest.
    fn join(&mut self, lanes: &[M::Value], width: u8) -> M::Value {
        if let Some(bits) = (0u8..).zip(lanes).try_fold(0, |all, (i, lane)| Some(all | M::bits(*lane)? << (i * width)))
        {
            return M::value(bits);
        }
        let mut parts = lanes
            .iter()
            .map(|lane| M::to_term(self.terms, width, *lane))
            .collect::<SmallVec<[TermId; 16]>>()
            .into_iter();
        let Some(mut whole) = parts.next() else { return M::value(0) };
        for part in parts {
            whole = self.terms.concat(part, whole);
        }
        M::from_term(self.terms, whole)
    }

    /// Makes these lanes the result.
    fn set(&mut self, lanes: &[M::Value], width: u8) {
        let (low, high) = lanes.split_at(lanes.len() / 2);
        let (low, high) = (self.join(low, width), self.join(high, width));
        (self.regs[0], self.regs[1]) = (low, high);
    }

    fn each(&mut self, width: u8, mut f: impl FnMut(&mut Self, M::Value) -> M::Value) {
        let lanes = self.lanes(0, width);
        let lanes: Lanes<M> = lanes.into_iter().map(|x| f(self, x)).collect();
        self.set(&lanes, width);
    }

    fn each2(&mut self, width: u8, mut f: impl FnMut(&mut Self, M::Value, M::Value) -> M::Value) {
        let (a, b) = (self.lanes(0, width), self.lanes(2, width));
        let lanes: Lanes<M> = a.into_iter().zip(b).map(|(x, y)| f(self, x, y)).collect();
        self.set(&lanes, width);
    }

    // --- one lane ---

    fn bin(&mut self, op: BinOp, width: u8, a: M::Value, b: M::Value) -> M::Value {
        M::bin(self.terms, op, width, a, b)
    }

    fn conv(&mut self, op: ConvOp, from: u8, to: u8, a: M::Value) -> M::Value {
        M::conv(self.terms, op, from, to, a)
    }

    fn cmp(&mut self, op: CmpOp, width: u8, a: M::Value, b: M::Value) -> Truth {
        M::cmp(self.terms, op, false, width, a, b)
    }

    /// `a` or `b`; a choice that addresses are split by if it has a site (plus one).
    fn choose(&mut self, truth: Truth, width: u8, a: M::Value, b: M::Value, site: u32) -> M::Value {
        match truth {
            Truth::Known(known) => {
                if known {
                    a
                } else {
                    b
                }
            }
            Truth::Open(cond) => {
                let (a, b) = (M::to_term(self.terms, width, a), M::to_term(self.terms, width, b));
                let choice = self.terms.ite(cond, a, b, site);
                M::from_term(self.terms, choice)
            }
        }
    }

    fn choose_if(&mut self, op: CmpOp, width: u8, (x, y): (M::Value, M::Value), a: M::Value, b: M::Value) -> M::Value {
        let truth = self.cmp(op, width, x, y);
        self.choose(truth, width, a, b, 0)
    }

    fn binary(&mut self, op: LaneBinary, width: u8, a: M::Value, b: M::Value) -> M::Value {
        match op {
            LaneBinary::Add => self.bin(BinOp::Add, width, a, b),
            LaneBinary::Sub => self.bin(BinOp::Sub, width, a, b),
            LaneBinary::Mul => self.bin(BinOp::Mul, width, a, b),
            LaneBinary::FAdd => self.bin(BinOp::FAdd, width, a, b),
            LaneBinary::FSub => self.bin(BinOp::FSub, width, a, b),
            LaneBinary::FMul => self.bin(BinOp::FMul, width, a, b),
            LaneBinary::FDiv => self.bin(BinOp::FDiv, width, a, b),
            LaneBinary::FMin => self.bin(BinOp::FMin, width, a, b),
            LaneBinary::FMax => self.bin(BinOp::FMax, width, a, b),
            LaneBinary::MinS => self.choose_if(CmpOp::Slt, width, (a, b), a, b),
            LaneBinary::MinU => self.choose_if(CmpOp::Ult, width, (a, b), a, b),
            LaneBinary::MaxS => self.choose_if(CmpOp::Slt, width, (a, b), b, a),
            LaneBinary::MaxU => self.choose_if(CmpOp::Ult, width, (a, b), b, a),
            LaneBinary::PMin => self.choose_if(CmpOp::FLt, width, (b, a), b, a),
            LaneBinary::PMax => self.choose_if(CmpOp::FLt, width, (a, b), b, a),
            LaneBinary::AddSatU => {
                let sum = self.bin(BinOp::Add, width, a, b);
                self.choose_if(CmpOp::Ult, width, (sum, a), M::value(ops::mask(width)), sum)
            }
            LaneBinary::SubSatU => {
                let difference = self.bin(BinOp::Sub, width, a, b);
                self.choose_if(CmpOp::Ult, width, (a, b), M::value(0), difference)
            }
            LaneBinary::AddSatS | LaneBinary::SubSatS => {
                let wide = 2 * width;
                let (a, b) = (self.conv(ConvOp::SExt, width, wide, a), self.conv(ConvOp::SExt, width, wide, b));
                let op = if op == LaneBinary::AddSatS { BinOp::Add } else { BinOp::Sub };
                let exact = self.bin(op, wide, a, b);
                self.saturate(wide, true, exact)
            }
            LaneBinary::AvgrU => {
                let wide = 2 * width;
                let (a, b) = (self.conv(ConvOp::ZExt, width, wide, a), self.conv(ConvOp::ZExt, width, wide, b));
                let sum = self.bin(BinOp::Add, wide, a, b);
                let sum = self.bin(BinOp::Add, wide, sum, M::value(1));
                let half = self.bin(BinOp::LShr, wide, sum, M::value(1));
                self.conv(ConvOp::Trunc, wide, width, half)
            }
            LaneBinary::Q15MulrSatS => {
                let (a, b) = (self.conv(ConvOp::SExt, 16, 32, a), self.conv(ConvOp::SExt, 16, 32, b));
                let product = self.bin(BinOp::Mul, 32, a, b);
                let rounded = self.bin(BinOp::Add, 32, product, M::value(0x4000));
                let scaled = self.bin(BinOp::AShr, 32, rounded, M::value(15));
                self.saturate(32, true, scaled)
            }
        }
    }

    /// A signed number of `from` bits as the nearest one of half the width, signed or not.
    fn saturate(&mut self, from: u8, is_signed: bool, a: M::Value) -> M::Value {
        let width = from / 2;
        let (low, high) =
            if is_signed { (-1i64 << (width - 1), (1i64 << (width - 1)) - 1) } else { (0, (1i64 << width) - 1) };
        let (low, high) = (M::value(signed(low, from)), M::value(signed(high, from)));
        let a = self.choose_if(CmpOp::Slt, from, (a, low), low, a);
        let a = self.choose_if(CmpOp::Slt, from, (high, a), high, a);
        self.conv(ConvOp::Trunc, from, width, a)
    }

    fn unary(&mut self, op: LaneUnary, width: u8, a: M::Value) -> M::Value {
        let sign = 1u64 << (width - 1);
        match op {
            LaneUnary::Abs => {
                let negative = self.bin(BinOp::Sub, width, M::value(0), a);
                self.choose_if(CmpOp::Slt, width, (a, M::value(0)), negative, a)
            }
            LaneUnary::Neg => self.bin(BinOp::Sub, width, M::value(0), a),
            LaneUnary::FAbs => self.bin(BinOp::And, width, a, M::value(sign - 1)),
            LaneUnary::FNeg => self.bin(BinOp::Xor, width, a, M::value(sign)),
            LaneUnary::Popcnt => M::un(self.terms, UnOp::Popcnt, width, a),
            LaneUnary::FSqrt => M::un(self.terms, UnOp::FSqrt, width, a),
            LaneUnary::FCeil => M::un(self.terms, UnOp::FCeil, width, a),
            LaneUnary::FFloor => M::un(self.terms, UnOp::FFloor, width, a),
            LaneUnary::FTrunc => M::un(self.terms, UnOp::FTrunc, width, a),
            LaneUnary::FNearest => M::un(self.terms, UnOp::FNearest, width, a),
        }
    }

    /// All ones or all zeros.
    fn compare(&mut self, op: LaneCompare, width: u8, a: M::Value, b: M::Value, site: u32) -> M::Value {
        let (op, negated, a, b) = match op {
            LaneCompare::Eq => (CmpOp::Eq, false, a, b),
            LaneCompare::Ne => (CmpOp::Eq, true, a, b),
            LaneCompare::LtS => (CmpOp::Slt, false, a, b),
            LaneCompare::LtU => (CmpOp::Ult, false, a, b),
            LaneCompare::GtS => (CmpOp::Slt, false, b, a),
            LaneCompare::GtU => (CmpOp::Ult, false, b, a),
            LaneCompare::LeS => (CmpOp::Sle, false, a, b),
            LaneCompare::LeU => (CmpOp::Ule, false, a, b),
            LaneCompare::GeS => (CmpOp::Sle, false, b, a),
            LaneCompare::GeU => (CmpOp::Ule, false, b, a),
            LaneCompare::FEq => (CmpOp::FEq, false, a, b),
            LaneCompare::FNe => (CmpOp::FEq, true, a, b),
            LaneCompare::FLt => (CmpOp::FLt, false, a, b),
            LaneCompare::FGt => (CmpOp::FLt, false, b, a),
            LaneCompare::FLe => (CmpOp::FLe, false, a, b),
            LaneCompare::FGe => (CmpOp::FLe, false, b, a),
        };
        let truth = M::cmp(self.terms, op, negated, width, a, b);
        self.choose(truth, width, M::value(ops::mask(width)), M::value(0), site + 1)
    }

    // --- whole vectors ---

    fn splat(&mut self, width: u8) {
        let value = self.regs[0];
        let lane = if width >= 32 { value } else { self.conv(ConvOp::Trunc, 32, width, value) };
        // A comparison that is used as a number becomes one here.
        let lane = if M::bits(lane).is_none() {
            let term = M::to_term(self.terms, width, lane);
            M::from_term(self.terms, term)
        } else {
            lane
        };
        let lanes: Lanes<M> = std::iter::repeat_n(lane, 128 / usize::from(width)).collect();
        self.set(&lanes, width);
    }

    fn extract(&mut self, width: u8, index: u8, signed: bool) {
        let per_half = 64 / width;
        let half = self.regs[usize::from(index / per_half)];
        let lane = self.part(half, index % per_half * width, width);
        self.regs[0] = if width < 32 { self.conv(extension(signed), width, 32, lane) } else { lane };
    }

    fn replace(&mut self, width: u8, index: u8) {
        let value = self.regs[2];
        let mut lanes = self.lanes(0, width);
        lanes[usize::from(index)] = match (width, M::bits(value)) {
            (_, Some(bits)) => M::value(bits & ops::mask(width)),
            (64, None) => value,
            _ => {
                let term = M::to_term(self.terms, 32, value);
                let term = self.terms.extract(term, 0, width);
                M::from_term(self.terms, term)
            }
        };
        self.set(&lanes, width);
    }

    fn shift(&mut self, op: LaneShift, width: u8) {
        let amount = self.regs[2];
        let amount = match width {
            32 => amount,
            64 => self.conv(ConvOp::ZExt, 32, 64, amount),
            _ => self.conv(ConvOp::Trunc, 32, width, amount),
        };
        let op = match op {
            LaneShift::Left => BinOp::Shl,
            LaneShift::RightS => BinOp::AShr,
            LaneShift::RightU => BinOp::LShr,
        };
        self.each(width, |at, x| at.bin(op, width, x, amount));
    }

    fn narrow(&mut self, from: u8, signed: bool) {
        let mut lanes = self.lanes(0, from);
        lanes.extend(self.lanes(2, from));
        let lanes: Lanes<M> = lanes.into_iter().map(|x| self.saturate(from, signed, x)).collect();
        self.set(&lanes, from / 2);
    }

    fn extended(&mut self, at: usize, from: u8, signed: bool, high: bool) -> Lanes<M> {
        let lanes = self.half_lanes(at, high, from);
        lanes.into_iter().map(|x| self.conv(extension(signed), from, 2 * from, x)).collect()
    }

    fn extend(&mut self, from: u8, signed: bool, high: bool) {
        let lanes = self.extended(0, from, signed, high);
        self.set(&lanes, 2 * from);
    }

    fn ext_mul(&mut self, from: u8, signed: bool, high: bool) {
        let (a, b) = (self.extended(0, from, signed, high), self.extended(2, from, signed, high));
        let lanes: Lanes<M> = a.into_iter().zip(b).map(|(x, y)| self.bin(BinOp::Mul, 2 * from, x, y)).collect();
        self.set(&lanes, 2 * from);
    }

    /// The sums of neighbours.
    fn pairwise(&mut self, lanes: &[M::Value], width: u8) {
        let lanes: Lanes<M> = lanes.chunks_exact(2).map(|pair| self.bin(BinOp::Add, width, pair[0], pair[1])).collect();
        self.set(&lanes, width);
    }

    fn ext_add_pairwise(&mut self, from: u8, signed: bool) {
        let mut lanes = self.extended(0, from, signed, false);
        lanes.extend(self.extended(0, from, signed, true));
        self.pairwise(&lanes, 2 * from);
    }

    fn dot(&mut self) {
        let (a, b) = (self.lanes(0, 16), self.lanes(2, 16));
        let mut wide = |x| self.conv(ConvOp::SExt, 16, 32, x);
        let pairs: SmallVec<[_; 8]> = a.into_iter().zip(b).map(|(x, y)| (wide(x), wide(y))).collect();
        let products: Lanes<M> = pairs.into_iter().map(|(x, y)| self.bin(BinOp::Mul, 32, x, y)).collect();
        self.pairwise(&products, 32);
    }

    fn convert(&mut self, conversion: LaneConversion) {
        let (op, from, to, lanes) = match conversion {
            LaneConversion::TruncSatF32 { signed } => (truncation(signed), 32, 32, self.lanes(0, 32)),
            LaneConversion::F32FromI32 { signed } => (from_integer(signed), 32, 32, self.lanes(0, 32)),
            LaneConversion::TruncSatF64 { signed } => (truncation(signed), 64, 32, self.lanes(0, 64)),
            LaneConversion::Demote => (ConvOp::FDemote, 64, 32, self.lanes(0, 64)),
            LaneConversion::F64FromLowI32 { signed } => (from_integer(signed), 32, 64, self.half_lanes(0, false, 32)),
            LaneConversion::Promote => (ConvOp::FPromote, 32, 64, self.half_lanes(0, false, 32)),
        };
        let mut lanes: Lanes<M> = lanes.into_iter().map(|x| self.conv(op, from, to, x)).collect();
        lanes.resize(128 / usize::from(to), M::value(0));
        self.set(&lanes, to);
    }

    // --- bits ---

    fn bitwise(&mut self, op: Bitwise) {
        for half in 0..2 {
            let (a, b) = (self.regs[half], self.regs[half + 2]);
            self.regs[half] = self.bitwise_half(op, a, b);
        }
    }

    fn bitwise_half(&mut self, op: Bitwise, a: M::Value, b: M::Value) -> M::Value {
        let pieces = self.pieces(&[a, b]);
        self.by_piece(&pieces, |at, low, width| {
            let (a, mut b) = (at.part(a, low, width), at.part(b, low, width));
            let op = match op {
                Bitwise::And => BinOp::And,
                Bitwise::Or => BinOp::Or,
                Bitwise::Xor => BinOp::Xor,
                Bitwise::AndNot => {
                    b = at.bin(BinOp::Xor, width, b, M::value(ops::mask(width)));
                    BinOp::And
                }
            };
            at.bin(op, width, a, b)
        })
    }

    fn not(&mut self) {
        for half in 0..2 {
            let a = self.regs[half];
            self.regs[half] = self.bitwise_half(Bitwise::Xor, a, M::value(u64::MAX));
        }
    }

    fn bitselect(&mut self) {
        for half in 0..2 {
            let (a, b, mask) = (self.regs[half], self.regs[half + 2], self.regs[half + 4]);
            let chosen = self.bitwise_half(Bitwise::And, a, mask);
            let other = self.bitwise_half(Bitwise::AndNot, b, mask);
            self.regs[half] = self.bitwise_half(Bitwise::Or, chosen, other);
        }
    }

    /// Where values of 64 bits are to be cut, at whole bytes, so that no piece of any is made of several: first bits,
    /// ascending, and 64. Each is done alone, and lanes stay lanes whatever is done with all bits.
    fn pieces(&mut self, values: &[M::Value]) -> SmallVec<[u8; 9]> {
        let mut cuts = 1u64;
        for value in values {
            if M::bits(*value).is_none() {
                let term = M::to_term(self.terms, 64, *value);
                self.cut(term, 0, &mut cuts);
            }
        }
        (0..64).step_by(8).filter(|bit| cuts >> bit & 1 == 1).chain([64]).collect()
    }

    fn cut(&self, term: TermId, low: u8, cuts: &mut u64) {
        match self.terms.node(term) {
            Node::Concat { a, b } => {
                let middle = low + self.terms.width(b);
                *cuts |= 1 << middle;
                self.cut(b, low, cuts);
                self.cut(a, middle, cuts);
            }
            Node::Conv { op: ConvOp::ZExt, a, .. } => {
                *cuts |= 1 << (low + self.terms.width(a));
                self.cut(a, low, cuts);
            }
            _ => {}
        }
    }

    fn by_piece(&mut self, pieces: &[u8], mut f: impl FnMut(&mut Self, u8, u8) -> M::Value) -> M::Value {
        let mut whole: Option<(M::Value, u8)> = None;
        for piece in pieces.windows(2) {
            let (low, width) = (piece[0], piece[1] - piece[0]);
            let part = f(self, low, width);
            whole = Some(match whole {
                None => (part, width),
                Some((below, size)) => (self.append(part, width, below, size), size + width),
            });
        }
        whole.map_or(M::value(0), |(value, _)| value)
    }

    fn append(&mut self, high: M::Value, width: u8, low: M::Value, size: u8) -> M::Value {
        if let (Some(high), Some(low)) = (M::bits(high), M::bits(low)) {
            return M::value(high << size | low);
        }
        let (high, low) = (self.term_of(width, high), self.term_of(size, low));
        let whole = self.terms.concat(high, low);
        M::from_term(self.terms, whole)
    }

    /// A part of a vector as a term; one of a single bit is no number that a comparison became.
    fn term_of(&mut self, width: u8, value: M::Value) -> TermId {
        match M::term(self.terms, value) {
            Some(term) if self.terms.width(term) == width => term,
            _ => M::to_term(self.terms, width, value),
        }
    }

    // --- to plain values ---

    /// A flag, of the condition that all of these hold, or that any of them does.
    fn flag(&mut self, conditions: &mut Vec<TermId>, all: bool) -> M::Value {
        conditions.sort_unstable();
        conditions.dedup();
        let whole = if all { self.terms.and_all(conditions) } else { self.terms.or_all(conditions) };
        M::from_term(self.terms, whole)
    }

    fn any_true(&mut self) {
        let mut conditions = Vec::new();
        for half in 0..2 {
            let value = self.regs[half];
            let pieces = self.pieces(&[value]);
            for piece in pieces.windows(2) {
                let part = self.part(value, piece[0], piece[1] - piece[0]);
                match self.is_zero(part, piece[1] - piece[0]) {
                    Truth::Known(true) => {}
                    Truth::Known(false) => {
                        self.regs[0] = M::value(1);
                        return;
                    }
                    Truth::Open(zero) => conditions.push(self.terms.not(zero)),
                }
            }
        }
        self.regs[0] = if conditions.is_empty() { M::value(0) } else { self.flag(&mut conditions, false) };
    }

    fn is_zero(&mut self, part: M::Value, width: u8) -> Truth {
        match M::bits(part) {
            Some(bits) => Truth::Known(bits == 0),
            None => {
                let term = self.term_of(width, part);
                let zero = self.terms.constant(width, 0);
                let cond = self.terms.cmp(CmpOp::Eq, term, zero);
                self.terms.as_const(cond).map_or(Truth::Open(cond), |bits| Truth::Known(bits != 0))
            }
        }
    }

    fn all_true(&mut self, width: u8) {
        let mut conditions = Vec::new();
        for lane in self.lanes(0, width) {
            match self.is_zero(lane, width) {
                Truth::Known(false) => {}
                Truth::Known(true) => {
                    self.regs[0] = M::value(0);
                    return;
                }
                Truth::Open(zero) => conditions.push(self.terms.not(zero)),
            }
        }
        self.regs[0] = if conditions.is_empty() { M::value(1) } else { self.flag(&mut conditions, true) };
    }

    /// The highest bits of all lanes, as a number of 32 bits.
    fn bitmask(&mut self, width: u8) {
        let lanes = self.lanes(0, width);
        let count = lanes.len() as u8;
        let bits: SmallVec<[M::Value; 16]> = lanes.into_iter().map(|lane| self.top_bit(lane, width)).collect();
        let mut whole = bits[0];
        for (i, bit) in (1u8..).zip(&bits[1..]) {
            whole = self.append(*bit, 1, whole, i);
        }
        self.regs[0] = match M::bits(whole) {
            Some(bits) => M::value(bits),
            None => {
                let term = self.term_of(count, whole);
                let wide = self.terms.conv(ConvOp::ZExt, 32, term);
                M::from_term(self.terms, wide)
            }
        };
    }

    fn top_bit(&mut self, lane: M::Value, width: u8) -> M::Value {
        match M::bits(lane) {
            Some(bits) => M::value(bits >> (width - 1)),
            None => {
                let term = M::to_term(self.terms, width, lane);
                let bit = self.terms.extract(term, width - 1, 1);
                M::from_term(self.terms, bit)
            }
        }
    }

    // --- bytes by number ---

    fn shuffle(&mut self) {
        let mut bytes: SmallVec<[M::Value; 32]> = self.lanes(0, 8).into_iter().collect();
        bytes.extend(self.lanes(2, 8));
        let which = self.lanes(4, 8);
        let lanes: Lanes<M> =
            which.into_iter().map(|i| bytes[M::bits(i).unwrap_or(0) as usize % bytes.len()]).collect();
        self.set(&lanes, 8);
    }

    fn swizzle(&mut self) {
        let (bytes, which) = (self.lanes(0, 8), self.lanes(2, 8));
        let lanes: Lanes<M> = which.into_iter().map(|i| self.byte_at(&bytes, i)).collect();
        self.set(&lanes, 8);
    }

    /// The byte of this number, 0 if there is none.
    fn byte_at(&mut self, bytes: &[M::Value], index: M::Value) -> M::Value {
        if let Some(i) = M::bits(index) {
            return bytes.get(i as usize).copied().unwrap_or(M::value(0));
        }
        let mut found = M::value(0);
        for (i, byte) in (0..).zip(bytes) {
            found = self.choose_if(CmpOp::Eq, 8, (index, M::value(i)), *byte, found);
        }
        found
    }
}

fn truncation(signed: bool) -> ConvOp {
    if signed { ConvOp::FToS } else { ConvOp::FToU }
}

fn from_integer(signed: bool) -> ConvOp {
    if signed { ConvOp::FFromS } else { ConvOp::FFromU }
}
