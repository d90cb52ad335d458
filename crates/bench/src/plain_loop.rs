//! What somebody would write who has one function to run often on wasmtime: one instance, its memory reset by hand.

use slowpath_program::input::InputValues;
use wasmtime::{Config, Engine, Instance, Memory, Module, Store, TypedFunc};

use crate::subjects::{N, Subject};

/// How the memory is reset.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// All of it is copied back, as it must be if nothing is known about the function.
    Everything,
    /// Nothing is, since the function is known to write nothing but its input, which is written anew for each run.
    WhatItWrites,
}

/// One instance. Fuel is on, for the cost is wanted.
pub struct PlainLoop {
    store: Store<()>,
    memory: Memory,
    function: Function,
    before: Vec<u8>,
    reset: Reset,
    address: usize,
    width: usize,
}

enum Function {
    Void(TypedFunc<(i32, i32), ()>),
    Int(TypedFunc<(i32, i32), i32>),
}

impl PlainLoop {
    pub fn new(wasm: &[u8], subject: &Subject, reset: Reset) -> PlainLoop {
        let engine = Engine::new(Config::new().consume_fuel(true)).expect("an engine");
        let module = Module::new(&engine, wasm).expect("a valid module");
        let mut store = Store::new(&engine, ());
        store.set_fuel(1 << 40).expect("fuel is on");
        let instance = Instance::new(&mut store, &module, &[]).expect("instantiates");
        let memory = instance.get_memory(&mut store, "memory").expect("C has a memory");
        let address = memory.data_size(&store);
        memory.grow(&mut store, 1).expect("grows");
        let function = match instance.get_typed_func(&mut store, subject.name) {
            Ok(function) => Function::Void(function),
            Err(_) => Function::Int(instance.get_typed_func(&mut store, subject.name).expect("the function is there")),
        };
        let before = memory.data(&store).to_vec();
        PlainLoop { store, memory, function, before, reset, address, width: subject.width }
    }

    /// The fuel that one run takes.
    pub fn run(&mut self, inputs: &InputValues) -> u64 {
        const FUEL: u64 = 1 << 40;
        let data = self.memory.data_mut(&mut self.store);
        if self.reset == Reset::Everything {
            data.copy_from_slice(&self.before);
        }
        for (element, bits) in data[self.address..].chunks_exact_mut(self.width).zip(&inputs.0[0].bits) {
            element.copy_from_slice(&bits.to_le_bytes()[..self.width]);
        }
        self.store.set_fuel(FUEL).expect("fuel is on");
        let arguments = (self.address as i32, N as i32);
        match &self.function {
            Function::Void(function) => function.call(&mut self.store, arguments).expect("runs"),
            Function::Int(function) => drop(function.call(&mut self.store, arguments).expect("runs")),
        }
        FUEL - self.store.get_fuel().expect("fuel is on")
    }
}
