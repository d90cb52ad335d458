//! Results as commands of a GitHub workflow: `::error file=…,line=…::…`, which are shown beside the lines of a change.

use crate::check::{CheckReport, CheckedBound, CheckedTarget, Evidence, responsible};
use crate::compare::Comparison;
use crate::findings::Findings;
use crate::scan::Scan;
use crate::verdict::verdict;

/// GitHub shows ten of each kind for a step.
const SHOWN: usize = 10;

/// A check: an error for each bound that fails, at the line that answers for it. `place` turns the path of a file into the one that readers
/// know it by.
pub fn check(report: &CheckReport, place: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    for target in &report.targets {
        let configured = (place(&report.config), target.config_line.max(1));
        if let Some(trouble) = &target.error {
            out += &command("error", Some(configured.clone()), &target.name, trouble.message());
        }
        for bound in &target.bounds {
            let level = if bound.fails() { "error" } else { continue };
            let line = bound.evidence.as_ref().and_then(|evidence| evidence.line.as_ref());
            let at = line.and_then(|line| Some((place(line.file.as_ref()?), line.line?)));
            out += &command(level, Some(at.unwrap_or_else(|| configured.clone())), &title(target, bound), &told(bound));
        }
    }
    for note in &report.notes {
        out += &command("notice", None, "slowpath", note);
    }
    out + &report.sum()
}

fn title(target: &CheckedTarget, bound: &CheckedBound) -> String {
    format!("slowpath: {} ({})", target.name, bound.rule.name())
}

fn told(bound: &CheckedBound) -> String {
    let evidence: Vec<String> = bound.evidence.iter().flat_map(Evidence::lines).collect();
    [vec![bound.told()], evidence].concat().join("\n")
}

/// An analysis: a notice at the line that answers for most.
pub fn findings(findings: &Findings, place: impl Fn(&str) -> String) -> String {
    let line = responsible(findings);
    let at = line.and_then(|line| Some((place(line.file.as_ref()?), line.line?)));
    let at = at.unwrap_or_else(|| (place(&findings.target.file), 1));
    let largest = findings.results.iter().rev().find_map(|result| Evidence::of(findings, result));
    let told: Vec<String> = largest.iter().flat_map(Evidence::lines).collect();
    let text = [vec![verdict(findings)], told].concat().join("\n");
    command("notice", Some(at), &format!("slowpath: {}", findings.target.title()), &text)
}

/// A scan: a notice for each of the worst functions.
pub fn scan(scan: &Scan, place: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    for one in scan.functions.iter().take(SHOWN) {
        let class = one.class.map_or_else(|| "not sure".to_owned(), |class| class.to_string());
        let ratio = one.ratio.map_or_else(String::new, |ratio| format!(", {ratio:.1} times a random input"));
        let text = format!("growth {class} ({}), worst cost {} at size {}{ratio}", one.verdict, one.cost, one.size);
        out += &command("notice", Some((place(&one.file), 1)), &format!("slowpath: {}", one.call), &text);
    }
    out + &format!("{} functions, {} skipped\n", scan.functions.len(), scan.skipped.len())
}

/// Two analyses: an error if something is worse.
pub fn comparison(comparison: &Comparison) -> String {
    let worse = comparison.sizes.iter().filter(|size| size.worse).map(|size| {
        let cost = |cost: Option<u64>| cost.map_or_else(|| "-".to_owned(), |cost| cost.to_string());
        format!("size {}: {} before, {} now", size.size, cost(size.old), cost(size.new))
    });
    let class = |class: &Option<String>| class.clone().unwrap_or_else(|| "not sure".to_owned());
    let growth = format!("growth: {} before, {} now", class(&comparison.growth.old), class(&comparison.growth.new));
    let traps = comparison.new_traps.iter().map(|trap| format!("new trap: {trap}"));
    let lines: Vec<String> = [growth].into_iter().chain(worse).chain(traps).collect();
    let (level, word) = if comparison.worse { ("error", "worse") } else { ("notice", "no worse") };
    command(level, None, &format!("slowpath: {} is {word}", comparison.function), &lines.join("\n"))
}

/// One command on one line, whatever is in its words.
fn command(level: &str, at: Option<(String, u32)>, title: &str, text: &str) -> String {
    let at = at.map_or_else(String::new, |(file, line)| format!("file={},line={line},", property(&file)));
    format!("::{level} {at}title={}::{}\n", property(title), data(text))
}

fn data(text: &str) -> String {
    text.trim_end().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_command_is_one_line_whatever_is_in_it() {
        let text = command("error", Some(("a,b:c.c".to_owned(), 7)), "x::y", "100 %\n::error::no");
        assert_eq!(text, "::error file=a%2Cb%3Ac.c,line=7,title=x%3A%3Ay::100 %25%0A::error::no\n");
    }
}
