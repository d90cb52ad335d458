//! A module, compiled within limits: only what can be called, and waited for no longer than there is time.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, available_parallelism};
use std::time::{Duration, Instant};

use slowpath_program::instrument::{only_reachable, price};

use crate::engine::{Engine, Module};
use crate::{ReplayError, ReplayLimits};

/// Compilers recurse.
const STACK: usize = 16 << 20;
/// How often the one who waits looks whether he should.
const TICK: Duration = Duration::from_millis(50);
/// What is waited for even where no time is left; and a module of an ordinary size, which takes less than a second on an idle machine.
const LEAST: Duration = Duration::from_millis(100);
const LEAST_IF_SMALL: Duration = Duration::from_secs(3);
const SMALL: u64 = 40 << 20;
/// Of a module's price, what a processor compiles in a second: 40 MB at least were measured, of one long function. What would take twice the time there is
/// by this is not begun: nobody would wait for its end, but it would take a processor from the search until then.
const PRICE_PER_SECOND: u64 = 100 << 20;
const HOPELESS: u32 = 2;

/// Compiles a module with the entry `slowpath.entry`. Where there is a limit of time it is done beside: a compiler cannot be told to stop,
/// but nobody has to wait for it.
pub(crate) fn module(
    engine: Box<dyn Engine>,
    wasm: Vec<u8>,
    limits: &ReplayLimits,
) -> Result<Arc<dyn Module>, ReplayError> {
    let wasm = only_reachable(wasm)?;
    let bytes = price(&wasm);
    if bytes > limits.compiler_bytes {
        return Err(ReplayError::CompileMemory(bytes >> 20));
    }
    let kind = limits.engine;
    let compiled = move |wasm: &[u8]| engine.compile(wasm).map_err(|why| ReplayError::Compile(kind, why));
    let Some(left) = limits.left_for_compiling() else { return compiled(&wasm) };
    let left = left.max(if bytes < SMALL { LEAST_IF_SMALL } else { LEAST });
    let processors = available_parallelism().map_or(1, |count| count.get() as u64);
    if Duration::from_secs_f64(bytes as f64 / (PRICE_PER_SECOND * processors) as f64) > left * HOPELESS {
        return Err(ReplayError::CompileTime);
    }
    let end = Instant::now() + left;
    let (done, result) = channel();
    let work = move || {
        // Nobody may be waiting any more.
        let _ = done.send(compiled(&wasm));
    };
    let thread = Builder::new().name("compile".to_owned()).stack_size(STACK).spawn(work);
    thread.map_err(|error| ReplayError::Engine(format!("no thread to compile the module: {error}")))?;
    loop {
        match result.recv_timeout(TICK) {
            Ok(module) => return module,
            Err(RecvTimeoutError::Disconnected) => return Err(ReplayError::Engine("the compiler panicked".to_owned())),
            Err(RecvTimeoutError::Timeout) if Instant::now() >= end || limits.is_interrupted() => {
                return Err(ReplayError::CompileTime);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use slowpath_program::World;

    use super::*;
    use crate::engine::Settings;

    /// A module of so many functions, each calling the next.
    fn chain(functions: usize) -> Vec<u8> {
        let mut text = String::from("(module (func (export \"slowpath.entry\"))");
        for i in 0..functions {
            text += &format!("(func (call {}))", (i + 2) % (functions + 1));
        }
        wat::parse_str(text + "(start 1))").unwrap()
    }

    #[test]
    fn what_takes_too_long_or_too_much_is_not_compiled() {
        let engine = |limits: &ReplayLimits| {
            let settings = Settings { limits, world: &World::default(), counted: false };
            limits.engine.engine(&settings).unwrap()
        };
        let within = |compiled_by, compiler_bytes| {
            let limits = ReplayLimits { compiled_by, compiler_bytes, ..ReplayLimits::default() };
            module(engine(&limits), chain(20_000), &limits).map(drop)
        };
        assert_eq!(within(Some(Instant::now()), u64::MAX), Err(ReplayError::CompileTime));
        assert!(matches!(within(None, 1 << 20), Err(ReplayError::CompileMemory(_))));
        let limits = ReplayLimits { compiled_by: Some(Instant::now()), ..ReplayLimits::default() };
        assert!(module(engine(&limits), chain(1), &limits).is_ok());
    }
}
