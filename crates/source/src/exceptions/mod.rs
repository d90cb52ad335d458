//! C++ exceptions as ordinary control flow: what `invoke`, `landingpad` and `resume` mean, told in calls and branches.
//!
//! WebAssembly as compilers emit it by default has no exceptions, and the C++ libraries for it are built without. So a function that throws
//! sets `slowpath_unwinding` and returns, and whoever called a function that may throw looks at it:
//!
//! ```text
//!   %x = invoke T @f() to label %a            %x = call T @f()
//!          unwind label %b                    %u = load ptr, ptr @slowpath_unwinding
//!                                             %n = icmp eq ptr %u, null
//!                                             br i1 %n, label %a, label %b
//!
//!   call void @g()                            call void @g()
//!   ...                                       (the same)
//!                                             br i1 %n, label %go, label %slowpath.unwind
//!                                           go:
//!                                             ...
//!                                           slowpath.unwind:
//!                                             ret T zeroinitializer
//! ```
//!
//! A landing pad takes the exception, and asks the runtime (`runtime.c` beside this file) which clause it is for; `resume` sets it again. Functions
//! that cannot throw (`unwinds`) are called as ever, so that only programs that catch pay, and only where something may come.
//!
//! Holds before and after: the text is what `opt -S` prints. Numbered values keep their numbers, since everything added has a name.

mod call;
mod catches;
mod unwinds;

use crate::ir::{Ends, block_label, debug_location, entry_label, push_line, redirect_phi};

use call::Call;
pub(crate) use catches::{MARK, catches, marked};
use unwinds::Unwinds;

/// What throwing, catching and the choice of a handler do: see the file.
pub(crate) const RUNTIME: &str = include_str!("runtime.c");

const DECLARATIONS: &str = "
@slowpath_unwinding = external global ptr, align 4
declare i32 @slowpath_select(ptr, ptr, i32)
declare void @slowpath_resume(ptr)
";

/// The module with exceptions told in branches.
pub(crate) fn lower(ir: &str) -> String {
    let unwinds = Unwinds::of(ir);
    let mut output = String::with_capacity(ir.len() + ir.len() / 4);
    let mut tables = String::new();
    let mut lines = ir.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("define ") {
            push_line(&mut output, &line.replace(" personality ptr @__gxx_personality_v0", ""));
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
            let mut function = Function { unwinds: &unwinds, output: &mut output, tables: &mut tables, count: 0 };
            function.rewrite(line, &body);
            output.push_str("}\n");
        } else if line.starts_with("attributes #") {
            // What throws does return, with the exception set.
            push_line(&mut output, &line.replace(" noreturn ", " \"slowpath-may-unwind\" "));
        } else {
            push_line(&mut output, line);
        }
    }
    output + DECLARATIONS + &tables
}

/// One function being rewritten.
struct Function<'a> {
    unwinds: &'a Unwinds<'a>,
    output: &'a mut String,
    /// The clauses of landing pads, as constants of the module.
    tables: &'a mut String,
    count: usize,
}

impl Function<'_> {
    fn rewrite(&mut self, header: &str, body: &[&str]) {
        let mut block = entry_label(header);
        let mut ends = Ends::new();
        let mut text = String::new();
        let mut leaves = false;
        let mut at = 0;
        while let Some(line) = body.get(at).copied() {
            at += 1;
            if let Some(label) = block_label(line) {
                block = format!("%{label}");
            }
            if line.contains(" = landingpad { ptr, i32 }") {
                let clauses = body[at..].iter().take_while(|line| line.starts_with("          ")).count();
                self.landing_pad(line, &body[at..at + clauses], &mut text);
                at += clauses;
            } else if let Some(value) = line.strip_prefix("  resume { ptr, i32 } ") {
                self.resume(value, &mut text);
                leaves = true;
            } else if let Some(selector) = type_selector(line) {
                push_line(&mut text, &selector);
            } else if let Some(call) = Call::parse(line) {
                if call.is_invoke {
                    let targets = body.get(at).copied().unwrap_or_default();
                    at += 1;
                    self.invoke(line, &call, targets, &mut text);
                    continue;
                }
                push_line(&mut text, line);
                // A function that returns at once returns with what was thrown.
                let is_last = body.get(at).is_some_and(|next| next.starts_with("  ret "));
                if self.unwinds.may(&call) && !is_last {
                    let number = self.next();
                    check(number, &format!("%slowpath.go.{number}"), "%slowpath.unwind", line, &mut text);
                    text.push_str(&format!("\nslowpath.go.{number}:\n"));
                    ends.insert(block.clone(), format!("%slowpath.go.{number}"));
                    leaves = true;
                }
            } else {
                push_line(&mut text, line);
            }
        }
        for line in text.lines() {
            push_line(self.output, &redirect_phi(line, &ends));
        }
        if leaves {
            let kind = returned_type(header);
            let value = if kind == "void" { "" } else { " zeroinitializer" };
            self.output.push_str(&format!("\nslowpath.unwind:\n  ret {kind}{value}\n"));
        }
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn invoke(&mut self, line: &str, call: &Call<'_>, targets: &str, text: &mut String) {
        push_line(text, &format!("{}{}", line.replacen("invoke ", "call ", 1), debug_location(targets)));
        let Some((normal, unwind)) =
            targets.trim().strip_prefix("to label ").and_then(|t| t.split_once(" unwind label "))
        else {
            // No invoke that opt prints; llc says so.
            push_line(text, targets);
            return;
        };
        let unwind = unwind.split([',', ' ']).next().unwrap_or_default();
        if self.unwinds.may(call) {
            let number = self.next();
            check(number, normal, unwind, targets, text);
        } else {
            // The edge stays for the sake of phis behind it; llc removes it.
            push_line(text, &format!("  br i1 true, label {normal}, label {unwind}{}", debug_location(targets)));
        }
    }

    fn landing_pad(&mut self, line: &str, clauses: &[&str], text: &mut String) {
        let number = self.next();
        let result = line.trim_start().split(' ').next().unwrap_or_default();
        let debug = debug_location(clauses.last().copied().unwrap_or(line));
        let clause = |line: &&str| line.trim().split(", !").next().map(str::to_owned);
        let clauses: Vec<String> = clauses.iter().filter_map(clause).filter(|clause| clause != "cleanup").collect();
        let caught: Vec<&str> = clauses.iter().filter_map(|clause| clause.strip_prefix("catch ")).collect();
        if caught.len() < clauses.len() {
            // A list of the types a function may throw, which C++17 took out of the language.
            text.push_str("  call void @llvm.trap()\n");
        }
        let table = format!("@slowpath.clauses.{}", self.tables.lines().count());
        let list = caught.join(", ");
        self.tables.push_str(&format!("{table} = private constant [{} x ptr] [{list}]\n", caught.len()));
        text.push_str(&format!(
            "  %slowpath.e.{number} = load ptr, ptr @slowpath_unwinding{debug}\n  \
               store ptr null, ptr @slowpath_unwinding{debug}\n  \
               %slowpath.s.{number} = call i32 @slowpath_select(ptr %slowpath.e.{number}, ptr {table}, i32 {}){debug}\n  \
               %slowpath.p.{number} = insertvalue {{ ptr, i32 }} poison, ptr %slowpath.e.{number}, 0{debug}\n  \
               {result} = insertvalue {{ ptr, i32 }} %slowpath.p.{number}, i32 %slowpath.s.{number}, 1{debug}\n",
            caught.len()
        ));
    }

    fn resume(&mut self, value: &str, text: &mut String) {
        let number = self.next();
        let debug = debug_location(value);
        let value = value.split(',').next().unwrap_or_default();
        text.push_str(&format!(
            "  %slowpath.r.{number} = extractvalue {{ ptr, i32 }} {value}, 0{debug}\n  \
               call void @slowpath_resume(ptr %slowpath.r.{number}){debug}\n  \
               br label %slowpath.unwind{debug}\n"
        ));
    }
}

/// Branches on whether something was thrown.
fn check(number: usize, normal: &str, unwind: &str, line: &str, text: &mut String) {
    let debug = debug_location(line);
    text.push_str(&format!(
        "  %slowpath.u.{number} = load ptr, ptr @slowpath_unwinding{debug}\n  \
           %slowpath.n.{number} = icmp eq ptr %slowpath.u.{number}, null{debug}\n  \
           br i1 %slowpath.n.{number}, label {normal}, label {unwind}{debug}\n"
    ));
}

/// The number of a type in handlers is the address of what describes it.
fn type_selector(line: &str) -> Option<String> {
    let (result, call) = line.split_once(" = ")?;
    let (_, rest) = call
        .split_once("call i32 @llvm.eh.typeid.for.p0(ptr ")
        .or_else(|| call.split_once("call i32 @llvm.eh.typeid.for(ptr "))?;
    let (description, _) = rest.split_once(')')?;
    Some(format!("{result} = ptrtoint ptr {description} to i32{}", debug_location(line)))
}

/// The type in front of the function's name.
fn returned_type(header: &str) -> &str {
    let before = header.split(" @").next().unwrap_or_default();
    let mut depth = 0usize;
    for (at, c) in before.char_indices().rev() {
        match c {
            '}' | ']' | '>' | ')' => depth += 1,
            '{' | '[' | '<' | '(' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => return &before[at + 1..],
            _ => {}
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::{lower, returned_type, type_selector};

    #[test]
    fn an_invoke_is_a_call_and_a_branch_on_what_was_thrown() {
        let ir = "\
define i32 @f(i32 %0) personality ptr @__gxx_personality_v0 {
  %2 = call i32 @g(i32 %0)
  %3 = invoke i32 @g(i32 %2)
          to label %4 unwind label %6, !dbg !7

4:                                                ; preds = %1
  %5 = phi i32 [ %3, %1 ]
  ret i32 %5

6:                                                ; preds = %1
  %7 = landingpad { ptr, i32 }
          cleanup
          catch ptr @_ZTIi
  resume { ptr, i32 } %7
}

declare i32 @g(i32)
";
        let lowered = lower(ir);
        for expected in [
            "define i32 @f(i32 %0) {\n",
            "  br i1 %slowpath.n.1, label %slowpath.go.1, label %slowpath.unwind\n\nslowpath.go.1:\n",
            "  %3 = call i32 @g(i32 %2), !dbg !7\n",
            "  br i1 %slowpath.n.2, label %4, label %6, !dbg !7\n",
            "  %5 = phi i32 [ %3, %slowpath.go.1 ]\n",
            "@slowpath_select(ptr %slowpath.e.3, ptr @slowpath.clauses.0, i32 1)\n",
            "  %7 = insertvalue { ptr, i32 } %slowpath.p.3, i32 %slowpath.s.3, 1\n",
            "slowpath.unwind:\n  ret i32 zeroinitializer\n}\n",
            "@slowpath.clauses.0 = private constant [1 x ptr] [ptr @_ZTIi]\n",
        ] {
            assert!(lowered.contains(expected), "{expected}in\n{lowered}");
        }
        for gone in ["invoke", "landingpad", "  resume"] {
            assert!(!lowered.contains(gone), "{gone} in\n{lowered}");
        }
    }

    #[test]
    fn functions_that_cannot_throw_are_called_as_ever() {
        let ir = "\
define internal i32 @leaf(i32 %0) {
  ret i32 %0
}

define i32 @f(i32 %0) {
  %2 = call i32 @leaf(i32 %0)
  %3 = call i32 @quiet(i32 %2)
  %4 = add i32 %2, %3
  ret i32 %4
}

declare i32 @quiet(i32) #0

attributes #0 = { nounwind }
";
        assert!(lower(ir).starts_with(ir), "{}", lower(ir));
    }

    #[test]
    fn types_and_selectors_are_read() {
        assert_eq!(returned_type("define hidden noundef nonnull align 4 dereferenceable(4) ptr @f(i32 %0) {"), "ptr");
        assert_eq!(returned_type("define { i32, i32 } @f() {"), "{ i32, i32 }");
        assert_eq!(
            type_selector("  %20 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi) #6, !dbg !3").as_deref(),
            Some("  %20 = ptrtoint ptr @_ZTIi to i32, !dbg !3")
        );
    }
}
