//! Plain numbers: the mode of single runs, averages and benchmarks.

use std::marker::PhantomData;

use slowpath_program::FuncBody;
use slowpath_program::dense::REGISTERS;
use slowpath_term::{BinOp, CmpOp, Comparison, ConvOp, TermId, Terms, UnOp, ops};

use crate::costs::Meter;
use crate::memory::FlatMemory;
use crate::mode::{Mode, Truth};
use crate::profile::Profile;
use crate::sprint::{Track, sprint};
use crate::stacks::Stacks;

/// Values are plain 64-bit numbers, memory is a flat vector. `P` is what is counted beside the costs.
#[derive(Clone, Copy, Debug)]
pub struct Plain<P>(PhantomData<P>);

/// Counts nothing beside the costs.
pub type Concrete = Plain<()>;
/// Counts every instruction; slower.
pub type Profiled = Plain<Stacks>;

impl<P: Profile> Mode for Plain<P> {
    type Value = u64;
    type Memory = FlatMemory;
    type Profile = P;
    const WINDOW: usize = if P::COUNTS { 0 } else { REGISTERS };

    #[inline]
    fn sprint(
        body: &FuncBody,
        registers: &mut [u64],
        memory: &mut FlatMemory,
        meter: &mut Meter,
        check_at: u64,
        pc: usize,
    ) -> usize {
        match registers.first_chunk_mut() {
            Some(registers) if !P::COUNTS => {
                let memory = memory.low_mut();
                sprint(Track { code: body.dense(), targets: &body.targets, registers, memory }, meter, check_at, pc)
            }
            _ => pc,
        }
    }

    #[inline(always)]
    fn value(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn bits(v: u64) -> Option<u64> {
        Some(v)
    }

    #[inline(always)]
    fn term(_: &mut Terms, _: u64) -> Option<TermId> {
        None
    }

    #[inline(always)]
    fn unmade(_: u64) -> Option<Comparison> {
        None
    }

    fn from_term(terms: &Terms, t: TermId) -> u64 {
        terms.as_const(t).unwrap_or_default()
    }

    #[inline(always)]
    fn bin(_: &mut Terms, op: BinOp, width: u8, a: u64, b: u64) -> u64 {
        ops::bin(op, width, a, b)
    }

    #[inline(always)]
    fn un(_: &mut Terms, op: UnOp, width: u8, a: u64) -> u64 {
        ops::un(op, width, a)
    }

    #[inline(always)]
    fn conv(_: &mut Terms, op: ConvOp, from: u8, to: u8, a: u64) -> u64 {
        ops::conv(op, from, to, a)
    }

    #[inline(always)]
    fn cmp_known(op: CmpOp, negated: bool, width: u8, a: u64, b: u64) -> Option<bool> {
        Some(ops::cmp(op, width, a, b) != negated)
    }

    #[inline(always)]
    fn cmp(_: &mut Terms, op: CmpOp, negated: bool, width: u8, a: u64, b: u64) -> Truth {
        Truth::Known(ops::cmp(op, width, a, b) != negated)
    }

    #[inline(always)]
    fn truth(_: &mut Terms, a: u64) -> Truth {
        Truth::Known(a as u32 != 0)
    }

    fn to_term(terms: &mut Terms, width: u8, v: u64) -> TermId {
        terms.constant(width, v)
    }

    #[inline(always)]
    fn flag(_: &mut Terms, op: CmpOp, negated: bool, width: u8, a: u64, b: u64, _: u32) -> u64 {
        u64::from(ops::cmp(op, width, a, b) != negated)
    }
}
