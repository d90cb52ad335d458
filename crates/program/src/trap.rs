//! Why a run ended early, in the words of the WebAssembly specification.

use std::fmt;

/// The end of a run that did not return.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Trap {
    Unreachable,
    DivisionByZero,
    IntegerOverflow,
    InvalidConversion,
    MemoryOutOfBounds,
    TableOutOfBounds,
    /// An indirect call through an element that holds no function.
    NullFunction,
    IndirectCallMismatch,
    StackOverflow,
    NullReference,
    /// The program called `proc_exit`; not a fault.
    Exit(i32),
    /// The program called `slowpath_assume(0)`: this input is outside what the harness allows.
    AssumeFailed,
    /// A function was called that is nowhere defined.
    Missing(String),
    /// A host function refused to go on.
    Host(String),
}

impl Trap {
    /// Whether this is a fault of the program, as opposed to an end it asked for.
    pub fn is_fault(&self) -> bool {
        !matches!(self, Trap::Exit(_) | Trap::AssumeFailed)
    }
}

impl Trap {
    /// A panic of Rust, which says what happened and where, as far as it is known.
    pub fn panicked(message: &str, file: &str, line: u32) -> Trap {
        let place = if file.is_empty() { String::new() } else { format!(" at {file}:{line}") };
        let what = if message.is_empty() { String::new() } else { format!(": {message}") };
        Trap::Host(format!("panicked{place}{what}"))
    }

    /// Whether it says itself where it happened.
    pub fn names_its_place(&self) -> bool {
        matches!(self, Trap::Host(why) if why.starts_with("panicked at "))
    }

    /// An exception of C++, by the name of its type as the compiler writes it.
    pub fn thrown(type_name: &str) -> Trap {
        let words = crate::names::demangle(&format!("_ZTS{type_name}"));
        let name = words.strip_prefix("typeinfo name for ").unwrap_or(type_name);
        Trap::Host(format!("an exception is thrown and not caught here: {name}"))
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::Unreachable => "unreachable",
            Trap::DivisionByZero => "integer divide by zero",
            Trap::IntegerOverflow => "integer overflow",
            Trap::InvalidConversion => "invalid conversion to integer",
            Trap::MemoryOutOfBounds => "out of bounds memory access",
            Trap::TableOutOfBounds => "undefined element",
            Trap::NullFunction => "uninitialized element",
            Trap::IndirectCallMismatch => "indirect call type mismatch",
            Trap::StackOverflow => "call stack exhausted",
            Trap::NullReference => "null reference",
            Trap::AssumeFailed => "an assumption does not hold",
            Trap::Exit(code) => return write!(f, "exit with status {code}"),
            Trap::Missing(name) => return write!(f, "`{name}` is called, which is not there"),
            Trap::Host(why) => return f.write_str(why),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Trap;

    #[test]
    fn panics_and_exceptions_say_what_is_known() {
        assert_eq!(Trap::panicked("too long", "src/lib.rs", 7).to_string(), "panicked at src/lib.rs:7: too long");
        assert_eq!(Trap::panicked("", "", 0).to_string(), "panicked");
        let places = [Trap::panicked("", "src/lib.rs", 7), Trap::panicked("", "", 0), Trap::Unreachable];
        assert_eq!(places.map(|trap| trap.names_its_place()), [true, false, false]);
        let thrown = Trap::thrown("St13runtime_error").to_string();
        assert!(thrown.ends_with("std::runtime_error"), "{thrown}");
    }
}
