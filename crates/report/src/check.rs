//! What a check came to: every target with its bounds, and what exceeded them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slowpath_fit::{Class, Verdict};

use crate::findings::{Findings, HotLine, SizeResult};
use crate::input::{Texts, shorten};
use crate::number::{count, duration};
use crate::style::Style;

/// The version of the report; it changes when a reader of the old one would misunderstand the new one.
pub const CHECK_SCHEMA: u32 = 1;

/// All targets of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    pub schema: u32,
    /// The version of slowpath that wrote it.
    pub slowpath: String,
    pub config: String,
    pub targets: Vec<CheckedTarget>,
    /// What is worth knowing about the check as a whole.
    pub notes: Vec<String>,
}

/// One target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedTarget {
    pub name: String,
    pub file: String,
    /// Where the target stands in the configuration.
    pub config_line: u32,
    pub cost_model: String,
    pub seconds: f64,
    /// How sure the growth law is; none where there are too few sizes for any.
    pub verdict: Option<Verdict>,
    /// The growth law's class; none where it is not known.
    pub class: Option<Class>,
    pub formula: Option<String>,
    /// Sizes and their worst costs, verified ones only.
    pub costs: Vec<(i64, u64)>,
    pub bounds: Vec<CheckedBound>,
    /// Why there is no result at all.
    pub error: Option<Trouble>,
}

/// Why a target could not be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "message", rename_all = "snake_case")]
pub enum Trouble {
    /// The target cannot be used as given.
    BadInput(String),
    /// A limit ended the analysis before any result.
    Stopped(String),
}

impl Trouble {
    /// In words.
    pub fn message(&self) -> &str {
        match self {
            Trouble::BadInput(message) | Trouble::Stopped(message) => message,
        }
    }
}

/// What kind of bound it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The growth class expected.
    Growth,
    /// A cost that must not be exceeded at a size.
    Maximum,
    /// The costs of an earlier version.
    Baseline,
}

impl Rule {
    /// Every rule, in the order of reports.
    pub const ALL: [Rule; 3] = [Rule::Growth, Rule::Maximum, Rule::Baseline];

    /// As in documents.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Growth => "growth",
            Rule::Maximum => "maximum",
            Rule::Baseline => "baseline",
        }
    }

    /// What breaking it means.
    pub fn describe(self) -> &'static str {
        match self {
            Rule::Growth => "The worst cost grows faster than expected.",
            Rule::Maximum => "The worst cost at a size is above its maximum.",
            Rule::Baseline => "The worst cost at a size is above that of the baseline.",
        }
    }
}

/// How a bound was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    Kept,
    Exceeded,
    /// Neither can be said; the message has the reason.
    Open,
}

/// One bound of a target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedBound {
    pub rule: Rule,
    /// The bound itself: `n log n`, `at most 5,000 at size 100`.
    pub bound: String,
    pub judgement: Judgement,
    /// The check fails if the bound is open.
    pub strict: bool,
    pub message: String,
    /// The input that exceeds it, and where it spends itself.
    pub evidence: Option<Evidence>,
}

impl CheckedBound {
    /// Whether the check fails by it.
    pub fn fails(&self) -> bool {
        self.judgement == Judgement::Exceeded || (self.strict && self.judgement == Judgement::Open)
    }

    /// The message, and where neither can be said, that this is so.
    pub fn told(&self) -> String {
        match self.judgement {
            Judgement::Open => format!("cannot be judged: {}", self.message),
            Judgement::Kept | Judgement::Exceeded => self.message.clone(),
        }
    }
}

/// An input that exceeds a bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    pub size: i64,
    pub cost: u64,
    pub input: Option<Value>,
    /// How the input is shown.
    #[serde(skip)]
    pub texts: Texts,
    /// The line most responsible for it.
    pub line: Option<HotLine>,
}

impl Evidence {
    /// The evidence that a size gives.
    pub fn of(findings: &Findings, result: &SizeResult) -> Option<Evidence> {
        let line = responsible(findings).cloned();
        let texts = Texts::of(&findings.target);
        Some(Evidence { size: result.size, cost: result.cost?, input: result.input.clone(), texts, line })
    }

    /// In words, a line each.
    pub fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        if let Some(line) = &self.line {
            let text = line.text.as_ref().map_or_else(String::new, |text| format!(" '{text}'"));
            out.push(format!("line: {}{text} in {}, run {} times", line.place(), line.function, count(line.count)));
        }
        let input = self.input.as_ref().map_or_else(String::new, |input| format!(": {}", shorten(input, &self.texts)));
        out.push(format!("worst input at size {}, cost {}{input}", self.size, count(self.cost)));
        out
    }
}

/// The line that is most responsible for how the cost grows: whose executions rise most from a smaller size to the
/// largest; where there is no smaller one, that runs most often.
pub fn responsible(findings: &Findings) -> Option<&HotLine> {
    let mut counted = findings.results.iter().rev().filter(|result| !result.hot_lines.is_empty());
    let (large, small) = (counted.next()?, counted.next());
    let before = |line: &HotLine| {
        let same =
            |other: &&HotLine| (&other.file, other.line, &other.function) == (&line.file, line.line, &line.function);
        small.and_then(|result| result.hot_lines.iter().find(same)).map_or(0, |line| line.count)
    };
    // Of equals the first, which has the greater share.
    let rise = |line: &&HotLine| line.count.saturating_sub(before(line));
    let located = large.hot_lines.iter().filter(|line| line.line.is_some());
    located.rev().max_by_key(rise).or(large.hot_lines.first())
}

impl CheckReport {
    /// The report of a check that did not begin: its configuration, or another thing that was asked for, cannot be used.
    pub fn refused(slowpath: &str, config: &str, line: u32, why: &str) -> CheckReport {
        let target = CheckedTarget {
            name: "configuration".to_owned(),
            file: config.to_owned(),
            config_line: line,
            cost_model: String::new(),
            seconds: 0.0,
            verdict: None,
            class: None,
            formula: None,
            costs: Vec::new(),
            bounds: Vec::new(),
            error: Some(Trouble::BadInput(why.to_owned())),
        };
        let (slowpath, config) = (slowpath.to_owned(), config.to_owned());
        CheckReport { schema: CHECK_SCHEMA, slowpath, config, targets: vec![target], notes: Vec::new() }
    }

    /// Whether any bound fails.
    pub fn fails(&self) -> bool {
        self.bounds().any(|(_, bound)| bound.fails())
    }

    /// Every bound with its target.
    pub fn bounds(&self) -> impl Iterator<Item = (&CheckedTarget, &CheckedBound)> {
        self.targets.iter().flat_map(|target| target.bounds.iter().map(move |bound| (target, bound)))
    }

    /// For a terminal.
    pub fn human(&self, style: Style) -> String {
        let mut out = String::new();
        for target in &self.targets {
            out += &target.human(style);
        }
        for note in &self.notes {
            out += &format!("note: {note}\n");
        }
        out + &self.sum()
    }

    /// How many bounds were judged how, in a line.
    pub(crate) fn sum(&self) -> String {
        let count = |wanted: Judgement| self.bounds().filter(|(_, bound)| bound.judgement == wanted).count();
        let (exceeded, open) = (count(Judgement::Exceeded), count(Judgement::Open));
        let all = plural(self.bounds().count(), "bound", "bounds");
        let mut parts = vec![match exceeded {
            0 => format!("nothing exceeded, of {all}"),
            _ => format!("{exceeded} of {all} exceeded"),
        }];
        if open > 0 {
            let strict = self.bounds().any(|(_, bound)| bound.judgement == Judgement::Open && bound.strict);
            let fails = if strict { ", which fails the check (--lenient lets it pass)" } else { "" };
            parts.push(format!("{open} could not be judged{fails}"));
        }
        let troubled = self.targets.iter().filter(|target| target.error.is_some()).count();
        if troubled > 0 {
            parts.push(format!("{} could not be analysed", plural(troubled, "target", "targets")));
        }
        parts.join("; ") + "\n"
    }
}

fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl CheckedTarget {
    fn human(&self, style: Style) -> String {
        let mut out =
            format!("{} in {} ({}, {})\n", style.bold(&self.name), self.file, self.cost_model, duration(self.seconds));
        if let Some(trouble) = &self.error {
            out += &format!("  {} {}\n", style.red("error"), trouble.message().replace('\n', "\n    "));
        }
        for bound in &self.bounds {
            let word = match (bound.judgement, bound.fails()) {
                (Judgement::Open, true) => style.red("cannot tell"),
                (Judgement::Open, false) => "cannot tell".to_owned(),
                (_, true) => style.red("exceeded"),
                _ => "kept".to_owned(),
            };
            out += &format!("  {word}: {} ({}): {}\n", bound.rule.name(), bound.bound, bound.message);
            if bound.fails() {
                let evidence = bound.evidence.iter().flat_map(Evidence::lines);
                evidence.for_each(|line| out += &format!("    {line}\n"));
            }
        }
        out
    }
}
