//! What a notebook shows of a document: the verdict, the plot and the sizes. It is put into a page of others, so it has no
//! script, no style sheet and no identifiers, and takes colours from around it.

use maud::{Markup, html};

use crate::findings::{Findings, SizeResult};
use crate::input::{Texts, shorten};
use crate::number::count;
use crate::verdict::verdict;

/// Sizes in the table; the page and the document have all.
const MOST_ROWS: usize = 12;
/// The plot, and the room around it for numbers.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 80.0;
const MARGIN: f64 = 20.0;
/// From this ratio of the largest to the smallest size on, both axes are logarithmic, as on the terminal.
const WIDE: f64 = 40.0;

/// The fragment as text.
pub fn fragment(findings: &Findings) -> String {
    let left_out = findings.results.len().saturating_sub(MOST_ROWS);
    let shown = &findings.results[left_out..];
    let texts = Texts::of(&findings.target);
    html! {
        div style="font-family: sans-serif; line-height: 1.4" {
            p { strong { (verdict(findings)) } }
            p { code { (findings.target.title()) } " in " code { (findings.target.file) } ", cost: " (findings.cost_model) }
            (plot(findings))
            table {
                thead { tr { @for head in ["size", "worst cost", "confidence", "found by", "verified", "input"] { th { (head) } } } }
                tbody { @for result in shown { (row(result, &texts)) } }
            }
            @if left_out > 0 { p { (count(left_out as u64)) " smaller sizes are not shown." } }
            @if !findings.limits.is_empty() { ul { @for limit in &findings.limits { li { (limit) } } } }
        }
    }
    .into_string()
}

fn row(result: &SizeResult, texts: &Texts) -> Markup {
    let verified = match (result.cost, result.verified) {
        (None, _) => "-",
        (Some(_), true) => "yes",
        (Some(_), false) => "no",
    };
    let confidence = if result.cost.is_some() { result.confidence.name() } else { "-" };
    let input = result.input.as_ref().map_or_else(|| "-".to_owned(), |input| shorten(input, texts));
    html! {
        tr {
            td { (result.size) } td { (result.cost_text()) } td { (confidence) }
            td { (result.found_by.as_deref().unwrap_or("-")) } td { (verified) } td style="text-align: left" { code { (input) } }
        }
    }
}

/// Worst costs as a line with points, random inputs as squares.
fn plot(findings: &Findings) -> Markup {
    let worst: Vec<(f64, f64)> =
        findings.results.iter().filter_map(|result| Some((result.size as f64, result.cost? as f64))).collect();
    let average: Vec<(f64, f64)> =
        findings.results.iter().filter_map(|result| Some((result.size as f64, result.average?.mean))).collect();
    let all = || worst.iter().chain(&average);
    let (Some(x), Some(y)) = (Axis::of(all().map(|p| p.0)), Axis::of(all().map(|p| p.1))) else { return html! {} };
    if worst.len() < 3 || x.low >= x.high {
        return html! {};
    }
    let logarithmic = x.low > 0.0 && y.low > 0.0 && x.high / x.low >= WIDE;
    let at = |(size, cost): &(f64, f64)| {
        let (across, up) = (x.share(*size, logarithmic), y.share(*cost, logarithmic));
        (format!("{:.1}", LEFT + WIDTH * across), format!("{:.1}", MARGIN + HEIGHT * (1.0 - up)))
    };
    let line: Vec<String> = worst.iter().map(&at).map(|(x, y)| format!("{x},{y}")).collect();
    let (right, bottom) = (LEFT + WIDTH, MARGIN + HEIGHT);
    let whole = (right + MARGIN, bottom + 2.0 * MARGIN);
    let number = |value: f64| count(value.max(0.0).round() as u64);
    let scale = if logarithmic { ", logarithmic" } else { "" };
    html! {
        svg viewBox=(format!("0 0 {} {}", whole.0, whole.1)) width=(whole.0) height=(whole.1) role="img"
            aria-label="worst cost against size" font-size="12" fill="currentColor" {
            path d=(format!("M{LEFT} {MARGIN}V{bottom}H{right}")) fill="none" stroke="currentColor" opacity="0.5" {}
            polyline points=(line.join(" ")) fill="none" stroke="#c0392b" stroke-width="1.5" {}
            @for point in &average { @let (x, y) = at(point);
                circle cx=(x) cy=(y) r="3" fill="none" stroke="#2471a3" { title { (number(point.1)) " on average at size " (point.0) } } }
            @for point in &worst { @let (x, y) = at(point);
                circle cx=(x) cy=(y) r="3" fill="#c0392b" { title { (number(point.1)) " at size " (point.0) } } }
            text x=(LEFT - 6.0) y=(MARGIN + 4.0) text-anchor="end" { (number(y.high)) }
            text x=(LEFT - 6.0) y=(bottom) text-anchor="end" { (number(y.low)) }
            text x=(LEFT) y=(bottom + 16.0) { (number(x.low)) }
            text x=(right) y=(bottom + 16.0) text-anchor="end" { (number(x.high)) }
            text x=((LEFT + right) / 2.0) y=(bottom + 32.0) text-anchor="middle" {
                (findings.cost_model) " against size" (scale) @if !average.is_empty() { ": worst filled, average of random inputs hollow" } }
        }
    }
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

    /// How far along the axis a value is, from 0 to 1.
    fn share(&self, value: f64, logarithmic: bool) -> f64 {
        let scale = |v: f64| if logarithmic { v.ln() } else { v };
        let (low, high) = (scale(self.low), scale(self.high));
        if high > low { (scale(value) - low) / (high - low) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::fragment;
    use crate::json::from_json;

    #[test]
    fn a_fragment_has_the_plot_and_nothing_that_acts_on_the_page_around_it() {
        let findings = from_json(include_str!("../../tests/data/isort.json")).unwrap();
        let text = fragment(&findings);
        assert!(text.starts_with("<div") && text.contains("<svg") && text.contains("<polyline"), "{text}");
        for active in ["<script", "<style", " id=", " class=", "href", "onclick"] {
            assert!(!text.contains(active), "{active}");
        }
    }

    #[test]
    fn hostile_names_stay_text() {
        let mut findings = from_json(include_str!("../../tests/data/isort.json")).unwrap();
        findings.target.file = "<script>alert(1)</script>".to_owned();
        findings.limits.push("<img src=x onerror=alert(1)>".to_owned());
        let text = fragment(&findings);
        assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
    }

    #[test]
    fn without_sizes_there_is_no_plot() {
        let mut findings = from_json(include_str!("../../tests/data/isort.json")).unwrap();
        findings.results.clear();
        assert!(!fragment(&findings).contains("<svg"));
    }
}
