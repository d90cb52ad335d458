//! The text of LLVM IR, as `opt -S` prints it, one instruction a line: what rewriting it by lines needs to know.

use std::borrow::Cow;
use std::collections::HashMap;

pub(crate) fn split_at_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quoted) = (0i32, 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' | '<' | '(' => depth += 1,
            '}' | ']' | '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The label a line defines: "12:   ; preds = %3" to "12".
pub(crate) fn block_label(line: &str) -> Option<&str> {
    if line.starts_with(char::is_whitespace) || line.starts_with(';') {
        return None;
    }
    let end = match line.strip_prefix('"') {
        Some(quoted) => quoted.find('"')? + 2,
        None => line.find(':')?,
    };
    line[end..].starts_with(':').then(|| &line[..end])
}

/// The first block may carry no label; its number then follows those of the unnamed parameters.
pub(crate) fn entry_label(header: &str) -> String {
    let mut depth = 0i32;
    let mut unnamed = 0;
    for word in header.split_inclusive([' ', '(', ')', ',']) {
        let name = word.trim_end_matches([' ', '(', ')', ',']);
        let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        if depth == 1 && name.strip_prefix('%').is_some_and(is_number) {
            unnamed += 1;
        }
        depth += match word.as_bytes().last() {
            Some(b'(') => 1,
            Some(b')') => -1,
            _ => 0,
        };
    }
    format!("%{unnamed}")
}

/// Blocks that were split, each with the block in which its end is now.
pub(crate) type Ends = HashMap<String, String>;

/// A phi, told where the ends of its predecessors are now.
pub(crate) fn redirect_phi<'a>(line: &'a str, ends: &Ends) -> Cow<'a, str> {
    if ends.is_empty() || !line.starts_with("  %") || !line.contains(" = phi ") {
        return Cow::Borrowed(line);
    }
    let mut output = String::with_capacity(line.len() + 16);
    // Each pair is `[ value, %block ]`; a value may hold anything but ` ]`.
    for part in line.split_inclusive(" ]") {
        let moved = part.strip_suffix(" ]").and_then(|pair| {
            let (before, block) = pair.rsplit_once(", ")?;
            Some((before, ends.get(block)?))
        });
        match moved {
            Some((before, end)) => output.extend([before, ", ", end, " ]"]),
            None => output.push_str(part),
        }
    }
    Cow::Owned(output)
}

/// The source position of an instruction, as it is written behind another: ", !dbg !7", or nothing.
pub(crate) fn debug_location(line: &str) -> &str {
    let Some(start) = line.find(", !dbg !") else { return "" };
    let number = start + ", !dbg !".len();
    let digits = line[number..].bytes().take_while(u8::is_ascii_digit).count();
    &line[start..number + digits]
}

pub(crate) fn push_line(output: &mut String, line: &str) {
    output.push_str(line);
    output.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{Ends, entry_label, redirect_phi};

    #[test]
    fn the_entry_block_is_numbered_after_the_unnamed_parameters() {
        let cases = [
            ("define void @f() {", "%0"),
            ("define i32 @f(i32 %0, ptr noundef %1) #0 {", "%2"),
            ("define i32 @f(ptr byval(%0) align 4 %0, i32 %named) {", "%1"),
        ];
        for (header, expected) in cases {
            assert_eq!(entry_label(header), expected, "{header}");
        }
    }

    #[test]
    fn a_phi_names_the_blocks_where_its_predecessors_end() {
        let ends: Ends = [("%3", "%slowpath.join.0"), ("%4", "%x")].map(|(a, b)| (a.to_owned(), b.to_owned())).into();
        let phi = "  %7 = phi [2 x i32] [ [i32 3, i32 4], %1 ], [ %5, %3 ], [ %4, %13 ], !dbg !9";
        let expected = "  %7 = phi [2 x i32] [ [i32 3, i32 4], %1 ], [ %5, %slowpath.join.0 ], [ %4, %13 ], !dbg !9";
        assert_eq!(redirect_phi(phi, &ends), expected);
        assert_eq!(redirect_phi("  br label %3", &ends), "  br label %3");
    }
}
