//! The futures that are remembered, by where they begin and by what they read there.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_machine::{Place, Recorded, State};
use slowpath_term::{TermId, Terms};

use super::conditions::Conditions;
use super::future::Future;
use super::input_set::InputSet;
use super::projection::slice;

/// What a future depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Places that are read before they are written, ascending.
    pub places: Box<[Place]>,
    /// Inputs that the path condition is asked about.
    pub inputs: InputSet,
}

impl Reads {
    /// What a state holds there, and what its path says about these inputs: states that agree on it, and on where they are,
    /// have the same future.
    pub fn of(&self, terms: &Terms, state: &State<Recorded>, conditions: &Conditions, out: &mut Vec<u64>) {
        out.extend(self.places.iter().flat_map(|place| state.content(*place)));
        slice(conditions, &self.inputs, out);
        self.decided(terms, state, out);
    }

    /// Choices that the path has made inside values are looked up for other values of the same inputs.
    fn decided(&self, terms: &Terms, state: &State<Recorded>, out: &mut Vec<u64>) {
        if state.decided().next().is_none() {
            return;
        }
        let mut inputs = self.inputs.clone();
        for term in self.places.iter().flat_map(|place| state.term_at(*place)).flatten() {
            inputs.extend_from(terms.inputs(term));
        }
        let matters = |cond: &TermId| terms.inputs(*cond).iter().any(|input| inputs.contains(*input));
        let decided = state.decided().filter(|(cond, _)| matters(cond));
        let mut words: Vec<u64> =
            decided.map(|(cond, side)| u64::from(cond.raw().get()) << 1 | u64::from(side)).collect();
        words.sort_unstable();
        out.extend(words);
    }

    fn bytes(&self) -> usize {
        self.places.len() * size_of::<Place>() + self.inputs.bytes()
    }
}

/// A future, and how useful it was.
struct Remembered {
    future: Future,
    /// The work it took to find it.
    work: u64,
    hits: u32,
}

/// Futures that depend on the same places.
struct Kind {
    reads: Rc<Reads>,
    futures: FxHashMap<Box<[u64]>, Remembered>,
}

/// Kinds of futures that one place of the program is tried for: each costs a look at every arrival.
const MOST_KINDS: usize = 32;

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
    /// By site, which a shape begins with.
    uses: FxHashMap<u64, Use>,
    bytes: usize,
    /// Bytes it may take.
    limit: usize,
    pub hits: u64,
    /// Words compared since this was last asked.
    pub looked_at: u64,
    scratch: Vec<u64>,
}

impl Table {
    /// An empty table that may take so many bytes.
    pub fn new(limit: usize) -> Table {
        Table { limit, ..Table::default() }
    }

    /// The future of a state, if one that it agrees with is remembered.
    pub fn find(
        &mut self,
        shape: &[u64],
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
    ) -> Option<(Future, Rc<Reads>)> {
        self.looked_at += shape.len() as u64;
        let kinds = self.points.get_mut(shape)?;
        for at in 0..kinds.len() {
            self.scratch.clear();
            kinds[at].reads.of(terms, state, conditions, &mut self.scratch);
            self.looked_at += self.scratch.len() as u64;
            let kind = &mut kinds[at];
            if let Some(known) = kind.futures.get_mut(self.scratch.as_slice()) {
                known.hits += 1;
                self.hits += 1;
                self.uses.entry(shape[0]).or_default().used += 1;
                let found = (known.future.clone(), Rc::clone(&kind.reads));
                // What was of use is looked at first.
                kinds[..=at].rotate_right(1);
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
        reads: Rc<Reads>,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        future: Future,
        work: u64,
    ) {
        if !self.uses.entry(shape[0]).or_default().one_more() {
            return;
        }
        let mut key = Vec::new();
        reads.of(terms, state, conditions, &mut key);
        self.bytes += 8 * key.len() + future.bytes() + size_of::<Remembered>() + 64;
        let shape_bytes = 8 * shape.len() + 64;
        let kinds = self.points.entry(shape).or_insert_with(|| {
            self.bytes += shape_bytes;
            Vec::new()
        });
        let at = kinds.iter().position(|kind| kind.reads == reads).unwrap_or_else(|| {
            self.bytes += reads.bytes();
            // The one that was of no use for longest makes room.
            kinds.truncate(MOST_KINDS - 1);
            kinds.insert(0, Kind { reads, futures: FxHashMap::default() });
            0
        });
        kinds[at].futures.insert(key.into(), Remembered { future, work, hits: 0 });
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
                let sizes = kind
                    .futures
                    .iter()
                    .map(|(key, known)| 8 * key.len() + known.future.bytes() + size_of::<Remembered>() + 64);
                let kept: usize = sizes.sum();
                self.bytes += kept + kind.reads.bytes();
                !kind.futures.is_empty()
            });
            self.bytes += 8 * shape.len() + 64;
            !kinds.is_empty()
        });
    }
}
