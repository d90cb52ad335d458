//! A module on our own machine, with plain inputs or with symbolic ones whose values are known to the questioner only.

use std::sync::Arc;

use slowpath_machine::{
    Answer, Event, Extern, InstanceId, InstantiateError, Limits, Linker, Memory, Mode, Outcome, QuestionKind, State,
    exported,
};
use slowpath_program::{ExternKind, Program, ValType};
use slowpath_term::{Evaluator, InputId, Model, TermId, Terms};

use crate::engine::{Ending, Engine, FUEL, MEMORY, Report, Snapshot, TABLE};
use crate::rng::Rng;

/// What arguments are to the machine.
#[derive(Clone, Copy, Debug)]
pub enum Inputs {
    Plain,
    /// Variables. Every question is answered as the real values demand, so the path is the one they take.
    Symbolic {
        seed: u64,
    },
}

/// An instance of a module on the machine.
pub struct Ours<M: Mode> {
    name: &'static str,
    program: Arc<Program>,
    state: State<M>,
    terms: Terms,
    instance: Option<InstanceId>,
    inputs: Inputs,
    values: Vec<u64>,
    model: Model,
    evaluator: Evaluator,
    rng: Rng,
    /// How many questions were answered.
    pub questions: usize,
}

impl<M: Mode> Ours<M> {
    /// Not instantiated yet: `start` does that.
    pub fn new(name: &'static str, program: &Arc<Program>, inputs: Inputs) -> Ours<M> {
        let seed = if let Inputs::Symbolic { seed } = inputs { seed } else { 0 };
        let limits = Limits {
            instructions: FUEL,
            memory: MEMORY,
            table: TABLE,
            // Few cells and shallow selects on some seeds, so that the other ways are taken too.
            cells: [256, 16, 4][seed as usize % 3],
            select_depth: [2, 0, 1, 6][seed as usize / 3 % 4],
            ..Limits::default()
        };
        Ours {
            name,
            program: Arc::clone(program),
            state: State::new(limits),
            terms: Terms::new(),
            instance: None,
            inputs,
            values: Vec::new(),
            model: Model::new(),
            evaluator: Evaluator::new(),
            rng: Rng::new(seed),
            questions: 0,
        }
    }

    fn bits(&mut self, value: M::Value) -> u64 {
        match (M::bits(value), M::term(&mut self.terms, value)) {
            (Some(bits), _) => bits,
            (None, Some(t)) => self.value_of(t),
            (None, None) => 0,
        }
    }

    fn value_of(&mut self, t: TermId) -> u64 {
        self.evaluator.eval(&self.terms, &self.model, t)
    }

    fn answer(&mut self, kind: &QuestionKind) -> Answer {
        self.questions += 1;
        match kind {
            QuestionKind::Branch(t) | QuestionKind::Trap(t, _) | QuestionKind::Assume(t) => {
                Answer::Bool(self.value_of(*t) != 0)
            }
            QuestionKind::Unless(t) => Answer::Bool(self.value_of(*t) == 0),
            QuestionKind::Compare(c) => Answer::Bool(self.evaluator.compares(&self.terms, &self.model, *c)),
            QuestionKind::Switch(cases) => {
                let holding: Vec<usize> = (0..cases.len()).filter(|i| self.value_of(cases[*i]) != 0).collect();
                assert_eq!(holding.len(), 1, "exactly one case of a switch holds");
                Answer::Case(holding[0] as u32)
            }
            QuestionKind::Range(t) => {
                let value = self.value_of(*t);
                let (low, high) = self.terms.bounds(*t);
                assert!((low..=high).contains(&value), "{value} is within the structural bounds {low}..={high}");
                match self.rng.below(2) {
                    0 => Answer::Range(low, high),
                    _ => Answer::Range(value.saturating_sub(self.rng.below(20)), value + self.rng.below(20)),
                }
            }
            QuestionKind::Pin(t, _) => Answer::Value(self.value_of(*t)),
        }
    }

    fn argument(&mut self, ty: ValType, bits: u64) -> M::Value {
        match self.inputs {
            Inputs::Symbolic { .. } if !ty.is_ref() => {
                let id = InputId(self.values.len() as u32);
                self.values.push(bits);
                let term = self.terms.var(id, ty.width());
                M::from_term(&self.terms, term)
            }
            _ => M::value(bits),
        }
    }

    fn exports(&self, kind: ExternKind) -> Vec<Extern> {
        let Some(id) = self.instance else { return Vec::new() };
        let instance = self.state.store().instance(id);
        let exports = self.program.exports.iter().filter(|e| e.kind == kind);
        exports.map(|e| exported(instance, e.kind, e.index)).collect()
    }

    fn memory(&mut self) -> Vec<u8> {
        let Some(id) = self.instance else { return Vec::new() };
        let size = self.state.memory(id).size();
        let mut out = Vec::new();
        for start in (0..size).step_by(1024) {
            if let Some(plain) = self.state.memory(id).read(start, 1024) {
                out.extend(plain);
                continue;
            }
            for at in start..start + 1024 {
                let value = self.state.memory(id).load(&mut self.terms, at, 1).expect("within memory");
                out.push(self.bits(value) as u8);
            }
        }
        out
    }
}

impl<M: Mode> Engine for Ours<M> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn start(&mut self) -> Report {
        let ending = match self.state.instantiate(&mut self.terms, &self.program, &Linker::default()) {
            Ok(id) => {
                self.instance = Some(id);
                Ending::Returned(Vec::new())
            }
            Err(InstantiateError::Trapped(trap)) => Ending::Trapped(trap),
            Err(InstantiateError::Start(_)) => Ending::OutOfFuel,
            Err(e) => panic!("{e}"),
        };
        let meter = &self.state.meter;
        let fuel = if let Ending::Trapped(_) = ending { meter.saved_instructions() } else { meter.raw.instructions };
        Report { ending, fuel, spent: meter.raw.instructions }
    }

    fn call(&mut self, export: &str, args: &[(ValType, u64)]) -> Report {
        let id = self.instance.expect("started");
        let export = self.program.export(export).expect("an export of the module");
        let func = self.state.store().instance(id).funcs[export.index as usize];
        let types = self.state.store().func_type(func).results.clone();
        let args: Vec<M::Value> = args.iter().map(|(ty, bits)| self.argument(*ty, *bits)).collect();
        self.model = Model::from_values(self.values.clone());
        self.state.reset_meter();
        self.state.call(func, &args).expect("room for one frame");
        self.state.check_at = FUEL;
        self.state.limit_room();
        let ending = loop {
            match self.state.run(&mut self.terms) {
                Event::Done(Outcome::Returned) => {
                    let results = self.state.results().to_vec();
                    let bits = results.iter().zip(&types).map(|(v, ty)| {
                        let bits = self.bits(*v);
                        if ty.is_ref() { u64::from(bits != 0) } else { bits }
                    });
                    break Ending::Returned(bits.collect());
                }
                Event::Done(Outcome::Trapped(trap)) => break Ending::Trapped(trap),
                Event::Poll | Event::Stopped(_) => break Ending::OutOfFuel,
                // No more than it needs, so that every new page is asked for.
                Event::Room(bytes) => self.state.give_room(bytes),
                Event::Ask(question) => {
                    let answer = self.answer(&question.kind);
                    self.state.answer(answer);
                }
            }
        };
        let meter = &self.state.meter;
        let fuel = if let Ending::Trapped(_) = ending { meter.saved_instructions() } else { meter.raw.instructions };
        Report { ending, fuel, spent: meter.raw.instructions }
    }

    fn snapshot(&mut self) -> Snapshot {
        let mut out = Snapshot::default();
        for _ in self.exports(ExternKind::Memory) {
            let memory = self.memory();
            out.memories.push(memory);
        }
        for export in self.exports(ExternKind::Global) {
            if let Extern::Global(at) = export {
                let ty = self.state.store().global_types[at as usize].0;
                let bits = self.bits(self.state.global(at));
                out.globals.push(if ty.is_ref() { u64::from(bits != 0) } else { bits });
                if ty == ValType::V128Low {
                    let high = self.bits(self.state.global(at + 1));
                    out.globals.push(high);
                }
            }
        }
        for export in self.exports(ExternKind::Table) {
            if let Extern::Table(at) = export {
                out.tables.push(self.state.table(at).iter().map(|entry| *entry == 0).collect());
            }
        }
        out
    }
}
