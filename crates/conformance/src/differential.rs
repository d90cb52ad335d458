//! One module on several engines: the same results, traps, memory, globals, tables and fuel, call for call.

use std::sync::Arc;

use slowpath_machine::{Concrete, Symbolic};
use slowpath_program::{Export, ExternKind, FuncIdx, Instr, Probes, Program, Trap, ValType, load};

use crate::engine::{Ending, Engine, FUEL, Report, Snapshot};
use crate::ours::{Inputs, Ours};
use crate::rng::Rng;
use crate::theirs::{self, Theirs};

/// What was compared, over many modules.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    pub modules: usize,
    /// Modules whose instantiation traps.
    pub not_started: usize,
    pub calls: usize,
    pub returned: usize,
    pub trapped: usize,
    pub out_of_fuel: usize,
    pub questions: usize,
    pub fuel: u64,
}

impl Stats {
    fn add(&mut self, report: &Report) {
        self.calls += 1;
        self.fuel += report.fuel;
        match report.ending {
            Ending::Returned(_) => self.returned += 1,
            Ending::Trapped(_) => self.trapped += 1,
            Ending::OutOfFuel => self.out_of_fuel += 1,
        }
    }
}

/// A module that all engines have read; to compile it takes far longer than to call it.
#[derive(Clone)]
pub struct Ready {
    program: Arc<Program>,
    module: wasmtime::Module,
}

impl Ready {
    /// Reads a valid module for all engines. `Ok(None)` if wasmtime cannot compile it.
    pub fn new(wasm: &[u8]) -> Result<Option<Ready>, String> {
        let program = load(wasm, &Probes::default()).map_err(|e| format!("a valid module is refused: {e}"))?;
        Ok(theirs::compile(wasm).map(|module| Ready { program: Arc::new(program), module }))
    }

    /// Calls each exported function on all engines, in a fresh instance, with the arguments of a seed; the first difference is an error.
    pub fn compare(&self, seed: u64, stats: &mut Stats) -> Result<(), String> {
        stats.modules += 1;
        let mut rng = Rng::new(seed ^ 0xA5A5);
        for (i, export) in self.program.exports.iter().filter(|e| e.kind == ExternKind::Func).enumerate() {
            compare_function(&self.program, &self.module, export, seed.wrapping_add(i as u64), &mut rng, stats)?;
        }
        Ok(())
    }
}

/// Runs a module on all engines. `Ok(false)` if wasmtime cannot compile it.
pub fn compare(wasm: &[u8], seed: u64, stats: &mut Stats) -> Result<bool, String> {
    match Ready::new(wasm)? {
        Some(ready) => ready.compare(seed, stats).map(|()| true),
        None => Ok(false),
    }
}

/// Three calls of one function on all engines, and what they leave behind.
fn compare_function(
    program: &Arc<Program>,
    module: &wasmtime::Module,
    export: &Export,
    seed: u64,
    rng: &mut Rng,
    stats: &mut Stats,
) -> Result<(), String> {
    let mut theirs = Theirs::new(module);
    let mut concrete = Ours::<Concrete>::new("concrete", program, Inputs::Plain);
    let mut plain = Ours::<Symbolic>::new("symbolic with plain inputs", program, Inputs::Plain);
    let mut guided = Ours::<Symbolic>::new("symbolic", program, Inputs::Symbolic { seed });
    let mut ours: [&mut dyn Engine; 3] = [&mut concrete, &mut plain, &mut guided];

    let expected = theirs.start();
    let mut running = !matches!(expected.ending, Ending::Trapped(_));
    stats.not_started += usize::from(!running);
    for engine in &mut ours {
        let mut got = engine.start();
        // Wasmtime compiles initialisation to a function of its own, which uses fuel too.
        if got.ending == expected.ending {
            got.fuel = expected.fuel;
        }
        running &= agree("start", engine.name(), &expected, &got)?;
    }
    let hopeless = has_hopeless_access(program);
    for _ in 0..3 {
        if !running {
            return Ok(());
        }
        let params = &program.func_type(FuncIdx(export.index)).params;
        let args: Vec<(ValType, u64)> = params.iter().map(|ty| (*ty, argument(*ty, rng))).collect();
        let expected = theirs.call(&export.name, &args);
        stats.add(&expected);
        for engine in &mut ours {
            let place = format!("{:?}({args:x?})", export.name);
            let mut got = engine.call(&export.name, &args);
            // Where wasmtime sees that an access can never succeed, it saves its fuel before it.
            if hopeless && got.ending == Ending::Trapped(Trap::MemoryOutOfBounds) && got.fuel <= expected.fuel {
                got.fuel = expected.fuel;
            }
            running &= agree(&place, engine.name(), &expected, &got)?;
        }
    }
    if running {
        let expected = theirs.snapshot();
        for engine in &mut ours {
            same_state(engine.name(), &expected, &engine.snapshot())?;
        }
    }
    stats.questions += guided.questions;
    Ok(())
}

/// Whether the module has a memory access whose offset alone lies past all the memory it may ever have.
fn has_hopeless_access(program: &Program) -> bool {
    let most = program.memories.first().map_or(0, |m| u64::from(m.max.unwrap_or(65_536)) << 16);
    let offset = |instr: &Instr| match *instr {
        Instr::Load8U { offset, .. } | Instr::Load8S { offset, .. } | Instr::Store8 { offset, .. } => offset,
        Instr::Load16U { offset, .. } | Instr::Load16S { offset, .. } | Instr::Store16 { offset, .. } => offset,
        Instr::Load32U { offset, .. } | Instr::Load32S { offset, .. } | Instr::Store32 { offset, .. } => offset,
        Instr::Load64 { offset, .. } | Instr::Store64 { offset, .. } => offset,
        _ => 0,
    };
    let bodies = program.funcs.iter().filter_map(|f| f.body.as_ref());
    bodies.flat_map(|b| &b.code).any(|instr| u64::from(offset(instr)) + 8 > most)
}

/// Whether two reports agree. `Ok(false)` means they do, but the engines stopped at different places for want of fuel:
/// nothing more can be compared.
fn agree(place: &str, engine: &str, expected: &Report, got: &Report) -> Result<bool, String> {
    // Wasmtime looks at its fuel when it enters a function or a loop and before bulk operations, the machine at every branch.
    let is_out = |report: &Report| report.ending == Ending::OutOfFuel || report.spent >= FUEL;
    if is_out(expected) && is_out(got) {
        return Ok(false);
    }
    if (&expected.ending, expected.fuel) != (&got.ending, got.fuel) {
        return Err(format!("{place}: wasmtime {expected:x?}, {engine} {got:x?}"));
    }
    Ok(true)
}

fn same_state(engine: &str, expected: &Snapshot, got: &Snapshot) -> Result<(), String> {
    if expected.globals != got.globals {
        return Err(format!("globals: wasmtime {:x?}, {engine} {:x?}", expected.globals, got.globals));
    }
    if expected.tables != got.tables {
        return Err(format!("tables: wasmtime {:?}, {engine} {:?}", expected.tables, got.tables));
    }
    for (theirs, ours) in expected.memories.iter().zip(&got.memories) {
        if theirs.len() != ours.len() {
            return Err(format!("memory: wasmtime has {} bytes, {engine} {}", theirs.len(), ours.len()));
        }
        if theirs != ours
            && let Some(at) = (0..theirs.len()).find(|&i| theirs[i] != ours[i])
        {
            return Err(format!("memory at {at:#x}: wasmtime {:#x}, {engine} {:#x}", theirs[at], ours[at]));
        }
    }
    Ok(())
}

/// Small numbers, borders and anything; references are null.
fn argument(ty: ValType, rng: &mut Rng) -> u64 {
    let any = rng.next_u64();
    let bits = match (ty, rng.below(6)) {
        (ValType::FuncRef | ValType::ExternRef, _) => return 0,
        (_, 0) => 0,
        (_, 1) => any % 64,
        (_, 2) => any % (1 << 17),
        (ValType::F32, 3) => u64::from((any as i32 as f32 / 1000.0).to_bits()),
        (ValType::F64, 3) => (any as i64 as f64 / 1e9).to_bits(),
        (ValType::F32, 4) => [0x7fc0_0000, 0x7f80_0000, 0xff80_0001, 0x8000_0000][any as usize % 4],
        (ValType::F64, 4) => [0x7ff8 << 48, 0x7ff0 << 48, (0xfff0 << 48) | 1, 1 << 63][any as usize % 4],
        (ValType::I32, 3) => 1 << 31,
        (ValType::I64, 3) => 1 << 63,
        (_, 4) => u64::MAX,
        _ => any,
    };
    if ty.width() == 32 { bits & u64::from(u32::MAX) } else { bits }
}
