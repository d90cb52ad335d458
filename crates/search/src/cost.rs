//! The cost models: which counter of a run is the one to be made large.

use slowpath_machine::{Mode, State};
use slowpath_program::{Probes, Program};

/// What is to be made as large as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CostModel {
    Instructions,
    Branches,
    Decisions,
    Calls,
    Memory,
    Stack,
    Output,
    Heap,
    Custom,
    /// Executions of a source line.
    Site {
        file: String,
        line: u32,
    },
}

/// Why a cost model cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CostModelError {
    #[error(
        "unknown cost model '{0}'; there are instructions, branches, decisions, calls, memory, stack, output, heap, custom and site:FILE:LINE"
    )]
    Unknown(String),
    #[error("'{0}' is not site:FILE:LINE")]
    BadSite(String),
    #[error("the program has no debug information, which site:FILE:LINE needs; compile with -g")]
    NoSource,
    #[error("no code at {file}:{line}; lines with code in that file: {near}")]
    NoCode { file: String, line: u32, near: String },
    #[error("the program was compiled from {known}, not from {file}")]
    NoFile { file: String, known: String },
}

impl std::str::FromStr for CostModel {
    type Err = CostModelError;

    fn from_str(text: &str) -> Result<CostModel, CostModelError> {
        Ok(match text {
            "instructions" => CostModel::Instructions,
            "branches" => CostModel::Branches,
            "decisions" => CostModel::Decisions,
            "calls" => CostModel::Calls,
            "memory" => CostModel::Memory,
            "stack" => CostModel::Stack,
            "output" => CostModel::Output,
            "heap" => CostModel::Heap,
            "custom" => CostModel::Custom,
            _ => {
                let Some(place) = text.strip_prefix("site:") else {
                    return Err(CostModelError::Unknown(text.to_owned()));
                };
                let site = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
                match site {
                    Some((file, line)) if !file.is_empty() => CostModel::Site { file: file.to_owned(), line },
                    _ => return Err(CostModelError::BadSite(text.to_owned())),
                }
            }
        })
    }
}

impl std::fmt::Display for CostModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CostModel::Instructions => f.write_str("instructions"),
            CostModel::Branches => f.write_str("branches"),
            CostModel::Decisions => f.write_str("decisions"),
            CostModel::Calls => f.write_str("calls"),
            CostModel::Memory => f.write_str("memory"),
            CostModel::Stack => f.write_str("stack"),
            CostModel::Output => f.write_str("output"),
            CostModel::Heap => f.write_str("heap"),
            CostModel::Custom => f.write_str("custom"),
            CostModel::Site { file, line } => write!(f, "site:{file}:{line}"),
        }
    }
}

impl CostModel {
    /// The probes the program must be loaded with for this model.
    pub fn probes(&self, program: &Program) -> Result<Probes, CostModelError> {
        let CostModel::Site { file, line } = self else { return Ok(Probes::default()) };
        if program.source.is_empty() {
            return Err(CostModelError::NoSource);
        }
        let mut offsets = program.source.rows_of(file, *line);
        if offsets.is_empty() {
            let lines = program.source.lines_of(file);
            if lines.is_empty() {
                let known: Vec<String> = program.source.files().iter().take(8).map(ToString::to_string).collect();
                return Err(CostModelError::NoFile { file: file.clone(), known: known.join(", ") });
            }
            let mut near = lines;
            near.sort_by_key(|l| l.abs_diff(*line));
            near.truncate(8);
            near.sort_unstable();
            let near = near.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(CostModelError::NoCode { file: file.clone(), line: *line, near });
        }
        offsets.sort_unstable();
        offsets.dedup();
        Ok(Probes { offsets, ..Probes::default() })
    }

    /// The cost of what a state has executed so far.
    pub fn of<M: Mode>(&self, state: &State<M>) -> u64 {
        let costs = state.meter.costs();
        match self {
            CostModel::Instructions => costs.instructions,
            CostModel::Branches => costs.branches,
            CostModel::Decisions => costs.decisions,
            CostModel::Calls => costs.calls,
            CostModel::Memory => costs.memory,
            CostModel::Stack => costs.stack,
            CostModel::Output => costs.output,
            CostModel::Heap => costs.heap,
            CostModel::Custom => costs.custom,
            // A line's pieces (the parts of a `for`) run unequally often; the line ran as often as its busiest piece.
            CostModel::Site { .. } => state.probes().iter().copied().max().unwrap_or(0),
        }
    }
}
