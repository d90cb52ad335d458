//! All functions of a program analysed, the worst first.

use serde::{Deserialize, Serialize};
use slowpath_fit::Class;

use crate::listing::brief;
use crate::style::Style;
use crate::wrap::wrap;

/// The version of the document.
pub const SCAN_SCHEMA: u32 = 1;
/// Calls longer than this are cut in the table.
const LONGEST_CALL: usize = 60;
/// More of what was skipped are counted.
const MOST_SKIPPED: usize = 40;
/// On narrower terminals each function has two lines instead of a row.
const NARROW: usize = 80;

/// What a scan came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scan {
    pub schema: u32,
    /// Ranked: fastest growth first, then the ratio of the worst to a random input.
    pub functions: Vec<Scanned>,
    pub skipped: Vec<Skipped>,
}

/// One function that was analysed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scanned {
    pub file: String,
    pub function: String,
    pub call: String,
    /// The growth class, as `n^2`; None where the costs found say none.
    pub class: Option<Class>,
    /// How sure that is, in a word.
    pub verdict: String,
    pub formula: Option<String>,
    /// The largest size with a verified worst input.
    pub size: i64,
    /// Its cost.
    pub cost: u64,
    /// How many times as much as a random input the worst one costs, at the largest size where both are known.
    pub ratio: Option<f64>,
    /// Traps that an input causes.
    pub traps: usize,
    /// What the call leaves out, so that the function may grow otherwise where it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One function or file that was not analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub file: String,
    /// None for a whole file.
    pub function: Option<String>,
    pub why: String,
}

impl Skipped {
    /// Whether it is what a type of Rust does for a trait: equality, conversions, and their like.
    fn is_of_a_trait(&self) -> bool {
        self.function.as_deref().is_some_and(|name| name.starts_with('<') || name.contains("<impl "))
    }
}

impl Scan {
    /// Puts the worst first; of equals, by name.
    pub fn rank(&mut self) {
        self.functions.sort_by(|a, b| {
            let ratio = |scanned: &Scanned| scanned.ratio.unwrap_or(0.0);
            let by_class = b.class.cmp(&a.class);
            by_class.then(ratio(b).total_cmp(&ratio(a))).then(a.function.cmp(&b.function))
        });
    }

    /// For the terminal.
    pub fn human(&self, style: Style) -> String {
        let mut out = String::new();
        let narrow = style.columns.filter(|columns| *columns < NARROW);
        if self.functions.is_empty() {
            out += "no function was analysed\n";
        } else if narrow.is_none() {
            out += &style.bold(&format!(
                "{:<12} {:<9} {:>6} {:>14} {:>9}  call",
                "growth", "verdict", "size", "worst cost", "vs random"
            ));
            out.push('\n');
        }
        for scanned in &self.functions {
            let class = scanned.class.map_or_else(|| "?".to_owned(), |class| class.to_string());
            let ratio = scanned.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}x"));
            let traps = if scanned.traps > 0 { format!("  ({} traps)", scanned.traps) } else { String::new() };
            let brief = brief(&scanned.call);
            let note = scanned.note.as_ref().map(|note| format!("  {note}\n")).unwrap_or_default();
            let longest = narrow.map_or(LONGEST_CALL, |columns| columns.saturating_sub(3));
            let call: String = match brief.chars().count() {
                count if count <= longest => brief,
                _ => brief.chars().take(longest).chain(['…']).collect(),
            };
            if narrow.is_some() {
                let Scanned { verdict, size, cost, .. } = scanned;
                out += &style.bold(&format!("{class} ({verdict})"));
                out += &format!(" {cost} at {size}, {ratio}{traps}\n  {call}\n{note}");
                continue;
            }
            out += &format!(
                "{class:<12} {:<9} {:>6} {:>14} {ratio:>9}  {call}{traps}\n{note}",
                scanned.verdict, scanned.size, scanned.cost
            );
        }
        if !self.skipped.is_empty() {
            out += &format!("\nskipped {}:\n", self.skipped.len());
        }
        let (of_traits, told): (Vec<_>, Vec<_>) = self.skipped.iter().partition(|skipped| skipped.is_of_a_trait());
        for skipped in told.iter().take(MOST_SKIPPED) {
            let what = skipped.function.as_deref().unwrap_or(&skipped.file);
            out += &format!("  {what}: {}\n", skipped.why.replace('\n', "\n    "));
        }
        if told.len() > MOST_SKIPPED {
            out += &format!("  … {} more (--format json has all)\n", told.len() - MOST_SKIPPED);
        }
        if !of_traits.is_empty() {
            let count = of_traits.len();
            out += &format!("  {count} of traits, which others call (--format json has their names)\n");
        }
        narrow.map_or_else(|| out.clone(), |columns| wrap(&out, columns))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_SKIPPED, SCAN_SCHEMA, Scan, Scanned, Skipped};
    use crate::style::Style;

    #[test]
    fn a_narrow_terminal_has_two_lines_for_a_function() {
        let scanned = Scanned {
            file: "a.c".into(),
            function: "parse".into(),
            call: "parse(document: cstr[n], length: u32, options: i32)".into(),
            class: Some(slowpath_fit::Class::LINEAR),
            verdict: "at least".into(),
            formula: None,
            size: 192,
            cost: 1_234_567,
            ratio: Some(2.0),
            traps: 0,
            note: Some("`start` sets parser up, which is in any state here".into()),
        };
        let why = "`const void *a` does not say what it points to".into();
        let skipped = Skipped { file: "a.c".into(), function: Some("opaque".into()), why };
        let scan = Scan { schema: SCAN_SCHEMA, functions: vec![scanned], skipped: vec![skipped] };
        let text = scan.human(Style { columns: Some(40), ..Style::default() });
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
        assert!(text.contains("n (at least) 1234567 at 192, 2.0x\n  parse("), "{text}");
        assert!(text.contains("`start` sets"), "{text}");
    }

    #[test]
    fn of_many_that_were_skipped_the_first_are_named() {
        let skipped = |name: String| Skipped { file: "a".into(), function: Some(name), why: "private".into() };
        let own = (0..MOST_SKIPPED + 2).map(|k| skipped(format!("a::f{k}")));
        let of_traits = ["<a::T as Eq>::eq", "a::t::<impl From<u8> for a::T>::from"].map(|name| skipped(name.into()));
        let scan = Scan { schema: SCAN_SCHEMA, functions: Vec::new(), skipped: own.chain(of_traits).collect() };
        let text = scan.human(Style::default());
        assert!(
            text.contains("skipped 44:") && text.contains("  … 2 more (") && text.contains("  2 of traits,"),
            "{text}"
        );
        assert!(text.contains("a::f39: private") && !text.contains("a::f40") && !text.contains("as Eq"), "{text}");
    }
}
