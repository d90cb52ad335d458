//! The doors of a C allocator, recognised by name: what the `heap` cost counts.

/// How much memory a call asks for, from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocatorDoor {
    /// The first argument is the number of bytes.
    First,
    /// The second argument is.
    Second,
    /// The product of the first two is.
    Product,
}

impl AllocatorDoor {
    /// Positions of the arguments whose product is the number of bytes.
    pub fn arguments(self) -> &'static [u32] {
        match self {
            AllocatorDoor::First => &[0],
            AllocatorDoor::Second => &[1],
            AllocatorDoor::Product => &[0, 1],
        }
    }

    pub(crate) fn named(name: &str) -> Option<AllocatorDoor> {
        match name {
            "malloc" => Some(AllocatorDoor::First),
            "realloc" | "aligned_alloc" => Some(AllocatorDoor::Second),
            "calloc" => Some(AllocatorDoor::Product),
            _ => None,
        }
    }
}
