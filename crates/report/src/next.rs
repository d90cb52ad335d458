//! What to do next, as commands that can be copied.

use crate::findings::{Confidence, Findings};
use crate::style::Style;
use crate::wrap::wrap;

/// Suggestions for findings that were saved to `saved`, or not at all.
pub fn next(findings: &Findings, saved: Option<&str>, style: Style) -> String {
    let mut lines: Vec<(String, &str)> = longer(findings).into_iter().collect();
    if findings.has_result() {
        match saved.map(quoted) {
            None => lines.push(("… --out DIR".to_owned(), "saves the findings, for report, export and replay")),
            Some(saved) => {
                lines.push((format!("slowpath report {saved}"), "a page with every input and a plot to zoom"));
                let forms = "the worst input as a test; also rust, criterion, libfuzzer, json and others";
                lines.push((format!("slowpath export {saved} --as c"), forms));
                // What is here was just made by the user.
                if [".c", ".cc", ".cpp", ".cxx", ".rs"].iter().any(|end| findings.target.file.ends_with(end)) {
                    lines.push((format!("slowpath replay {saved} --native --trust"), "the slowdown on this machine"));
                }
            }
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let width = lines.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = lines.iter().map(|(command, why)| format!("  {command:<width$}  {why}\n")).collect();
    let page = format!("\n{}\n{}", style.bold("next"), lines.concat());
    style.columns.map_or_else(|| page.clone(), |columns| wrap(&page, columns))
}

/// More of what a search ran out of, where that leaves a doubt.
fn longer(findings: &Findings) -> Option<(String, &'static str)> {
    let in_doubt =
        |result: &&crate::findings::SizeResult| result.cost.is_none() || result.confidence == Confidence::BestFound;
    let stopped = findings.results.iter().filter(in_doubt).find_map(|result| result.stopped.as_deref())?;
    let settings = &findings.settings;
    if stopped.contains("(--budget)") {
        let seconds = (settings.budget_seconds * 10.0).ceil().clamp(1.0, 1e9) as u64;
        return Some((format!("… --budget {seconds}s"), "ten times as long: the search at some size ended early"));
    }
    if stopped.contains("(--max-paths)") {
        let paths = settings.max_paths?.saturating_mul(10);
        return Some((format!("… --max-paths {paths}"), "ten times as many: the search at some size ended early"));
    }
    None
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./+,:@%".contains(c);
    let is_plain = !path.is_empty() && path.chars().all(plain);
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
