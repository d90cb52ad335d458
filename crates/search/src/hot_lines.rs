//! Which source lines a run spends itself on: one input, run with every instruction counted.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use slowpath_machine::{Count, Counts, Event, InputSource, Profiled, start};
use slowpath_program::inlines::Inlines;
use slowpath_program::input::InputValues;
use slowpath_program::{FuncBody, FuncIdx, Instr, Program};
use slowpath_term::Terms;

use crate::budget::Budget;
use crate::call_stacks::{FlameFrame, StackCosts, stack_costs};
use crate::target::{SearchError, Target};

/// Instructions between two looks at the clock.
const POLL: u64 = 2_000_000;

/// What one source line did in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct HotLine {
    /// None for the code of a function without debug information, taken together.
    pub place: Option<(Arc<str>, u32)>,
    pub func: FuncIdx,
    /// How often it ran: of several pieces (the parts of a `for`) as often as the busiest.
    pub count: u64,
    /// Its part of all instructions that ran, from 0 to 1.
    pub share: f64,
    /// Conditionals executed on it, those with more than two sides included.
    pub branches: u64,
    /// How often the compiled condition was true, and false.
    pub sides: [u64; 2],
    /// Whether the file is the user's.
    pub own: bool,
    /// The part of all instructions that ran while the line was on the stack.
    pub inclusive: f64,
    /// The part of all instructions that ran on the line, or in foreign code called from it.
    pub charged: f64,
    /// The foreign functions it calls, most costly first, with their parts of all instructions.
    pub calls: Vec<(Arc<str>, f64)>,
}

/// What one run spent itself on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunProfile {
    pub lines: Vec<HotLine>,
    /// Functions below their callers, callers first.
    pub flame: Vec<FlameFrame>,
}

/// What tells the user's code from that of others.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    pub inlines: &'a Inlines,
    pub is_own: &'a dyn Fn(&str) -> bool,
}

impl HotLine {
    fn new(place: Option<(Arc<str>, u32)>, func: FuncIdx) -> HotLine {
        HotLine {
            place,
            func,
            count: 0,
            share: 0.0,
            branches: 0,
            sides: [0, 0],
            own: false,
            inclusive: 0.0,
            charged: 0.0,
            calls: Vec::new(),
        }
    }
}

/// Runs an input and counts by line, busiest first, at most `most` lines, and by function. Only the measured region counts.
/// None where the budget ends first: counts of a part of a run would mislead.
pub fn run_profile(
    target: &Target,
    n: i64,
    input: &InputValues,
    code: Code<'_>,
    most: usize,
    budget: &Budget,
) -> Result<Option<RunProfile>, SearchError> {
    let mut terms = Terms::new();
    let (t, source) = (target, InputSource::Given(Rc::new(input.clone())));
    let mut state = start::<Profiled>(&mut terms, &t.program, t.function, &t.entry, n, source, t.limits)?.state;
    state.limit_room();
    state.check_at = POLL.min(t.limits.instructions);
    loop {
        // Whatever of its own ends the run, what ran until then is what there is to say.
        match state.run(&mut terms) {
            Event::Room(bytes) => match budget.room_for(bytes) {
                Some(room) => state.give_room(room),
                None => return Ok(None),
            },
            Event::Poll if state.check_at < t.limits.instructions => {
                state.check_at = state.next_check(POLL).min(t.limits.instructions);
            }
            Event::Done(_) | Event::Stopped(_) | Event::Ask(_) | Event::Poll => break,
        }
        if budget.expired().is_some() {
            return Ok(None);
        }
    }
    let mut lines = by_line(&t.program, &state.profile.counts);
    let costs = stack_costs(&t.program, &state.profile, code.inlines, code.is_own);
    add_calls(&mut lines, &costs, code.is_own);
    // The user's lines are the last to be left out.
    lines.sort_by(|a, b| b.own.cmp(&a.own).then(b.charged.total_cmp(&a.charged)).then(b.count.cmp(&a.count)));
    lines.truncate(most);
    let order = |line: &HotLine| (std::cmp::Reverse(line.count), line.place.is_none(), line.place.clone(), line.func);
    lines.sort_by(|a, b| order(a).0.cmp(&order(b).0).then(b.share.total_cmp(&a.share)).then(order(a).cmp(&order(b))));
    Ok(Some(RunProfile { lines, flame: costs.flame }))
}

/// Foreign functions named at one line.
const MOST_CALLS: usize = 4;

/// What runs below each line. A line whose code is all inlined from elsewhere is there for what it calls.
fn add_calls(lines: &mut Vec<HotLine>, costs: &StackCosts, is_own: &dyn Fn(&str) -> bool) {
    let all = costs.all.max(1) as f64;
    for place in costs.charged.keys().filter(|(file, _)| is_own(file)) {
        if !lines.iter().any(|line| line.place.as_ref() == Some(place)) {
            let count = costs.begun.get(place).copied().unwrap_or_default();
            lines.push(HotLine { count, ..HotLine::new(Some(place.clone()), FuncIdx(0)) });
        }
    }
    for line in lines {
        let Some(place) = &line.place else {
            (line.inclusive, line.charged) = (line.share, line.share);
            continue;
        };
        let part = |of: Option<&u64>| of.map_or(0.0, |cost| *cost as f64 / all);
        line.own = is_own(&place.0);
        line.inclusive = part(costs.inclusive.get(place));
        line.charged = part(costs.charged.get(place));
        let called = costs.called.get(place).into_iter().flatten();
        line.calls = called.map(|(name, cost)| (name.clone(), *cost as f64 / all)).collect();
        line.calls.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        line.calls.truncate(MOST_CALLS);
    }
}

/// Where counts are gathered: a line, or a function that has none.
type Place = Result<(Arc<str>, u32), FuncIdx>;

fn by_line(program: &Program, counts: &Counts) -> Vec<HotLine> {
    let mut lines: BTreeMap<Place, HotLine> = BTreeMap::new();
    let mut located: BTreeSet<FuncIdx> = BTreeSet::new();
    let mut all = 0u64;
    for func in counts.funcs() {
        let Some(body) = program.funcs.get(func.index()).and_then(|f| f.body.as_ref()) else { continue };
        let mut begun = None;
        for (pc, offset) in body.offset_at.iter().enumerate() {
            let count = counts.of(func, pc);
            let place = program.source.locate(*offset).map(|at| (at.file, at.line));
            // Only the first instruction of a piece of a line says how often it ran: compilers put code of their own
            // behind it, such as the head of a loop that follows.
            let piece = place.as_ref().and_then(|_| program.source.run_start(*offset));
            let first = piece.is_none() || begun != piece;
            begun = piece;
            if count == Count::default() {
                continue;
            }
            if place.is_some() {
                located.insert(func);
            }
            all += count.runs;
            let line = lines.entry(place.clone().ok_or(func)).or_insert_with(|| HotLine::new(place, func));
            let conditional = is_conditional(program, body, pc as u32);
            if (first || conditional) && count.runs > line.count {
                (line.count, line.func) = (count.runs, func);
            }
            line.share += count.runs as f64;
            if conditional {
                line.branches += count.runs;
                let [no, yes] = sides(body, pc as u32, count);
                line.sides[0] += yes;
                line.sides[1] += no;
            }
        }
    }
    // What the compiler put between the lines of a function belongs to none of them.
    lines.retain(|place, _| !matches!(place, Err(func) if located.contains(func)));
    lines.values_mut().for_each(|line| line.share /= all.max(1) as f64);
    lines.into_values().collect()
}

fn is_conditional(program: &Program, body: &FuncBody, pc: u32) -> bool {
    program.sites.get(body.site(pc).0.index()).is_some_and(|site| site.kind.is_conditional())
}

/// How often the condition of the original branch was false and true; the flat code may test its opposite.
fn sides(body: &FuncBody, pc: u32, count: Count) -> [u64; 2] {
    let opposite = body.site(pc).1 || matches!(body.code.get(pc as usize), Some(Instr::BrIfZ { .. }));
    if opposite { [count.jumps, count.stays] } else { [count.stays, count.jumps] }
}
