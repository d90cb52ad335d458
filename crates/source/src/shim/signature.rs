//! A call as the user writes it, with the types of the source: `path::to::parse(text: &str[n] in 32..=126, 2*n)`, in Rust with methods of what it gives behind
//! it: `path::Parser::new(&str[n])?.parse()`, where `?` ends the call if there is none.

/// What is wrong with a call that needs a shim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShimError {
    #[error("`{call}` is no call; give a function with its arguments, as in 'my_crate::parse(&str[n])'")]
    NotACall { call: String },
    #[error("`{ty}`: this type cannot be made here; there are {known}")]
    Unknown { ty: String, known: &'static str },
    #[error("`{ty}` needs a length, as in {ty}[n]")]
    NoLength { ty: String },
    #[error("`{name}` is text, whose bytes are ASCII here: give a range within 0..=127, or `in utf8` for all of UTF-8")]
    NotText { name: String },
    #[error("`{name}` is no name of a function that code could call")]
    NotAName { name: String },
    #[error("`{call}` calls a method of what another call gives: that is for Rust; elsewhere a --harness does it")]
    NotRust { call: String },
    #[error("`{call}` after another call: that is for files of C; elsewhere a --harness sets up what a function takes")]
    NotC { call: String },
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    /// All of it, as it was written.
    pub text: String,
    pub name: String,
    /// The type, or an expression over n.
    pub ty: String,
    pub length: Option<String>,
    /// What follows `in`.
    pub condition: Option<String>,
}

/// A function and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub function: String,
    pub arguments: Vec<Argument>,
    /// Methods that are called on what it gives, one on what the other gives.
    pub methods: Vec<Method>,
}

/// A method and its arguments, or `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Method {
    pub name: String,
    pub arguments: Vec<Argument>,
}

/// What takes the value out of a `Result` or an `Option`, or ends the call.
pub(super) const TAKE_OUT: &str = "?";

impl Signature {
    /// Reads a call; none where it has no list of arguments.
    pub fn read(call: &str) -> Option<Signature> {
        let (function, arguments, mut rest) = one_call(call, 0)?;
        let mut methods = Vec::new();
        let mut before = arguments.len();
        loop {
            if let Some(after) = rest.strip_prefix(TAKE_OUT) {
                methods.push(Method { name: TAKE_OUT.to_owned(), arguments: Vec::new() });
                rest = after.trim_start();
                continue;
            }
            let Some(method) = rest.strip_prefix('.') else { break };
            let (name, arguments, after) = one_call(method, before)?;
            before += arguments.len();
            methods.push(Method { name: name.to_owned(), arguments });
            rest = after;
        }
        rest.is_empty().then(|| Signature { function: function.to_owned(), arguments, methods })
    }

    /// All arguments, those of methods too.
    pub fn all_arguments(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().chain(self.methods.iter().flat_map(|method| &method.arguments))
    }

    /// What is called, in one word: `Parser::new?.parse`.
    pub fn whole_name(&self) -> String {
        let dot = |method: &Method| if method.name == TAKE_OUT { "" } else { "." };
        let methods = self.methods.iter().map(|method| format!("{}{}", dot(method), method.name));
        [self.function.clone()].into_iter().chain(methods).collect()
    }
}

/// The name of a function, its arguments, of which the first has this position, and what stands behind.
fn one_call(call: &str, position: usize) -> Option<(&str, Vec<Argument>, &str)> {
    let call = call.trim();
    let open = top_level(call, '(').next()?;
    let (inside, rest) = call.split_at(closing(call, open)?);
    let (function, inside) = (call[..open].trim(), &inside[open + 1..]);
    let commas: Vec<usize> = top_level(inside, ',').collect();
    let starts = [0].into_iter().chain(commas.iter().map(|at| at + 1));
    let ends = commas.iter().copied().chain([inside.len()]);
    let texts = starts.zip(ends).map(|(start, end)| inside[start..end].trim()).enumerate();
    let given = texts.filter(|(_, text)| !text.is_empty());
    let arguments = given.map(|(at, text)| Argument::read(text, position + at)).collect();
    (!function.is_empty()).then(|| (function, arguments, rest[1..].trim()))
}

/// Where the bracket is closed that is opened here.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0i32;
    let mut quoted = false;
    let mut ends = text[open..].char_indices().filter(|(_, c)| {
        quoted ^= *c == '"';
        depth += i32::from(*c == '(' && !quoted) - i32::from(*c == ')' && !quoted);
        depth == 0 && !quoted
    });
    ends.next().map(|(at, _)| open + at)
}

impl Argument {
    fn read(text: &str, position: usize) -> Argument {
        let whole = text.to_owned();
        let (text, condition) = match text.split_once(" in ") {
            Some((before, after)) => (before.trim(), Some(after.trim().to_owned())),
            None => (text, None),
        };
        let named = text.split_once(':').filter(|(name, rest)| {
            !rest.starts_with(':')
                && !name.trim().is_empty()
                && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_')
        });
        let (name, ty) = match named {
            Some((name, ty)) => (name.trim().to_owned(), ty.trim()),
            None => (format!("arg{position}"), text),
        };
        let (ty, length) = split_length(ty);
        Argument { text: whole, name, ty: ty.to_owned(), length: length.map(str::to_owned), condition }
    }
}

/// `&[u8][n]` to `&[u8]` and `n`. Brackets that belong to the type are not a length: `&[u8]`, `[i32; 4]`.
fn split_length(text: &str) -> (&str, Option<&str>) {
    let Some(inside) = text.strip_suffix(']') else { return (text, None) };
    let mut depth = 1;
    for (at, c) in inside.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let before = inside[..at].trim_end();
            let is_type = ["", "&", "&mut"].contains(&before) || before.ends_with('<');
            return if is_type { (text, None) } else { (before, Some(inside[at + 1..].trim())) };
        }
    }
    (text, None)
}

/// Where a character stands outside all brackets and quotes. A `(` is looked for outside of `<…>`.
pub(super) fn top_level(text: &str, wanted: char) -> impl Iterator<Item = usize> {
    let mut depth = 0i32;
    let mut quoted = false;
    text.char_indices().filter_map(move |(at, c)| {
        let here = depth == 0 && !quoted && c == wanted;
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '<' | '{' if !quoted => depth += 1,
            ')' | ']' | '>' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        here.then_some(at)
    })
}

/// The next of the plain parameters.
pub(super) fn next(at: &mut usize) -> usize {
    *at += 1;
    *at - 1
}

/// Whether a condition keeps bytes within ASCII: a range of such numbers, or characters that are all ASCII.
pub(super) fn is_ascii(condition: &str) -> bool {
    match condition.split_once("..") {
        Some((_, high)) if !condition.contains('"') => {
            let (high, least) = high.strip_prefix('=').map_or((high, 128), |high| (high, 127));
            high.trim().parse::<u32>().is_ok_and(|high| high <= least)
        }
        _ => condition.is_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Signature, is_ascii};

    #[test]
    fn types_names_lengths_and_ranges_are_told_apart() {
        let call = "a::parse::<u8>(text: &str[2*n] in 32..=126, &mut [u8][n], Vec<(u8, u8)>[n], n + 1, [i32; 4])";
        let read = Signature::read(call).expect("a call");
        assert_eq!(read.function, "a::parse::<u8>");
        let parts: Vec<(&str, &str, Option<&str>)> =
            read.arguments.iter().map(|a| (a.name.as_str(), a.ty.as_str(), a.length.as_deref())).collect();
        assert_eq!(
            parts,
            [
                ("text", "&str", Some("2*n")),
                ("arg1", "&mut [u8]", Some("n")),
                ("arg2", "Vec<(u8, u8)>", Some("n")),
                ("arg3", "n + 1", None),
                ("arg4", "[i32; 4]", None)
            ]
        );
        assert_eq!(read.arguments[0].condition.as_deref(), Some("32..=126"));
        let cpp = Signature::read("f(s: const std::string &[n])").expect("a call");
        assert_eq!(
            (cpp.arguments[0].ty.as_str(), cpp.arguments[0].length.as_deref()),
            ("const std::string &", Some("n"))
        );
        let chain = Signature::read("a::P::new(&str[n] in \"(.)\")? .set::<u8>(1, x: u8).parse()").expect("a call");
        assert_eq!(chain.whole_name(), "a::P::new?.set::<u8>.parse");
        let all: Vec<&str> = chain.all_arguments().map(|argument| argument.name.as_str()).collect();
        assert_eq!(all, ["arg0", "arg1", "x"]);
        assert_eq!(Signature::read("f(n).g"), None);
        assert_eq!(Signature::read("f(n) g(n)"), None);
        assert_eq!(Signature::read("f()").map(|read| read.arguments.len()), Some(0));
        assert_eq!(Signature::read("f"), None);
    }

    #[test]
    fn text_is_kept_within_ascii() {
        assert!(is_ascii("0..=127") && is_ascii("32..128") && is_ascii("\"abc..\""));
        assert!(!is_ascii("0..=255") && !is_ascii("0..=n") && !is_ascii("\"ä\""));
    }
}
