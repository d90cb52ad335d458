//! That bytes are valid UTF-8, as conditions on their terms.
//!
//! Each speaks of one byte and of the three before it, so that what is asked about one character leaves the others alone: a byte continues a
//! character if and only if one before it begins one that is long enough.

use slowpath_term::{BinOp, CmpOp, TermId, Terms};

/// First bytes of characters of at least two, three and four bytes. Below lie ASCII, bytes that continue, and two that never occur.
const FIRST: [u64; 3] = [0xc2, 0xe0, 0xf0];
const CONTINUES: u64 = 0x80;
/// After these first bytes, the second lies in a part of its usual range.
const NARROW: [(u64, u64, u64); 4] = [(0xe0, 0xa0, 0xbf), (0xed, 0x80, 0x9f), (0xf0, 0x90, 0xbf), (0xf4, 0x80, 0x8f)];

/// The conditions under which these bytes, none of them greater than 0xf4, are valid.
pub(crate) fn conditions(terms: &mut Terms, bytes: &[TermId]) -> Vec<TermId> {
    let mut all = Vec::new();
    for (i, byte) in bytes.iter().copied().enumerate() {
        let continues = within(terms, byte, CONTINUES, 0xbf);
        let mut expected = terms.constant(1, 0);
        for (distance, first) in (1..).zip(FIRST) {
            if let Some(before) = i.checked_sub(distance).and_then(|at| bytes.get(at)) {
                let begins = at_least(terms, *before, first);
                expected = terms.bin(BinOp::Or, expected, begins);
            }
        }
        all.push(terms.cmp(CmpOp::Eq, continues, expected));
        // Of two bytes that would begin a character of two, every one can be written in one.
        let overlong = within(terms, byte, 0xc0, 0xc1);
        all.push(not(terms, overlong));
        let after = bytes.len() - 1 - i;
        if let Some(first) = FIRST.get(after) {
            let too_long = at_least(terms, byte, *first);
            all.push(not(terms, too_long));
        }
        if let Some(before) = i.checked_sub(1).and_then(|at| bytes.get(at)).copied() {
            for (first, low, high) in NARROW {
                let (first, inside) = (within(terms, before, first, first), within(terms, byte, low, high));
                let other = not(terms, first);
                all.push(terms.bin(BinOp::Or, other, inside));
            }
        }
    }
    all.retain(|condition| terms.as_const(*condition) != Some(1));
    all
}

fn at_least(terms: &mut Terms, byte: TermId, low: u64) -> TermId {
    let low = terms.constant(8, low);
    terms.cmp(CmpOp::Ule, low, byte)
}

fn within(terms: &mut Terms, byte: TermId, low: u64, high: u64) -> TermId {
    let above = at_least(terms, byte, low);
    let high = terms.constant(8, high);
    let below = terms.cmp(CmpOp::Ule, byte, high);
    terms.bin(BinOp::And, above, below)
}

fn not(terms: &mut Terms, condition: TermId) -> TermId {
    let one = terms.constant(1, 1);
    terms.bin(BinOp::Xor, condition, one)
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::utf8::is_valid;
    use slowpath_term::{Evaluator, InputId, Model, TermId, Terms};

    use super::conditions;

    #[test]
    fn the_conditions_hold_for_valid_bytes_and_no_others() {
        let mut terms = Terms::default();
        let bytes: Vec<TermId> = (0..4).map(|i| terms.var(InputId(i), 8)).collect();
        let conditions = conditions(&mut terms, &bytes);
        let mut evaluator = Evaluator::new();
        // Both sides of every border.
        let interesting = [
            0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
            0xf0, 0xf1, 0xf3, 0xf4,
        ];
        for first in interesting {
            for second in interesting {
                for third in interesting {
                    for fourth in interesting {
                        let bytes = vec![first, second, third, fourth];
                        let valid = is_valid(&bytes);
                        let model = Model::from_values(bytes);
                        let hold = conditions.iter().all(|condition| evaluator.eval(&terms, &model, *condition) == 1);
                        assert_eq!(hold, valid, "{model:?}");
                    }
                }
            }
        }
    }
}
