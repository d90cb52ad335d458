//! Results in Markdown, as job summaries and comments on a change show them: the table, and the worst input.
//!
//! Names, inputs and messages come from programs and documents, so nothing in them is markup here.

use crate::check::{CheckReport, CheckedBound, CheckedTarget, Evidence, Judgement};
use crate::compare::Comparison;
use crate::findings::{Findings, SizeResult, cost_text};
use crate::input::{Texts, shorten};
use crate::number::count;
use crate::scan::{Scan, Scanned};
use crate::verdict::verdict;

/// Rows of a table before the rest is only counted: a summary may have a megabyte, and nobody reads one.
const MOST_ROWS: usize = 100;

/// A check: a row for each bound, and what exceeds one.
pub fn check(report: &CheckReport) -> String {
    let failed = report.fails() || report.targets.iter().any(|target| target.error.is_some());
    let mut out =
        format!("## slowpath: {}\n\n", if failed { "worst cases got out of bounds" } else { "every bound is kept" });
    let rows: Vec<Vec<String>> = report.targets.iter().flat_map(rows_of).collect();
    out += &table(&["", "target", "bound", "growth", "in words"], &rows);
    for (target, bound) in report.bounds().filter(|(_, bound)| bound.fails()) {
        out += &details(target, bound);
    }
    for note in &report.notes {
        out += &format!("\n{}\n", plain(note));
    }
    out + &format!("\n{}\n", plain(report.sum().trim_end()))
}

fn rows_of(target: &CheckedTarget) -> Vec<Vec<String>> {
    let law = match (&target.class, &target.formula) {
        (Some(class), Some(formula)) if !formula.is_empty() => format!("{class} ({formula})"),
        (Some(class), _) => class.to_string(),
        (None, _) => "not sure".to_owned(),
    };
    let name = format!("{} in {}", code(&target.name), code(&target.file));
    let row = |bound: &CheckedBound| {
        let mark = match (bound.judgement, bound.fails()) {
            (Judgement::Kept, _) => "kept",
            (Judgement::Exceeded, _) => "**exceeded**",
            (Judgement::Open, true) => "**cannot tell**",
            (Judgement::Open, false) => "cannot tell",
        };
        let what = format!("{}: {}", bound.rule.name(), bound.bound);
        vec![mark.to_owned(), name.clone(), plain(&what), plain(&law), plain(&bound.message)]
    };
    let trouble = target.error.as_ref().map(|trouble| {
        vec!["**error**".to_owned(), name.clone(), String::new(), String::new(), plain(trouble.message())]
    });
    target.bounds.iter().map(row).chain(trouble).collect()
}

fn details(target: &CheckedTarget, bound: &CheckedBound) -> String {
    let lines: Vec<String> = bound.evidence.iter().flat_map(Evidence::lines).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\n**{}**, {}:\n\n{}", plain(&target.name), bound.rule.name(), block(&lines.join("\n")))
}

/// An analysis: its verdict, its sizes, and the worst input of the largest.
pub fn findings(findings: &Findings) -> String {
    let mut out = format!("## {}\n\n{}\n\n", code(&findings.target.title()), plain(&verdict(findings)));
    let row = |result: &SizeResult| {
        let verified = if result.verified { "yes" } else { "no" };
        vec![
            result.size.to_string(),
            plain(&cost_text(result.cost, result.at_least)),
            result.confidence.name().to_owned(),
            verified.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = findings.results.iter().map(row).collect();
    out += &table(
        &["size", &format!("worst cost ({})", findings.cost_model), "confidence", "another engine agrees"],
        &rows,
    );
    let texts = Texts::of(&findings.target);
    if let Some((size, input)) = findings.results.iter().rev().find_map(|r| Some((r.size, r.input.as_ref()?))) {
        out += &format!("\nThe worst input at size {size}:\n\n{}", block(&shorten(input, &texts)));
    }
    if let Some(line) = crate::check::responsible(findings) {
        let text = line.text.as_ref().map_or_else(String::new, |text| format!(", {}", code(text.trim())));
        out += &format!(
            "\nThe line that answers for it: {}{text}, run {} times.\n",
            code(&line.place()),
            count(line.count)
        );
    }
    for limit in &findings.limits {
        out += &format!("\n- {}", plain(limit));
    }
    out.trim_end().to_owned() + "\n"
}

/// A scan: a row for each function, the worst first.
pub fn scan(scan: &Scan) -> String {
    let row = |one: &Scanned| {
        let class = one.class.map_or_else(|| "?".to_owned(), |class| class.to_string());
        let ratio = one.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}x"));
        let traps = if one.traps > 0 { format!(", {} traps", one.traps) } else { String::new() };
        vec![
            plain(&class),
            plain(&one.verdict),
            one.size.to_string(),
            count(one.cost),
            ratio,
            format!("{} in {}{traps}", code(&one.call), code(&one.file)),
        ]
    };
    let rows: Vec<Vec<String>> = scan.functions.iter().map(row).collect();
    let mut out = format!("## slowpath: {} functions\n\n", scan.functions.len());
    out += &table(&["growth", "verdict", "size", "worst cost", "against random", "call"], &rows);
    if !scan.skipped.is_empty() {
        out += &format!("\nSkipped {}:\n\n", scan.skipped.len());
    }
    for skipped in scan.skipped.iter().take(MOST_ROWS) {
        let what = skipped.function.as_deref().unwrap_or(&skipped.file);
        out += &format!("- {}: {}\n", code(what), plain(&skipped.why));
    }
    out
}

/// Two analyses side by side.
pub fn comparison(comparison: &Comparison) -> String {
    let mut out =
        format!("## {}: {}\n\n", code(&comparison.function), if comparison.worse { "worse" } else { "no worse" });
    let row = |size: &crate::compare::ComparedSize| {
        let change = match (size.old, size.new) {
            _ if size.worse => "**worse**",
            (Some(old), Some(new)) if new < old && !size.new_at_least => "better",
            _ => "",
        };
        let (old, new) = (cost_text(size.old, size.old_at_least), cost_text(size.new, size.new_at_least));
        vec![size.size.to_string(), plain(&old), plain(&new), change.to_owned()]
    };
    let rows: Vec<Vec<String>> = comparison.sizes.iter().map(row).collect();
    out += &table(&["size", "before", "now", ""], &rows);
    let class = |class: &Option<String>| class.clone().unwrap_or_else(|| "not sure".to_owned());
    out += &format!("\nGrowth: {} before, {} now.\n", class(&comparison.growth.old), class(&comparison.growth.new));
    for trap in &comparison.new_traps {
        out += &format!("\n- new trap: {}", plain(trap));
    }
    for note in &comparison.notes {
        out += &format!("\n- {}", plain(note));
    }
    out.trim_end().to_owned() + "\n"
}

fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads: Vec<String> = heads.iter().map(|head| plain(head)).collect();
    let mut out = line(&heads) + &line(&vec!["---".to_owned(); heads.len()]);
    rows.iter().take(MOST_ROWS).for_each(|row| out += &line(row));
    if rows.len() > MOST_ROWS {
        out += &format!("\n… and {} more.\n", rows.len() - MOST_ROWS);
    }
    out
}

/// Text that is nothing but text, on one line.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '@' | '!' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Text as code, on one line: between more backticks than it has in a row.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    // A bar would end a cell even here.
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

fn block(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{block, code, findings, plain};
    use crate::json::from_json;

    #[test]
    fn words_of_others_are_no_markup() {
        assert_eq!(plain("a|b <img> [x](y)\n*z*"), "a\\|b &lt;img> \\[x\\](y) \\*z\\*");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`x"), "`` `x ``");
        assert_eq!(block("```\n# no head"), "````text\n```\n# no head\n````\n");
    }

    #[test]
    fn an_analysis_has_its_verdict_its_table_and_the_worst_input() {
        let text = findings(&from_json(include_str!("../tests/data/isort.json")).unwrap());
        assert!(text.starts_with("## `isort(") && text.contains("| size | worst cost"), "{text}");
        assert!(text.contains("The worst input at size") && text.contains("```text\n"), "{text}");
    }
}
