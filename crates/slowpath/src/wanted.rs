//! Which symbols of an object file a user means by the name of a function.

use slowpath_program::names::{demangle, short_name};
use slowpath_source::{Name, Wanted};

use crate::request::EntryRequest;

/// What clang calls a main, by its parameters.
const MAINS: [&str; 4] = ["main", "__main_void", "__main_argc_argv", "__original_main"];

/// The functions that have to be in the module: the one to call, and those it is given the addresses of.
pub(crate) fn wanted(entry: &EntryRequest, passed: Vec<String>) -> Wanted {
    let name = match entry {
        EntryRequest::Missing => return Wanted::All,
        EntryRequest::Harness(name) if name == "_start" => return Wanted::Main,
        EntryRequest::Harness(name) => name.as_str(),
        EntryRequest::Call(text) => function_of(text),
    };
    Wanted::Named(Name::new(name, move |name, symbols| {
        let mut meant = pick(name, symbols);
        if !meant.is_empty() {
            meant.extend(passed.iter().flat_map(|passed| pick(passed, symbols)));
        }
        meant
    }))
}

/// The function's name at the beginning of a signature.
fn function_of(call: &str) -> &str {
    let call = call.trim();
    match call.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((quoted, _)) => quoted,
        None => call.split('(').next().unwrap_or(call).trim(),
    }
}

/// The symbols that are called `name`; or else, those of which it is the last part.
fn pick(name: &str, symbols: &[&str]) -> Vec<usize> {
    let choose = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        symbols.iter().enumerate().filter(|(_, symbol)| fits(symbol)).map(|(index, _)| index).collect()
    };
    if name == "main" {
        return choose(&|symbol| MAINS.contains(&symbol));
    }
    let whole = choose(&|symbol| symbol == name || demangle(symbol) == name || short_name(symbol) == name);
    if !whole.is_empty() {
        return whole;
    }
    choose(&|symbol| {
        let short = short_name(symbol);
        let plain = short.split('<').next().unwrap_or(&short);
        [short.as_str(), plain]
            .iter()
            .any(|own| own.strip_suffix(name).is_some_and(|scope| scope.is_empty() || scope.ends_with("::")))
    })
}

#[cfg(test)]
mod tests {
    use slowpath_source::Wanted;

    use super::{function_of, pick, wanted};
    use crate::request::EntryRequest;

    #[test]
    fn names_are_whole_or_the_last_part() {
        let symbols = ["sort", "_ZN2ns4sortEPii", "_ZN2ns6resortEPi"];
        assert_eq!(pick("sort", &symbols), [0]);
        assert_eq!(pick("ns::sort", &symbols), [1]);
        assert_eq!(pick("sort", &symbols[1..]), [0]);
        assert!(pick("search", &symbols).is_empty());
    }

    #[test]
    fn a_function_that_is_an_argument_is_needed_too() {
        let Wanted::Named(name) =
            wanted(&EntryRequest::Call("sort(i32[n], n, &less)".to_owned()), vec!["less".to_owned()])
        else {
            panic!("a name is wanted");
        };
        assert_eq!(name.pick(&["more", "sort", "less"]), [1, 2]);
        assert!(name.pick(&["more", "less"]).is_empty());
    }

    #[test]
    fn the_function_is_what_comes_before_the_arguments() {
        assert_eq!(function_of("isort(a: i32[n], n)"), "isort");
        assert_eq!(function_of(" ns::f<int> (n)"), "ns::f<int>");
        assert_eq!(function_of("\"odd (name)\"(n)"), "odd (name)");
        assert_eq!(function_of("isort"), "isort");
    }
}
