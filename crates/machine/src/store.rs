//! What does not change while a program runs: its instances, their functions and the types of what they share.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use slowpath_program::{FuncBody, FuncIdx, FuncType, Program, ValType};

use crate::host::HostFunc;

/// A function of the store. As a value in a table or register it is stored plus one; zero is null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FuncAddr(pub u32);

/// An instance of the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstanceId(pub u32);

/// Where a function's code is.
#[derive(Clone, Copy, Debug)]
pub enum FuncDef {
    Wasm { instance: InstanceId, func: FuncIdx },
    Host(HostFunc),
}

/// A module brought to life: its indices resolved to places in the store and the state.
#[derive(Clone, Debug)]
pub struct Instance {
    pub program: Arc<Program>,
    pub funcs: Vec<FuncAddr>,
    pub tables: Vec<u32>,
    /// Index of its memory in the state; a memory of no pages where it has none.
    pub memory: u32,
    pub globals: Vec<u32>,
    /// Its element segments, evaluated.
    pub elements: Vec<Rc<[u64]>>,
    /// Where its segments start in the state's lists of dropped ones.
    pub first_data: u32,
    pub first_element: u32,
    /// For each type of the module, the store's number for it.
    pub signatures: Vec<u32>,
}

impl Instance {
    /// The code of a function defined by this instance's module.
    pub(crate) fn body(&self, func: FuncIdx) -> Option<&FuncBody> {
        self.program.funcs.get(func.index()).and_then(|f| f.body.as_ref())
    }
}

/// Everything static.
#[derive(Clone, Debug, Default)]
pub struct Store {
    pub instances: Vec<Instance>,
    pub funcs: Vec<FuncDef>,
    /// For each function, its signature.
    pub func_types: Vec<u32>,
    /// Distinct function types.
    pub types: Vec<FuncType>,
    /// The number of each of them.
    numbers: FxHashMap<FuncType, u32>,
    pub memory_max: Vec<Option<u32>>,
    pub table_types: Vec<(ValType, Option<u32>)>,
    pub global_types: Vec<(ValType, bool)>,
}

impl Store {
    /// The store's number for a function type.
    pub fn signature(&mut self, ty: &FuncType) -> u32 {
        if let Some(number) = self.numbers.get(ty) {
            return *number;
        }
        let number = self.types.len() as u32;
        self.types.push(ty.clone());
        self.numbers.insert(ty.clone(), number);
        number
    }

    /// Adds a function of a signature of the store.
    pub fn add_func(&mut self, def: FuncDef, signature: u32) -> FuncAddr {
        self.funcs.push(def);
        self.func_types.push(signature);
        FuncAddr(self.funcs.len() as u32 - 1)
    }

    /// The type of a function.
    pub fn func_type(&self, addr: FuncAddr) -> &FuncType {
        &self.types[self.func_types[addr.0 as usize] as usize]
    }

    /// An instance.
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.0 as usize]
    }
}
