//! A priority queue kept as a sorted vector, in the manner of Rust: slices, iterators, a map, a panic.

use std::collections::BTreeMap;

/// Inserts every key where it belongs and counts what had to move: n (n - 1) / 2 for keys that fall.
pub fn sorted_insert(keys: &[i32]) -> usize {
    let mut queue: Vec<i32> = Vec::new();
    let mut moved = 0;
    for &key in keys {
        let place = queue.iter().rposition(|&other| other <= key).map_or(0, |at| at + 1);
        moved += queue.len() - place;
        queue.insert(place, key);
    }
    moved
}

/// Sorts in place, neighbours at a time.
#[no_mangle]
pub extern "C" fn bubble(keys: *mut i32, n: usize) {
    let keys = unsafe { std::slice::from_raw_parts_mut(keys, n) };
    for end in (1..n).rev() {
        for i in 0..end {
            if keys[i] > keys[i + 1] {
                keys.swap(i, i + 1);
            }
        }
    }
}

/// How many different keys there are.
pub fn distinct(keys: &[i32]) -> usize {
    let mut seen = BTreeMap::new();
    for key in keys {
        *seen.entry(key).or_insert(0) += 1;
    }
    seen.len()
}

/// The key in the place that the first key names: out of bounds for most.
pub fn indirect(keys: &[i32]) -> i32 {
    keys[keys[0] as usize]
}
