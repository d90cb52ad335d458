//! Commands in Markdown: where they stand, what they are shown to print, and whether that is what they print.

/// What precedes a block that is not run, in an HTML comment with the reason.
const NOT_RUN: &str = "<!-- not run: ";

/// A command of a block.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// Its line in the document, from 1.
    pub line: usize,
    /// As a shell takes it, continued lines included.
    pub command: String,
    /// What the document shows below it: the range of these lines, from 0.
    pub shown: std::ops::Range<usize>,
}

/// A fenced block with commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// Whether output is shown (`console`), or commands only (`sh`).
    pub is_console: bool,
    /// Why it is not run, if it says so.
    pub not_run: Option<String>,
    pub steps: Vec<Step>,
}

impl Block {
    /// Whether a reader is told to run slowpath here.
    pub fn runs_slowpath(&self) -> bool {
        self.steps.iter().any(|step| step.command.split_whitespace().any(|word| word == "slowpath"))
    }
}

/// The blocks of a document that have commands: `console`, where a command follows `$ ` and its output comes below it, and
/// `sh`, where every line is one.
pub fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut at, mut not_run) = (Vec::new(), 0, None);
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if let Some(reason) = line.strip_prefix(NOT_RUN).and_then(|rest| rest.strip_suffix(" -->")) {
            not_run = Some(reason.to_owned());
        } else if let Some(language) = line.strip_prefix("```") {
            let end = (at..lines.len()).find(|i| lines[*i] == "```").unwrap_or(lines.len());
            if ["console", "sh"].contains(&language) {
                let is_console = language == "console";
                out.push(Block { is_console, not_run: not_run.take(), steps: steps(&lines, at..end, is_console) });
            }
            (at, not_run) = (end + 1, None);
        } else if !line.is_empty() {
            not_run = None;
        }
    }
    out
}

fn steps(lines: &[&str], range: std::ops::Range<usize>, is_console: bool) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    let mut continued = false;
    for i in range {
        let command = if is_console { lines[i].strip_prefix("$ ") } else { Some(lines[i]).filter(|l| !l.is_empty()) };
        match (out.last_mut(), command) {
            (Some(step), _) if continued => {
                step.command += "\n";
                step.command += lines[i];
                step.shown = i + 1..i + 1;
            }
            (_, Some(command)) => out.push(Step { line: i + 1, command: command.to_owned(), shown: i + 1..i + 1 }),
            (Some(step), None) => step.shown.end = i + 1,
            (None, None) => {}
        }
        continued = out.last().is_some_and(|step| step.command.ends_with('\\')) && (continued || command.is_some());
    }
    out
}

/// Words with one space between them, where a time or a number of steps is any time or number of steps.
fn normal(line: &str) -> String {
    let mut out: Vec<&str> = line.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| "(),;:".contains(c)).to_owned();
    for i in 1..out.len() {
        let is_unit = ["ns", "µs", "ms", "s", "min", "h", "steps"].contains(&bare(out[i]).as_str());
        let number = bare(out[i - 1]);
        if is_unit && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || ".,".contains(c)) {
            (out[i - 1], out[i]) = ("#", "#");
        }
    }
    out.join(" ")
}

/// Whether a line is as shown; `…` in what is shown stands for anything.
fn line_matches(shown: &str, line: &str) -> bool {
    let (shown, line) = (normal(shown), normal(line));
    let parts: Vec<&str> = shown.split('…').map(str::trim).collect();
    let [first, middle @ .., last] = parts.as_slice() else { return shown == line };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn is_gap(shown: &str) -> bool {
    shown.trim() == "…"
}

/// Whether an output is as shown. A line `…` stands for any number of lines.
pub fn matches(shown: &[&str], output: &[&str]) -> bool {
    let [first, rest @ ..] = shown else { return output.iter().all(|line| line.is_empty()) };
    if is_gap(first) {
        return (0..=output.len()).any(|skip| matches(rest, &output[skip..]));
    }
    match output {
        [line, others @ ..] if line_matches(first, line) => matches(rest, others),
        _ => rest.is_empty() && first.is_empty() && output.is_empty(),
    }
}

/// The output as the document is to show it: what was left out before is left out again, as far as lines are still
/// recognised, by everything but their numbers.
pub fn updated(shown: &[&str], output: &[&str]) -> Vec<String> {
    let is_number = |c: char| c.is_numeric() || ",.^·".contains(c);
    let known = |line: &str| normal(line).replace(is_number, "");
    let mut out: Vec<String> = Vec::new();
    let (mut at, mut gap) = (0, false);
    for line in shown {
        if is_gap(line) {
            gap = true;
            continue;
        }
        let same = |other: &&str| line_matches(line, other) || known(line) == known(other);
        let Some(found) = output[at..].iter().position(same) else { continue };
        match (gap, found) {
            (true, 1..) => out.push("…".to_owned()),
            _ => out.extend(output[at..at + found].iter().map(|line| (*line).to_owned())),
        }
        let kept = if line_matches(line, output[at + found]) { line } else { output[at + found] };
        out.push(kept.to_owned());
        (at, gap) = (at + found + 1, false);
    }
    match (gap, at < output.len()) {
        (true, true) => out.push("…".to_owned()),
        _ => out.extend(output[at..].iter().map(|line| (*line).to_owned())),
    }
    while out.last().is_some_and(|line| line.is_empty()) {
        out.pop();
    }
    out
}

#[test]
fn commands_are_found_with_what_they_are_shown_to_print() {
    let text = "prose\n\n```console\n$ slowpath a \\\n    b\none\n\n$ echo $?\n1\n```\n\n<!-- not run: takes an hour -->\n```sh\nslowpath bench\n```\n";
    let found = blocks(text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].steps[0], Step { line: 4, command: "slowpath a \\\n    b".to_owned(), shown: 5..7 });
    assert_eq!(found[0].steps[1], Step { line: 8, command: "echo $?".to_owned(), shown: 8..9 });
    assert_eq!(found[1].not_run.as_deref(), Some("takes an hour"));
    assert!(found.iter().all(Block::runs_slowpath));
}

#[test]
fn times_and_what_is_left_out_may_be_anything() {
    let output = ["worst 687 at n = 6 · 149 ms", "", "  size  cost", "     1    12", "done"];
    assert!(matches(&["worst 687 at n = 6 · 3.2 s", "…", "done"], &output));
    assert!(matches(&["worst … at n = 6 · 1 s", "", "size cost", "1 12", "done", ""], &output));
    assert!(!matches(&["worst 688 at n = 6 · 149 ms", "…"], &output));
    assert!(!matches(&["worst 687 at n = 6 · 149 ms", "…", "size cost"], &output));
    assert!(!matches(&["worst 687 at n = 6 · 149 ms"], &output));
}

#[test]
fn an_update_leaves_out_what_was_left_out() {
    let output = ["worst 9 at n = 6 · 149 ms", "", "new", "  size  cost", "     1    12", "done"];
    let shown = ["worst 687 at n = 6 · 3.2 s", "…", "  size  cost", "     1    11", "gone", "done"];
    let wanted = ["worst 9 at n = 6 · 149 ms", "…", "  size  cost", "     1    12", "done"];
    assert_eq!(updated(&shown, &output), wanted);
    assert!(matches(&wanted, &output));
}
