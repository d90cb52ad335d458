//! Structs that point to each other, so that an array of them is a list.

/// Which of its neighbours in an array a struct points to. The first has none before it and the last none behind it: they point to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    Following,
    Preceding,
}

impl Link {
    /// How it is written in a signature.
    pub fn name(self) -> &'static str {
        match self {
            Link::Following => "following",
            Link::Preceding => "preceding",
        }
    }

    /// The number of the neighbour among so many.
    pub fn of(self, row: u32, count: u32) -> Option<u32> {
        match self {
            Link::Following => row.checked_add(1).filter(|next| *next < count),
            Link::Preceding => row.checked_sub(1),
        }
    }

    /// The link that a word means.
    pub(super) fn named(word: &str) -> Option<Link> {
        [Link::Following, Link::Preceding].into_iter().find(|link| link.name() == word)
    }
}
