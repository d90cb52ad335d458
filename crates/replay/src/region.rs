//! What counts: everything, or only what runs between `slowpath_begin` and `slowpath_end`.
//!
//! The engine charges a call before the host sees it. So the `call` of `slowpath_begin` lies outside the region, and the
//! `call` of `slowpath_end` inside: `call begin; i32.const 1; drop; call end` counts 2. A region never ended lasts until the run ends.
//!
//! Until the first begin everything counts, and an end is ignored. The first begin forgets what was counted so far.
//! After that, a begin inside a region and an end outside one are ignored.

/// The state of counting. All arguments are the fuel used since the call of the entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    /// Whether the program ever called `slowpath_begin`.
    seen: bool,
    /// Where the region we are in began.
    began: Option<u64>,
    /// Sum of the regions that have ended.
    counted: u64,
}

impl Region {
    /// Whether what happens now counts.
    pub(crate) fn is_counting(&self) -> bool {
        !self.seen || self.began.is_some()
    }

    /// Returns whether this is the first begin, at which all other counters start again from 0.
    pub(crate) fn begin(&mut self, used: u64) -> bool {
        self.began.get_or_insert(used);
        !std::mem::replace(&mut self.seen, true)
    }

    pub(crate) fn end(&mut self, used: u64) {
        if let Some(began) = self.began.take() {
            self.counted += used.saturating_sub(began);
        }
    }

    /// What counted, at the end of the run.
    pub(crate) fn total(&self, used: u64) -> u64 {
        if !self.seen {
            return used;
        }
        self.counted + self.began.map_or(0, |began| used.saturating_sub(began))
    }
}

#[cfg(test)]
mod tests {
    use super::Region;

    #[test]
    fn without_a_region_everything_counts() {
        let mut region = Region::default();
        region.end(5);
        assert!(region.is_counting());
        assert_eq!(region.total(9), 9);
    }

    #[test]
    fn only_regions_count_and_unbalanced_calls_are_ignored() {
        let mut region = Region::default();
        assert!(region.begin(10));
        assert!(!region.begin(12));
        region.end(15);
        assert!(!region.is_counting());
        region.end(20);
        assert_eq!(region.total(100), 5);
        assert!(!region.begin(100));
        assert_eq!(region.total(103), 8);
    }
}
