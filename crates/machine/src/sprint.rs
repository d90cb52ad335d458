//! Stretches of plain numbers, by dense code.
//!
//! Stops before whatever it does not do: a call, a trap, a poll, memory beyond the first vector. The interpreter does that one instruction
//! (`step.rs`), and the next sprint begins behind it. So nothing here fails, and every effect and cost is that of the flat code: of several
//! that are done at once, those before the one it stops at have been done, and no more.

use slowpath_program::dense::{Dense, Op, REGISTERS};
use slowpath_program::{for_each_dense_pair, for_each_op};
use slowpath_term::{BinOp, CmpOp, ConvOp, UnOp, ops};

use crate::costs::Meter;

/// What a sprint works on, beside the meter.
pub(crate) struct Track<'a> {
    pub code: &'a [Dense],
    /// Where the `br_table` instructions lead.
    pub targets: &'a [u32],
    pub registers: &'a mut [u64; REGISTERS],
    /// Memory from address 0 on.
    pub memory: &'a mut [u8],
}

#[inline(always)]
fn immediate(imm: u32, width: u8) -> u64 {
    if width == 32 { u64::from(imm) } else { i64::from(imm as i32) as u64 }
}

/// The number of a comparison in a pair.
#[inline(always)]
fn small(b: u8) -> u64 {
    u64::from(b as i8 as u32)
}

#[inline(always)]
fn cell<const N: usize>(memory: &[u8], addr: u64, offset: u32) -> Option<[u8; N]> {
    // An address has 32 bits, so that no sum here wraps.
    let at = addr as u32 as usize + offset as usize;
    memory.get(at..at + N).and_then(|bytes| bytes.try_into().ok())
}

#[inline(always)]
fn cell_mut<const N: usize>(memory: &mut [u8], addr: u64, offset: u32) -> Option<&mut [u8; N]> {
    let at = addr as u32 as usize + offset as usize;
    memory.get_mut(at..at + N).and_then(|bytes| bytes.try_into().ok())
}

/// Runs from `pc` on, and tells where it stopped.
#[allow(unused_assignments, reason = "some parts cannot stop")]
pub(crate) fn sprint(track: Track<'_>, meter: &mut Meter, check_at: u64, mut pc: usize) -> usize {
    let Track { code, targets, registers: regs, memory } = track;
    let Some(mut left) = check_at.checked_sub(meter.raw.instructions) else { return pc };
    let mut branches = 0u64;

    macro_rules! charge {
        ($cost:expr) => {
            match left.checked_sub(u64::from($cost)) {
                Some(rest) => left = rest,
                None => break,
            }
        };
    }
    macro_rules! load {
        ($addr:expr, $offset:expr, $ty:ty) => {
            match cell(memory, $addr, $offset) {
                Some(bytes) => u64::from(<$ty>::from_le_bytes(bytes)),
                None => break,
            }
        };
    }
    macro_rules! load_signed {
        ($addr:expr, $offset:expr, $ty:ty, $width:expr) => {
            match cell(memory, $addr, $offset) {
                Some(bytes) => i64::from(<$ty>::from_le_bytes(bytes)) as u64 & ops::mask($width),
                None => break,
            }
        };
    }
    macro_rules! store {
        ($addr:expr, $value:expr, $offset:expr, $ty:ty) => {
            match cell_mut(memory, $addr, $offset) {
                Some(bytes) => *bytes = ($value as $ty).to_le_bytes(),
                None => break,
            }
        };
    }
    macro_rules! bin {
        ($op:ident, $a:expr, $b:expr) => {
            ops::bin(BinOp::$op, 32, $a, $b)
        };
    }
    macro_rules! compare {
        ($op:ident $negated:literal, $a:expr, $b:expr) => {
            ops::cmp(CmpOp::$op, 32, $a, $b) != $negated
        };
    }
    macro_rules! branch {
        ($next:ident, $taken:expr, $cost:expr, $target:expr) => {{
            charge!($cost);
            branches += 1;
            if $taken {
                $next = $target as usize;
            }
        }};
    }
    // What the first part of a pair leaves in register `d`; kinds are those of `crates/program/src/dense/fuse.rs`.
    macro_rules! value {
        (Copy $a:expr, $b:expr, $imm:expr) => {
            regs[$a as usize]
        };
        (Const $a:expr, $b:expr, $imm:expr) => {
            u64::from($imm)
        };
        (Add $a:expr, $b:expr, $imm:expr) => {
            bin!(Add, regs[$a as usize], regs[$b as usize])
        };
        (Mul $a:expr, $b:expr, $imm:expr) => {
            bin!(Mul, regs[$a as usize], regs[$b as usize])
        };
        (Xor $a:expr, $b:expr, $imm:expr) => {
            bin!(Xor, regs[$a as usize], regs[$b as usize])
        };
        (ShrU $a:expr, $b:expr, $imm:expr) => {
            bin!(LShr, regs[$a as usize], regs[$b as usize])
        };
        (AddI $a:expr, $b:expr, $imm:expr) => {
            bin!(Add, regs[$a as usize], u64::from($imm))
        };
        (MulI $a:expr, $b:expr, $imm:expr) => {
            bin!(Mul, regs[$a as usize], u64::from($imm))
        };
        (AndI $a:expr, $b:expr, $imm:expr) => {
            bin!(And, regs[$a as usize], u64::from($imm))
        };
        (OrI $a:expr, $b:expr, $imm:expr) => {
            bin!(Or, regs[$a as usize], u64::from($imm))
        };
        (ShlI $a:expr, $b:expr, $imm:expr) => {
            bin!(Shl, regs[$a as usize], u64::from($imm))
        };
        (ShrUI $a:expr, $b:expr, $imm:expr) => {
            bin!(LShr, regs[$a as usize], u64::from($imm))
        };
        (Load8U $a:expr, $b:expr, $imm:expr) => {
            load!(regs[$a as usize], $imm, u8)
        };
        (Load32 $a:expr, $b:expr, $imm:expr) => {
            load!(regs[$a as usize], $imm, u32)
        };
    }
    // A part whose operand `a` is `$x`. A branch leaves in `$next` where it leads.
    macro_rules! part {
        ($next:ident Copy $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = $x };
        ($next:ident Const $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = u64::from($imm) };
        ($next:ident Charge $d:expr, $x:expr, $b:expr, $imm:expr) => { charge!($imm) };
        ($next:ident Add $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Add, $x, regs[$b as usize]) };
        ($next:ident Mul $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Mul, $x, regs[$b as usize]) };
        ($next:ident Xor $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Xor, $x, regs[$b as usize]) };
        ($next:ident ShrU $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(LShr, $x, regs[$b as usize]) };
        ($next:ident AddI $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Add, $x, u64::from($imm)) };
        ($next:ident MulI $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Mul, $x, u64::from($imm)) };
        ($next:ident AndI $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(And, $x, u64::from($imm)) };
        ($next:ident OrI $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Or, $x, u64::from($imm)) };
        ($next:ident ShlI $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(Shl, $x, u64::from($imm)) };
        ($next:ident ShrUI $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = bin!(LShr, $x, u64::from($imm)) };
        ($next:ident Load8U $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = load!($x, $imm, u8) };
        ($next:ident Load32 $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = load!($x, $imm, u32) };
        ($next:ident Store8 $d:expr, $x:expr, $b:expr, $imm:expr) => { store!($x, regs[$b as usize], $imm, u8) };
        ($next:ident Store32 $d:expr, $x:expr, $b:expr, $imm:expr) => { store!($x, regs[$b as usize], $imm, u32) };
        ($next:ident Br $d:expr, $x:expr, $b:expr, $imm:expr) => {{ charge!($d); $next = $imm as usize; }};
        ($next:ident LtS $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Slt false, $x, regs[$b as usize]), $d, $imm) };
        ($next:ident GeS $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Slt true, $x, regs[$b as usize]), $d, $imm) };
        ($next:ident LeS $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Sle false, $x, regs[$b as usize]), $d, $imm) };
        ($next:ident GtS $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Sle true, $x, regs[$b as usize]), $d, $imm) };
        ($next:ident Eq $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Eq false, $x, regs[$b as usize]), $d, $imm) };
        ($next:ident Ne $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Eq true, $x, regs[$b as usize]), $d, $imm) };
        ($next:ident LtSI $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Slt false, $x, small($b)), $d, $imm) };
        ($next:ident GeSI $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Slt true, $x, small($b)), $d, $imm) };
        ($next:ident GtSI $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Sle true, $x, small($b)), $d, $imm) };
        ($next:ident EqI $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Eq false, $x, small($b)), $d, $imm) };
        ($next:ident NeI $d:expr, $x:expr, $b:expr, $imm:expr) => { branch!($next, compare!(Eq true, $x, small($b)), $d, $imm) };
        ($next:ident FlagLtS $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = u64::from(compare!(Slt false, $x, regs[$b as usize])) };
        ($next:ident FlagGtS $d:expr, $x:expr, $b:expr, $imm:expr) => { regs[$d as usize] = u64::from(compare!(Sle true, $x, regs[$b as usize])) };
    }
    macro_rules! dispatch {
        (
            [$($pair:ident $first:ident $second:ident;)*] [$($chain:ident $one:ident $two:ident;)*]
            bin { $($bin:ident $bini:ident $bo:ident $bw:literal;)* }
            fbin { $($fbin:ident $fbo:ident $fbw:literal;)* }
            cmp { $($cmp:ident $cmpi:ident $br:ident $bri:ident $co:ident $cw:literal $cn:literal;)* }
            fcmp { $($fcmp:ident $fco:ident $fcw:literal $fcn:literal;)* }
            div { $($div:ident $do:ident $dw:literal;)* }
            un { $($un:ident $uo:ident $uw:literal;)* }
            conv { $($conv:ident $vo:ident $vf:literal $vt:literal;)* }
            trunc { $($trunc:ident $to:ident $tf:literal $tt:literal;)* }
        ) => {
            {
                let Some(i) = code.get(pc) else { break };
                let mut next = pc + 1;
                match i.op {
                    $(Op::$bin => regs[i.d as usize] = ops::bin(BinOp::$bo, $bw, regs[i.a as usize], regs[i.b as usize]),
                      Op::$bini => regs[i.d as usize] = ops::bin(BinOp::$bo, $bw, regs[i.a as usize], immediate(i.imm, $bw)),)*
                    $(Op::$fbin => regs[i.d as usize] = ops::bin(BinOp::$fbo, $fbw, regs[i.a as usize], regs[i.b as usize]),)*
                    $(Op::$cmp => {
                        let holds = ops::cmp(CmpOp::$co, $cw, regs[i.a as usize], regs[i.b as usize]) != $cn;
                        regs[i.d as usize] = u64::from(holds);
                    }
                    Op::$cmpi => {
                        let holds = ops::cmp(CmpOp::$co, $cw, regs[i.a as usize], immediate(i.imm, $cw)) != $cn;
                        regs[i.d as usize] = u64::from(holds);
                    }
                    Op::$br => {
                        let holds = ops::cmp(CmpOp::$co, $cw, regs[i.a as usize], regs[i.b as usize]) != $cn;
                        branch!(next, holds, i.d, i.imm)
                    }
                    Op::$bri => {
                        let holds = ops::cmp(CmpOp::$co, $cw, regs[i.a as usize], immediate(i.imm, $cw)) != $cn;
                        branch!(next, holds, i.d, i.imm2)
                    })*
                    $(Op::$fcmp => {
                        let holds = ops::cmp(CmpOp::$fco, $fcw, regs[i.a as usize], regs[i.b as usize]) != $fcn;
                        regs[i.d as usize] = u64::from(holds);
                    })*
                    $(Op::$div => {
                        let (x, y) = (regs[i.a as usize], regs[i.b as usize]);
                        let overflows = matches!(BinOp::$do, BinOp::SDiv) && x == 1 << ($dw - 1) && y == ops::mask($dw);
                        if y == 0 || overflows {
                            break;
                        }
                        regs[i.d as usize] = ops::bin(BinOp::$do, $dw, x, y);
                    })*
                    $(Op::$un => regs[i.d as usize] = ops::un(UnOp::$uo, $uw, regs[i.a as usize]),)*
                    $(Op::$conv => regs[i.d as usize] = ops::conv(ConvOp::$vo, $vf, $vt, regs[i.a as usize]),)*
                    $(Op::$pair => {
                        part!(next $first i.d, regs[i.a as usize], i.b, i.imm);
                        // From here on it is the second one that is not done.
                        pc = next;
                        next += 1;
                        part!(next $second i.d2, regs[i.a2 as usize], i.b2, i.imm2);
                    })*
                    $(Op::$chain => {
                        let x = value!($one i.a, i.b, i.imm);
                        regs[i.d as usize] = x;
                        pc = next;
                        next += 1;
                        part!(next $two i.d2, x, i.b2, i.imm2);
                    })*
                    Op::Copy3 => {
                        regs[i.d as usize] = regs[i.a as usize];
                        regs[i.d2 as usize] = regs[i.a2 as usize];
                        regs[i.b2 as usize] = regs[i.b as usize];
                        next += 2;
                    }
                    Op::CopyCopyEqI => {
                        regs[i.d as usize] = regs[i.a as usize];
                        regs[i.d2 as usize] = regs[i.a2 as usize];
                        pc += 2;
                        next += 2;
                        branch!(next, compare!(Eq false, regs[i.b as usize], u64::from(i.imm)), i.b2, i.imm2);
                    }
                    Op::ShrUAndIXorMulI => {
                        let byte = bin!(And, bin!(LShr, regs[i.a as usize], regs[i.b as usize]), u64::from(i.imm));
                        regs[i.d as usize] = byte;
                        let mixed = bin!(Xor, byte, regs[i.a2 as usize]);
                        regs[i.d2 as usize] = mixed;
                        regs[i.b2 as usize] = bin!(Mul, mixed, u64::from(i.imm2));
                        next += 3;
                    }
                    Op::AddIBrLtSI => {
                        regs[i.d as usize] = bin!(Add, regs[i.a as usize], u64::from(i.imm));
                        pc = next;
                        charge!(i.d2);
                        // From here on it is the test that is not done.
                        pc = i.imm2 as usize;
                        next = pc + 1;
                        let Some(test) = code.get(pc) else { break };
                        branch!(next, compare!(Slt false, regs[test.a as usize], u64::from(test.imm)), test.d, test.imm2);
                    }
                    Op::CopyLoadElement32 => {
                        regs[i.b2 as usize] = regs[i.a2 as usize];
                        let at = ((regs[i.a as usize] as u32) << (i.b % 32)).wrapping_add(i.imm);
                        regs[i.d as usize] = u64::from(at);
                        pc += 3;
                        next += 3;
                        regs[i.d2 as usize] = load!(u64::from(at), i.imm2, u32);
                    }
                    Op::LoadElement32 => {
                        let at = ((regs[i.a as usize] as u32) << (i.b % 32)).wrapping_add(i.imm);
                        regs[i.d as usize] = u64::from(at);
                        pc += 2;
                        next += 2;
                        regs[i.d2 as usize] = load!(u64::from(at), i.imm2, u32);
                    }
                    Op::StoreElement32 => {
                        let at = ((regs[i.a as usize] as u32) << (i.b % 32)).wrapping_add(i.imm);
                        regs[i.d as usize] = u64::from(at);
                        pc += 2;
                        next += 2;
                        store!(u64::from(at), regs[i.b2 as usize], i.imm2, u32);
                    }
                    Op::Copy => regs[i.d as usize] = regs[i.a as usize],
                    Op::Const => regs[i.d as usize] = u64::from(i.imm2) << 32 | u64::from(i.imm),
                    Op::SignExtend => {
                        regs[i.d as usize] = ops::sext(i.b, regs[i.a as usize]) as u64 & ops::mask(i.b2);
                    }
                    Op::Select => {
                        branches += 1;
                        if regs[i.a as usize] as u32 == 0 {
                            regs[i.d as usize] = regs[i.b as usize];
                        }
                    }
                    Op::Load8U => regs[i.d as usize] = load!(regs[i.a as usize], i.imm, u8),
                    Op::Load16U => regs[i.d as usize] = load!(regs[i.a as usize], i.imm, u16),
                    Op::Load32U => regs[i.d as usize] = load!(regs[i.a as usize], i.imm, u32),
                    Op::Load64 => regs[i.d as usize] = load!(regs[i.a as usize], i.imm, u64),
                    Op::Load8S => regs[i.d as usize] = load_signed!(regs[i.a as usize], i.imm, i8, i.b),
                    Op::Load16S => regs[i.d as usize] = load_signed!(regs[i.a as usize], i.imm, i16, i.b),
                    Op::Load32S => regs[i.d as usize] = load_signed!(regs[i.a as usize], i.imm, i32, i.b),
                    Op::Store8 => store!(regs[i.a as usize], regs[i.b as usize], i.imm, u8),
                    Op::Store16 => store!(regs[i.a as usize], regs[i.b as usize], i.imm, u16),
                    Op::Store32 => store!(regs[i.a as usize], regs[i.b as usize], i.imm, u32),
                    Op::Store64 => store!(regs[i.a as usize], regs[i.b as usize], i.imm, u64),
                    Op::Charge => charge!(i.imm),
                    Op::Br => {
                        charge!(i.d);
                        next = i.imm as usize;
                    }
                    Op::BrTable => {
                        let chosen = (regs[i.a as usize] as u32).min(i.imm2.saturating_sub(1));
                        let Some(&target) = targets.get(i.imm as usize + chosen as usize) else { break };
                        charge!(i.d);
                        branches += 1;
                        next = target as usize;
                    }
                    Op::Other => break,
                }
                pc = next;
            }
        };
    }
    // `break` leaves with `pc` at the instruction that is not done. Several copies of the same, since a processor guesses where a jump leads by
    // which jump it is.
    loop {
        for_each_dense_pair!(for_each_op dispatch);
        for_each_dense_pair!(for_each_op dispatch);
        for_each_dense_pair!(for_each_op dispatch);
        for_each_dense_pair!(for_each_op dispatch);
    }

    meter.raw.instructions = check_at - left;
    meter.raw.branches += branches;
    pc
}
