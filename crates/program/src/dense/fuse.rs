//! Instructions that do what several flat ones do.
//!
//! A pair is two parts, each with its own fields. A part writes what its flat instruction would have, a result
//! that only the other one reads included: that takes a store, and no knowledge of what is read later. In a chain the second part takes what the
//! first one computed from where that is already.

use super::instr::{Dense, Op};
use crate::code::Instr;
use crate::for_each_dense_pair;

/// What a part of a pair does. All arithmetic is of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Copy,
    /// Of a number of 32 bits.
    Const,
    Charge,
    Add,
    Mul,
    Xor,
    ShrU,
    AddI,
    MulI,
    AndI,
    OrI,
    ShlI,
    ShrUI,
    Load8U,
    Load32,
    Store8,
    Store32,
    Br,
    LtS,
    GeS,
    GtS,
    LeS,
    Eq,
    Ne,
    /// Branches on a comparison with a number that fits into a byte, which is in `b`.
    LtSI,
    GeSI,
    GtSI,
    EqI,
    NeI,
    /// Comparisons whose result is kept.
    FlagLtS,
    FlagGtS,
}

struct Part {
    kind: Kind,
    d: u8,
    a: u8,
    b: u8,
    imm: u32,
}

impl Part {
    /// The part that an instruction of its own would be.
    fn of(i: Dense) -> Option<Part> {
        let plain = |kind| Some(Part { kind, d: i.d, a: i.a, b: i.b, imm: i.imm });
        let compare = |kind| {
            let number = i8::try_from(i.imm as i32).ok()?;
            Some(Part { kind, d: i.d, a: i.a, b: number as u8, imm: i.imm2 })
        };
        match i.op {
            Op::Copy => plain(Kind::Copy),
            Op::Const if i.imm2 == 0 => plain(Kind::Const),
            Op::Charge => plain(Kind::Charge),
            Op::I32Add => plain(Kind::Add),
            Op::I32Mul => plain(Kind::Mul),
            Op::I32Xor => plain(Kind::Xor),
            Op::I32ShrU => plain(Kind::ShrU),
            Op::I32AddImm => plain(Kind::AddI),
            Op::I32MulImm => plain(Kind::MulI),
            Op::I32AndImm => plain(Kind::AndI),
            Op::I32OrImm => plain(Kind::OrI),
            Op::I32ShlImm => plain(Kind::ShlI),
            Op::I32ShrUImm => plain(Kind::ShrUI),
            Op::Load8U => plain(Kind::Load8U),
            Op::Load32U => plain(Kind::Load32),
            Op::Store8 => plain(Kind::Store8),
            Op::Store32 => plain(Kind::Store32),
            Op::Br => plain(Kind::Br),
            Op::BrI32LtS => plain(Kind::LtS),
            Op::BrI32GeS => plain(Kind::GeS),
            Op::BrI32GtS => plain(Kind::GtS),
            Op::BrI32LeS => plain(Kind::LeS),
            Op::BrI32Eq => plain(Kind::Eq),
            Op::BrI32Ne => plain(Kind::Ne),
            Op::BrI32LtSImm => compare(Kind::LtSI),
            Op::BrI32GeSImm => compare(Kind::GeSI),
            Op::BrI32GtSImm => compare(Kind::GtSI),
            Op::BrI32EqImm => compare(Kind::EqI),
            Op::BrI32NeImm => compare(Kind::NeI),
            Op::I32LtS => plain(Kind::FlagLtS),
            Op::I32GtS => plain(Kind::FlagGtS),
            _ => None,
        }
    }

    /// This part with its operands exchanged, where it has two.
    fn mirrored(self) -> Option<Part> {
        let kind = match self.kind {
            Kind::Add | Kind::Mul | Kind::Xor | Kind::Eq | Kind::Ne => self.kind,
            Kind::LtS => Kind::GtS,
            Kind::GtS => Kind::LtS,
            Kind::GeS => Kind::LeS,
            Kind::LeS => Kind::GeS,
            Kind::FlagLtS => Kind::FlagGtS,
            Kind::FlagGtS => Kind::FlagLtS,
            _ => return None,
        };
        Some(Part { kind, a: self.b, b: self.a, ..self })
    }
}

macro_rules! define_pair_of {
    ([$($pair:ident $first:ident $second:ident;)*] [$($chain:ident $one:ident $two:ident;)*]) => {
        /// The operator of a pair, and whether the second part has to take the result of the first.
        fn pair_of(first: Kind, second: Kind) -> Option<(Op, bool)> {
            match (first, second) {
                $((Kind::$first, Kind::$second) => Some((Op::$pair, false)),)*
                $((Kind::$one, Kind::$two) => Some((Op::$chain, true)),)*
                _ => None,
            }
        }
    };
}

for_each_dense_pair!(define_pair_of);

/// The dense instruction at a place, for as many of those from there on as can be done with it.
pub(super) fn at(code: &[Instr], pc: usize) -> Dense {
    let mut dense = code[pc..].iter().map(|&instr| Dense::of(instr));
    let Some(first) = dense.next() else { return Dense::OTHER };
    let Some(second) = dense.next() else { return first };
    if let Some(end) = end_of_loop(code, first, second) {
        return end;
    }
    let Some(third) = dense.next() else { return two(first, second).unwrap_or(first) };
    let four = dense.next().and_then(|fourth| four(first, second, third, fourth));
    four.or_else(|| three(first, second, third)).or_else(|| two(first, second)).unwrap_or(first)
}

/// A counter that goes on, and the jump back to where it is compared with a number.
fn end_of_loop(code: &[Instr], first: Dense, second: Dense) -> Option<Dense> {
    let is_end = first.op == Op::I32AddImm && second.op == Op::Br;
    let test = Dense::of(*code.get(second.imm as usize).filter(|_| is_end)?);
    (test.op == Op::BrI32LtSImm).then_some(Dense { op: Op::AddIBrLtSI, d2: second.d, imm2: second.imm, ..first })
}

fn four(first: Dense, second: Dense, third: Dense, fourth: Dense) -> Option<Dense> {
    match (first.op, second.op, third.op, fourth.op) {
        (Op::Copy, Op::I32ShlImm, Op::I32AddImm, Op::Load32U) => {
            let element = three(second, third, fourth)?;
            Some(Dense { op: Op::CopyLoadElement32, b2: first.d, a2: first.a, ..element })
        }
        (Op::I32ShrU, Op::I32AndImm, Op::I32Xor, Op::I32MulImm) => {
            let byte = first.d;
            let other = if third.a == byte { third.b } else { third.a };
            let is_chain =
                [second.a, second.d] == [byte; 2] && (third.a == byte || third.b == byte) && fourth.a == third.d;
            is_chain.then_some(Dense {
                op: Op::ShrUAndIXorMulI,
                imm: second.imm,
                d2: third.d,
                a2: other,
                b2: fourth.d,
                imm2: fourth.imm,
                ..first
            })
        }
        _ => None,
    }
}

fn two(first: Dense, second: Dense) -> Option<Dense> {
    let (one, mut two) = (Part::of(first)?, Part::of(second)?);
    let (mut op, chained) = pair_of(one.kind, two.kind)?;
    if chained && two.a != one.d {
        two = two.mirrored().filter(|two| two.a == one.d)?;
        (op, _) = pair_of(one.kind, two.kind)?;
    }
    Some(Dense { op, d: one.d, a: one.a, b: one.b, d2: two.d, a2: two.a, b2: two.b, imm: one.imm, imm2: two.imm })
}

fn three(first: Dense, second: Dense, third: Dense) -> Option<Dense> {
    match (first.op, second.op, third.op) {
        (Op::Copy, Op::Copy, Op::Copy) => {
            Some(Dense { op: Op::Copy3, d2: second.d, a2: second.a, b2: third.d, b: third.a, ..first })
        }
        (Op::Copy, Op::Copy, Op::BrI32EqImm) => Some(Dense {
            op: Op::CopyCopyEqI,
            d2: second.d,
            a2: second.a,
            b: third.a,
            b2: third.d,
            imm: third.imm,
            imm2: third.imm2,
            ..first
        }),
        (Op::I32ShlImm, Op::I32AddImm, Op::Load32U | Op::Store32) => {
            let t = first.d;
            let is_element = [second.d, second.a, third.a] == [t; 3];
            let element = Dense { b: (first.imm % 32) as u8, imm: second.imm, imm2: third.imm, ..first };
            if !is_element {
                None
            } else if third.op == Op::Load32U {
                Some(Dense { op: Op::LoadElement32, d2: third.d, ..element })
            } else {
                Some(Dense { op: Op::StoreElement32, b2: third.b, ..element })
            }
        }
        _ => None,
    }
}
