//! The index types of a program, so that no two kinds of number can be mixed up.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`, for slices.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

index!(
    /// A function of a module; imported functions come first.
    FuncIdx
);
index!(
    /// A function type of a module.
    TypeIdx
);
index!(
    /// A table of a module; imported tables come first.
    TableIdx
);
index!(
    /// A linear memory of a module.
    MemIdx
);
index!(
    /// A global of a module; imported globals come first.
    GlobalIdx
);
index!(
    /// A place in the program where a symbolic value can split the path. Dense over the whole module.
    SiteId
);

/// A register of a frame: the function's locals come first, then the operand stack.
pub type Slot = u32;
