//! Many targets on one page: a line for each, with its verdict and the way to its own page.

use maud::{DOCTYPE, PreEscaped, html};

use crate::findings::Findings;
use crate::html::page::STYLE;
use crate::html::parts::{table, text};
use crate::html::safe;
use crate::verdict::{growth, verdict};

/// A target, and the page it has to itself.
#[derive(Clone, Debug)]
pub struct IndexEntry<'a> {
    pub name: String,
    /// The name of a file beside this one.
    pub page: String,
    pub findings: &'a Findings,
}

/// The page.
pub fn index(entries: &[IndexEntry<'_>]) -> String {
    let heads = [("target", false), ("growth", false), ("worst cost", true), ("n", true), ("in words", false)];
    let row = |entry: &IndexEntry<'_>| {
        let worst = entry.findings.results.iter().rev().find(|result| result.cost.is_some());
        vec![
            html! { a href=(format!("./{}", entry.page)) { (entry.name) } br; code { (entry.findings.target.title()) } },
            text(growth(entry.findings).unwrap_or_else(|| "-".to_owned())),
            text(worst.map_or_else(|| "-".to_owned(), |result| result.cost_text())),
            text(worst.map_or_else(|| "-".to_owned(), |result| result.size.to_string())),
            text(verdict(entry.findings)),
        ]
    };
    let rows: Vec<_> = entries.iter().map(row).collect();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(safe::policy(&[], &[STYLE]));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "slowpath: " (entries.len()) " targets" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { p.kind { "slowpath report" } h1 { (entries.len()) " targets" } }
                main { section id="targets" { (table(&heads, &rows)) } }
            }
        }
    };
    markup.into_string()
}
