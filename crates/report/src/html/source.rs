//! The source with what the worst path does on each line: how often it runs, which way its branches go, what the policy says.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::findings::{Findings, HotLine};
use crate::html::highlight::Highlighter;
use crate::html::parts::{table, text};
use crate::html::policy::{Rule, rules};
use crate::number::count;
use crate::source_text::SourceFile;

/// Lines around a marked one that are shown at once; longer stretches without marks are folded.
const AROUND: usize = 4;
/// Fewer lines are not folded.
const SHORTEST_FOLD: usize = 6;
/// Shades of heat.
const SHADES: f64 = 8.0;
/// Rules of one line that are shown; history policies can have many.
const MOST_RULES: usize = 4;
/// Places without source that are listed.
const MOST_ELSEWHERE: usize = 20;

/// What is known about one line.
#[derive(Clone, Debug, Default)]
struct Line {
    count: u64,
    share: f64,
    branches: u64,
    taken: u64,
    not_taken: u64,
    /// The part of the cost with all that is called, where it is known.
    inclusive: Option<f64>,
    /// Foreign functions called here, and their parts.
    calls: Vec<(String, f64)>,
    /// The condition, where it is told from the line, and what to do.
    rules: Vec<(Option<String>, String)>,
}

pub fn section(findings: &Findings) -> Markup {
    let hottest = findings.results.iter().rev().find(|result| !result.hot_lines.is_empty());
    let hot: &[HotLine] = hottest.map_or(&[], |result| &result.hot_lines);
    let rules = findings.policy.as_ref().map(rules).unwrap_or_default();
    let files: &[SourceFile] = findings.source.as_ref().map_or(&[], |source| &source.files);
    let omitted: &[String] = findings.source.as_ref().map_or(&[], |source| &source.omitted);
    let most = hot.iter().map(|line| line.count).max().unwrap_or(0);
    let by_part = hot.iter().any(|line| line.inclusive.is_some());
    let shown: Vec<(&SourceFile, BTreeMap<u32, Line>)> =
        files.iter().map(|file| (file, lines_of(file, hot, &rules))).filter(|(_, lines)| !lines.is_empty()).collect();
    let elsewhere: Vec<&HotLine> = hot.iter().filter(|line| !files.iter().any(|file| is_in(line, file))).collect();
    if shown.is_empty() && elsewhere.is_empty() {
        return html! {};
    }
    html! {
        section id="source" {
            h2 { "Where the time goes" }
            @if let Some(result) = hottest {
                p {
                    "How often each line runs on the worst input of size " strong { (result.size) }
                    ", its part of all instructions with those of what it calls, and how often the branches "
                    "compiled from it are taken, which may test the opposite of what it says. "
                    "The policy speaks of the line's own conditions."
                }
                p.heat-key aria-hidden="true" {
                    @if by_part { "little " } @else { "rarely " } @for shade in 1..=SHADES as usize { span.(format!("h{shade}")) {} } @if by_part { " all of the cost" } @else { " " (count(most)) " times" }
                }
            } @else {
                p { "What the policy says at each branch." }
            }
            @for (file, lines) in &shown { (listing(file, lines, most)) }
            @if !elsewhere.is_empty() { (places(&elsewhere, !shown.is_empty())) }
            @if !omitted.is_empty() {
                p.hint { "Not shown: " @for (i, name) in omitted.iter().enumerate() { @if i > 0 { "; " } (name) } "." }
            }
        }
    }
}

fn is_in(line: &HotLine, file: &SourceFile) -> bool {
    line.line.is_some() && line.file.as_ref().is_some_and(|name| file.is(name))
}

/// The lines of a file that something is known about.
fn lines_of(file: &SourceFile, hot: &[HotLine], rules: &[Rule<'_>]) -> BTreeMap<u32, Line> {
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    for found in hot.iter().filter(|line| is_in(line, file)) {
        let line = lines.entry(found.line.unwrap_or_default()).or_default();
        line.count = line.count.saturating_add(found.count);
        line.share += found.share;
        line.branches = line.branches.saturating_add(found.branches);
        line.taken = line.taken.saturating_add(found.taken);
        line.not_taken = line.not_taken.saturating_add(found.not_taken);
        line.inclusive = line.inclusive.into_iter().chain(found.inclusive).reduce(f64::max);
        line.calls.extend(found.calls.iter().map(|called| (called.function.clone(), called.share)));
    }
    let text: Vec<&str> = file.text.lines().collect();
    for rule in rules {
        let Some((name, number)) = rule.place.rsplit_once(':') else { continue };
        let Some(number) = number.parse::<u32>().ok().filter(|_| file.is(name)) else { continue };
        let line = text.get((number as usize).wrapping_sub(1)).map(|line| line.trim());
        let condition = rule.quoted.filter(|quoted| line != Some(quoted)).map(str::to_owned);
        lines.entry(number).or_default().rules.push((condition, rule.words.to_owned()));
    }
    // A document may speak of a source that has changed since.
    lines.retain(|number, _| (1..=text.len()).contains(&(*number as usize)));
    lines
}

/// Which lines are shown at once: those near something known, and gaps too short to be worth folding.
fn open(lines: usize, known: &BTreeMap<u32, Line>) -> Vec<bool> {
    let mut open = vec![false; lines];
    for number in known.keys().map(|number| *number as usize) {
        let (from, to) = (number.saturating_sub(AROUND + 1), (number + AROUND).min(lines));
        open[from..to].fill(true);
    }
    let mut from = 0;
    while let Some(start) = open[from..].iter().position(|shown| !shown).map(|at| from + at) {
        let end = open[start..].iter().position(|shown| *shown).map_or(lines, |at| start + at);
        if end - start < SHORTEST_FOLD {
            open[start..end].fill(true);
        }
        from = end;
    }
    open
}

/// The file in stretches: those near something known, and folded the others.
fn listing(file: &SourceFile, known: &BTreeMap<u32, Line>, most: u64) -> Markup {
    let text: Vec<&str> = file.text.lines().collect();
    let open = open(text.len(), known);
    let mut highlighter = Highlighter::default();
    let mut stretches: Vec<(bool, u32, Vec<Markup>)> = Vec::new();
    for ((number, line), shown) in (1..).zip(&text).zip(open) {
        let row = row(number, highlighter.line(line), known.get(&number), most);
        match stretches.last_mut() {
            Some((open, _, rows)) if *open == shown => rows.push(row),
            _ => stretches.push((shown, number, vec![row])),
        }
    }
    html! {
        h3 { code { (file.name) } }
        div.source {
            @for (open, first, rows) in &stretches {
                @if *open { (block(rows)) }
                @else {
                    details.fold {
                        summary { "lines " (first) " to " (*first as usize + rows.len() - 1) }
                        (block(rows))
                    }
                }
            }
        }
    }
}

fn block(rows: &[Markup]) -> Markup {
    html! { div.scroll { table.code { tbody { @for row in rows { (row) } } } } }
}

fn row(number: u32, line: Markup, known: Option<&Line>, most: u64) -> Markup {
    let warm = known.filter(|line| line.count > 0 || line.inclusive.is_some());
    let shade = warm.map(|line| line.inclusive.map_or_else(|| shade(line.count, most), part_shade));
    html! {
        tr class=[shade.map(|shade| format!("h{shade}"))] {
            td.no { (number) }
            td.times { @if let Some(line) = known.filter(|line| line.count > 0) { (count(line.count)) "×" } }
            td.share { @if let Some(part) = known.map(|line| line.inclusive.unwrap_or(line.share)).filter(|part| *part >= 0.005) { (format!("{:.0} %", part * 100.0)) } }
            td.text {
                code { (line) }
                @if let Some(line) = known { (remarks(line)) }
            }
        }
    }
}

/// What stands below a line with a branch or a rule.
fn remarks(line: &Line) -> Markup {
    let branches = line.branches > 0 && line.taken + line.not_taken > 0;
    html! {
        @if branches || !line.rules.is_empty() {
            div.remarks {
                @if branches {
                    span.sides { "taken " (count(line.taken)) "×, not taken " (count(line.not_taken)) "×" }
                }
                @for (condition, rule) in line.rules.iter().take(MOST_RULES) {
                    span.rule { "policy: " @if let Some(condition) = condition { code { (condition) } " " } (rule) }
                }
                @for (function, part) in line.calls.iter().filter(|(_, part)| *part >= 0.005) {
                    span { (format!("{:.0} %", part * 100.0)) " in " code { (function) } }
                }
                @if line.rules.len() > MOST_RULES { span.rule { "and " (line.rules.len() - MOST_RULES) " more rules" } }
            }
        }
    }
}

/// From 1 to `SHADES`, by the part of the cost.
fn part_shade(part: f64) -> u32 {
    (part * SHADES).ceil().clamp(1.0, SHADES) as u32
}

/// From 1 to `SHADES`: a line that runs once is told from one that runs a hundred times, and this from a million.
fn shade(times: u64, most: u64) -> u32 {
    let share = (times as f64).ln_1p() / (most.max(1) as f64).ln_1p();
    (share * SHADES).ceil().clamp(1.0, SHADES) as u32
}

/// The busiest places that no source shows.
fn places(lines: &[&HotLine], beside_source: bool) -> Markup {
    let heads = [
        ("place", false),
        ("function", false),
        ("runs", true),
        ("of all instructions", true),
        ("branches taken / not taken", true),
    ];
    let row = |line: &&HotLine| {
        vec![
            html! { code { (line.place()) } },
            html! { code { (line.function) } },
            text(format!("{}×", count(line.count))),
            text(format!("{:.1} %", line.share * 100.0)),
            text(if line.branches == 0 {
                "-".to_owned()
            } else {
                format!("{} / {}", count(line.taken), count(line.not_taken))
            }),
        ]
    };
    let rows: Vec<Vec<Markup>> = lines.iter().take(MOST_ELSEWHERE).map(row).collect();
    html! {
        @if beside_source { h3 { "Elsewhere" } }
        (table(&heads, &rows))
        @if lines.len() > MOST_ELSEWHERE { p.hint { "and " (lines.len() - MOST_ELSEWHERE) " more places" } }
    }
}

#[cfg(test)]
mod tests {
    use super::{lines_of, listing, shade};
    use crate::findings::HotLine;
    use crate::html::policy::Rule;
    use crate::source_text::SourceFile;

    fn hot(line: u32, count: u64) -> HotLine {
        HotLine {
            file: Some("src/sort.c".to_owned()),
            line: Some(line),
            function: "sort".to_owned(),
            count,
            share: 0.25,
            branches: count,
            taken: 1,
            not_taken: count - 1,
            text: None,
            own: true,
            inclusive: None,
            charged: None,
            calls: Vec::new(),
        }
    }

    fn file(lines: usize) -> SourceFile {
        SourceFile { name: "sort.c".to_owned(), text: "x();\n".repeat(lines) }
    }

    #[test]
    fn a_line_has_its_heat_its_sides_and_its_rule() {
        let known = lines_of(
            &file(9),
            &[hot(3, 1200), hot(99, 1)],
            &[
                Rule { place: "sort.c:3", quoted: Some("x()"), words: "always true" },
                Rule { place: "sort.c:3", quoted: Some("x();"), words: "false" },
                Rule { place: "other.c:4", quoted: None, words: "never" },
            ],
        );
        assert_eq!(known.keys().copied().collect::<Vec<_>>(), [3]);
        let page = listing(&file(9), &known, 1200).into_string();
        assert!(page.contains("<tr class=\"h8\"><td class=\"no\">3</td><td class=\"times\">1,200×</td>"), "{page}");
        assert!(page.contains("taken 1×, not taken 1,199×"), "{page}");
        // The whole line stands above already.
        assert!(page.contains("policy: <code>x()</code> always true") && page.contains("policy: false"), "{page}");
        assert!(!page.contains("never"));
    }

    #[test]
    fn long_stretches_without_anything_known_are_folded() {
        let known = lines_of(&file(100), &[hot(50, 7)], &[]);
        let page = listing(&file(100), &known, 7).into_string();
        assert!(page.contains("lines 1 to 45") && page.contains("lines 55 to 100"), "{page}");
        assert_eq!(page.matches("<tr").count(), 100);
        assert!(!listing(&file(59), &known, 7).into_string().contains("lines 55"));
    }

    #[test]
    fn heat_rises_with_the_count() {
        assert_eq!([1, 10, 1000, 1_000_000].map(|times| shade(times, 1_000_000)), [1, 2, 5, 8]);
        assert_eq!((shade(1, 1), shade(u64::MAX, u64::MAX), shade(5, 0)), (8, 8, 8));
    }
}
