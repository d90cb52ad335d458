//! The completeness oracle: exhaustive exploration of random small programs against brute force over all inputs.
//!
//! For every input, exactly one explored path's condition holds, and that path's costs, outcome and result are those of
//! the concrete run; every path is followed by its own input. So both give the same set of (path, cost).

mod generate;

use std::rc::Rc;
use std::sync::Arc;

use slowpath_machine::{Costs, InputSource, Limits, Mode, Outcome, Symbolic};
use slowpath_program::call::{CallSpec, ElemType, Entry};
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_program::{Probes, load};
use slowpath_search::{Budget, CostModel, Driver, Node, Rng, SizeFinding, Step, Target, exhaustive, run_concrete};
use slowpath_solver::SolverConfig;
use slowpath_term::{Evaluator, Model, TermId};

struct Explored {
    conds: Vec<TermId>,
    costs: Costs,
    outcome: Outcome,
    result: Option<TermId>,
    model: Model,
}

fn target(wat: &str, signature: &str) -> Target {
    let wasm = wat::parse_str(wat).unwrap_or_else(|e| panic!("{e}\n{wat}"));
    let program = Arc::new(load(&wasm, &Probes::default()).unwrap_or_else(|e| panic!("{e}\n{wat}")));
    let entry = Entry::Call(CallSpec::parse(signature).expect("good signature"));
    let function = program.find_function("f").expect("exported");
    let limits = Limits { instructions: 1_000_000, ..Limits::default() };
    Target {
        program,
        function,
        entry,
        cost: CostModel::Instructions,
        limits,
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}

/// Every path of the program; None if something was cut short (which the caller counts).
fn explore(driver: &mut Driver<'_>, wat: &str) -> Option<Vec<Explored>> {
    let mut waiting: Vec<Node> = vec![driver.root(1).expect("starts")];
    let mut out = Vec::new();
    while let Some(mut node) = waiting.pop() {
        if out.len() > 3000 {
            return None;
        }
        let outcome = loop {
            match driver.advance(&mut node) {
                Step::Decide(choice) => {
                    let mut others = 0;
                    for (i, side) in choice.sides.iter().enumerate() {
                        if i == choice.current {
                            continue;
                        }
                        if let Some(model) = driver.feasible_side(&node, *side) {
                            let mut fork = node.clone();
                            driver.take(&mut fork, &choice, i, Some(model), false);
                            waiting.push(fork);
                            others += 1;
                        }
                    }
                    driver.take(&mut node, &choice, choice.current, None, others == 0);
                }
                Step::Done(outcome) => break outcome,
                end => panic!("{end:?}\n{wat}"),
            }
        };
        let result = match outcome {
            Outcome::Returned => {
                let value = node.state.results().first().copied();
                value.map(|v| Symbolic::to_term(&mut driver.terms, 32, v))
            }
            Outcome::Trapped(_) => None,
        };
        out.push(Explored {
            conds: node.path.iter().map(|condition| driver.terms.condition(condition)).collect(),
            costs: node.state.meter.costs(),
            outcome,
            result,
            model: node.model.clone(),
        });
    }
    driver.limits.is_empty().then_some(out)
}

/// Costs without what differs by nature: a concrete run makes no symbolic decisions.
fn comparable(costs: Costs) -> Costs {
    Costs { decisions: 0, ..costs }
}

fn check(wat: &str, signature: &str, ty: ElemType, inputs: &[Vec<u64>]) -> Result<usize, String> {
    let target = target(wat, signature);
    let mut driver = Driver::new(&target, &Budget::default());
    let Some(paths) = explore(&mut driver, wat) else {
        return Err(format!("{:?}", driver.limits));
    };
    let mut evaluator = Evaluator::new();
    let mut reached = vec![false; paths.len()];
    for values in inputs {
        let model = Model::from_values(values.clone());
        let holding: Vec<usize> = (0..paths.len())
            .filter(|i| paths[*i].conds.iter().all(|c| evaluator.holds(&driver.terms, &model, *c)))
            .collect();
        let [at] = holding[..] else { panic!("input {values:?} is on paths {holding:?} of {}\n{wat}", paths.len()) };
        reached[at] = true;
        let path = &paths[at];
        let given = InputValues(
            values
                .iter()
                .enumerate()
                .map(|(i, v)| NamedInput { name: format!("arg{i}"), ty, scalar: true, bits: vec![*v] })
                .collect(),
        );
        let run = run_concrete(&target, 1, InputSource::Given(Rc::new(given)), &Budget::default()).expect("runs");
        assert_eq!(run.outcome.as_ref(), Some(&path.outcome), "outcome on {values:?}\n{wat}");
        assert_eq!(comparable(run.costs), comparable(path.costs), "costs on {values:?}\n{wat}");
        if let Some(result) = path.result {
            let value = evaluator.eval(&driver.terms, &model, result);
            assert_eq!(run.results.first().copied(), Some(value), "result on {values:?}\n{wat}");
        }
    }
    for (path, reached) in paths.iter().zip(&reached) {
        assert!(reached, "no input reaches a path\n{wat}");
        let own = path.conds.iter().all(|c| evaluator.holds(&driver.terms, &path.model, *c));
        assert!(own, "a path's own input does not follow it\n{wat}");
    }
    Ok(paths.len())
}

#[test]
fn exploration_equals_brute_force_on_random_programs() {
    const PROGRAMS: u64 = 1500;
    let one: Vec<Vec<u64>> = (0..256).map(|v| vec![v]).collect();
    let two: Vec<Vec<u64>> = (0..256).map(|v| vec![v >> 4, v & 15]).collect();
    let (mut checked, mut paths, mut cut) = (0, 0, Vec::new());
    let mut operators = std::collections::BTreeSet::new();
    let mut seed = 0;
    while checked < PROGRAMS {
        let mut rng = Rng::new(seed, 7);
        let result = if seed % 2 == 0 {
            let wat = generate::program(&mut rng, 1, &mut operators);
            check(&wat, "f(u8)", ElemType::U8, &one)
        } else {
            let wat = generate::program(&mut rng, 2, &mut operators);
            check(&wat, "f(u8 in 0..=15, u8 in 0..=15)", ElemType::U8, &two)
        };
        match result {
            Ok(n) => {
                checked += 1;
                paths += n;
            }
            Err(why) => cut.push((seed, why)),
        }
        seed += 1;
        assert!(cut.len() < 60, "too many programs could not be explored: {cut:?}");
    }
    println!("{checked} programs, {paths} paths, {} operators, {} left out: {cut:?}", operators.len(), cut.len());
    assert_eq!(
        operators.len(),
        generate::OPERATORS.iter().map(|o| o.2.len()).sum::<usize>(),
        "every operator was used"
    );
}

/// How many cells the tables have, whose indices are unknown; the inputs have a bit beyond.
const CELLS: u64 = 1024;
const BEYOND: u64 = 1 << 12;

/// A program that reads a table at an unknown place, writes there if it is one of the few that hold something else, and reads at another; and inputs that lead to all classes of both.
fn table_program(rng: &mut Rng) -> (String, Vec<Vec<u64>>) {
    let mut pick = |list: &[u64]| list[rng.below(list.len() as u64) as usize];
    let (log, common) = (pick(&[0, 1, 2]), pick(&[0, 0, 1, 255]));
    let (load, store, width) =
        [("load8_u", "store8", 1), ("load16_u", "store16", 2), ("load", "store", 4)][log as usize];
    let mut held = vec![common; CELLS as usize];
    for _ in 0..rng.below(17) {
        let at = if rng.below(4) == 0 { rng.below(2) * (CELLS - 1) } else { rng.below(CELLS) };
        held[at as usize] = rng.below(256);
    }
    let data: String = held.iter().map(|v| format!("\\{v:02x}") + &"\\00".repeat(width - 1)).collect();
    let index = rng.below(3);
    let second =
        ["(local.get $y)", "(i32.xor (local.get $x) (local.get $y))", "(i32.sub (local.get $y) (local.get $x))"];
    let second = second[index as usize];
    let value = match rng.below(3) {
        0 => format!("(i32.const {common})"),
        1 => format!("(i32.const {})", rng.below(256)),
        _ => "(i32.and (i32.shr_u (local.get $y) (i32.const 12)) (i32.const 1))".to_owned(),
    };
    let last = CELLS - 1;
    let wat = format!(
        r#"(module (memory (export "memory") 1) (data (i32.const 4096) "{data}")
          (func (export "f") (param $x i32) (param $y i32) (result i32) (local $a i32) (local $b i32) (local $at i32)
            (local.set $at (i32.shl (i32.and (local.get $x) (i32.const {last})) (i32.const {log})))
            (local.set $a (i32.{load} offset=4096 (local.get $at)))
            (if (i32.ne (local.get $a) (i32.const {common})) (then (i32.{store} offset=4096 (local.get $at) {value})))
            (local.set $at (i32.shl (i32.and {second} (i32.const {last})) (i32.const {log})))
            (local.set $b (i32.{load} offset=4096 (local.get $at)))
            (loop $again (if (local.get $b) (then
              (local.set $a (i32.add (local.get $a) (i32.const 3)))
              (local.set $b (i32.shr_u (local.get $b) (i32.const 1)))
              (br $again))))
            (local.get $a)))"#
    );
    let is_alike = |at: &u64| held[*at as usize] == common;
    let unlike = (0..CELLS).filter(|at| !is_alike(at));
    let places: Vec<u64> = unlike.chain((0..CELLS).filter(is_alike).take(2)).collect();
    let mut inputs = Vec::new();
    for &x in &places {
        for &place in &places {
            let y = [place, x ^ place, place.wrapping_add(x) % CELLS][index as usize];
            inputs.extend([vec![x, y], vec![x, y | BEYOND]]);
        }
    }
    (wat, inputs)
}

/// `SLOWPATH_ORACLE` says how many inputs are compared, as for the layers of the solver.
#[test]
fn exploration_equals_brute_force_on_tables_of_alike_cells() {
    let most = std::env::var("SLOWPATH_ORACLE").ok().and_then(|v| v.parse().ok()).unwrap_or(4_000);
    let (mut compared, mut programs, mut paths) = (0, 0, 0);
    while compared < most {
        let (wat, inputs) = table_program(&mut Rng::new(programs, 11));
        paths += check(&wat, "f(u16, u16)", ElemType::U16, &inputs).unwrap_or_else(|why| panic!("{why}\n{wat}"));
        compared += inputs.len();
        programs += 1;
    }
    println!("{compared} inputs, {programs} programs, {paths} paths");
}

/// Keys that set flags: of stores to cells that all hold the same one is followed, and each of those that were set before. So there is a path for
/// every way in which keys can be equal.
#[test]
fn stores_to_alike_cells_follow_one_of_every_class() {
    let wat = r#"(module (memory (export "memory") 1)
      (func (export "f") (param $p i32) (param $n i32) (local $i i32) (local $at i32) (local $again i32)
        (loop $next
          (if (i32.lt_s (local.get $i) (local.get $n)) (then
            (local.set $at (i32.and (i32.load16_u (i32.add (local.get $p) (i32.shl (local.get $i) (i32.const 1)))) (i32.const 4095)))
            (if (i32.load8_u offset=8192 (local.get $at)) (then (local.set $again (i32.add (local.get $again) (i32.const 1)))))
            (i32.store8 offset=8192 (local.get $at) (i32.const 1))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $next))))))"#;
    let target = target(wat, "f(a: u16[n], n)");
    let explored: Vec<SizeFinding> =
        (1..=5).map(|n| exhaustive(&target, n, 1, &Budget::default()).expect("explores")).collect();
    assert_eq!(explored.iter().map(|found| found.paths).collect::<Vec<u64>>(), [1, 2, 5, 15, 52]);
    for found in explored {
        let is_said =
            found.limits.keys().any(|limit| limit.contains("a store to one of many cells that hold the same"));
        assert!(is_said && !found.complete, "{:?}", found.limits);
    }
}
