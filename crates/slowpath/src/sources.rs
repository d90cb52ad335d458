//! What the source says at a branch: the line, the condition in it, and what the sides of the compiled branch mean there.

use std::cell::OnceCell;
use std::collections::HashMap;

use slowpath_program::branch_conditions::{BranchCondition, Relation, branch_conditions};
use slowpath_program::condition::condition;
use slowpath_program::{SiteId, SiteKind};

use crate::subject::Subject;

/// What the sides of a branch are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sides {
    /// The condition quoted from the source is true on this side.
    Condition { holds_on: u32 },
    /// The value tested is not zero on this side.
    Value { nonzero_on: u32 },
    /// The value tested is this number on this side: a flag, a case of a `switch`.
    Number { number: i64, on: u32 },
    /// The branch as compiled: nothing is known of the source's.
    Compiled,
    /// Not a branch on a condition: traps, cases.
    Other,
}

impl Sides {
    pub(crate) fn name(self, side: u32) -> String {
        let words = match self {
            Sides::Condition { holds_on } if side == holds_on => "true",
            Sides::Condition { .. } => "false",
            Sides::Value { nonzero_on } if side == nonzero_on => "nonzero",
            Sides::Value { .. } => "zero",
            Sides::Number { number, on } => return of_number(number, side == on),
            Sides::Compiled if side == 0 => "not taken",
            Sides::Compiled => "taken",
            Sides::Other => return if side < 2 { (side == 1).to_string() } else { format!("case {side}") },
        };
        words.to_owned()
    }
}

/// `123 ('{')`, or `not 1`.
fn of_number(number: i64, is: bool) -> String {
    let not = if is { "" } else { "not " };
    match u8::try_from(number) {
        Ok(byte @ b'!'..=b'~') => format!("{not}{number} ('{}')", char::from(byte)),
        _ => format!("{not}{number}"),
    }
}

/// The user's source, to quote from.
pub(crate) struct Sources {
    name: String,
    lines: Vec<String>,
    /// Made when first needed: of a large module that takes a while, and somebody may be waiting for the end.
    conditions: OnceCell<HashMap<u32, BranchCondition>>,
}

impl Sources {
    pub(crate) fn read(subject: &Subject) -> Sources {
        let text = std::fs::read_to_string(&subject.file).unwrap_or_default();
        let name = subject.file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let lines = text.lines().map(str::to_owned).collect();
        Sources { name, lines, conditions: OnceCell::new() }
    }

    /// `isort.c:6 'a[j] > x'`, or with the whole line where no condition can be told, and what its sides are called.
    pub(crate) fn place(&self, subject: &Subject, site: SiteId) -> (String, Sides) {
        let program = &subject.program;
        let Some(found) = program.sites.get(site.index()) else { return (program.site_place(site), Sides::Other) };
        let sides = match found.kind {
            SiteKind::BrIf | SiteKind::If | SiteKind::Select | SiteKind::Compare => Sides::Compiled,
            _ => Sides::Other,
        };
        let conditions = || self.conditions.get_or_init(|| branch_conditions(&subject.compiled.wasm));
        match (sides == Sides::Compiled).then(|| conditions().get(&found.offset)).flatten() {
            Some(BranchCondition::Comparison { comparison, negated }) => {
                let told = program.source.locate(comparison.offset).and_then(|at| {
                    let told = condition(self.line(&at.file, at.line)?, at.column, comparison)?;
                    Some((format!("{}:{} '{}'", last_component(&at.file), at.line, told.text), told.agrees))
                });
                let sides = match (comparison.relation, comparison.right) {
                    _ if told.is_some() || comparison.float => sides,
                    (Relation::Eq, Some(0)) => Sides::Value { nonzero_on: u32::from(*negated) },
                    (Relation::Ne, Some(0)) => Sides::Value { nonzero_on: u32::from(!*negated) },
                    (Relation::Eq, Some(number)) => Sides::Number { number, on: u32::from(!*negated) },
                    (Relation::Ne, Some(number)) => Sides::Number { number, on: u32::from(*negated) },
                    _ => sides,
                };
                match told {
                    Some((place, agrees)) => (place, Sides::Condition { holds_on: u32::from(agrees != *negated) }),
                    None => (self.whole_line(subject, site), sides),
                }
            }
            Some(BranchCondition::Value { negated }) => {
                (self.whole_line(subject, site), Sides::Value { nonzero_on: u32::from(!negated) })
            }
            None => (self.whole_line(subject, site), sides),
        }
    }

    fn whole_line(&self, subject: &Subject, site: SiteId) -> String {
        match self.locate(subject, site) {
            (place, Some(line)) => format!("{place} '{line}'"),
            (place, None) => place,
        }
    }

    /// `isort.c:6`, and what stands there.
    pub(crate) fn locate(&self, subject: &Subject, site: SiteId) -> (String, Option<String>) {
        let program = &subject.program;
        let Some(location) = program.sites.get(site.index()).and_then(|s| program.source.locate(s.offset)) else {
            return (program.site_place(site), None);
        };
        let line = self.line(&location.file, location.line).map(str::trim);
        let line = line.filter(|text| !text.is_empty()).map(str::to_owned);
        (format!("{}:{}", last_component(&location.file), location.line), line)
    }

    /// What stands on a line of the user's file, counted from 1.
    pub(crate) fn own_line(&self, number: u32) -> Option<String> {
        let text = self.lines.get(number.checked_sub(1)? as usize)?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A line of the user's file, from 1; of other files there is nothing.
    fn line(&self, file: &str, line: u32) -> Option<&str> {
        let line = self.lines.get(line.checked_sub(1)? as usize)?;
        (last_component(file) == self.name).then_some(line)
    }
}

fn last_component(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
