//! Conditions on an index and a size that the cases of a law depend on.

use crate::parameter::Parameter;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Condition {
    /// n mod by = is
    Size { by: u8, is: u8 },
    /// i mod by = is
    Index { by: u8, is: u8 },
    /// (i - n) mod by = is: residues counted from the end
    FromEnd { by: u8, is: u8 },
    /// i < the position
    Below(Parameter),
    /// i = the position
    At(Parameter),
    /// How row and column lie to each other, or to the border.
    Rows(Relation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Relation {
    Diagonal,
    RightOfDiagonal,
    LeftOfDiagonal,
    NextRight,
    NextLeft,
    Beside,
    FirstRow,
    FirstColumn,
    LastColumn,
    OtherDiagonal,
}

impl Relation {
    pub const ALL: [Relation; 10] = [
        Relation::Diagonal,
        Relation::RightOfDiagonal,
        Relation::LeftOfDiagonal,
        Relation::NextRight,
        Relation::NextLeft,
        Relation::Beside,
        Relation::FirstRow,
        Relation::FirstColumn,
        Relation::LastColumn,
        Relation::OtherDiagonal,
    ];

    pub fn holds(self, row: i64, column: i64, width: i64) -> bool {
        match self {
            Relation::Diagonal => row == column,
            Relation::RightOfDiagonal => row < column,
            Relation::LeftOfDiagonal => row > column,
            Relation::NextRight => column == row + 1,
            Relation::NextLeft => column + 1 == row,
            Relation::Beside => row.abs_diff(column) == 1,
            Relation::FirstRow => row == 0,
            Relation::FirstColumn => column == 0,
            Relation::LastColumn => column + 1 == width,
            Relation::OtherDiagonal => row.checked_add(column).is_some_and(|sum| sum + 1 == width),
        }
    }
}

/// A condition at one size.
pub(super) enum Check {
    Index { by: i64, is: i64 },
    Below(i64),
    At(i64),
    Rows(Relation),
}

impl Check {
    /// What is left to check of the conditions at size n: `Some(None)` if one of them does not hold for any index.
    pub fn all(conditions: &[Condition], n: u64) -> Option<Option<Vec<Check>>> {
        let mut checks = Vec::with_capacity(conditions.len());
        for condition in conditions {
            checks.push(match condition {
                Condition::Size { by, is } => {
                    if n.checked_rem(u64::from(*by))? != u64::from(*is) {
                        return Some(None);
                    }
                    continue;
                }
                Condition::Index { by, is } => Check::Index { by: i64::from(*by), is: i64::from(*is) },
                Condition::FromEnd { by, is } => {
                    let by = i64::from(*by);
                    let size = i64::try_from(n.checked_rem(by as u64)?).ok()?;
                    Check::Index { by, is: (i64::from(*is) + size).checked_rem_euclid(by)? }
                }
                Condition::Below(position) => Check::Below(clamped(position.value(n)?)),
                Condition::At(position) => Check::At(clamped(position.value(n)?)),
                Condition::Rows(relation) => Check::Rows(*relation),
            });
        }
        Some(Some(checks))
    }

    pub fn holds(&self, i: i64, width: i64) -> bool {
        match *self {
            // The divisor comes from a `Condition`, possibly a file: zero holds for none.
            Check::Index { by, is } => i.checked_rem(by) == Some(is),
            Check::Below(position) => i < position,
            Check::At(position) => i == position,
            Check::Rows(relation) => width > 0 && relation.holds(i / width, i % width, width),
        }
    }
}

/// Positions beyond all indices stay beyond them.
fn clamped(position: i128) -> i64 {
    position.clamp(-1, i128::from(i64::MAX)) as i64
}

pub(super) fn weight(conditions: &[Condition]) -> usize {
    let of = |condition: &Condition| match condition {
        Condition::Size { by, .. } | Condition::Index { by, .. } => usize::from(by.saturating_sub(1)),
        Condition::FromEnd { by, .. } => usize::from(*by),
        Condition::Below(position) | Condition::At(position) => position.weight(),
        Condition::Rows(_) => 2,
    };
    conditions.iter().map(of).sum()
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remainder = |f: &mut fmt::Formatter<'_>, of: &str, by: u8, is: u8| match (by, is) {
            (2, 0) => write!(f, "{of} is even"),
            (2, 1) => write!(f, "{of} is odd"),
            _ if of.contains(' ') => write!(f, "({of}) mod {by} = {is}"),
            _ => write!(f, "{of} mod {by} = {is}"),
        };
        match self {
            Condition::Size { by, is } => remainder(f, "n", *by, *is),
            Condition::Index { by, is } => remainder(f, "i", *by, *is),
            Condition::FromEnd { by, is } => remainder(f, if *by == 2 { "i + n" } else { "i - n" }, *by, *is),
            Condition::Below(position) => write!(f, "i < {position}"),
            Condition::At(position) => write!(f, "i = {position}"),
            Condition::Rows(relation) => f.write_str(match relation {
                Relation::Diagonal => "r = c",
                Relation::RightOfDiagonal => "r < c",
                Relation::LeftOfDiagonal => "r > c",
                Relation::NextRight => "c = r + 1",
                Relation::NextLeft => "c = r - 1",
                Relation::Beside => "|r - c| = 1",
                Relation::FirstRow => "r = 0",
                Relation::FirstColumn => "c = 0",
                Relation::LastColumn => "c is last",
                Relation::OtherDiagonal => "r + c + 1 = width",
            }),
        }
    }
}

impl Condition {
    pub fn source(&self, language: Language, width: Option<&Parameter>) -> String {
        let row = width.map_or("n".to_string(), |width| width.source(language));
        let (r, c) = (format!("i / {row}"), format!("i % {row}"));
        match self {
            Condition::Size { by, is } => format!("n % {by} == {is}"),
            Condition::Index { by, is } => format!("i % {by} == {is}"),
            Condition::FromEnd { by: 2, is } => format!("(i + n) % 2 == {is}"),
            // Less n is as good as more by as many, and never negative.
            Condition::FromEnd { by, is } => format!("(i + {} * n) % {by} == {is}", by.saturating_sub(1)),
            Condition::Below(position) => format!("i < {}", position.source(language)),
            Condition::At(position) => format!("i == {}", position.source(language)),
            Condition::Rows(relation) => match relation {
                Relation::Diagonal => format!("{r} == {c}"),
                Relation::RightOfDiagonal => format!("({r}) < ({c})"),
                Relation::LeftOfDiagonal => format!("({r}) > ({c})"),
                Relation::NextRight => format!("{c} == {r} + 1"),
                Relation::NextLeft => format!("{c} + 1 == {r}"),
                Relation::Beside => match language {
                    Language::C => format!("({c} == {r} + 1 || {c} + 1 == {r})"),
                    Language::Rust => format!("({r}).abs_diff({c}) == 1"),
                },
                Relation::FirstRow => format!("{r} == 0"),
                Relation::FirstColumn => format!("{c} == 0"),
                Relation::LastColumn => format!("{c} + 1 == {row}"),
                Relation::OtherDiagonal => format!("{r} + {c} + 1 == {row}"),
            },
        }
    }
}
