//! From a loaded program to a state about to execute its entry: instantiate, initialise, place the inputs.

use std::sync::Arc;

use slowpath_program::call::{Arg, CallError as SignatureError, CallSpec, ElemType, Entry, InputSpec, harness_args};
use slowpath_program::{FuncIdx, Program, Trap, ValType};
use slowpath_term::{BinOp, CmpOp, TermId, Terms};

use crate::host::{InputSource, Values};
use crate::instantiate::{InstantiateError, Linker};
use crate::memory::{Memory, WASM_PAGE};
use crate::mode::Mode;
use crate::state::{CallError, Limits, State};
use crate::store::InstanceId;
use crate::tokens::{Tokens, Unwritten};
use crate::utf8;

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Instantiate(#[from] InstantiateError),
    #[error(transparent)]
    Signature(#[from] SignatureError),
    #[error("the module's {what} cannot be run: {why}")]
    Initialise { what: &'static str, why: String },
    #[error(
        "no room for the inputs: {pages} more pages of memory are needed, past the limit; raise it with --max-memory, or use smaller sizes"
    )]
    NoRoom { pages: u32 },
    #[error("the module has no memory, so array inputs cannot be passed to it")]
    NoMemory,
    #[error("{0}")]
    Entry(Trap),
}

/// A state about to run, and what holds of its inputs from the start (their ranges).
pub struct Started<M: Mode> {
    pub state: State<M>,
    pub assumptions: Vec<TermId>,
    pub instance: InstanceId,
}

/// Prepares a run of `entry` at size `n`.
pub fn start<M: Mode>(
    terms: &mut Terms,
    program: &Arc<Program>,
    function: FuncIdx,
    entry: &Entry,
    n: i64,
    source: InputSource,
    limits: Limits,
) -> Result<Started<M>, StartError> {
    let mut state = State::<M>::new(limits);
    state.set_input_source(source);
    let mut assumptions = Vec::new();
    for (input, values) in state.furnish(terms, &program.world, n)? {
        values.iter().for_each(|value| assume_range::<M>(terms, &input, *value, &mut assumptions));
    }
    let instance = state.instantiate(terms, program, &Linker::default())?;
    initialise(&mut state, terms, program, instance, function)?;
    let params = program.func_type(function).params.clone();
    let args = match entry {
        Entry::Harness { name } => harness_args(name, &params, n)?.into_iter().map(M::value).collect(),
        Entry::Call(spec) => place(&mut state, terms, program, instance, spec, &params, n, &mut assumptions)?,
    };
    let addr = state.store().instance(instance).funcs[function.index()];
    state.reset_meter();
    state.call(addr, &args).map_err(StartError::Entry)?;
    Ok(Started { state, assumptions, instance })
}

/// What runs before anything counts: a reactor's `_initialize`, and a first look at the allocator.
fn initialise<M: Mode>(
    state: &mut State<M>,
    terms: &mut Terms,
    program: &Program,
    instance: InstanceId,
    function: FuncIdx,
) -> Result<(), StartError> {
    let run = |state: &mut State<M>, terms: &mut Terms, func: FuncIdx, args: &[M::Value], what| {
        let addr = state.store().instance(instance).funcs[func.index()];
        state.call_through(terms, addr, args).map_err(|e| StartError::Initialise {
            what,
            why: match e {
                CallError::Trapped(trap) => trap.to_string(),
                CallError::Stopped(why) => why.to_owned(),
            },
        })
    };
    if let Some(init) = program.initialiser().filter(|f| *f != function) {
        run(state, terms, init, &[], "function _initialize")?;
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn place<M: Mode>(
    state: &mut State<M>,
    terms: &mut Terms,
    program: &Program,
    instance: InstanceId,
    spec: &CallSpec,
    params: &[ValType],
    n: i64,
    assumptions: &mut Vec<TermId>,
) -> Result<Vec<M::Value>, StartError> {
    spec.check(params)?;
    if spec.has_arrays() {
        if program.memories.is_empty() {
            return Err(StartError::NoMemory);
        }
        // Some C libraries take all memory up to its end for their heap at the first `malloc`: let that happen before the
        // arrays are placed behind it.
        if let Some(malloc) = program.allocator() {
            let addr = state.store().instance(instance).funcs[malloc.index()];
            state
                .call_through(terms, addr, &[M::value(1)])
                .map_err(|e| StartError::Initialise { what: "allocator", why: format!("{e:?}") })?;
        }
    }
    let layout = spec.layout(n, state.memory(instance).size())?;
    grow(state, instance, layout.pages)?;
    for fixed in &layout.fixed {
        for (address, byte) in (u64::from(fixed.address)..).zip(&fixed.bytes) {
            state.memory_mut(instance).store(terms, address, 1, M::value(u64::from(*byte)));
        }
    }
    let (mut scalars, mut tokens) = (Vec::new(), Vec::new());
    for (index, input) in layout.inputs.iter().enumerate() {
        let values = state.new_input(terms, &input.name, input.ty, input.scalar, input.count, Values::of_input(input));
        for value in &values {
            assume_range::<M>(terms, input, *value, assumptions);
            assume_among::<M>(terms, input, *value, assumptions);
        }
        assume_utf8::<M>(terms, input, &values, assumptions);
        for (i, value) in (0..).zip(&values) {
            if let Some(address) = input.element_address(i) {
                let bytes = input.ty.bytes() as u8;
                state.memory_mut(instance).store(terms, u64::from(address), bytes, *value);
            }
        }
        if let (Some(words), Some(address)) = (&input.words, input.address) {
            let positions = (0..layout.args.len()).filter(|k| layout.args[*k] == Arg::Length(index)).collect();
            let places = layout.lengths.iter().filter(|place| place.input == index).copied().collect();
            let (words, numbers) = (words.clone(), values.clone());
            tokens.push(Tokens { words, numbers, address, lengths: positions, places });
        }
        scalars.push(values.first().copied().map(|v| State::<M>::as_argument(terms, input.ty, v)));
    }
    let mut args = Vec::new();
    for (position, (arg, ty)) in layout.args.iter().zip(params).enumerate() {
        args.push(match arg {
            Arg::Input(i) => scalars.get(*i).copied().flatten().unwrap_or(M::value(0)),
            Arg::Length(_) | Arg::Pointer(_) | Arg::Value(_) => M::value(layout.arg_bits(position, *ty, |_| 0)?),
        });
    }
    state.unwritten = Unwritten::new(tokens, instance);
    Ok(args)
}

fn grow<M: Mode>(state: &mut State<M>, instance: InstanceId, pages: u32) -> Result<(), StartError> {
    if pages == 0 {
        return Ok(());
    }
    let index = state.store().instance(instance).memory as usize;
    let max = u64::from(state.store().memory_max[index].unwrap_or(65_536).min(65_536));
    let now = u64::from(state.memory(instance).pages()) + u64::from(pages);
    if now > max || now * WASM_PAGE > state.limits().memory {
        return Err(StartError::NoRoom { pages });
    }
    state.memory_mut(instance).grow(pages);
    Ok(())
}

/// The range of an input as conditions on its term.
fn assume_range<M: Mode>(terms: &mut Terms, input: &InputSpec, value: M::Value, out: &mut Vec<TermId>) {
    let (Some((low, high)), Some(term)) = (input.range, M::term(terms, value)) else { return };
    let width = terms.width(term);
    if input.ty == ElemType::Bool && (low, high) == (0, 1) {
        return;
    }
    let (op, bits): (CmpOp, fn(ElemType, i128) -> u64) = match input.ty {
        ElemType::F32 => (CmpOp::FLe, |_, v| u64::from((v as f32).to_bits())),
        ElemType::F64 => (CmpOp::FLe, |_, v| (v as f64).to_bits()),
        ty if ty.is_signed() => (CmpOp::Sle, |ty, v| v as u64 & ty.mask()),
        _ => (CmpOp::Ule, |ty, v| v as u64 & ty.mask()),
    };
    let (low, high) = (terms.constant(width, bits(input.ty, low)), terms.constant(width, bits(input.ty, high)));
    for cond in [terms.cmp(op, low, term), terms.cmp(op, term, high)] {
        if terms.as_const(cond) != Some(1) {
            out.push(cond);
        }
    }
}

/// That the rows of a text are valid UTF-8.
fn assume_utf8<M: Mode>(terms: &mut Terms, input: &InputSpec, values: &[M::Value], out: &mut Vec<TermId>) {
    if !input.is_utf8 {
        return;
    }
    for row in values.chunks(input.row()) {
        let bytes: Option<Vec<TermId>> = row.iter().map(|value| M::term(terms, *value)).collect();
        out.extend(bytes.map(|bytes| utf8::conditions(terms, &bytes)).unwrap_or_default());
    }
}

/// That an input is one of the values its call names, as one condition: it lies in one of the runs of these.
fn assume_among<M: Mode>(terms: &mut Terms, input: &InputSpec, value: M::Value, out: &mut Vec<TermId>) {
    let (Some(among), Some(term)) = (&input.among, M::term(terms, value)) else { return };
    let op = if input.ty.is_signed() { CmpOp::Sle } else { CmpOp::Ule };
    let width = terms.width(term);
    let runs = among.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let mut any = terms.constant(1, 0);
    for run in runs {
        let (Some(low), Some(high)) = (run.first(), run.last()) else { continue };
        let (low, high) = (*low as u64 & input.ty.mask(), *high as u64 & input.ty.mask());
        let inside = if low == high {
            let only = terms.constant(width, low);
            terms.cmp(CmpOp::Eq, term, only)
        } else {
            let (low, high) = (terms.constant(width, low), terms.constant(width, high));
            let (above, below) = (terms.cmp(op, low, term), terms.cmp(op, term, high));
            terms.bin(BinOp::And, above, below)
        };
        any = terms.bin(BinOp::Or, any, inside);
    }
    if terms.as_const(any) != Some(1) {
        out.push(any);
    }
}
