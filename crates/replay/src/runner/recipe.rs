//! Everything that does not change from run to run, shared by the threads that run.

use slowpath_program::call::Entry;
use slowpath_program::instrument::{Counted, with_counters};
use slowpath_program::{Instr, Program, World};
use wasmtime::{Config, Engine, InstancePre, OperatorCost};

use crate::error::{ReplayError, text};
use crate::host::{self, Host};
use crate::{ReplayLimits, engine_config};
use crate::{compile, costs};

/// The function to be run, with counters, and within which limits.
pub(super) struct Recipe {
    /// The module as it was given.
    pub wasm: Vec<u8>,
    pub function: u32,
    pub entry: Entry,
    pub limits: ReplayLimits,
    pub world: World,
    pub counted: Counted,
    /// How many sites the program has; those with counters are a part of them.
    pub sites: usize,
    /// Whether the program can ask for inputs while it runs.
    pub asks_for_inputs: bool,
    /// Whether the program can change a table or drop a segment, which cannot be undone.
    pub is_irreversible: bool,
}

impl Recipe {
    pub(super) fn new(
        program: &Program,
        wasm: &[u8],
        function: u32,
        entry: &Entry,
        limits: ReplayLimits,
    ) -> Result<Recipe, ReplayError> {
        Ok(Recipe {
            wasm: wasm.to_vec(),
            function,
            entry: entry.clone(),
            limits,
            world: program.world.clone(),
            counted: with_counters(program, wasm, function)?,
            sites: program.sites.len(),
            asks_for_inputs: program.imports.iter().any(|import| host::gives_inputs(&import.module, &import.name))
                || program.world.has_unknown(),
            is_irreversible: is_irreversible(program),
        })
    }

    /// Compiles and links the module for runs on so much stack.
    pub(super) fn compile(&self, stack_bytes: usize) -> Result<(Engine, InstancePre<Host>), ReplayError> {
        let mut config = engine_config(&ReplayLimits { stack_bytes, ..self.limits.clone() });
        charge_nothing_for_counters(&mut config, &self.world);
        // With an image mapped into memory, a page that was never touched need not be zero.
        config.memory_init_cow(false);
        let engine = Engine::new(&config).map_err(|error| ReplayError::Engine(text(&error)))?;
        let module = compile::module(&engine, self.counted.wasm.clone(), &self.limits)?;
        let linked = host::link(&engine, &module, &self.world)?;
        Ok((engine, linked))
    }
}

/// The operators counters are made of; a program that has them pays otherwise: see `slowpath_program::instrument`.
fn charge_nothing_for_counters(config: &mut Config, world: &World) {
    config.wasm_simd(true);
    config.wasm_multi_memory(true);
    config.operator_cost(OperatorCost {
        V128Const: 0,
        I32x4ExtractLane: 0,
        V128Load32Zero: 0,
        I32x4Add: 0,
        V128Store32Lane: 0,
        ..costs::operator_cost(&world.costs)
    });
}

fn is_irreversible(program: &Program) -> bool {
    let mut code = program.funcs.iter().filter_map(|function| function.body.as_ref()).flat_map(|body| &body.code);
    code.any(|instr| {
        matches!(
            instr,
            Instr::TableSet { .. }
                | Instr::TableGrow { .. }
                | Instr::TableFill { .. }
                | Instr::TableCopy { .. }
                | Instr::TableInit { .. }
                | Instr::ElemDrop { .. }
                | Instr::DataDrop { .. }
        )
    })
}
