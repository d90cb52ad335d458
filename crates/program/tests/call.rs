//! Signatures: what is read, what is refused and with which words, where inputs end up.

use slowpath_program::ValType;
use slowpath_program::call::fuzz::fuzz_call_parser;
use slowpath_program::call::{Arg, CallError, CallSpec, ElemType, ParamKind};

fn parse(text: &str) -> CallSpec {
    CallSpec::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn signatures_print_as_they_are_read() {
    for (text, printed) in [
        ("isort(a: i32[n], n)", "isort(a: i32[n], n)"),
        (" f( i32[ n*n ] in 0..=99 , n+1,u8 ) ", "f(i32[n*n] in 0..=99, n + 1, u8)"),
        ("g(name: char[2*n+1])", "g(name: char[2*n + 1])"),
        ("demo::sort<T>(u64)", "demo::sort<T>(u64)"),
        ("none()", "none()"),
        ("f(u8[n] in 'a'..='z')", "f(u8[n] in 97..=122)"),
        ("f(u8 in 0..10)", "f(u8 in 0..=10 - 1)"),
        ("f(2**n, 2^n^2, (2^n)^2, -n^2, (-n)^2)", "f(2^n, 2^n^2, (2^n)^2, -n^2, (-n)^2)"),
        ("f(n-(1-n), (n-1)-n, n/(2*n), 0x10, 1_000)", "f(n - (1 - n), n - 1 - n, n/(2*n), 16, 1000)"),
        ("\"operator()\"(n)", "\"operator()\"(n)"),
        ("f(a: n, arg1: u8)", "f(a: n, u8)"),
        // An unnamed one makes way for another that has its name.
        ("f(arg0: u8[n], n, arg1: u8[n], n)", "f(u8[n], arg4: n, arg1: u8[n], n)"),
        ("f(s: cstr[n] in \"ba\\\\\\\"a\" )", "f(s: cstr[n] in \"\\\"\\\\ab\")"),
        (
            "f(str[2*n] in 'a'..='z', out u16[n], null, &ns::less<int>)",
            "f(str[2*n] in 97..=122, out u16[n], null, &ns::less<int>)",
        ),
        ("f(\"a\\n\\x7f\", [1, -2,3] as u8, [])", "f(\"a\\n\\x7f\", [1, -2, 3] as u8, [])"),
        ("f(i32[n] in [5, -1, 5])", "f(i32[n] in [-1, 5])"),
        ("f(p: point[n], struct q)", "f(p: point[n], q)"),
        (
            "f({ x: u8, y: i32, s: cstr[n] in \"ab\", len: u16 = n, t: inline u8[3] }[n])",
            "f({ x: u8, y: i32, s: cstr[n] in \"ab\", len: u16 = n, t: inline u8[3] }[n])",
        ),
        (
            "f(q { x at 8: u8, r: inline { a: u8, ..16 }, ..40 })",
            "f(q { x at 8: u8, r: inline { a: u8, ..16 }, ..40 })",
        ),
    ] {
        let spec = parse(text);
        assert_eq!(spec.to_string(), printed);
        assert_eq!(parse(printed), spec);
    }
}

#[test]
fn errors_name_the_column_and_the_remedy() {
    for (text, column, words) in [
        ("isort", 6, "there is no parameter list"),
        ("(n)", 1, "there is no function name"),
        ("f(int)", 3, "write i32"),
        ("f(i32[n)", 8, "expected `]`, found `)`"),
        ("f(i32[n][n])", 9, "multiply the lengths"),
        ("f(a: i32, a: u8)", 11, "a second parameter is called `a`"),
        ("f(arg1: i32, u8)", 14, "a second parameter is called `arg1`"),
        ("f(n in 0..=9)", 5, "has no range"),
        ("f(u8 in 0)", 10, "expected `..=`"),
        ("f(2n)", 3, "2*n"),
        ("f(n", 4, "close the list"),
        ("f(n) g", 6, "after the closing bracket"),
        ("f(n+)", 5, "found `)`"),
        ("f(é)", 3, "means nothing here"),
        ("f(n+k)", 5, "the only name in arithmetic is n"),
        ("f(99999999999999999999)", 3, "does not fit into 64 bits"),
        ("f(u8: u8)", 3, "cannot be the name"),
        ("\"f", 1, "never closed"),
    ] {
        let CallError::Syntax(error) = CallSpec::parse(text).unwrap_err() else { panic!("{text}") };
        assert_eq!(error.column(), column, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let shown = CallSpec::parse("f(i33[n], n)").unwrap_err().to_string();
    assert_eq!(shown.lines().nth(1), Some("  f(i33[n], n)"));
    assert_eq!(shown.lines().nth(2), Some("    ^"));
}

#[test]
fn deep_and_long_expressions_are_refused() {
    assert!(CallSpec::parse(&format!("f({}n{})", "(".repeat(40), ")".repeat(40))).is_ok());
    for text in [
        format!("f({}n{})", "(".repeat(100_000), ")".repeat(100_000)),
        format!("f({}n)", "-".repeat(100_000)),
        format!("f(n{})", "+n".repeat(100_000)),
        format!("f(n{})", "^n".repeat(100_000)),
        format!("f({})", "u8,".repeat(100_000)),
    ] {
        assert!(CallSpec::parse(&text).is_err());
    }
}

#[test]
fn arrays_lie_behind_the_memory_aligned_to_16() {
    let spec = parse("f(a: u8[n], b: i64[2*n], x: i16 in -5..=5, n + 1, c: bool[n-n])");
    let layout = spec.layout(3, 2 * 65_536).unwrap();
    assert_eq!(
        layout.args,
        [Arg::Pointer(131_072), Arg::Pointer(131_088), Arg::Input(2), Arg::Value(4), Arg::Pointer(131_136)]
    );
    assert_eq!((layout.first_page, layout.pages), (2, 1));
    let x = &layout.inputs[2];
    assert_eq!((x.name.as_str(), x.ty, x.count, x.scalar, x.address), ("x", ElemType::I16, 1, true, None));
    assert_eq!(x.range, Some((-5, 5)));
    assert_eq!(layout.inputs[3].range, Some((0, 1)));
    assert_eq!(layout.inputs[3].count, 0);
    let none = parse("f(n)").layout(3, 65_536).unwrap();
    assert_eq!((none.first_page, none.pages), (1, 0));
}

#[test]
fn sizes_and_ranges_that_make_no_sense_are_refused() {
    let refused = |text: &str, n: i64| parse(text).layout(n, 65_536).unwrap_err().to_string();
    assert!(refused("f(n)", -1).contains("must not be negative"));
    assert!(refused("f(i32[n-5])", 2).contains("-3 elements"));
    assert!(refused("f(u8[n])", 1 << 40).contains("more than"));
    assert!(refused("f(u8[n], u8[n], u8[n])", 25 << 20).contains("more than"));
    assert!(refused("f(u8[n/(n-1)])", 1).contains("divides by zero"));
    assert!(refused("f(u8[2^n])", 1000).contains("too large"));
    assert!(refused("f(u8[2^(n-3)])", 1).contains("negative exponent"));
    assert!(refused("f(2^n)", 64).contains("64 bits"));
    assert!(refused("f(u8 in 5..=n)", 3).contains("empty"));
    assert!(refused("f(u8 in 0..=256)", 3).contains("holds 0..=255"));
    assert!(refused("f(char in 0..=255)", 3).contains("u8"));
    assert!(parse("f(u8[n] in 0..=n-1)").layout(0, 65_536).is_ok());
    assert!(parse("f(u8[n])").layout(1, 1 << 32).is_err());
}

#[test]
fn calls_are_checked_against_the_function() {
    use ValType::{F64, I32, I64};
    let spec = parse("f(i32[n], n, i64, f64, u8)");
    assert_eq!(spec.check(&[I32, I32, I64, F64, I32]), Ok(()));
    assert_eq!(spec.check(&[I32, I64, I64, F64, I32]), Ok(()));
    let refused = |params: &[ValType]| spec.check(params).unwrap_err().to_string();
    assert_eq!(refused(&[I32]), "`f` takes 1 parameter (i32), but --call gives 5");
    assert!(refused(&[I64, I32, I64, F64, I32]).contains("argument 1 of `f` is i64 in the module"));
    assert!(refused(&[I32, F64, I64, F64, I32]).contains("write f64"));
    assert!(refused(&[I32, I32, I32, F64, I32]).contains("C's long has 32 bits"));
    assert!(matches!(spec.params[4].kind, ParamKind::Scalar(ElemType::U8)));
}

#[test]
fn arbitrary_text_never_crashes_the_parser() {
    const SEEDS: [&str; 6] = [
        "isort(a: i32[n], n)",
        "f(i32[n*n] in 0..=99, n+1, u8)",
        "g(name: char[2*n+1] in 'a'..='z', -n^2 % 3, (n - 1)/2)",
        "\"ns::f(int)\"(x: bool, y: f64 in 0..10)",
        "h(0xff, 1_000, u64[n**2], i8 in -128..=127)",
        "k(((((n)))), -----n)",
    ];
    const PIECES: &[u8] = b"()[],:+-*/%^.= n0129u8i32f64inabool'\"\\_x\xc3\xa9\x00\xff";
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for round in 0..20_000 {
        let mut text: Vec<u8> = if round % 4 == 0 {
            (0..random(40)).map(|_| PIECES[random(PIECES.len())]).collect()
        } else {
            SEEDS[random(SEEDS.len())].as_bytes().to_vec()
        };
        for _ in 0..random(4) {
            let at = random(text.len() + 1);
            match random(4) {
                0 => text.insert(at, PIECES[random(PIECES.len())]),
                1 if at < text.len() => drop(text.remove(at)),
                2 if at < text.len() => text[at] = PIECES[random(PIECES.len())],
                _ => {
                    let from = random(text.len() + 1).min(at);
                    let copy = text[from..at].to_vec();
                    text.splice(at..at, copy);
                }
            }
        }
        fuzz_call_parser(&text);
    }
}

#[test]
fn structs_lie_in_memory_as_c_puts_them() {
    let spec = parse("f(p: { tag: u8, s: cstr[2], x: i16, len: u32 = n }[n], q: { a: i32, b: inline { c: f64 } })");
    let layout = spec.layout(3, 0).unwrap();
    let input = |name: &str| layout.inputs.iter().find(|input| input.name == name).expect("an input");
    let places =
        |name: &str| -> Vec<u32> { (0..input(name).count).filter_map(|i| input(name).element_address(i)).collect() };
    // tag at 0, s at 4, x at 8, len at 12: 16 bytes each.
    assert_eq!(places("p.tag"), [0, 16, 32]);
    assert_eq!(places("p.x"), [8, 24, 40]);
    // The texts follow the structs, each aligned, with its NUL.
    assert_eq!(places("p.s"), [48, 49, 64, 65, 80, 81]);
    let fixed = |address: u32| layout.fixed.iter().find(|fixed| fixed.address == address).map(|f| f.bytes.clone());
    assert_eq!(fixed(4), Some(48u32.to_le_bytes().to_vec()));
    assert_eq!(fixed(36), Some(80u32.to_le_bytes().to_vec()));
    assert_eq!(fixed(28), Some(3u32.to_le_bytes().to_vec()));
    assert!(input("q.a").scalar && input("q.b.c").scalar && !input("p.tag").scalar);
    let first = input("q.a").address.expect("in memory");
    assert_eq!(input("q.b.c").address, Some(first + 8));
}

#[test]
fn text_has_a_terminator_and_output_has_room() {
    let layout = parse("f(s: cstr[n], t: str[n], out u32[n], \"ab\", null, u8[n])").layout(16, 0).unwrap();
    let pointers: Vec<u32> =
        layout.args.iter().filter_map(|arg| if let Arg::Pointer(at) = arg { Some(*at) } else { None }).collect();
    assert_eq!(pointers, [0, 32, 48, 112, 128]);
    assert_eq!(layout.args[4], Arg::Value(0));
    assert_eq!((layout.inputs[0].range, layout.inputs[1].range), (Some((1, 255)), Some((0, 127))));
    assert_eq!(layout.fixed.len(), 1);
    assert_eq!(layout.fixed[0].bytes, b"ab\0");
    assert!(parse("f(nobody[n])").layout(1, 0).unwrap_err().to_string().contains("`nobody`"));
    assert!(parse("f({ len: u8 = n })").layout(300, 0).unwrap_err().to_string().contains("does not fit u8"));
}

/// Found by `slowpath-fuzz signature`: printed without the word, it was text.
#[test]
fn a_struct_named_like_a_type_is_printed_with_the_word() {
    for call in ["f(s: struct cstr[n])", "f(s: struct i32[n])", "f(s: struct int)", "f(s: point[n])"] {
        assert_eq!(slowpath_program::call::CallSpec::parse(call).expect("it can be read").to_string(), call);
        fuzz_call_parser(call.as_bytes());
    }
}
