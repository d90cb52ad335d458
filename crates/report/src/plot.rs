//! Cost against size, drawn with plain characters.

use crate::findings::{Findings, SizeResult};
use crate::number::count;
use crate::style::Style;

/// As wide as this, or as the terminal allows.
const WIDTH: usize = 60;
const LEAST_WIDTH: usize = 10;
const HEIGHT: usize = 12;
/// Fewer sizes show no shape.
const FEWEST: usize = 3;
/// From this ratio of the largest to the smallest size on, both axes are logarithmic.
const WIDE: f64 = 40.0;

/// The plot, or nothing where there are too few sizes.
pub fn plot(findings: &Findings, style: Style) -> String {
    let point = |result: &SizeResult| {
        let worst = (result.size as f64, result.cost? as f64);
        Some((worst, result.average.map(|average| (result.size as f64, average.mean))))
    };
    let points: Vec<_> = findings.results.iter().filter_map(point).collect();
    let worst: Vec<(f64, f64)> = points.iter().map(|(worst, _)| *worst).collect();
    let average: Vec<(f64, f64)> = points.iter().filter_map(|(_, average)| *average).collect();
    let (Some(x), Some(y)) = (Axis::of(worst.iter().map(|p| p.0)), Axis::of(worst.iter().chain(&average).map(|p| p.1)))
    else {
        return String::new();
    };
    if worst.len() < FEWEST || x.low == x.high {
        return String::new();
    }
    let logarithmic = x.low > 0.0 && y.low > 0.0 && x.high / x.low >= WIDE;
    let labels = count(y.high.max(0.0).round() as u64).len().max(count(y.low.max(0.0).round() as u64).len());
    let room = style.columns.map_or(WIDTH, |columns| columns.saturating_sub(labels + 6));
    let width = room.clamp(LEAST_WIDTH, WIDTH);
    let mut grid = vec![vec![b' '; width]; HEIGHT];
    // The worst are drawn last: where both fall together, they count.
    for (marks, mark) in [(&average, b'+'), (&worst, b'*')] {
        for (size, cost) in marks {
            let (column, row) = (x.place(*size, width, logarithmic), y.place(*cost, HEIGHT, logarithmic));
            grid[HEIGHT - 1 - row][column] = mark;
        }
    }
    let legend = if average.is_empty() { "" } else { ": * worst, + average" };
    let scales = if logarithmic { ", logarithmic" } else { "" };
    let mut out = format!("\n{}\n", style.bold(&format!("{} against size{scales}{legend}", findings.cost_model)));
    let labels = [count(y.high as u64), count(y.low as u64)];
    let margin = labels.iter().map(String::len).max().unwrap_or(0);
    for (row, line) in grid.iter().enumerate() {
        let label = match row {
            0 => labels[0].as_str(),
            row if row == HEIGHT - 1 => labels[1].as_str(),
            _ => "",
        };
        let line: String = line.iter().map(|byte| char::from(*byte)).collect();
        out += &format!("  {label:>margin$} | {}\n", line.trim_end()).replace("| \n", "|\n");
    }
    let (first, last) = (count(x.low as u64), count(x.high as u64));
    let gap = width.saturating_sub(first.len() + last.len());
    out + &format!("  {:margin$} +-{}\n  {:margin$}   {first}{:gap$}{last}\n", "", "-".repeat(width), "", "")
}

/// From the least to the greatest value.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (low.is_finite() && high.is_finite()).then_some(Axis { low, high })
    }

    /// Which of so many cells a value falls into.
    fn place(&self, value: f64, cells: usize, logarithmic: bool) -> usize {
        let scale = |v: f64| if logarithmic { v.ln() } else { v };
        let (low, high) = (scale(self.low), scale(self.high));
        let share = if high > low { (scale(value) - low) / (high - low) } else { 0.0 };
        ((share * (cells - 1) as f64).round() as usize).min(cells - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, HEIGHT, plot};
    use crate::findings::Findings;
    use crate::json::from_json;
    use crate::style::Style;

    fn findings(costs: &[(i64, u64)]) -> Findings {
        let result = |(size, cost): &(i64, u64)| {
            serde_json::json!({
                "size": size, "cost": cost, "costs": {}, "paths": 1, "worst_paths": 1, "complete": true, "solver_queries": 0,
                "smt_queries": 0, "seconds": 0.0, "confidence": "exact", "input": null, "trap": null, "verified": true, "traps": [],
            })
        };
        let text = serde_json::json!({
            "schema": 1, "slowpath": "0", "strategy": "auto", "cost_model": "instructions", "limits": [], "policy": null,
            "input_law": null, "fit": null, "results": costs.iter().map(result).collect::<Vec<_>>(),
            "target": {
                "file": "f.c", "function": "f", "call": "f(n)", "harness": null, "notes": [],
                "compilation": {"mode": "as given", "optimize": null, "cflags": []}, "module": {"bytes": 0, "fnv1a": ""},
            },
            "settings": {
                "seed": 0, "solver": "layered", "solver_timeout_ms": 1, "budget_seconds": 1.0, "max_paths": null,
                "max_instructions": 1, "max_depth": 1, "max_memory": 1, "max_cells": 1, "max_select_depth": 1,
            },
        });
        from_json(&text.to_string()).unwrap()
    }

    #[test]
    fn the_largest_cost_is_at_the_top_and_the_largest_size_at_the_right() {
        let text = plot(&findings(&[(1, 10), (2, 40), (3, 90), (4, 1160)]), Style::default());
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert!(lines[0].starts_with("  1,160 | ") && lines[0].ends_with('*'), "{text}");
        assert_eq!(lines[0].len(), "  1,160 | ".len() + 60);
        assert!(lines[HEIGHT - 1].starts_with("     10 | *"), "{text}");
        assert!(lines[HEIGHT].contains("+---") && lines[HEIGHT + 1].trim().starts_with('1'), "{text}");
        assert!(text.is_ascii());
    }

    #[test]
    fn too_few_sizes_are_not_drawn_and_wide_ranges_are_logarithmic() {
        assert_eq!(plot(&findings(&[(1, 10), (2, 40)]), Style::default()), "");
        assert_eq!(plot(&findings(&[]), Style::default()), "");
        let text = plot(&findings(&[(10, 100), (100, 10_000), (1000, 1_000_000)]), Style::default());
        assert!(text.contains("logarithmic"), "{text}");
        // On logarithmic axes a power law is a straight line.
        let columns: Vec<usize> = text.lines().filter_map(|line| line.find('*')).collect();
        assert!((columns[0] - columns[1]).abs_diff(columns[1] - columns[2]) <= 1, "{text}");
    }

    #[test]
    fn one_value_is_at_the_bottom() {
        let axis = Axis::of([5.0, 5.0].into_iter()).unwrap();
        assert_eq!(axis.place(5.0, 10, false), 0);
        assert!(Axis::of(std::iter::empty()).is_none());
    }
}
