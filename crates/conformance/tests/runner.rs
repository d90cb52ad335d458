//! On random modules a runner, which keeps its instance from run to run, says what a fresh instance says.

use slowpath_conformance::rng::Rng;
use slowpath_conformance::{random_programs, smith};
use slowpath_program::call::{CallSpec, ElemType, Entry, Param, ParamKind};
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_program::{ExternKind, FuncIdx, Probes, Program, ValType, load};
use slowpath_replay::{Ran, ReplayError, ReplayLimits, Replayer, Runner};

/// Enough for nearly all of these modules; those it is not enough for loop.
const FUEL: u64 = 20_000;
const RUNS: usize = 6;

fn limits() -> ReplayLimits {
    let (memory_bytes, stack_bytes) = (16 << 16, 1 << 20);
    ReplayLimits { fuel: 1 << 20, memory_bytes, table_elements: 1000, stack_bytes, ..ReplayLimits::default() }
}

/// A call of the function with an input for each parameter; None if it takes references.
fn call(program: &Program, function: FuncIdx) -> Option<CallSpec> {
    let params = program.func_type(function).params.iter().enumerate().map(|(position, ty)| {
        let ty = match ty {
            ValType::I32 => ElemType::I32,
            ValType::I64 => ElemType::I64,
            ValType::F32 => ElemType::F32,
            ValType::F64 => ElemType::F64,
            _ => return None,
        };
        Some(Param::new(format!("arg{position}"), ParamKind::Scalar(ty)))
    });
    Some(CallSpec { function: String::new(), params: params.collect::<Option<_>>()? })
}

fn inputs(spec: &CallSpec, rng: &mut Rng) -> InputValues {
    let input = |param: &Param| {
        let ParamKind::Scalar(ty) = param.kind else { unreachable!("all are scalars") };
        let any = rng.next_u64();
        let bits = [0, any % 64, any % (1 << 17), any][rng.below(4) as usize] & ty.mask();
        NamedInput { name: param.name.clone(), ty, scalar: true, bits: vec![bits] }
    };
    InputValues(spec.params.iter().map(input).collect())
}

/// How many runs were compared, how many of them trapped, and how many ran out of fuel.
type Counts = [usize; 3];

fn compare(wasm: &[u8], seed: u64, counts: &mut Counts) {
    let program = load(wasm, &Probes::default()).expect("a valid module");
    let mut rng = Rng::new(seed);
    for export in program.exports.iter().filter(|export| export.kind == ExternKind::Func) {
        let Some(spec) = call(&program, FuncIdx(export.index)) else { continue };
        let entry = Entry::Call(spec.clone());
        let replayer = Replayer::new(wasm, export.index, limits());
        let runner = Runner::new(&program, wasm, export.index, &entry, limits());
        let (Ok(mut replayer), Ok(mut runner)) = (replayer, runner) else { continue };
        for _ in 0..RUNS {
            let inputs = inputs(&spec, &mut rng);
            let ran = runner.run(0, &inputs, FUEL);
            counts[0] += 1;
            if ran.as_ref().is_ok_and(|ran| ran.out_of_fuel) {
                counts[2] += 1;
                // More than the fuel was used, so a fresh instance either is stopped or uses up exactly that.
                replayer.set_fuel(FUEL);
                let replayed = replayer.run(&entry, 0, &inputs);
                let agrees = match &replayed {
                    Ok(run) => run.instructions == FUEL,
                    Err(error) => *error == ReplayError::OutOfFuel(FUEL),
                };
                assert!(agrees, "seed {seed}, {}: {ran:?}, {replayed:?}", export.name);
                continue;
            }
            replayer.set_fuel(limits().fuel);
            let expected = replayer.run(&entry, 0, &inputs).map(|run| Ran {
                instructions: run.instructions,
                exact: run.exact,
                trap: run.trap,
                out_of_fuel: false,
                output: run.output,
                custom: run.custom,
                memory_pages: run.memory_pages,
            });
            counts[1] += usize::from(expected.as_ref().is_ok_and(|run| run.trap.is_some()));
            assert_eq!(ran, expected, "seed {seed}, {}", export.name);
        }
    }
}

/// The module without what changes its table, which a runner does not undo: it would start most of these modules afresh each time.
fn without_changes_of_tables(text: &str) -> String {
    text.replace("(table.copy $t $t (i32.const 0) (i32.const 3) (i32.const 4))", "")
        .replace("(table.grow $t (ref.null func) ", "(i32.add (i32.const 1) ")
        .replace("(table.set $t ", "(drop (i32.add ")
        .replace("(table.get $t (i32.const 2)))", "(ref.is_null (table.get $t (i32.const 2)))))")
}

#[test]
fn modules_that_compute_do_the_same_run_after_run() {
    let mut counts = Counts::default();
    for seed in 0..100 {
        let text = random_programs::module(seed);
        let text = if seed % 5 == 0 { text } else { without_changes_of_tables(&text) };
        compare(&wat::parse_str(text).expect("the text is valid"), seed, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts[0] > 1500 && counts[1] > 50, "{counts:?}");
}

#[test]
fn modules_of_wasm_smith_do_the_same_run_after_run() {
    let mut counts = Counts::default();
    for seed in 0..100 {
        compare(&smith::module(seed), seed, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts[0] > 500 && counts[1] > 50 && counts[2] > 5, "{counts:?}");
}
