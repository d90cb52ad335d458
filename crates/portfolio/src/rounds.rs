//! Many functions and one budget: who is looked at next in a scan, and for how long.
//!
//! Each round takes half of what is left and shares it among the functions that are still of interest, those that grow fastest first; a look is at least
//! twice as long as the one before, so that all earlier ones together take no longer than the last. A round that cannot give that to all serves
//! the first of them.

use std::collections::VecDeque;
use std::time::Duration;

/// How much more there is to learn of a function; what is worth most comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interest {
    /// Nothing: its growth is exact, or it does not depend on the size.
    None,
    /// No faster than n by all that is known, but that is not proven.
    Slow,
    /// Nothing sure is known yet.
    Unsure,
    /// At some sizes costs rise faster than n, which no law says yet.
    Rising,
    /// Faster than n.
    Fast,
}

/// A budget on its way to functions.
pub struct Rounds {
    left: Duration,
    /// All functions, by number.
    count: usize,
    /// The length of a look in this round; zero before the first.
    look: Duration,
    /// Who is still to be looked at in this round.
    waiting: VecDeque<usize>,
    /// Rounds that were begun.
    round: usize,
    /// What looks used beyond what they were given, all of them together; how many there were; and what the last one was given.
    beyond: Duration,
    looks: u32,
    given: Duration,
}

/// The least part of its time that a look has for itself, however much longer than given looks take.
const LEAST: u32 = 8;

/// The part of what is left that one round takes.
const ROUND: u32 = 2;
/// How much longer a look is than the one before, at least.
const LONGER: u32 = 2;
/// The shortest look: less than this is not worth compiling for, and the budget counts as used up.
const SHORTEST: Duration = Duration::from_millis(10);

impl Rounds {
    pub fn new(budget: Duration, functions: usize) -> Rounds {
        let (zero, waiting) = (Duration::ZERO, VecDeque::new());
        Rounds { left: budget, count: functions, look: zero, waiting, round: 0, beyond: zero, looks: 0, given: zero }
    }

    /// Takes what a look used from what is left.
    pub fn spent(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
        self.beyond += time.saturating_sub(self.given);
    }

    /// How much longer than given a look takes, by those so far: what is found has to be verified and written down, however short the look was.
    fn overrun(&self) -> Duration {
        self.beyond / self.looks.max(1)
    }

    /// Who comes after that in this round, and how long a look at each is, where those before it use no more than they are given: for whoever does several at a time.
    pub fn ahead(&self) -> impl Iterator<Item = (usize, Duration)> {
        self.waiting.iter().map(|number| (*number, self.look))
    }

    /// The next function by its number, and how long to look at it; None at the end.
    pub fn next(&mut self, interest: impl Fn(usize) -> Interest) -> Option<(usize, Duration)> {
        if self.left < SHORTEST {
            return None;
        }
        if self.waiting.is_empty() {
            let mut order: Vec<usize> = (0..self.count).filter(|number| interest(*number) > Interest::None).collect();
            order.sort_by_key(|number| std::cmp::Reverse(interest(*number)));
            let share = self.left / ROUND / u32::try_from(order.len().max(1)).unwrap_or(u32::MAX);
            self.look = share.max(self.look * LONGER).max(SHORTEST);
            self.waiting = order.into();
            self.round += 1;
        }
        let number = self.waiting.pop_front()?;
        // What is left is shared by those that had no look yet, each with what it will take longer than given.
        let others = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        let most = if self.round == 1 { self.left / others.saturating_add(1) } else { self.left };
        let look = self.look.min(most.saturating_sub(self.overrun()).max(most / LEAST));
        (self.given, self.looks) = (look, self.looks + 1);
        Some((number, look))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Interest, Rounds};

    /// The looks of a scan in which every look uses all it is given.
    fn looks(budget: u64, interests: &[Interest]) -> Vec<(usize, u64)> {
        let mut rounds = Rounds::new(Duration::from_secs(budget), interests.len());
        let mut looks = Vec::new();
        while let Some((number, slice)) = rounds.next(|number| interests[number]) {
            rounds.spent(slice);
            looks.push((number, slice.as_secs()));
        }
        looks
    }

    #[test]
    fn all_are_looked_at_once_before_any_is_looked_at_again() {
        let all = looks(80, &[Interest::Slow, Interest::Fast, Interest::Unsure, Interest::Slow]);
        let order: Vec<usize> = all.iter().map(|(number, _)| *number).collect();
        assert_eq!(order[..4], [1, 2, 0, 3]);
        assert_eq!(all.iter().map(|(_, seconds)| seconds).sum::<u64>(), 80);
    }

    #[test]
    fn later_looks_are_longer_and_go_to_what_grows() {
        let all = looks(80, &[Interest::Slow, Interest::Fast, Interest::Unsure, Interest::Slow]);
        assert_eq!(all, [(1, 10), (2, 10), (0, 10), (3, 10), (1, 20), (2, 20)]);
    }

    #[test]
    fn looks_that_take_longer_leave_time_for_the_others() {
        let mut rounds = Rounds::new(Duration::from_secs(80), 4);
        let mut looks = Vec::new();
        while let Some((number, slice)) = rounds.next(|_| Interest::Unsure) {
            rounds.spent(slice * 5 / 2);
            looks.push(number);
        }
        assert_eq!(looks[..4], [0, 1, 2, 3]);
    }

    #[test]
    fn no_function_starves_where_looks_take_three_times_as_long() {
        let mut rounds = Rounds::new(Duration::from_secs(80), 40);
        let (mut looks, mut used) = (Vec::new(), Duration::ZERO);
        while let Some((number, slice)) = rounds.next(|_| Interest::Unsure) {
            // Some of it is the same however short the look is.
            let taken = slice * 3 + Duration::from_millis(200);
            rounds.spent(taken);
            used += taken;
            looks.push(number);
        }
        assert!((0..40).all(|number| looks.contains(&number)), "{looks:?}");
        assert!(used <= Duration::from_secs(90), "{used:?}");
    }

    #[test]
    fn what_is_settled_takes_no_time() {
        assert!(looks(80, &[Interest::None, Interest::Unsure]).iter().all(|(number, _)| *number == 1));
        assert!(looks(80, &[Interest::None]).is_empty() && looks(80, &[]).is_empty());
    }
}
