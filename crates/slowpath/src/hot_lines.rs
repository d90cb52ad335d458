//! The lines that a worst input runs most often, in the words of the document.

use std::path::Path;

use slowpath_program::input::InputValues;
use slowpath_report::HotLine;
use slowpath_search::{Target, hot_lines};

use crate::sources::Sources;
use crate::subject::Subject;

/// Lines kept; what comes after them hardly runs.
const MOST: usize = 200;

/// The busiest lines of one run; none where the input cannot be run.
pub(crate) fn report(subject: &Subject, target: &Target, n: i64, input: &InputValues) -> Vec<HotLine> {
    let sources = Sources::read(subject);
    let lines = hot_lines(target, n, input, MOST).unwrap_or_default();
    lines.into_iter().map(|line| describe(subject, &sources, line)).collect()
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
