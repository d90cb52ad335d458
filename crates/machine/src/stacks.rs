//! Which calls led to each instruction that ran: a tree of calling contexts, in runs that are made to find that out.
//!
//! A function that is already among its own callers does not open a context again: the tree is as deep as there are
//! functions, however deep a recursion is.

use std::collections::HashMap;

use slowpath_program::FuncIdx;

use crate::profile::{Counts, Profile};

/// Contexts kept; what is called beyond them counts for the call.
const MOST_CONTEXTS: usize = 1 << 16;
/// The longest chain of calls; what is called below it counts for its last call. Every instruction counts for all functions above it, so that
/// without a limit a chain of 200,000 functions would take its square.
const DEEPEST: usize = 256;

/// Counts by instruction, and by calling context too. Of a state with one module; several are not told apart.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    pub counts: Counts,
    contexts: Vec<Context>,
    known: HashMap<(Option<(usize, usize)>, FuncIdx), usize>,
    live: Vec<Live>,
}

/// A function as it was called along one chain of calls.
#[derive(Clone, Debug)]
pub struct Context {
    /// The context and the instruction it was called from; none for where the run began. Callers come before what they call.
    pub caller: Option<(usize, usize)>,
    pub func: FuncIdx,
    /// How many calls lead to it.
    depth: usize,
    /// How often each instruction ran in this context.
    pub runs: Vec<u64>,
}

/// A frame that has not returned.
#[derive(Clone, Copy, Debug)]
struct Live {
    func: FuncIdx,
    base: u32,
    context: usize,
    /// The last instruction; where there was no room for a context of its own, the call that led here.
    pc: usize,
    has_context: bool,
}

impl Stacks {
    /// Every context; callers come before what they call.
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    fn enter(&mut self, func: FuncIdx, base: u32) {
        let caller = self.live.last().copied();
        let at = caller.map(|live| (live.context, live.pc));
        let recursive = caller.and_then(|live| self.among_callers(live.context, func));
        let known = recursive.or_else(|| self.known.get(&(at, func)).copied());
        let (context, has_context) = match (known, caller) {
            (Some(context), _) => (context, true),
            (None, Some(caller)) if !caller.has_context || self.is_full(caller.context) => (caller.context, false),
            (None, _) => {
                let depth = at.map_or(0, |(caller, _)| self.contexts[caller].depth + 1);
                self.contexts.push(Context { caller: at, func, depth, runs: Vec::new() });
                self.known.insert((at, func), self.contexts.len() - 1);
                (self.contexts.len() - 1, true)
            }
        };
        let pc = if has_context { 0 } else { caller.map_or(0, |caller| caller.pc) };
        self.live.push(Live { func, base, context, pc, has_context });
    }

    /// Whether nothing can be told apart any more below a context.
    fn is_full(&self, context: usize) -> bool {
        self.contexts.len() >= MOST_CONTEXTS || self.contexts.get(context).is_some_and(|one| one.depth >= DEEPEST)
    }

    /// The nearest context of this function on the way to where the run began.
    fn among_callers(&self, mut context: usize, func: FuncIdx) -> Option<usize> {
        loop {
            let this = self.contexts.get(context)?;
            if this.func == func {
                return Some(context);
            }
            context = this.caller?.0;
        }
    }
}

impl Profile for Stacks {
    #[inline]
    fn step(&mut self, func: FuncIdx, pc: usize, base: u32, counts: bool) {
        self.counts.step(func, pc, base, counts);
        while self.live.last().is_some_and(|live| (live.func, live.base) != (func, base)) {
            self.live.pop();
        }
        if self.live.is_empty() {
            self.enter(func, base);
        }
        let Some(live) = self.live.last_mut() else { return };
        if live.has_context {
            live.pc = pc;
        }
        let (context, pc) = (live.context, live.pc);
        if counts {
            let runs = &mut self.contexts[context].runs;
            if runs.len() <= pc {
                runs.resize(pc + 1, 0);
            }
            runs[pc] += 1;
        }
    }

    #[inline]
    fn branch(&mut self, func: FuncIdx, pc: usize, jumps: bool) {
        self.counts.branch(func, pc, jumps);
    }

    fn entered(&mut self, func: FuncIdx, base: u32, depth: usize) {
        self.live.truncate(depth);
        self.enter(func, base);
    }

    fn clear(&mut self) {
        self.counts.clear();
        // Whoever has not returned goes on in its context.
        self.contexts.iter_mut().for_each(|context| context.runs.clear());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: FuncIdx = FuncIdx(0);
    const SORT: FuncIdx = FuncIdx(1);

    #[test]
    fn a_function_counts_for_each_of_its_callers_apart() {
        let mut stacks = Stacks::default();
        for call in [3, 7] {
            stacks.step(MAIN, call, 0, true);
            stacks.entered(SORT, 4, 1);
            stacks.step(SORT, 0, 4, true);
            stacks.step(SORT, 1, 4, true);
        }
        stacks.step(MAIN, 8, 0, true);
        let seen: Vec<_> = stacks.contexts().iter().map(|c| (c.caller, c.func, c.runs.iter().sum::<u64>())).collect();
        assert_eq!(seen, [(None, MAIN, 3), (Some((0, 3)), SORT, 2), (Some((0, 7)), SORT, 2)]);
    }

    #[test]
    fn recursion_opens_no_context_and_a_cleared_profile_keeps_its_frames() {
        let mut stacks = Stacks::default();
        stacks.step(MAIN, 0, 0, true);
        for depth in 1..1000 {
            stacks.entered(SORT, depth * 4, depth as usize);
            stacks.step(SORT, 5, depth * 4, true);
        }
        stacks.clear();
        stacks.step(SORT, 6, 996 * 4, true);
        assert_eq!(stacks.contexts().len(), 2);
        assert_eq!((stacks.contexts()[1].runs[6], stacks.counts.of(SORT, 5).runs), (1, 0));
    }
}
