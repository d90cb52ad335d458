//! The futures that are remembered, by where they begin and by what they read there.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_machine::{Recorded, State};
use slowpath_term::Terms;

use super::conditions::Conditions;
use super::future::Future;
use super::pack::{pack, unpack_all};
use super::reads::{Left, Reads};
use super::stored::Stored;

/// A future, and when it was of use.
struct Remembered {
    future: Stored,
    /// When it was found, or looked up last.
    used: u64,
    /// What was left of inputs of which only blocks matter, should these be told apart further.
    left: Option<Box<Left>>,
}

impl Remembered {
    /// Bytes it takes with its key, about.
    fn bytes(&self, key: &[u8]) -> usize {
        let left = self.left.iter().flat_map(|left| left.iter());
        let left: usize = left.map(|values| 32 + 16 * values.as_ref().map_or(0, |values| values.len())).sum();
        key.len() + self.future.bytes() + size_of::<Remembered>() + left + 64
    }
}

/// Futures that depend on the same places.
struct Kind {
    reads: Rc<Reads>,
    futures: FxHashMap<Box<[u8]>, Remembered>,
}

impl Kind {
    /// Tells apart what another future does too.
    fn tell_apart(&mut self, reads: &Reads) {
        if !self.reads.join(reads) {
            return;
        }
        for (key, known) in std::mem::take(&mut self.futures) {
            let Some(left) = &known.left else { continue };
            let mut words = unpack_all(&key);
            let blocks = words.pop().unwrap_or_default() as usize;
            words.truncate(words.len().saturating_sub(blocks));
            self.reads.write_blocks(left, &mut words);
            let mut key = Vec::new();
            pack(&words, &mut key);
            self.futures.insert(key.into(), known);
        }
    }
}

/// Kinds of futures that one place of the program is tried for: each costs a look at every arrival.
const MOST_KINDS: usize = 32;

/// Where futures are counted together: a site, and whether the path had said something about what is asked there.
pub type Where = (u64, bool);

/// How often the futures of a site were remembered, and used.
#[derive(Clone, Copy, Default)]
struct Use {
    remembered: u64,
    used: u64,
}

/// A site whose futures were never used after so many is one in the middle of a chain of tests: states come together before
/// it. From then on one in so many is remembered, should that change; more than one used in so many is enough.
const PATIENCE: u64 = 512;
const SAMPLE: u64 = 16;
const ENOUGH: u64 = 64;

impl Use {
    /// Whether one more future is worth its memory.
    fn one_more(&mut self) -> bool {
        self.remembered += 1;
        let useful = self.remembered < PATIENCE || self.used * ENOUGH >= self.remembered;
        useful || self.remembered.is_multiple_of(SAMPLE)
    }
}

/// All of them.
#[derive(Default)]
pub struct Table {
    /// By the shape of the state.
    points: FxHashMap<Box<[u64]>, Vec<Kind>>,
    uses: FxHashMap<Where, Use>,
    bytes: usize,
    pub hits: u64,
    /// Futures that were forgotten.
    pub forgotten: u64,
    /// How often something was remembered or looked up: a clock.
    now: u64,
    /// Words written down and compared, and conditions looked at, since this was last asked.
    pub looked_at: u64,
    scratch: Vec<u64>,
    packed: Vec<u8>,
}

impl Table {
    /// Bytes that it takes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// All that is remembered.
    pub fn futures(&self) -> impl Iterator<Item = Future> + '_ {
        let all = self.points.values().flatten().flat_map(|kind| kind.futures.values());
        all.map(|known| known.future.future())
    }

    /// The future of a state that may run so many instructions more, if one that it agrees with is remembered. `asked` is a name that it is about to compare.
    #[allow(clippy::too_many_arguments, reason = "all of it says what is looked for")]
    pub fn find(
        &mut self,
        shape: &[u64],
        at: Where,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        asked: Option<u8>,
        instructions: u64,
    ) -> Option<(Future, Rc<Reads>)> {
        self.looked_at += shape.len() as u64;
        let kinds = self.points.get_mut(shape)?;
        for number in 0..kinds.len() {
            let kind = &mut kinds[number];
            self.scratch.clear();
            let left = kind.reads.of(terms, state, conditions, asked, &mut self.scratch);
            kind.reads.write_blocks(&left, &mut self.scratch);
            self.looked_at += self.scratch.len() as u64 + conditions.take_looked_at();
            self.packed.clear();
            pack(&self.scratch, &mut self.packed);
            if let Some(known) = kind.futures.get_mut(self.packed.as_slice()) {
                let found = (known.future.future(), Rc::clone(&kind.reads));
                // A path that would be cut short has to be followed to see where, unless as many instructions ran before.
                if !kind.reads.instructions && found.0.instructions >= instructions {
                    continue;
                }
                self.now += 1;
                known.used = self.now;
                self.hits += 1;
                self.uses.entry(at).or_default().used += 1;
                // What was of use is looked at first.
                kinds[..=number].rotate_right(1);
                return Some(found);
            }
        }
        None
    }

    /// Remembers the future of a state.
    #[allow(clippy::too_many_arguments, reason = "all of it makes one entry")]
    pub fn insert(
        &mut self,
        shape: Box<[u64]>,
        at: Where,
        reads: Rc<Reads>,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        asked: Option<u8>,
        future: Future,
    ) {
        if !self.uses.entry(at).or_default().one_more() {
            return;
        }
        let shape_bytes = 8 * shape.len() + 64;
        let kinds = self.points.entry(shape).or_insert_with(|| {
            self.bytes += shape_bytes;
            Vec::new()
        });
        let number = kinds.iter().position(|kind| kind.reads.is_alike(&reads)).unwrap_or_else(|| {
            self.bytes += reads.bytes();
            // The one that was of no use for longest makes room.
            kinds.truncate(MOST_KINDS - 1);
            kinds.insert(0, Kind { reads: Rc::clone(&reads), futures: FxHashMap::default() });
            0
        });
        let kind = &mut kinds[number];
        kind.tell_apart(&reads);
        self.scratch.clear();
        let left = kind.reads.of(terms, state, conditions, asked, &mut self.scratch);
        kind.reads.write_blocks(&left, &mut self.scratch);
        self.looked_at += self.scratch.len() as u64 + conditions.take_looked_at();
        self.packed.clear();
        pack(&self.scratch, &mut self.packed);
        let left = (!left.is_empty()).then(|| Box::new(left));
        self.now += 1;
        let known = Remembered { future: Stored::of(&future), used: self.now, left };
        self.bytes += known.bytes(&self.packed);
        kind.futures.insert(self.packed.as_slice().into(), known);
    }

    /// Forgets the half of all futures that were used longest ago: depth first, those are the ones of states far ahead, which come together before. Results
    /// stay the same: what is needed is found again.
    pub fn forget_half(&mut self) {
        let all = self.points.values().flatten().flat_map(|kind| kind.futures.values());
        let mut uses: Vec<u64> = all.map(|known| known.used).collect();
        let before = uses.len();
        let middle = match before / 2 {
            0 => u64::MAX,
            half => *uses.select_nth_unstable(half).1,
        };
        let mut kept = 0;
        self.bytes = 0;
        self.points.retain(|shape, kinds| {
            kinds.retain_mut(|kind| {
                kind.futures.retain(|_, known| known.used > middle);
                kept += kind.futures.len();
                let bytes: usize = kind.futures.iter().map(|(key, known)| known.bytes(key)).sum();
                self.bytes += if kind.futures.is_empty() { 0 } else { bytes + kind.reads.bytes() };
                !kind.futures.is_empty()
            });
            self.bytes += if kinds.is_empty() { 0 } else { 8 * shape.len() + 64 };
            !kinds.is_empty()
        });
        self.forgotten += (before - kept) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::driver::Driver;
    use crate::evolve::test_target::{ZEROS, target};
    use crate::node::Node;

    /// A table, and a state to look futures up for.
    struct Tried {
        table: Table,
        terms: Terms,
        state: State<Recorded>,
        conditions: Conditions,
    }

    impl Tried {
        fn new() -> Tried {
            let target = target(ZEROS);
            let mut driver = Driver::new(&target, &Budget::default());
            let node: Node<Recorded> = driver.root_in(2).unwrap();
            let conditions = Conditions::of_start(&driver.terms, &node.path);
            Tried { table: Table::default(), terms: driver.terms, state: node.state, conditions }
        }

        fn insert(&mut self, number: u64, reads: Reads, future: Future) {
            let (shape, at) = ([number].into(), (number, false));
            let Tried { table, terms, state, conditions } = self;
            table.insert(shape, at, Rc::new(reads), terms, state, conditions, None, future);
        }

        /// The cost of a future, if it is found for a state that may run so many instructions more.
        fn find(&mut self, number: u64, instructions: u64) -> Option<u64> {
            let Tried { table, terms, state, conditions } = self;
            let found = table.find(&[number], (number, false), terms, state, conditions, None, instructions);
            found.map(|(future, _)| future.cost)
        }
    }

    fn of_cost(cost: u64) -> Future {
        Future { cost, instructions: cost, ..Future::default() }
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_first() {
        let mut tried = Tried::new();
        for number in 0..100 {
            tried.insert(number, Reads::default(), of_cost(number));
        }
        assert_eq!(tried.find(3, 1000), Some(3), "from now on used lately");
        let full = tried.table.bytes();
        tried.table.forget_half();
        assert!(tried.table.bytes() * 2 <= full && tried.table.forgotten >= 50);
        let kept: Vec<u64> = (0..100).filter(|number| tried.find(*number, 1000).is_some()).collect();
        assert_eq!(kept.len() as u64, 100 - tried.table.forgotten);
        assert_eq!((kept[0], kept[1]), (3, 100 - kept.len() as u64 + 1), "the newest ones, and the one that was used");
        let costs: Vec<u64> = tried.table.futures().map(|future| future.cost).collect();
        assert!(kept.iter().all(|cost| costs.contains(cost)));
        while !tried.table.is_empty() {
            tried.table.forget_half();
        }
        assert_eq!((tried.table.bytes(), tried.table.forgotten, tried.find(3, 1000)), (0, 100, None));
    }

    #[test]
    fn a_path_that_was_cut_is_found_by_who_ran_as_many_instructions() {
        let mut tried = Tried::new();
        tried.insert(1, Reads::default(), of_cost(50));
        assert_eq!([tried.find(1, 51), tried.find(1, 50)], [Some(50), None], "the second would be cut");
        tried.insert(1, Reads { instructions: true, ..Reads::default() }, of_cost(7));
        assert_eq!([tried.find(1, 51), tried.find(1, 50)], [Some(7), Some(7)]);
        tried.state.meter.raw.instructions += 1;
        assert_eq!([tried.find(1, 51), tried.find(1, 50)], [Some(50), None]);
    }
}
