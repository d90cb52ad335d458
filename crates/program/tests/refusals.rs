//! What cannot be loaded is refused with a message that names the reason.

use slowpath_program::{LoadError, Probes, load};

fn refusal(bytes: &[u8]) -> String {
    load(bytes, &Probes::default()).expect_err("it is refused").to_string()
}

fn of(text: &str) -> String {
    refusal(&wat::parse_str(text).expect("the text can be encoded"))
}

#[test]
fn unsupported_features_are_named() {
    let cases = [
        (
            "(module (func (param v128) (result v128) (i8x16.relaxed_swizzle (local.get 0) (local.get 0))))",
            "relaxed SIMD",
        ),
        ("(module (memory 1 1 shared) (func (drop (i32.atomic.load (i32.const 0)))))", "threads"),
        ("(module (memory i64 1))", "memory64"),
        ("(module (memory 1) (memory 1))", "multiple memories"),
        ("(module (tag) (func (throw 0)))", "exceptions"),
        ("(module (type $t (func)) (func (param (ref $t)) (call_ref $t (local.get 0))))", "typed function references"),
        ("(module (type (struct)))", "GC"),
        ("(module (memory 1 (pagesize 1)))", "custom page sizes"),
        (
            "(module (func (param i64 i64 i64 i64) (result i64 i64) (i64.add128 (local.get 0) (local.get 1) (local.get 2) (local.get 3))))",
            "wide arithmetic",
        ),
    ];
    for (text, feature) in cases {
        let message = of(text);
        assert!(message.contains(feature) && message.contains("does not support"), "{text}: {message}");
    }
}

#[test]
fn what_is_no_module_is_told_apart_from_what_is_a_broken_one() {
    assert!(refusal(b"int main() {}").contains("not a WebAssembly module"));
    assert!(refusal(b"").contains("not a WebAssembly module"));
    assert!(refusal(b"\0asm\x0d\0\x01\0").contains("component"));
    let broken = refusal(b"\0asm\x01\0\0\0\x01\xff");
    assert!(broken.contains("at byte 0x"), "{broken}");
    assert!(of("(module (func (result i32)))").contains("invalid module at byte 0x"));
}

#[test]
fn a_function_nested_too_deeply_is_refused_by_name_of_the_limit() {
    let text = format!("(module (func {} {}))", "block ".repeat(60_000), "end ".repeat(60_000));
    let refused = load(&wat::parse_str(text).expect("the text can be encoded"), &Probes::default());
    let Err(LoadError::TooLarge(why)) = refused else { panic!("it is refused") };
    assert!(why.contains("function 0") && why.contains("50000"), "{why}");
}
