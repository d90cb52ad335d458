//! Speed as ratios against named baselines, each pair measured in one run. No time here is stable; the ratios are.
//!
//! `make bench` runs everything; `slowpath-bench NAME` one of: concrete, fork, solver, guided, sums, jobs, runs.

#![allow(clippy::print_stdout, reason = "its tables are all it is for")]

mod concrete;
mod explore;
mod fork;
mod fuzzer;
mod plain_loop;
mod programs;
mod runs;
mod subjects;

/// The allocator that the command uses too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    let mut missed = 0;
    let mut section = |name: &str, title: &str, run: &dyn Fn() -> bool| {
        if wanted(name) {
            println!("\n{title}");
            if !run() {
                missed += 1;
            }
        }
    };
    section("concrete", "Concrete speed against wasmi 2 (target: at most 1.6 times its time)", &concrete::run);
    section("fork", "Forking a state with 1 MiB of live memory (target: a few microseconds)", &fork::run);
    section(
        "solver",
        "Exhaustive insertion sort: layered solver against Z3 alone (target: 100 times)",
        &explore::solver,
    );
    section(
        "guided",
        "Insertion sort n = 1000, always the costly side (target: guided search in at most 4 times the concrete run)",
        &explore::guided,
    );
    section(
        "sums",
        "Exhaustive Bellman-Ford n = 4, one job (target: a fourth of what it took before refutations were remembered)",
        &explore::sums,
    );
    section(
        "jobs",
        "Two jobs against one, by the wall (target: 1.8 times as fast; wants an idle machine)",
        &explore::jobs,
    );
    section(
        "runs",
        "Runs a second of small inputs (targets: half of a plain wasmtime loop, a tenth of libFuzzer, 20 times a fresh instance)",
        &runs::run,
    );
    println!("\n{}", if missed == 0 { "all targets met".to_owned() } else { format!("{missed} targets missed") });
    std::process::exit(i32::from(missed > 0));
}
