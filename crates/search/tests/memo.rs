//! The oracle of memo: on random programs it finds the worst cost, the number of paths and the traps that plain exploration
//! finds, which follows every path.

mod generate;

use std::sync::Arc;

use slowpath_machine::Limits;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::{
    Budget, CostModel, LeftOut, Memoised, Rng, SizeFinding, Target, depth_first, memo_within, memo_without,
};
use slowpath_solver::SolverConfig;

fn target(wat: &str, signature: &str, cost: CostModel) -> Target {
    let wasm = wat::parse_str(wat).unwrap_or_else(|e| panic!("{e}\n{wat}"));
    let program = Arc::new(load(&wasm, &Probes::default()).unwrap_or_else(|e| panic!("{e}\n{wat}")));
    let entry = Entry::Call(CallSpec::parse(signature).expect("good signature"));
    let function = program.find_function("f").expect("exported");
    let limits = Limits { instructions: 1_000_000, ..Limits::default() };
    Target {
        program,
        function,
        entry,
        cost,
        limits,
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}

/// What must be equal: cost, paths, paths that cost as much, the worst path, what was cut, the traps with their numbers.
fn outline(found: &SizeFinding) -> String {
    let worst = found.worst.as_ref().map(|path| (path.cost, path.at_least, &path.decisions));
    let cut_worst = found.cut_worst.as_ref().map(|path| (path.cost, path.at_least, &path.decisions));
    let traps: Vec<_> = found
        .traps
        .iter()
        .map(|trap| {
            let examples: Vec<_> = trap.examples.iter().map(|path| (path.cost, &path.decisions)).collect();
            (trap.trap.to_string(), trap.site, trap.paths, examples)
        })
        .collect();
    let SizeFinding { paths, worst_paths, complete, cut, limits, .. } = found;
    format!(
        "{paths} paths, {worst_paths} worst, complete {complete}: {worst:?}, {traps:?}; {cut} cut {limits:?}: {cut_worst:?}"
    )
}

/// A budget of effort, so that a program that is too hard is left out on every machine.
fn budget() -> Budget {
    Budget { paths: 20_000, ..Budget::of_effort(200_000_000) }
}

/// Compares both on a program, with something left out of what futures depend on; None where it cannot be explored completely.
fn compare(wat: &str, signature: &str, cost: CostModel, left_out: Option<LeftOut>) -> Option<Result<Memoised, String>> {
    let target = target(wat, signature, cost);
    let plain = depth_first(&target, 1, &budget()).ok()?;
    if !plain.complete {
        return None;
    }
    let memo = match memo_without(&target, 1, &budget(), left_out) {
        Ok(memo) => memo,
        // A path that is put together wrongly cannot be followed again.
        Err(error) if left_out.is_some() => return Some(Err(error.to_string())),
        Err(error) => panic!("{error}\n{wat}"),
    };
    Some(same(&plain, memo, wat))
}

fn same(plain: &SizeFinding, memo: Memoised, wat: &str) -> Result<Memoised, String> {
    let (expected, got) = (outline(plain), outline(&memo.finding));
    if expected == got { Ok(memo) } else { Err(format!("exhaustive: {expected}\nmemo:       {got}\n{wat}")) }
}

/// Compares both where the limit of instructions cuts some paths; None where it cuts none, or something else keeps plain exploration from its end.
fn compare_cut(seed: u64, left_out: Option<LeftOut>) -> Option<Result<Memoised, String>> {
    let (wat, signature, cost) = random_program(seed);
    let mut target = target(&wat, signature, cost);
    let whole = depth_first(&target, 1, &budget()).ok().filter(|found| found.complete)?;
    // From half of the worst path's instructions on.
    target.limits.instructions = whole.worst?.costs.instructions * (4 + seed % 4) / 8;
    let plain = depth_first(&target, 1, &budget()).ok()?;
    if plain.cut == 0 || plain.stop.is_some() || plain.limits.len() > 1 {
        return None;
    }
    match memo_without(&target, 1, &budget(), left_out) {
        Ok(memo) => Some(same(&plain, memo, &wat)),
        Err(error) if left_out.is_some() => Some(Err(error.to_string())),
        Err(error) => panic!("seed {seed}: {error}\n{wat}"),
    }
}

fn random_program(seed: u64) -> (String, &'static str, CostModel) {
    let mut rng = Rng::new(seed, 11);
    let mut operators = std::collections::BTreeSet::new();
    let models = [CostModel::Instructions, CostModel::Branches, CostModel::Decisions, CostModel::Calls];
    let model = models[(seed / 3 % 4) as usize].clone();
    match seed % 5 {
        0 => (generate::program(&mut rng, 1, &mut operators), "f(u8)", model),
        1 => (generate::program(&mut rng, 2, &mut operators), "f(u8 in 0..=15, u8 in 0..=15)", model),
        2 => (generate::looping(&mut rng, &mut operators), "f(a: u8[4])", model),
        _ => {
            let signature = ["f(a: u8[4])", "f(a: u8[4] in 0..=3)", "f(a: u8[4] in 1..=9)"][(seed / 5 % 3) as usize];
            (generate::listing(&mut rng, &mut operators), signature, model)
        }
    }
}

#[test]
fn memo_equals_exhaustive_on_random_programs() {
    const PROGRAMS: u64 = 1200;
    let (mut checked, mut hits, mut with_hits, mut left_out, mut seed) = (0, 0, 0, 0, 0);
    while checked < PROGRAMS {
        let (wat, signature, model) = random_program(seed);
        match compare(&wat, signature, model, None) {
            Some(Ok(memo)) => {
                checked += 1;
                hits += memo.hits;
                with_hits += u64::from(memo.hits > 0);
            }
            Some(Err(difference)) => panic!("seed {seed}: {difference}"),
            None => left_out += 1,
        }
        seed += 1;
        assert!(left_out < PROGRAMS / 3, "too many programs could not be explored");
    }
    println!("{checked} programs, {with_hits} with hits, {hits} hits, {left_out} left out");
    assert!(with_hits > 150, "states come together in {with_hits} programs only");
}

#[test]
fn paths_that_are_cut_are_those_of_plain_exploration() {
    let (mut checked, mut with_hits, mut seed) = (0, 0, 0);
    while checked < 400 {
        match compare_cut(seed, None) {
            Some(Ok(memo)) => {
                checked += 1;
                with_hits += u64::from(memo.hits > 0);
            }
            Some(Err(difference)) => panic!("seed {seed}: {difference}"),
            None => {}
        }
        seed += 1;
        assert!(seed < 5_000, "{checked} programs with paths that are cut");
    }
    println!("{checked} programs of {seed}, {with_hits} with hits");
    assert!(with_hits > 40, "states come together in {with_hits} programs only");
    let noticed = (0..seed).find(|seed| matches!(compare_cut(*seed, Some(LeftOut::Instructions)), Some(Err(_))));
    assert!(noticed.is_some(), "nobody noticed that it was left out how many instructions ran before");
}

/// Every byte costs the same whichever way it goes, so that states come together with as many instructions behind them.
#[test]
fn paths_that_are_cut_are_not_followed_one_by_one() {
    let wat = "(module (memory 1) (func (export \"f\") (param $a i32) (param $n i32) (local $i i32)
      (loop $l
        (if (i32.load8_u (i32.add (local.get $a) (i32.rem_u (local.get $i) (local.get $n))))
          (then (nop) (nop)) (else (nop) (nop)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $l (i32.lt_u (local.get $i) (local.get $n))))
      (loop $endless (br $endless))))";
    let mut target = target(wat, "f(a: u8[n], n)", CostModel::Instructions);
    target.limits.instructions = 2_000;
    let few = memo_without(&target, 10, &budget(), None).expect("explored");
    let plain = depth_first(&target, 10, &budget()).expect("explored");
    assert_eq!((plain.cut, plain.complete), (1 << 10, false));
    same(&plain, few, wat).unwrap();
    let many = memo_without(&target, 60, &budget(), None).expect("explored");
    assert_eq!((many.finding.cut, many.finding.paths, many.finding.complete), (1 << 60, 0, false));
    assert!(many.followed < 200, "{} decisions were followed", many.followed);
    let worst = many.finding.worst.expect("a path that was cut");
    assert_eq!((worst.cost, worst.at_least), (plain.worst.expect("the same").cost, true));
}

#[test]
fn what_is_forgotten_is_found_again() {
    let (mut forgotten, mut seed) = (0, 0);
    while forgotten < 100 {
        let (wat, signature, cost) = random_program(seed);
        let target = target(&wat, signature, cost);
        if let Some(plain) = depth_first(&target, 1, &budget()).ok().filter(|found| found.complete) {
            // Room for two or three futures, or for none.
            let memo = memo_within(&target, 1, &budget(), 1_000 * (seed % 3) as usize);
            let memo = memo.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{wat}"));
            forgotten += u64::from(memo.forgotten > 0);
            same(&plain, memo, &wat).unwrap_or_else(|difference| panic!("seed {seed}: {difference}"));
        }
        seed += 1;
        assert!(seed < 3_000, "something was forgotten in {forgotten} programs only");
    }
    println!("something was forgotten in {forgotten} of {seed} programs");
}

/// A whole program, as plain exploration finds it, with a table of two kilobytes.
#[test]
fn forgetting_takes_work_and_changes_nothing() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/memo/json.c");
    let compiled = slowpath_source::load(&path, &slowpath_source::Options::default()).expect("compiles");
    let program = Arc::new(load(&compiled.wasm, &Probes::default()).expect("loads"));
    let target = Target {
        function: program.find_function("tokens").expect("exported"),
        program,
        entry: Entry::Call(CallSpec::parse("tokens(s: u8[n], n)").expect("good signature")),
        cost: CostModel::Instructions,
        limits: Limits::default(),
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    };
    let budget = Budget::of_effort(1_000_000_000);
    let plain = depth_first(&target, 3, &budget).expect("explored");
    assert!(plain.complete);
    let [all, some] = [usize::MAX, 2_000].map(|bytes| memo_within(&target, 3, &budget, bytes).expect("explored"));
    assert_eq!((all.forgotten, some.forgotten > 0), (0, true));
    assert!(some.followed > all.followed, "{} decisions, {} without forgetting", some.followed, all.followed);
    for memo in [all, some] {
        same(&plain, memo, "json.c").unwrap();
    }
}

#[test]
fn whatever_is_left_out_of_what_futures_depend_on_is_noticed() {
    for left_out in [
        LeftOut::Register,
        LeftOut::Global,
        LeftOut::Byte,
        LeftOut::Conditions,
        LeftOut::Values,
        LeftOut::Passed,
        LeftOut::FirstWrites,
        LeftOut::Fixed,
        LeftOut::Otherwise,
    ] {
        let noticed = (0..1200).find(|seed| {
            let (wat, signature, model) = random_program(*seed);
            matches!(compare(&wat, signature, model, Some(left_out)), Some(Err(_)))
        });
        println!("{left_out:?}: noticed by program {noticed:?}");
        assert!(noticed.is_some(), "nobody noticed that a {left_out:?} was left out");
    }
}

/// A future that loads what nobody needs: with another value in its address it would decide. Found by `slowpath-fuzz memo`.
#[test]
fn the_address_of_what_nobody_needs_may_be_a_decision() {
    let wat = "(module (memory 1) (func (export \"f\") (param i32 i32) (result i32) (local $c i32) (local $i i32)
      (block $x (block $y (br_table $x $y $y $y $x (local.get 1))) (local.set $c (i32.const 3)))
      (loop $l
        (if (i32.ne (i32.const 5) (local.get 0)) (then (i32.store8 (local.get $c) (i32.const 0))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $l (i32.lt_u (local.get $i) (i32.const 7))))
      (i32.load16_s (i32.and (i32.gt_u (local.get $c) (local.get 1)) (i32.const 15)))))";
    for cost in [CostModel::Instructions, CostModel::Decisions] {
        let same = compare(wat, "f(u8 in 0..=15, u8 in 0..=15)", cost, None);
        assert!(matches!(same, Some(Ok(_))), "{:?}", same.and_then(Result::err));
    }
}

/// A matcher that comes back to its characters, and then asks less about them than at first.
#[test]
fn values_that_the_future_does_not_tell_apart_come_together() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/spf-wca/uri_verifier.c");
    let compiled = slowpath_source::load(&path, &slowpath_source::Options::default()).expect("compiles");
    let program = Arc::new(load(&compiled.wasm, &Probes::default()).expect("loads"));
    let function = program.find_function("uri_verifier").expect("exported");
    let target = Target {
        program,
        function,
        entry: Entry::Harness { name: "uri_verifier".into() },
        cost: CostModel::Branches,
        limits: Limits::default(),
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    };
    let found = memo_without(&target, 3, &Budget::of_effort(2_000_000_000), None).expect("explored");
    assert!(found.finding.complete);
    assert_eq!((found.finding.paths, found.finding.worst.map(|path| path.cost)), (114_533, Some(198)));
    assert!(found.followed < 3_000, "{} decisions were followed", found.followed);
}

/// Move to front: the list has 8! orders, and what it does with a byte depends on where that is in the list, not on what it is.
#[test]
fn states_that_differ_in_names_come_together() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/memo/move_to_front.c");
    let compiled = slowpath_source::load(&path, &slowpath_source::Options::default()).expect("compiles");
    let program = Arc::new(load(&compiled.wasm, &Probes::default()).expect("loads"));
    let target = Target {
        function: program.find_function("move_to_front").expect("exported"),
        program,
        entry: Entry::Call(CallSpec::parse("move_to_front(s: u8[n], n)").expect("good signature")),
        cost: CostModel::Instructions,
        limits: Limits::default(),
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    };
    let found = memo_without(&target, 20, &Budget::of_effort(100_000_000), None).expect("explored");
    assert!(found.finding.complete, "{} decisions were followed", found.followed);
    assert_eq!(found.finding.paths, 1 << 60);
    assert!(found.followed < 200, "{} decisions were followed", found.followed);
}
