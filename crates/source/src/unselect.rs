//! Turns the `select` instructions of textual LLVM IR back into branches.
//!
//! clang's frontend compiles `x < y ? -1 : 1` (a choice between constants) to a `select` before any pass runs, and has no flag
//! against it. Comparison functions are full of those, so they are undone here, between `opt` and `llc`:
//!
//! ```text
//! b:                                  b:
//!   ...                                 ...
//!   %x = select i1 %c, T %p, T %q       br i1 %c, label %slowpath.then.0, label %slowpath.else.0
//!   ...                               slowpath.then.0:
//!   br label %d                         br label %slowpath.join.0
//! d:                                  slowpath.else.0:
//!   %y = phi T [ %x, %b ], ...          br label %slowpath.join.0
//!                                     slowpath.join.0:
//!                                       %x = phi T [ %p, %slowpath.then.0 ], [ %q, %slowpath.else.0 ]
//!                                       ...
//!                                       br label %d
//!                                     d:
//!                                       %y = phi T [ %x, %slowpath.join.0 ], ...
//! ```
//!
//! Holds before and after: the text is what `opt -S` prints, one instruction a line. Numbered values keep their numbers, since
//! every block and value added has a name. A select that is not understood (of vectors, say) is left as it is.

use crate::ir::{Ends, block_label, entry_label, push_line, redirect_phi, split_at_commas};

/// The module without selects, or `None` if it has none that can be undone.
pub(crate) fn selects_to_branches(ir: &str) -> Option<String> {
    let mut output = String::with_capacity(ir.len() + 1024);
    let mut changed = false;
    let mut lines = ir.lines();
    while let Some(line) = lines.next() {
        push_line(&mut output, line);
        if line.starts_with("define ") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
            changed |= rewrite_function(line, &body, &mut output);
            output.push_str("}\n");
        }
    }
    changed.then_some(output)
}

fn rewrite_function(header: &str, body: &[&str], output: &mut String) -> bool {
    // Without selects nothing moves; most functions have none.
    if !body.iter().any(|line| Select::parse(line).is_some()) {
        body.iter().for_each(|line| push_line(output, line));
        return false;
    }
    let mut block = entry_label(header);
    // Where the end of a block that was split now is; its successors' phis must be told.
    let mut ends: Ends = Ends::new();
    let mut split = String::new();
    let mut count = 0;
    for line in body {
        if let Some(label) = block_label(line) {
            block = format!("%{label}");
        }
        match Select::parse(line) {
            Some(select) => {
                select.write_branch(count, &mut split);
                ends.insert(block.clone(), format!("%slowpath.join.{count}"));
                count += 1;
            }
            None => push_line(&mut split, line),
        }
    }
    for line in split.lines() {
        push_line(output, &redirect_phi(line, &ends));
    }
    true
}

/// One `select` on a single condition.
struct Select<'a> {
    result: &'a str,
    condition: &'a str,
    kind: &'a str,
    then: &'a str,
    otherwise: &'a str,
    /// Its source position: ", !dbg !7" or nothing.
    debug: String,
}

impl<'a> Select<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (result, rest) = line.strip_prefix("  %")?.split_once(" = select ")?;
        let mut rest = rest;
        // Fast-math flags come first.
        while !rest.starts_with("i1 ") {
            let (flag, after) = rest.split_once(' ')?;
            if !flag.chars().all(|c| c.is_ascii_lowercase()) {
                return None;
            }
            rest = after;
        }
        let parts = split_at_commas(rest);
        let [condition, then, otherwise, metadata @ ..] = parts.as_slice() else {
            return None;
        };
        let (kind, then) = type_and_value(then)?;
        let (other_kind, otherwise) = type_and_value(otherwise)?;
        let debug = metadata.iter().find(|m| m.starts_with("!dbg "));
        (kind == other_kind).then(|| Select {
            result,
            condition: &condition["i1 ".len()..],
            kind,
            then,
            otherwise,
            debug: debug.map(|m| format!(", {m}")).unwrap_or_default(),
        })
    }

    fn write_branch(&self, number: usize, output: &mut String) {
        let Select { result, condition, kind, then, otherwise, debug } = self;
        let (yes, no, join) =
            (format!("slowpath.then.{number}"), format!("slowpath.else.{number}"), format!("slowpath.join.{number}"));
        output.push_str(&format!(
            "  br i1 {condition}, label %{yes}, label %{no}{debug}\n\n\
             {yes}:\n  br label %{join}{debug}\n\n\
             {no}:\n  br label %{join}{debug}\n\n\
             {join}:\n  %{result} = phi {kind} [ {then}, %{yes} ], [ {otherwise}, %{no} ]{debug}\n"
        ));
    }
}

/// "i32 5" to ("i32", "5"); types in brackets may hold spaces.
fn type_and_value(operand: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in operand.char_indices() {
        match c {
            '{' | '[' | '<' | '(' => depth += 1,
            '}' | ']' | '>' | ')' => depth = depth.checked_sub(1)?,
            ' ' if depth == 0 => {
                let (kind, value) = (&operand[..at], &operand[at + 1..]);
                // A function type or an address space, as older versions print them: the type does not end here.
                let unclear = value.starts_with('(') || value.starts_with("addrspace");
                return (!unclear).then_some((kind, value));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Select, selects_to_branches};

    #[test]
    fn a_module_without_selects_is_left_alone() {
        let ir = "define i32 @f(i32 %0) {\n  ret i32 %0\n}\n";
        assert_eq!(selects_to_branches(ir), None);
    }

    #[test]
    fn a_select_becomes_a_branch_and_later_phis_follow_it() {
        let ir = "\
define i32 @sign(i32 noundef %0) #0 !dbg !5 {
  %2 = icmp slt i32 %0, 0
  br i1 %2, label %6, label %3

3:                                                ; preds = %1
  %4 = icmp sgt i32 %0, 0
  %5 = select i1 %4, i32 1, i32 0, !dbg !9
  br label %6

6:                                                ; preds = %3, %1
  %7 = phi i32 [ -1, %1 ], [ %5, %3 ]
  ret i32 %7
}
";
        let expected = "\
define i32 @sign(i32 noundef %0) #0 !dbg !5 {
  %2 = icmp slt i32 %0, 0
  br i1 %2, label %6, label %3

3:                                                ; preds = %1
  %4 = icmp sgt i32 %0, 0
  br i1 %4, label %slowpath.then.0, label %slowpath.else.0, !dbg !9

slowpath.then.0:
  br label %slowpath.join.0, !dbg !9

slowpath.else.0:
  br label %slowpath.join.0, !dbg !9

slowpath.join.0:
  %5 = phi i32 [ 1, %slowpath.then.0 ], [ 0, %slowpath.else.0 ], !dbg !9
  br label %6

6:                                                ; preds = %3, %1
  %7 = phi i32 [ -1, %1 ], [ %5, %slowpath.join.0 ]
  ret i32 %7
}
";
        assert_eq!(selects_to_branches(ir).as_deref(), Some(expected));
    }

    #[test]
    fn selects_of_every_scalar_kind_are_understood_and_others_left() {
        let understood = [
            "  %x = select i1 %c, ptr @a, ptr null",
            "  %x = select nnan ninf i1 %c, float 1.000000e+00, float 0.000000e+00, !dbg !3",
            "  %x = select i1 %c, ptr getelementptr inbounds (i8, ptr @t, i32 4), ptr @t, !dbg !3, !prof !9",
            "  %x = select i1 %c, { i32, i32 } %a, { i32, i32 } %b",
        ];
        for line in understood {
            assert!(Select::parse(line).is_some(), "{line}");
        }
        let left = [
            "  %x = select <4 x i1> %c, <4 x i32> %a, <4 x i32> %b",
            "  %x = select i1 %c, i32 (i32)* @f, i32 (i32)* @g",
            "  %x = add i32 %select, 1",
        ];
        for line in left {
            assert!(Select::parse(line).is_none(), "{line}");
        }
    }
}
