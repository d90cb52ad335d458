//! The generated function of C that sets something up before it calls: `parse(p: out u8[16], s: cstr[n]) after init(p, mode: u32)`.
//!
//! Its parameters are those of the function, and behind them what only the other one is given. What it sets up is memory that the call names, which is zero before.

use super::Shim;
use super::signature::{Argument, ShimError, Signature, top_level};

const AFTER: &str = " after ";

/// A call in two parts, if it is one: of the function, and of the one that sets up what it takes.
pub(super) fn read(call: &str) -> Option<(&str, &str)> {
    let at = top_level(call, ' ').find(|at| call[*at..].starts_with(AFTER))?;
    Some((call[..at].trim(), call[at + AFTER.len()..].trim()))
}

/// The file itself is included before this text. No part of the call becomes part of it but names, each of which is one.
pub(super) fn shim(call: &str, before: &str) -> Result<Shim, ShimError> {
    let read = |text: &str| {
        let signature = Signature::read(text).filter(|read| read.methods.is_empty());
        signature.ok_or_else(|| ShimError::NotACall { call: text.to_owned() })
    };
    let (own, first) = (read(call)?, read(before)?);
    let (function, first_function) = (named(&own.function)?, named(&first.function)?);
    let known: Vec<&str> = own.arguments.iter().map(|argument| argument.name.as_str()).collect();
    let mut params: Vec<String> = own.arguments.iter().enumerate().map(param).collect();
    let mut more = Vec::new();
    let mut passed = Vec::new();
    for argument in &first.arguments {
        let of_the_call = known.iter().position(|name| *name == argument.text);
        passed.push(match of_the_call {
            Some(place) => format!("p{place}"),
            None => {
                params.push(param((params.len(), argument)));
                more.push(argument.text.clone());
                format!("p{}", params.len() - 1)
            }
        });
    }
    let own_passed: Vec<String> = (0..own.arguments.len()).map(|place| format!("p{place}")).collect();
    let name = format!("{function} after {first_function}");
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let text = format!(
        "\n#include <slowpath.h>\nvoid slowpath_shim({params}) __asm__({name:?});\nvoid slowpath_shim({params}) {{\n    \
         (void){first_function}({});\n    slowpath_begin();\n    (void){function}({});\n    slowpath_end();\n}}\n",
        passed.join(", "),
        own_passed.join(", "),
    );
    let arguments: Vec<String> = own.arguments.iter().map(|argument| argument.text.clone()).chain(more).collect();
    let call = format!("{name:?}({})", arguments.join(", "));
    // Memory of any kind is handed on as it is.
    let flags = ["-Wno-int-conversion", "-Wno-incompatible-pointer-types"].map(str::to_owned).to_vec();
    Ok(Shim { call, function: name, text, flags })
}

/// A parameter of the generated function: memory, a number of its type, or what is made from n.
fn param((place, argument): (usize, &Argument)) -> String {
    let of_number = |ty: &str| {
        Some(match ty {
            "i8" | "char" => "signed char",
            "u8" | "bool" => "unsigned char",
            "i16" => "short",
            "u16" => "unsigned short",
            "i32" => "int",
            "u32" => "unsigned",
            "i64" => "long long",
            "u64" => "unsigned long long",
            "f32" => "float",
            "f64" => "double",
            _ => return None,
        })
    };
    let is_arithmetic = |text: &str| text.chars().all(|c| c.is_ascii_digit() || " n+-*/%^()".contains(c));
    match of_number(&argument.ty).filter(|_| argument.length.is_none()) {
        Some(number) => format!("{number} p{place}"),
        None if is_arithmetic(&argument.text) => format!("int p{place}"),
        None => format!("void *p{place}"),
    }
}

/// A name of C, and nothing else.
fn named(name: &str) -> Result<&str, ShimError> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
    if is_name && name.len() <= 256 { Ok(name) } else { Err(ShimError::NotAName { name: name.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::{read, shim};

    #[test]
    fn what_is_set_up_is_handed_to_both() {
        let call = "parse(p: out u8[16], s: cstr[n] in \"a after b\", n) after init(p, mode: u32 in 0..=2)";
        let (own, before) = read(call).expect("two parts");
        let made = shim(own, before).expect("a shim");
        assert_eq!(
            made.call,
            "\"parse after init\"(p: out u8[16], s: cstr[n] in \"a after b\", n, mode: u32 in 0..=2)"
        );
        assert!(made.text.contains("void slowpath_shim(void *p0, void *p1, int p2, unsigned p3) {"), "{}", made.text);
        assert!(made.text.contains("(void)init(p0, p3);\n    slowpath_begin();\n    (void)parse(p0, p1, p2);"));
        assert!(read("find(s: cstr[n] in \"x after y\")").is_none());
    }

    #[test]
    fn a_call_brings_no_code_with_it() {
        for (call, before) in
            [("f(x: i32)", "g(); system(x)"), ("f;(x: i32)", "g(x)"), ("f(x: i32)", "g h(x)"), ("f", "g(x)")]
        {
            assert!(shim(call, before).is_err(), "{call} after {before}");
        }
        let odd = shim("f(x); system(1: i32)", "g(y: \"); system(1\")").map(|shim| shim.text);
        assert!(odd.is_err() || odd.is_ok_and(|text| !text.contains("system")));
    }
}
