//! The generated function of Rust.

use super::name::checked;
use super::signature::{Argument, ShimError, Signature, TAKE_OUT, is_ascii, next};
use super::{Piece, Shim, array, number, tuples};

const KNOWN: &str = "numbers, bool, char, &str, String, &[T], Vec<T>, Box<[T]> and [T; 4] of numbers, & and &mut of these, \
                     Option of a number, tuples of numbers and &[T], Vec<T> of these, and expressions over n";

/// What comes before the function: the measured region, and a hook that tells why a panic happened.
const PRELUDE: &str = r#"
#[allow(warnings, unsafe_code)]
mod slowpath_shim {
    mod host {
        #[link(wasm_import_module = "slowpath")]
        extern "C" {
            pub fn begin();
            pub fn end();
            pub fn panic(message: *const u8, length: usize, file: *const u8, file_length: usize, line: u32);
        }
    }

    fn tell_of_panics() {
        ::std::panic::set_hook(::std::boxed::Box::new(|info| {
            let payload = info.payload();
            let made = || payload.downcast_ref::<::std::string::String>().map(|text| text.as_str());
            let message = payload.downcast_ref::<&'static str>().copied().or_else(made).unwrap_or("");
            let (file, line) = info.location().map_or(("", 0), |place| (place.file(), place.line()));
            unsafe { host::panic(message.as_ptr(), message.len(), file.as_ptr(), file.len(), line) }
        }));
    }
"#;

/// What runs an iterator through, of which a function has done nothing yet when it returns it, and leaves everything else alone: of two methods of one name
/// the compiler takes that of the type itself, if there is one, and else that of a reference to it.
pub(super) const RUN_THROUGH: &str = r#"
    struct Given<T>(T);
    trait RunThrough {
        fn run_through(&mut self, begin: unsafe fn(), end: unsafe fn());
    }
    impl<I: ::std::iter::Iterator> RunThrough for Given<I> {
        fn run_through(&mut self, begin: unsafe fn(), end: unsafe fn()) {
            // Two ends of a place in a text, most likely.
            if ::std::any::type_name::<I>().starts_with("core::ops::range::") {
                return;
            }
            unsafe { begin() };
            for _ in 0..1_000_000 {
                if self.0.next().is_none() {
                    break;
                }
            }
            unsafe { end() };
        }
    }
    trait TakeOut {
        type Value;
        fn take_out(self) -> ::std::option::Option<Self::Value>;
    }
    impl<T> TakeOut for ::std::option::Option<T> {
        type Value = T;
        fn take_out(self) -> ::std::option::Option<T> { self }
    }
    impl<T, E> TakeOut for ::std::result::Result<T, E> {
        type Value = T;
        fn take_out(self) -> ::std::option::Option<T> { self.ok() }
    }
    trait LeaveAlone {
        fn run_through(&self, _begin: unsafe fn(), _end: unsafe fn()) {}
    }
    impl<T> LeaveAlone for &mut Given<T> {}
"#;

/// What a file of Rust has at its end, for its panics to say what happened: a start that costs nothing.
pub(crate) fn panic_hook() -> String {
    let start = "pub extern \"C\" fn start() {\n        tell_of_panics();\n    }\n}\n";
    format!("{PRELUDE}\n    #[export_name = \"_initialize\"]\n    {start}")
}

/// Whether an argument is more than a number, a plain array or an expression.
pub(super) fn is_typed(argument: &Argument) -> bool {
    let ty = argument.ty.as_str();
    let is_tuple = ty.starts_with('(') && ty.contains(',');
    ty.starts_with('&')
        || ty == "String"
        || is_tuple
        || ["Vec<", "Box<", "Option<", "["].iter().any(|start| ty.starts_with(start))
}

/// The shim of a function, which can be called as `path`.
pub(super) fn shim(signature: &Signature, path: &str) -> Result<Shim, ShimError> {
    let pieces: Vec<Piece> =
        signature.all_arguments().enumerate().map(|(i, a)| piece(a, i)).collect::<Result<_, _>>()?;
    let list = |part: fn(&Piece) -> Vec<String>| pieces.iter().flat_map(part).collect::<Vec<_>>();
    let function = &signature.whole_name();
    let mut text = [PRELUDE, RUN_THROUGH].concat();
    text += &format!("\n    #[export_name = {function:?}]\n");
    text += &format!("    pub unsafe extern \"C\" fn call({}) {{\n", list(|piece| piece.params.clone()).join(", "));
    text += "        tell_of_panics();\n";
    for line in list(|piece| piece.prepare.clone()) {
        text += &format!("        {line}\n");
    }
    text += "        host::begin();\n";
    let passed: Vec<&str> = pieces.iter().map(|piece| piece.pass.as_str()).collect();
    text += &calls(signature, path, &passed, "{ host::end(); return }")?;
    text += "        host::end();\n        let mut result = Given(result);\n        (&mut result).run_through(begin, end);\n";
    // Or an optimiser might see that nobody wants to know.
    text += "        let _ = ::core::ptr::read_volatile(&&result);\n    }\n";
    text += "    unsafe fn begin() { host::begin() }\n    unsafe fn end() { host::end() }\n}\n";
    let call = format!("\"{function}\"({})", list(|piece| piece.plain.clone()).join(", "));
    Ok(Shim { call, function: function.clone(), text, flags: Vec::new() })
}

/// The statements that call the function, and methods of what it gives, or `leave` where there is none. Each has a variable of its own, since what one gives may
/// be borrowed by the next.
pub(super) fn calls(signature: &Signature, path: &str, passed: &[&str], leave: &str) -> Result<String, ShimError> {
    let (first, mut rest) = passed.split_at(signature.arguments.len());
    let mut text = format!("        let mut result = {path}({});\n", first.join(", "));
    for method in &signature.methods {
        if method.name == TAKE_OUT {
            let given = format!("Some(given) => given, None => {leave}");
            text += &format!("        let mut result = match TakeOut::take_out(result) {{ {given} }};\n");
            continue;
        }
        let (own, after) = rest.split_at(method.arguments.len());
        text += &format!("        let mut result = result.{}({});\n", checked(&method.name)?, own.join(", "));
        rest = after;
    }
    Ok(text)
}

fn piece(argument: &Argument, i: usize) -> Result<Piece, ShimError> {
    let ty = argument.ty.replace("&mut ", "&mut").replace("&'static ", "&");
    let (reference, owned) = match (ty.strip_prefix("&mut"), ty.strip_prefix('&')) {
        (Some(rest), _) => ("&mut ", rest.trim()),
        (None, Some(rest)) => ("&", rest.trim()),
        _ => ("", ty.as_str()),
    };
    let slice = |element: &str| {
        let (pointer, function) =
            if reference == "&mut " { ("*mut", "from_raw_parts_mut") } else { ("*const", "from_raw_parts") };
        let params = vec![format!("p{i}: {pointer} {element}"), format!("l{i}: usize")];
        (params, format!("::std::slice::{function}(p{i}, l{i})"))
    };
    let length = || argument.length.clone().ok_or_else(|| ShimError::NoLength { ty: argument.ty.clone() });
    if let Some(piece) = tuples::piece(argument, reference, owned, i, element_type) {
        return Ok(piece);
    }
    if owned == "str" || owned == "String" {
        let is_utf8 = argument.condition.as_deref() == Some("utf8");
        if argument.condition.as_deref().is_some_and(|condition| !is_utf8 && !is_ascii(condition)) {
            return Err(ShimError::NotText { name: argument.name.clone() });
        }
        let (params, bytes) = slice("u8");
        let (make, pass) = match (owned, reference) {
            ("str", "&mut ") => (format!("::std::str::from_utf8_unchecked_mut({bytes})"), format!("v{i}")),
            ("str", _) => (format!("::std::str::from_utf8_unchecked({bytes})"), format!("v{i}")),
            _ => (format!("::std::string::String::from_utf8_unchecked({bytes}.to_vec())"), format!("{reference}v{i}")),
        };
        let plain = if is_utf8 {
            array(&Argument { condition: None, ..argument.clone() }, "utf8", &length()?, "")
        } else {
            array(argument, "u8", &length()?, " in 0..=127")
        };
        return Ok(Piece { params, prepare: vec![format!("let mut v{i} = {make};")], pass, plain });
    }
    let inside = |open: &str, close: &str| owned.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some((element, count)) = inside("[", "]").and_then(|inside| inside.split_once(';')) {
        let (element, count) = (element.trim(), count.trim());
        let ours = element_type(element).ok_or_else(|| unknown(argument))?;
        let params = vec![format!("p{i}: *const {element}")];
        let prepare = vec![format!("let mut v{i} = *(p{i} as *const [{element}; {count}]);")];
        let plain = array(argument, ours, count, "").into_iter().take(1).collect();
        return Ok(Piece { params, prepare, pass: format!("{reference}v{i}"), plain });
    }
    let container = [("[", "]", ""), ("Vec<", ">", ".to_vec()"), ("Box<[", "]>", ".to_vec().into_boxed_slice()")]
        .into_iter()
        .find_map(|(open, close, make)| Some((inside(open, close)?.trim(), make)));
    // A plain array is a slice.
    let container = container.or_else(|| argument.length.as_ref().map(|_| (owned, "")));
    if let Some((element, make)) = container {
        let ours = element_type(element).ok_or_else(|| unknown(argument))?;
        let (params, elements) = slice(element);
        let pass = if make.is_empty() { format!("v{i}") } else { format!("{reference}v{i}") };
        let prepare = vec![format!("let mut v{i} = {elements}{make};")];
        return Ok(Piece { params, prepare, pass, plain: array(argument, ours, &length()?, "") });
    }
    if let Some(element) = inside("Option<", ">") {
        let ours = element_type(element).ok_or_else(|| unknown(argument))?;
        let params = vec![format!("p{i}: {element}")];
        let prepare = vec![format!("let mut v{i} = ::core::option::Option::Some(p{i});")];
        return Ok(Piece { params, prepare, pass: format!("{reference}v{i}"), plain: number(argument, ours, "") });
    }
    if owned == "char" {
        // Below the surrogates, where every number is a character.
        let prepare = vec![format!("let mut v{i} = ::core::char::from_u32_unchecked(p{i});")];
        let plain = number(argument, "u32", " in 0..=55295");
        return Ok(Piece { params: vec![format!("p{i}: u32")], prepare, pass: format!("{reference}v{i}"), plain });
    }
    if let Some(ours) = element_type(owned) {
        let prepare = vec![format!("let mut v{i} = p{i};")];
        let plain = number(argument, ours, "");
        return Ok(Piece { params: vec![format!("p{i}: {owned}")], prepare, pass: format!("{reference}v{i}"), plain });
    }
    let arithmetic = |c: char| c.is_ascii_digit() || " n+-*/%^()_".contains(c);
    if !reference.is_empty() || !owned.chars().all(arithmetic) {
        return Err(unknown(argument));
    }
    let plain = vec![owned.to_owned()];
    Ok(Piece { params: vec![format!("p{i}: i32")], prepare: Vec::new(), pass: format!("p{i} as _"), plain })
}

/// The statements that make argument `i` on the host, and what is passed. `at` is the next of the plain parameters.
pub(super) fn host_piece(argument: &Argument, i: usize, at: &mut usize) -> Result<(String, String), ShimError> {
    let ty = argument.ty.replace("&mut ", "&mut").replace("&'static ", "&");
    let (reference, owned) = match (ty.strip_prefix("&mut"), ty.strip_prefix('&')) {
        (Some(rest), _) => ("&mut ", rest.trim()),
        (None, Some(rest)) => ("&", rest.trim()),
        _ => ("", ty.as_str()),
    };
    if let Some(made) = tuples::host_piece(argument, reference, owned, i, at, element_type) {
        return Ok(made);
    }
    let p = next(at);
    if let Some(target) = ty.strip_prefix("*mut ").or_else(|| ty.strip_prefix("*const ")) {
        element_type(target).filter(|_| !is_wider(target)).ok_or_else(|| unknown(argument))?;
        return Ok((String::new(), format!("p{p} as {ty}")));
    }
    let pass = format!("{reference}v{i}");
    let slice = |element: &str, l: usize| {
        let make = if reference == "&mut " { "from_raw_parts_mut" } else { "from_raw_parts" };
        format!("::std::slice::{make}(p{p} as *mut {element}, p{l} as usize)")
    };
    if owned == "str" || owned == "String" {
        let bytes = slice("u8", next(at));
        let (make, pass) = match (owned, reference) {
            ("str", "&mut ") => (format!("::std::str::from_utf8_unchecked_mut({bytes})"), format!("v{i}")),
            ("str", _) => (format!("::std::str::from_utf8_unchecked({bytes})"), format!("v{i}")),
            _ => (format!("::std::string::String::from_utf8_unchecked({bytes}.to_vec())"), pass),
        };
        return Ok((format!("    let mut v{i} = {make};\n"), pass));
    }
    let inside = |open: &str, close: &str| owned.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some((element, count)) = inside("[", "]").and_then(|inside| inside.split_once(';')) {
        let (element, count) = (element.trim(), count.trim());
        element_type(element).ok_or_else(|| unknown(argument))?;
        count.parse::<u32>().map_err(|_| unknown(argument))?;
        let made = format!(
            "    let mut v{i}: [{element}; {count}] = ::core::array::from_fn(|i| *p{p}.add(i) as {element});\n"
        );
        return Ok((made, pass));
    }
    let container = [("[", "]", ""), ("Vec<", ">", ""), ("Box<[", "]>", ".into_boxed_slice()")]
        .into_iter()
        .find_map(|(open, close, make)| Some((inside(open, close)?.trim(), make, open)));
    // A plain array is a slice.
    let container = container.or_else(|| argument.length.as_ref().map(|_| (owned, "", "[")));
    if let Some((element, make, open)) = container {
        element_type(element).ok_or_else(|| unknown(argument))?;
        let l = next(at);
        return Ok(match (open, is_wider(element)) {
            ("[", false) => (format!("    let v{i} = {};\n", slice(element, l)), format!("v{i}")),
            (_, false) => (format!("    let mut v{i} = {}.to_vec(){make};\n", slice(element, l)), pass),
            (_, true) => {
                let ours = element_type(element).unwrap_or("u32");
                let narrow = format!("::std::slice::from_raw_parts(p{p} as *const {ours}, p{l} as usize)");
                let wide = format!("{narrow}.iter().map(|x| *x as {element}).collect::<Vec<_>>(){make}");
                let pass = if open == "[" { format!("{reference}v{i}[..]") } else { pass };
                (format!("    let mut v{i} = {wide};\n"), pass)
            }
        });
    }
    if let Some(element) = inside("Option<", ">") {
        element_type(element).ok_or_else(|| unknown(argument))?;
        return Ok((format!("    let mut v{i} = ::core::option::Option::Some(p{p} as {element});\n"), pass));
    }
    if owned == "char" {
        return Ok((format!("    let mut v{i} = ::core::char::from_u32_unchecked(p{p} as u32);\n"), pass));
    }
    if element_type(owned).is_some() {
        return Ok((format!("    let mut v{i} = p{p} as {owned};\n"), pass));
    }
    let arithmetic = |c: char| c.is_ascii_digit() || " n+-*/%^()_".contains(c);
    if !reference.is_empty() || owned.is_empty() || !owned.chars().all(arithmetic) {
        return Err(unknown(argument));
    }
    Ok((String::new(), format!("p{p} as _")))
}

/// Whether a number has more bits on the host than on wasm32.
fn is_wider(ty: &str) -> bool {
    ["usize", "isize"].contains(&ty)
}

fn unknown(argument: &Argument) -> ShimError {
    ShimError::Unknown { ty: argument.ty.clone(), known: KNOWN }
}

/// What a number of Rust is in a plain signature.
fn element_type(ty: &str) -> Option<&'static str> {
    Some(match ty.trim() {
        "usize" => "u32",
        "isize" => "i32",
        "i8" => "i8",
        "u8" => "u8",
        "i16" => "i16",
        "u16" => "u16",
        "i32" => "i32",
        "u32" => "u32",
        "i64" => "i64",
        "u64" => "u64",
        "f32" => "f32",
        "f64" => "f64",
        "bool" => "bool",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Shim;

    #[test]
    fn types_become_pointers_lengths_and_numbers() {
        let call = |text: &str| Shim::for_crate(text).map(|shim| shim.call);
        assert_eq!(call("c::f(&str[n])").as_deref(), Ok("\"c::f\"(arg0: u8[n] in 0..=127, n)"));
        assert_eq!(call("c::f(v: &mut Vec<usize>[2*n], n)").as_deref(), Ok("\"c::f\"(v: u32[2*n], 2*n, n)"));
        assert_eq!(
            call("c::f([i64; 4], x: Option<u8> in 1..=3)").as_deref(),
            Ok("\"c::f\"(arg0: i64[4], x: u8 in 1..=3)")
        );
        assert_eq!(
            call("c::f(t: (i32, u8), v: &[(u16, bool)][n] in 0..=1)").as_deref(),
            Ok("\"c::f\"(t_0: i32, t_1: u8, v_0: u16[n] in 0..=1, v_1: bool[n] in 0..=1, n)")
        );
        assert_eq!(
            call("c::P::new(s: &str[n])?.find(&[u8][n], n)").as_deref(),
            Ok("\"c::P::new?.find\"(s: u8[n] in 0..=127, n, arg1: u8[n], n, n)")
        );
        assert!(call("c::P::new(&str[n]).f; g()").is_err() && call("c::P::new(&str[n]).f\n()").is_ok());
        for wrong in
            ["c::f(&str)", "c::f(HashMap<u8, u8>)", "c::f(s: String[n] in 0..=255)", "c::f(Vec<String>[n])", "c::f"]
        {
            assert!(call(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_plain_call_of_a_file_needs_no_shim() {
        let shim = |call: &str, file: &str| Shim::for_file(call, Path::new(file));
        assert_eq!(shim("f(a: i32[n], n)", "a.rs"), Ok(None));
        assert!(shim("f(&[i32][n])", "a.rs").is_ok_and(|shim| shim.is_some()));
        assert_eq!(shim("f(&[i32][n])", "a.c"), Ok(None));
    }
}
