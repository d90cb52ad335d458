//! A vector that is not copied as it grows: items lie in blocks of a fixed size.

use std::ops::Index;

/// Items of a block.
const BLOCK: usize = 4096;

/// Items in order; added and taken at the end.
pub(crate) struct BlockVec<T> {
    /// All full but the last, which is never empty. One more may wait behind it with room, so that going back and forth
    /// over the end of a block does not allocate.
    blocks: Vec<Vec<T>>,
    spare: Option<Vec<T>>,
}

impl<T> Default for BlockVec<T> {
    fn default() -> BlockVec<T> {
        BlockVec { blocks: Vec::new(), spare: None }
    }
}

impl<T> BlockVec<T> {
    /// Number of items.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self.blocks.last() {
            Some(last) => (self.blocks.len() - 1) * BLOCK + last.len(),
            None => 0,
        }
    }

    /// One more item. Whether there is a place for it is seen to before: an item that might go elsewhere is put together in memory first, and
    /// whoever reads it from there at once waits until that is done.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.blocks.last().is_none_or(|last| last.len() == BLOCK) {
            self.add_block();
        }
        if let Some(last) = self.blocks.last_mut() {
            last.push(item);
        }
    }

    /// An empty block, to which something is added at once.
    #[cold]
    fn add_block(&mut self) {
        // The first block grows as a vector does: most lists are short.
        let fresh = || if self.blocks.is_empty() { Vec::new() } else { Vec::with_capacity(BLOCK) };
        let block = self.spare.take().unwrap_or_else(fresh);
        self.blocks.push(block);
    }

    /// The newest item, taken away.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let last = self.blocks.last_mut()?;
        let item = last.pop();
        if last.is_empty() {
            self.spare = self.blocks.pop();
        }
        item
    }

    /// The newest item.
    #[inline]
    pub(crate) fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// The item at a place.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.blocks.get(at / BLOCK)?.get(at % BLOCK)
    }

    /// All items, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.blocks.iter().flatten()
    }

    /// All items, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> + '_ {
        self.blocks.iter_mut().flatten()
    }
}

impl<T> Index<usize> for BlockVec<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.blocks[at / BLOCK][at % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pile_is_a_vector_over_the_ends_of_its_blocks() {
        let (mut block_vec, mut vector) = (BlockVec::default(), Vec::new());
        for round in 0..6 {
            let change = BLOCK / 2 + round;
            for i in 0..2 * change {
                block_vec.push(i);
                vector.push(i);
            }
            for _ in 0..change {
                assert_eq!((block_vec.last(), block_vec.get(vector.len())), (vector.last(), None));
                assert_eq!(block_vec.pop(), vector.pop(), "round {round}");
            }
            assert_eq!(block_vec.len(), vector.len());
            assert!(block_vec.iter().eq(&vector));
            let middle = vector.len() / 2;
            assert_eq!((block_vec[middle], block_vec.get(1)), (vector[middle], vector.get(1)));
        }
        while block_vec.pop().is_some() {}
        assert_eq!((block_vec.len(), block_vec.last()), (0, None));
        assert_eq!(block_vec.pop(), None);
    }
}
