//! Cells that hold the same: an unknown address of thousands of cells is a choice among few classes of them.
//!
//! The buckets of a hash table are empty but for a few, flags are down but for a few. Which of the few it is, or that it is none of them, is
//! asked; what is read from all the others is the same whichever it is. Only what is written to one of the others has to be given a place.

use rustc_hash::FxHashMap;
use slowpath_term::{CmpOp, TermId, Terms};

use crate::memory::Memory;
use crate::mode::Mode;
use crate::profile::Profile;
use crate::question::Event;
use crate::state::State;

/// Cells that are looked at.
const MOST_CELLS: u64 = 1 << 14;
/// Cells that hold something else than most do.
const MOST_UNLIKE: usize = 16;

/// What some cells hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Held {
    Bits(u64),
    Term(TermId),
}

/// Where an address of many cells leads.
pub(crate) enum Class<V> {
    /// To this cell.
    One(u64),
    /// To one of those that all hold this.
    Others(V),
}

impl<M: Mode> State<M> {
    /// Asks which class an address is in that may be any of these cells. None where there are too many cells or classes.
    pub(crate) fn class_of(
        &mut self,
        terms: &mut Terms,
        address: TermId,
        (low, high, step): (u64, u64, u64),
        bytes: u8,
    ) -> Result<Option<Class<M::Value>>, Event> {
        // Where addresses are to be fixed one is wanted, not a question.
        if self.limits.cells <= 1 || low > high || (high - low) / step >= MOST_CELLS {
            return Ok(None);
        }
        // What they hold has a say even where there turn out to be too many classes.
        self.profile.read(low, high - low + u64::from(bytes));
        let memory = self.memory_index();
        let mut held: Vec<Held> = Vec::new();
        let mut counts: FxHashMap<Held, (u32, M::Value)> = FxHashMap::default();
        for i in 0..=(high - low) / step {
            let Some(value) = self.memories[memory].load(terms, low + i * step, bytes) else { return Ok(None) };
            let key = match M::bits(value) {
                Some(bits) => Held::Bits(bits),
                None => Held::Term(M::to_term(terms, bytes * 8, value)),
            };
            counts.entry(key).or_insert((0, value)).0 += 1;
            if counts.len() > MOST_UNLIKE + 1 {
                return Ok(None);
            }
            held.push(key);
        }
        let Some((most, (count, common))) = counts.iter().max_by_key(|(_, (count, _))| *count) else {
            return Ok(None);
        };
        if held.len() - *count as usize > MOST_UNLIKE {
            return Ok(None);
        }
        let (most, common) = (*most, *common);
        let unlike: Vec<u64> =
            (0u64..).zip(&held).filter(|(_, held)| **held != most).map(|(i, _)| low + i * step).collect();
        let mut cases: Vec<TermId> = Vec::with_capacity(unlike.len() + 1);
        let mut none = Vec::with_capacity(unlike.len());
        for &at in &unlike {
            let at = terms.constant(64, at);
            let hit = terms.cmp(CmpOp::Eq, address, at);
            cases.push(hit);
            none.push(terms.not(hit));
        }
        cases.push(terms.and_all(&none));
        let case = self.switch(cases)?;
        Ok(Some(unlike.get(case).map_or(Class::Others(common), |at| Class::One(*at))))
    }
}
