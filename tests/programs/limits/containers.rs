//! Containers of Rust's library.

use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// How often the commonest key is there.
pub fn commonest(keys: &[u32]) -> usize {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for key in keys {
        *counts.entry(*key).or_default() += 1;
    }
    counts.values().copied().max().unwrap_or(0)
}

/// Keys with a smaller neighbour in the tree.
pub fn neighbours(keys: &[i32]) -> usize {
    let mut tree: BTreeMap<i32, usize> = BTreeMap::new();
    let mut found = 0;
    for (i, key) in keys.iter().enumerate() {
        found += tree.range(..*key).next_back().map_or(0, |(_, at)| *at);
        tree.insert(*key, i);
    }
    found
}

/// Heap sort.
pub fn heap(keys: &[u64]) -> u64 {
    let mut heap: BinaryHeap<u64> = keys.iter().copied().collect();
    let mut mixed = 0;
    while let Some(top) = heap.pop() {
        mixed = mixed * 31 ^ top;
    }
    mixed
}
