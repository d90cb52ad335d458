//! The interpreter: one loop over flat code, shared by both modes.
//!
//! Where nobody looks at single instructions and all values are plain, `sprint.rs` runs ahead; what follows is what it leaves.
//!
//! The loop handles what plain values need and arithmetic on terms. Everything else (calls, tables, a symbolic value
//! that decides, an address that is a term) leaves the loop through `slow`, with the frame's `pc` saved; the
//! instruction is executed again once its questions are answered.

use std::rc::Rc;

use slowpath_program::{Instr, Trap, for_each_op};
use slowpath_term::{BinOp, CmpOp, ConvOp, Terms, UnOp, ops};

use crate::guide::{Branch, Guide};
use crate::memory::Memory;
use crate::mode::{Mode, Truth};
use crate::profile::Profile;
use crate::question::{Event, Outcome};
use crate::state::State;
use crate::vector;

/// What the slow side of an instruction led to.
pub(crate) enum Flow {
    /// Go on with the next instruction.
    Next,
    /// Frames changed, or `pc` was set: load them afresh.
    Reload,
}

/// Bits of an immediate operand of the given width.
#[inline(always)]
fn immediate(imm: i32, width: u8) -> u64 {
    if width == 32 { u64::from(imm as u32) } else { i64::from(imm) as u64 }
}

/// Runs until the path ends or a question comes up that `guide` has not settled.
pub(crate) fn run<M: Mode, G: Guide>(state: &mut State<M>, terms: &mut Terms, guide: &mut G) -> Event {
    let store = Rc::clone(&state.store);
    'frame: loop {
        let Some(frame) = state.frames.last().copied() else {
            return Event::Done(state.ending());
        };
        let instance = store.instance(frame.instance);
        let Some(body) = instance.body(frame.func) else {
            return Event::Done(Outcome::Trapped(Trap::Host("a function without a body".into())));
        };
        let code = body.code.as_slice();
        let base = frame.base as usize;
        let mut pc = frame.pc as usize;
        let top = base + (body.frame as usize).max(M::WINDOW);
        if state.values.len() < top {
            // A fork copied only what was live, and the caller's frame reaches further than the callee's.
            state.values.resize(top, M::value(0));
        }
        let regs = &mut state.values[base..top];
        let memory = &mut state.memories[instance.memory as usize];
        let meter = &mut state.meter;
        let check_at = state.check_at;

        // Leaves the loop with the frame's position saved.
        macro_rules! save {
            () => {
                if let Some(f) = state.frames.last_mut() {
                    f.pc = pc as u32;
                }
            };
        }
        macro_rules! trap {
            ($trap:expr) => {{
                save!();
                return Event::Done(Outcome::Trapped($trap));
            }};
        }
        macro_rules! slow {
            ($method:ident ($($arg:expr),*)) => {{
                save!();
                match state.$method(terms, $($arg),*) {
                    Ok(Flow::Next) => {
                        state.settle_answers();
                        if let Some(f) = state.frames.last_mut() {
                            f.pc = pc as u32 + 1;
                        }
                        continue 'frame;
                    }
                    Ok(Flow::Reload) => {
                        state.settle_answers();
                        continue 'frame;
                    }
                    Err(event) => return event,
                }
            }};
        }
        // Charges before the instruction has any effect, so that it can be run again after a poll.
        macro_rules! charge {
            ($cost:expr) => {{
                let total = meter.raw.instructions + u64::from($cost);
                if total > check_at {
                    save!();
                    return Event::Poll;
                }
                meter.raw.instructions = total;
            }};
        }
        macro_rules! branch {
            ($truth:expr, $cost:expr, $target:expr) => {{
                match $truth {
                    Truth::Known(taken) => {
                        charge!($cost);
                        meter.raw.branches += 1;
                        if meter.is_on() {
                            state.profile.branch(frame.func, pc, taken);
                        }
                        pc = if taken { $target as usize } else { pc + 1 };
                    }
                    Truth::Open(cond) => {
                        // The cost is charged when the answer is there.
                        slow!(open_branch(cond, $cost, $target))
                    }
                }
            }};
        }
        // A branch that is open, unless the guide has settled it: then it is as if the question had been answered.
        macro_rules! settled {
            ($method:ident::<$($mode:ident,)? _>($($arg:expr),*), $cost:expr, $target:expr, $else:expr) => {{
                let total = meter.raw.instructions + u64::from($cost);
                let may = G::GUIDES && total <= check_at && !state.selected && state.answers.is_empty();
                let branch = Branch { body, pc, activation: frame.activation, cost: $cost };
                match if may { branch.$method::<$($mode,)? G>(guide, terms, $($arg),*) } else { None } {
                    Some(jumps) => {
                        meter.raw.instructions = total;
                        meter.raw.branches += 1;
                        meter.raw.decisions += 1;
                        pc = if jumps { $target as usize } else { pc + 1 };
                    }
                    None => $else,
                }
            }};
        }
        macro_rules! compare {
            ($op:expr, $negated:expr, $width:expr, $values:expr, $cost:expr, $target:expr) => {{
                let (a, b) = $values;
                match M::cmp_known($op, $negated, $width, a, b) {
                    Some(taken) => branch!(Truth::Known(taken), $cost, $target),
                    None => settled!(
                        settled::<M, _>(($op, $negated, $width), (a, b)),
                        $cost,
                        $target,
                        slow!(open_comparison($op, $negated, $width, (a, b), $cost, $target))
                    ),
                }
            }};
        }
        macro_rules! load {
            ($width:expr, $d:expr, $addr:expr, $offset:expr, $bytes:literal, $op:expr) => {{
                match M::bits(regs[$addr as usize]) {
                    Some(addr) => match memory.load(terms, addr + u64::from($offset), $bytes) {
                        Some(v) => {
                            state.profile.read(addr + u64::from($offset), $bytes);
                            regs[$d as usize] =
                                if $bytes * 8 == $width { v } else { M::conv(terms, $op, $bytes * 8, $width, v) };
                            pc += 1;
                        }
                        None => trap!(Trap::MemoryOutOfBounds),
                    },
                    None => slow!(load_at_term($d, $addr, $offset, $bytes, $width, $op)),
                }
            }};
        }
        macro_rules! store {
            ($addr:expr, $value:expr, $offset:expr, $bytes:literal) => {{
                match M::bits(regs[$addr as usize]) {
                    Some(addr) => {
                        if !memory.store_in_room(terms, addr + u64::from($offset), $bytes, regs[$value as usize]) {
                            let lacking = memory.takes(addr + u64::from($offset), $bytes).saturating_sub(memory.room());
                            save!();
                            return refused(lacking);
                        }
                        state.profile.wrote(addr + u64::from($offset), $bytes);
                        pc += 1;
                    }
                    None => slow!(store_at_term($addr, $value, $offset, $bytes)),
                }
            }};
        }
        macro_rules! dispatch {
            (
                [$($manual:tt)*]
                bin { $($bin:ident $bini:ident $bo:ident $bw:literal;)* }
                fbin { $($fbin:ident $fbo:ident $fbw:literal;)* }
                cmp { $($cmp:ident $cmpi:ident $br:ident $bri:ident $co:ident $cw:literal $cn:literal;)* }
                fcmp { $($fcmp:ident $fco:ident $fcw:literal $fcn:literal;)* }
                div { $($div:ident $do:ident $dw:literal;)* }
                un { $($un:ident $uo:ident $uw:literal;)* }
                conv { $($conv:ident $vo:ident $vf:literal $vt:literal;)* }
                trunc { $($trunc:ident $to:ident $tf:literal $tt:literal;)* }
            ) => {
                state.profile.step(frame.func, pc, frame.base, meter.is_on());
                match code[pc] {
                    $(Instr::$bin { d, a, b } => {
                        regs[d as usize] = M::bin(terms, BinOp::$bo, $bw, regs[a as usize], regs[b as usize]);
                        pc += 1;
                    }
                    Instr::$bini { d, a, imm } => {
                        regs[d as usize] = M::bin(terms, BinOp::$bo, $bw, regs[a as usize], M::value(immediate(imm, $bw)));
                        pc += 1;
                    })*
                    $(Instr::$fbin { d, a, b } => {
                        regs[d as usize] = M::bin(terms, BinOp::$fbo, $fbw, regs[a as usize], regs[b as usize]);
                        pc += 1;
                    })*
                    $(Instr::$cmp { d, a, b } => {
                        let (a, b) = (regs[a as usize], regs[b as usize]);
                        regs[d as usize] = M::flag(terms, CmpOp::$co, $cn, $cw, a, b, body.site_at[pc]);
                        pc += 1;
                    }
                    Instr::$cmpi { d, a, imm } => {
                        let (a, b) = (regs[a as usize], M::value(immediate(imm, $cw)));
                        regs[d as usize] = M::flag(terms, CmpOp::$co, $cn, $cw, a, b, body.site_at[pc]);
                        pc += 1;
                    }
                    Instr::$br { cost, a, b, target } => {
                        compare!(CmpOp::$co, $cn, $cw, (regs[a as usize], regs[b as usize]), cost, target)
                    }
                    Instr::$bri { cost, a, imm, target } => {
                        compare!(CmpOp::$co, $cn, $cw, (regs[a as usize], M::value(immediate(imm, $cw))), cost, target)
                    })*
                    $(Instr::$fcmp { d, a, b } => {
                        let (a, b) = (regs[a as usize], regs[b as usize]);
                        regs[d as usize] = M::flag(terms, CmpOp::$fco, $fcn, $fcw, a, b, body.site_at[pc]);
                        pc += 1;
                    })*
                    $(Instr::$div { d, a, b } => match (M::bits(regs[a as usize]), M::bits(regs[b as usize])) {
                        (Some(x), Some(y)) => {
                            if y == 0 {
                                trap!(Trap::DivisionByZero);
                            }
                            if matches!(BinOp::$do, BinOp::SDiv) && x == 1 << ($dw - 1) && y == ops::mask($dw) {
                                trap!(Trap::IntegerOverflow);
                            }
                            regs[d as usize] = M::value(ops::bin(BinOp::$do, $dw, x, y));
                            pc += 1;
                        }
                        _ => slow!(divide(BinOp::$do, $dw, d, a, b)),
                    },)*
                    $(Instr::$un { d, a } => {
                        regs[d as usize] = M::un(terms, UnOp::$uo, $uw, regs[a as usize]);
                        pc += 1;
                    })*
                    $(Instr::$conv { d, a } => {
                        regs[d as usize] = M::conv(terms, ConvOp::$vo, $vf, $vt, regs[a as usize]);
                        pc += 1;
                    })*
                    $(Instr::$trunc { d, a } => slow!(truncate(ConvOp::$to, $tf, $tt, d, a)),)*
                    $($manual)*
                }
            };
        }

        loop {
            if M::WINDOW > 0 {
                pc = M::sprint(body, regs, memory, meter, check_at, pc);
            }
            for_each_op!(dispatch [
                Instr::Copy { d, a } => {
                    regs[d as usize] = M::copy(regs[a as usize]);
                    pc += 1;
                }
                Instr::Const { d, bits } => {
                    regs[d as usize] = M::value(bits);
                    pc += 1;
                }
                Instr::Load8U { width, d, addr, offset } => load!(width, d, addr, offset, 1, ConvOp::ZExt),
                Instr::Load8S { width, d, addr, offset } => load!(width, d, addr, offset, 1, ConvOp::SExt),
                Instr::Load16U { width, d, addr, offset } => load!(width, d, addr, offset, 2, ConvOp::ZExt),
                Instr::Load16S { width, d, addr, offset } => load!(width, d, addr, offset, 2, ConvOp::SExt),
                Instr::Load32U { width, d, addr, offset } => load!(width, d, addr, offset, 4, ConvOp::ZExt),
                Instr::Load32S { width, d, addr, offset } => load!(width, d, addr, offset, 4, ConvOp::SExt),
                Instr::Load64 { d, addr, offset } => load!(64, d, addr, offset, 8, ConvOp::ZExt),
                Instr::Store8 { addr, value, offset } => store!(addr, value, offset, 1),
                Instr::Store16 { addr, value, offset } => store!(addr, value, offset, 2),
                Instr::Store32 { addr, value, offset } => store!(addr, value, offset, 4),
                Instr::Store64 { addr, value, offset } => store!(addr, value, offset, 8),
                Instr::Br { cost, target } => {
                    charge!(cost);
                    pc = target as usize;
                }
                Instr::BrIf { cost, cond, target } => {
                    if let Some(comparison) = M::unmade(regs[cond as usize]) {
                        settled!(settled_flag::<_>(comparison, true), cost, target, slow!(open_unmade(comparison, true, cost, target)));
                        continue;
                    }
                    branch!(M::truth(terms, regs[cond as usize]), cost, target)
                }
                Instr::BrIfZ { cost, cond, target } => {
                    if let Some(comparison) = M::unmade(regs[cond as usize]) {
                        settled!(settled_flag::<_>(comparison, false), cost, target, slow!(open_unmade(comparison, false, cost, target)));
                        continue;
                    }
                    match M::truth(terms, regs[cond as usize]) {
                        Truth::Known(b) => branch!(Truth::Known(!b), cost, target),
                        Truth::Open(c) => slow!(open_branch_if_zero(c, cost, target)),
                    }
                }
                Instr::BrTable { cost, index, first, len } => match M::bits(regs[index as usize]) {
                    Some(i) => {
                        charge!(cost);
                        meter.raw.branches += 1;
                        let i = (i as u32).min(len - 1);
                        pc = body.targets[(first + i) as usize] as usize;
                    }
                    None => slow!(branch_table(cost, index, first, len)),
                },
                Instr::Select { width, d, b, cond } => match M::truth(terms, regs[cond as usize]) {
                    Truth::Known(keep) => {
                        meter.raw.branches += 1;
                        if meter.is_on() {
                            state.profile.branch(frame.func, pc, keep);
                        }
                        if !keep {
                            regs[d as usize] = regs[b as usize];
                        }
                        pc += 1;
                    }
                    Truth::Open(c) => slow!(select(c, width, d, b)),
                },
                Instr::SelectVector { at } => match M::truth(terms, regs[at as usize + 4]) {
                    Truth::Known(keep) => {
                        meter.raw.branches += 1;
                        if meter.is_on() {
                            state.profile.branch(frame.func, pc, keep);
                        }
                        if !keep {
                            regs.copy_within(at as usize + 2..at as usize + 4, at as usize);
                        }
                        pc += 1;
                    }
                    Truth::Open(c) => slow!(select_vector(c, at)),
                },
                Instr::Vector { op, at } => {
                    vector::execute::<M>(terms, op, &mut regs[at as usize..], body.site_at[pc]);
                    pc += 1;
                }
                Instr::SignExtend { from, width, d, a } => {
                    let low = M::conv(terms, ConvOp::Trunc, width, from, regs[a as usize]);
                    regs[d as usize] = M::conv(terms, ConvOp::SExt, from, width, low);
                    pc += 1;
                }
                Instr::F32Neg { d, a } => {
                    regs[d as usize] = M::bin(terms, BinOp::Xor, 32, regs[a as usize], M::value(1 << 31));
                    pc += 1;
                }
                Instr::F64Neg { d, a } => {
                    regs[d as usize] = M::bin(terms, BinOp::Xor, 64, regs[a as usize], M::value(1 << 63));
                    pc += 1;
                }
                Instr::F32Abs { d, a } => {
                    regs[d as usize] = M::bin(terms, BinOp::And, 32, regs[a as usize], M::value((1 << 31) - 1));
                    pc += 1;
                }
                Instr::F64Abs { d, a } => {
                    regs[d as usize] = M::bin(terms, BinOp::And, 64, regs[a as usize], M::value((1 << 63) - 1));
                    pc += 1;
                }
                Instr::F32Copysign { d, a, b } => {
                    regs[d as usize] = copysign::<M>(terms, 32, regs[a as usize], regs[b as usize]);
                    pc += 1;
                }
                Instr::F64Copysign { d, a, b } => {
                    regs[d as usize] = copysign::<M>(terms, 64, regs[a as usize], regs[b as usize]);
                    pc += 1;
                }
                Instr::GlobalGet { d, global } => {
                    regs[d as usize] = state.globals[instance.globals[global as usize] as usize];
                    pc += 1;
                }
                Instr::GlobalSet { a, global } => {
                    state.globals[instance.globals[global as usize] as usize] = regs[a as usize];
                    pc += 1;
                }
                Instr::MemorySize { d } => {
                    regs[d as usize] = M::value(u64::from(memory.pages()));
                    pc += 1;
                }
                Instr::Charge { cost } => {
                    charge!(cost);
                    pc += 1;
                }
                Instr::Probe { id } => {
                    if let Some(count) = state.probes.get_mut(id as usize) {
                        *count += u64::from(meter.is_on());
                    }
                    pc += 1;
                }
                Instr::RefFunc { d, func } => {
                    regs[d as usize] = M::value(u64::from(instance.funcs[func as usize].0) + 1);
                    pc += 1;
                }
                Instr::RefIsNull { d, a } => {
                    regs[d as usize] = M::value(u64::from(M::bits(regs[a as usize]) == Some(0)));
                    pc += 1;
                }
                Instr::Call { cost, func, at } => {
                    if let Some(door) = instance.program.allocator_door(slowpath_program::FuncIdx(func)) {
                        slow!(call_allocator(door, cost, func, at));
                    }
                    charge!(cost);
                    meter.save();
                    meter.raw.calls += 1;
                    save!();
                    // The frame goes on behind the call when the callee returns.
                    if let Some(f) = state.frames.last_mut() {
                        f.pc += 1;
                    }
                    let (callee, at) = (slowpath_program::FuncIdx(func), frame.base + at);
                    if let Err(trap) = state.enter(&store, frame.instance, callee, at) {
                        return Event::Done(Outcome::Trapped(trap));
                    }
                    continue 'frame;
                }
                Instr::Return { cost } => {
                    charge!(cost);
                    meter.save();
                    state.frames.pop();
                    continue 'frame;
                }
                Instr::Return1 { cost, a } => {
                    charge!(cost);
                    meter.save();
                    regs[0] = regs[a as usize];
                    state.frames.pop();
                    continue 'frame;
                }
                Instr::Unreachable { cost } => {
                    charge!(cost);
                    meter.save();
                    trap!(Trap::Unreachable);
                }
                Instr::MemoryGrow { d, a } => slow!(memory_grow(d, a)),
                Instr::MemoryCopy { at } => slow!(memory_copy(at)),
                Instr::MemoryFill { at } => slow!(memory_fill(at)),
                Instr::MemoryInit { at, segment } => slow!(memory_init(at, segment)),
                Instr::DataDrop { segment } => slow!(data_drop(segment)),
                Instr::TableGet { d, a, table } => slow!(table_get(d, a, table)),
                Instr::TableSet { table, index, value } => slow!(table_set(table, index, value)),
                Instr::TableSize { d, table } => slow!(table_size(d, table)),
                Instr::TableGrow { at, table } => slow!(table_grow(at, table)),
                Instr::TableFill { at, table } => slow!(table_fill(at, table)),
                Instr::TableCopy { at, to, from } => slow!(table_copy(at, to, from)),
                Instr::TableInit { at, table, segment } => slow!(table_init(at, table, segment)),
                Instr::ElemDrop { segment } => slow!(elem_drop(segment)),
                Instr::CallImport { cost, func, at } => slow!(call_import(cost, func, at, false)),
                Instr::ReturnCallImport { cost, func, at } => slow!(call_import(cost, func, at, true)),
                Instr::CallIndirect { cost, signature, index, at } => slow!(call_indirect(cost, signature, index, at, false)),
                Instr::ReturnCallIndirect { cost, signature, index, at } => {
                    slow!(call_indirect(cost, signature, index, at, true))
                }
                Instr::ReturnCall { cost, func } => slow!(return_call(cost, func)),
            ]);
        }
    }
}

/// Why a store was refused: it may be run again when there is room.
#[cold]
pub(crate) fn refused(lacking: u64) -> Event {
    if lacking > 0 { Event::Room(lacking) } else { Event::Done(Outcome::Trapped(Trap::MemoryOutOfBounds)) }
}

#[inline(always)]
fn copysign<M: Mode>(terms: &mut Terms, width: u8, a: M::Value, b: M::Value) -> M::Value {
    let sign = 1u64 << (width - 1);
    let magnitude = M::bin(terms, BinOp::And, width, a, M::value(sign - 1));
    let sign = M::bin(terms, BinOp::And, width, b, M::value(sign));
    M::bin(terms, BinOp::Or, width, magnitude, sign)
}
