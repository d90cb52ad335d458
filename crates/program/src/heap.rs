//! The doors of a C allocator, recognised by name: what the `heap` cost counts.

use crate::ids::FuncIdx;
use crate::module::Program;

/// How much memory a call asks for, from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocatorDoor {
    /// The argument at this position is the number of bytes.
    Bytes(usize),
    /// The product of the first two arguments is.
    Product,
}

impl AllocatorDoor {
    /// Bytes asked for, given a way to read the arguments.
    pub fn bytes(self, arg: impl Fn(usize) -> u64) -> Option<u64> {
        Some(match self {
            AllocatorDoor::Bytes(i) => arg(i),
            AllocatorDoor::Product => arg(0).saturating_mul(arg(1)),
        })
    }

    fn named(name: &str) -> Option<AllocatorDoor> {
        match name {
            "malloc" => Some(AllocatorDoor::Bytes(0)),
            "realloc" | "aligned_alloc" => Some(AllocatorDoor::Bytes(1)),
            "calloc" => Some(AllocatorDoor::Product),
            _ => None,
        }
    }
}

impl Program {
    /// The door a function is, if it is one. Found once, when the program is loaded.
    #[inline(always)]
    pub fn allocator_door(&self, func: FuncIdx) -> Option<AllocatorDoor> {
        if self.doors.is_empty() {
            return None;
        }
        self.doors.iter().find(|d| d.0 == func).map(|d| d.1)
    }

    pub(crate) fn find_doors(&self) -> Vec<(FuncIdx, AllocatorDoor)> {
        (0..self.funcs.len() as u32)
            .filter_map(|i| Some((FuncIdx(i), AllocatorDoor::named(self.names.raw(i)?)?)))
            .collect()
    }
}
