//! Prefixes not yet followed, the one to follow first in front. Those of one exploration have most of their decisions in common, so each is kept as what
//! it has in common with the one before and the rest: a path of a thousand decisions leaves a thousand prefixes, in a few kilobytes.

use super::answers::{read_answers, write_answers};
use super::error::WorkError;
use super::wire::{Reader, Writer};
use crate::prefix::Prefix;

/// Prefixes in order.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    bytes: Vec<u8>,
    count: usize,
    last: Prefix,
}

impl PartialEq for Frontier {
    fn eq(&self, other: &Frontier) -> bool {
        self.bytes == other.bytes && self.count == other.count
    }
}

impl Frontier {
    /// The start of every path, and so all of them.
    pub fn root() -> Frontier {
        let mut frontier = Frontier::default();
        frontier.push(Prefix::default());
        frontier
    }

    /// How many prefixes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing is left to follow.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Answers of the last prefix: the fewer, the more is likely to be below it.
    pub(crate) fn depth_of_last(&self) -> usize {
        self.last.answers.len()
    }

    pub(crate) fn push(&mut self, prefix: Prefix) {
        let mut writer = Writer(std::mem::take(&mut self.bytes));
        let before = &self.last.answers;
        let shared = before.iter().zip(&prefix.answers).take_while(|(a, b)| a == b).count();
        writer.length(shared);
        write_answers(&mut writer, shared.checked_sub(1).map(|last| before[last]), &prefix.answers[shared..]);
        write_model(&mut writer, &self.last.model, &prefix.model);
        *self = Frontier { bytes: writer.0, count: self.count + 1, last: prefix };
    }

    /// All prefixes, one at a time.
    pub(crate) fn iter(&self) -> Prefixes<'_> {
        Prefixes { reader: Reader(&self.bytes), left: self.count, now: Prefix::default() }
    }

    /// The last prefix by itself, and all others; none where it is the only one.
    pub(crate) fn split(&self) -> Option<[Frontier; 2]> {
        if self.count < 2 {
            return None;
        }
        let mut rest = Frontier::default();
        for prefix in self.iter().take(self.count - 1) {
            rest.push(prefix);
        }
        let mut last = Frontier::default();
        last.push(self.last.clone());
        Some([last, rest])
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.length(self.count);
        writer.length(self.bytes.len());
        writer.0.extend_from_slice(&self.bytes);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Frontier, WorkError> {
        let count = reader.length()?;
        let length = reader.length()?;
        let bytes = reader.bytes(length)?.to_vec();
        let mut prefixes = Prefixes { reader: Reader(&bytes), left: count, now: Prefix::default() };
        for _ in 0..count {
            prefixes.advance()?;
        }
        prefixes.reader.end()?;
        let last = std::mem::take(&mut prefixes.now);
        Ok(Frontier { bytes, count, last })
    }
}

/// The prefixes of a frontier.
#[derive(Clone)]
pub(crate) struct Prefixes<'f> {
    reader: Reader<'f>,
    left: usize,
    now: Prefix,
}

impl Prefixes<'_> {
    fn advance(&mut self) -> Result<(), WorkError> {
        let shared = usize::try_from(self.reader.number()?).unwrap_or(usize::MAX);
        if shared > self.now.answers.len() {
            return Err(WorkError::Wrong("more in common than there is"));
        }
        self.now.answers.truncate(shared);
        read_answers(&mut self.reader, &mut self.now.answers)?;
        read_model(&mut self.reader, &mut self.now.model)
    }
}

impl Iterator for Prefixes<'_> {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        self.left = self.left.checked_sub(1)?;
        // What comes from elsewhere was read once already, when it came.
        self.advance().ok()?;
        Some(self.now.clone())
    }
}

/// Writes the values that differ from those of the model before.
fn write_model(writer: &mut Writer, before: &[u64], model: &[u64]) {
    let changed: Vec<usize> = (0..model.len()).filter(|i| before.get(*i) != Some(&model[*i])).collect();
    writer.length(model.len());
    writer.length(changed.len());
    let mut next = 0;
    for i in changed {
        writer.length(i - next);
        writer.number(model[i]);
        next = i + 1;
    }
}

/// Makes the model before the one that was written.
fn read_model(reader: &mut Reader<'_>, model: &mut Vec<u64>) -> Result<(), WorkError> {
    let length = usize::try_from(reader.number()?).unwrap_or(usize::MAX);
    let changed = reader.length()?;
    // Whatever is new was written, so that a few bytes cannot stand for much.
    if length > model.len() + changed {
        return Err(WorkError::Short);
    }
    model.resize(length, 0);
    let mut next = 0usize;
    for _ in 0..changed {
        let skipped = usize::try_from(reader.number()?).unwrap_or(usize::MAX);
        let at = next.saturating_add(skipped);
        let value = reader.number()?;
        *model.get_mut(at).ok_or(WorkError::Wrong("a value of no input"))? = value;
        next = at + 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use slowpath_machine::Answer;
    use slowpath_program::SiteId;

    use super::*;
    use crate::node::Decision;

    fn prefix(sides: &[u8], model: &[u64]) -> Prefix {
        let answer = |(i, side): (usize, &u8)| Decision {
            site: SiteId(i as u32 % 3),
            activation: i as u32 / 4,
            answer: match side {
                0 => Answer::Bool(false),
                1 => Answer::Bool(true),
                2 => Answer::Case(700),
                3 => Answer::Value(u64::MAX),
                _ => Answer::Range(3, 1 << 40),
            },
            forced: i % 2 == 0,
        };
        Prefix { answers: sides.iter().enumerate().map(answer).collect(), model: model.to_vec() }
    }

    fn some() -> Vec<Prefix> {
        vec![
            prefix(&[1, 1, 4, 3, 0, 2, 1], &[1, 2, 3]),
            prefix(&[1, 1, 4, 3, 1], &[1, 9, 3, u64::MAX]),
            prefix(&[1, 0], &[]),
            Prefix::default(),
            prefix(&[0], &[7]),
        ]
    }

    fn frontier() -> Frontier {
        let mut frontier = Frontier::default();
        some().into_iter().for_each(|prefix| frontier.push(prefix));
        frontier
    }

    #[test]
    fn prefixes_come_back_in_order_also_from_bytes() {
        assert_eq!(frontier().iter().collect::<Vec<_>>(), some());
        let mut writer = Writer::default();
        frontier().write(&mut writer);
        let mut read = Frontier::read(&mut Reader(&writer.0)).expect("it was written by us");
        assert_eq!(read, frontier());
        read.push(prefix(&[0, 1], &[7]));
        assert_eq!(read.iter().nth(5), Some(prefix(&[0, 1], &[7])));
    }

    #[test]
    fn the_last_prefix_can_be_split_off() {
        let [last, rest] = frontier().split().expect("there are five");
        assert_eq!(last.iter().collect::<Vec<_>>(), some()[4..]);
        assert_eq!(rest.iter().collect::<Vec<_>>(), some()[..4]);
        assert!(last.split().is_none());
    }

    #[test]
    fn prefixes_of_one_path_take_a_few_bytes_each() {
        let spine: Vec<u8> = (0..1000).map(|i| (i % 2) as u8).collect();
        let mut frontier = Frontier::default();
        for depth in (1..1000).rev() {
            let mut sides = spine[..depth].to_vec();
            sides[depth - 1] ^= 1;
            frontier.push(prefix(&sides, &[1, 2, 3]));
        }
        assert!(frontier.bytes.len() < 20 * 1000, "{}", frontier.bytes.len());
    }
}
