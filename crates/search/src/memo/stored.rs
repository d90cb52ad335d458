//! A future in few bytes, for as long as nobody asks for it.

use std::rc::Rc;

use num_bigint::BigUint;

use super::future::{Cut, Future, Traps};
use super::pack::{pack, unpack};
use crate::tally::TRAP_EXAMPLES;

/// A future, packed.
pub struct Stored {
    bytes: Box<[u8]>,
    traps: Option<Rc<Traps>>,
    cut: Option<Box<Cut>>,
}

impl Stored {
    /// Packs a future.
    pub fn of(future: &Future) -> Stored {
        let way = future.worst.map_or(0, |at| u64::from(at) + 1);
        let paths = future.paths.to_bytes_le();
        let mut bytes = Vec::with_capacity(2 * paths.len() + 24);
        pack(&[future.cost, future.instructions, future.begins.into(), way, paths.len() as u64], &mut bytes);
        bytes.extend(paths);
        bytes.extend(future.worst_paths.to_bytes_le());
        Stored { bytes: bytes.into(), traps: future.traps.clone(), cut: future.cut.clone() }
    }

    /// The future again.
    pub fn future(&self) -> Future {
        let (mut numbers, mut rest) = ([0; 5], &*self.bytes);
        for number in &mut numbers {
            let (first, after) = unpack(rest);
            (*number, rest) = (first, after);
        }
        let [cost, instructions, begins, way, paths] = numbers;
        let (paths, worst_paths) = rest.split_at((paths as usize).min(rest.len()));
        Future {
            cost,
            instructions,
            begins: begins != 0,
            paths: BigUint::from_bytes_le(paths),
            worst_paths: BigUint::from_bytes_le(worst_paths),
            worst: way.checked_sub(1).map(|at| at as u32),
            traps: self.traps.clone(),
            cut: self.cut.clone(),
        }
    }

    /// Bytes it takes beside its own, about.
    pub fn bytes(&self) -> usize {
        let traps = self.traps.as_ref().map_or(0, |traps| traps.len() * (96 + TRAP_EXAMPLES * 8));
        let cut = self.cut.as_ref().map_or(0, |cut| size_of::<Cut>() + cut.paths.bits() as usize / 8);
        self.bytes.len() + traps + cut
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::{Cut, Future, Stored};

    #[test]
    fn a_future_that_was_packed_is_what_it_was() {
        for (paths, worst, way) in [(0u32, 0u32, None), (1, 1, Some(0)), (300, 2, Some(u32::MAX - 1))] {
            let future = Future {
                cost: 1 << 40,
                instructions: u64::MAX,
                begins: way.is_some(),
                paths: BigUint::from(paths).pow(9),
                worst_paths: BigUint::from(worst).pow(70),
                worst: way,
                traps: None,
                cut: way.map(|_| Box::new(Cut { paths: 5u32.into(), cost: 9, worst: way })),
            };
            assert_eq!(format!("{:?}", Stored::of(&future).future()), format!("{future:?}"));
        }
    }
}
