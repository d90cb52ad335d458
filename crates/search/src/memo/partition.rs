//! Which values of one input some conditions can tell apart.
//!
//! A future that asks only such conditions about an input does not depend on the values that are left of it, but on the
//! blocks that they are in: each condition holds on a whole block or nowhere on it.

/// The values of an input in blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Where a stretch of values of one block begins, ascending from zero, and its block.
    stretches: Box<[(u64, u32)]>,
}

impl Default for Partition {
    /// All values are alike.
    fn default() -> Partition {
        Partition { stretches: [(0, 0)].into() }
    }
}

impl Partition {
    /// Values within these intervals, which are ascending and apart, and all others.
    pub fn of(values: &[(u64, u64)]) -> Partition {
        let mut stretches = vec![(0, 0)];
        let mut begin = |start, block| {
            if stretches.last().is_some_and(|last| last.0 == start) {
                stretches.pop();
            }
            if stretches.last().is_none_or(|last| last.1 != block) {
                stretches.push((start, block));
            }
        };
        for (low, high) in values {
            begin(*low, 1);
            if let Some(after) = high.checked_add(1) {
                begin(after, 0);
            }
        }
        Partition { stretches: stretches.into() }
    }

    /// The stretches of two partitions, cut where either is: where each begins, and the blocks of both.
    fn both<'a>(&'a self, other: &'a Partition) -> impl Iterator<Item = (u64, u32, u32)> + 'a {
        let (mut mine, mut theirs) = (0, 0);
        let mut start = Some(0);
        std::iter::from_fn(move || {
            let now = start?;
            let found = (now, self.stretches[mine].1, other.stretches[theirs].1);
            let next = |of: &Partition, at: usize| of.stretches.get(at + 1).map(|stretch| stretch.0);
            let (a, b) = (next(self, mine), next(other, theirs));
            start = match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, None) | (None, one) => one,
            };
            mine += usize::from(a.is_some() && a == start);
            theirs += usize::from(b.is_some() && b == start);
            Some(found)
        })
    }

    /// Whether all that the other tells apart is told apart here too.
    pub fn refines(&self, other: &Partition) -> bool {
        let mut theirs: Vec<Option<u32>> = vec![None; self.stretches.len()];
        self.both(other).all(|(_, a, b)| *theirs[a as usize].get_or_insert(b) == b)
    }

    /// Tells apart what either does.
    pub fn join(&self, other: &Partition) -> Partition {
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        let mut stretches: Vec<(u64, u32)> = Vec::new();
        for (start, a, b) in self.both(other) {
            let block = blocks.iter().position(|block| *block == (a, b)).unwrap_or_else(|| {
                blocks.push((a, b));
                blocks.len() - 1
            }) as u32;
            if stretches.last().is_none_or(|last| last.1 != block) {
                stretches.push((start, block));
            }
        }
        Partition { stretches: stretches.into() }
    }

    /// Writes down the blocks that values within these intervals are in, which are ascending: a bit for each.
    pub fn write_blocks(&self, values: impl Iterator<Item = (u64, u64)>, out: &mut Vec<u64>) {
        let begin = out.len();
        for (low, high) in values {
            let first = self.stretches.partition_point(|stretch| stretch.0 <= low) - 1;
            for (_, block) in self.stretches[first..].iter().take_while(|stretch| stretch.0 <= high) {
                let word = begin + *block as usize / 64;
                if out.len() <= word {
                    out.resize(word + 1, 0);
                }
                out[word] |= 1 << (block % 64);
            }
        }
    }

    /// Whether values within these intervals are all in one block.
    pub fn is_one_block(&self, values: &[(u64, u64)]) -> bool {
        let mut blocks = values.iter().flat_map(|(low, high)| {
            let first = self.stretches.partition_point(|stretch| stretch.0 <= *low) - 1;
            self.stretches[first..].iter().take_while(|stretch| stretch.0 <= *high).map(|stretch| stretch.1)
        });
        blocks.next().is_some_and(|first| blocks.all(|block| block == first))
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.stretches)
    }
}

#[cfg(test)]
mod tests {
    use super::Partition;

    fn blocks(partition: &Partition, values: &[(u64, u64)]) -> Vec<u64> {
        let mut out = Vec::new();
        partition.write_blocks(values.iter().copied(), &mut out);
        out
    }

    #[test]
    fn values_that_no_condition_tells_apart_are_one_block() {
        let is_five = Partition::of(&[(5, 5)]);
        assert_eq!(blocks(&is_five, &[(0, 4)]), blocks(&is_five, &[(6, 255)]));
        assert_ne!(blocks(&is_five, &[(0, 4)]), blocks(&is_five, &[(0, 5)]));
        let small = Partition::of(&[(0, 9)]);
        let both = is_five.join(&small);
        assert!(both.refines(&is_five) && both.refines(&small) && !small.refines(&is_five));
        assert_eq!(blocks(&both, &[(0, 4)]), blocks(&both, &[(6, 7)]));
        assert!(both.is_one_block(&[(0, 4), (6, 9)]) && !both.is_one_block(&[(4, 6)]) && !both.is_one_block(&[]));
        assert_ne!(blocks(&both, &[(0, 4)]), blocks(&both, &[(10, 10)]));
    }

    #[test]
    fn blocks_are_those_of_every_single_value() {
        let mut state = 1u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let mut intervals = move || {
            let (mut list, mut at) = (Vec::new(), random(3));
            while at < 32 && random(4) > 0 {
                let high = (at + random(6)).min(31);
                list.push((at, high));
                at = high + 2 + random(5);
            }
            list
        };
        for _ in 0..500 {
            let conditions = [intervals(), intervals(), intervals()];
            let joined = conditions.iter().fold(Partition::default(), |all, values| all.join(&Partition::of(values)));
            let within = |values: &[(u64, u64)], x| values.iter().any(|(low, high)| (*low..=*high).contains(&x));
            let told = |x: u64| conditions.iter().map(|values| within(values, x)).collect::<Vec<_>>();
            for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
                let same = blocks(&joined, &[(x, x)]) == blocks(&joined, &[(y, y)]);
                assert_eq!(same, told(x) == told(y), "{conditions:?} {x} {y}");
            }
        }
    }
}
