//! A suite as its `suite.toml` describes it; the first lines of those files say what each field means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use slowpath::EntryRequest;

use crate::cells::Statistic;
use crate::error::BenchError;
use crate::figure::{BySize, by_size};
use crate::tools::Tools;

/// A suite. Fields that are not here, such as remarks, are for people.
#[derive(Clone, Debug, Deserialize)]
pub struct Suite {
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    pub file: PathBuf,
    #[serde(rename = "program")]
    pub programs: Vec<Program>,
}

/// One program of a suite.
#[derive(Clone, Debug, Deserialize)]
pub struct Program {
    pub name: String,
    pub file: PathBuf,
    pub call: Option<String>,
    pub harness: Option<String>,
    #[serde(default)]
    pub n: String,
    pub cost: String,
    /// Exact numbers of paths.
    #[serde(default, deserialize_with = "by_size")]
    pub paths: BySize<u64>,
    /// Formulas of a worst input.
    #[serde(default)]
    pub worst_input: BTreeMap<String, String>,
    /// Worst inputs in full.
    #[serde(default, deserialize_with = "by_size")]
    pub worst_inputs: BySize<Value>,
    #[serde(default, deserialize_with = "by_size")]
    pub worst_branches_at: BySize<u64>,
    /// What the worst input costs in the unit of `cost`.
    #[serde(default, deserialize_with = "by_size")]
    pub worst_at: BySize<u64>,
    /// What ours has to reach: a part of the known worst cost, or how many times faster than published it has to be.
    #[serde(default, deserialize_with = "by_size")]
    pub floor: BySize<f64>,
    /// Another suite, by its description, that has the worst cases of this program.
    pub worst_from: Option<PathBuf>,
    pub published_longest: Option<String>,
    /// Sizes to try that the table has no column for, or no figure in it.
    #[serde(default)]
    pub beyond: Vec<i64>,
    /// What ours is known to be where it is not what was published: by statistic, by size.
    #[serde(default)]
    pub stated: Stated,
    #[serde(default)]
    pub published: Published,
    pub notes: Option<String>,
}

/// Our figures where they are known to part from the published ones.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    #[serde(default, deserialize_with = "by_size")]
    exhaustive_paths: BySize<u64>,
    #[serde(default, deserialize_with = "by_size")]
    guided_paths: BySize<u64>,
    #[serde(default, deserialize_with = "by_size")]
    longest: BySize<u64>,
    #[serde(default, deserialize_with = "by_size")]
    worst: BySize<u64>,
    #[serde(default, deserialize_with = "by_size")]
    auto_ratio: BySize<f64>,
}

impl Stated {
    /// What a cell is stated to hold.
    pub fn at(&self, statistic: Statistic, size: i64) -> Option<f64> {
        let row = match statistic {
            Statistic::ExhaustivePaths => &self.exhaustive_paths,
            Statistic::GuidedPaths => &self.guided_paths,
            Statistic::Longest => &self.longest,
            Statistic::Worst => &self.worst,
            Statistic::AutoRatio => return self.auto_ratio.get(&size).copied(),
            _ => return None,
        };
        row.get(&size).map(|count| *count as f64)
    }
}

/// The paper's table.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Published {
    #[serde(default, deserialize_with = "by_size")]
    pub exhaustive_paths: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    pub exhaustive_seconds: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    guided_paths: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    pub longest: BySize<f64>,
    /// Where several policies were tried.
    #[serde(default)]
    guided: Vec<Guided>,
    /// Cells of the table that cannot be read, as opposed to those not finished.
    #[serde(default)]
    not_legible: NotLegible,
    /// Where several tools were tried.
    #[serde(flatten)]
    pub tools: Tools,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotLegible {
    #[serde(default)]
    exhaustive_paths: BTreeSet<i64>,
    #[serde(default)]
    guided_paths: BTreeSet<i64>,
}

#[derive(Clone, Debug, Deserialize)]
struct Guided {
    #[serde(default, deserialize_with = "by_size")]
    paths: BySize<f64>,
    #[serde(default, deserialize_with = "by_size")]
    seconds: BySize<f64>,
}

impl Published {
    /// A row of the table; where several policies were tried, the best of each size.
    pub fn row(&self, statistic: Statistic) -> BySize<f64> {
        let best = |column: fn(&Guided) -> &BySize<f64>| {
            let mut row = BySize::new();
            for (size, value) in self.guided.iter().flat_map(column) {
                let least = row.entry(*size).or_insert(*value);
                *least = value.min(*least);
            }
            row
        };
        match statistic {
            Statistic::ExhaustivePaths => self.exhaustive_paths.clone(),
            Statistic::ExhaustiveSeconds => self.exhaustive_seconds.clone(),
            Statistic::GuidedPaths if self.guided.is_empty() => self.guided_paths.clone(),
            Statistic::GuidedPaths => best(|guided| &guided.paths),
            Statistic::Seconds => best(|guided| &guided.seconds),
            Statistic::Longest => self.longest.clone(),
            Statistic::Worst => BySize::new(),
            Statistic::EvolveRatio => self.tools.ese(),
            Statistic::AutoRatio => self.tools.spf_wca(),
            Statistic::MakeSeconds => self.tools.xstressor(),
        }
    }

    /// Whether the paper has a figure here that cannot be read.
    pub fn is_illegible(&self, statistic: Statistic, size: i64) -> bool {
        match statistic {
            Statistic::ExhaustivePaths => self.not_legible.exhaustive_paths.contains(&size),
            Statistic::GuidedPaths => self.not_legible.guided_paths.contains(&size),
            _ => false,
        }
    }

    /// The largest size at which the paper's guided search came to an end.
    pub fn largest_size(&self) -> i64 {
        let guided = [Statistic::GuidedPaths, Statistic::Seconds, Statistic::Longest];
        guided.iter().filter_map(|row| self.row(*row).keys().max().copied()).max().unwrap_or(0)
    }
}

impl Program {
    /// What to run.
    pub fn entry(&self) -> EntryRequest {
        match (&self.call, &self.harness) {
            (Some(call), _) => EntryRequest::Call(call.clone()),
            (None, Some(harness)) => EntryRequest::Harness(harness.clone()),
            (None, None) => EntryRequest::Missing,
        }
    }

    fn take_worst_cases(&mut self, other: &Program) {
        self.worst_input.clone_from(&other.worst_input);
        self.worst_inputs.clone_from(&other.worst_inputs);
        self.worst_branches_at.clone_from(&other.worst_branches_at);
        self.worst_at.clone_from(&other.worst_at);
        self.stated.worst.clone_from(&other.stated.worst);
    }

    /// The largest size worth trying: the paper's, or those the suite names beyond it.
    pub fn largest_size(&self) -> i64 {
        self.published.largest_size().max(self.beyond.iter().copied().max().unwrap_or(0))
    }
}

impl Suite {
    /// Reads a description.
    pub fn read(name: &str, file: &Path) -> Result<Suite, BenchError> {
        let mut suite = Suite::parse(file)?;
        suite.name = name.to_owned();
        suite.file = file.to_owned();
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut others: BTreeMap<PathBuf, Suite> = BTreeMap::new();
        for at in 0..suite.programs.len() {
            let program = &mut suite.programs[at];
            program.file = folder.join(&program.file);
            let Some(other) = &program.worst_from else { continue };
            let other = folder.join(other);
            if !others.contains_key(&other) {
                others.insert(other.clone(), Suite::parse(&other)?);
            }
            let theirs = others.get(&other).and_then(|suite| suite.programs.iter().find(|p| p.name == program.name));
            match theirs {
                Some(theirs) => program.take_worst_cases(theirs),
                None => {
                    let what = format!("{} has no program of this name", other.display());
                    return Err(suite.bad_field(&suite.programs[at], "worst_from", what));
                }
            }
        }
        Ok(suite)
    }

    fn parse(file: &Path) -> Result<Suite, BenchError> {
        let text =
            std::fs::read_to_string(file).map_err(|source| BenchError::File { file: file.to_owned(), source })?;
        toml::from_str(&text).map_err(|source| BenchError::Toml { file: file.to_owned(), source: Box::new(source) })
    }

    /// The columns of the paper's table.
    pub fn columns(&self) -> BTreeSet<i64> {
        let rows = self.programs.iter().flat_map(|p| Statistic::ALL.map(|row| p.published.row(row)));
        rows.flat_map(BySize::into_keys).collect()
    }

    /// What is wrong with a field.
    pub(crate) fn bad_field(&self, program: &Program, field: &str, what: impl ToString) -> BenchError {
        let (program, field) = (program.name.clone(), field.to_owned());
        BenchError::Field { file: self.file.clone(), program, field, what: what.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::Suite;
    use crate::cells::Statistic;

    fn read(text: &str) -> Result<Suite, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("suite.toml");
        std::fs::write(&file, text).expect("it can be written");
        Suite::read("test", &file).map_err(|error| error.to_string())
    }

    const PROGRAM: &str =
        "[[program]]\nname = 'p'\nfile = 'p.c'\ncost = 'branches'\nbeyond = [50]\n[program.published]\n";

    #[test]
    fn of_several_policies_the_best_is_compared_with() {
        let guided = "[[program.published.guided]]\npaths = { 1 = 4, 2 = 9 }\n[[program.published.guided]]\npaths = { 1 = 1, 3 = 2 }";
        let suite = read(&format!("{PROGRAM}{guided}")).expect("a suite");
        let row = suite.programs[0].published.row(Statistic::GuidedPaths);
        assert_eq!(row.into_iter().collect::<Vec<_>>(), [(1, 1.0), (2, 9.0), (3, 2.0)]);
        assert_eq!(suite.columns().into_iter().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(suite.programs[0].largest_size(), 50);
    }

    #[test]
    fn a_bad_field_is_named_with_its_file() {
        for (text, part) in [("longest = { one = 1 }", "`one` is not a size"), ("longest = 3", "longest")] {
            let error = read(&format!("{PROGRAM}{text}")).expect_err("it is bad");
            assert!(error.contains("suite.toml") && error.contains(part), "{error}");
        }
    }
}
