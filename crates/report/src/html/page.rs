//! The page, from top to bottom.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::findings::Findings;
use crate::html::beside::{self, Beside};
use crate::html::{
    evidence, flame, input_law, inputs, law, plot, policy, safe, sizes, source, stats, summary, synthesis, tree,
};
use crate::visible::visible;

pub const STYLE: &str = include_str!("style.css");
const PLOT: &str = include_str!("plot.js");
const PAGE: &str = include_str!("page.js");

/// The document as a page.
pub fn page(findings: &Findings) -> String {
    page_beside(findings, &Beside::default())
}

/// The document as a page, with what is known besides.
pub fn page_beside(findings: &Findings, beside: &Beside) -> String {
    let what = summary::what(findings);
    let body = body(findings, beside).into_string();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(safe::policy(&[PLOT, PAGE], &[STYLE]));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (what) " – slowpath" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { (summary::heading(findings, &what, &body)) }
                main { (PreEscaped(&body)) }
                footer { p { "Made by slowpath " (findings.slowpath) "; the page needs no network." } }
                script { (PreEscaped(PLOT)) }
                script { (PreEscaped(PAGE)) }
            }
        }
    };
    // What the program chose does nothing to whoever reads the page as text either.
    visible(&markup.into_string()).into_owned()
}

/// The parts in the order of what most readers want to know first.
fn body(findings: &Findings, beside: &Beside) -> Markup {
    html! {
        (summary::answer(findings, beside))
        (plot::section(findings))
        (source::section(findings))
        (flame::section(findings))
        (tree::section(findings))
        (beside::change(beside.baseline.as_ref()))
        (beside::native(beside.native.as_ref()))
        (inputs::section(findings))
        (evidence::section(findings))
        (law::section(findings))
        (policy::section(findings))
        (synthesis::section(findings))
        (input_law::section(findings))
        (stats::traps(findings))
        (sizes::section(findings))
        (stats::search(findings))
        (stats::solver(findings))
        (summary::limits(findings))
        (summary::settings(findings))
    }
}
