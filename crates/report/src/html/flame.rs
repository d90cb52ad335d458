//! The flame graph of the worst input: a bar for each function below its caller, as wide as its part of the cost.

use maud::{Markup, html};

use crate::findings::Findings;
use crate::number::count;

/// Bars that a browser draws without effort.
const MOST: usize = 1500;
const ROW: usize = 20;

pub fn section(findings: &Findings) -> Markup {
    let Some(flame) = &findings.flame else { return html! {} };
    let all: u64 = flame.frames.iter().filter(|frame| frame.caller.is_none()).map(|frame| frame.total).sum();
    if all == 0 {
        return html! {};
    }
    // From and depth of each bar; callers come before what they call.
    let mut bars: Vec<(u64, usize)> = Vec::new();
    let mut next: Vec<u64> = Vec::new();
    let mut roots = 0u64;
    for (index, frame) in flame.frames.iter().enumerate() {
        let caller = frame.caller.filter(|caller| *caller < index);
        let at = caller.map_or(&mut roots, |caller| &mut next[caller]);
        let from = *at;
        *at = from.saturating_add(frame.total);
        let depth = caller.map_or(0, |caller| bars[caller].1 + 1);
        bars.push((from, depth));
        next.push(from);
    }
    let mut shown: Vec<usize> = (0..bars.len()).collect();
    shown.sort_by_key(|index| std::cmp::Reverse(flame.frames[*index].total));
    shown.truncate(MOST);
    shown.sort_unstable();
    let deepest = shown.iter().map(|index| bars[*index].1).max().unwrap_or(0);
    let percent = |part: u64| part as f64 * 100.0 / all as f64;
    html! {
        section id="flame" {
            h2 { "Flame graph" }
            p {
                "The worst input of size " strong { (flame.size) } " by function: what is below was called by what is above it, inlined "
                "functions too. Coloured bars are your own code. Click one to look closer, click it again to see all."
            }
            svg.flame width="100%" height=((deepest + 1) * ROW) role="group" aria-label="flame graph" {
                @for index in shown {
                    @let (frame, (from, depth)) = (&flame.frames[index], bars[index]);
                    svg.bar-of.own[frame.is_own] x=(format!("{:.4}%", percent(from))) y=(depth * ROW)
                        width=(format!("{:.4}%", percent(frame.total))) height=(ROW - 1)
                        data-from=(format!("{:.4}", percent(from))) data-part=(format!("{:.4}", percent(frame.total))) tabindex="0" {
                        title { (frame.function) ": " (count(frame.total)) " instructions, " (format!("{:.1} %", percent(frame.total))) ", " (count(frame.own)) " of them its own" }
                        rect width="100%" height="100%" {}
                        text x="4" y="14" { (frame.function) }
                    }
                }
            }
            p.hint { code { "slowpath export … --as folded" } " and " code { "--as speedscope" } " have the same for other tools." }
        }
    }
}
