//! The functions whose runs a second are compared.

/// Elements of the input.
pub const N: usize = 64;

/// A function to be run.
pub struct Subject {
    pub name: &'static str,
    pub file: &'static str,
    pub call: &'static str,
    /// Bytes of an element.
    pub width: usize,
    /// The element at `i`, of a number that may be any.
    pub element: fn(i: usize, any: u64) -> u64,
    /// The element in C.
    pub native_element: &'static str,
    /// The call in C, on the bytes at `data`.
    pub native_call: &'static str,
}

/// Settings in `N` characters, in a notation that C has too.
pub const SETTINGS: &str = "a = 12\nlist = [1, [2, \"b\"], -3]\nname = \"x\\\"y\" # why\nlast=[[],7]\n";

const _: () = assert!(SETTINGS.len() == N);

pub const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "isort",
        file: "isort.c",
        call: "isort(a: i32[n], n)",
        width: 4,
        element: |_, any| any & 0xffff_ffff,
        native_element: "any",
        native_call: "void isort(int *a, int n); static int a[64]; __builtin_memcpy(a, data, sizeof a); isort(a, 64);",
    },
    Subject {
        name: "settings",
        file: "settings.c",
        call: "settings(s: u8[n], n)",
        width: 1,
        // Of 64 characters, one on average is not as it should be.
        element: |i, any| u64::from(if any % 64 == 0 { b'"' + (any >> 8) as u8 % 64 } else { SETTINGS.as_bytes()[i] }),
        native_element: "any % 64 ? SETTINGS[i] : '\"' + (any >> 8) % 64",
        native_call: "int settings(const char *s, int n); settings((const char *)data, 64);",
    },
];
