//! Modules made to exhaust time or memory are refused, or run within the limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use slowpath_machine::{CallError, Concrete, InstantiateError, Limits, Linker, Mode, State, Symbolic};
use slowpath_program::{LoadError, Probes, Program, load};
use slowpath_term::Terms;
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, ElementSection, Elements, ExportKind, ExportSection, Function,
    FunctionSection, InstructionSink, MemorySection, MemoryType, Module, RefType, TableSection, TableType, TypeSection,
    ValType,
};

/// Loads a module, in bounded time.
fn load_quickly(wasm: &[u8]) -> Result<Arc<Program>, LoadError> {
    let start = Instant::now();
    let loaded = load(wasm, &Probes::default());
    assert!(start.elapsed() < Duration::from_secs(120), "{} bytes took {:?}", wasm.len(), start.elapsed());
    assert_modest();
    loaded.map(Arc::new)
}

/// The most memory this process ever had, where the system tells.
fn assert_modest() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: u64 = peak.and_then(|text| text.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0);
    assert!(kib < 1536 << 10, "{kib} KiB were used");
}

fn instantiate<M: Mode>(program: &Arc<Program>) -> Result<(State<M>, Terms), InstantiateError> {
    let mut terms = Terms::new();
    let mut state = State::<M>::new(Limits { instructions: 1_000_000, ..Limits::default() });
    let made = state.instantiate(&mut terms, program, &Linker::default());
    assert_modest();
    made.map(|_| (state, terms))
}

/// Calls the first exported function without arguments, in both modes.
fn call(program: &Arc<Program>) -> [Result<(), CallError>; 2] {
    fn run<M: Mode>(program: &Arc<Program>) -> Result<(), CallError> {
        let (mut state, mut terms) = instantiate::<M>(program).expect("it can be instantiated");
        let func = state.store().instance(slowpath_machine::InstanceId(0)).funcs[program.exports[0].index as usize];
        let done = state.call_through(&mut terms, func, &[]);
        assert_modest();
        done
    }
    [run::<Concrete>(program), run::<Symbolic>(program)]
}

/// A module of types, functions of those types (the first exported), and whatever `rest` adds.
fn module(types: &[(usize, usize)], functions: &[(u32, Function)]) -> Module {
    let mut out = Module::new();
    let mut section = TypeSection::new();
    for (params, results) in types {
        section.ty().function(vec![ValType::I32; *params], vec![ValType::I32; *results]);
    }
    out.section(&section);
    let mut declared = FunctionSection::new();
    let mut code = CodeSection::new();
    for (ty, body) in functions {
        declared.function(*ty);
        code.function(body);
    }
    out.section(&declared);
    let mut exports = ExportSection::new();
    exports.export("f", ExportKind::Func, 0);
    out.section(&exports);
    out.section(&code);
    out
}

fn function(locals: u32, build: impl FnOnce(&mut InstructionSink<'_>)) -> Function {
    let mut f = Function::new([(locals, ValType::I32)]);
    let mut sink = f.instructions();
    build(&mut sink);
    sink.end();
    f
}

#[test]
fn the_most_locals_a_function_may_have_run_and_deep_recursion_over_them_overflows() {
    let f = function(49_000, |i| {
        i.call(0);
    });
    let program = load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()).expect("it is valid");
    for done in call(&program) {
        assert_eq!(done, Err(CallError::Trapped(slowpath_program::Trap::StackOverflow)));
    }
}

#[test]
fn more_locals_than_allowed_are_refused() {
    let f = Function::new([(u32::MAX, ValType::I64), (u32::MAX, ValType::I64)]);
    assert!(load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()).is_err());
}

#[test]
fn deep_nesting_is_translated_or_refused() {
    for depth in [1000, 40_000, 200_000] {
        let f = function(0, |i| {
            for _ in 0..depth {
                i.block(BlockType::Empty);
            }
            for _ in 0..depth {
                i.end();
            }
        });
        match load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()) {
            Ok(program) => assert_eq!(call(&program), [Ok(()), Ok(())]),
            Err(e) => assert!(matches!(e, LoadError::TooLarge(_)) && depth > 50_000, "{depth}: {e}"),
        }
    }
}

#[test]
fn loops_side_by_side_under_deep_nesting_take_linear_time() {
    let f = function(0, |i| {
        for _ in 0..40_000 {
            i.block(BlockType::Empty);
        }
        for _ in 0..500_000 {
            i.loop_(BlockType::Empty).end();
        }
        for _ in 0..40_000 {
            i.end();
        }
    });
    let program = load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()).expect("it is valid");
    assert_eq!(program.loops.len(), 500_000);
}

#[test]
fn sets_of_locals_over_a_deep_stack_take_linear_time() {
    let f = function(2, |i| {
        for _ in 0..300_000 {
            i.local_get(0);
        }
        for _ in 0..300_000 {
            i.i32_const(1).local_set(1).block(BlockType::Empty).end();
        }
        for _ in 0..300_000 {
            i.drop();
        }
    });
    let program = load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()).expect("it is valid");
    assert_eq!(call(&program), [Ok(()), Ok(())]);
}

#[test]
fn a_stack_higher_than_any_frame_is_refused() {
    let f = function(0, |i| {
        for _ in 0..1_500_000 {
            i.i32_const(1);
        }
        i.unreachable();
    });
    assert!(matches!(load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()), Err(LoadError::TooLarge(_))));
}

#[test]
fn a_table_of_a_million_branches_runs() {
    let f = function(0, |i| {
        i.block(BlockType::Empty);
        i.i32_const(-1);
        i.br_table(vec![0, 1].into_iter().cycle().take(1_000_000).collect::<Vec<u32>>(), 0);
        i.end();
    });
    let program = load_quickly(&module(&[(0, 0)], &[(0, f)]).finish()).expect("it is valid");
    assert_eq!(call(&program), [Ok(()), Ok(())]);
}

#[test]
fn branches_that_each_move_a_thousand_values_do_not_fill_memory() {
    // Four bytes of code for each branch, a thousand copies to be made of it.
    let wide = function(0, |i| {
        i.unreachable();
    });
    let f = function(0, |i| {
        i.block(BlockType::FunctionType(1)).i32_const(0).call(1);
        for _ in 0..50_000 {
            i.i32_const(0).br_if(0);
        }
        i.br(0).end().unreachable();
    });
    let wasm = module(&[(0, 0), (0, 1000)], &[(0, f), (1, wide)]).finish();
    assert!(matches!(load_quickly(&wasm), Err(LoadError::TooLarge(_))));
}

#[test]
fn many_small_functions_of_many_results_do_not_fill_memory() {
    let functions: Vec<(u32, Function)> = (0..200_000)
        .map(|_| {
            (
                0,
                function(1, |i| {
                    i.call(0);
                }),
            )
        })
        .collect();
    let wasm = module(&[(0, 1000)], &functions).finish();
    assert!(matches!(load_quickly(&wasm), Err(LoadError::TooLarge(_))));
}

#[test]
fn very_many_types_are_told_apart_in_linear_time() {
    let mut wasm = Module::new();
    let mut types = TypeSection::new();
    for i in 0..200_000u32 {
        let bit = |b: u32| if i >> b & 1 == 1 { ValType::I64 } else { ValType::I32 };
        types.ty().function((0..18).map(bit), []);
    }
    wasm.section(&types);
    let program = load_quickly(&wasm.finish()).expect("it is valid");
    let start = Instant::now();
    assert!(instantiate::<Concrete>(&program).is_ok());
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

fn with_memory(pages: u64, data_at: i32) -> Vec<u8> {
    let mut wasm = Module::new();
    let mut memory = MemorySection::new();
    memory.memory(MemoryType { minimum: pages, maximum: None, memory64: false, shared: false, page_size_log2: None });
    wasm.section(&memory);
    let mut data = DataSection::new();
    data.active(0, &ConstExpr::i32_const(data_at), *b"data");
    wasm.section(&data);
    wasm.finish()
}

#[test]
fn the_largest_memory_there_is_stays_within_the_limit() {
    let program = load_quickly(&with_memory(65_536, 0)).expect("it is valid");
    assert!(matches!(instantiate::<Concrete>(&program), Err(InstantiateError::Memory { pages: 65_536, .. })));
    assert!(matches!(instantiate::<Symbolic>(&program), Err(InstantiateError::Memory { pages: 65_536, .. })));
    let program = load_quickly(&with_memory(16_384, 0)).expect("it is valid");
    assert!(instantiate::<Concrete>(&program).is_ok() && instantiate::<Symbolic>(&program).is_ok());
    assert!(load_quickly(&with_memory(65_537, 0)).is_err());
}

#[test]
fn data_far_outside_memory_traps() {
    for at in [-1, i32::MIN, 65_533] {
        let program = load_quickly(&with_memory(1, at)).expect("it is valid");
        assert!(matches!(instantiate::<Concrete>(&program), Err(InstantiateError::Trapped(_))));
        assert!(matches!(instantiate::<Symbolic>(&program), Err(InstantiateError::Trapped(_))));
    }
}

#[test]
fn huge_tables_are_refused_and_so_are_many_large_ones() {
    let with_tables = |count: usize, size: u64| {
        let mut wasm = Module::new();
        let mut tables = TableSection::new();
        for _ in 0..count {
            tables.table(TableType {
                element_type: RefType::FUNCREF,
                minimum: size,
                maximum: None,
                table64: false,
                shared: false,
            });
        }
        wasm.section(&tables);
        let mut elements = ElementSection::new();
        elements.active(Some(0), &ConstExpr::i32_const(-1), Elements::Functions((&[]).into()));
        wasm.section(&elements);
        load_quickly(&wasm.finish()).expect("it is valid")
    };
    let refused =
        |program: &Arc<Program>| matches!(instantiate::<Concrete>(program), Err(InstantiateError::Table { .. }));
    assert!(refused(&with_tables(1, u64::from(u32::MAX))));
    assert!(refused(&with_tables(100, 10_000_000)));
    let one = with_tables(1, 10_000_000);
    assert!(matches!(instantiate::<Symbolic>(&one), Err(InstantiateError::Trapped(_))), "the segment lies outside");
}

#[test]
fn a_program_that_grows_everything_without_end_stays_within_the_limits() {
    let text = r#"(module (memory 1) (table 1 funcref) (func (export "f")
        (loop
          (drop (memory.grow (i32.const 4000)))
          (drop (table.grow (ref.null func) (i32.const 3000000)))
          (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536))
          (br 0))))"#;
    let program = load_quickly(&wat::parse_str(text).expect("valid text")).expect("it is valid");
    for done in call(&program) {
        assert_eq!(done, Err(CallError::Stopped("it runs past the limit of instructions")));
    }
}

#[test]
fn endless_recursion_and_endless_tail_calls_end() {
    let program = load_quickly(&wat::parse_str("(module (func $f (export \"f\") (call $f)))").expect("valid text"));
    for done in call(&program.expect("it is valid")) {
        assert_eq!(done, Err(CallError::Trapped(slowpath_program::Trap::StackOverflow)));
    }
    let text = "(module (func $f (export \"f\") (return_call $f)))";
    let program = load_quickly(&wat::parse_str(text).expect("valid text"));
    for done in call(&program.expect("it is valid")) {
        assert_eq!(done, Err(CallError::Stopped("it runs past the limit of instructions")));
    }
}
