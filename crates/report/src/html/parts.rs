//! What the sections of the page are made of: tables, facts, lists of sizes.

use maud::{Markup, html};

/// Pieces of a list of sizes before the rest is only counted.
const SHOWN: usize = 12;

/// A table that scrolls by itself where the window is too narrow. Columns marked `true` hold numbers.
pub fn table(heads: &[(&str, bool)], rows: &[Vec<Markup>]) -> Markup {
    let number = |column: usize| heads.get(column).is_some_and(|(_, number)| *number);
    html! {
        div.scroll {
            table {
                thead { tr { @for (head, number) in heads { th.number[*number] scope="col" { (head) } } } }
                tbody {
                    @for row in rows {
                        tr { @for (column, cell) in row.iter().enumerate() { td.number[number(column)] { (cell) } } }
                    }
                }
            }
        }
    }
}

/// A table of names and what they are.
pub fn facts(rows: &[(&str, Markup)]) -> Markup {
    html! { dl { @for (name, value) in rows { div { dt { (name) } dd { (value) } } } } }
}

/// Text as a cell.
pub fn text(content: impl AsRef<str>) -> Markup {
    html! { (content.as_ref()) }
}

/// Sizes as `1–6, 8, 12`. They come in rising order.
pub fn ranges(sizes: impl Iterator<Item = i64>) -> String {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for size in sizes {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(size) => *last = size,
            _ => runs.push((size, size)),
        }
    }
    let run = |(first, last): &(i64, i64)| if first == last { first.to_string() } else { format!("{first}–{last}") };
    let mut pieces: Vec<String> = runs.iter().take(SHOWN).map(run).collect();
    if let (Some(last), true) = (runs.last(), runs.len() > SHOWN) {
        pieces.push(format!("… {}", run(last)));
    }
    if pieces.is_empty() { "none".to_owned() } else { pieces.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbouring_sizes_are_a_range() {
        assert_eq!(ranges([1, 2, 3, 5, 8, 9].into_iter()), "1–3, 5, 8–9");
        assert_eq!(ranges([i64::MAX].into_iter()), i64::MAX.to_string());
        assert_eq!(ranges(std::iter::empty()), "none");
        assert!(ranges((1..100).step_by(3)).ends_with("34, … 97"));
    }
}
