//! A list that forks share: adding is amortised O(1) and needs no allocation of its own while nobody else looks on.
//!
//! Items live in chunks, which do not grow past a size: a long list is not copied as it grows. Whoever is alone with the newest chunk adds to it in place; whoever shares it starts a chunk of
//! his own behind it. What was once at a place of a chunk never changes, so a chunk and a length name a list for good.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

/// Items of one chunk at most.
const MOST: usize = 4096;

#[derive(Debug)]
struct Chunk<T> {
    /// Differs between any two chunks of this process.
    id: u64,
    parent: ForkList<T>,
    items: SmallVec<[T; 2]>,
}

/// Items in order of their addition. Cloning is O(1).
#[derive(Debug)]
pub struct ForkList<T> {
    chunk: Option<Rc<Chunk<T>>>,
    /// All items, those of the chunks before included.
    len: usize,
}

impl<T> Clone for ForkList<T> {
    fn clone(&self) -> ForkList<T> {
        ForkList { chunk: self.chunk.clone(), len: self.len }
    }
}

impl<T> Default for ForkList<T> {
    fn default() -> ForkList<T> {
        ForkList { chunk: None, len: 0 }
    }
}

impl<T: Copy> ForkList<T> {
    /// One more item. That there is a chunk for it is seen to before (as in `block_vec.rs`).
    #[inline]
    pub fn push(&mut self, item: T) {
        if !self.has_own_place() {
            self.add_chunk();
        }
        if let Some(chunk) = &mut self.chunk
            && let Some(chunk) = Rc::get_mut(chunk)
        {
            chunk.items.push(item);
            self.len += 1;
        }
    }

    /// Whether the newest chunk is its own, ends with its last item, and has room.
    #[inline]
    fn has_own_place(&mut self) -> bool {
        self.chunk
            .as_mut()
            .and_then(Rc::get_mut)
            .is_some_and(|chunk| chunk.parent.len + chunk.items.len() == self.len && chunk.items.len() < MOST)
    }

    /// An empty chunk behind all others.
    #[inline(never)]
    fn add_chunk(&mut self) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let parent = std::mem::take(self);
        self.len = parent.len;
        // Behind a full chunk comes another, most likely.
        let long = parent.chunk.as_ref().is_some_and(|chunk| chunk.items.len() == MOST);
        let items = SmallVec::with_capacity(if long { MOST } else { 0 });
        self.chunk = Some(Rc::new(Chunk { id, parent, items }));
    }

    /// Number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The newest item.
    pub fn last(&self) -> Option<T> {
        self.newest_first().next()
    }

    /// The list without its newest item; `None` if it is empty.
    pub fn parent(&self) -> Option<ForkList<T>> {
        let chunk = self.chunk.as_ref()?;
        Some(match self.len - chunk.parent.len {
            1 => chunk.parent.clone(),
            _ => ForkList { chunk: Some(Rc::clone(chunk)), len: self.len - 1 },
        })
    }

    /// The items by chunk, newest first: the id of the chunk, how many items come before it, its own. Equal ids at equal
    /// places mean equal lists up to there.
    pub fn chunks(&self) -> impl Iterator<Item = (u64, usize, &[T])> + '_ {
        let lists = std::iter::successors(Some(self), |list| list.chunk.as_ref().map(|chunk| &chunk.parent));
        lists.filter_map(|list| {
            let chunk = list.chunk.as_ref()?;
            let before = chunk.parent.len;
            Some((chunk.id, before, &chunk.items[..list.len - before]))
        })
    }

    /// Every item, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks().flat_map(|(_, _, items)| items.iter().rev().copied())
    }

    /// All items, oldest first.
    pub fn to_vec(&self) -> Vec<T> {
        let mut items: Vec<T> = Vec::with_capacity(self.len);
        items.extend(self.newest_first());
        items.reverse();
        items
    }
}

impl<T> Drop for ForkList<T> {
    /// Unlinks chunk by chunk: the default would recurse as deep as the list has chunks.
    fn drop(&mut self) {
        let mut next = self.chunk.take();
        while let Some(mut chunk) = next.and_then(Rc::into_inner) {
            next = chunk.parent.chunk.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ForkList;

    fn of(items: &[u32]) -> ForkList<u32> {
        let mut list = ForkList::default();
        items.iter().for_each(|item| list.push(*item));
        list
    }

    #[test]
    fn forks_share_their_prefix_and_go_their_own_ways() {
        let mut one = of(&[1, 2, 3]);
        let mut two = one.clone();
        one.push(4);
        two.push(5);
        two.push(6);
        assert_eq!((one.to_vec(), two.to_vec()), (vec![1, 2, 3, 4], vec![1, 2, 3, 5, 6]));
        let chunks = |list: &ForkList<u32>| list.chunks().map(|(id, from, _)| (id, from)).collect::<Vec<_>>();
        assert_eq!(chunks(&one)[1..], chunks(&two)[1..], "the same items of the same chunk");
        assert_ne!(chunks(&one)[0], chunks(&two)[0], "different items have different names");
    }

    #[test]
    fn a_place_keeps_its_item_when_a_longer_list_is_gone() {
        let mut long = of(&[1, 2, 3]);
        let mut short = long.parent().expect("three items");
        let name = |list: &ForkList<u32>| list.chunks().next().map(|(id, ..)| id);
        let before = name(&long);
        long.push(4);
        drop(long);
        short.push(9);
        assert_eq!(short.to_vec(), [1, 2, 9]);
        assert_ne!(name(&short), before);
    }

    #[test]
    fn a_list_of_many_chunks_is_one_list() {
        let items: Vec<u32> = (0..3 * super::MOST as u32 + 1).collect();
        let mut list = of(&items);
        let fork = list.parent().expect("not empty");
        list.push(7);
        assert_eq!(list.to_vec(), [items.as_slice(), &[7]].concat());
        assert_eq!((fork.len(), fork.to_vec()), (items.len() - 1, items[..items.len() - 1].to_vec()));
    }

    #[test]
    fn a_million_forks_drop_without_recursion() {
        let mut list = ForkList::default();
        for i in 0..1_000_000 {
            let fork = list.clone();
            list.push(i);
            drop(fork);
        }
        assert_eq!((list.len(), list.last()), (1_000_000, Some(999_999)));
        assert_eq!(list.parent().map(|p| p.len()), Some(999_999));
    }
}
