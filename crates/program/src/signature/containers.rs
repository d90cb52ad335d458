//! Calls of functions that take strings and vectors of C++ and Rust, which a generated function makes from plain arrays.

use super::names::{is_length, is_needle, usable};
use crate::types::{FunctionType, Parameter, SourceLanguage, Type, TypeId, Types};

/// The call of a function with the types of its source; none where something is neither a number nor a container that can be made.
pub(super) fn call(types: &Types, function: &FunctionType, name: &str) -> Option<String> {
    let (arguments, has_container) = arguments(types, function, &function.params)?;
    has_container.then(|| format!("{name}({arguments})"))
}

/// The arguments of a method of Rust behind the value that it is called on; none where it is no method, or takes what cannot be made.
pub(super) fn method_arguments(types: &Types, function: &FunctionType) -> Option<String> {
    let (first, rest) = function.params.split_first()?;
    let is_method = function.language == SourceLanguage::Rust && first.name == "self";
    is_method.then(|| arguments(types, function, rest)).flatten().map(|(arguments, _)| arguments)
}

/// These parameters with the types of the source, and whether there is a container among them.
fn arguments(types: &Types, function: &FunctionType, params: &[Parameter]) -> Option<(String, bool)> {
    let (mut has_container, mut ends) = (false, None);
    let mut arguments = Vec::new();
    for (position, param) in params.iter().enumerate() {
        if param.is_artificial {
            return None;
        }
        let own = usable(&param.name, position);
        if let Type::Number { name: number, .. } = types.plain(param.ty) {
            arguments.push(if is_length(&own) { "n".to_owned() } else { format!("{own}: {number}") });
            continue;
        }
        has_container = true;
        if let Some(number) = referred_number(types, function.language, param.ty) {
            arguments.push(format!("{own}: {number} &"));
            continue;
        }
        let container = match function.language {
            SourceLanguage::Rust if is_fixed(&types.show_rust(param.ty)) => {
                arguments.push(format!("{own}: {}", types.show_rust(param.ty)));
                continue;
            }
            SourceLanguage::Rust => of_rust(&types.show_rust(param.ty))?,
            SourceLanguage::C => return None,
            _ => match iterator(struct_name(types, param.ty)) {
                // Both ends of one container.
                Some(_) if ends.take().is_some_and(|first| first == param.ty) => continue,
                Some(container) => {
                    ends = Some(param.ty);
                    container
                }
                None => of_cpp(&types.show(param.ty))?,
            },
        };
        let is_text = |ty: &str| ty.ends_with("str") || ty.ends_with("String") || ty.contains("string");
        let is_beside =
            |other: &Parameter| !is_needle(&other.name) && !matches!(types.plain(other.ty), Type::Number { .. });
        let shorter = is_text(&container) && is_needle(&param.name) && params.iter().any(is_beside);
        arguments.push(format!("{own}: {container}[{}]", if shorter { "n/2" } else { "n" }));
    }
    // One end alone says nothing.
    ends.is_none().then(|| (arguments.join(", "), has_container))
}

/// The number that a reference of C++ refers to.
fn referred_number(types: &Types, language: SourceLanguage, ty: TypeId) -> Option<&str> {
    match (types.plain(ty), types.target(ty).map(|to| types.plain(to))) {
        (Type::Pointer { reference: true, .. }, Some(Type::Number { name, .. })) if language == SourceLanguage::Cpp => {
            Some(name)
        }
        _ => None,
    }
}

/// A container of C++ as a call names it.
fn of_cpp(ty: &str) -> Option<String> {
    let ty = ty.trim_end_matches(['&', ' ']);
    let ty = ty.strip_prefix("const ").unwrap_or(ty);
    let ty = ty.strip_prefix("std::").unwrap_or(ty);
    let (name, element) = ty.split_once('<').map_or((ty, ""), |(name, rest)| (name, rest));
    let element = element.split([',', '>']).next().unwrap_or_default().trim();
    Some(match name {
        "string" => "std::string".to_owned(),
        "basic_string" if element == "char" => "std::string".to_owned(),
        "string_view" => "std::string_view".to_owned(),
        "basic_string_view" if element == "char" => "std::string_view".to_owned(),
        "vector" | "span" if !element.is_empty() => format!("std::{name}<{element}>"),
        _ => return None,
    })
}

/// The name of a struct, arguments of its template included; nothing of what is none.
fn struct_name(types: &Types, ty: TypeId) -> &str {
    match types.plain(ty) {
        Type::Struct(found) => &found.name,
        _ => "",
    }
}

/// The iterator of a vector, as the library calls it, as a call names it.
fn iterator(ty: &str) -> Option<String> {
    let (_, inner) = ty.split_once("__wrap_iter<")?;
    let element = inner.trim_end_matches(['>', ' ']).strip_suffix('*')?.trim_end();
    let element = element.strip_prefix("const ").unwrap_or(element);
    (!element.is_empty()).then(|| format!("std::vector<{element}>::iterator"))
}

/// Whether a type of Rust has as many numbers as it says, whatever n is.
fn is_fixed(ty: &str) -> bool {
    let inner = ty.trim_start_matches('&').trim_start().trim_start_matches("mut ").trim_start();
    let is_array = inner.starts_with('[') && inner.contains("; ");
    is_array || inner.starts_with('(') && inner.contains(',') || inner.starts_with("Option<")
}

/// A container of Rust as a call names it.
fn of_rust(ty: &str) -> Option<String> {
    let inner = ty.trim_start_matches('&').trim_start().trim_start_matches("mut ").trim_start();
    let is_text = inner == "str" || inner == "String";
    let is_made = is_text || inner.starts_with("Vec<") || inner.starts_with("Box<[") || inner.starts_with('[');
    is_made.then(|| ty.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_fixed, iterator, of_cpp, of_rust};

    #[test]
    fn containers_are_named_as_calls_name_them() {
        assert_eq!(of_cpp("const string &").as_deref(), Some("std::string"));
        assert_eq!(of_cpp("basic_string<char, std::char_traits<char> >").as_deref(), Some("std::string"));
        assert_eq!(of_cpp("vector<int, std::allocator<int> > &").as_deref(), Some("std::vector<int>"));
        assert_eq!(of_cpp("map<int, int>"), None);
        assert_eq!(of_rust("&mut Vec<u32>").as_deref(), Some("&mut Vec<u32>"));
        assert_eq!(of_rust("HashMap<u32, u32>"), None);
        assert_eq!(iterator("std::__1::__wrap_iter<const int *>").as_deref(), Some("std::vector<int>::iterator"));
        assert!(is_fixed("(u32, u8)") && is_fixed("Option<u8>") && is_fixed("&[u8; 4]"));
        assert!(!is_fixed("()") && !is_fixed("&[u8]") && of_rust("Box<[u8]>").is_some());
    }
}
