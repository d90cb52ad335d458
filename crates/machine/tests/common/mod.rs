//! A module from text, ready to be called.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::Arc;

use slowpath_machine::{Event, InstanceId, Limits, Linker, Mode, Outcome, State};
use slowpath_program::{Probes, Program, Trap, load};
use slowpath_term::Terms;

/// An instance and the arena its terms live in.
pub struct Machine<M: Mode> {
    pub state: State<M>,
    pub terms: Terms,
    pub program: Arc<Program>,
    pub instance: InstanceId,
}

impl<M: Mode> Machine<M> {
    /// Instantiates a module given as text.
    pub fn new(text: &str) -> Machine<M> {
        let wasm = wat::parse_str(text).unwrap_or_else(|e| panic!("{e}"));
        let program = Arc::new(load(&wasm, &Probes::default()).expect("the module is valid"));
        slowpath_program::fuzz::check(&program);
        let (mut state, mut terms) = (State::new(Limits::default()), Terms::new());
        let instance = state.instantiate(&mut terms, &program, &Linker::default()).expect("it can be instantiated");
        Machine { state, terms, program, instance }
    }

    /// Puts a call of the export `f` in place.
    pub fn call(&mut self, args: &[M::Value]) {
        let func = self.program.find_function("f").expect("there is an f");
        let addr = self.state.store().instance(self.instance).funcs[func.index()];
        self.state.reset_meter();
        self.state.call(addr, args).expect("there is room for a frame");
    }

    /// Runs to the end; what is decided on must be plain.
    pub fn finish(&mut self) -> Result<Vec<M::Value>, Trap> {
        match self.state.run(&mut self.terms) {
            Event::Done(Outcome::Returned) => Ok(self.state.results().to_vec()),
            Event::Done(Outcome::Trapped(trap)) => Err(trap),
            other => panic!("{other:?}"),
        }
    }
}
