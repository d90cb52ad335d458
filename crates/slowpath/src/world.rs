//! What a user says about the world around a program, from words to bytes and answers.

use std::path::Path;

use slowpath_program::call::{CallSpec, Expr, ParamKind};
use slowpath_program::world::{Answer, Content, ImportStub};
use slowpath_program::{CostTable, World};
use slowpath_report::SourceOptions;

use crate::error::Error;

/// The world of a program, in which these functions are missing.
pub(crate) fn world(options: &SourceOptions, missing: &[String]) -> Result<World, Error> {
    let mut world =
        World { stdin: options.stdin.as_deref().map(|text| content("--stdin", text)).transpose()?, ..World::default() };
    for text in &options.files {
        let (name, bytes) = pair("--file", text, "data.txt=n or data.txt=@FILE")?;
        world.files.push((name.to_owned(), content("--file", bytes)?));
    }
    for text in &options.arguments {
        world.arguments.push(match text.strip_prefix('=') {
            Some(given) => Content::Given(given.as_bytes().to_vec()),
            None => content("--arg", text)?,
        });
    }
    for text in &options.environment {
        let (name, value) = pair("--env", text, "NAME=VALUE")?;
        world.environment.push((name.to_owned(), value.to_owned()));
    }
    for text in &options.imports {
        world.imports.push(import(text)?);
    }
    if let Some(text) = &options.cost_table {
        let table = CostTable::parse(text).map_err(|error| Error::CostTable(error.to_string()))?;
        world.costs = table;
    }
    // Our own functions are imports too, where a harness declares them itself.
    for name in missing.iter().filter(|name| !name.starts_with("slowpath_")) {
        if world.stub("env", name).is_none() {
            world.imports.push(ImportStub { module: "env".to_owned(), name: name.clone(), answer: Answer::Trap });
        }
    }
    Ok(world)
}

fn wrong(option: &str, text: &str, example: &str) -> Error {
    Error::Option { option: option.to_owned(), text: text.to_owned(), example: example.to_owned() }
}

fn pair<'t>(option: &str, text: &'t str, example: &str) -> Result<(&'t str, &'t str), Error> {
    text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| wrong(option, text, example))
}

/// So many unknown bytes, or those of a file.
fn content(option: &str, text: &str) -> Result<Content, Error> {
    if let Some(file) = text.strip_prefix('@') {
        let bytes = std::fs::read(file).map_err(|source| Error::File { file: Path::new(file).to_owned(), source })?;
        return Ok(Content::Given(bytes));
    }
    length(text).map(Content::Unknown).ok_or_else(|| wrong(option, text, "n, 2*n+1, 100, or @FILE for known bytes"))
}

/// Arithmetic over n, as in a signature.
fn length(text: &str) -> Option<Expr> {
    let spec = CallSpec::parse(&format!("f({text})")).ok()?;
    match spec.params.as_slice() {
        [param] => match &param.kind {
            ParamKind::Value(length) => Some(length.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn import(text: &str) -> Result<ImportStub, Error> {
    const EXAMPLE: &str = "env.now=0, env.now=unknown or env.now=trap";
    let (name, answer) = pair("--import", text, EXAMPLE)?;
    let (module, name) = name.split_once('.').ok_or_else(|| wrong("--import", text, EXAMPLE))?;
    let answer = match answer {
        "trap" => Answer::Trap,
        "unknown" => Answer::Unknown,
        number => match (number.parse(), number.parse::<f64>()) {
            (Ok(integer), _) => Answer::Integer(integer),
            (Err(_), Ok(float)) => Answer::Float(float.to_bits()),
            _ => return Err(wrong("--import", text, EXAMPLE)),
        },
    };
    Ok(ImportStub { module: module.to_owned(), name: name.to_owned(), answer })
}

#[cfg(test)]
mod tests {
    use slowpath_program::world::Answer;
    use slowpath_report::SourceOptions;

    use super::{import, world};

    #[test]
    fn answers_are_numbers_inputs_or_traps() {
        let answer = |text: &str| import(text).map(|stub| stub.answer).ok();
        assert_eq!(answer("env.now=0"), Some(Answer::Integer(0)));
        assert_eq!(answer("env.now=1.5"), Some(Answer::Float(1.5f64.to_bits())));
        assert_eq!(answer("env.now=unknown"), Some(Answer::Unknown));
        assert_eq!([answer("env.now"), answer("now=1"), answer("env.now=soon")], [None; 3]);
    }

    #[test]
    fn a_function_that_is_missing_is_a_trap_unless_it_is_answered_for() {
        let options = SourceOptions { imports: vec!["env.now=3".to_owned()], ..SourceOptions::default() };
        let world = world(&options, &["now".to_owned(), "fork".to_owned()]).expect("a world");
        assert_eq!(world.imports.len(), 2);
        assert_eq!(world.stub("env", "fork").map(|(_, stub)| stub.answer), Some(Answer::Trap));
    }
}
