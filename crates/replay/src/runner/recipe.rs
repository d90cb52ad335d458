//! Everything that does not change from run to run, shared by the threads that run.

use slowpath_program::call::Entry;
use slowpath_program::instrument::{Counted, exported_function};
use slowpath_program::{Instr, Program, World};

use crate::engine::Settings;
use crate::started::Initialized;
use crate::{ReplayError, ReplayLimits, compile, host, link};

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
        if limits.is_interrupted() {
            return Err(ReplayError::CompileTime);
        }
        let counted = limits.engine.prepare_counted(program, wasm, function)?;
        Ok(Recipe {
            wasm: wasm.to_vec(),
            function,
            entry: entry.clone(),
            limits,
            world: program.world.clone(),
            counted,
            sites: program.sites.len(),
            asks_for_inputs: program.imports.iter().any(|import| host::gives_inputs(&import.module, &import.name))
                || program.world.has_unknown(),
            is_irreversible: is_irreversible(program),
        })
    }

    /// Compiles and links the module for runs on so much stack.
    pub(super) fn compile(&self, stack_bytes: usize) -> Result<Initialized, ReplayError> {
        let limits = ReplayLimits { stack_bytes, ..self.limits.clone() };
        let engine = limits.engine.engine(&Settings { limits: &limits, world: &self.world, counted: true })?;
        let linked = link::link(compile::module(engine, self.counted.wasm.clone(), &limits)?, &self.world)?;
        Ok(Initialized { linked, initialize: exported_function(&self.wasm, "_initialize")? != Some(self.function) })
    }
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
