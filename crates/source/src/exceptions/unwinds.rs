//! Which calls of a module may end in an exception.

use std::collections::{HashMap, HashSet};

use super::call::{Call, groups, named};

/// Parts of the runtime that never throw, though nothing says so.
const QUIET: [&str; 7] = [
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_allocate_exception",
    "__cxa_free_exception",
    "__cxa_get_exception_ptr",
    "__clang_call_terminate",
    "__cxa_atexit",
];

/// Names in `std`, `operator new` and `delete`. Where they are only declared, the compiled library has them, and it is built without exceptions.
const LIBRARY: [&str; 8] = ["_ZNSt", "_ZNKSt", "_ZSt", "_Znw", "_Zna", "_Zdl", "_Zda", "__cxa_guard_"];

/// What is known of a module's functions.
pub(super) struct Unwinds<'a> {
    /// Groups of attributes that say `nounwind`.
    quiet_groups: HashSet<u32>,
    /// Functions that do not throw.
    quiet: HashSet<&'a str>,
}

/// One function that the module defines.
#[derive(Default)]
struct Defined<'a> {
    throws: bool,
    calls: Vec<&'a str>,
}

impl<'a> Unwinds<'a> {
    pub fn of(ir: &'a str) -> Unwinds<'a> {
        let attributes = ir.lines().filter_map(|line| line.strip_prefix("attributes #")?.split_once(" = { "));
        let quiet_groups = attributes.filter(|(_, list)| list.split(' ').any(|word| word == "nounwind"));
        let quiet_groups = quiet_groups.filter_map(|(number, _)| number.parse().ok()).collect();
        let mut unwinds = Unwinds { quiet_groups, quiet: QUIET.into() };
        let mut defined: HashMap<&str, Defined<'_>> = HashMap::new();
        let mut current: Option<&str> = None;
        for line in ir.lines() {
            if let Some(rest) = line.strip_prefix("declare ").or_else(|| line.strip_prefix("define ")) {
                let Some((name, after)) = named(rest) else { continue };
                let name = name.trim_start_matches('@');
                let is_declared = line.starts_with("declare ");
                let is_library = is_declared && LIBRARY.iter().any(|prefix| name.starts_with(prefix));
                if is_library || name.starts_with("llvm.") || unwinds.are_quiet(&groups(after)) {
                    unwinds.quiet.insert(name);
                }
                if !is_declared {
                    current = Some(name);
                    defined.insert(name, Defined::default());
                }
            } else if let Some(function) = current.and_then(|name| defined.get_mut(name)) {
                if line.starts_with("  resume ") {
                    function.throws = true;
                } else if let Some(call) =
                    Call::parse(line).filter(|call| !call.is_invoke && !unwinds.are_quiet(&call.groups))
                {
                    match call.callee {
                        Some(callee) => function.calls.push(callee),
                        None => function.throws = true,
                    }
                }
            }
        }
        unwinds.infer(&defined);
        unwinds
    }

    /// A function that calls nothing that throws does not throw. What is called and not defined here may.
    fn infer(&mut self, defined: &HashMap<&'a str, Defined<'a>>) {
        let mut callers: HashMap<&str, Vec<&'a str>> = HashMap::new();
        let mut throwing: Vec<&'a str> = Vec::new();
        for (name, function) in defined {
            let unknown = |callee: &&str| !defined.contains_key(*callee) && !self.quiet.contains(*callee);
            if function.throws || function.calls.iter().any(unknown) {
                throwing.push(name);
            }
            for callee in &function.calls {
                callers.entry(callee).or_default().push(name);
            }
        }
        let mut loud: HashSet<&str> = HashSet::new();
        while let Some(name) = throwing.pop() {
            // One that says it does not throw ends the program instead.
            if !self.quiet.contains(name) && loud.insert(name) {
                throwing.extend(callers.get(name).into_iter().flatten().copied());
            }
        }
        self.quiet.extend(defined.keys().filter(|name| !loud.contains(*name)));
    }

    fn are_quiet(&self, groups: &[u32]) -> bool {
        groups.iter().any(|group| self.quiet_groups.contains(group))
    }

    pub fn may(&self, call: &Call<'_>) -> bool {
        !self.are_quiet(&call.groups) && !call.callee.is_some_and(|callee| self.quiet.contains(callee))
    }
}
