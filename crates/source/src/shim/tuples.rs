//! Tuples of numbers of Rust, alone and as elements: each place of them is a parameter, or an array, of its own.

use super::Piece;
use super::signature::{Argument, next};

/// The numbers that a tuple is made of, each with what it is in a plain signature; None where it is no tuple, or not of numbers.
fn places(ty: &str, element: fn(&str) -> Option<&'static str>) -> Option<Vec<(String, &'static str)>> {
    let inside = ty.strip_prefix('(')?.strip_suffix(')')?;
    if !inside.contains(',') {
        return None;
    }
    let written = inside.split(',').map(str::trim).filter(|place| !place.is_empty());
    written.map(|place| Some((place.to_owned(), element(place)?))).collect()
}

/// The elements of a container, and how it is made of a vector: `Vec<(u8, u32)>`, `[(u8, u32)]`.
fn container(owned: &str) -> Option<(&str, &'static str)> {
    let inside = |open: &str, close: &str| owned.strip_prefix(open)?.strip_suffix(close).map(str::trim);
    if let Some(element) = inside("Vec<", ">") {
        return Some((element, ""));
    }
    if let Some(element) = inside("Box<[", "]>") {
        return Some((element, ".into_boxed_slice()"));
    }
    inside("[", "]").map(|element| (element, ""))
}

fn condition(argument: &Argument) -> String {
    argument.condition.as_deref().map_or_else(String::new, |text| format!(" in {text}"))
}

/// What a tuple, or a container of them, becomes; None where the argument is none.
pub(super) fn piece(
    argument: &Argument,
    reference: &str,
    owned: &str,
    i: usize,
    element: fn(&str) -> Option<&'static str>,
) -> Option<Piece> {
    let pass = format!("{reference}v{i}");
    if let Some(places) = places(owned, element) {
        let of = |(k, (written, _)): (usize, &(String, &str))| format!("p{i}_{k}: {written}");
        let params = places.iter().enumerate().map(of).collect();
        let parts: String = (0..places.len()).map(|k| format!("p{i}_{k}, ")).collect();
        let plain =
            |(k, (_, ours)): (usize, &(String, &str))| format!("{}_{k}: {ours}{}", argument.name, condition(argument));
        let plain = places.iter().enumerate().map(plain).collect();
        return Some(Piece { params, prepare: vec![format!("let mut v{i} = ({parts});")], pass, plain });
    }
    let (inner, make) = container(owned)?;
    let (places, length) = (places(inner, element)?, argument.length.as_deref()?);
    let of = |(k, (written, _)): (usize, &(String, &str))| format!("p{i}_{k}: *const {written}");
    let mut params: Vec<String> = places.iter().enumerate().map(of).collect();
    params.push(format!("l{i}: usize"));
    let parts: String = (0..places.len()).map(|k| format!("*p{i}_{k}.add(j), ")).collect();
    let made = format!("let mut v{i} = (0..l{i}).map(|j| ({parts})).collect::<::std::vec::Vec<_>>(){make};");
    let plain = |(k, (_, ours)): (usize, &(String, &str))| {
        format!("{}_{k}: {ours}[{length}]{}", argument.name, condition(argument))
    };
    let mut plain: Vec<String> = places.iter().enumerate().map(plain).collect();
    plain.push(length.to_owned());
    let pass = if owned.starts_with('[') { format!("{reference}v{i}[..]") } else { pass };
    Some(Piece { params, prepare: vec![made], pass, plain })
}

/// The statements that make it on the host, and what is passed. `at` is the next of the plain parameters.
pub(super) fn host_piece(
    argument: &Argument,
    reference: &str,
    owned: &str,
    i: usize,
    at: &mut usize,
    element: fn(&str) -> Option<&'static str>,
) -> Option<(String, String)> {
    let pass = format!("{reference}v{i}");
    if let Some(places) = places(owned, element) {
        let parts: String = places.iter().map(|(written, _)| format!("p{} as {written}, ", next(at))).collect();
        return Some((format!("    let mut v{i} = ({parts});\n"), pass));
    }
    let (inner, make) = container(owned)?;
    let places = places(inner, element).filter(|_| argument.length.is_some())?;
    let parts: String = places.iter().map(|(written, _)| format!("*p{}.add(j) as {written}, ", next(at))).collect();
    let made = format!("(0..p{} as usize).map(|j| ({parts})).collect::<Vec<_>>(){make}", next(at));
    let pass = if owned.starts_with('[') { format!("{reference}v{i}[..]") } else { pass };
    Some((format!("    let mut v{i} = {made};\n"), pass))
}
