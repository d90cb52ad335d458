//! A call checked by the types of the function.

use super::guess::{Guess, Guesser, Item};
use super::plain::is_plain;
use crate::call::{CallError, CallSpec, ElemType, Param, ParamKind};
use crate::types::{FunctionType, Part, Slot, SourceLanguage, Type, TypeId, Types};

/// Refuses a call that the types contradict, and says which one would be right: `with_containers` where a generated function makes some of it.
pub(super) fn check(
    types: &Types,
    function: &FunctionType,
    slots: &[Slot],
    spec: &CallSpec,
    text: &str,
    guess: Option<Guess>,
    with_containers: Option<String>,
) -> Result<(), CallError> {
    let guesser = Guesser::new(types, function.language);
    let help = |guess: &Option<Guess>| match guess {
        Some(guess) if guess.is_complete() => format!("\n  help: --call '{}'", guess.spec),
        Some(_) if with_containers.is_some() => {
            format!("\n  help: --call '{}'", with_containers.as_deref().unwrap_or_default())
        }
        Some(guess) => {
            let why: Vec<String> = guess.open.iter().map(|open| format!("\n  help: {}", open.why)).collect();
            why.concat()
        }
        None => String::new(),
    };
    let declaration = types.show_function(function, &spec.function);
    if spec.params.len() != slots.len() {
        let message = format!(
            "`{}` takes {}, but --call gives {}\n  {declaration}{}",
            spec.function,
            counted(slots),
            spec.params.len(),
            help(&guess)
        );
        return Err(CallError::Contradiction(message));
    }
    for (position, (param, slot)) in spec.params.iter().zip(slots).enumerate() {
        let Some(why) = contradiction(types, function.language, slot, param) else { continue };
        let item = Item { name: &slot.name, ty: slot.ty, part: slot.part };
        let declared = match slot.part {
            Part::SlicePointer => format!("the pointer of `{}`", guesser.show(&item)),
            Part::SliceLength => format!("the length of `{}`", guesser.show(&item)),
            Part::Result => "where the function writes its result".to_owned(),
            Part::Whole => format!("`{}`", guesser.show(&item)),
        };
        let caret = caret(text, position).unwrap_or_default();
        let message = format!(
            "argument {} of `{}` is {declared}, but --call gives {why}{caret}\n  {declaration}{}",
            position + 1,
            spec.function,
            help(&guess)
        );
        return Err(CallError::Contradiction(message));
    }
    Ok(())
}

fn counted(slots: &[Slot]) -> String {
    let own = slots.iter().filter(|slot| slot.part != Part::Result).count();
    let arguments = match own {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        many => format!("{many} arguments"),
    };
    // The author never wrote it, and has to be told that it counts.
    if own < slots.len() { format!("{arguments}, behind a place for its result") } else { arguments }
}

/// What is given instead of what is declared, if they do not go together.
fn contradiction(types: &Types, language: SourceLanguage, slot: &Slot, param: &Param) -> Option<String> {
    match slot.part {
        Part::SliceLength => param.kind.is_memory().then(|| "a pointer".to_owned()),
        Part::Result => (!param.kind.is_memory()).then(|| "no memory for it".to_owned()),
        Part::SlicePointer => {
            let of = types.slice_element(slot.ty);
            not_a_pointer(param).or_else(|| of.and_then(|of| not_these_elements(types, language, of, &param.kind)))
        }
        Part::Whole => match types.plain(slot.ty) {
            Type::Number { .. } | Type::Enum { .. } => param.kind.is_memory().then(|| "a pointer".to_owned()),
            Type::Pointer { to, .. } => {
                not_a_pointer(param).or_else(|| not_these_elements(types, language, *to, &param.kind))
            }
            Type::Struct(found) if language != SourceLanguage::C && !is_plain(types, found, language) => {
                Some("what its own functions would have to make".to_owned())
            }
            _ => None,
        },
    }
}

fn not_a_pointer(param: &Param) -> Option<String> {
    match &param.kind {
        ParamKind::Scalar(ty) => Some(format!("a number of type {ty}")),
        // Zero is how C writes the pointer to nothing.
        ParamKind::Value(value) if value.eval(1) != Ok(0) || value.eval(2) != Ok(0) => {
            Some(format!("the number {value}"))
        }
        ParamKind::LengthOf(name) => Some(format!("the length of {name}")),
        _ => None,
    }
}

/// Bytes may stand for anything that lies in memory; other elements must have the width of what is pointed to.
fn not_these_elements(types: &Types, language: SourceLanguage, to: TypeId, kind: &ParamKind) -> Option<String> {
    if let Type::Struct(found) = types.plain(to)
        && language != SourceLanguage::C
        && kind.is_memory()
        && !is_plain(types, found, language)
    {
        return Some("memory that its own functions would have to make".to_owned());
    }
    let given = match kind {
        ParamKind::Array(ty, _) | ParamKind::Out(ty, _) => *ty,
        ParamKind::Fixed(data) => data.ty?,
        ParamKind::Text(..) | ParamKind::Tokens(..) => ElemType::U8,
        _ => return None,
    };
    let wanted = match types.plain(to) {
        Type::Array { of, .. } => types.elem(*of)?,
        _ => types.elem(to)?,
    };
    let is_text = matches!(kind, ParamKind::Text(..) | ParamKind::Tokens(..));
    let differs = given.bytes() != wanted.bytes() || given.is_float() != wanted.is_float();
    let wrong = differs && (given.bytes() != 1 || is_text);
    wrong.then(|| match is_text {
        true => "a text of single bytes".to_owned(),
        false => format!("elements of type {given}, where {wanted} is right"),
    })
}

/// The call with a mark under one of its arguments.
fn caret(text: &str, position: usize) -> Option<String> {
    let at = argument_offset(text, position)?;
    let column = text[..at].chars().count();
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(format!("\n  {shown}\n  {:>width$}", "^", width = column + 1))
}

/// Where an argument begins: behind the bracket, or behind a comma outside of all other brackets and quotes.
fn argument_offset(text: &str, position: usize) -> Option<usize> {
    let open = text.find('(')?;
    let (mut depth, mut seen, mut quoted, mut escaped) = (0usize, 0, false, false);
    let mut start = open + 1;
    for (at, c) in text[open..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => {
                if seen == position {
                    break;
                }
                seen += 1;
                start = open + at + 1;
            }
            _ => {}
        }
    }
    let skipped = text[start..].len() - text[start..].trim_start().len();
    (seen == position).then_some(start + skipped)
}

#[cfg(test)]
mod tests {
    use super::argument_offset;

    #[test]
    fn arguments_are_found_between_brackets_and_quotes() {
        let text = "f(a: i32[(n)], \"x,)\", { p: u8, q: u8 }, n)";
        let starts: Vec<&str> = (0..4).filter_map(|k| Some(&text[argument_offset(text, k)?..])).collect();
        assert!(starts[0].starts_with("a:") && starts[1].starts_with('"') && starts[2].starts_with('{'));
        assert_eq!(starts[3], "n)");
        assert_eq!(argument_offset(text, 4), None);
    }
}
