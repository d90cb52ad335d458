//! However an exploration is cut into tasks, and whatever carries them, it comes to the same.

use super::*;
use crate::evolve::test_target::{ZEROS, target};
use crate::rng::Rng;
use crate::work::{decode_explored, decode_task, encode_explored, encode_task, finding_of};
use crate::{SizeFinding, depth_first};

/// Insertion sort.
const SORT: &str = r#"(module (memory 1)
    (func (export "f") (param $a i32) (param $n i32) (local $i i32) (local $j i32) (local $x i32)
        (local.set $i (i32.const 1))
        (block $end (loop $outer
            (br_if $end (i32.ge_s (local.get $i) (local.get $n)))
            (local.set $x (i32.load (i32.add (local.get $a) (i32.shl (local.get $i) (i32.const 2)))))
            (local.set $j (local.get $i))
            (block $placed (loop $inner
                (br_if $placed (i32.eqz (local.get $j)))
                (br_if $placed (i32.le_s
                    (i32.load (i32.add (local.get $a) (i32.shl (i32.sub (local.get $j) (i32.const 1)) (i32.const 2))))
                    (local.get $x)))
                (i32.store (i32.add (local.get $a) (i32.shl (local.get $j) (i32.const 2)))
                    (i32.load (i32.add (local.get $a) (i32.shl (i32.sub (local.get $j) (i32.const 1)) (i32.const 2)))))
                (local.set $j (i32.sub (local.get $j) (i32.const 1)))
                (br $inner)))
            (i32.store (i32.add (local.get $a) (i32.shl (local.get $j) (i32.const 2))) (local.get $x))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $outer)))))"#;

/// Reads and divides by elements where others say, so that bounds are asked for, values are fixed and paths trap.
const ADDRESSES: &str = r#"(module (memory 1)
    (func (export "f") (param $a i32) (param $n i32) (local $sum i32)
        (loop $next
            (local.set $sum (i32.add (local.get $sum)
                (i32.load8_u (i32.and (i32.load (local.get $a)) (i32.const 0xfff)))))
            (if (i32.gt_u (i32.load (local.get $a)) (i32.const 5000))
                (then (drop (i32.div_u (i32.const 7) (i32.sub (i32.load (local.get $a)) (i32.const 9000))))))
            (local.set $a (i32.add (local.get $a) (i32.const 4)))
            (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))"#;

/// What must be the same of a finding.
fn outline(found: &SizeFinding) -> String {
    let worst = found.worst.as_ref().map(|path| (path.cost, &path.decisions, &path.input));
    let traps: Vec<_> = found
        .traps
        .iter()
        .map(|trap| {
            let examples: Vec<_> = trap.examples.iter().map(|path| (path.cost, &path.decisions)).collect();
            (trap.trap.to_string(), trap.site, trap.paths, examples)
        })
        .collect();
    let limits = &found.limits;
    format!("{} paths, {} worst, {}: {worst:?} {traps:?} {limits:?}", found.paths, found.worst_paths, found.complete)
}

/// Explores in tasks of an effort, in an order of chance, each as bytes there and back.
fn in_slices(target: &Target, n: i64, effort: u64, seed: u64) -> (SizeFinding, u64) {
    let stamp = stamp(target, 7, n);
    let mut whole = Explored::nothing(n, true);
    let mut waiting = vec![std::mem::take(&mut whole.frontier)];
    let (mut rng, mut tasks) = (Rng::new(seed, 1), 0);
    while !waiting.is_empty() {
        let frontier = waiting.swap_remove((rng.next() % waiting.len() as u64) as usize);
        if let Some(parts) = frontier.split().filter(|_| rng.next() % 2 == 0) {
            waiting.extend(parts);
            continue;
        }
        let bytes = encode_task(&stamp, &Task { frontier, effort, learns: true });
        let task = decode_task(&bytes, stamp.identity).expect("a task").task;
        let done = slice(target, n, &task, &Budget::default()).expect("a slice");
        if done.stats.smt_queries == 0 {
            let again = slice(target, n, &task, &Budget::default()).expect("the same slice");
            assert_eq!(encode_explored(&stamp, &done), encode_explored(&stamp, &again), "a slice is a function");
        }
        let mut done = decode_explored(&encode_explored(&stamp, &done), &stamp).expect("a result");
        let left = std::mem::take(&mut done.frontier);
        if !left.is_empty() {
            waiting.push(left);
        }
        whole.add(done);
        tasks += 1;
        assert!(tasks < 100_000, "it gets nowhere");
    }
    let (finding, summary) = finding_of(target, n, &Budget::default(), whole, std::time::Duration::ZERO).unwrap();
    let counted: u64 = summary.expect("it was asked for").counts.values().sum();
    assert_eq!(counted, finding.paths);
    (finding, tasks)
}

#[test]
fn however_it_is_cut_into_tasks_the_result_is_the_same() {
    for (wat, n) in [(SORT, 5), (ZEROS, 6), (ADDRESSES, 2)] {
        let target = target(wat);
        let whole = depth_first(&target, n, &Budget::default()).unwrap();
        assert!(whole.paths > 3, "{}", whole.paths);
        let mut most = 0;
        for (effort, seed) in [(1, 1), (700, 2), (5_000, 3), (u64::MAX, 4)] {
            let (found, tasks) = in_slices(&target, n, effort, seed);
            assert_eq!(outline(&found), outline(&whole), "effort {effort}");
            most = most.max(tasks);
        }
        assert!(most > 2, "{most}");
    }
}

#[test]
fn a_task_that_does_not_belong_here_is_refused() {
    let target = target(SORT);
    let stamp = stamp(&target, 7, 6);
    let task = Task { frontier: Frontier::root(), effort: 3_000, learns: false };
    let done = slice(&target, 6, &task, &Budget::default()).unwrap();
    assert!(!done.frontier.is_empty());
    let next = Task { frontier: done.frontier.clone(), ..task.clone() };
    // Of another size, the prefixes lead elsewhere.
    assert!(matches!(slice(&target, 3, &next, &Budget::default()), Err(SearchError::Diverged(_))));
    let bytes = encode_task(&stamp, &next);
    assert_eq!(decode_task(&bytes, stamp.identity).map(|read| read.task), Ok(next));
    assert_eq!(decode_task(&bytes, 3), Err(super::super::WorkError::OtherProgram));
    let other = super::stamp(&target, 8, 6);
    assert_ne!(other.identity, stamp.identity);
    let result = encode_explored(&stamp, &done);
    assert!(decode_explored(&result, &other).is_err() && decode_task(&result, stamp.identity).is_err());
    for cut in 0..bytes.len() {
        assert!(decode_task(&bytes[..cut], stamp.identity).is_err());
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x21;
        assert!(decode_task(&changed, stamp.identity).is_err(), "byte {at}");
    }
}

#[test]
fn prefixes_that_nobody_found_are_refused_and_never_a_panic() {
    let target = target(ADDRESSES);
    let task = Task { frontier: Frontier::root(), effort: 300, learns: false };
    let done = slice(&target, 2, &task, &Budget::default()).unwrap();
    let mut rng = Rng::new(5, 5);
    let mut refused = 0;
    for _ in 0..300 {
        let mut frontier = Frontier::default();
        for mut prefix in done.frontier.iter() {
            let at = (rng.next() % (prefix.answers.len() as u64 + 1)) as usize;
            let answer = match rng.next() % 5 {
                0 => slowpath_machine::Answer::Bool(rng.next().is_multiple_of(2)),
                1 => slowpath_machine::Answer::Case(rng.next() as u32 % 9),
                2 => slowpath_machine::Answer::Value(rng.next() % 10_000),
                _ => slowpath_machine::Answer::Range(rng.next() % 10, rng.next() % 10_000),
            };
            let made = crate::Decision { site: slowpath_program::SiteId(0), activation: 1, answer, forced: true };
            match rng.next() % 3 {
                0 => prefix.answers.insert(at, made),
                1 => prefix.answers.truncate(at),
                _ => prefix.model.iter_mut().for_each(|value| *value = rng.next() % 20_000),
            }
            frontier.push(prefix);
        }
        let task = Task { frontier, effort: 2_000, learns: false };
        refused += u32::from(slice(&target, 2, &task, &Budget::default()).is_err());
    }
    assert!(refused > 100, "{refused}");
}
