//! Settings of the solver.

/// Which layers decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverKind {
    /// All layers, cheapest first.
    #[default]
    Layered,
    /// Z3 alone, on the whole path: the oracle in tests and the baseline in benchmarks.
    Z3,
}

/// Settings of the solver. Every field has a default that suits most programs.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// Which layers decide. Default: layered.
    pub kind: SolverKind,
    /// Longest time for one call of Z3, in milliseconds, at least 1. Default: 2000.
    pub z3_timeout_ms: u32,
    /// Longest time for all calls of Z3 along one path, in milliseconds. Default: 10,000.
    pub z3_path_ms: u32,
    /// Most questions one call of `range` may ask. 0 leaves it with what structure and domains say. Default: 96.
    pub range_queries: u32,
    /// Most changes to a model the repair layer may try for one question. 0 switches it off. Default: 64.
    pub repair_tries: u32,
    /// Most conditions `readable` may evaluate. 0 returns models as they are. Default: 4,000,000.
    pub readable_evaluations: u32,
}

impl Default for SolverConfig {
    fn default() -> SolverConfig {
        SolverConfig {
            kind: SolverKind::Layered,
            z3_timeout_ms: 2000,
            z3_path_ms: 10_000,
            range_queries: 96,
            repair_tries: 64,
            readable_evaluations: 4_000_000,
        }
    }
}
