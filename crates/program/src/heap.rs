//! The doors of a C allocator, recognised by name: what the `heap` cost counts.

use crate::ids::FuncIdx;
use crate::module::{Program, ValType};

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

    fn named(name: &str) -> Option<AllocatorDoor> {
        match name {
            "malloc" => Some(AllocatorDoor::First),
            "realloc" | "aligned_alloc" => Some(AllocatorDoor::Second),
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
            .filter(|(func, door)| {
                // A function that only shares the name need not take such arguments.
                let params = &self.func_type(*func).params;
                door.arguments().iter().all(|i| params.get(*i as usize) == Some(&ValType::I32))
            })
            .collect()
    }
}
