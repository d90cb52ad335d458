//! One run of an input in which every instruction and the sides of every branch are counted.

use std::rc::Rc;

use slowpath_machine::{Event, InputSource, Profiled, State, start};
use slowpath_program::input::InputValues;
use slowpath_term::Terms;

use crate::budget::Budget;
use crate::target::{SearchError, Target};

/// Instructions between two looks at the clock.
const POLL: u64 = 2_000_000;

/// The state at the end of a run. None where the budget ends first: counts of a part of a run would mislead.
pub(crate) fn profiled_run(
    target: &Target,
    n: i64,
    input: &InputValues,
    budget: &Budget,
) -> Result<Option<State<Profiled>>, SearchError> {
    let mut terms = Terms::new();
    let (t, source) = (target, InputSource::Given(Rc::new(input.clone())));
    let mut state = start::<Profiled>(&mut terms, &t.program, t.function, &t.entry, n, source, t.limits)?.state;
    state.limit_room();
    state.check_at = POLL.min(t.limits.instructions);
    loop {
        // Whatever of its own ends the run, what ran until then is what there is to say.
        match state.run(&mut terms) {
            Event::Room(bytes) => match budget.room_for(bytes) {
                Some(room) => state.give_room(room),
                None => return Ok(None),
            },
            Event::Poll if state.check_at < t.limits.instructions => {
                state.check_at = state.next_check(POLL).min(t.limits.instructions);
            }
            Event::Done(_) | Event::Stopped(_) | Event::Ask(_) | Event::Poll => return Ok(Some(state)),
        }
        if budget.expired().is_some() {
            return Ok(None);
        }
    }
}
