//! A set of values as disjoint intervals, ascending, with a gap between any two.

use slowpath_term::ops::mask;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Intervals {
    list: Vec<(u64, u64)>,
    width: u8,
}

impl Intervals {
    pub(crate) fn empty(width: u8) -> Intervals {
        Intervals { list: Vec::new(), width }
    }

    pub(crate) fn full(width: u8) -> Intervals {
        Intervals { list: vec![(0, mask(width))], width }
    }

    pub(crate) fn single(width: u8, v: u64) -> Intervals {
        Intervals { list: vec![(v, v)], width }
    }

    /// From `lo` up to `hi`, around the end if `lo` is greater.
    pub(crate) fn wrapping(width: u8, lo: u64, hi: u64) -> Intervals {
        if lo <= hi {
            Intervals { list: vec![(lo, hi)], width }
        } else {
            Intervals::of(width, vec![(0, hi), (lo, mask(width))])
        }
    }

    /// Any intervals, brought to order.
    pub(crate) fn of(width: u8, mut list: Vec<(u64, u64)>) -> Intervals {
        list.sort_unstable();
        let mut out: Vec<(u64, u64)> = Vec::with_capacity(list.len());
        for (lo, hi) in list {
            match out.last_mut() {
                Some(last) if last.1 == u64::MAX || lo <= last.1 + 1 => last.1 = last.1.max(hi),
                _ => out.push((lo, hi)),
            }
        }
        Intervals { list: out, width }
    }

    pub(crate) fn list(&self) -> &[(u64, u64)] {
        &self.list
    }

    pub(crate) fn width(&self) -> u8 {
        self.width
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn contains(&self, v: u64) -> bool {
        let after = self.list.partition_point(|&(lo, _)| lo <= v);
        after > 0 && v <= self.list[after - 1].1
    }

    pub(crate) fn intersect(&self, other: &Intervals) -> Intervals {
        let (mut out, mut i, mut j) = (Vec::new(), 0, 0);
        while let (Some(&(alo, ahi)), Some(&(blo, bhi))) = (self.list.get(i), other.list.get(j)) {
            let (lo, hi) = (alo.max(blo), ahi.min(bhi));
            if lo <= hi {
                out.push((lo, hi));
            }
            if ahi <= bhi { i += 1 } else { j += 1 }
        }
        Intervals { list: out, width: self.width }
    }

    pub(crate) fn union(&self, other: &Intervals) -> Intervals {
        Intervals::of(self.width, self.list.iter().chain(&other.list).copied().collect())
    }

    pub(crate) fn complement(&self) -> Intervals {
        let (mut out, mut next) = (Vec::with_capacity(self.list.len() + 1), Some(0));
        for &(lo, hi) in &self.list {
            if let Some(from) = next.filter(|&from| from < lo) {
                out.push((from, lo - 1));
            }
            next = (hi < mask(self.width)).then(|| hi + 1);
        }
        if let Some(from) = next {
            out.push((from, mask(self.width)));
        }
        Intervals { list: out, width: self.width }
    }

    /// Every member plus `c`, modulo the width.
    pub(crate) fn plus(&self, c: u64) -> Intervals {
        let all = mask(self.width);
        if self.list == [(0, all)] {
            return self.clone();
        }
        let mut list = Vec::with_capacity(self.list.len() + 1);
        for &(lo, hi) in &self.list {
            let (lo, hi) = (lo.wrapping_add(c) & all, hi.wrapping_add(c) & all);
            if lo <= hi {
                list.push((lo, hi));
            } else {
                list.push((0, hi));
                list.push((lo, all));
            }
        }
        Intervals::of(self.width, list)
    }

    /// The member with the least distance to `v`.
    pub(crate) fn nearest(&self, v: u64) -> Option<u64> {
        let after = self.list.partition_point(|&(lo, _)| lo <= v);
        let below = after.checked_sub(1).map(|i| v.min(self.list[i].1));
        let above = self.list.get(after).map(|&(lo, _)| lo);
        match (below, above) {
            (Some(b), Some(a)) => Some(if v - b <= a - v { b } else { a }),
            (b, a) => b.or(a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_three_bits_behave_as_sets() {
        let all: Vec<Intervals> = (0..256u64)
            .map(|bits| Intervals::of(3, (0..8).filter(|v| bits >> v & 1 == 1).map(|v| (v, v)).collect()))
            .collect();
        for (a, x) in all.iter().enumerate() {
            assert_eq!(x.complement(), all[!a & 255]);
            for v in 0..8 {
                assert_eq!(x.contains(v), a >> v & 1 == 1);
                let moved = x.plus(v);
                assert!((0..8).all(|m| x.contains(m) == moved.contains((m + v) & 7)));
                let best = (0..8).filter(|&m| x.contains(m)).map(|m| m.abs_diff(v)).min();
                assert_eq!(x.nearest(v).map(|m| m.abs_diff(v)), best);
            }
            for (b, y) in all.iter().enumerate() {
                assert_eq!(x.intersect(y), all[a & b]);
                assert_eq!(x.union(y), all[a | b]);
            }
        }
    }
}
