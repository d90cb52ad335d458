//! Whose cost it is: every instruction that ran, counted for all functions and lines on the stack above it, inlined ones included.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use slowpath_machine::Stacks;
use slowpath_program::inlines::{Inlines, is_mangled};
use slowpath_program::{FuncIdx, Program};

/// A file and a line.
pub type Place = (Arc<str>, u32);

/// A function on the stack, and the line it is at.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    function: Arc<str>,
    place: Option<Place>,
}

/// A function below its callers, with what ran in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlameFrame {
    /// The caller's place in the list, which comes before this one.
    pub caller: Option<usize>,
    pub function: Arc<str>,
    pub file: Option<Arc<str>>,
    /// Instructions that ran in it, not in what it calls.
    pub own: u64,
}

/// Costs by line, with what each line calls.
#[derive(Clone, Debug, Default)]
pub struct StackCosts {
    /// Every instruction that ran.
    pub all: u64,
    /// What ran while the line was on the stack.
    pub inclusive: HashMap<Place, u64>,
    /// What ran on the line or in foreign code that it called, directly or not.
    pub charged: HashMap<Place, u64>,
    /// The foreign functions that lines of the user call, with what ran in them.
    pub called: HashMap<Place, BTreeMap<Arc<str>, u64>>,
    /// How often the code of functions inlined at a line begins.
    pub begun: HashMap<Place, u64>,
    pub flame: Vec<FlameFrame>,
}

/// Adds up a profile. `is_own` says of a file whether it is the user's.
pub fn stack_costs(program: &Program, stacks: &Stacks, inlines: &Inlines, is_own: &dyn Fn(&str) -> bool) -> StackCosts {
    let mut costs = StackCosts::default();
    let mut at = Located { program, inlines, names: HashMap::new(), known: HashMap::new() };
    let mut own_files: HashMap<Arc<str>, bool> = HashMap::new();
    let mut children: HashMap<(Option<usize>, Arc<str>), usize> = HashMap::new();
    let mut above: Vec<Rc<Vec<Frame>>> = Vec::new();
    for context in stacks.contexts() {
        let callers: Rc<Vec<Frame>> = context.caller.map_or_else(Rc::default, |(caller, pc)| {
            let func = stacks.contexts()[caller].func;
            Rc::new(above[caller].iter().chain(at.frames(func, pc).iter()).cloned().collect())
        });
        above.push(callers.clone());
        for (pc, runs) in context.runs.iter().enumerate().filter(|(_, runs)| **runs > 0) {
            let frames = at.frames(context.func, pc);
            let stack: Vec<&Frame> = callers.iter().chain(frames.iter()).collect();
            costs.add(&stack, *runs, &mut children, &mut |file| {
                *own_files.entry(file.clone()).or_insert_with(|| is_own(file))
            });
        }
    }
    for func in stacks.counts.funcs() {
        costs.count_inlined(program, stacks, inlines, func);
    }
    costs
}

impl StackCosts {
    fn add(
        &mut self,
        stack: &[&Frame],
        runs: u64,
        children: &mut HashMap<(Option<usize>, Arc<str>), usize>,
        is_own: &mut dyn FnMut(&Arc<str>) -> bool,
    ) {
        self.all += runs;
        let mut node = None;
        let mut seen: Vec<&Place> = Vec::new();
        for frame in stack {
            let flame = &mut self.flame;
            let file = || frame.place.as_ref().map(|(file, _)| file.clone());
            let key = (node, frame.function.clone());
            node = Some(*children.entry(key).or_insert_with(|| {
                flame.push(FlameFrame { caller: node, function: frame.function.clone(), file: file(), own: 0 });
                flame.len() - 1
            }));
            if let Some(place) = frame.place.as_ref().filter(|place| !seen.contains(place)) {
                *self.inclusive.entry(place.clone()).or_default() += runs;
                seen.push(place);
            }
        }
        if let Some(node) = node {
            self.flame[node].own += runs;
        }
        let own = |frame: &&Frame, is_own: &mut dyn FnMut(&Arc<str>) -> bool| {
            frame.place.as_ref().is_some_and(|(file, _)| is_own(file))
        };
        let Some(deepest) = (0..stack.len()).rev().find(|i| own(&stack[*i], is_own)) else {
            if let Some(place) = stack.last().and_then(|frame| frame.place.clone()) {
                *self.charged.entry(place).or_default() += runs;
            }
            return;
        };
        let Some(place) = stack[deepest].place.clone() else { return };
        *self.charged.entry(place.clone()).or_default() += runs;
        if let Some(callee) = stack.get(deepest + 1) {
            *self.called.entry(place).or_default().entry(callee.function.clone()).or_default() += runs;
        }
    }

    fn count_inlined(&mut self, program: &Program, stacks: &Stacks, inlines: &Inlines, func: FuncIdx) {
        let Some(body) = program.funcs.get(func.index()).and_then(|f| f.body.as_ref()) else { return };
        let mut inside: Vec<&Place> = Vec::new();
        for (pc, offset) in body.offset_at.iter().enumerate() {
            let calls: Vec<&Place> = inlines.chain(*offset).iter().filter_map(|frame| frame.call.as_ref()).collect();
            for call in calls.iter().filter(|call| !inside.contains(call)) {
                let begun = self.begun.entry((*call).clone()).or_default();
                *begun = (*begun).max(stacks.counts.of(func, pc).runs);
            }
            inside = calls;
        }
    }
}

/// The frames of each instruction, worked out once.
struct Located<'a> {
    program: &'a Program,
    inlines: &'a Inlines,
    names: HashMap<FuncIdx, Arc<str>>,
    known: HashMap<(FuncIdx, usize), Rc<Vec<Frame>>>,
}

impl Located<'_> {
    /// The function of the instruction and what is inlined into it there, outermost first.
    fn frames(&mut self, func: FuncIdx, pc: usize) -> Rc<Vec<Frame>> {
        if let Some(known) = self.known.get(&(func, pc)) {
            return known.clone();
        }
        let program = self.program;
        let body = program.funcs.get(func.index()).and_then(|f| f.body.as_ref());
        let offset = body.and_then(|body| body.offset_at.get(pc)).copied();
        let inlines = self.inlines;
        let named = || {
            let name = program.func_name(func);
            let plain = offset.filter(|_| is_mangled(&name)).and_then(|offset| inlines.function(offset));
            tidy(plain.unwrap_or(&name))
        };
        let name = self.names.entry(func).or_insert_with(named).clone();
        let mut place = offset.and_then(|offset| program.source.locate(offset)).map(|at| (at.file, at.line));
        let mut frames = Vec::new();
        for inlined in offset.map(|offset| self.inlines.chain(offset)).unwrap_or_default() {
            frames.push(Frame { function: tidy(&inlined.name), place });
            place = inlined.call.clone();
        }
        frames.push(Frame { function: name, place });
        frames.reverse();
        let frames = Rc::new(frames);
        self.known.insert((func, pc), frames.clone());
        frames
    }
}

/// A name without what the C++ library marks its versions with: `std::sort` for `std::__2::sort[abi:ne190107]`.
fn tidy(name: &str) -> Arc<str> {
    let mut out = name.replace("std::__2::", "std::").replace("std::__1::", "std::");
    while let Some(from) = out.find("[abi:")
        && let Some(length) = out[from..].find(']')
    {
        out.replace_range(from..=from + length, "");
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn versions_of_the_library_are_left_out_of_names() {
        assert_eq!(&*tidy("std::__2::sort[abi:ne190107]<std::__2::less<int>>"), "std::sort<std::less<int>>");
        assert_eq!(&*tidy("f[abi:"), "f[abi:");
    }
}
