//! Forms that other crates rely on.

use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Node, TermId, Terms, UnOp};

struct World {
    terms: Terms,
    x: TermId,
    y: TermId,
    byte: TermId,
}

impl World {
    fn new() -> World {
        let mut terms = Terms::new();
        let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
        let byte = terms.var(InputId(2), 8);
        World { terms, x, y, byte }
    }

    fn c(&mut self, value: i64) -> TermId {
        self.terms.constant(32, value as u64)
    }

    fn flag(&mut self, cond: TermId) -> TermId {
        let (one, zero) = (self.c(1), self.c(0));
        self.terms.ite(cond, one, zero, 9)
    }
}

#[test]
fn a_comparison_result_compared_with_zero_is_the_condition_again() {
    let mut w = World::new();
    let less = w.terms.cmp(CmpOp::Slt, w.x, w.y);
    let flag = w.flag(less);
    let zero = w.c(0);
    let eqz = w.terms.cmp(CmpOp::Eq, flag, zero);
    assert_eq!(eqz, w.terms.cmp(CmpOp::Sle, w.y, w.x));
    let twice = w.flag(eqz);
    assert_eq!(w.terms.cmp(CmpOp::Eq, twice, zero), less);
}

#[test]
fn arithmetic_on_a_flag_keeps_its_site() {
    let mut w = World::new();
    let less = w.terms.cmp(CmpOp::Slt, w.x, w.y);
    let flag = w.flag(less);
    let five = w.c(5);
    let sum = w.terms.bin(BinOp::Add, flag, five);
    let (six, five) = (w.c(6), w.c(5));
    assert_eq!(w.terms.node(sum), Node::Ite { cond: less, then: six, els: five, site: 9 });
    assert_eq!(w.terms.first_ite(sum), Some((less, 9)));
    let address = w.terms.bin(BinOp::Add, sum, w.x);
    let taken = w.terms.substitute(address, less, true);
    assert_eq!(taken, w.terms.bin(BinOp::Add, w.x, six));
    let opposite = w.terms.not(less);
    assert_eq!(w.terms.substitute(address, opposite, false), taken);
}

#[test]
fn a_loaded_byte_is_compared_as_a_byte() {
    let mut w = World::new();
    let wide = w.terms.conv(ConvOp::ZExt, 32, w.byte);
    let c = w.c(65);
    let equal = w.terms.cmp(CmpOp::Eq, wide, c);
    let narrow = w.terms.constant(8, 65);
    assert_eq!(w.terms.node(equal), Node::Cmp { op: CmpOp::Eq, a: w.byte, b: narrow });
    let less = w.terms.cmp(CmpOp::Slt, wide, c);
    assert_eq!(w.terms.node(less), Node::Cmp { op: CmpOp::Ult, a: w.byte, b: narrow });
    // (char)x as compilers write it: shift up, then arithmetic shift down.
    let by = w.c(24);
    let up = w.terms.bin(BinOp::Shl, wide, by);
    let down = w.terms.bin(BinOp::AShr, up, by);
    assert_eq!(down, w.terms.conv(ConvOp::SExt, 32, w.byte));
    let mask = w.c(255);
    assert_eq!(w.terms.bin(BinOp::And, down, mask), wide);
}

#[test]
fn bytes_stored_one_by_one_load_as_the_word_they_came_from() {
    let mut w = World::new();
    let bytes: Vec<TermId> = (0..4).map(|i| w.terms.extract(w.x, 8 * i, 8)).collect();
    let mut word = bytes[0];
    for &byte in &bytes[1..] {
        word = w.terms.concat(byte, word);
    }
    assert_eq!(word, w.x);
    let mut assembled = w.c(0);
    for (i, &byte) in bytes.iter().enumerate() {
        let (wide, by) = (w.terms.conv(ConvOp::ZExt, 32, byte), w.c(8 * i as i64));
        let shifted = w.terms.bin(BinOp::Shl, wide, by);
        assembled = w.terms.bin(BinOp::Or, shifted, assembled);
    }
    assert_eq!(assembled, w.x);
}

#[test]
fn constants_gather_outside() {
    let mut w = World::new();
    let (c3, c4) = (w.c(3), w.c(4));
    let a = w.terms.bin(BinOp::Add, w.x, c3);
    let b = w.terms.bin(BinOp::Sub, a, c4);
    let minus = w.c(-1);
    assert_eq!(w.terms.node(b), Node::Bin { op: BinOp::Add, width: 32, a: w.x, b: minus });
    let equal = w.terms.cmp(CmpOp::Eq, b, c3);
    assert_eq!(equal, w.terms.cmp(CmpOp::Eq, w.x, c4));
    let difference = w.terms.bin(BinOp::Sub, w.x, w.y);
    let zero = w.c(0);
    assert_eq!(w.terms.cmp(CmpOp::Eq, difference, zero), w.terms.cmp(CmpOp::Eq, w.y, w.x));
}

#[test]
fn the_negation_of_a_float_comparison_stays_a_negation() {
    let mut w = World::new();
    let less = w.terms.cmp(CmpOp::FLt, w.x, w.y);
    let not = w.terms.not(less);
    assert_eq!(w.terms.node(not), Node::Un { op: UnOp::Not, width: 1, a: less });
}

#[test]
fn addresses_know_their_stride_and_bounds() {
    let mut w = World::new();
    let (four, base) = (w.c(4), w.c(1024));
    let wide = w.terms.conv(ConvOp::ZExt, 32, w.byte);
    let scaled = w.terms.bin(BinOp::Mul, wide, four);
    let address = w.terms.bin(BinOp::Add, scaled, base);
    assert_eq!(w.terms.bounds(address), (1024, 1024 + 4 * 255));
    assert_eq!(w.terms.stride(address), 4);
    assert_eq!(w.terms.inputs(address), [InputId(2)]);
}

#[test]
fn a_range_written_with_a_single_ampersand_is_two_conditions() {
    let mut w = World::new();
    let (zero, limit) = (w.c(0), w.c(1000));
    let (low, high) = (w.terms.cmp(CmpOp::Sle, zero, w.x), w.terms.cmp(CmpOp::Sle, w.x, limit));
    let (a, b) = (w.flag(low), w.flag(high));
    let both = w.terms.bin(BinOp::And, a, b);
    let fails = w.terms.cmp(CmpOp::Eq, both, zero);
    let holds = w.terms.not(fails);
    assert_eq!(holds, w.terms.bin(BinOp::And, low, high));
}

#[test]
fn how_many_zeros_there_are_at_an_end_is_a_question_about_its_bits() {
    let mut w = World::new();
    let (zeros, eight) = (w.terms.un(UnOp::Ctz, w.x), w.c(8));
    let fewer = w.terms.cmp(CmpOp::Ult, zeros, eight);
    let low = w.terms.extract(w.x, 0, 8);
    let none = w.terms.constant(8, 0);
    let none = w.terms.cmp(CmpOp::Eq, low, none);
    assert_eq!(fewer, w.terms.not(none));
    let (zeros, none) = (w.terms.un(UnOp::Clz, w.x), w.c(0));
    assert_eq!(w.terms.cmp(CmpOp::Eq, zeros, none), w.terms.extract(w.x, 31, 1));
}
