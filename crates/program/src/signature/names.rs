//! What the names of parameters say about their use.

/// The name in small letters, its words apart.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let starts = c == '_' || (c.is_uppercase() && before.is_lowercase());
        if starts {
            words.push(String::new());
        }
        if c != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn any(name: &str, known: &[&str]) -> bool {
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

/// How many elements there are.
pub(super) fn is_length(name: &str) -> bool {
    let mut words = words(name);
    if words.len() > 1 && ["num", "nb", "n"].contains(&words[0].as_str()) {
        return true;
    }
    let last = words.pop().unwrap_or_default();
    let known = [
        "n", "m", "len", "length", "size", "sz", "count", "cnt", "num", "nmemb", "nelem", "nelems", "nel", "elements",
        "total", "bytes", "nbytes", "slen", "buflen", "dim", "rows", "cols", "width", "height", "nitems", "argc",
    ];
    known.contains(&last.as_str()) || last.ends_with("len") || last.ends_with("size")
}

/// A value to be looked for or put in, though it stands behind a pointer.
pub(super) fn is_value(name: &str) -> bool {
    let known = [
        "x", "y", "c", "ch", "key", "value", "val", "v", "target", "needle", "elem", "element", "item", "k", "base",
        "flags", "flag", "mode", "seed", "delim", "sep", "fill", "step", "depth", "level", "index", "i", "j", "pos",
        "options", "option", "opts", "status", "type", "kind", "id", "fd",
    ];
    any(name, &known)
}

/// A truth value, by the name of its type: C has called an int that for long.
pub(super) fn is_flag(ty: &str) -> bool {
    any(&ty.to_lowercase(), &["bool", "boolean", "flag", "flags"])
}

/// The first index of a stretch.
pub(super) fn is_low(name: &str) -> bool {
    any(name, &["lo", "low", "left", "l", "start", "begin", "first", "from", "p"])
}

/// The last index of a stretch.
pub(super) fn is_high(name: &str) -> bool {
    any(name, &["hi", "high", "right", "r", "end", "last", "to"])
}

/// A pointer to behind the last element, or by some to the last.
pub(super) fn is_end(name: &str) -> bool {
    any(name, &["end", "last", "limit", "lim", "stop", "finish", "e", "pe", "eos", "bufend", "strend"])
}

/// What is only handed through to the functions that a caller gives: nothing is as good as anything.
pub(super) fn is_handed_through(name: &str) -> bool {
    let known = ["userdata", "user", "udata", "opaque", "closure", "cookie", "baton", "ctx", "context"];
    any(name, &known) || ["_data", "_arg", "_ctx"].iter().any(|end| name.ends_with(end))
}

/// A function that brings something into its first state.
pub(super) fn is_setup(name: &str) -> bool {
    any(name, &["init", "initialize", "initialise", "setup", "reset", "create", "construct", "open", "begin"])
}

/// One of these that is there for nothing else, and is called once.
pub(super) fn begins(name: &str) -> bool {
    any(name, &["init", "initialize", "initialise", "setup", "construct"])
}

/// What is looked for in a text: shorter than that.
pub(super) fn is_needle(name: &str) -> bool {
    any(name, &["needle", "ndl", "pat", "pattern", "p", "sub", "substr", "substring", "find", "query", "glob", "mask"])
}

/// Something that is written and not read.
pub(super) fn is_output(name: &str) -> bool {
    any(name, &["out", "output", "dst", "dest", "result", "res", "ret", "to", "outbuf", "obuf", "target"])
}

/// The next element of a list.
pub(super) fn is_next(name: &str) -> bool {
    any(name, &["next", "link", "nxt", "succ", "successor", "tail", "cdr"])
}

/// The element of a list before this one.
pub(super) fn is_previous(name: &str) -> bool {
    any(name, &["prev", "previous", "pred", "predecessor", "back"])
}

/// The first of what belongs to an element.
pub(super) fn is_below(name: &str) -> bool {
    any(name, &["child", "children", "kids", "sub", "down", "inner"])
}

/// What leads back to where one came from.
pub(super) fn is_upwards(name: &str) -> bool {
    is_previous(name) || any(name, &["parent", "up", "owner", "root", "outer"])
}

/// As it can stand in a signature.
pub(super) fn usable(name: &str, position: usize) -> String {
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let taken = ["in", "out", "null", "cstr", "str", "struct", "inline", "at", "n"];
    match plain.chars().next() {
        None => format!("arg{position}"),
        Some(first) if first.is_ascii_digit() => format!("arg{position}"),
        _ if taken.contains(&plain.as_str()) || plain.parse::<crate::call::ElemType>().is_ok() => format!("{plain}_"),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_high, is_length, is_low, is_output, is_value, usable};

    #[test]
    fn names_are_read_word_by_word() {
        assert!(
            ["n", "len", "srcLen", "buf_size", "str_len", "strlen", "nmemb", "num_tokens"].iter().all(|n| is_length(n))
        );
        assert!(["a", "key", "lo", "next", "line"].iter().all(|n| !is_length(n)));
        assert!(is_value("key") && is_value("search_key") && !is_value("size"));
        assert!(is_low("left") && is_high("hi") && is_output("dst") && !is_output("src"));
    }

    #[test]
    fn names_that_mean_something_else_are_changed() {
        assert_eq!(usable("str", 0), "str_");
        assert_eq!(usable("", 3), "arg3");
        assert_eq!(usable("u8", 0), "u8_");
        assert_eq!(usable("__0", 1), "__0");
    }
}
