//! Making the sequence of a size: exact, and never longer than allowed.

use super::Shape;
use crate::parameter::Parameter;

/// What starts, counts and bodies may have even where the sequence itself is to be short.
const ROOM: usize = 64;

impl Shape {
    /// The sequence at size n. `None`: longer than `max_len`, or something does not fit or does not go together.
    pub(crate) fn make(&self, n: u64, max_len: usize) -> Option<Vec<i128>> {
        let mut out = Out { values: Vec::new(), max_len };
        // Runs may be empty, so a short sequence may have more starts than elements.
        let inner = max_len.max(ROOM);
        match self {
            Shape::One(value) => out.push(value.value(n)?)?,
            Shape::Incre { start, last, stride } => {
                let stride = stride.value(n)?;
                for (start, last) in paired(start.make(n, inner)?, last.make(n, inner)?)? {
                    out.range(start, last, stride)?;
                }
            }
            Shape::Const { value, count } => {
                for (value, count) in paired(value.make(n, inner)?, count.make(n, inner)?)? {
                    let room = max_len - out.values.len();
                    let count = usize::try_from(count.max(0)).ok().filter(|count| *count <= room)?;
                    out.values.resize(out.values.len() + count, value);
                }
            }
            Shape::Geometric { start, ratio, bound } => {
                let (mut value, bound) = (start.value(n)?, bound.value(n)?);
                // From zero or below it would never get past the bound.
                if value <= 0 || *ratio < 2 {
                    return None;
                }
                while value <= bound {
                    out.push(value)?;
                    value = value.checked_mul(i128::from(*ratio))?;
                }
            }
            Shape::Dividing { start, by, least, plus } => {
                let mut value = start.value(n)?;
                if *by < 2 || *least < 0 {
                    return None;
                }
                while value >= i128::from(*least) {
                    out.push(value)?;
                    let next = value.checked_add(i128::from(*plus))? / i128::from(*by);
                    if next >= value {
                        break;
                    }
                    value = next;
                }
            }
            Shape::Passes { start, stride, bound } => {
                let bound = bound.value(n)?;
                for (start, stride) in paired(start.make(n, inner)?, stride.make(n, inner)?)? {
                    out.range(start, bound, stride)?;
                }
            }
            Shape::Cycle(parts) => out.cycle(parts.iter().map(|part| part.make(n, max_len)).collect::<Option<_>>()?)?,
            Shape::Concat(parts) => {
                for part in parts {
                    let room = max_len - out.values.len();
                    out.values.extend(part.make(n, room)?);
                }
            }
            Shape::Repeat { body, times } => out.repeat(&body.make(n, inner)?, times, n)?,
            Shape::Steps { first, steps } => {
                let mut value = first.value(n)?;
                out.push(value)?;
                for step in steps.make(n, max_len)? {
                    value = value.checked_add(step)?;
                    out.push(value)?;
                }
            }
            Shape::Mirror { about, body } => {
                let about = about.value(n)?;
                for value in body.make(n, max_len)? {
                    out.push(about.checked_sub(value)?)?;
                }
            }
            Shape::Recurrent(recurrent) => out.values = recurrent.make(n, max_len)?,
        }
        Some(out.values)
    }
}

/// A start goes with a last and a value with a count: lists of different lengths make no sequence.
fn paired(left: Vec<i128>, right: Vec<i128>) -> Option<impl Iterator<Item = (i128, i128)>> {
    (left.len() == right.len()).then(|| left.into_iter().zip(right))
}

/// A sequence under construction.
struct Out {
    values: Vec<i128>,
    max_len: usize,
}

impl Out {
    fn push(&mut self, value: i128) -> Option<()> {
        (self.values.len() < self.max_len).then(|| self.values.push(value))
    }

    /// From `start` by `stride` for as long as `last` is not passed.
    fn range(&mut self, start: i128, last: i128, stride: i128) -> Option<()> {
        if stride == 0 {
            return None;
        }
        let mut value = start;
        while if stride > 0 { value <= last } else { value >= last } {
            self.push(value)?;
            value = value.checked_add(stride)?;
        }
        Some(())
    }

    /// Parts that do not end in turn leave a gap, and make no sequence.
    fn cycle(&mut self, parts: Vec<Vec<i128>>) -> Option<()> {
        let total: usize = parts.iter().map(Vec::len).sum();
        for at in 0..total {
            self.push(*parts[at % parts.len()].get(at / parts.len())?)?;
        }
        Some(())
    }

    fn repeat(&mut self, body: &[i128], times: &Parameter, n: u64) -> Option<()> {
        let times = usize::try_from(times.value(n)?.max(0)).ok()?;
        if body.len().checked_mul(times)? > self.max_len - self.values.len() {
            return None;
        }
        for _ in 0..if body.is_empty() { 0 } else { times } {
            self.values.extend_from_slice(body);
        }
        Some(())
    }
}
