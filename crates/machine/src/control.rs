//! Branches on open conditions, selects, and calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_program::heap::AllocatorDoor;
use slowpath_program::{FuncIdx, SiteId, Trap};
use slowpath_term::{CmpOp, Comparison, Node, TermId, Terms};
use smallvec::SmallVec;

use crate::access::trapped;
use crate::mode::{Mode, Truth};
use crate::profile::Profile;
use crate::question::{Answer, Event, QuestionKind};
use crate::state::{Jump, State};
use crate::step::Flow;
use crate::store::{FuncAddr, FuncDef};
use crate::symbolic::between_inputs;

/// Table entries an indirect call looks at before it pins a symbolic index.
const MOST_TARGETS: usize = 4096;

/// The question of a comparison that is certainly open and need not be made a term to be asked: between two inputs, or of a
/// flag with zero.
#[inline]
fn unmade<M: Mode>(
    terms: &mut Terms,
    op: CmpOp,
    negated: bool,
    width: u8,
    a: M::Value,
    b: M::Value,
) -> Option<QuestionKind> {
    let with_zero = op == CmpOp::Eq && M::bits(b) == Some(0);
    if let Some(flag) = M::unmade(a) {
        return with_zero.then(|| QuestionKind::Compare(if negated { flag } else { flag.opposite() }));
    }
    let a = M::term(terms, a)?;
    if with_zero {
        let is_flag = terms.width(a) == 1;
        return is_flag.then_some(if negated { QuestionKind::Branch(a) } else { QuestionKind::Unless(a) });
    }
    if M::unmade(b).is_some() {
        return None;
    }
    let b = M::term(terms, b)?;
    between_inputs(terms, width, a, b).then_some(QuestionKind::Compare(Comparison { op, a, b, negated }))
}

impl<M: Mode> State<M> {
    /// Charges for a control instruction, unless it is time for a poll.
    fn charge(&mut self, cost: u16) -> Result<(), Event> {
        let total = self.meter.raw.instructions + u64::from(cost);
        if total > self.check_at {
            self.answered = 0;
            return Err(Event::Poll);
        }
        self.meter.raw.instructions = total;
        Ok(())
    }

    fn go_to(&mut self, pc: u32) -> Result<Flow, Event> {
        if let Some(f) = self.frames.last_mut() {
            f.pc = pc;
        }
        Ok(Flow::Reload)
    }

    /// A branch that jumps when `cond` holds.
    pub(crate) fn open_branch(
        &mut self,
        terms: &mut Terms,
        cond: TermId,
        cost: u16,
        target: u32,
    ) -> Result<Flow, Event> {
        // The decision is about the original condition, whichever way the flat code jumps.
        let (site, inverted) = self.branch_site();
        let asked = if inverted { terms.not(cond) } else { cond };
        self.branch_on(terms, asked, site, Jump { when: !inverted, cost, target })
    }

    /// A branch that jumps when `cond` does not hold.
    pub(crate) fn open_branch_if_zero(
        &mut self,
        terms: &mut Terms,
        cond: TermId,
        cost: u16,
        target: u32,
    ) -> Result<Flow, Event> {
        let (site, _) = self.branch_site();
        self.branch_on(terms, cond, site, Jump { when: false, cost, target })
    }

    /// A branch on the result of a comparison that is no term yet, which jumps if the comparison is so.
    pub(crate) fn open_unmade(
        &mut self,
        terms: &mut Terms,
        comparison: Comparison,
        when: bool,
        cost: u16,
        target: u32,
    ) -> Result<Flow, Event> {
        if self.selected {
            let cond = terms.comparison(comparison);
            return match when {
                true => self.open_branch(terms, cond, cost, target),
                false => self.open_branch_if_zero(terms, cond, cost, target),
            };
        }
        let (site, inverted) = self.branch_site();
        let inverted = when && inverted;
        let asked = if inverted { comparison.opposite() } else { comparison };
        Err(self.ask_and_wait(site, QuestionKind::Compare(asked), None, Jump { when: when && !inverted, cost, target }))
    }

    /// A branch on a comparison of which a side is a term. Only the original condition is made, not its opposite, which the
    /// flat code may test.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn open_comparison(
        &mut self,
        terms: &mut Terms,
        op: CmpOp,
        negated: bool,
        width: u8,
        (a, b): (M::Value, M::Value),
        cost: u16,
        target: u32,
    ) -> Result<Flow, Event> {
        let (site, inverted) = self.branch_site();
        let negated = negated != inverted;
        let jump = Jump { when: !inverted, cost, target };
        if !self.selected
            && let Some(kind) = unmade::<M>(terms, op, negated, width, a, b)
        {
            return Err(self.ask_and_wait(site, kind, None, jump));
        }
        match M::cmp(terms, op, negated, width, a, b) {
            Truth::Known(holds) => self.finish_branch(holds != inverted, cost, target),
            Truth::Open(asked) => self.branch_on(terms, asked, site, jump),
        }
    }

    fn branch_on(&mut self, terms: &mut Terms, asked: TermId, site: SiteId, jump: Jump) -> Result<Flow, Event> {
        let asked = self.known(terms, asked);
        if let Some(bits) = terms.as_const(asked) {
            return self.finish_branch((bits != 0) == jump.when, jump.cost, jump.target);
        }
        Err(self.ask_and_wait(site, QuestionKind::Branch(asked), Some(asked), jump))
    }

    /// Asks which way a branch goes, unless it is time for a poll; `answer` goes on from there.
    fn ask_and_wait(&mut self, site: SiteId, kind: QuestionKind, asked: Option<TermId>, jump: Jump) -> Event {
        if self.next_answer().is_some() {
            return self.bad_answer();
        }
        if self.meter.raw.instructions + u64::from(jump.cost) > self.check_at {
            self.answered = 0;
            return Event::Poll;
        }
        self.waiting = Some((asked, jump));
        self.ask_at(site, kind)
    }

    /// The branch that waits goes on. The clock was looked at before it asked.
    pub(crate) fn resume_branch(&mut self, asked: Option<TermId>, jump: Jump, side: bool) {
        self.meter.raw.instructions += u64::from(jump.cost);
        self.meter.raw.branches += 1;
        if let Some(f) = self.frames.last_mut() {
            f.pc = if side == jump.when { jump.target } else { f.pc + 1 };
        }
        self.remember(asked, side);
    }

    /// Counts a decision, and keeps its outcome for choices on the same condition, on paths that have any.
    fn remember(&mut self, cond: Option<TermId>, side: bool) {
        self.meter.raw.decisions += 1;
        if self.selected
            && let Some(cond) = cond
        {
            Rc::make_mut(&mut self.decided).insert(cond, side);
        }
    }

    /// The jump itself. It may come back for a poll first: the answers are kept until the instruction is complete.
    fn finish_branch(&mut self, taken: bool, cost: u16, target: u32) -> Result<Flow, Event> {
        self.charge(cost)?;
        self.meter.raw.branches += 1;
        if taken {
            return self.go_to(target);
        }
        Ok(Flow::Next)
    }

    /// The site of the current branch, and whether the flat code tests the opposite of the original condition.
    fn branch_site(&self) -> (SiteId, bool) {
        let Some(frame) = self.frames.last() else { return (SiteId(0), false) };
        let body = self.store.instance(frame.instance).body(frame.func);
        body.map_or((SiteId(0), false), |b| b.site(frame.pc))
    }

    /// Chooses among conditions of which exactly one holds.
    pub(crate) fn switch(&mut self, cases: Vec<TermId>) -> Result<usize, Event> {
        if cases.len() == 1 {
            return Ok(0);
        }
        match self.next_answer() {
            Some(Answer::Case(i)) if (i as usize) < cases.len() => Ok(i as usize),
            Some(_) => Err(self.bad_answer()),
            None => {
                let site = self.here();
                Err(self.ask_at(site, QuestionKind::Switch(cases)))
            }
        }
    }

    /// A `br_table` on a term: one case for each target, its indices together.
    pub(crate) fn branch_table(
        &mut self,
        terms: &mut Terms,
        cost: u16,
        index: u32,
        first: u32,
        len: u32,
    ) -> Result<Flow, Event> {
        let value = self.reg(index);
        let index = M::to_term(terms, 32, value);
        let index = self.known(terms, index);
        let store = Rc::clone(&self.store);
        let targets: &[u32] = self
            .frames
            .last()
            .and_then(|f| store.instance(f.instance).body(f.func))
            .map_or(&[], |b| &b.targets[first as usize..(first + len) as usize]);
        if targets.len() > MOST_TARGETS {
            let i = self.pin(terms, value, "a symbolic index into a very large br_table")?;
            let target = targets[(i as usize).min(targets.len() - 1)];
            return self.finish_branch(true, cost, target);
        }
        let keys: Vec<u64> = targets.iter().map(|t| u64::from(*t)).collect();
        let Some((last, listed)) = keys.split_last() else { return Ok(Flow::Next) };
        let (groups, cases) = group(terms, index, listed, *last);
        let is_decision = cases.len() > 1;
        let chosen = self.switch(cases)?;
        let flow = self.finish_branch(true, cost, groups[chosen] as u32)?;
        self.meter.raw.decisions += u64::from(is_decision);
        Ok(flow)
    }

    /// A select on an open condition: one term while it stays shallow, else a decision.
    pub(crate) fn select(&mut self, terms: &mut Terms, cond: TermId, width: u8, d: u32, b: u32) -> Result<Flow, Event> {
        let cond = self.known(terms, cond);
        let known = terms.as_const(cond).map(|bits| bits != 0).or_else(|| self.choice(terms, cond));
        let (x, y) = (self.known_value(terms, self.reg(d)), self.known_value(terms, self.reg(b)));
        let keep = match known {
            Some(keep) => keep,
            None => {
                if let Some(whole) = self.choice_term(terms, cond, width, x, y) {
                    self.meter.raw.branches += 1;
                    let value = M::from_term(terms, whole);
                    self.set_reg(d, value);
                    self.selected = true;
                    return Ok(Flow::Next);
                }
                let keep = self.decide(QuestionKind::Branch(cond))?;
                self.meter.raw.decisions += 1;
                self.commit(terms, cond, keep);
                keep
            }
        };
        self.meter.raw.branches += 1;
        if !keep {
            let y = self.reg(b);
            self.set_reg(d, y);
        }
        Ok(Flow::Next)
    }

    /// A select of two vectors on an open condition: both halves as terms while they stay shallow, else a decision.
    pub(crate) fn select_vector(&mut self, terms: &mut Terms, cond: TermId, at: u32) -> Result<Flow, Event> {
        let cond = self.known(terms, cond);
        let known = terms.as_const(cond).map(|bits| bits != 0).or_else(|| self.choice(terms, cond));
        let keep = match known {
            Some(keep) => keep,
            None => {
                let mut half = |i| {
                    let (x, y) =
                        (self.known_value(terms, self.reg(at + i)), self.known_value(terms, self.reg(at + i + 2)));
                    self.choice_term(terms, cond, 64, x, y)
                };
                if let (Some(low), Some(high)) = (half(0), half(1)) {
                    self.meter.raw.branches += 1;
                    let (low, high) = (M::from_term(terms, low), M::from_term(terms, high));
                    self.set_reg(at, low);
                    self.set_reg(at + 1, high);
                    self.selected = true;
                    return Ok(Flow::Next);
                }
                let keep = self.decide(QuestionKind::Branch(cond))?;
                self.meter.raw.decisions += 1;
                self.commit(terms, cond, keep);
                keep
            }
        };
        self.meter.raw.branches += 1;
        if !keep {
            let (low, high) = (self.reg(at + 2), self.reg(at + 3));
            self.set_reg(at, low);
            self.set_reg(at + 1, high);
        }
        Ok(Flow::Next)
    }

    /// A select as one term, if it is shallow enough. References (of width 0) are never terms.
    fn choice_term(&self, terms: &mut Terms, cond: TermId, width: u8, x: M::Value, y: M::Value) -> Option<TermId> {
        if width == 0 {
            return None;
        }
        let (x, y) = (M::to_term(terms, width, x), M::to_term(terms, width, y));
        let whole = terms.ite(cond, x, y, self.here().0 + 1);
        (depth(terms, whole, self.limits.select_depth + 1) <= self.limits.select_depth).then_some(whole)
    }

    // --- calls ---

    pub(crate) fn call_import(
        &mut self,
        terms: &mut Terms,
        cost: u16,
        func: u32,
        at: u32,
        tail: bool,
    ) -> Result<Flow, Event> {
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let addr = self.store.instance(frame.instance).funcs[func as usize];
        self.invoke(terms, cost, addr, at, tail)
    }

    /// A call of `malloc` or one of its kin, whose request is counted. A size that is not known has to be chosen.
    pub(crate) fn call_allocator(
        &mut self,
        terms: &mut Terms,
        door: AllocatorDoor,
        cost: u16,
        func: u32,
        at: u32,
    ) -> Result<Flow, Event> {
        let mut asked = 1u64;
        let mut chosen: SmallVec<[(u32, u64); 2]> = SmallVec::new();
        let base = self.frames.last().map_or(0, |f| f.base);
        for &argument in door.arguments() {
            self.profile.passed(base + at + argument..base + at + argument + 1);
            let value = self.reg(at + argument);
            let value = u64::from(self.amount(terms, value, "a symbolic size asked from the allocator")? as u32);
            asked = asked.saturating_mul(value);
            chosen.push((at + argument, value));
        }
        // The allocator then works with the plain numbers the path has fixed anyway.
        for (slot, value) in chosen {
            self.set_reg(slot, M::value(value));
        }
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let addr = self.store.instance(frame.instance).funcs[func as usize];
        let flow = self.invoke(terms, cost, addr, at, false)?;
        self.meter.raw.heap = self.meter.raw.heap.saturating_add(asked);
        Ok(flow)
    }

    /// Calls a function of the store whose arguments are in place at `at`.
    fn invoke(&mut self, terms: &mut Terms, cost: u16, addr: FuncAddr, at: u32, tail: bool) -> Result<Flow, Event> {
        let before = self.meter;
        self.charge(cost)?;
        self.meter.save();
        self.meter.raw.calls += 1;
        let store = Rc::clone(&self.store);
        match store.funcs[addr.0 as usize] {
            FuncDef::Host(host) => {
                let from = self.frames.last().map_or(0, |f| f.base) + at;
                self.profile.passed(from..from + store.func_type(addr).params.len() as u32);
                if let Err(event) = self.call_host(terms, host, at) {
                    // A question: the call is made again with the answer, and must be charged once. Decisions that led up to
                    // it are made for good.
                    if matches!(event, Event::Ask(_)) {
                        let decisions = self.meter.raw.decisions;
                        self.meter = before;
                        self.meter.raw.decisions = decisions;
                    }
                    return Err(event);
                }
                if tail {
                    return self.return_from(at, store.func_type(addr).results.len());
                }
                Ok(Flow::Next)
            }
            FuncDef::Wasm { instance, func } => {
                let Some(frame) = self.frames.last_mut() else { return Ok(Flow::Reload) };
                let mut base = frame.base + at;
                if tail {
                    let params = store.func_type(addr).params.len();
                    let to = frame.base as usize;
                    self.values.copy_within(base as usize..base as usize + params, to);
                    base = frame.base;
                    self.frames.pop();
                } else {
                    frame.pc += 1;
                }
                self.enter(&store, instance, func, base).or_else(trapped)?;
                Ok(Flow::Reload)
            }
        }
    }

    /// Ends the frame with the results that are at `at`.
    fn return_from(&mut self, at: u32, results: usize) -> Result<Flow, Event> {
        if let Some(frame) = self.frames.pop() {
            let from = (frame.base + at) as usize;
            self.values.copy_within(from..from + results, frame.base as usize);
        }
        Ok(Flow::Reload)
    }

    /// A tail call within the module: the arguments are already the first registers of the frame.
    pub(crate) fn return_call(&mut self, _: &mut Terms, cost: u16, func: u32) -> Result<Flow, Event> {
        self.charge(cost)?;
        self.meter.save();
        self.meter.raw.calls += 1;
        let store = Rc::clone(&self.store);
        let Some(frame) = self.frames.pop() else { return Ok(Flow::Reload) };
        self.enter(&store, frame.instance, FuncIdx(func), frame.base).or_else(trapped)?;
        Ok(Flow::Reload)
    }

    pub(crate) fn call_indirect(
        &mut self,
        terms: &mut Terms,
        cost: u16,
        signature: u32,
        index: u32,
        at: u32,
        tail: bool,
    ) -> Result<Flow, Event> {
        let (ty, table) = ((signature & 0xf_ffff) as usize, (signature >> 20) as usize);
        let store = Rc::clone(&self.store);
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let instance = store.instance(frame.instance);
        let (wanted, table) = (instance.signatures[ty], instance.tables[table] as usize);
        let value = self.reg(index);
        let entry = match M::bits(value) {
            Some(i) => self.tables[table].get(i as u32 as usize).copied(),
            None => self.symbolic_target(terms, value, table)?,
        };
        let fail = |state: &mut Self, trap| {
            state.charge(cost)?;
            state.meter.save();
            trapped(trap)
        };
        let addr = match entry {
            None => return fail(self, Trap::TableOutOfBounds),
            Some(0) => return fail(self, Trap::NullFunction),
            Some(entry) => FuncAddr((entry - 1) as u32),
        };
        if store.func_types[addr.0 as usize] != wanted {
            return fail(self, Trap::IndirectCallMismatch);
        }
        let flow = self.invoke(terms, cost, addr, at, tail)?;
        self.meter.raw.branches += 1;
        if M::bits(value).is_none() {
            self.meter.raw.decisions += 1;
        }
        Ok(flow)
    }

    /// The table entry a symbolic index leads to: one case for each distinct entry.
    fn symbolic_target(&mut self, terms: &mut Terms, index: M::Value, table: usize) -> Result<Option<u64>, Event> {
        let entries = Rc::clone(&self.tables[table]);
        if entries.len() > MOST_TARGETS {
            let i = self.pin(terms, index, "a symbolic index into a very large table")?;
            return Ok(entries.get(i as u32 as usize).copied());
        }
        let index = M::to_term(terms, 32, index);
        let index = self.known(terms, index);
        const OUTSIDE: u64 = u64::MAX;
        let (groups, cases) = group(terms, index, &entries, OUTSIDE);
        let chosen = self.switch(cases)?;
        Ok(if groups[chosen] == OUTSIDE { None } else { Some(groups[chosen]) })
    }
}

/// Groups the indices of a table by what they lead to: the distinct keys, and the condition under which each is chosen.
/// `default` is where indices past the end lead.
fn group(terms: &mut Terms, index: TermId, keys: &[u64], default: u64) -> (Vec<u64>, Vec<TermId>) {
    let mut groups: Vec<(u64, Vec<u64>)> = Vec::new();
    let mut place: FxHashMap<u64, usize> = FxHashMap::default();
    for (i, key) in keys.iter().chain([&default]).enumerate() {
        let at = *place.entry(*key).or_insert_with(|| {
            groups.push((*key, Vec::new()));
            groups.len() - 1
        });
        if i < keys.len() {
            groups[at].1.push(i as u64);
        }
    }
    let length = terms.constant(32, keys.len() as u64);
    let mut out = (Vec::new(), Vec::new());
    for (key, indices) in groups {
        let mut parts: Vec<TermId> = Vec::new();
        for i in indices {
            let i = terms.constant(32, i);
            parts.push(terms.cmp(CmpOp::Eq, index, i));
        }
        if key == default {
            parts.push(terms.cmp(CmpOp::Ule, length, index));
        }
        let cond = terms.or_all(&parts);
        if terms.as_const(cond) == Some(0) {
            continue;
        }
        out.0.push(key);
        out.1.push(cond);
    }
    out
}

/// Terms looked at before a term counts as deep.
const MOST_NESTED: usize = 256;

/// How deeply choices are nested in a term, up to `cap`; a term with very many parts counts as `cap`.
fn depth(terms: &Terms, t: TermId, cap: u32) -> u32 {
    let mut known: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut stack = vec![t];
    while let Some(&top) = stack.last() {
        let node = terms.node(top);
        let mut below = 0;
        let waiting = stack.len();
        for child in node.children().filter(|c| terms.has_ite(*c)) {
            match known.get(&child) {
                Some(depth) => below = below.max(*depth),
                None => stack.push(child),
            }
        }
        if stack.len() > waiting {
            if stack.len() + known.len() > MOST_NESTED {
                return cap;
            }
            continue;
        }
        let depth = below + u32::from(matches!(node, Node::Ite { .. }));
        if depth >= cap {
            return cap;
        }
        known.insert(top, depth);
        stack.pop();
    }
    known.get(&t).copied().unwrap_or(0)
}
