//! Recipes: arrays made by inserting one element after the other, at the place and with the rank that a short cycle of moves says.
//!
//! What is bad for a sort, a selection or a tree is often what an adversary would have to add to the bad input of the size before: for a
//! median of three, a greatest element at the front, then one in the middle of the rest, and so on. No pattern repeats in such inputs, but the
//! way they grow does.

use std::collections::BTreeMap;

use slowpath_program::input::InputValues;
use slowpath_search::Rng;

use crate::domain::{Domain, bits_of};
use crate::runner::Ran;

/// Longer arrays are not made: every insertion moves what is behind it.
pub const LONGEST: usize = 10_000;

/// Where an element is put: so many from the front or the back, or beside the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Place {
    Front(usize),
    Back(usize),
    /// At half the length, this much before or, rounded up, behind it.
    Middle,
    BeforeMiddle,
    UpperMiddle,
}

/// How large an element is among those that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Rank {
    Least,
    Greatest,
    Middle,
    UpperMiddle,
    BelowRight,
    AboveRight,
    BelowLeft,
    AboveLeft,
    LikeRight,
    LikeLeft,
}

const PLACES: [Place; 9] = [
    Place::Front(0),
    Place::Front(1),
    Place::Front(2),
    Place::Middle,
    Place::UpperMiddle,
    Place::BeforeMiddle,
    Place::Back(0),
    Place::Back(1),
    Place::Back(2),
];
const RANKS: [Rank; 10] = [
    Rank::Least,
    Rank::Greatest,
    Rank::Middle,
    Rank::UpperMiddle,
    Rank::BelowRight,
    Rank::AboveRight,
    Rank::BelowLeft,
    Rank::AboveLeft,
    Rank::LikeRight,
    Rank::LikeLeft,
];

/// One insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(Place, Rank);

impl Move {
    /// All there are.
    pub fn all() -> impl Iterator<Item = Move> {
        PLACES.iter().flat_map(|place| RANKS.iter().map(|rank| Move(*place, *rank)))
    }

    /// Those that give every element a value of its own.
    pub fn distinct() -> impl Iterator<Item = Move> + Clone {
        let ranks = RANKS.iter().filter(|rank| !matches!(rank, Rank::LikeRight | Rank::LikeLeft));
        PLACES.iter().flat_map(move |place| ranks.clone().map(|rank| Move(*place, *rank)))
    }

    /// Any of them.
    pub fn draw(rng: &mut Rng) -> Move {
        let place = PLACES[rng.below(PLACES.len() as u64) as usize];
        Move(place, RANKS[rng.below(RANKS.len() as u64) as usize])
    }
}

/// An array that is being made: for every element its rank among the values there are.
#[derive(Default)]
struct Ranks {
    ranks: Vec<usize>,
    distinct: usize,
}

impl Ranks {
    fn insert(&mut self, Move(place, rank): Move) {
        let length = self.ranks.len();
        let at = match place {
            Place::Front(k) => k.min(length),
            Place::Back(k) => length.saturating_sub(k),
            Place::Middle => length / 2,
            Place::UpperMiddle => length.div_ceil(2),
            Place::BeforeMiddle => (length / 2).saturating_sub(1),
        };
        let right = self.ranks.get(at).copied();
        let left = at.checked_sub(1).map(|at| self.ranks[at]);
        let like = |neighbour: Option<usize>| neighbour.map(|rank| (rank, false));
        let (new, fresh) = match rank {
            Rank::Least => None,
            Rank::Greatest => Some((self.distinct, true)),
            Rank::Middle => Some((self.distinct / 2, true)),
            Rank::UpperMiddle => Some((self.distinct.div_ceil(2), true)),
            Rank::BelowRight => right.map(|rank| (rank, true)),
            Rank::AboveRight => right.map(|rank| (rank + 1, true)),
            Rank::BelowLeft => left.map(|rank| (rank, true)),
            Rank::AboveLeft => left.map(|rank| (rank + 1, true)),
            Rank::LikeRight => like(right),
            Rank::LikeLeft => like(left),
        }
        .unwrap_or((0, true));
        if fresh {
            self.distinct += 1;
            for rank in self.ranks.iter_mut().filter(|rank| **rank >= new) {
                *rank += 1;
            }
        }
        self.ranks.insert(at, new);
    }
}

/// A cycle of moves for every input that grows with n; None for the others, in the order of the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Recipe(pub Vec<Option<Vec<Move>>>);

impl Recipe {
    /// The input of a domain's size. None where it would be too long.
    pub fn input(&self, domain: &Domain) -> Option<InputValues> {
        let mut input = domain.template.clone();
        for (k, (named, cycle)) in input.0.iter_mut().zip(&self.0).enumerate() {
            let Some(cycle) = cycle else { continue };
            if named.bits.len() > LONGEST {
                return None;
            }
            // The cycle ends with the last element: what was put in last is what a program sees of an input that grew.
            let (count, period) = (named.bits.len(), cycle.len().max(1));
            let mut made = Ranks::default();
            for one in cycle.iter().cycle().skip((period - count % period) % period).take(count) {
                made.insert(*one);
            }
            let (low, high) = domain.range(k);
            let (count, room) = (made.distinct as i128, high - low + 1);
            // From zero on where there is room for that, for a reader's sake.
            let first = if low <= 0 && count <= high + 1 { 0 } else { low };
            let value = |rank: usize| match count <= room {
                true => first + rank as i128,
                false => low + rank as i128 * room / count,
            };
            let ty = named.ty;
            for (bits, rank) in named.bits.iter_mut().zip(made.ranks) {
                *bits = bits_of(ty, value(rank));
            }
        }
        Some(input)
    }

    /// Puts another move at a place of an input's cycle. The one that was there, if there is such a place.
    pub fn exchange(&mut self, input: usize, at: usize, new: Move) -> Option<Move> {
        let place = self.0.get_mut(input)?.as_mut()?.get_mut(at)?;
        Some(std::mem::replace(place, new))
    }

    /// The longest of its cycles.
    pub fn period(&self) -> usize {
        self.0.iter().flatten().map(Vec::len).max().unwrap_or(0)
    }
}

/// A recipe, and what its inputs cost at the sizes they were run at.
#[derive(Clone, Debug)]
pub struct KnownRecipe {
    pub recipe: Recipe,
    pub costs: BTreeMap<i64, Ran>,
}

/// The recipes worth following, the best first.
#[derive(Clone, Debug, Default)]
pub struct Recipes {
    pub known: Vec<KnownRecipe>,
    /// No more are looked for: what time is left is for the report.
    pub is_final: bool,
}

impl Recipes {
    /// Sizes and costs of the recipe that costs most at the largest size that any was run at to the end.
    pub fn family(&self) -> Vec<(i64, u64)> {
        let ended = |one: &KnownRecipe| -> Vec<(i64, u64)> {
            one.costs.iter().filter(|(_, ran)| !ran.at_least).map(|(n, ran)| (*n, ran.cost)).collect()
        };
        self.known.iter().map(ended).max_by_key(|costs| costs.last().copied()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;

    fn made(moves: &[Move], count: usize, range: (i128, i128)) -> Vec<u64> {
        let named = NamedInput { name: "a".into(), ty: ElemType::U8, scalar: false, bits: vec![0; count] };
        let domain = Domain { template: InputValues(vec![named]), ranges: vec![range], declared: true };
        Recipe(vec![Some(moves.to_vec())]).input(&domain).expect("short").0[0].bits.clone()
    }

    #[test]
    fn one_move_makes_what_rises_falls_or_stays() {
        let range = (0, 255);
        assert_eq!(made(&[Move(Place::Back(0), Rank::Greatest)], 4, range), [0, 1, 2, 3]);
        assert_eq!(made(&[Move(Place::Front(0), Rank::Greatest)], 4, range), [3, 2, 1, 0]);
        assert_eq!(made(&[Move(Place::Back(0), Rank::LikeLeft)], 4, range), [0, 0, 0, 0]);
        assert_eq!(made(&[Move(Place::Middle, Rank::Greatest)], 5, range), [1, 3, 4, 2, 0]);
    }

    #[test]
    fn moves_take_turns() {
        let ends = [Move(Place::Front(0), Rank::Greatest), Move(Place::Back(0), Rank::Least)];
        assert_eq!(made(&ends, 5, (0, 255)), [4, 3, 2, 1, 0]);
        let mixed = [Move(Place::Back(0), Rank::Greatest), Move(Place::Front(0), Rank::Greatest)];
        assert_eq!(made(&mixed, 4, (0, 255)), [3, 1, 0, 2]);
        assert_eq!(made(&mixed, 5, (0, 255)), [4, 2, 0, 1, 3]);
    }

    #[test]
    fn values_keep_to_their_range_however_many_there_are() {
        let rising = [Move(Place::Back(0), Rank::Greatest)];
        assert_eq!(made(&rising, 3, (10, 20)), [10, 11, 12]);
        assert_eq!(made(&rising, 6, (7, 9)), [7, 7, 8, 8, 9, 9]);
    }

    #[test]
    fn every_move_can_begin_an_array() {
        assert!(Move::all().all(|one| made(&[one], 7, (0, 255)).len() == 7));
        assert_eq!(Move::all().count(), 90);
    }
}
