//! A comparison as tables for people: a table for each program, sizes as columns, ours below the published row.

use std::collections::BTreeSet;

use slowpath_report::{Align, Style, Table};

use crate::cells::{BenchReport, Cell, ProgramReport, Statistic, Verdict};
use crate::depth::Depth;
use crate::figure::Figure;

/// Most words of a line, so that tables and text fit a terminal of 100 columns.
const WIDTH: usize = 98;

impl BenchReport {
    /// What stands below the tables: what was missed and why, and the summary.
    pub fn closing(&self, style: Style) -> String {
        let mut out = String::new();
        if self.count(|verdict| verdict != Verdict::None) > 0 {
            out += "! missed   ~ missed, as the suite states   + beyond the paper   - not finished there   ? not legible\n";
        }
        out += &self.misses(style);
        for program in &self.programs {
            let why =
                program.given_up.iter().map(|why| format!("{}: {}: {why}\n", style.red("given up"), program.name));
            out.extend(why);
        }
        if self.programs.iter().any(|program| !program.skipped.is_empty()) {
            out += match self.depth {
                Depth::Full => "counts of more than 5,000,000 paths were skipped\n",
                Depth::Quick => "larger sizes were skipped: leave out --quick\n",
                Depth::Usual => "cells that take long were skipped: use --full\n",
            };
        }
        if self.interrupted {
            out += "interrupted: programs that are not shown were not compared\n";
        }
        out + &style.bold(&self.summary()) + "\n"
    }

    fn misses(&self, style: Style) -> String {
        let mut out = String::new();
        for (program, cell) in self.cells() {
            let word = match cell.verdict {
                Verdict::Missed { stated: false } => style.red("missed"),
                Verdict::Missed { stated: true } => "missed, as stated".to_owned(),
                Verdict::Met | Verdict::Beyond | Verdict::None => continue,
            };
            let (name, row, size) = (&program.name, cell.statistic.title(), cell.size);
            out += &format!("{word}: {name} n={size}, {row}: {}\n", cell.why.as_deref().unwrap_or_default());
        }
        out
    }
}

impl ProgramReport {
    /// The program's table, with an empty line below.
    pub fn to_text(&self, style: Style) -> String {
        table(self, style) + "\n"
    }
}

fn table(program: &ProgramReport, style: Style) -> String {
    let mut out = format!("{}  {:.1} s\n", style.bold(&program.name), program.seconds);
    let about = [Some(format!("n: {}", program.n)), program.policy.clone(), program.notes.clone()];
    for line in about.iter().flatten() {
        out += &wrapped(line);
    }
    let shown = program.cells.iter().map(|cell| cell.size);
    let sizes: BTreeSet<i64> = shown.chain(program.skipped.iter().map(|skipped| skipped.size)).collect();
    let heads: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let columns = heads.iter().map(|head| (head.as_str(), Align::Right));
    let mut table = Table::new(&[("", Align::Left)].into_iter().chain(columns).collect::<Vec<_>>());
    for statistic in Statistic::ALL {
        let cells: Vec<Option<&Cell>> =
            sizes.iter().map(|n| program.cells.iter().find(|c| c.statistic == statistic && c.size == *n)).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let skipped = |n: &i64| program.skipped.iter().find(|s| s.statistic == statistic && s.size == *n);
        let above = sizes.iter().zip(&cells).map(|(n, cell)| match (cell, skipped(n)) {
            (Some(cell), _) if cell.illegible => "?".to_owned(),
            (Some(cell), _) => cell.published.map_or("-".to_owned(), |value| figure(statistic, value)),
            (None, Some(skipped)) => skipped.published.map_or_else(String::new, |value| figure(statistic, value)),
            (None, None) => String::new(),
        });
        table.row([statistic.title().to_owned()].into_iter().chain(above).collect());
        let below = sizes.iter().zip(&cells).map(|(n, cell)| match (cell, skipped(n)) {
            (Some(cell), _) => ours(cell),
            (None, Some(_)) => "skip".to_owned(),
            (None, None) => String::new(),
        });
        table.row([statistic.ours().to_owned()].into_iter().chain(below).collect());
        if statistic.is_time() {
            let faster = cells.iter().map(|cell| cell.map_or_else(String::new, times_faster));
            table.row(["  times faster".to_owned()].into_iter().chain(faster).collect());
        }
    }
    for row in &program.others {
        let figures = sizes.iter().map(|n| match row.figures.get(n) {
            Some(Figure::Number(value)) if row.ratios => ratio(*value),
            Some(Figure::Number(value)) => seconds(*value),
            Some(Figure::Word(word)) => word.clone(),
            None => String::new(),
        });
        table.row([row.title.clone()].into_iter().chain(figures).collect());
    }
    out + &table.render(style)
}

fn ours(cell: &Cell) -> String {
    let mark = match cell.verdict {
        Verdict::Missed { stated: false } => "!",
        Verdict::Missed { stated: true } => "~",
        Verdict::Beyond => "+",
        Verdict::Met | Verdict::None => "",
    };
    cell.ours.map_or_else(|| "none".to_owned(), |value| figure(cell.statistic, value)) + mark
}

fn figure(statistic: Statistic, value: f64) -> String {
    match statistic {
        _ if statistic.is_time() => seconds(value),
        _ if statistic.is_ratio() => ratio(value),
        _ => format!("{value}"),
    }
}

fn seconds(value: f64) -> String {
    match value {
        _ if value.fract() == 0.0 => format!("{value}"),
        _ if value < 0.0995 => format!("{value:.3}"),
        _ if value < 9.95 => format!("{value:.2}"),
        _ => format!("{value:.1}"),
    }
}

/// Cut, not rounded: 1.000 is all of it.
fn ratio(value: f64) -> String {
    format!("{:.3}", (value * 1000.0 + 1e-9).floor() / 1000.0)
}

/// Published times are whole seconds, so that nothing can be said of 0.
fn times_faster(cell: &Cell) -> String {
    match (cell.published, cell.ours) {
        (Some(published), Some(ours)) if published >= 1.0 && ours > 0.0 && published / ours >= 10.0 => {
            format!("{:.0}", published / ours)
        }
        (Some(published), Some(ours)) if published >= 1.0 && ours > 0.0 => format!("{:.1}", published / ours),
        _ => String::new(),
    }
}

/// Indented lines of bounded width.
fn wrapped(text: &str) -> String {
    let (mut out, mut width) = (String::new(), WIDTH);
    for word in text.split_whitespace() {
        if width + 1 + word.chars().count() > WIDTH {
            out += if out.is_empty() { "  " } else { "\n  " };
            width = 2;
        } else {
            out.push(' ');
            width += 1;
        }
        out += word;
        width += word.chars().count();
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use slowpath_report::Style;

    use crate::cells::{BenchReport, Cell, ProgramReport, Skipped, Statistic, Verdict};
    use crate::depth::Depth;

    fn cell(size: i64, published: Option<f64>, ours: f64, verdict: Verdict) -> Cell {
        let why = matches!(verdict, Verdict::Missed { .. }).then(|| "291 of the known 294".to_owned());
        Cell { statistic: Statistic::Worst, size, published, illegible: false, ours: Some(ours), verdict, why }
    }

    #[test]
    fn cells_are_marked_and_misses_are_explained() {
        let cells = vec![
            cell(1, Some(4.0), 4.0, Verdict::Met),
            cell(20, Some(294.0), 291.0, Verdict::Missed { stated: true }),
            cell(30, None, 525.0, Verdict::Beyond),
        ];
        let program = ProgramReport {
            name: "merge sort".into(),
            n: "length".into(),
            policy: None,
            cells,
            others: Vec::new(),
            skipped: vec![Skipped { statistic: Statistic::Worst, size: 50, published: Some(1010.0) }],
            notes: None,
            given_up: None,
            seconds: 0.5,
        };
        let report = BenchReport {
            suite: "wise".into(),
            depth: Depth::Usual,
            programs: vec![program],
            seconds: 1.0,
            interrupted: false,
        };
        let expected = "\
merge sort  0.5 s
  n: length
               1    20    30    50
  worst known  4   294     -  1010
    ours       4  291~  525+  skip

! missed   ~ missed, as the suite states   + beyond the paper   - not finished there   ? not legible
missed, as stated: merge sort n=20, worst known: 291 of the known 294
cells that take long were skipped: use --full
wise: 1 cells met, 1 missed (1 as stated), 1 beyond; 1.0 s
";
        let style = Style::default();
        assert_eq!(report.programs[0].to_text(style) + &report.closing(style), expected);
        assert!(!report.falls_short());
    }
}
