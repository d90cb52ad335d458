//! Remembered futures against every path followed: the same worst cost and the same number of paths, on programs that the bytes seed.

use std::collections::BTreeSet;
use std::sync::Arc;

use slowpath_machine::Limits;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::{Budget, CostModel, Target as Searched, depth_first, memo_without};
use slowpath_solver::SolverConfig;

use crate::fuzzing::Target;
use crate::fuzzing::data::Data;
use crate::rng::Rng;

/// The generator of the search's own oracle tests.
#[allow(dead_code, reason = "tests use more of it")]
#[path = "../../data/generate.rs"]
mod generate;

pub const TARGET: Target = Target { name: "memo", body, seeds, dictionary: "" };

pub fn body(data: &[u8]) -> bool {
    let seed = Data::seed(data);
    let mut rng = slowpath_search::Rng::new(seed, 11);
    let mut operators = BTreeSet::new();
    let models = [CostModel::Instructions, CostModel::Branches, CostModel::Decisions, CostModel::Calls];
    let cost = models[(seed / 4 % 4) as usize].clone();
    let (text, signature) = match seed % 4 {
        0 => (generate::program(&mut rng, 1, &mut operators), "f(u8)"),
        1 => (generate::program(&mut rng, 2, &mut operators), "f(u8 in 0..=15, u8 in 0..=15)"),
        2 => (generate::looping(&mut rng, &mut operators), "f(a: u8[4])"),
        _ => (generate::listing(&mut rng, &mut operators), "f(a: u8[4] in 0..=3)"),
    };
    let wasm = wat::parse_str(&text).expect("the text is valid");
    let program = Arc::new(load(&wasm, &Probes::default()).expect("the module is valid"));
    let target = Searched {
        function: program.find_function("f").expect("it is exported"),
        program,
        entry: Entry::Call(CallSpec::parse(signature).expect("a signature of ours")),
        cost,
        limits: Limits { instructions: 1_000_000, ..Limits::default() },
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    };
    let budget = || Budget { paths: 2000, ..Budget::of_effort(20_000_000) };
    let Ok(plain) = depth_first(&target, 1, &budget()) else { return false };
    if !plain.complete {
        return false;
    }
    let memo = memo_without(&target, 1, &budget(), None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let worst = |found: &slowpath_search::SizeFinding| {
        (found.complete, found.paths, found.worst_paths, found.worst.as_ref().map(|path| path.cost))
    };
    // By effort, the one that remembers may come to less.
    if memo.finding.complete {
        assert_eq!(worst(&plain), worst(&memo.finding), "{text}");
    }
    memo.hits > 0
}

pub fn seeds() -> Vec<Vec<u8>> {
    (0..40).map(|seed| Rng::new(seed).bytes(8)).collect()
}
