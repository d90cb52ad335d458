//! The lines that a worst input runs most often, in the words of the document.

use std::path::Path;

use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_report::{Findings, HotLine, SizeResult};
use slowpath_search::{Budget, Target, hot_lines};

use crate::sources::Sources;
use crate::subject::Subject;

/// Lines kept; what comes after them hardly runs.
const MOST: usize = 200;

/// Counts lines at the largest size, and at one about half as large, to see which of them rise.
pub(crate) fn add(findings: &mut Findings, subject: &Subject, target: &Target, budget: &Budget) {
    let sources = Sources::read(subject);
    let sizes = || findings.results.iter().filter(|result| result.input.is_some()).map(|result| result.size);
    let Some(largest) = sizes().max() else { return };
    let smaller = sizes().filter(|size| size.saturating_mul(2) <= largest).max();
    for result in &mut findings.results {
        if result.size == largest || Some(result.size) == smaller {
            result.hot_lines = lines(subject, target, &sources, result, budget).unwrap_or_default();
        }
    }
}

/// The busiest lines of one size; none where its input cannot be run.
fn lines(
    subject: &Subject,
    target: &Target,
    sources: &Sources,
    result: &SizeResult,
    budget: &Budget,
) -> Option<Vec<HotLine>> {
    let input = result.input.as_ref()?;
    let input = match &subject.entry {
        Entry::Call(spec) => subject.read_input(&spec.layout(result.size, 0).ok()?, input).ok()?,
        Entry::Harness { .. } => InputValues::from_json_untyped(input).ok()?,
    };
    let lines = hot_lines(target, result.size, &input, MOST, budget).ok()?;
    Some(lines.into_iter().map(|line| describe(subject, sources, line)).collect())
}

fn describe(subject: &Subject, sources: &Sources, line: slowpath_search::HotLine) -> HotLine {
    let (file, number) = line.place.unzip();
    let own = file.as_ref().is_some_and(|file| is_file(&subject.file, file));
    let text = number.filter(|_| own).and_then(|number| sources.own_line(number));
    HotLine {
        // The name the user knows it by.
        file: file.map(|file| if own { subject.file.display().to_string() } else { file.to_string() }),
        line: number,
        function: subject.program.func_name(line.func),
        count: line.count,
        share: line.share,
        branches: line.branches,
        taken: line.sides[0],
        not_taken: line.sides[1],
        text,
    }
}

/// Whether the debug information means the user's file: it may name it by fewer folders.
fn is_file(file: &Path, named: &str) -> bool {
    let named = Path::new(named.trim_start_matches("./"));
    file.ends_with(named) || named.ends_with(file)
}
