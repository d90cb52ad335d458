//! Words of a dictionary as inputs. Words differ in length, so that every byte behind an unknown one would lie somewhere unknown: which word it is is decided
//! for each in turn, before the first instruction and at no cost. Then its bytes are plain.

use slowpath_program::SiteId;
use slowpath_program::module::NO_SITE;
use slowpath_term::{CmpOp, Terms};

use crate::memory::Memory;
use crate::mode::Mode;
use crate::question::{Answer, Event, QuestionKind};
use crate::state::State;
use crate::tokens::Tokens;

impl<M: Mode> State<M> {
    /// Writes the words of all inputs, each as soon as it is decided which it is. The event is the question that has to be answered first.
    pub(crate) fn write_words(&mut self, terms: &mut Terms) -> Option<Event> {
        while let Some(mut unwritten) = self.unwritten.take() {
            let inputs = std::rc::Rc::clone(&unwritten.inputs);
            let Some(input) = inputs.get(unwritten.input) else { break };
            let next = input.numbers.get(unwritten.number).copied();
            let word = match next.map(|number| self.word_number(terms, input, number)) {
                None => {
                    // What the memory held before was zero, so that a NUL follows by itself.
                    for position in &input.lengths {
                        self.values[*position] = M::value(u64::from(unwritten.bytes));
                    }
                    for place in &input.places {
                        let (address, width) = (u64::from(place.address), place.ty.bytes() as u8);
                        let length = M::value(u64::from(unwritten.bytes));
                        self.memory_mut(unwritten.instance).store(terms, address, width, length);
                    }
                    unwritten.input += 1;
                    (unwritten.number, unwritten.bytes) = (0, 0);
                    self.unwritten = Some(unwritten);
                    continue;
                }
                Some(Ok(number)) => input.words.word(number),
                Some(Err(event)) => {
                    self.unwritten = Some(unwritten);
                    return Some(event);
                }
            };
            let start = u64::from(input.address) + u64::from(unwritten.bytes);
            for (address, byte) in (start..).zip(word) {
                self.memory_mut(unwritten.instance).store(terms, address, 1, M::value(u64::from(*byte)));
            }
            unwritten.bytes += word.len() as u32;
            unwritten.number += 1;
            self.unwritten = Some(unwritten);
        }
        None
    }

    /// The number of a word, or the question which it is.
    fn word_number(&mut self, terms: &mut Terms, input: &Tokens<M>, number: M::Value) -> Result<u64, Event> {
        if let Some(known) = M::bits(number) {
            return Ok(known);
        }
        let answer = self.next_answer();
        self.settle_answers();
        match answer {
            Some(Answer::Case(case)) => Ok(u64::from(case)),
            Some(_) => Err(self.bad_answer()),
            None => {
                let width = input.words.index_type().bits();
                let term = M::to_term(terms, width, number);
                let is = |word: usize| {
                    let word = terms.constant(width, word as u64);
                    terms.cmp(CmpOp::Eq, term, word)
                };
                let cases = (0..input.words.words().len()).map(is).collect();
                Err(self.ask_at(SiteId(NO_SITE), QuestionKind::Switch(cases)))
            }
        }
    }
}
