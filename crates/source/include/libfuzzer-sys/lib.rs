//! `fuzz_target!` as slowpath gives it to targets of cargo-fuzz: the closure becomes the function that is analysed.

#[cfg(feature = "arbitrary")]
pub use arbitrary;

/// What a target may answer with.
pub enum Corpus {
    Keep,
    Reject,
}

impl From<()> for Corpus {
    fn from(_: ()) -> Corpus {
        Corpus::Keep
    }
}

#[macro_export]
macro_rules! fuzz_target {
    (init: $init:expr, $($rest:tt)*) => {
        $crate::fuzz_target!($($rest)*);
    };
    (|$bytes:ident| $body:expr) => {
        $crate::fuzz_target!(|$bytes: &[u8]| $body);
    };
    (|$bytes:ident: &[u8]| $body:expr) => {
        pub fn slowpath_fuzz_target($bytes: &[u8]) {
            let _ = $body;
        }
    };
    (|$bytes:ident: &[u8]| -> $result:ty $body:block) => {
        pub fn slowpath_fuzz_target($bytes: &[u8]) {
            let _ = (|| -> $result { $body })();
        }
    };
    (|$data:ident: $ty:ty| $body:expr) => {
        $crate::fuzz_target!(|$data: $ty| -> () { $body; });
    };
    (|$data:ident: $ty:ty| -> $result:ty $body:block) => {
        pub fn slowpath_fuzz_target(bytes: &[u8]) {
            let unstructured = $crate::arbitrary::Unstructured::new(bytes);
            // Bytes that make no value are none of the target's.
            if let Ok($data) = <$ty as $crate::arbitrary::Arbitrary>::arbitrary_take_rest(unstructured) {
                let _ = (|| -> $result { $body })();
            }
        }
    };
}
