//! A `call` or `invoke` of textual IR: whom it calls, and with what attributes.

/// One call.
pub(super) struct Call<'a> {
    pub is_invoke: bool,
    /// None where the address is computed.
    pub callee: Option<&'a str>,
    /// Numbers of the groups of attributes behind the arguments.
    pub groups: Vec<u32>,
}

impl<'a> Call<'a> {
    pub fn parse(line: &'a str) -> Option<Call<'a>> {
        let line = line.strip_prefix("  ")?;
        let instruction = match line.split_once(" = ") {
            Some((result, rest)) if result.starts_with('%') && !result.contains(' ') => rest,
            _ => line,
        };
        let hint = ["tail ", "musttail ", "notail "].iter().find_map(|hint| instruction.strip_prefix(hint));
        let instruction = hint.unwrap_or(instruction);
        let (is_invoke, rest) = match instruction.strip_prefix("call ") {
            Some(rest) => (false, rest),
            None => (true, instruction.strip_prefix("invoke ")?),
        };
        if rest.contains(" asm ") {
            return None;
        }
        let (name, after) = named(rest)?;
        Some(Call { is_invoke, callee: name.strip_prefix('@'), groups: groups(after) })
    }
}

/// The name that a list of arguments or parameters belongs to, and what comes behind that list.
pub(super) fn named(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find(['@', '%'])?;
        let name = &text[start..];
        let end = match name[1..].strip_prefix('"') {
            Some(quoted) => quoted.find('"')? + 3,
            None => name[1..]
                .find(|c: char| !c.is_ascii_alphanumeric() && !"._$-".contains(c))
                .map_or(name.len(), |end| end + 1),
        };
        if name[end..].starts_with('(') {
            return Some((&name[..end], behind_parentheses(&name[end..])));
        }
        from = start + end;
    }
}

fn behind_parentheses(text: &str) -> &str {
    let (mut depth, mut quoted) = (0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' if depth <= 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// The numbers in `#7 #9`.
pub(super) fn groups(text: &str) -> Vec<u32> {
    text.split([' ', ',']).filter_map(|word| word.strip_prefix('#')?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::Call;

    #[test]
    fn calls_are_understood() {
        let cases = [
            ("  %10 = invoke noundef i32 @f(ptr noundef %0, i32 %1) #7", Some((true, Some("f"), vec![7]))),
            (
                "  call void @\"odd name\"(ptr nonnull align 4 dereferenceable(4) %4), !dbg !7",
                Some((false, Some("\"odd name\""), vec![])),
            ),
            ("  %x = tail call %struct.S %26(ptr @f) #8", Some((false, None, vec![8]))),
            ("  %x = call i32 (ptr, ...) @printf(ptr @.str, i32 1)", Some((false, Some("printf"), vec![]))),
            ("  %x = add i32 %call, 1", None),
            ("  call void asm sideeffect \"\", \"r\"(i32 1) #3", None),
        ];
        for (line, expected) in cases {
            let call = Call::parse(line).map(|call| (call.is_invoke, call.callee, call.groups));
            assert_eq!(call, expected, "{line}");
        }
    }
}
