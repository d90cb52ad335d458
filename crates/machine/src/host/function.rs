//! Which function of the host an import is, and the type it has to have.

use slowpath_program::call::ElemType;
use slowpath_program::{FuncType, ValType};

use super::wasi::Wasi;

/// A function of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostFunc {
    /// Makes bytes symbolic.
    MakeSymbolic,
    /// Makes a number.
    Scalar(ElemType),
    /// Makes an array of numbers in memory.
    Array(ElemType),
    Assume,
    Cost,
    Begin,
    End,
    /// A panic of Rust: the run ends.
    Panic,
    /// An exception of C++: the run ends.
    Thrown,
    /// An exception of C++ is on its way, or is no longer.
    InFlight,
    Wasi(Wasi),
    /// Nobody provides it: what it gives is said by the world, at this place of its list.
    Stub(u32),
    /// Does nothing (the official test suite's printing functions).
    Nothing,
}

/// Finds a host function by the names a module imports it under.
pub fn resolve_import(module: &str, name: &str) -> Option<HostFunc> {
    match module {
        "slowpath" => ours(name),
        "env" => name.strip_prefix("slowpath_").and_then(ours),
        "wasi_snapshot_preview1" => Some(HostFunc::Wasi(Wasi::named(name))),
        "spectest" if name.starts_with("print") => Some(HostFunc::Nothing),
        _ => None,
    }
}

fn ours(name: &str) -> Option<HostFunc> {
    Some(match name {
        "make_symbolic" => HostFunc::MakeSymbolic,
        "assume" => HostFunc::Assume,
        "cost" => HostFunc::Cost,
        "begin" => HostFunc::Begin,
        "end" => HostFunc::End,
        "panic" => HostFunc::Panic,
        "thrown" => HostFunc::Thrown,
        "in_flight" => HostFunc::InFlight,
        _ => match name.strip_suffix("_array") {
            Some(ty) => HostFunc::Array(ty.parse().ok()?),
            None => HostFunc::Scalar(name.parse().ok()?),
        },
    })
}

impl HostFunc {
    /// Checks the type a module imports the function with; on failure says what it should be.
    pub(crate) fn check(self, ty: &FuncType) -> Result<(), String> {
        use ValType::{I32, I64};
        let (params, results): (Vec<ValType>, Vec<ValType>) = match self {
            HostFunc::MakeSymbolic | HostFunc::Array(_) => (vec![I32; 3], vec![]),
            HostFunc::Scalar(t) => (vec![I32], vec![t.val_type()]),
            HostFunc::Assume | HostFunc::Cost => (vec![I32], vec![]),
            HostFunc::Panic => (vec![I32; 5], vec![]),
            HostFunc::Thrown | HostFunc::InFlight => (vec![I32], vec![]),
            HostFunc::Begin | HostFunc::End => (vec![], vec![]),
            HostFunc::Nothing => (ty.params.clone(), vec![]),
            HostFunc::Stub(_) => (ty.params.clone(), ty.results.clone()),
            HostFunc::Wasi(w) => (
                w.signature().map_or_else(
                    || ty.params.clone(),
                    |params| params.iter().map(|wide| if *wide { I64 } else { I32 }).collect(),
                ),
                if w == Wasi::ProcExit { vec![] } else { vec![I32] },
            ),
        };
        if ty.params == params && ty.results == results {
            return Ok(());
        }
        let list = |types: &[ValType]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Err(format!("({}) -> ({})", list(&params), list(&results)))
    }
}
