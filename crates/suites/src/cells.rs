//! What a comparison consists of: cells, each with the published figure, ours, and a verdict.

use serde::{Deserialize, Serialize};

use crate::depth::Depth;
use crate::figure::{BySize, Figure};

/// A row of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Statistic {
    /// Paths when all are explored.
    ExhaustivePaths,
    ExhaustiveSeconds,
    /// Paths that the learned policy leaves.
    GuidedPaths,
    /// The longest path in the paper's own count.
    Longest,
    /// The cost found, beside that of the known worst input, in branches.
    Worst,
    /// Time of the guided search.
    Seconds,
    /// The part of the known worst cost that the evolution reaches, the mean of several seeds.
    EvolveRatio,
    /// What `auto` reached.
    AutoRatio,
    /// Time until there is a verified worst input, learning included.
    MakeSeconds,
}

impl Statistic {
    /// In the order of the tables.
    pub const ALL: [Statistic; 9] = [
        Statistic::ExhaustivePaths,
        Statistic::ExhaustiveSeconds,
        Statistic::GuidedPaths,
        Statistic::Longest,
        Statistic::Worst,
        Statistic::Seconds,
        Statistic::EvolveRatio,
        Statistic::AutoRatio,
        Statistic::MakeSeconds,
    ];

    /// As in `suite.toml` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::ExhaustivePaths => "exhaustive_paths",
            Statistic::ExhaustiveSeconds => "exhaustive_seconds",
            Statistic::GuidedPaths => "guided_paths",
            Statistic::Longest => "longest",
            Statistic::Worst => "worst",
            Statistic::Seconds => "seconds",
            Statistic::EvolveRatio => "evolve_ratio",
            Statistic::AutoRatio => "auto_ratio",
            Statistic::MakeSeconds => "make_seconds",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Statistic::ExhaustivePaths => "all paths",
            Statistic::ExhaustiveSeconds => "all paths, s",
            Statistic::GuidedPaths => "guided paths",
            Statistic::Longest => "longest",
            Statistic::Worst => "worst known",
            Statistic::Seconds => "guided, s",
            Statistic::EvolveRatio => "ESE",
            Statistic::AutoRatio => "SPF-WCA",
            Statistic::MakeSeconds => "XSTRESSOR, s",
        }
    }

    /// Our row below it.
    pub fn ours(self) -> &'static str {
        match self {
            Statistic::EvolveRatio => "  evolve",
            Statistic::AutoRatio => "  auto",
            _ => "  ours",
        }
    }

    /// Whether this is a time.
    pub fn is_time(self) -> bool {
        matches!(self, Statistic::ExhaustiveSeconds | Statistic::Seconds | Statistic::MakeSeconds)
    }

    /// Whether this is a part of the known worst cost.
    pub fn is_ratio(self) -> bool {
        matches!(self, Statistic::EvolveRatio | Statistic::AutoRatio)
    }
}

/// How ours compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Equal, or as good.
    Met,
    /// Worse, or not reached. `stated`: as the suite says it is.
    Missed { stated: bool },
    /// Where the paper has nothing, or more than it has.
    Beyond,
    /// There is nothing to compare: a figure that cannot be read, or that neither side has.
    None,
}

impl Verdict {
    /// As in JSON.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Verdict::Met => Some("met"),
            Verdict::Missed { stated: false } => Some("missed"),
            Verdict::Missed { stated: true } => Some("missed as stated"),
            Verdict::Beyond => Some("beyond"),
            Verdict::None => None,
        }
    }
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub statistic: Statistic,
    pub size: i64,
    /// None: not finished, or not legible.
    pub published: Option<f64>,
    /// The paper has a figure, which cannot be read.
    pub illegible: bool,
    pub ours: Option<f64>,
    pub verdict: Verdict,
    /// Why it was missed.
    pub why: Option<String>,
}

/// A published figure that was not tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skipped {
    pub statistic: Statistic,
    pub size: i64,
    pub published: Option<f64>,
}

/// Figures that stand beside ours and are not judged: of other tools, or of our own baselines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherRow {
    pub title: String,
    /// Parts of the known worst cost; else seconds.
    pub ratios: bool,
    pub figures: BySize<Figure>,
}

/// One program's cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProgramReport {
    pub name: String,
    pub n: String,
    /// What the small sizes taught, in words.
    pub policy: Option<String>,
    pub cells: Vec<Cell>,
    pub others: Vec<OtherRow>,
    pub skipped: Vec<Skipped>,
    pub notes: Option<String>,
    /// Why there are no cells: it ended the process that it was compared in, again and again.
    pub given_up: Option<String>,
    pub seconds: f64,
}

/// A suite's cells.
#[derive(Clone, Debug)]
pub struct BenchReport {
    pub suite: String,
    /// How much was tried.
    pub depth: Depth,
    pub programs: Vec<ProgramReport>,
    pub seconds: f64,
    /// Ended from outside, so that programs are missing.
    pub interrupted: bool,
}

impl BenchReport {
    /// How many cells have a verdict that `wanted` accepts.
    pub fn count(&self, wanted: impl Fn(Verdict) -> bool) -> usize {
        self.cells().filter(|(_, cell)| wanted(cell.verdict)).count()
    }

    /// Every cell, with its program.
    pub fn cells(&self) -> impl Iterator<Item = (&ProgramReport, &Cell)> {
        self.programs.iter().flat_map(|program| program.cells.iter().map(move |cell| (program, cell)))
    }

    /// Whether a cell was missed of which the suite does not say so, or a program was given up.
    pub fn falls_short(&self) -> bool {
        let is_given_up = self.programs.iter().any(|program| program.given_up.is_some());
        is_given_up || self.count(|verdict| verdict == Verdict::Missed { stated: false }) > 0
    }

    /// `wise: 123 cells met, 2 missed, 31 beyond; 21.4 s`
    pub fn summary(&self) -> String {
        let missed = self.count(|verdict| matches!(verdict, Verdict::Missed { .. }));
        let stated = self.count(|verdict| verdict == Verdict::Missed { stated: true });
        let of_them = if stated == 0 { String::new() } else { format!(" ({stated} as stated)") };
        let (met, beyond) = (self.count(|v| v == Verdict::Met), self.count(|v| v == Verdict::Beyond));
        let suite = &self.suite;
        format!("{suite}: {met} cells met, {missed} missed{of_them}, {beyond} beyond; {:.1} s", self.seconds)
    }
}
