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
