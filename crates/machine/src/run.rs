//! The way in for users of the crate: a state runs until something happens, or a call to its end.

use slowpath_term::Terms;

use crate::guide::Guide;
use crate::mode::Mode;
use crate::question::{Event, Limit, Outcome};
use crate::state::{CallError, State};
use crate::step;
use crate::store::FuncAddr;

impl<M: Mode> State<M> {
    /// Runs a call to its end; for start functions and initialisers, which have no symbolic inputs.
    pub fn call_through(&mut self, terms: &mut Terms, func: FuncAddr, args: &[M::Value]) -> Result<(), CallError> {
        self.call(func, args).map_err(CallError::Trapped)?;
        let until = self.meter.raw.instructions.saturating_add(self.limits.instructions);
        self.check_at = until;
        self.limit_room();
        self.give_room(self.limits.startup);
        let event = step::run(self, terms, &mut ());
        self.give_room(u64::MAX);
        match event {
            Event::Done(Outcome::Returned) => Ok(()),
            Event::Done(Outcome::Trapped(trap)) => Err(CallError::Trapped(trap)),
            Event::Ask(_) => Err(CallError::Stopped("it decides on a symbolic value")),
            Event::Room(_) => Err(CallError::Stopped("it writes to more memory than there is room for")),
            Event::Poll | Event::Stopped(Limit::Instructions) => {
                Err(CallError::Stopped("it runs past the limit of instructions"))
            }
            Event::Stopped(Limit::CallDepth) => Err(CallError::Stopped("it runs past the limit of call depth")),
        }
    }

    /// Runs until something has to be decided.
    pub fn run(&mut self, terms: &mut Terms) -> Event {
        self.run_guided(terms, &mut ())
    }

    /// Runs until something has to be decided that `guide` has not settled.
    pub fn run_guided(&mut self, terms: &mut Terms, guide: &mut impl Guide) -> Event {
        if self.unwritten.is_some()
            && let Some(event) = self.write_words(terms)
        {
            return event;
        }
        step::run(self, terms, guide)
    }
}
