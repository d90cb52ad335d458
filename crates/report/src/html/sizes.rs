//! The table of sizes.

use maud::{Markup, html};

use crate::findings::{Confidence, Findings, SizeResult};
use crate::html::parts::{table, text};
use crate::number::{count, duration};

pub fn section(findings: &Findings) -> Markup {
    let average = findings.results.iter().any(|result| result.average.is_some());
    let mut heads = vec![("size", true), ("paths", true), ("worst cost", true), ("worst paths", true)];
    if average {
        heads.extend([("average", true), ("random inputs", true)]);
    }
    heads.push(("confidence", false));
    let finder = findings.results.iter().any(|result| result.found_by.is_some());
    if finder {
        heads.push(("found by", false));
    }
    heads.extend([("verified", false), ("time", true)]);
    let rows: Vec<Vec<Markup>> = findings.results.iter().map(|result| row(result, average, finder)).collect();
    html! {
        section id="sizes" {
            h2 { "Sizes" }
            @if rows.is_empty() { p { "No size was analysed." } }
            @else { details { summary { (rows.len()) " sizes" } (table(&heads, &rows)) } }
        }
    }
}

fn row(result: &SizeResult, average: bool, finder: bool) -> Vec<Markup> {
    let found = result.cost.is_some();
    let mut cells = vec![
        html! { a href=(format!("#input-{}", result.size)) { (result.size) } },
        text(result.paths_text()),
        text(result.cost_text()),
        text(count(result.worst_paths)),
    ];
    if average {
        let mean = result.average.map_or_else(|| "-".to_owned(), |average| tenths(average.mean));
        cells.extend([text(mean), text(result.average.map_or_else(|| "-".to_owned(), |average| count(average.runs)))]);
    }
    cells.push(if found {
        html! { (mark(result.confidence)) " " (result.confidence.name()) }
    } else {
        text("-")
    });
    if finder {
        cells.push(text(result.found_by.as_deref().unwrap_or("-")));
    }
    cells.push(text(match (found, result.verified) {
        (false, _) => "-",
        (true, true) => "yes",
        (true, false) => "no",
    }));
    cells.push(text(duration(result.seconds)));
    cells
}

/// The shape that stands for a confidence, here and in the plot.
pub fn mark(confidence: Confidence) -> Markup {
    let (class, shape) = match confidence {
        Confidence::Exact => ("exact", "M6 1.5a4.5 4.5 0 1 0 .01 0Z"),
        Confidence::Validated => ("validated", "M6 0L12 6L6 12L0 6Z"),
        Confidence::Challenged => ("challenged", "M6 0L11 3V9L6 12L1 9V3Z"),
        Confidence::BestFound => ("best-found", "M6 1L11.5 11H.5Z"),
    };
    html! { svg.mark viewBox="-1 -1 14 14" aria-hidden="true" { path.point.(class) d=(shape) {} } }
}

/// A mean to one decimal, its digits grouped.
pub fn tenths(mean: f64) -> String {
    let tenths = (mean.max(0.0) * 10.0).round() as u64;
    format!("{}.{}", count(tenths / 10), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::tenths;

    #[test]
    fn means_are_grouped_and_rounded() {
        assert_eq!([0.0, 9.96, 1521.74, f64::NAN].map(tenths), ["0.0", "10.0", "1,521.7", "0.0"]);
    }
}
