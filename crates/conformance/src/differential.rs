//! One module on several engines: the same results, traps, memory, globals, tables and fuel, call for call.

use slowpath_machine::{Concrete, Symbolic};
use slowpath_program::{ExternKind, Probes, Program, Trap, ValType, load};

use crate::ours::{Inputs, Ours};
use crate::rng::Rng;
use crate::theirs::Theirs;

/// Fuel for one call.
pub const FUEL: u64 = 20_000;
/// Bytes of linear memory on both sides.
pub const MEMORY: u64 = 16 << 16;
/// Elements of a table on both sides.
pub const TABLE: u64 = 1000;

/// How a call ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// The bits of each result; a reference is 0 or 1.
    Returned(Vec<u64>),
    Trapped(Trap),
    OutOfFuel,
}

/// A call as one engine saw it. On a trap the fuel is what wasmtime shows then.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub ending: Ending,
    pub fuel: u64,
}

/// Everything a module exports, at one moment. An entry of a table is whether it is null.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    pub memories: Vec<Vec<u8>>,
    pub globals: Vec<u64>,
    pub tables: Vec<Vec<bool>>,
}

/// An instance on one engine.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Instantiates the module and runs its start function.
    fn start(&mut self) -> Report;
    fn call(&mut self, export: &str, args: &[(ValType, u64)]) -> Report;
    fn snapshot(&mut self) -> Snapshot;
}

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

/// Runs a module on all engines; the first difference is an error. `Ok(false)` if wasmtime cannot compile it (built without a
/// garbage collector, it knows no externref).
pub fn compare(wasm: &[u8], seed: u64, stats: &mut Stats) -> Result<bool, String> {
    let program = load(wasm, &Probes::default()).map_err(|e| format!("a valid module is refused: {e}"))?;
    let program = std::sync::Arc::new(program);
    let Some(mut theirs) = Theirs::new(wasm) else { return Ok(false) };
    let mut concrete = Ours::<Concrete>::new("concrete", &program, Inputs::Plain);
    let mut plain = Ours::<Symbolic>::new("symbolic with plain inputs", &program, Inputs::Plain);
    let mut guided = Ours::<Symbolic>::new("symbolic", &program, Inputs::Symbolic { seed });
    let mut ours: [&mut dyn Engine; 3] = [&mut concrete, &mut plain, &mut guided];
    stats.modules += 1;
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
    let mut rng = Rng::new(seed ^ 0xA5A5);
    for (export, args) in calls(&program, &mut rng) {
        if !running {
            break;
        }
        let expected = theirs.call(&export, &args);
        stats.calls += 1;
        stats.fuel += expected.fuel;
        match expected.ending {
            Ending::Returned(_) => stats.returned += 1,
            Ending::Trapped(_) => stats.trapped += 1,
            Ending::OutOfFuel => stats.out_of_fuel += 1,
        }
        for engine in &mut ours {
            let place = format!("{export}({args:x?})");
            running &= agree(&place, engine.name(), &expected, &engine.call(&export, &args))?;
        }
    }
    if running {
        let expected = theirs.snapshot();
        for engine in &mut ours {
            same_state(engine.name(), &expected, &engine.snapshot())?;
        }
    }
    stats.questions += guided.questions;
    Ok(true)
}

/// Whether two reports agree. `Ok(false)` means they do, but the engines stopped at different places for want of fuel:
/// nothing more can be compared.
fn agree(place: &str, engine: &str, expected: &Report, got: &Report) -> Result<bool, String> {
    // Wasmtime looks at its fuel only when it enters a function or a loop, the machine at every branch.
    let theirs_is_out = expected.ending == Ending::OutOfFuel || expected.fuel >= FUEL;
    let ours_is_out = got.ending == Ending::OutOfFuel || got.fuel >= FUEL;
    if theirs_is_out || ours_is_out {
        return match theirs_is_out && ours_is_out {
            true => Ok(false),
            false => Err(format!("{place}: wasmtime {expected:x?}, {engine} {got:x?}")),
        };
    }
    if expected != got {
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
        if let Some(at) = (0..theirs.len()).find(|&i| theirs[i] != ours[i]) {
            return Err(format!("memory at {at:#x}: wasmtime {:#x}, {engine} {:#x}", theirs[at], ours[at]));
        }
    }
    Ok(())
}

/// Three calls of each exported function.
fn calls(program: &Program, rng: &mut Rng) -> Vec<(String, Vec<(ValType, u64)>)> {
    let functions = program.exports.iter().filter(|e| e.kind == ExternKind::Func);
    functions
        .flat_map(|export| {
            let params = &program.func_type(slowpath_program::FuncIdx(export.index)).params;
            let mut tuple = |_| (export.name.clone(), params.iter().map(|ty| (*ty, argument(*ty, rng))).collect());
            (0..3).map(&mut tuple).collect::<Vec<_>>()
        })
        .collect()
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
