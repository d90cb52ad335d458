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
use slowpath_search::{Budget, CostModel, Driver, Node, Rng, Step, Target, run_concrete};
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

fn check(wat: &str, signature: &str, inputs: &[Vec<u64>]) -> Result<usize, String> {
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
                .map(|(i, v)| NamedInput { name: format!("arg{i}"), ty: ElemType::U8, scalar: true, bits: vec![*v] })
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
            check(&wat, "f(u8)", &one)
        } else {
            let wat = generate::program(&mut rng, 2, &mut operators);
            check(&wat, "f(u8 in 0..=15, u8 in 0..=15)", &two)
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
