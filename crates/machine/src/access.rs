//! What a symbolic value leads to when it is an address, a length, a divisor or a float to be truncated.

use std::rc::Rc;

use slowpath_program::{SiteId, Trap};
use slowpath_term::{BinOp, Choice, CmpOp, ConvOp, Node, TermId, Terms, ops};

use crate::alike::Class;
use crate::memory::{Memory, WASM_PAGE};
use crate::mode::Mode;
use crate::pointers::Pointers;
use crate::profile::Profile;
use crate::question::{Answer, Event, Note, Outcome, QuestionKind};
use crate::state::State;
use crate::step::Flow;

/// A term that stands for an address or a length, as far as it could be resolved.
enum Resolved<V> {
    Plain(u64),
    /// All addresses it can have: first, last, distance. At most `Limits::cells` of them.
    Cells {
        term: TermId,
        low: u64,
        high: u64,
        step: u64,
    },
    /// A pointer that was read from a place that is not known: a choice among these addresses, ascending.
    Pointers(Pointers),
    /// One of many cells that all hold the same.
    Alike {
        term: TermId,
        held: V,
    },
}

/// Amounts of which each is followed; of more, one for each number of bits.
const FEW_AMOUNTS: u64 = 64;
/// Bytes that `memory.fill` makes symbolic; more are pinned to one value, since each costs a cell.
const MOST_SYMBOLIC_FILL: u64 = 1 << 20;
/// What a byte of a memory takes besides where it is symbolic.
const TERM_TAKES: u64 = 5;

pub(crate) fn trapped<T>(trap: Trap) -> Result<T, Event> {
    Err(Event::Done(Outcome::Trapped(trap)))
}

impl<M: Mode> State<M> {
    pub(crate) fn reg(&self, slot: u32) -> M::Value {
        let base = self.frames.last().map_or(0, |f| f.base);
        self.values[(base + slot) as usize]
    }

    pub(crate) fn set_reg(&mut self, slot: u32, value: M::Value) {
        let base = self.frames.last().map_or(0, |f| f.base);
        self.values[(base + slot) as usize] = value;
    }

    pub(crate) fn memory_index(&self) -> usize {
        self.frames.last().map_or(0, |f| self.store.instance(f.instance).memory as usize)
    }

    /// A term with the choices this path has already made put in.
    pub(crate) fn known(&self, terms: &mut Terms, t: TermId) -> TermId {
        if self.decided.is_empty() {
            return t;
        }
        // A choice put in can turn the condition of another into one that was decided: once more, until nothing changes.
        let mut t = t;
        loop {
            let next = terms.decide_ites(t, |terms, choice| {
                self.choice(terms, choice.cond).or_else(|| self.known_minimum(terms, choice))
            });
            if next == t {
                return t;
            }
            t = next;
        }
    }

    /// Splits a value, as `split` does an address.
    pub(crate) fn known_value(&self, terms: &mut Terms, v: M::Value) -> M::Value {
        if self.decided.is_empty() {
            return v;
        }
        match M::term(terms, v) {
            Some(t) if (terms.has_ite(t) || terms.width(t) == 1) => {
                let t = M::to_term(terms, 32, v);
                let t = self.known(terms, t);
                M::from_term(terms, t)
            }
            _ => v,
        }
    }

    /// What this path decided on a condition, or on its opposite.
    pub(crate) fn choice(&self, terms: &mut Terms, cond: TermId) -> Option<bool> {
        if self.decided.is_empty() {
            return None;
        }
        let not = terms.not(cond);
        self.decided.get(&cond).copied().or_else(|| self.decided.get(&not).map(|b| !b))
    }

    /// The smaller or larger of two values, where the path knows their order. Compilers write `a <= b ? a : b` as
    /// `a < b ? a : b` beside an index that counts `a <= b`; where they are equal it does not matter which is taken.
    fn known_minimum(&self, terms: &mut Terms, choice: Choice) -> Option<bool> {
        let Node::Cmp { op, a, b } = terms.node(choice.cond) else { return None };
        let (strict, loose) = match op {
            CmpOp::Slt | CmpOp::Sle => (CmpOp::Slt, CmpOp::Sle),
            CmpOp::Ult | CmpOp::Ule => (CmpOp::Ult, CmpOp::Ule),
            _ => return None,
        };
        if (choice.then, choice.els) != (a, b) && (choice.then, choice.els) != (b, a) {
            return None;
        }
        for op in [strict, loose] {
            for (x, y, order) in [(a, b, true), (b, a, false)] {
                let cond = terms.cmp(op, x, y);
                if let Some(holds) = self.choice(terms, cond) {
                    return Some(holds == order);
                }
            }
        }
        None
    }

    /// Splits a term into its cases wherever a comparison or a select is part of it, as decisions of the sites that
    /// computed them. The choices are put into the registers of the frame, so that they are made once.
    pub(crate) fn split(&mut self, terms: &mut Terms, t: TermId) -> Result<TermId, Event> {
        let mut t = self.known(terms, t);
        while terms.has_ite_of_site(t) {
            let Some((cond, site)) = terms.first_ite(t) else { break };
            let site = if site == 0 { self.here() } else { SiteId(site - 1) };
            let value = match self.next_answer() {
                Some(Answer::Bool(b)) => b,
                Some(_) => return Err(self.bad_answer()),
                None => return Err(self.ask_at(site, QuestionKind::Branch(cond))),
            };
            self.forget_answer();
            self.meter.raw.decisions += 1;
            self.commit(terms, cond, value);
            t = self.known(terms, t);
        }
        Ok(t)
    }

    /// Remembers a choice and puts it into the frame's registers.
    pub(crate) fn commit(&mut self, terms: &mut Terms, cond: TermId, value: bool) {
        Rc::make_mut(&mut self.decided).insert(cond, value);
        let Some(frame) = self.frames.last() else { return };
        let size = self.store.instance(frame.instance).body(frame.func).map_or(0, |b| b.frame);
        let (from, to) = (frame.base as usize, (frame.base + size) as usize);
        for i in from..to.min(self.values.len()) {
            self.values[i] = self.known_value(terms, self.values[i]);
        }
    }

    /// One value for a term that has too many, or that stands where cases make no sense (a length).
    pub(crate) fn pin(&mut self, terms: &mut Terms, value: M::Value, why: &'static str) -> Result<u64, Event> {
        if let Some(bits) = M::bits(value) {
            return Ok(bits);
        }
        let t = M::to_term(terms, 32, value);
        let t = self.split(terms, t)?;
        self.pin_term(terms, t, why)
    }

    /// A plain number for an amount: each in turn where they are few, else the greatest, and one of those that have as many bits.
    pub(crate) fn amount(&mut self, terms: &mut Terms, value: M::Value, why: &'static str) -> Result<u64, Event> {
        if let Some(bits) = M::bits(value) {
            return Ok(bits);
        }
        let t = M::to_term(terms, 32, value);
        let t = self.split(terms, t)?;
        if let Some(bits) = terms.as_const(t) {
            return Ok(bits);
        }
        if self.limits.cells <= 1 {
            return self.pin_term(terms, t, why);
        }
        let (low, high) = match self.next_answer() {
            Some(Answer::Range(low, high)) => (low, high),
            Some(_) => return Err(self.bad_answer()),
            None => {
                let site = self.here();
                return Err(self.ask_at(site, QuestionKind::Range(t)));
            }
        };
        let classes: Vec<(u64, u64)> = if high.saturating_sub(low) < FEW_AMOUNTS {
            (low..=high).map(|amount| (amount, amount)).collect()
        } else {
            // The greatest, which may well be the worst, for itself.
            let (bits, below) = (|amount: u64| u64::BITS - amount.leading_zeros(), high - 1);
            let class = |bits: u32| (((1 << bits) >> 1).max(low), ((1 << bits) - 1).min(below));
            (bits(low)..=bits(below)).map(class).chain([(high, high)]).collect()
        };
        let width = terms.width(t);
        let mut within = |(from, to): (u64, u64)| {
            let (from, to) = (terms.constant(width, from), terms.constant(width, to));
            let (above, below) = (terms.cmp(CmpOp::Ule, from, t), terms.cmp(CmpOp::Ule, t, to));
            terms.and_all(&[above, below])
        };
        let cases: Vec<TermId> = classes.iter().map(|class| within(*class)).collect();
        match classes[self.switch(cases)?] {
            (from, to) if from == to => Ok(from),
            _ => self.pin_term(terms, t, why),
        }
    }

    fn pin_term(&mut self, terms: &Terms, t: TermId, why: &'static str) -> Result<u64, Event> {
        if let Some(bits) = terms.as_const(t) {
            return Ok(bits);
        }
        match self.next_answer() {
            Some(Answer::Value(v)) => Ok(v),
            Some(_) => Err(self.bad_answer()),
            None => {
                let site = self.here();
                Err(self.ask_at(site, QuestionKind::Pin(t, why)))
            }
        }
    }

    /// The addresses `value + offset` can be, in bounds for `bytes` bytes (the other side of that decision traps).
    fn resolve(
        &mut self,
        terms: &mut Terms,
        value: M::Value,
        offset: u32,
        bytes: u8,
    ) -> Result<Resolved<M::Value>, Event> {
        let t = M::to_term(terms, 32, value);
        let t = self.split(terms, t)?;
        let wide = terms.conv(ConvOp::ZExt, 64, t);
        let offset = terms.constant(64, u64::from(offset));
        let t = terms.bin(BinOp::Add, wide, offset);
        let size = self.memories[self.memory_index()].size();
        if let Some(addr) = terms.as_const(t) {
            return Ok(Resolved::Plain(addr));
        }
        let last = size.checked_sub(u64::from(bytes));
        let (low, high) = terms.bounds(t);
        let Some(last) = last.filter(|l| *l >= low) else {
            return trapped(Trap::MemoryOutOfBounds);
        };
        let mut high = high;
        if high > last {
            let limit = terms.constant(64, last);
            let outside = terms.cmp(CmpOp::Ult, limit, t);
            if self.decide(QuestionKind::Trap(outside, Trap::MemoryOutOfBounds))? {
                return trapped(Trap::MemoryOutOfBounds);
            }
            high = last;
        }
        // Null among them is not where the program goes: it has looked, or the trap was asked for.
        if let Some(pointers) = Pointers::of(terms, t, self.limits.cells) {
            return Ok(Resolved::Pointers(pointers));
        }
        let (known, residue) = terms.known_low_bits(t);
        let step = 1u64 << known.min(62);
        let (mut low, mut high) = aligned(low, high, step, residue);
        if cells(low, high, step) > self.limits.cells {
            let (lo, hi) = match self.next_answer() {
                Some(Answer::Range(lo, hi)) => (lo, hi),
                Some(_) => return Err(self.bad_answer()),
                None => {
                    let site = self.here();
                    return Err(self.ask_at(site, QuestionKind::Range(t)));
                }
            };
            (low, high) = aligned(low.max(lo), high.min(hi), step, residue);
        }
        if cells(low, high, step) > self.limits.cells {
            match self.class_of(terms, t, (low, high, step), bytes)? {
                Some(Class::One(at)) => return Ok(Resolved::Plain(at)),
                Some(Class::Others(held)) => return Ok(Resolved::Alike { term: t, held }),
                None => {}
            }
            return Ok(Resolved::Plain(self.pin_term(terms, t, "a symbolic address covers too many cells")?));
        }
        if low >= high {
            return Ok(Resolved::Plain(low));
        }
        Ok(Resolved::Cells { term: t, low, high, step })
    }

    /// A load whose address is a term: a balanced tree over the cells it can read.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn load_at_term(
        &mut self,
        terms: &mut Terms,
        d: u32,
        addr: u32,
        offset: u32,
        bytes: u8,
        width: u8,
        op: ConvOp,
    ) -> Result<Flow, Event> {
        let memory = self.memory_index();
        let value = match self.resolve(terms, self.reg(addr), offset, bytes)? {
            Resolved::Plain(at) => match self.memories[memory].load(terms, at, bytes) {
                Some(v) => {
                    self.profile.read(at, bytes.into());
                    v
                }
                None => return trapped(Trap::MemoryOutOfBounds),
            },
            Resolved::Cells { term, low, high, step } => {
                let leaves: Vec<(u64, TermId)> = (0..=(high - low) / step)
                    .map(|i| {
                        let at = low + i * step;
                        self.profile.read(at, bytes.into());
                        let v = self.memories[memory].load(terms, at, bytes).unwrap_or(M::value(0));
                        (at, M::to_term(terms, bytes * 8, v))
                    })
                    .collect();
                let t = tree(terms, term, &leaves);
                M::from_term(terms, t)
            }
            Resolved::Pointers(pointers) => {
                let t = pointers.map(terms, &mut |terms, at| {
                    self.profile.read(at, bytes.into());
                    let v = self.memories[memory].load(terms, at, bytes).unwrap_or(M::value(0));
                    M::to_term(terms, bytes * 8, v)
                });
                M::from_term(terms, t)
            }
            Resolved::Alike { held, .. } => held,
        };
        let value = if bytes * 8 == width { value } else { M::conv(terms, op, bytes * 8, width, value) };
        self.set_reg(d, value);
        Ok(Flow::Next)
    }

    /// A store whose address is a term: every cell it can hit becomes a choice.
    #[inline(never)]
    pub(crate) fn store_at_term(
        &mut self,
        terms: &mut Terms,
        addr: u32,
        value: u32,
        offset: u32,
        bytes: u8,
    ) -> Result<Flow, Event> {
        let memory = self.memory_index();
        let resolved = match self.resolve(terms, self.reg(addr), offset, bytes)? {
            Resolved::Alike { term, .. } => {
                Resolved::Plain(self.pin_term(terms, term, "a store to one of many cells that hold the same")?)
            }
            resolved => resolved,
        };
        match resolved {
            Resolved::Plain(at) => {
                let value = self.reg(value);
                self.room_for(memory, at, bytes.into(), 0)?;
                if !self.memories[memory].store(terms, at, bytes, value) {
                    return trapped(Trap::MemoryOutOfBounds);
                }
                self.profile.wrote(at, bytes.into());
            }
            Resolved::Cells { term, low, high, step } => {
                let places: Vec<u64> = (0..=(high - low) / step).map(|i| low + i * step).collect();
                self.store_in_one(terms, term, &places, value, bytes);
            }
            Resolved::Pointers(pointers) => {
                self.store_in_one(terms, pointers.term(), pointers.places(), value, bytes);
            }
            // Was given a place above.
            Resolved::Alike { .. } => {}
        }
        Ok(Flow::Next)
    }

    /// Stores where the address is, which is one of these places.
    fn store_in_one(&mut self, terms: &mut Terms, term: TermId, places: &[u64], value: u32, bytes: u8) {
        let memory = self.memory_index();
        let width = bytes * 8;
        let value = M::to_term(terms, if bytes == 8 { 64 } else { 32 }, self.reg(value));
        let value = if terms.width(value) == width { value } else { terms.extract(value, 0, width) };
        // Cells may overlap; each is read after the ones before it were written, which is right since at most one of
        // the conditions holds and the others leave what they read.
        for &at in places {
            let Some(old) = self.memories[memory].load(terms, at, bytes) else { continue };
            self.profile.may_have_written(at, bytes.into());
            let old = M::to_term(terms, width, old);
            let here = terms.constant(64, at);
            let hit = terms.cmp(CmpOp::Eq, term, here);
            let new = terms.ite(hit, value, old, 0);
            let new = M::from_term(terms, new);
            self.memories[memory].store(terms, at, bytes, new);
        }
    }

    #[inline(never)]
    pub(crate) fn divide(
        &mut self,
        terms: &mut Terms,
        op: BinOp,
        width: u8,
        d: u32,
        a: u32,
        b: u32,
    ) -> Result<Flow, Event> {
        let (x, y) = (self.reg(a), self.reg(b));
        let zero = M::value(0);
        if self.holds(terms, CmpOp::Eq, width, y, zero, Trap::DivisionByZero)? {
            return trapped(Trap::DivisionByZero);
        }
        if op == BinOp::SDiv {
            let (x, y) = (M::to_term(terms, width, x), M::to_term(terms, width, y));
            let (min, minus_one) = (terms.constant(width, 1 << (width - 1)), terms.constant(width, ops::mask(width)));
            let (smallest, by_minus_one) = (terms.cmp(CmpOp::Eq, x, min), terms.cmp(CmpOp::Eq, y, minus_one));
            let overflow = terms.and_all(&[smallest, by_minus_one]);
            let overflows = match terms.as_const(overflow) {
                Some(bits) => bits != 0,
                None => self.decide(QuestionKind::Trap(overflow, Trap::IntegerOverflow))?,
            };
            if overflows {
                return trapped(Trap::IntegerOverflow);
            }
        }
        let value = M::bin(terms, op, width, x, y);
        self.set_reg(d, value);
        Ok(Flow::Next)
    }

    fn holds(
        &mut self,
        terms: &mut Terms,
        op: CmpOp,
        width: u8,
        a: M::Value,
        b: M::Value,
        trap: Trap,
    ) -> Result<bool, Event> {
        match M::cmp(terms, op, false, width, a, b) {
            crate::mode::Truth::Known(b) => Ok(b),
            crate::mode::Truth::Open(cond) => self.decide(QuestionKind::Trap(cond, trap)),
        }
    }

    /// Float to integer, with its two traps.
    #[inline(never)]
    pub(crate) fn truncate(
        &mut self,
        terms: &mut Terms,
        op: ConvOp,
        from: u8,
        to: u8,
        d: u32,
        a: u32,
    ) -> Result<Flow, Event> {
        let x = self.reg(a);
        if let Some(bits) = M::bits(x) {
            let value = truncate_plain(op, from, to, bits).or_else(trapped)?;
            self.set_reg(d, M::value(value));
            return Ok(Flow::Next);
        }
        let nan = match M::cmp(terms, CmpOp::FEq, true, from, x, x) {
            crate::mode::Truth::Known(b) => b,
            crate::mode::Truth::Open(cond) => self.decide(QuestionKind::Trap(cond, Trap::InvalidConversion))?,
        };
        if nan {
            return trapped(Trap::InvalidConversion);
        }
        let (low, high) = truncation_range(op, from, to);
        let above = match M::cmp(terms, CmpOp::FLt, false, from, M::value(low), x) {
            crate::mode::Truth::Known(b) => terms.boolean(b),
            crate::mode::Truth::Open(cond) => cond,
        };
        let below = match M::cmp(terms, CmpOp::FLt, false, from, x, M::value(high)) {
            crate::mode::Truth::Known(b) => terms.boolean(b),
            crate::mode::Truth::Open(cond) => cond,
        };
        let inside = terms.and_all(&[above, below]);
        let outside = terms.not(inside);
        let overflows = match terms.as_const(outside) {
            Some(bits) => bits != 0,
            None => self.decide(QuestionKind::Trap(outside, Trap::IntegerOverflow))?,
        };
        if overflows {
            return trapped(Trap::IntegerOverflow);
        }
        let value = M::conv(terms, op, from, to, x);
        self.set_reg(d, value);
        Ok(Flow::Next)
    }

    /// Whether there is room to write to a range that may be large, or symbolic and take more. Asked before the instruction has any effect.
    fn room_for(&mut self, memory: usize, addr: u64, len: u64, more: u64) -> Result<(), Event> {
        let memory = &self.memories[memory];
        let room = memory.room();
        if room == u64::MAX {
            return Ok(());
        }
        match (memory.takes(addr, len) + more).saturating_sub(room) {
            0 => Ok(()),
            lacking => {
                self.answered = 0;
                Err(Event::Room(lacking))
            }
        }
    }

    // --- bulk memory ---

    /// Three operands that must be plain numbers.
    pub(crate) fn plain3(&mut self, terms: &mut Terms, at: u32, why: &'static str) -> Result<[u64; 3], Event> {
        let mut out = [0; 3];
        for (i, slot) in out.iter_mut().enumerate() {
            let value = self.reg(at + i as u32);
            // Places, then how much.
            let bits = if i < 2 { self.pin(terms, value, why)? } else { self.amount(terms, value, why)? };
            *slot = u64::from(bits as u32);
        }
        Ok(out)
    }

    pub(crate) fn memory_grow(&mut self, terms: &mut Terms, d: u32, a: u32) -> Result<Flow, Event> {
        let delta = self.reg(a);
        let delta = u64::from(self.amount(terms, delta, "a symbolic number of memory pages")? as u32);
        let index = self.memory_index();
        let old = u64::from(self.memories[index].pages());
        let max = u64::from(self.store.memory_max[index].unwrap_or(65_536).min(65_536));
        let result = if old + delta > max {
            u64::from(u32::MAX)
        } else if (old + delta) * WASM_PAGE > self.limits.memory {
            if !self.notes.contains(&Note::MemoryLimit) {
                self.notes.push(Note::MemoryLimit);
            }
            u64::from(u32::MAX)
        } else {
            self.memories[index].grow(delta as u32);
            self.meter.raw.memory = self.memory_bytes();
            old
        };
        self.set_reg(d, M::value(result));
        Ok(Flow::Next)
    }

    pub(crate) fn memory_copy(&mut self, terms: &mut Terms, at: u32) -> Result<Flow, Event> {
        let [to, from, len] = self.plain3(terms, at, "a symbolic operand of memory.copy")?;
        self.room_for(self.memory_index(), to, len, 0)?;
        self.meter.raw.instructions += len;
        let index = self.memory_index();
        if !self.memories[index].copy(to, from, len) {
            return trapped(Trap::MemoryOutOfBounds);
        }
        self.profile.copied(to, from, len);
        Ok(Flow::Next)
    }

    pub(crate) fn memory_fill(&mut self, terms: &mut Terms, at: u32) -> Result<Flow, Event> {
        let value = self.reg(at + 1);
        let to = self.reg(at);
        let to = u64::from(self.pin(terms, to, "a symbolic operand of memory.fill")? as u32);
        let len = self.reg(at + 2);
        let len = u64::from(self.amount(terms, len, "a symbolic operand of memory.fill")? as u32);
        let byte = match M::bits(value) {
            Some(bits) => Some(bits as u8),
            None if len > MOST_SYMBOLIC_FILL => Some(self.pin(terms, value, "a very long symbolic memory.fill")? as u8),
            None => None,
        };
        let index = self.memory_index();
        self.room_for(index, to, len, if byte.is_none() { len * TERM_TAKES } else { 0 })?;
        self.meter.raw.instructions += len;
        let memory = &mut self.memories[index];
        let done = match byte {
            Some(byte) => memory.fill(to, byte, len),
            None => memory.in_bounds(to, len) && (0..len).all(|i| memory.store(terms, to + i, 1, value)),
        };
        if !done {
            return trapped(Trap::MemoryOutOfBounds);
        }
        self.profile.wrote(to, len);
        Ok(Flow::Next)
    }

    pub(crate) fn memory_init(&mut self, terms: &mut Terms, at: u32, segment: u32) -> Result<Flow, Event> {
        let [to, from, len] = self.plain3(terms, at, "a symbolic operand of memory.init")?;
        self.room_for(self.memory_index(), to, len, 0)?;
        self.meter.raw.instructions += len;
        let store = Rc::clone(&self.store);
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let instance = store.instance(frame.instance);
        let dropped = self.dropped_data[(instance.first_data + segment) as usize];
        let bytes: &[u8] = if dropped { &[] } else { &instance.program.data[segment as usize].bytes };
        let piece = bytes.get(from as usize..(from + len) as usize);
        let memory = &mut self.memories[instance.memory as usize];
        match piece {
            Some(piece) if memory.write(to, piece) => {
                self.profile.wrote(to, len);
                Ok(Flow::Next)
            }
            _ => trapped(Trap::MemoryOutOfBounds),
        }
    }

    pub(crate) fn data_drop(&mut self, _: &mut Terms, segment: u32) -> Result<Flow, Event> {
        if let Some(frame) = self.frames.last() {
            let first = self.store.instance(frame.instance).first_data;
            Rc::make_mut(&mut self.dropped_data)[(first + segment) as usize] = true;
        }
        Ok(Flow::Next)
    }
}

/// How many cells there are from `low` to `high`.
fn cells(low: u64, high: u64, step: u64) -> u64 {
    if low > high { 0 } else { (high - low) / step + 1 }
}

/// The first and last numbers from `low` to `high` that have the right remainder.
fn aligned(low: u64, high: u64, step: u64, residue: u64) -> (u64, u64) {
    let residue = residue % step;
    let up = low.saturating_add(residue.wrapping_sub(low) % step);
    let down = high.saturating_sub(high.wrapping_sub(residue) % step);
    (up, down)
}

/// A balanced choice among the leaves by the address.
fn tree(terms: &mut Terms, addr: TermId, leaves: &[(u64, TermId)]) -> TermId {
    let (left, right) = leaves.split_at(leaves.len() / 2);
    match (left, right) {
        ([], [(_, t)]) => *t,
        ([], _) => terms.constant(8, 0),
        _ => {
            let (l, r) = (tree(terms, addr, left), tree(terms, addr, right));
            let border = terms.constant(64, right[0].0);
            let below = terms.cmp(CmpOp::Ult, addr, border);
            terms.ite(below, l, r, 0)
        }
    }
}

/// Float to integer on a plain number.
fn truncate_plain(op: ConvOp, from: u8, to: u8, x: u64) -> Result<u64, Trap> {
    let (low, high) = truncation_range(op, from, to);
    if !ops::cmp(CmpOp::FEq, from, x, x) {
        return Err(Trap::InvalidConversion);
    }
    if !ops::cmp(CmpOp::FLt, from, low, x) || !ops::cmp(CmpOp::FLt, from, x, high) {
        return Err(Trap::IntegerOverflow);
    }
    Ok(ops::conv(op, from, to, x))
}

/// The open interval of floats that truncate into the integer type.
fn truncation_range(op: ConvOp, from: u8, to: u8) -> (u64, u64) {
    let signed = op == ConvOp::FToS;
    if from == 32 {
        let (low, high) = match (signed, to) {
            (true, 32) => (-2_147_483_904.0f32, 2_147_483_648.0f32),
            (true, _) => (-9_223_373_136_366_403_584.0, 9_223_372_036_854_775_808.0),
            (false, 32) => (-1.0, 4_294_967_296.0),
            (false, _) => (-1.0, 18_446_744_073_709_551_616.0),
        };
        (u64::from(low.to_bits()), u64::from(high.to_bits()))
    } else {
        let (low, high) = match (signed, to) {
            (true, 32) => (-2_147_483_649.0f64, 2_147_483_648.0f64),
            (true, _) => (-9_223_372_036_854_777_856.0, 9_223_372_036_854_775_808.0),
            (false, 32) => (-1.0, 4_294_967_296.0),
            (false, _) => (-1.0, 18_446_744_073_709_551_616.0),
        };
        (low.to_bits(), high.to_bits())
    }
}
