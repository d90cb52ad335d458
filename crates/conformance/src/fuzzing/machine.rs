//! The machine against wasmtime, in both modes: the same results, traps, memory and fuel, on modules that the first bytes describe,
//! with arguments that all of them do; and the machine by itself under modules with any bytes changed.

use std::cell::RefCell;

use slowpath_machine::fuzz::fuzz_machine;

use crate::differential::{Ready, Stats};
use crate::fuzzing::data::Data;
use crate::fuzzing::{Target, loader};
use crate::rng::Rng;
use crate::{random_programs, smith};

pub const TARGET: Target = Target { name: "machine", body, seeds, dictionary: include_str!("../../data/wasm.dict") };

/// One module in so many is large.
const LARGE: u64 = 24;
/// The bytes that choose the module; those after them change only what it is called with.
const CHOICE: usize = 4;
/// Modules that are kept. Nearly all the time goes into wasmtime's compiler, and most inputs are an earlier one with other arguments.
const KEPT: usize = 512;

/// What a module was chosen by, and the module if it is one that can be compared.
type Kept = (u64, Option<Ready>);

thread_local! {
    static MODULES: RefCell<Vec<Option<Kept>>> = RefCell::new(vec![None; KEPT]);
}

pub fn body(data: &[u8]) -> bool {
    if data.starts_with(b"\0asm") {
        fuzz_machine(data);
        return loader::body(data);
    }
    let (first, seed) = (Data::seed(&data[..data.len().min(CHOICE)]) >> 1, Data::seed(data) >> 1);
    let Some(module) = kept(first) else { return false };
    let mut stats = Stats::default();
    match module.compare(seed, &mut stats) {
        Ok(()) => stats.returned > 0,
        Err(difference) => panic!("module {first}, arguments {seed}: {difference}"),
    }
}

/// The module of a seed, compiled if it is none of those kept; `None` if wasmtime cannot.
fn kept(seed: u64) -> Option<Ready> {
    MODULES.with_borrow_mut(|modules| {
        let place = &mut modules[(seed % KEPT as u64) as usize];
        match place {
            Some((number, ready)) if *number == seed => ready.clone(),
            _ => {
                let ready = Ready::new(&module(seed)).unwrap_or_else(|why| panic!("module {seed}: {why}"));
                *place = Some((seed, ready.clone()));
                ready
            }
        }
    })
}

fn module(seed: u64) -> Vec<u8> {
    let assembled = |text: String| wat::parse_str(text).expect("the text is valid");
    match (seed % 3, seed / 3 % LARGE) {
        (0, 0) => smith::module(seed),
        (0, _) => smith::small_module(seed),
        (_, 0) => assembled(random_programs::module(seed)),
        _ => assembled(random_programs::small_module(seed)),
    }
}

/// Modules, and choices of them with so many bytes for arguments that a mutation seldom makes another module.
pub fn seeds() -> Vec<Vec<u8>> {
    let chosen = (0..160).map(|seed| Rng::new(seed).bytes(256));
    loader::seeds().into_iter().chain(chosen).collect()
}
