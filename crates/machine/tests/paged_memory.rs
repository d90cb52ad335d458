//! Paged memory does what a plain array of bytes does, whatever mixture of numbers and terms is in it.

use slowpath_machine::{Memory, Mode, PagedMemory, Symbolic, Value};
use slowpath_term::{Evaluator, InputId, Model, Terms};

struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    /// An address near a border of pages, so that cells meet and cross it.
    fn address(&mut self) -> u64 {
        let border = [0, 1024, 2048, 65_536, 262_144, 327_680 - 16][self.below(6) as usize];
        (border + self.below(48)).saturating_sub(16)
    }
}

/// The memory, and what its bytes are under the model.
#[derive(Clone)]
struct Pair {
    memory: PagedMemory,
    bytes: Vec<u8>,
    symbolic: Vec<bool>,
}

fn random_operations(seed: u64) {
    let mut draw = Draw(seed * 2 + 1);
    let mut terms = Terms::new();
    let values: Vec<u64> = (0..40).map(|_| draw.next()).collect();
    let model = Model::from_values(values.clone());
    let mut evaluator = Evaluator::new();
    let pages = 5;
    let size = pages as usize * 65_536;
    let mut now = Pair { memory: Memory::<Value>::new(pages), bytes: vec![0; size], symbolic: vec![false; size] };
    let mut forks = vec![now.clone()];
    for step in 0..400 {
        let at = draw.address();
        let n = [1, 2, 4, 8][draw.below(4) as usize];
        let inside = at + n <= size as u64;
        let range = at as usize..(at + n) as usize;
        match draw.below(9) {
            0 | 1 => {
                let bits = draw.next();
                assert_eq!(now.memory.store(&mut terms, at, n as u8, Symbolic::value(bits)), inside);
                if inside {
                    now.bytes[range.clone()].copy_from_slice(&bits.to_le_bytes()[..n as usize]);
                    now.symbolic[range].fill(false);
                }
            }
            2..=4 => {
                // A term as wide as the cell, or wider.
                let width = [(n * 8) as u8, if n == 8 { 64 } else { 32 }, 64][draw.below(3) as usize];
                let input = draw.below(13) as u32 + [0, 13, 26][(width / 32) as usize];
                let term = terms.var(InputId(input), width);
                let value = Symbolic::from_term(&terms, term);
                assert_eq!(now.memory.store(&mut terms, at, n as u8, value), inside);
                if inside {
                    let bits = values[input as usize];
                    now.bytes[range.clone()].copy_from_slice(&bits.to_le_bytes()[..n as usize]);
                    now.symbolic[range.clone()].fill(true);
                    let back = now.memory.load(&mut terms, at, n as u8).expect("it was stored there");
                    let low = if terms.width(term) == n as u8 * 8 { term } else { terms.extract(term, 0, n as u8 * 8) };
                    assert_eq!(back, Symbolic::from_term(&terms, low), "what was stored comes back as the same term");
                }
            }
            5 => {
                let (to, from, len) = (draw.address(), draw.address(), draw.below(3000));
                let fits = to.max(from) + len <= size as u64;
                assert_eq!(now.memory.copy(to, from, len), fits);
                if fits {
                    let source = from as usize..(from + len) as usize;
                    now.bytes.copy_within(source.clone(), to as usize);
                    now.symbolic.copy_within(source, to as usize);
                }
            }
            6 => {
                let (byte, len) = (draw.next() as u8, draw.below(1500));
                let fits = at + len <= size as u64;
                assert_eq!(now.memory.fill(at, byte, len), fits);
                if fits {
                    now.bytes[at as usize..(at + len) as usize].fill(byte);
                    now.symbolic[at as usize..(at + len) as usize].fill(false);
                }
            }
            7 => {
                let text: Vec<u8> = (0..draw.below(40)).map(|i| i as u8).collect();
                let fits = at + text.len() as u64 <= size as u64;
                assert_eq!(now.memory.write(at, &text), fits);
                if fits {
                    now.bytes[at as usize..at as usize + text.len()].copy_from_slice(&text);
                    now.symbolic[at as usize..at as usize + text.len()].fill(false);
                }
            }
            _ => {
                // Go on with another fork, and keep this one to see that it does not change.
                let other = draw.below(forks.len() as u64) as usize;
                std::mem::swap(&mut now, &mut forks[other]);
                if forks.len() < 6 {
                    forks.push(now.clone());
                }
            }
        }
        let at = draw.address();
        let range = at as usize..((at + n) as usize).min(size);
        match now.memory.load(&mut terms, at, n as u8) {
            None => assert!(at + n > size as u64),
            Some(value) => {
                let term = Symbolic::to_term(&mut terms, 8 * n as u8, value);
                let bits = evaluator.eval(&terms, &model, term);
                let mut expected = [0; 8];
                expected[..n as usize].copy_from_slice(&now.bytes[range.clone()]);
                assert_eq!(bits, u64::from_le_bytes(expected), "seed {seed}, step {step}: {n} bytes at {at:#x}");
                assert!(Symbolic::bits(value).is_some() || now.symbolic[range.clone()].contains(&true));
            }
        }
        let plain = at + n <= size as u64 && !now.symbolic[range.clone()].contains(&true);
        let read = Memory::<Value>::read(&now.memory, at, n);
        assert_eq!(read, plain.then(|| now.bytes[range].to_vec()), "only plain bytes can be read");
    }
}

#[test]
fn memory_agrees_with_an_array_of_bytes_under_random_operations() {
    for seed in 1..=200 {
        random_operations(seed);
    }
}

#[test]
fn a_term_comes_back_from_two_pages_as_itself() {
    let mut terms = Terms::new();
    let mut memory: PagedMemory = Memory::<Value>::new(1);
    let x = terms.var(InputId(0), 64);
    for at in [1017, 1020, 1023] {
        let value = Symbolic::from_term(&terms, x);
        assert!(memory.store(&mut terms, at, 8, value));
        assert_eq!(memory.load(&mut terms, at, 8).expect("inside"), Symbolic::from_term(&terms, x));
        let half = memory.load(&mut terms, at + 2, 4).expect("inside");
        let middle = terms.extract(x, 16, 32);
        assert_eq!(half, Symbolic::from_term(&terms, middle));
    }
}

#[test]
fn overlapping_copies_of_terms_move_them_whole() {
    let mut terms = Terms::new();
    for (to, from) in [(1000, 1003), (1003, 1000), (990, 1000), (1010, 1000)] {
        let mut memory: PagedMemory = Memory::<Value>::new(1);
        let list: Vec<_> = (0..10).map(|i| terms.var(InputId(i), 32)).collect();
        for (i, t) in list.iter().enumerate() {
            let value = Symbolic::from_term(&terms, *t);
            memory.store(&mut terms, from + 4 * i as u64, 4, value);
        }
        assert!(memory.copy(to, from, 40));
        for (i, t) in list.iter().enumerate() {
            assert_eq!(memory.load(&mut terms, to + 4 * i as u64, 4).expect("inside"), Symbolic::from_term(&terms, *t));
        }
    }
}

#[test]
fn without_room_a_store_is_refused_and_what_is_there_already_is_not() {
    let mut terms = Terms::new();
    let mut memory: PagedMemory = Memory::<Value>::new(1);
    let store = |memory: &mut PagedMemory, terms: &mut Terms, addr: u64| {
        memory.store_in_room(terms, addr, 4, Symbolic::value(7))
    };
    Memory::<Value>::set_room(&mut memory, 0);
    assert!(!store(&mut memory, &mut terms, 100));
    assert_eq!(Symbolic::bits(memory.load(&mut terms, 100, 4).unwrap()), Some(0));
    let takes = Memory::<Value>::takes(&memory, 100, 4);
    Memory::<Value>::set_room(&mut memory, takes);
    assert!(store(&mut memory, &mut terms, 100));
    assert!(Memory::<Value>::takes(&memory, 0, 65_536) > 63 << 10, "the other pages");
    assert_eq!(Memory::<Value>::takes(&memory, 65_530, 100), 0, "out of bounds");
    // A fork has the page too.
    let mut fork = memory.clone();
    Memory::<Value>::set_room(&mut fork, 0);
    assert!(!store(&mut fork, &mut terms, 200));
    drop(memory);
    Memory::<Value>::set_room(&mut fork, 8 << 10);
    assert!(store(&mut fork, &mut terms, 200));
}
