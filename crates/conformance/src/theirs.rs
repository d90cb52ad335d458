//! A module on wasmtime, counting fuel.

use std::sync::LazyLock;

use slowpath_program::{Trap, ValType};
use wasmtime::{Config, Instance, Module, OptLevel, Store, StoreLimits, StoreLimitsBuilder, Strategy, Val};

use crate::engine::{Ending, Engine, FUEL, MEMORY, Report, Snapshot, TABLE};

/// Stack for compiled code; callers need a thread with more than that.
pub const STACK: usize = 128 << 20;

static ENGINE: LazyLock<wasmtime::Engine> = LazyLock::new(|| {
    let mut config = Config::new();
    config.strategy(Strategy::Cranelift);
    config.cranelift_opt_level(OptLevel::None);
    config.cranelift_nan_canonicalization(true);
    config.consume_fuel(true);
    config.max_wasm_stack(STACK);
    config.async_stack_size(2 * STACK);
    config.memory_reservation(1 << 20);
    config.memory_guard_size(0);
    wasmtime::Engine::new(&config).expect("wasmtime accepts the configuration")
});

/// An instance of a module on wasmtime.
pub struct Theirs {
    module: Module,
    store: Store<StoreLimits>,
    instance: Option<Instance>,
}

/// Compiles a module; `None` if wasmtime cannot.
pub fn compile(wasm: &[u8]) -> Option<Module> {
    Module::new(&ENGINE, wasm).ok()
}

impl Theirs {
    /// Not instantiated yet: `start` does that.
    pub fn new(module: &Module) -> Theirs {
        let limits = StoreLimitsBuilder::new().memory_size(MEMORY as usize).table_elements(TABLE as usize).build();
        let mut store = Store::new(&ENGINE, limits);
        store.limiter(|limits| limits);
        Theirs { module: module.clone(), store, instance: None }
    }

    fn refuel(&mut self) {
        self.store.set_fuel(FUEL).expect("fuel is on");
    }

    fn used(&self) -> u64 {
        FUEL - self.store.get_fuel().expect("fuel is on")
    }

    /// Everything exported, in order.
    fn exports(&mut self) -> Vec<wasmtime::Extern> {
        let instance = self.instance.expect("started");
        let names: Vec<String> = self.module.exports().map(|e| e.name().to_owned()).collect();
        names.iter().map(|name| instance.get_export(&mut self.store, name).expect("it is exported")).collect()
    }
}

fn ending(error: &wasmtime::Error) -> Ending {
    use wasmtime::Trap as Theirs;
    Ending::Trapped(match error.downcast_ref::<Theirs>() {
        Some(Theirs::OutOfFuel) => return Ending::OutOfFuel,
        Some(Theirs::UnreachableCodeReached) => Trap::Unreachable,
        Some(Theirs::IntegerDivisionByZero) => Trap::DivisionByZero,
        Some(Theirs::IntegerOverflow) => Trap::IntegerOverflow,
        Some(Theirs::BadConversionToInteger) => Trap::InvalidConversion,
        Some(Theirs::MemoryOutOfBounds) => Trap::MemoryOutOfBounds,
        Some(Theirs::TableOutOfBounds) => Trap::TableOutOfBounds,
        Some(Theirs::IndirectCallToNull) => Trap::NullFunction,
        Some(Theirs::BadSignature) => Trap::IndirectCallMismatch,
        Some(Theirs::StackOverflow) => Trap::StackOverflow,
        other => panic!("wasmtime failed: {other:?} {error:?}"),
    })
}

/// The bits of values, as we have them: of a vector two times 64.
fn all_bits(values: &[Val]) -> Vec<u64> {
    let halves = |value: &Val| match value {
        Val::V128(v) => vec![v.as_u128() as u64, (v.as_u128() >> 64) as u64],
        other => vec![bits(other)],
    };
    values.iter().flat_map(halves).collect()
}

fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(v) => u64::from(*v as u32),
        Val::I64(v) => *v as u64,
        Val::F32(bits) => u64::from(*bits),
        Val::F64(bits) => *bits,
        Val::FuncRef(f) => u64::from(f.is_some()),
        Val::ExternRef(e) => u64::from(e.is_some()),
        other => panic!("a value of no supported type: {other:?}"),
    }
}

impl Engine for Theirs {
    fn name(&self) -> &'static str {
        "wasmtime"
    }

    fn start(&mut self) -> Report {
        self.refuel();
        let ending = match Instance::new(&mut self.store, &self.module, &[]) {
            Ok(instance) => {
                self.instance = Some(instance);
                Ending::Returned(Vec::new())
            }
            Err(error) => ending(&error),
        };
        Report { ending, fuel: self.used(), spent: self.used() }
    }

    fn call(&mut self, export: &str, args: &[(ValType, u64)]) -> Report {
        let instance = self.instance.expect("started");
        let func = instance.get_func(&mut self.store, export).expect("an export of the module");
        let high = |i: usize| args.get(i + 1).map_or(0, |(_, bits)| u128::from(*bits));
        let given = args.iter().enumerate().filter(|(_, (ty, _))| *ty != ValType::V128High);
        let args: Vec<Val> = given
            .map(|(i, (ty, bits))| match ty {
                ValType::I32 => Val::I32(*bits as i32),
                ValType::I64 => Val::I64(*bits as i64),
                ValType::F32 => Val::F32(*bits as u32),
                ValType::F64 => Val::F64(*bits),
                ValType::FuncRef => Val::FuncRef(None),
                ValType::ExternRef => Val::ExternRef(None),
                ValType::V128Low | ValType::V128High => Val::V128((high(i) << 64 | u128::from(*bits)).into()),
            })
            .collect();
        let mut results = vec![Val::I32(0); func.ty(&self.store).results().len()];
        self.refuel();
        let ending = match func.call(&mut self.store, &args, &mut results) {
            Ok(()) => Ending::Returned(all_bits(&results)),
            Err(error) => ending(&error),
        };
        Report { ending, fuel: self.used(), spent: self.used() }
    }

    fn snapshot(&mut self) -> Snapshot {
        let mut out = Snapshot::default();
        for export in self.exports() {
            match export {
                wasmtime::Extern::Memory(memory) => out.memories.push(memory.data(&self.store).to_vec()),
                wasmtime::Extern::Global(global) => out.globals.extend(all_bits(&[global.get(&mut self.store)])),
                wasmtime::Extern::Table(table) => {
                    let size = table.size(&self.store);
                    let entries = (0..size).map(|i| table.get(&mut self.store, i).expect("within the table").is_null());
                    out.tables.push(entries.collect());
                }
                _ => {}
            }
        }
        out
    }
}
