//! Answers as bytes: two or three each.

use slowpath_machine::Answer;
use slowpath_program::SiteId;

use super::error::WorkError;
use super::wire::{Reader, Writer};
use crate::node::Decision;

/// What the low bits of an answer's first byte say.
const FALSE: u8 = 0;
const TRUE: u8 = 1;
const CASE: u8 = 2;
const VALUE: u8 = 3;
const RANGE: u8 = 4;
const KIND: u8 = 7;
const FORCED: u8 = 8;
/// The activation is that of the answer before.
const SAME_ACTIVATION: u8 = 16;

/// Writes answers that come after another.
pub(super) fn write_answers(writer: &mut Writer, before: Option<Decision>, answers: &[Decision]) {
    writer.length(answers.len());
    let mut activation = before.map_or(0, |before| before.activation);
    for answered in answers {
        let (kind, numbers): (u8, [Option<u64>; 2]) = match answered.answer {
            Answer::Bool(false) => (FALSE, [None; 2]),
            Answer::Bool(true) => (TRUE, [None; 2]),
            Answer::Case(case) => (CASE, [Some(u64::from(case)), None]),
            Answer::Value(value) => (VALUE, [Some(value), None]),
            Answer::Range(low, high) => (RANGE, [Some(low), Some(high)]),
        };
        let forced = if answered.forced { FORCED } else { 0 };
        let same = if answered.activation == activation { SAME_ACTIVATION } else { 0 };
        writer.byte(kind | forced | same);
        writer.number(u64::from(answered.site.0));
        if same == 0 {
            writer.number(u64::from(answered.activation));
            activation = answered.activation;
        }
        numbers.into_iter().flatten().for_each(|number| writer.number(number));
    }
}

/// Reads answers that come after those that are there.
pub(super) fn read_answers(reader: &mut Reader<'_>, answers: &mut Vec<Decision>) -> Result<(), WorkError> {
    let count = reader.length()?;
    let mut activation = answers.last().map_or(0, |before| before.activation);
    for _ in 0..count {
        let head = reader.byte()?;
        if head & !(KIND | FORCED | SAME_ACTIVATION) != 0 {
            return Err(WorkError::Wrong("an answer of an unknown kind"));
        }
        let site = SiteId(reader.small()?);
        if head & SAME_ACTIVATION == 0 {
            activation = reader.small()?;
        }
        let answer = match head & KIND {
            FALSE => Answer::Bool(false),
            TRUE => Answer::Bool(true),
            CASE => Answer::Case(reader.small()?),
            VALUE => Answer::Value(reader.number()?),
            RANGE => Answer::Range(reader.number()?, reader.number()?),
            _ => return Err(WorkError::Wrong("an answer of an unknown kind")),
        };
        answers.push(Decision { site, activation, answer, forced: head & FORCED != 0 });
    }
    Ok(())
}

pub(super) fn write_decisions(writer: &mut Writer, decisions: &[Decision]) {
    write_answers(writer, None, decisions);
}

pub(super) fn read_decisions(reader: &mut Reader<'_>) -> Result<Vec<Decision>, WorkError> {
    let mut decisions = Vec::new();
    read_answers(reader, &mut decisions)?;
    Ok(decisions)
}
