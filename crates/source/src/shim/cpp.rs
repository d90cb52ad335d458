//! The generated function of C++.

use super::signature::{Argument, ShimError, Signature, next};
use super::{Piece, Shim, array, number};

const KNOWN: &str = "numbers, std::string, std::string_view, std::vector<T>, std::span<T> of numbers, const and & of these, \
                     iterators of these (both ends, as in std::vector<int>::iterator[n]), and expressions over n";

/// Whether an argument is more than a number, a plain array or an expression.
pub(super) fn is_typed(argument: &Argument) -> bool {
    let ty = argument.ty.as_str();
    ty.starts_with("std::") || ty.starts_with("const ") || ty.ends_with('&')
}

/// The file itself is included before this text.
pub(super) fn shim(signature: &Signature) -> Result<Shim, ShimError> {
    let pieces: Vec<Piece> =
        signature.arguments.iter().enumerate().map(|(i, a)| piece(a, i)).collect::<Result<_, _>>()?;
    let list = |part: fn(&Piece) -> Vec<String>| pieces.iter().flat_map(part).collect::<Vec<_>>();
    let function = &signature.function;
    let params = list(|piece| piece.params.clone()).join(", ");
    let spans = signature.arguments.iter().any(|argument| argument.ty.contains("std::span"));
    let mut text = String::from("\n#include <slowpath.h>\n#include <cstddef>\n#include <cstdint>\n#include <string>\n");
    text += "#include <string_view>\n#include <vector>\n";
    text += if spans { "#include <span>\n" } else { "" };
    text += &format!("extern \"C\" void slowpath_shim({params}) __asm__({function:?});\n");
    text += &format!("extern \"C\" void slowpath_shim({params}) {{\n");
    for line in list(|piece| piece.prepare.clone()) {
        text += &format!("    {line}\n");
    }
    let passed: Vec<&str> = pieces.iter().map(|piece| piece.pass.as_str()).collect();
    text +=
        &format!("    slowpath_begin();\n    (void)::{function}({});\n    slowpath_end();\n}}\n", passed.join(", "));
    let call = format!("\"{function}\"({})", list(|piece| piece.plain.clone()).join(", "));
    let flags = if spans { vec!["-std=c++20".to_owned()] } else { Vec::new() };
    Ok(Shim { call, function: function.clone(), text, flags })
}

/// The container of an iterator, which stands for both of its ends.
fn of_iterator(ty: &str) -> Option<&str> {
    ty.strip_suffix("::iterator").or_else(|| ty.strip_suffix("::const_iterator"))
}

fn piece(argument: &Argument, i: usize) -> Result<Piece, ShimError> {
    if let Some(container) = of_iterator(argument.ty.trim()) {
        let made = piece(&Argument { ty: container.to_owned(), ..argument.clone() }, i)?;
        return Ok(Piece { pass: format!("v{i}.begin(), v{i}.end()"), ..made });
    }
    let mut ty = argument.ty.trim();
    let moved = ty.ends_with("&&");
    ty = ty.trim_end_matches('&').trim_end();
    ty = ty.strip_prefix("const ").or_else(|| ty.strip_suffix(" const")).unwrap_or(ty).trim();
    let name = ty.strip_prefix("std::").unwrap_or(ty);
    let pass = if moved { format!("static_cast<std::{name} &&>(v{i})") } else { format!("v{i}") };
    let length = || argument.length.clone().ok_or_else(|| ShimError::NoLength { ty: argument.ty.clone() });
    if name == "string" || name == "string_view" {
        let params = vec![format!("char *p{i}"), format!("std::size_t l{i}")];
        let prepare = vec![format!("std::{name} v{i}(p{i}, l{i});")];
        return Ok(Piece { params, prepare, pass, plain: array(argument, "char", &length()?, "") });
    }
    let inside = |open: &str| name.strip_prefix(open).and_then(|rest| rest.strip_suffix('>')).map(str::trim);
    if let Some(written) = inside("vector<").or_else(|| inside("span<")) {
        let element = written.strip_prefix("const ").unwrap_or(written).trim();
        let ours = element_type(element).ok_or_else(|| unknown(argument))?;
        let params = vec![format!("{element} *p{i}"), format!("std::size_t l{i}")];
        let prepare = vec![match name.starts_with("vector") {
            true => format!("std::vector<{element}> v{i}(p{i}, p{i} + l{i});"),
            false => format!("std::span<{written}> v{i}(p{i}, l{i});"),
        }];
        return Ok(Piece { params, prepare, pass, plain: array(argument, ours, &length()?, "") });
    }
    if let Some(ours) = element_type(ty) {
        let plain = match &argument.length {
            // A plain array is a pointer, whose length is an argument of its own.
            Some(length) => array(argument, ours, length, "").into_iter().take(1).collect(),
            None => number(argument, ours, ""),
        };
        let star = if argument.length.is_some() { "*" } else { "" };
        let prepare = vec![format!("{ty} {star}v{i} = p{i};")];
        return Ok(Piece { params: vec![format!("{ty} {star}p{i}")], prepare, pass: format!("v{i}"), plain });
    }
    let arithmetic = |c: char| c.is_ascii_digit() || " n+-*/%^()_".contains(c);
    if !ty.chars().all(arithmetic) || ty.is_empty() {
        return Err(unknown(argument));
    }
    let plain = vec![ty.to_owned()];
    Ok(Piece { params: vec![format!("int p{i}")], prepare: Vec::new(), pass: format!("p{i}"), plain })
}

/// The statements that make argument `i` on the host, and what is passed. `at` is the next of the plain parameters.
pub(super) fn host_piece(argument: &Argument, i: usize, at: &mut usize) -> Result<(String, String), ShimError> {
    if let Some(container) = of_iterator(argument.ty.trim()) {
        let (made, _) = host_piece(&Argument { ty: container.to_owned(), ..argument.clone() }, i, at)?;
        return Ok((made, format!("v{i}.begin(), v{i}.end()")));
    }
    let mut ty = argument.ty.trim();
    let moved = ty.ends_with("&&");
    ty = ty.trim_end_matches('&').trim_end();
    ty = ty.strip_prefix("const ").or_else(|| ty.strip_suffix(" const")).unwrap_or(ty).trim();
    let name = ty.strip_prefix("std::").unwrap_or(ty);
    let pass = if moved { format!("static_cast<std::{name} &&>(v{i})") } else { format!("v{i}") };
    let p = next(at);
    if name == "string" || name == "string_view" {
        let made = format!("    std::{name} v{i}((const char *)p{p}, (std::size_t)p{});\n", next(at));
        return Ok((made, pass));
    }
    let inside = |open: &str| name.strip_prefix(open).and_then(|rest| rest.strip_suffix('>')).map(str::trim);
    if let Some(written) = inside("vector<").or_else(|| inside("span<")) {
        let element = written.strip_prefix("const ").unwrap_or(written).trim();
        element_type(element).ok_or_else(|| unknown(argument))?;
        let l = next(at);
        let made = match (name.starts_with("vector"), is_wider(element)) {
            (true, _) => format!("    std::vector<{element}> v{i}(p{p}, p{p} + p{l});\n"),
            (false, false) => format!("    std::span<{written}> v{i}(({element} *)p{p}, (std::size_t)p{l});\n"),
            (false, true) => {
                format!("    std::vector<{element}> w{i}(p{p}, p{p} + p{l});\n    std::span<{written}> v{i}(w{i});\n")
            }
        };
        return Ok((made, pass));
    }
    if element_type(ty).is_some() {
        return Ok(match &argument.length {
            Some(_) if is_wider(ty) => return Err(ShimError::Unknown { ty: format!("{ty} *"), known: KNOWN }),
            Some(_) => (String::new(), format!("({ty} *)p{p}")),
            // By name, since it may be taken by reference.
            None => (format!("    {ty} v{i} = ({ty})p{p};\n"), format!("v{i}")),
        });
    }
    let arithmetic = |c: char| c.is_ascii_digit() || " n+-*/%^()_".contains(c);
    if !ty.chars().all(arithmetic) || ty.is_empty() {
        return Err(unknown(argument));
    }
    Ok((String::new(), format!("p{p}")))
}

/// Whether a number has more bits on the host than on wasm32.
fn is_wider(ty: &str) -> bool {
    ["long", "unsigned long", "size_t", "ptrdiff_t"].contains(&ty.strip_prefix("std::").unwrap_or(ty))
}

fn unknown(argument: &Argument) -> ShimError {
    ShimError::Unknown { ty: argument.ty.clone(), known: KNOWN }
}

/// What a number of C++ is in a plain signature. A plain signature's own names will do as well.
fn element_type(ty: &str) -> Option<&'static str> {
    Some(match ty.strip_prefix("std::").unwrap_or(ty) {
        "char" => "char",
        "signed char" | "int8_t" => "i8",
        "unsigned char" | "uint8_t" => "u8",
        "short" | "int16_t" => "i16",
        "unsigned short" | "uint16_t" => "u16",
        "int" | "long" | "int32_t" | "ptrdiff_t" => "i32",
        "unsigned" | "unsigned int" | "unsigned long" | "uint32_t" | "size_t" => "u32",
        "long long" | "int64_t" => "i64",
        "unsigned long long" | "uint64_t" => "u64",
        "float" => "f32",
        "double" => "f64",
        "bool" => "bool",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Shim;

    #[test]
    fn containers_become_pointers_and_lengths() {
        let call = |text: &str| {
            Shim::for_file(text, Path::new("a.cpp"))
                .map(|shim| shim.map_or_else(|| "plain".to_owned(), |shim| shim.call))
        };
        assert_eq!(call("ns::f(const std::string &[n])").as_deref(), Ok("\"ns::f\"(arg0: char[n], n)"));
        assert_eq!(
            call("f(v: std::vector<int>[2*n] in 0..=9, n)").as_deref(),
            Ok("\"f\"(v: i32[2*n] in 0..=9, 2*n, n)")
        );
        assert_eq!(call("f(v: std::vector<int>::iterator[n])").as_deref(), Ok("\"f\"(v: i32[n], n)"));
        assert_eq!(call("f(i32[n], n)").as_deref(), Ok("plain"));
        assert!(call("f(std::map<int, int>[n])").is_err() && call("f(std::string)").is_err());
    }
}
