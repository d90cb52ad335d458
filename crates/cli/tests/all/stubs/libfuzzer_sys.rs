//! As much of libfuzzer-sys as the exported target uses: runs the files it is given.

#[macro_export]
macro_rules! fuzz_target {
    (|$data:ident: &[u8]| $body:expr) => {
        #[no_mangle]
        pub extern "C" fn main(count: i32, arguments: *const *const std::ffi::c_char) -> i32 {
            for k in 1..count as usize {
                let name = unsafe { std::ffi::CStr::from_ptr(*arguments.add(k)) };
                let bytes = std::fs::read(name.to_str().unwrap()).unwrap();
                let $data: &[u8] = &bytes;
                $body;
            }
            0
        }
    };
}
