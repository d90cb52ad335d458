//! The machine under arbitrary modules and arbitrary answers. The body is here for fuzzers; the ordinary tests run it for a few
//! seconds.

use std::sync::Arc;

use slowpath_program::{ExternKind, FuncIdx, Probes, Program, load};
use slowpath_term::{InputId, Terms};

use crate::instantiate::Linker;
use crate::mode::Mode;
use crate::question::{Answer, Event, QuestionKind};
use crate::state::{Limits, State};
use crate::symbolic::Symbolic;

/// Questions answered in one run.
const MOST_QUESTIONS: usize = 500;

const LIMITS: Limits = Limits {
    instructions: 20_000,
    call_depth: 200,
    memory: 1 << 20,
    startup: u64::MAX,
    table: 1000,
    registers: 1 << 16,
    cells: 32,
    select_depth: 2,
};

/// Loads the bytes as a module and runs every exported function with all numbers symbolic. The answers are drawn at random and need not fit
/// together, nor even be of the right kind: the machine must come to an end all the same.
pub fn fuzz_machine(data: &[u8]) {
    let Ok(program) = load(data, &Probes::default()) else { return };
    let program = Arc::new(program);
    let mut draw =
        Draw(data.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3)));
    for export in program.exports.iter().filter(|e| e.kind == ExternKind::Func) {
        run(&program, FuncIdx(export.index), &mut draw);
    }
}

fn run(program: &Arc<Program>, func: FuncIdx, draw: &mut Draw) {
    let mut terms = Terms::new();
    let mut state = State::<Symbolic>::new(LIMITS);
    let Ok(instance) = state.instantiate(&mut terms, program, &Linker::default()) else { return };
    let params = &program.func_type(func).params;
    let mut args = Vec::new();
    for (i, ty) in params.iter().enumerate() {
        let term = terms.var(InputId(i as u32), ty.width());
        args.push(if ty.is_ref() { Symbolic::value(0) } else { Symbolic::from_term(&terms, term) });
    }
    let addr = state.store().instance(instance).funcs[func.index()];
    state.reset_meter();
    if state.call(addr, &args).is_err() {
        return;
    }
    for _ in 0..MOST_QUESTIONS {
        state.check_at = LIMITS.instructions;
        let Event::Ask(question) = state.run(&mut terms) else { return };
        // A fork must go on as the original would.
        if draw.below(4) == 0 {
            state = state.clone();
        }
        state.answer(answer(&terms, &question.kind, draw));
    }
}

fn answer(terms: &Terms, kind: &QuestionKind, draw: &mut Draw) -> Answer {
    if draw.below(200) == 0 {
        return [Answer::Bool(true), Answer::Case(7), Answer::Range(9, 3), Answer::Value(u64::MAX)]
            [draw.below(4) as usize];
    }
    match kind {
        QuestionKind::Branch(_) | QuestionKind::Unless(_) | QuestionKind::Compare(_) => {
            Answer::Bool(draw.below(2) == 0)
        }
        QuestionKind::Trap(..) => Answer::Bool(draw.below(16) == 0),
        QuestionKind::Assume(_) => Answer::Bool(true),
        QuestionKind::Switch(cases) => Answer::Case(draw.below(cases.len() as u64) as u32),
        QuestionKind::Range(t) => {
            let (low, high) = terms.bounds(*t);
            match draw.below(4) {
                0 => Answer::Range(low.saturating_add(draw.below(64)), high.min(1 << 12)),
                1 => Answer::Range(high, low),
                _ => Answer::Range(low, high),
            }
        }
        QuestionKind::Pin(..) => Answer::Value([0, draw.below(1 << 17), draw.next()][draw.below(3) as usize]),
    }
}

/// A random stream (xorshift64*).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.max(1);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 8) % n.max(1)
    }
}
