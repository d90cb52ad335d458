//! All functions of a program analysed, the worst first.

use serde::{Deserialize, Serialize};
use slowpath_fit::Class;

use crate::listing::brief;
use crate::style::Style;

/// The version of the document.
pub const SCAN_SCHEMA: u32 = 1;
/// Calls longer than this are cut in the table.
const LONGEST_CALL: usize = 60;

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
}

/// One function or file that was not analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub file: String,
    /// None for a whole file.
    pub function: Option<String>,
    pub why: String,
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
        if self.functions.is_empty() {
            out += "no function was analysed\n";
        } else {
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
            let call: String = match brief.chars().count() {
                ..=LONGEST_CALL => brief,
                _ => brief.chars().take(LONGEST_CALL).chain(['…']).collect(),
            };
            out += &format!(
                "{class:<12} {:<9} {:>6} {:>14} {ratio:>9}  {call}{traps}\n",
                scanned.verdict, scanned.size, scanned.cost
            );
        }
        if !self.skipped.is_empty() {
            out += &format!("\nskipped {}:\n", self.skipped.len());
        }
        for skipped in &self.skipped {
            let what = skipped.function.as_deref().unwrap_or(&skipped.file);
            out += &format!("  {what}: {}\n", skipped.why.replace('\n', "\n    "));
        }
        out
    }
}
