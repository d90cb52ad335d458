//! Imported functions that nobody provides: each a trap, a given number, or an input.

use std::sync::Arc;

use slowpath_program::Trap;
use slowpath_program::world::Answer;
use slowpath_term::Terms;

use crate::access::trapped;
use crate::host::Values;
use crate::mode::Mode;
use crate::question::Event;
use crate::state::State;

impl<M: Mode> State<M> {
    /// Answers a call of the stub at this place of the world's list.
    pub(super) fn stub(&mut self, terms: &mut Terms, place: usize, at: u32) -> Result<(), Event> {
        // Programs with a world are instances of their own.
        let found = self.store.instances.iter().find_map(|instance| {
            let stub = instance.program.world.imports.get(place)?;
            Some((Arc::clone(&instance.program), stub.clone()))
        });
        let Some((program, stub)) = found else { return Ok(()) };
        if stub.answer == Answer::Trap {
            return trapped(Trap::Missing(stub.name.clone()));
        }
        let results = program.import_results(&stub.module, &stub.name);
        for (position, ty) in (0..).zip(results) {
            let value = match Answer::input_type(ty) {
                Some(input) if stub.answer == Answer::Unknown => {
                    self.check_inputs(1)?;
                    self.new_input(terms, &stub.name, input, true, 1, Values::default())[0]
                }
                _ => M::value(stub.answer.bits(ty)),
            };
            self.set_reg(at + position, value);
        }
        Ok(())
    }
}
