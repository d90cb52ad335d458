//! The answer in one line: `O(n²) · worst 21,282 at n = 51 · trim.c:8 · exact to 9, validated to 51 · 21 s`.

use slowpath_fit::Verdict;

use crate::findings::{Confidence, Findings, HotLine, guilty};
use crate::number::{count, duration, raised};

/// The line; it has no line end.
pub fn verdict(findings: &Findings) -> String {
    let parts = [growth(findings), worst(findings), place(findings), sure(findings), spent(findings)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// `O(n²)`, `at least n²`, or that it is not known.
pub fn growth(findings: &Findings) -> Option<String> {
    let law = findings.fit.as_ref()?;
    Some(match (&law.class, law.verdict) {
        (None, _) | (_, Verdict::NotSure) => "growth not sure".to_owned(),
        (Some(class), Verdict::AtLeast) => format!("at least {}", powers(&class.to_string())),
        (Some(class), _) => format!("O({})", powers(&class.to_string())),
    })
}

fn worst(findings: &Findings) -> Option<String> {
    let Some(result) = findings.results.iter().rev().find(|result| result.cost.is_some()) else {
        return Some("no result".to_owned());
    };
    let more = if result.at_least { "more than " } else { "" };
    Some(format!("worst {more}{} at n = {}", result.cost.map_or_else(String::new, count), result.size))
}

/// The line that answers for most of the cost at the largest size that has lines.
pub fn guilty_line(findings: &Findings) -> Option<&HotLine> {
    let result = findings.results.iter().rev().find(|result| !result.hot_lines.is_empty())?;
    guilty(&result.hot_lines).into_iter().next()
}

/// A line without the folders of its file.
pub fn short_place(line: &HotLine) -> String {
    let place = line.place();
    if line.line.is_none() {
        return place;
    }
    place.rsplit(['/', '\\']).next().unwrap_or(&place).to_owned()
}

fn place(findings: &Findings) -> Option<String> {
    guilty_line(findings).map(short_place)
}

/// `exact to 9, validated to 51`: the largest size of each confidence.
fn sure(findings: &Findings) -> Option<String> {
    let largest = |confidence: Confidence| {
        let sizes = findings.results.iter().filter(|r| r.cost.is_some() && r.confidence == confidence);
        sizes.map(|result| result.size).max().map(|size| (confidence, size))
    };
    let parts: Vec<(Confidence, i64)> = Confidence::ALL.into_iter().filter_map(largest).collect();
    let one = |(confidence, size): &(Confidence, i64)| match confidence {
        Confidence::BestFound => format!("best found to {size}"),
        sure => format!("{} to {size}", sure.name()),
    };
    (!parts.is_empty()).then(|| parts.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Time, or the work that took its place.
pub fn spent(findings: &Findings) -> Option<String> {
    let spent = findings.spent?;
    Some(match findings.settings.effort {
        Some(_) => format!("{} steps", count(spent.steps)),
        None if spent.seconds >= 10.0 && spent.seconds < 120.0 => format!("{:.0} s", spent.seconds),
        None => duration(spent.seconds),
    })
}

/// `n^2` as n². Only a power that is a number can be raised: `2^n` stays.
pub fn powers(class: &str) -> String {
    let mut out = String::new();
    let mut rest = class.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '^' || !rest.peek().is_some_and(char::is_ascii_digit) {
            out.push(c);
            continue;
        }
        // A point between digits is raised with them.
        while let Some(next) = rest.peek().copied().filter(|c| c.is_ascii_digit() || *c == '.') {
            out.push(raised(next).unwrap_or('·'));
            rest.next();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{powers, verdict};
    use crate::json::from_json;

    #[test]
    fn powers_that_are_numbers_are_raised() {
        let shown = ["n²", "n¹² log n", "n¹·⁵", "2^n", "n"];
        assert_eq!(["n^2", "n^12 log n", "n^1.5", "2^n", "n"].map(powers), shown);
    }

    #[test]
    fn the_answer_is_one_line() {
        let findings = from_json(include_str!("../tests/data/isort.json")).unwrap();
        let line = verdict(&findings);
        assert!(line.starts_with("O(n²) · worst 4,287 at n = 16 · isort.c:"), "{line}");
        assert!(line.contains(" · exact to 8, validated to 16"), "{line}");
    }
}
