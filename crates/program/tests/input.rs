//! Inputs as JSON and back, and what is wrong with those that are refused.

use serde_json::{Value, json};
use slowpath_program::call::{CallSpec, ElemType, Layout};
use slowpath_program::input::{InputValues, NamedInput};

fn layout(call: &str, n: i64) -> Layout {
    CallSpec::parse(call).expect("a signature").layout(n, 65_536).expect("a layout")
}

fn read(call: &str, json: Value) -> Result<InputValues, String> {
    InputValues::from_json(&json, &layout(call, 3)).map_err(|error| error.to_string())
}

#[test]
fn values_survive_json_bit_for_bit() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for ty in ElemType::ALL {
        let special = [
            0,
            1,
            u64::MAX,
            1 << 63,
            0x7fc0_0000,
            0x7fc0_0001,
            0xffc0_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7ff8 << 48,
            0x7ff0 << 48,
            0xfff0 << 48,
            0x7ff8_0000_0000_0001,
            0x8000_0000,
            0x3dcc_cccd,
        ];
        let values: Vec<u64> = special.into_iter().chain((0..2000).map(|_| random())).collect();
        let mask = if ty == ElemType::Bool { 1 } else { ty.mask() };
        let bits: Vec<u64> = values.into_iter().map(|bits| bits & mask).collect();
        let call = format!("f(a: {ty}[{}], b: {ty})", bits.len());
        let values = InputValues(vec![
            NamedInput { name: "a".into(), ty, scalar: false, bits: bits.clone() },
            NamedInput { name: "b".into(), ty, scalar: true, bits: vec![bits[2]] },
        ]);
        assert_eq!(values.check(&layout(&call, 3)), Ok(()));
        let text = values.to_json().to_string();
        let json: Value = serde_json::from_str(&text).unwrap();
        assert!(InputValues::from_json(&json, &layout(&call, 3)).unwrap() == values, "{ty}");
        // And without being told the types beforehand.
        let untyped = InputValues::from_json_untyped(&json).unwrap();
        for (index, bits) in bits.iter().enumerate() {
            assert_eq!(untyped.get("a").unwrap().bits_as(ty, index), *bits, "{ty}[{index}]");
        }
    }
}

#[test]
fn convenient_spellings_are_read() {
    let values = read(
        "f(s: char[3], b: bool[3], c: char, x: f32, k: i32)",
        json!({"s": "abc", "b": [true, 0, 1], "c": "z", "x": "-inf", "k": 1e3}),
    )
    .unwrap();
    assert_eq!(values.get("s").unwrap().bits, [97, 98, 99]);
    assert_eq!(values.get("b").unwrap().bits, [1, 0, 1]);
    assert_eq!(values.get("c").unwrap().bits, [122]);
    assert_eq!(values.get("x").unwrap().bits, [0xff80_0000]);
    assert_eq!(values.get("k").unwrap().bits, [1000]);
    assert_eq!(read("f(c: char)", json!({"c": 200})), read("f(c: char)", json!({"c": -56})));
    assert_eq!(values.to_json()["s"], json!([97, 98, 99]));
    assert_eq!(read("f(x: f32)", json!({"x": 0.1})).unwrap().to_json(), json!({"x": 0.1}));
}

#[test]
fn errors_name_the_input_and_the_element() {
    let refused = |call: &str, json: Value| read(call, json).unwrap_err();
    assert!(refused("f(a: i32[n])", json!([1, 2, 3])).contains("must be a JSON object"));
    assert_eq!(refused("f(a: i32[n])", json!({})), "the input `a` is missing");
    assert_eq!(refused("f(a: u8, u8)", json!({"a": 1, "b": 2})), "there is no input `b`; the call takes a, arg1");
    assert_eq!(
        refused("f(a: i32[n])", json!({"a": [1, 2]})),
        "the input `a` is an array of 2, but it must be an array of 3 i32"
    );
    assert_eq!(refused("f(a: i32[n])", json!({"a": 1})), "the input `a` is 1, but it must be an array of 3 i32");
    assert_eq!(refused("f(a: i32)", json!({"a": [1]})), "the input `a` is an array of 1, but it must be a single i32");
    assert_eq!(refused("f(a: u8[n])", json!({"a": [1, 256, 3]})), "the input `a[1]` is 256, but u8 holds 0..=255");
    assert_eq!(
        refused("f(a: u8[n] in 0..=9)", json!({"a": [1, 2, 10]})),
        "the input `a[2]` is 10, but the call allows 0..=9"
    );
    assert!(refused("f(a: i32)", json!({"a": 1.5})).contains("a whole number"));
    assert!(refused("f(a: i32)", json!({"a": null})).contains("a whole number"));
    assert!(refused("f(a: f32)", json!({"a": 1e300})).contains("too large"));
    assert!(refused("f(a: f64)", json!({"a": "nan:0x0"})).contains("NaN"));
    assert!(refused("f(a: f64 in 0..=1)", json!({"a": "NaN"})).contains("allows 0..=1"));
    assert!(refused("f(a: bool)", json!({"a": 2})).contains("0..=1"));
    assert!(InputValues::from_json_untyped(&json!({"a": [1, null]})).is_err());
    assert!(InputValues::from_json_untyped(&json!({"a": {}})).is_err());
}

#[test]
fn values_of_another_type_are_converted_when_asked_for() {
    let values = InputValues::from_json_untyped(&json!({"a": [-1, 300], "x": 1.5, "s": "hi", "t": true})).unwrap();
    let a = values.get("a").unwrap();
    assert_eq!((a.bits_as(ElemType::I8, 0), a.bits_as(ElemType::U32, 0)), (0xff, 0xffff_ffff));
    assert_eq!((a.bits_as(ElemType::U8, 1), a.bits_as(ElemType::U8, 2)), (44, 0));
    assert_eq!(a.bits_as(ElemType::F32, 0), u64::from((-1f32).to_bits()));
    assert_eq!(values.get("x").unwrap().bits_as(ElemType::F32, 0), u64::from(1.5f32.to_bits()));
    assert_eq!(values.get("s").unwrap().bits_as(ElemType::U8, 1), u64::from(b'i'));
    assert_eq!(values.get("t").unwrap().bits_as(ElemType::Bool, 0), 1);
}

#[test]
fn zeros_respect_ranges() {
    let layout = layout("f(a: i32[n] in 5..=9, x: f64 in -3..=-1, y: i8)", 3);
    let zeros = InputValues::zeros(&layout);
    assert_eq!(zeros.check(&layout), Ok(()));
    assert_eq!(zeros.to_json(), json!({"a": [5, 5, 5], "x": -1.0, "y": 0}));
}
