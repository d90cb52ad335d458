//! The lines and functions that a worst input spends itself on, in the words of the document.

use std::path::Path;

use slowpath_program::call::Entry;
use slowpath_program::inlines::Inlines;
use slowpath_program::input::InputValues;
use slowpath_report::{CalledFunction, Findings, Flame, FlameFrame, HotLine, SizeResult};
use slowpath_search::{Budget, Code, RunProfile, Target, run_profile, time_of};

use crate::source_text;
use crate::sources::Sources;
use crate::subject::Subject;

/// Lines kept; what comes after them hardly runs.
const MOST: usize = 200;

/// A function that runs less of the whole than this counts for its caller.
const LEAST: f64 = 0.0005;

/// Counts lines at the largest size, and at one about half as large, to see which of them rise; functions at the largest.
pub(crate) fn add(findings: &mut Findings, subject: &Subject, target: &Target, budget: &Budget) {
    if !is_worthwhile(subject, budget) {
        return;
    }
    let sources = Sources::read(subject);
    let inlines = Inlines::from_wasm(&subject.compiled.wasm);
    let of_program = || std::iter::once(&subject.file).chain(&subject.beside);
    let is_own = |file: &str| of_program().any(|one| is_file(one, file) || source_text::is_own(one, file));
    let code = Code { inlines: &inlines, is_own: &is_own };
    let sizes = || findings.results.iter().filter(|result| result.input.is_some()).map(|result| result.size);
    let Some(largest) = sizes().max() else { return };
    let smaller = sizes().filter(|size| size.saturating_mul(2) <= largest).max();
    for result in &mut findings.results {
        if result.size == largest || Some(result.size) == smaller {
            let Some(profile) = profile(subject, target, code, result, budget) else { continue };
            if result.size == largest {
                findings.flame = flame(result.size, &profile, &is_own);
            }
            result.hot_lines = profile.lines.into_iter().map(|line| describe(subject, &sources, line)).collect();
        }
    }
}

/// Whether there is time and memory to count every instruction of a program: both go by how many there are, not only by how many run. Measured with one function
/// of 4.4 million instructions on a machine where touching memory takes long: 2.7 s, 390 MiB.
fn is_worthwhile(subject: &Subject, budget: &Budget) -> bool {
    const BYTES_PER_INSTRUCTION: u64 = 400;
    const STEPS_PER_INSTRUCTION: u64 = 150;
    let bodies = subject.program.funcs.iter().filter_map(|function| function.body.as_ref());
    let instructions: u64 = bodies.map(|body| body.code.len() as u64).sum();
    let in_time = budget.clock.is_by_work() || time_of(instructions * STEPS_PER_INSTRUCTION) <= budget.left();
    in_time && budget.has_room(instructions * BYTES_PER_INSTRUCTION)
}

/// What the worst input of one size does; none where it cannot be run, or not in time.
fn profile(
    subject: &Subject,
    target: &Target,
    code: Code<'_>,
    result: &SizeResult,
    budget: &Budget,
) -> Option<RunProfile> {
    let input = result.input.as_ref()?;
    let input = match &subject.entry {
        Entry::Call(spec) => subject.read_input(&spec.layout(result.size, 0).ok()?, input).ok()?,
        Entry::Harness { .. } => InputValues::from_json_untyped(input).ok()?,
    };
    run_profile(target, result.size, &input, code, MOST, budget).ok()?
}

/// The functions by caller; what hardly runs counts for its caller.
fn flame(size: i64, profile: &RunProfile, is_own: &dyn Fn(&str) -> bool) -> Option<Flame> {
    let mut totals: Vec<u64> = profile.flame.iter().map(|frame| frame.own).collect();
    for (index, frame) in profile.flame.iter().enumerate().rev() {
        if let Some(caller) = frame.caller {
            totals[caller] += totals[index];
        }
    }
    let all: u64 = profile.flame.iter().map(|frame| frame.own).sum();
    let mut kept: Vec<usize> = Vec::new();
    let mut frames: Vec<FlameFrame> = Vec::new();
    for (frame, total) in profile.flame.iter().zip(totals) {
        let caller = frame.caller.map(|caller| kept[caller]);
        match caller {
            Some(caller) if (total as f64) < LEAST * all as f64 => {
                frames[caller].own += frame.own;
                kept.push(caller);
            }
            _ => {
                kept.push(frames.len());
                frames.push(FlameFrame {
                    caller,
                    function: frame.function.to_string(),
                    own: frame.own,
                    total,
                    is_own: frame.file.as_ref().is_some_and(|file| is_own(file)),
                });
            }
        }
    }
    (all > 0).then_some(Flame { size, frames })
}

fn describe(subject: &Subject, sources: &Sources, line: slowpath_search::HotLine) -> HotLine {
    let (file, number) = line.place.unzip();
    let own = file.as_ref().is_some_and(|file| is_file(&subject.file, file));
    // A file of a crate is named as its author knows it.
    let in_crate = |file: &str| {
        let folder =
            subject.beside.iter().find(|folder| folder.is_absolute() && Path::new(file).starts_with(folder))?;
        Some(Path::new(file).strip_prefix(folder.parent()?).ok()?.display().to_string())
    };
    let text = number.filter(|_| own).and_then(|number| sources.own_line(number));
    HotLine {
        // The name the user knows it by.
        file: file.map(|file| match in_crate(&file) {
            Some(name) => name,
            None if own => subject.file.display().to_string(),
            None => file.to_string(),
        }),
        line: number,
        function: subject.program.func_name(line.func),
        count: line.count,
        share: line.share,
        branches: line.branches,
        taken: line.sides[0],
        not_taken: line.sides[1],
        text,
        own: line.own,
        inclusive: Some(line.inclusive),
        charged: Some(line.charged),
        calls: line
            .calls
            .iter()
            .map(|(name, share)| CalledFunction { function: name.to_string(), share: *share })
            .collect(),
    }
}

/// Whether the debug information means the user's file: it may name it by fewer folders.
fn is_file(file: &Path, named: &str) -> bool {
    let named = Path::new(named.trim_start_matches("./"));
    file.ends_with(named) || named.ends_with(file)
}
