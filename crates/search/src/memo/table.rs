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

/// A future, and how useful it was.
struct Remembered {
    future: Stored,
    /// The work it took to find it.
    work: u64,
    hits: u32,
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
    /// Bytes it may take.
    limit: usize,
    pub hits: u64,
    /// Words written down and compared, and conditions looked at, since this was last asked.
    pub looked_at: u64,
    scratch: Vec<u64>,
    packed: Vec<u8>,
}

impl Table {
    /// An empty table that may take so many bytes.
    pub fn new(limit: usize) -> Table {
        Table { limit, ..Table::default() }
    }

    /// The future of a state, if one that it agrees with is remembered. `asked` is a name that it is about to compare.
    pub fn find(
        &mut self,
        shape: &[u64],
        at: Where,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        asked: Option<u8>,
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
                known.hits += 1;
                self.hits += 1;
                self.uses.entry(at).or_default().used += 1;
                let found = (known.future.future(), Rc::clone(&kind.reads));
                // What was of use is looked at first.
                kinds[..=number].rotate_right(1);
                return Some(found);
            }
        }
        None
    }

    /// Remembers the future of a state, which took so much work to find.
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
        work: u64,
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
        let known = Remembered { future: Stored::of(&future), work, hits: 0, left };
        self.bytes += known.bytes(&self.packed);
        kind.futures.insert(self.packed.as_slice().into(), known);
        if self.bytes > self.limit {
            self.forget();
        }
    }

    /// Forgets the half of all futures that saved least work. Results stay the same: what is needed is found again.
    fn forget(&mut self) {
        let worth = |known: &Remembered| (u64::from(known.hits) + 1).saturating_mul(known.work);
        let all = self.points.values().flatten().flat_map(|kind| kind.futures.values());
        let mut worths: Vec<u64> = all.map(worth).collect();
        if worths.is_empty() {
            return;
        }
        let middle = worths.len() / 2;
        let (_, &mut middle, _) = worths.select_nth_unstable(middle);
        self.bytes = 0;
        self.points.retain(|shape, kinds| {
            kinds.retain_mut(|kind| {
                kind.futures.retain(|_, known| worth(known) > middle);
                let kept: usize = kind.futures.iter().map(|(key, known)| known.bytes(key)).sum();
                self.bytes += kept + kind.reads.bytes();
                !kind.futures.is_empty()
            });
            self.bytes += 8 * shape.len() + 64;
            !kinds.is_empty()
        });
    }
}
