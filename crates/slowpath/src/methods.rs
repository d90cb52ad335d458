//! Methods of Rust in a listing: called on what another function of their type gives, as in `my_crate::Parser::new(&str[n])?.parse()`.

use std::collections::BTreeMap;

use slowpath_program::call::CallSpec;
use slowpath_program::signature::Signature;
use slowpath_program::types::Types;
use slowpath_program::{FuncIdx, Program};
use slowpath_report::Callable;
use slowpath_source::Shim;

/// How a method may be called.
pub(crate) struct Way {
    /// Its place among the functions.
    at: usize,
    /// The path by which other crates use it, if they may.
    pub path: String,
    call: String,
}

/// A function of a type that gives a value of it.
struct Maker {
    at: usize,
    /// What stands between it and a method.
    between: &'static str,
}

impl Way {
    /// Gives the method its call.
    pub fn offer(self, functions: &mut [Callable]) {
        if let Some(function) = functions.get_mut(self.at) {
            function.rename(&self.path);
            (function.call, function.why) = (Some(self.call), None);
        }
    }
}

/// Ways to call the methods that have none, on what functions give that have one. `own` has the functions under the names that their crate gives them.
pub(crate) fn ways(program: &Program, types: &Types, own: &[(FuncIdx, String)], functions: &[Callable]) -> Vec<Way> {
    let signature = |at: usize| own.get(at).map(|(function, name)| Signature::of(program, types, *function, name));
    let mut makers: BTreeMap<&str, Vec<Maker>> = BTreeMap::new();
    for (at, (_, name)) in own.iter().enumerate() {
        let Some((ty, _)) = type_and_method(name) else { continue };
        let result = signature(at).and_then(|signature| signature.rust_result());
        if let Some(between) = result.and_then(|result| gives(&result, ty))
            && functions[at].call.is_some()
        {
            makers.entry(ty).or_default().push(Maker { at, between });
        }
    }
    let mut found = Vec::new();
    for (at, (_, name)) in own.iter().enumerate().filter(|(at, _)| functions[*at].call.is_none()) {
        let Some((ty, method)) = type_and_method(name) else { continue };
        let Some(arguments) = signature(at).and_then(|signature| signature.method_arguments()) else { continue };
        let made = |maker: &Maker| Some((functions[maker.at].call.as_ref()?, &functions[maker.at].name, maker.between));
        let made = makers.get(ty).into_iter().flatten().filter_map(made);
        // One that grows with n, called `new`, and short.
        let best = made.min_by_key(|(call, path, _)| (!call.contains("[n"), !path.ends_with("::new"), call.len()));
        let Some((maker, path, between)) = best else { continue };
        let Some((path, _)) = type_and_method(path) else { continue };
        let unnamed = || without_names(&arguments);
        let call = |arguments: &str| format!("{maker}{between}.{method}({arguments})");
        // A call that is the same whatever n is has nothing to tell, and of two arguments with one name one gives way.
        let works = |call: &String| {
            call.contains("[n") && Shim::for_crate(call).is_ok_and(|shim| CallSpec::parse(&shim.call).is_ok())
        };
        let call = Some(call(&arguments)).filter(works).or_else(|| Some(call(&unnamed())).filter(works));
        found.extend(call.map(|call| Way { at, path: format!("{path}::{method}"), call }));
    }
    found
}

/// The path of a type and the name of a method of its own, not of a trait.
fn type_and_method(path: &str) -> Option<(&str, &str)> {
    let (ty, method) = path.rsplit_once("::")?;
    let is_type = ty.rsplit("::").next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_uppercase()));
    (is_type && !path.contains(['<', '{', ' '])).then_some((ty, method))
}

/// What stands between a function with this result and a method of the type, if the one gives the other.
fn gives(result: &str, ty: &str) -> Option<&'static str> {
    let last =
        |path: &str| path.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or_default().to_owned();
    let wanted = last(ty);
    if last(result) == wanted {
        return Some("");
    }
    let (_, inner) = result.split_once('<').filter(|(name, _)| ["Result", "Option"].contains(&last(name).as_str()))?;
    let first = inner.split(',').next().unwrap_or_default().trim_end_matches('>');
    (last(first) == wanted).then_some("?")
}

/// Arguments without what they are called.
fn without_names(arguments: &str) -> String {
    let one = |argument: &str| argument.split_once(": ").map_or(argument, |(_, ty)| ty).to_owned();
    arguments.split(", ").map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{gives, type_and_method, without_names};

    #[test]
    fn functions_of_a_type_that_give_a_value_of_it_are_told() {
        assert_eq!(gives("Parser", "json::parser::Parser"), Some(""));
        assert_eq!(gives("json::parser::Parser<'a>", "json::parser::Parser"), Some(""));
        assert_eq!(gives("Result<glob::Pattern, glob::PatternError>", "glob::Pattern"), Some("?"));
        assert_eq!(gives("core::option::Option<glob::Pattern>", "glob::Pattern"), Some("?"));
        assert_eq!(gives("Vec<glob::Pattern>", "glob::Pattern"), None);
    }

    #[test]
    fn methods_are_of_types() {
        assert_eq!(type_and_method("glob::Pattern::matches"), Some(("glob::Pattern", "matches")));
        assert_eq!(type_and_method("glob::matches"), None);
        assert_eq!(type_and_method("<glob::Pattern as Eq>::eq"), None);
        assert_eq!(without_names("text: &str[n], n, k: u8"), "&str[n], n, u8");
    }
}
