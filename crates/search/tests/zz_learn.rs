use std::path::Path;
use std::sync::Arc;
use std::time::*;
use slowpath_machine::*;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::*;
use slowpath_solver::SolverConfig;
#[test]
fn perf() {
    let sizes: Vec<i64> = std::env::var("N").unwrap_or("30".into()).split(',').map(|v| v.parse().unwrap()).collect();
    let file = std::env::var("F").unwrap_or("tests/programs/isort.c".into());
    let sig = std::env::var("S").unwrap_or("isort(a: i32[n], n)".into());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let compiled = slowpath_source::load(&path, &Default::default()).expect("compiles");
    let program = Arc::new(load(&compiled.wasm, &Probes::default()).expect("loads"));
    let entry = if sig.contains('(') { Entry::Call(CallSpec::parse(&sig).unwrap()) } else { Entry::Harness { name: sig } };
    let function = program.find_function(entry.function()).unwrap();
    let family = match std::env::var("W").as_deref() { Ok("wise") => Family::Wise, Ok("history") => Family::History, _ => Family::Either };
    let t = Target { program, function, entry, cost: std::env::var("C").unwrap_or("instructions".into()).parse().unwrap(), limits: Limits::default(), solver: SolverConfig::default(), seed: 0 };
    let b = Instant::now();
    let secs: u64 = std::env::var("T").unwrap_or("3".into()).parse().unwrap();
    let budget = Budget { deadline: Some(b + Duration::from_secs(60)), ..Budget::default() };
    let l = learn(&t, family, 12, 2, &budget, b + Duration::from_secs(secs)).unwrap();
    println!("learned {:?} in {:.2?}", l.exact.iter().map(|e| (e.size, e.paths, e.worst.as_ref().unwrap().cost)).collect::<Vec<_>>(), b.elapsed());
    for c in &l.chosen.candidates { println!("  {} learned {:?} validated {:?} failed {:?} det {} c {}", match &c.policy { policy::Policy::Branch(_) => "wise".to_owned(), policy::Policy::History(h) => format!("history {:?}", h.length) }, c.learned, c.validated, c.failed, c.deterministic, c.complexity); }
    for n in sizes {
        let b = Instant::now();
        if let Some((f, i)) = l.chosen.run(&t, n, &budget).unwrap() {
        println!("n={n} by {i}: paths {} cost {:?} complete {} {:.2?} q {} smt {} {:?}", f.paths, f.worst.as_ref().map(|w| w.cost), f.complete, b.elapsed(), f.stats.queries, f.stats.smt_queries, f.worst.map(|w| w.input.0.iter().flat_map(|x| x.bits.iter().take(8).map(|v| *v as i32).collect::<Vec<_>>()).take(12).collect::<Vec<_>>()));
        }
    }
}
