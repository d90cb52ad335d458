//! Refutations that are remembered: a few sums and bounds that no values satisfy together.
//!
//! A search that goes through all paths refutes the same few conditions again and again, among others each time. Whatever has all of a core is refuted by
//! it, without a tableau. A row is `sum + constant <= 0`; sums have numbers, so that a core asks for no more than a look at each of its sums.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::form::Variable;

/// Cores and sums that are kept at once.
const MOST_CORES: usize = 1 << 16;
const MOST_SUMS: usize = 1 << 17;
/// Rows of a core: larger ones seldom come again.
const MOST_ROWS: usize = 24;
/// Cores of one sum that are looked at, newest first.
const MOST_LOOKS: usize = 1 << 10;

/// Where a variable cannot go beyond a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) variable: Variable,
    pub(crate) upper: bool,
    pub(crate) value: i128,
}

/// Rows and bounds that contradict each other. A row is the number of its sum and its constant.
#[derive(Clone, Debug)]
struct Core {
    rows: SmallVec<[(u32, i128); 4]>,
    bounds: SmallVec<[Bound; 2]>,
}

/// The constant of a sum of which nothing is known: no row has one as small.
const NOTHING: i128 = i128::MIN;

/// Cores, and what is known of the sums that they are made of.
#[derive(Default)]
pub(crate) struct Cores {
    numbers: FxHashMap<Box<[(Variable, i64)]>, u32>,
    /// By sum: the greatest constant of a row that holds.
    held: Vec<i128>,
    /// By sum: the cores that it is in.
    of_sum: Vec<Vec<u32>>,
    cores: Vec<Core>,
}

impl Cores {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.cores.is_empty()
    }

    /// Whether there are as many as are kept: then it is time to begin anew.
    pub(crate) fn is_full(&self) -> bool {
        self.cores.len() >= MOST_CORES || self.held.len() >= MOST_SUMS
    }

    /// The number of a sum.
    pub(crate) fn number(&mut self, parts: &[(Variable, i64)]) -> u32 {
        if let Some(&number) = self.numbers.get(parts) {
            return number;
        }
        let number = self.held.len() as u32;
        self.numbers.insert(parts.into(), number);
        self.held.push(NOTHING);
        self.of_sum.push(Vec::new());
        number
    }

    /// `sum + constant <= 0` holds from now on. What to give to `release`, if that is news.
    pub(crate) fn hold(&mut self, sum: u32, constant: i128) -> Option<i128> {
        let held = &mut self.held[sum as usize];
        (constant > *held).then(|| std::mem::replace(held, constant))
    }

    /// Takes back the newest `hold` of a sum.
    pub(crate) fn release(&mut self, sum: u32, before: i128) {
        self.held[sum as usize] = before;
    }

    /// Whether what holds, and the bounds given, contradict each other by a core that the sum is in.
    pub(crate) fn refute(&self, sum: u32, bounds: impl Fn(Variable) -> (i128, i128)) -> bool {
        let applies = |core: &Core| {
            core.rows.iter().all(|&(sum, constant)| self.held[sum as usize] >= constant)
                && core.bounds.iter().all(|bound| {
                    let (lo, hi) = bounds(bound.variable);
                    if bound.upper { hi <= bound.value } else { lo >= bound.value }
                })
        };
        self.of_sum[sum as usize].iter().rev().take(MOST_LOOKS).any(|&core| applies(&self.cores[core as usize]))
    }

    /// Remembers rows and bounds that contradict each other.
    pub(crate) fn learn(
        &mut self,
        rows: impl IntoIterator<Item = (u32, i128)>,
        bounds: impl IntoIterator<Item = Bound>,
    ) {
        let core = Core { rows: rows.into_iter().collect(), bounds: bounds.into_iter().collect() };
        if core.rows.len() > MOST_ROWS {
            return;
        }
        for &(sum, _) in &core.rows {
            let cores = &mut self.of_sum[sum as usize];
            if cores.last() != Some(&(self.cores.len() as u32)) {
                cores.push(self.cores.len() as u32);
            }
        }
        self.cores.push(core);
    }
}

#[cfg(test)]
mod tests {
    use slowpath_term::InputId;

    use super::*;

    #[test]
    fn a_core_refutes_what_has_all_of_it_and_nothing_else() {
        let variable = |input| Variable { input: InputId(input), width: 32, signed: true };
        let (x, y) = (variable(0), variable(1));
        let mut cores = Cores::default();
        // x - y + 1 <= 0 and y + 5 <= 0, where x is at least -5.
        let (order, alone) = (cores.number(&[(x, 1), (y, -1)]), cores.number(&[(y, 1)]));
        assert_eq!((order, alone), (cores.number(&[(x, 1), (y, -1)]), 1));
        cores.learn([(order, 1), (alone, 5)], [Bound { variable: x, upper: false, value: -5 }]);
        let refuted = |cores: &Cores, lo| [order, alone].map(|sum| cores.refute(sum, |_| (lo, 100)));
        assert_eq!(refuted(&cores, -5), [false; 2], "nothing holds yet");
        assert_eq!(cores.hold(order, 2), Some(NOTHING));
        assert_eq!(cores.hold(order, 1), None, "it is known to be less");
        assert_eq!(refuted(&cores, -5), [false; 2], "one of two rows");
        let before = cores.hold(alone, 4).expect("news");
        assert_eq!(refuted(&cores, -5), [false; 2], "y may be -4");
        let earlier = cores.hold(alone, 5).expect("news");
        assert_eq!((refuted(&cores, -5), refuted(&cores, 0), refuted(&cores, -6)), ([true; 2], [true; 2], [false; 2]));
        cores.release(alone, earlier);
        cores.release(alone, before);
        assert_eq!(refuted(&cores, -5), [false; 2]);
    }
}
