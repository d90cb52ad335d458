//! What a memory held at one moment, and how it comes to hold that again.

use super::PAGE;
use super::touched::{Observer, Touched};

/// The contents of a memory.
pub(super) struct Image {
    /// Those pages that were not all zero, at their index.
    pages: Vec<Option<Box<[u8]>>>,
    touched: Touched,
}

impl Image {
    /// Of a memory as it is now, in which pages that were never touched are zero.
    pub(super) fn new(memory: &[u8], observer: &Observer) -> Image {
        let mut touched = Touched::new(observer);
        touched.find(memory);
        let mut pages = Vec::new();
        for index in touched.pages().iter().copied() {
            let bytes = page(memory, index);
            if bytes.iter().any(|byte| *byte != 0) {
                pages.resize(index + 1, None);
                pages[index] = Some(bytes.into());
            }
        }
        Image { pages, touched }
    }

    /// Makes the memory hold again what it held then. What it has grown by since becomes zero.
    pub(super) fn restore(&mut self, memory: &mut [u8]) {
        self.touched.find(memory);
        for index in self.touched.pages().iter().copied() {
            let end = memory.len().min((index + 1) * PAGE);
            let target = &mut memory[index * PAGE..end];
            match self.pages.get(index) {
                Some(Some(bytes)) => target.copy_from_slice(bytes),
                _ => target.fill(0),
            }
        }
    }

    /// How many pages `restore` wrote.
    pub(super) fn restored_pages(&self) -> usize {
        self.touched.pages().len()
    }
}

fn page(memory: &[u8], index: usize) -> &[u8] {
    &memory[index * PAGE..memory.len().min((index + 1) * PAGE)]
}

#[cfg(test)]
mod tests {
    use super::{Image, Observer};

    #[test]
    fn a_memory_is_restored_wherever_it_was_changed() {
        let mut memory = vec![0u8; 100_000];
        memory[5000] = 7;
        memory[99_999] = 9;
        let before = memory.clone();
        let mut image = Image::new(&memory, &Observer::find());
        for place in [0, 5000, 50_000, 99_999] {
            memory[place] = 1;
        }
        image.restore(&mut memory);
        assert!(memory == before);
    }

    #[test]
    fn what_a_memory_has_grown_by_becomes_zero() {
        let mut image = Image::new(&[1; 8192], &Observer::find());
        let mut grown = [vec![2u8; 8192], vec![3; 8192]].concat();
        image.restore(&mut grown);
        assert!(grown == [vec![1u8; 8192], vec![0; 8192]].concat());
    }
}
