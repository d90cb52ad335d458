//! Buckets of hashes of words and of short texts, and collisions of two: found by inversion, compared with Z3.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig};
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Model, TermId, Terms};

fn with(terms: &mut Terms, op: BinOp, h: TermId, c: u64) -> TermId {
    let c = terms.constant(32, c);
    terms.bin(op, h, c)
}

/// `h op (h shift by)`.
fn mixed(terms: &mut Terms, op: BinOp, h: TermId, shift: BinOp, by: u64) -> TermId {
    let shifted = with(terms, shift, h, by);
    terms.bin(op, h, shifted)
}

/// A hash of one word: Fibonacci, the end of Murmur, xorshift, Wang's.
fn of_word(terms: &mut Terms, kind: u64, k: TermId) -> TermId {
    match kind {
        0 => {
            let h = with(terms, BinOp::Mul, k, 2_654_435_769);
            with(terms, BinOp::LShr, h, 16)
        }
        1 => {
            let h = mixed(terms, BinOp::Xor, k, BinOp::LShr, 16);
            let h = with(terms, BinOp::Mul, h, 0x85eb_ca6b);
            let h = mixed(terms, BinOp::Xor, h, BinOp::LShr, 13);
            let h = with(terms, BinOp::Mul, h, 0xc2b2_ae35);
            mixed(terms, BinOp::Xor, h, BinOp::LShr, 16)
        }
        2 => {
            let h = mixed(terms, BinOp::Xor, k, BinOp::Shl, 13);
            let h = mixed(terms, BinOp::Xor, h, BinOp::LShr, 17);
            mixed(terms, BinOp::Xor, h, BinOp::Shl, 5)
        }
        _ => {
            let h = mixed(terms, BinOp::Add, k, BinOp::Shl, 10);
            let h = mixed(terms, BinOp::Xor, h, BinOp::LShr, 6);
            with(terms, BinOp::RotL, h, 7)
        }
    }
}

/// A hash of a text: `h * 31 + c`, djb2, FNV-1a, one at a time.
fn of_text(terms: &mut Terms, kind: u64, text: &[TermId]) -> TermId {
    let mut h = terms.constant(32, [0, 5381, 2_166_136_261, 0][kind as usize % 4]);
    for &c in text {
        let c = terms.conv(ConvOp::ZExt, 32, c);
        h = match kind {
            0 | 1 => {
                let h = with(terms, BinOp::Mul, h, 31 + 2 * kind);
                terms.bin(BinOp::Add, h, c)
            }
            2 => {
                let h = terms.bin(BinOp::Xor, h, c);
                with(terms, BinOp::Mul, h, 16_777_619)
            }
            _ => {
                let h = terms.bin(BinOp::Add, h, c);
                let h = mixed(terms, BinOp::Add, h, BinOp::Shl, 10);
                mixed(terms, BinOp::Xor, h, BinOp::LShr, 6)
            }
        };
    }
    h
}

fn hashes(terms: &mut Terms, kind: u64) -> Vec<TermId> {
    if kind < 4 {
        let keys: Vec<TermId> = (0..6).map(|i| terms.var(InputId(i), 32)).collect();
        return keys.into_iter().map(|k| of_word(terms, kind, k)).collect();
    }
    let letters: Vec<TermId> = (0..24).map(|i| terms.var(InputId(i), 8)).collect();
    letters.chunks(4).map(|text| of_text(terms, kind - 4, text)).collect()
}

#[test]
fn layers_agree_with_z3_on_buckets_of_hashes() {
    common::run(common::rounds(400), 9, |random, terms| {
        let kind = random.below(8);
        let hashes = hashes(terms, kind);
        let table = random.pick(&[8, 13, 16, 31]);
        let buckets: Vec<TermId> = hashes.iter().map(|&h| with(terms, BinOp::URem, h, table)).collect();
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            let a = random.pick(&buckets);
            let b = if random.below(2) == 0 { random.pick(&buckets) } else { terms.constant(32, 1) };
            let t = terms.cmp(CmpOp::Eq, a, b);
            if random.below(4) == 0 { terms.not(t) } else { t }
        })
    });
}

/// Keys of every hash all go into one bucket, one after the other, and nobody asks Z3.
#[test]
fn collisions_are_found_without_z3() {
    for kind in 0..8 {
        let mut terms = Terms::new();
        let hashes = hashes(&mut terms, kind);
        for table in [8, 13, 16, 31, 1024] {
            let mut solver = Solver::new(SolverConfig::default());
            let (mut path, mut model) = (PathCondition::new(), Model::new());
            for &h in &hashes {
                let bucket = with(&mut terms, BinOp::URem, h, table);
                let last = terms.constant(32, table - 1);
                let hit = terms.cmp(CmpOp::Eq, bucket, last);
                let Answer::Sat(found) = solver.check(&mut terms, &path, &model, hit) else {
                    panic!("there is a key of hash {kind} for every bucket of {table}");
                };
                model = found;
                path = path.push(hit);
            }
            assert_eq!(solver.stats().smt_queries, 0, "hash {kind}, table of {table}");
        }
    }
}

/// A chain of steps of few bits, so that Z3 is quick: products with odd numbers, sums, xor, mixing with itself shifted, rotations.
fn narrow_step(random: &mut Random, terms: &mut Terms, width: u8, h: TermId) -> TermId {
    let c = random.constant(width);
    let amount = 1 + random.below(u64::from(width) - 1);
    let (odd, c) = (terms.constant(width, c | 1), terms.constant(width, c));
    let by = terms.constant(width, amount);
    match random.below(8) {
        0 | 1 => terms.bin(BinOp::Mul, h, odd),
        2 => terms.bin(BinOp::Add, h, c),
        3 => terms.bin(BinOp::Xor, h, c),
        4 => {
            let shifted = terms.bin(BinOp::LShr, h, by);
            terms.bin(BinOp::Xor, h, shifted)
        }
        5 => {
            let shifted = terms.bin(BinOp::Shl, h, by);
            let op = random.pick(&[BinOp::Xor, BinOp::Add, BinOp::Sub]);
            terms.bin(op, h, shifted)
        }
        6 => terms.bin(BinOp::RotL, h, by),
        _ => terms.bin(BinOp::Sub, c, h),
    }
}

/// Hashes of 12 to 14 bits, of one word or of three letters, and what is left of them: buckets, high bits, or all of it.
#[test]
fn layers_agree_with_z3_on_narrow_hashes() {
    common::run_with(false, common::rounds(3_000), 12, |random, terms| {
        let width = 12 + random.below(3) as u8;
        let of_letters = random.below(2) == 0;
        let seed = random.next();
        let mut hashes = Vec::new();
        for key in 0..3u32 {
            // All keys go through the same steps.
            let mut same = Random::new(seed);
            let mut h = if of_letters { terms.constant(width, 5) } else { terms.var(InputId(key), width) };
            let letters = if of_letters { 3 } else { 1 };
            for letter in 0..letters {
                if of_letters {
                    let c = terms.var(InputId(3 * key + letter), 4);
                    let c = terms.conv(ConvOp::ZExt, width, c);
                    h = terms.bin(same.pick(&[BinOp::Add, BinOp::Xor]), h, c);
                }
                for _ in 0..=same.below(2) {
                    h = narrow_step(&mut same, terms, width, h);
                }
            }
            hashes.push(h);
        }
        let table: u64 = random.pick(&[2, 5, 8, 13, 16]);
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            let kind = random.below(4);
            let part = |random: &mut Random, terms: &mut Terms| {
                let h = random.pick(&hashes);
                let (mask, by) = (table.next_power_of_two() - 1, u64::from(width) - 4);
                match kind {
                    0 => {
                        let table = terms.constant(width, table);
                        terms.bin(BinOp::URem, h, table)
                    }
                    1 => {
                        let mask = terms.constant(width, mask);
                        terms.bin(BinOp::And, h, mask)
                    }
                    2 => {
                        let by = terms.constant(width, by);
                        terms.bin(BinOp::LShr, h, by)
                    }
                    _ => h,
                }
            };
            let a = part(random, terms);
            let b = match random.below(3) {
                0 => part(random, terms),
                1 => {
                    let bucket = random.below(table);
                    terms.constant(width, bucket)
                }
                _ => {
                    let border = random.constant(width);
                    terms.constant(width, border)
                }
            };
            let op = random.pick(&[CmpOp::Eq, CmpOp::Eq, CmpOp::Eq, CmpOp::Ult, CmpOp::Slt]);
            let t = terms.cmp(op, a, b);
            if random.below(4) == 0 { terms.not(t) } else { t }
        })
    });
}

/// Two texts of five letters have one hash of 32 bits: by meeting in the middle, not by Z3.
#[test]
fn whole_hashes_are_made_equal_without_z3() {
    for kind in [0, 1, 2, 3] {
        let mut terms = Terms::new();
        let letters: Vec<TermId> = (0..12).map(|i| terms.var(InputId(i), 8)).collect();
        let hashes: Vec<TermId> = letters.chunks(6).map(|text| of_text(&mut terms, kind, text)).collect();
        let mut solver = Solver::new(SolverConfig::default());
        let mut path = PathCondition::new();
        // The first letters differ, so that equal texts are none.
        let differ = terms.cmp(CmpOp::Eq, letters[0], letters[6]);
        path.add(terms.not(differ));
        let model = Model::from_values((0..12).map(|i| 65 + 7 * i).collect());
        let equal = terms.cmp(CmpOp::Eq, hashes[0], hashes[1]);
        let Answer::Sat(found) = solver.check(&mut terms, &path, &model, equal) else {
            panic!("texts of hash {kind} with the same hash are found");
        };
        let mut evaluator = slowpath_term::Evaluator::new();
        assert!(evaluator.holds(&terms, &found, equal) && found.get(InputId(0)) != found.get(InputId(6)));
        assert_eq!(solver.stats().smt_queries, 0, "hash {kind}");
    }
}

/// A word has two parts of one hash at once, as tables have that tell keys apart by other bits than those of their place.
#[test]
fn two_parts_of_a_hash_are_given_at_once_without_z3() {
    for bytewise in [false, true] {
        let mut terms = Terms::new();
        let mut solver = Solver::new(SolverConfig::default());
        let (mut path, mut model) =
            (PathCondition::new(), Model::from_values((0..32).map(|i| 77 + 1_000_003 * i).collect()));
        for i in 0..32 {
            let key = terms.var(InputId(i), 32);
            let h = if bytewise {
                let prime = terms.constant(64, 0x100_0000_01b3);
                (0..4).fold(terms.constant(64, 0xcbf2_9ce4_8422_2325), |h, byte| {
                    let c = terms.extract(key, 8 * byte, 8);
                    let c = terms.conv(ConvOp::ZExt, 64, c);
                    let h = terms.bin(BinOp::Xor, h, c);
                    terms.bin(BinOp::Mul, h, prime)
                })
            } else {
                let (wide, factor) = (terms.conv(ConvOp::ZExt, 64, key), terms.constant(64, 0x517c_c1b7_2722_0a95));
                terms.bin(BinOp::Mul, wide, factor)
            };
            for (lo, wanted) in [(0, 5), (25, 99)] {
                let part = terms.extract(h, lo, 7);
                let wanted = terms.constant(7, wanted);
                let hit = terms.cmp(CmpOp::Eq, part, wanted);
                let Answer::Sat(found) = solver.check(&mut terms, &path, &model, hit) else {
                    panic!("key {i}, bit {lo}, {:?}", solver.stats());
                };
                model = found;
                path = path.push(hit);
            }
        }
        assert_eq!(solver.stats().smt_queries, 0, "{:?}", solver.stats());
    }
}
