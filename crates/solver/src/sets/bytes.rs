//! A set of values of up to 8 bits: one bit for each.

/// Members are bits of four words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSet {
    words: [u64; 4],
    width: u8,
}

impl ByteSet {
    pub(crate) fn empty(width: u8) -> ByteSet {
        ByteSet { words: [0; 4], width }
    }

    pub(crate) fn width(&self) -> u8 {
        self.width
    }

    pub(crate) fn insert(&mut self, v: u64) {
        self.words[(v >> 6 & 3) as usize] |= 1 << (v & 63);
    }

    pub(crate) fn contains(&self, v: u64) -> bool {
        v < 256 && self.words[(v >> 6) as usize] >> (v & 63) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words == [0; 4]
    }

    pub(crate) fn intersect(&self, other: &ByteSet) -> ByteSet {
        ByteSet { words: std::array::from_fn(|i| self.words[i] & other.words[i]), width: self.width }
    }

    /// Members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..4u64).flat_map(move |i| {
            let mut word = self.words[i as usize];
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| u64::from(word.trailing_zeros()))?;
                word &= word - 1;
                Some(i << 6 | bit)
            })
        })
    }

    /// The least member; 0 if empty.
    pub(crate) fn first(&self) -> u64 {
        self.iter().next().unwrap_or(0)
    }

    /// The greatest member; 0 if empty.
    pub(crate) fn last(&self) -> u64 {
        (0..4u64)
            .rev()
            .find(|&i| self.words[i as usize] != 0)
            .map_or(0, |i| i << 6 | (63 - u64::from(self.words[i as usize].leading_zeros())))
    }

    /// The member with the least distance to `v`.
    pub(crate) fn nearest(&self, v: u64) -> Option<u64> {
        self.iter().min_by_key(|m| m.abs_diff(v))
    }

    /// Runs of consecutive members, ascending.
    pub(crate) fn runs(&self) -> Vec<(u64, u64)> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for v in self.iter() {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == v => run.1 = v,
                _ => runs.push((v, v)),
            }
        }
        runs
    }
}
