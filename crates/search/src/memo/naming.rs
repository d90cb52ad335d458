//! Which values are names, found while what a future needs is.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use slowpath_machine::{Place, Recorded, State};
use slowpath_term::{TermId, Terms};

use super::conditions::Conditions;
use super::held::Held;
use super::input_set::InputSet;
use super::left_out::LeftOut;
use super::names::{Bytes, Name, Names};
use super::needs::Needs;
use super::pending::Pending;
use super::reads::Reads;

/// The names of a future of which not all sides are done.
#[derive(Default)]
pub struct Naming {
    places: FxHashSet<Place>,
    fixed: Bytes,
    compared: InputSet,
    otherwise: InputSet,
}

impl Naming {
    /// Takes in what a decision asks by itself: whether an input equals a name or a number, or these conditions.
    pub fn ask(&mut self, terms: &Terms, pending: Option<&Pending>, conditions: impl Iterator<Item = TermId>) {
        let Some(pending) = pending else {
            return conditions.for_each(|term| self.otherwise.extend_from(terms.inputs(term)));
        };
        self.compared.insert(pending.input);
        if pending.is_fixed {
            self.fixed.insert(pending.number);
        }
    }

    /// Takes in what was found on the way from this state to a decision, or an end, that reads this. What is no name here is
    /// added to what is needed as it is.
    pub fn extend(&mut self, terms: &Terms, state: &State<Recorded>, later: &Reads, mut held: Held, needs: &mut Needs) {
        for (place, name) in std::mem::take(&mut held.places) {
            if Name::at(terms, state, place).is_some_and(|found| name.covers(found)) {
                self.places.insert(place);
            } else {
                held.fix(name);
                needs.insert(place);
            }
        }
        self.fixed.extend(&held.fixed);
        self.otherwise.extend(&held.otherwise);
        match &later.names {
            Some(names) => {
                self.fixed.extend(&names.fixed);
                self.compared.extend(&names.compared);
                self.otherwise.extend(&names.otherwise);
            }
            None => self.otherwise.extend(&later.inputs),
        }
    }

    /// The names of a future that begins with this state, and with comparing a name if `is_name`; None if there are none. What
    /// turns out to be no name is added to what is needed as it is.
    pub fn names(
        mut self,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        is_name: bool,
        needs: &mut Needs,
        left_out: Option<LeftOut>,
    ) -> Option<Rc<Names>> {
        if self.compared.is_empty() {
            needs.extend(self.places);
            return None;
        }
        let mut held = Held { fixed: self.fixed, otherwise: self.otherwise, ..Held::default() };
        self.places.retain(|place| match Name::at(terms, state, *place) {
            Some(name) if needs.contains(place) => {
                held.fix(name);
                false
            }
            Some(_) => true,
            None => {
                needs.insert(*place);
                false
            }
        });
        // Where nothing can be renamed, nothing has to be known of what else is there: decisions before look for themselves.
        let renames = is_name || !self.places.is_empty();
        if renames {
            for term in needs.iter().flat_map(|place| state.term_at(*place)).flatten() {
                held.use_otherwise(terms, term);
            }
        }
        let (mut fixed, otherwise) = (held.fixed, held.otherwise);
        if left_out == Some(LeftOut::Fixed) {
            fixed = Bytes::default();
        }
        let is_mixed = self.compared.both(&otherwise).next().is_some() && left_out != Some(LeftOut::Otherwise);
        if renames && is_mixed || conditions.is_range_unclear(&self.compared) {
            needs.extend(self.places);
            return None;
        }
        let mut places: Vec<Place> = self.places.into_iter().collect();
        places.sort_unstable();
        Some(Rc::new(Names { places: places.into(), fixed, compared: self.compared, otherwise }))
    }
}
