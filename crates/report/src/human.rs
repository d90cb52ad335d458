//! Findings as a page of text for a terminal.

use std::collections::BTreeSet;

use slowpath_fit::Verdict;

use crate::findings::{Findings, HotLine, SizeResult, SolverWork, guilty};
use crate::growth::PredictedCost;
use crate::input::{Texts, shorten};
use crate::input_law::InputLawReport;
use crate::number::{amount, count, duration};
use crate::plot::plot;
use crate::style::Style;
use crate::table::{Align, Table};
use crate::verdict::{powers, verdict};
use crate::visible::visible_findings;
use crate::wrap::wrap;

/// Rows of a table, and lines of a list, before the rest is only counted.
const MOST_ROWS: usize = 12;

/// The whole page: the answer first.
pub fn human(findings: &Findings, style: Style) -> String {
    let findings = &*visible_findings(findings);
    let mut page = format!("{}\n\n", style.bold(&verdict(findings)));
    page += &heading(findings, style);
    if !findings.results.is_empty() {
        page += &results(findings, style);
    }
    page += &plot(findings, style);
    page += &growth(findings, style);
    page += &worst_input(findings, style);
    page += &hot_lines(findings, style);
    page += &list("policy", findings.policy.as_ref().map_or(&[], |policy| &policy.explained), style);
    page += &list("synthesis", findings.synthesis.as_ref().map_or(&[], |synthesis| &synthesis.explained), style);
    page += &traps(findings, style);
    page += &cuts(findings, style);
    page += &list("limits", &together(&findings.limits), style);
    if let Some(work) = &findings.stats {
        page += &solver(work, style);
    }
    style.columns.map_or_else(|| page.clone(), |columns| wrap(&page, columns))
}

fn heading(findings: &Findings, style: Style) -> String {
    let target = &findings.target;
    let what = target.title();
    let mut out = format!("{} in {}\n", style.bold(&what), target.file);
    out += &format!(
        "cost: {}, strategy: {}, compiled: {}\n",
        findings.cost_model, findings.strategy, target.compilation.mode
    );
    if let Some(spent) = &findings.spent {
        let time =
            if findings.settings.effort.is_some() { String::new() } else { format!("{}, ", duration(spent.seconds)) };
        out += &format!("spent: {time}{} steps\n", count(spent.steps));
    }
    for note in &target.notes {
        out += &format!("note: {note}\n");
    }
    out
}

/// The rows that are shown: the first, the last, those where confidence changes, and others between them.
fn shown_rows(results: &[SizeResult], all: bool) -> Vec<usize> {
    let count = results.len();
    if all || count <= MOST_ROWS {
        return (0..count).collect();
    }
    let changes = |i: &usize| results[*i].confidence != results[*i - 1].confidence;
    let mut shown: BTreeSet<usize> = [0, count - 1].into();
    for at in (1..count).filter(changes).flat_map(|i| [i - 1, i]) {
        if shown.len() < MOST_ROWS {
            shown.insert(at);
        }
    }
    for at in (0..MOST_ROWS).map(|i| i * (count - 1) / (MOST_ROWS - 1)) {
        if shown.len() < MOST_ROWS {
            shown.insert(at);
        }
    }
    shown.into_iter().collect()
}

/// What can be missed first on a narrow terminal.
const LEAST_NEEDED: [&str; 8] =
    ["worst paths", "time", "verified", "average", "found by", "paths", "ratio", "confidence"];

fn results(findings: &Findings, style: Style) -> String {
    let with_average = findings.results.iter().any(|result| result.average.is_some());
    let with_finder = findings.results.iter().any(|result| result.found_by.is_some());
    let mut heads = vec![
        ("size", Align::Right),
        ("paths", Align::Right),
        ("worst cost", Align::Right),
        ("worst paths", Align::Right),
    ];
    if with_average {
        heads.extend([("average", Align::Right), ("ratio", Align::Right)]);
    }
    heads.push(("confidence", Align::Left));
    if with_finder {
        heads.push(("found by", Align::Left));
    }
    heads.extend([("verified", Align::Left), ("time", Align::Right)]);
    let mut table = Table::new(&heads);
    let shown = shown_rows(&findings.results, style.all);
    for result in shown.iter().map(|index| &findings.results[*index]) {
        let mut cells =
            vec![result.size.to_string(), result.paths_text(), result.cost_text(), count(result.worst_paths)];
        if with_average {
            cells.push(result.average.map_or_else(|| "-".to_owned(), |average| format!("{:.1}", average.mean)));
            cells.push(ratio(result).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}x")));
        }
        cells.push(if result.cost.is_some() { result.confidence.name() } else { "-" }.to_owned());
        if with_finder {
            cells.push(result.found_by.clone().unwrap_or_else(|| "-".to_owned()));
        }
        cells.push(verified(result).to_owned());
        cells.push(duration(result.seconds));
        table.row(cells);
    }
    let hidden = findings.results.len() - shown.len();
    let more = if hidden == 0 { String::new() } else { format!("  … {hidden} more sizes (--all)\n") };
    format!("\n{}{more}", table.fit(style, &LEAST_NEEDED).render(style))
}

/// Lines that say the same of several sizes, as one: `sizes 12 to 50: …`.
fn together(limits: &[String]) -> Vec<String> {
    let parts = |line: &String| -> Option<(i64, String)> {
        let (size, what) = line.strip_prefix("size ")?.split_once(": ")?;
        Some((size.parse().ok()?, what.to_owned()))
    };
    let mut said: Vec<(String, Vec<i64>)> = Vec::new();
    for line in limits {
        let (what, size) = parts(line).map_or_else(|| (line.clone(), None), |(size, what)| (what, Some(size)));
        match said.iter_mut().find(|(known, sizes)| *known == what && size.is_some() && !sizes.is_empty()) {
            Some((_, sizes)) => sizes.extend(size),
            None => said.push((what, size.into_iter().collect())),
        }
    }
    let line = |(what, sizes): (String, Vec<i64>)| match sizes.as_slice() {
        [] => what,
        [size] => format!("size {size}: {what}"),
        [first, .., last] => format!("{} sizes from {first} to {last}: {what}", sizes.len()),
    };
    said.into_iter().map(line).collect()
}

/// How many times the average the worst costs.
fn ratio(result: &SizeResult) -> Option<f64> {
    let mean = result.average?.mean;
    (mean > 0.0).then_some(result.cost? as f64 / mean)
}

fn verified(result: &SizeResult) -> &'static str {
    match (result.cost, result.verified) {
        (None, _) => "-",
        (_, true) => "yes",
        (_, false) => "no",
    }
}

fn worst_input(findings: &Findings, style: Style) -> String {
    let Some(result) = findings.results.iter().rev().find(|result| result.input.is_some()) else {
        return String::new();
    };
    let Some(input) = &result.input else { return String::new() };
    let texts = Texts::of(&findings.target);
    let mut out =
        format!("\n{}\n  {}\n", style.bold(&format!("worst input at size {}", result.size)), shorten(input, &texts));
    if let Some(trap) = &result.trap {
        out += &format!("  it ends with: {trap}\n");
    }
    let others: Vec<String> = result
        .costs
        .iter()
        .filter(|(name, value)| **name != findings.cost_model && value.as_u64() != Some(0))
        .map(|(name, value)| format!("{name} {}", value.as_u64().map_or_else(|| value.to_string(), count)))
        .collect();
    if !others.is_empty() {
        out += &format!("  it also costs: {}\n", others.join(", "));
    }
    let inputs = findings.input_law.iter().flat_map(|law| &law.inputs);
    let laws: Vec<&str> = inputs.map(|input| input.law.as_str()).collect();
    if !laws.is_empty() {
        let by_pattern = findings.input_law.iter().any(InputLawReport::is_pattern);
        let checked = if by_pattern { "" } else { ", checked at larger sizes" };
        out += &format!("  input law{checked}: {}\n", laws.join("; "));
    }
    out
}

/// The growth law, and how sure it is.
fn growth(findings: &Findings, style: Style) -> String {
    let Some(law) = &findings.fit else { return String::new() };
    let mut out = format!("\n{}\n", style.bold("growth"));
    match &law.class {
        None => out += &format!("  {}\n", law.words()),
        Some(class) => {
            let order = if law.verdict == Verdict::AtLeast { "Ω" } else { "O" };
            let first = findings.results.iter().filter_map(|result| u64::try_from(result.size).ok()).min().unwrap_or(1);
            let from = if law.from > first { format!(" for n ≥ {}", law.from) } else { String::new() };
            let class = powers(&class.to_string());
            out += &format!("  {order}({class}): {}{from}\n  {}\n", law.words(), law.why);
        }
    }
    let largest = findings.results.iter().filter_map(|result| u64::try_from(result.size).ok()).max().unwrap_or(0);
    let predicted: Vec<String> =
        law.predictions.iter().filter(|prediction| prediction.size > largest).map(prediction).collect();
    if !predicted.is_empty() {
        out += &format!("  predicted: {}\n", predicted.join("; "));
    }
    out
}

fn prediction(predicted: &PredictedCost) -> String {
    let (size, value, low) = (count(predicted.size), amount(predicted.value), amount(predicted.low));
    match predicted.high.map(amount) {
        None => format!("n = {size}: at least {value}"),
        Some(high) if high == low => format!("n = {size}: {value}"),
        Some(high) => format!("n = {size}: {value} ({low} to {high})"),
    }
}

/// Lines shown on the page; the document has more.
const HOT_LINES: usize = 3;
/// A foreign function is named from this part of the whole on.
const WORTH_NAMING: f64 = 0.01;

/// The user's lines that answer for most of the cost, each with the foreign functions it calls.
fn hot_lines(findings: &Findings, style: Style) -> String {
    let Some(result) = findings.results.iter().rev().find(|result| !result.hot_lines.is_empty()) else {
        return String::new();
    };
    let line = |line: &HotLine| {
        let text = line.text.as_ref().map_or_else(String::new, |text| format!(" '{text}'"));
        let times = if line.count == 1 { "once".to_owned() } else { format!("{} times", count(line.count)) };
        let below = line.inclusive.filter(|inclusive| *inclusive - line.answers_for() >= WORTH_NAMING);
        let below = below.map_or_else(String::new, |part| format!(" ({:.0} % with all it calls)", part * 100.0));
        let share = line.answers_for() * 100.0;
        let mut out = vec![format!("{}{text}: {times}, {share:.0} % of all instructions{below}", line.place())];
        for called in line.calls.iter().filter(|called| called.share >= WORTH_NAMING) {
            out.push(format!("  {:.0} % in {}", called.share * 100.0, called.function));
        }
        out
    };
    let lines: Vec<String> = guilty(&result.hot_lines).into_iter().take(HOT_LINES).flat_map(line).collect();
    list(&format!("responsible lines at size {}", result.size), &lines, style)
}

/// Each kind of trap at each place once, at the smallest size that has it.
fn traps(findings: &Findings, style: Style) -> String {
    let mut seen = Vec::new();
    let mut lines = Vec::new();
    let texts = Texts::of(&findings.target);
    for result in &findings.results {
        for trap in &result.traps {
            if seen.contains(&(&trap.trap, &trap.place)) {
                continue;
            }
            seen.push((&trap.trap, &trap.place));
            let place = trap.place_beside().map_or_else(String::new, |place| format!(" at {place}"));
            let paths = if trap.paths == 1 { "1 path".to_owned() } else { format!("{} paths", count(trap.paths)) };
            let doubt = if trap.verified { "" } else { ", not confirmed by replay" };
            for (what, input) in trap.kinds() {
                let example = input.map_or_else(String::new, |input| format!(": {}", shorten(input, &texts)));
                lines.push(format!("{what}{place}, from size {} on ({paths}{doubt}){example}", result.size));
            }
        }
    }
    list("traps", &lines, style)
}

fn cuts(findings: &Findings, style: Style) -> String {
    let texts = Texts::of(&findings.target);
    let cut = |result: &SizeResult| {
        let cut = result.cut.as_ref()?;
        let example =
            cut.input.as_ref().map_or_else(String::new, |input| format!(", for example {}", shorten(input, &texts)));
        Some(format!("size {}: {} cut short{example}", result.size, count(cut.paths)))
    };
    let lines: Vec<String> = findings.results.iter().filter_map(cut).collect();
    list("paths that did not end", &lines, style)
}

fn list(title: &str, lines: &[String], style: Style) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let most = if style.all { usize::MAX } else { MOST_ROWS };
    let shown: String = lines.iter().take(most).map(|line| format!("  {line}\n")).collect();
    let hidden = lines.len().saturating_sub(most);
    let more = if hidden == 0 { String::new() } else { format!("  … {hidden} more (--all)\n") };
    format!("\n{}\n{shown}{more}", style.bold(title))
}

fn solver(work: &SolverWork, style: Style) -> String {
    let mut table = Table::new(&[
        ("layer", Align::Left),
        ("asked", Align::Right),
        ("sat", Align::Right),
        ("unsat", Align::Right),
        ("passed on", Align::Right),
        ("time", Align::Right),
    ]);
    for layer in &work.layers {
        table.row(vec![
            layer.name.clone(),
            count(layer.seen),
            count(layer.sat),
            count(layer.unsat),
            count(layer.passed),
            duration(layer.nanos as f64 / 1e9),
        ]);
    }
    let summary = format!(
        "  {} questions, {} of them for the SMT solver, {} without an answer",
        count(work.queries),
        count(work.smt_queries),
        count(work.unknown)
    );
    let layers =
        if work.layers.is_empty() { String::new() } else { table.fit(style, &["passed on", "time"]).render(style) };
    let mut out = format!("\n{}\n{summary}\n{layers}", style.bold("solver"));
    if !work.hard.is_empty() {
        out += "  conditions that Z3 was asked about, the longest first\n";
        let most = if style.all { usize::MAX } else { MOST_ROWS };
        for hard in work.hard.iter().take(most) {
            let (asked, unknown) = (count(hard.asked), count(hard.unknown));
            let time = duration(hard.nanos as f64 / 1e9);
            out += &format!("    {}: {asked} asked, {unknown} without an answer, {time}\n", hard.condition);
        }
    }
    let asking: Vec<_> = work.techniques.iter().filter(|technique| technique.smt_queries > 0).collect();
    if !asking.is_empty() {
        out += "  Z3's part of what techniques took\n";
        for technique in asking {
            let (all, z3) = (duration(technique.seconds), duration(technique.smt_seconds));
            out += &format!("    {}: {z3} of {all}, {} asked\n", technique.name, count(technique.smt_queries));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::human;
    use crate::json::from_json;
    use crate::style::Style;

    #[test]
    fn a_long_table_shows_where_confidence_changes_and_fits_any_terminal() {
        let mut findings = from_json(include_str!("../tests/data/isort.json")).unwrap();
        let last = findings.results.pop().unwrap();
        findings.results.extend((17..70).map(|size| crate::findings::SizeResult { size, ..last.clone() }));
        findings.limits = (17..70).map(|size| format!("size {size}: there may be worse")).collect();
        let page = human(&findings, Style::default());
        let rows = page.lines().filter(|line| line.ends_with('s') && line.contains(" yes ")).count();
        assert!(rows == 12 && page.contains("more sizes (--all)"), "{page}");
        assert!(
            page.lines().any(|line| line.starts_with("     8  "))
                && page.lines().any(|line| line.starts_with("    12  ")),
            "{page}"
        );
        assert!(page.contains("  53 sizes from 17 to 69: there may be worse\n"), "{page}");
        assert!(!human(&findings, Style { all: true, ..Style::default() }).contains("--all"));
        for columns in [40, 80, 200] {
            let page = human(&findings, Style { columns: Some(columns), ..Style::default() });
            assert!(page.lines().all(|line| line.chars().count() <= columns), "{columns}: {page}");
            assert!(page.starts_with("O(n²) · worst "), "{page}");
        }
    }

    #[test]
    fn a_cost_that_was_cut_and_who_found_it_are_in_the_table() {
        let mut findings = from_json(include_str!("../tests/data/isort.json")).unwrap();
        assert!(!human(&findings, Style::default()).contains("found by"));
        let last = findings.results.last_mut().unwrap();
        (last.cost, last.at_least, last.found_by) = (Some(1_000_000_000), true, Some("policy".to_owned()));
        let page = human(&findings, Style::default());
        let row = page.lines().find(|line| line.starts_with("    16") && line.contains("> 1,000,000,000")).unwrap();
        assert!(row.contains(" policy ") && page.contains(" confidence  found by "), "{page}");
    }
}
