//! Functions that set up what another takes: a parser's state, which is none that occurs if its members are any numbers.

use super::guess::{Guess, enumeration};
use super::names::{begins, is_setup, usable};
use crate::call::{CallSpec, ElemType, Expr, Param, ParamKind};
use crate::types::{FunctionType, SourceLanguage, Type, TypeId, Types};

/// A function that sets up a struct that another takes a pointer to.
pub struct SetUp<'t> {
    pub function: &'t FunctionType,
    /// The name of the struct.
    pub name: String,
    /// The place of the pointer among the parameters of the other function.
    position: usize,
    /// Bytes of the struct.
    bytes: Option<u64>,
}

/// What sets up a struct that `function` takes. One that begins with it is preferred to one that opens or resets it.
pub(super) fn setup<'t>(types: &'t Types, function: &FunctionType) -> Option<SetUp<'t>> {
    let taken = function.params.iter().enumerate();
    let taken = taken.filter_map(|(position, param)| Some((position, struct_behind(types, param.ty)?)));
    taken.into_iter().find_map(|(position, (target, name))| {
        let sets_it_up = |other: &&FunctionType| {
            let first = other.params.first().and_then(|param| struct_behind(types, param.ty));
            other.name != function.name && is_setup(&other.name) && first.is_some_and(|(_, other)| other == name)
        };
        let found = types.all_functions().filter(sets_it_up).min_by_key(|other| !begins(&other.name))?;
        Some(SetUp { function: found, name, position, bytes: types.bytes(target) })
    })
}

/// The call of a function of C, as it was guessed, after the one that sets up what it takes. None where that one takes more than numbers besides, or where what
/// it takes `grows` with n by its types: a container, which would be empty.
pub(super) fn call(
    types: &Types,
    function: &FunctionType,
    guess: Guess,
    grows: impl Fn(&str) -> bool,
) -> Option<String> {
    let setup = setup(types, function).filter(|setup| begins(&setup.function.name) && !is_setup(&function.name))?;
    let is_of_c = |function: &FunctionType| function.language == SourceLanguage::C;
    if !is_of_c(function)
        || !is_of_c(setup.function)
        || guess.open.iter().any(|open| open.position != setup.position + 1)
    {
        return None;
    }
    let mut spec = guess.spec;
    let place = spec.params.get_mut(setup.position).filter(|place| !grows(&place.name))?;
    place.name = usable(&function.params.get(setup.position)?.name, setup.position);
    place.kind = ParamKind::Out(ElemType::U8, Expr::int(setup.bytes?));
    let handed_over = place.name.clone();
    let mut before = CallSpec { function: setup.function.name.clone(), params: Vec::new() };
    for (position, param) in setup.function.params.iter().enumerate().skip(1) {
        let mut made = match types.plain(param.ty) {
            Type::Number { elem, .. } => Param::new("", ParamKind::Scalar(*elem)),
            Type::Enum { elem, range, .. } => enumeration(ParamKind::Scalar(*elem), *range),
            _ => return None,
        };
        let own = usable(&param.name, position);
        let taken = spec.params.iter().chain(&before.params).any(|other| other.name == own);
        made.name = if taken { format!("setup_{own}") } else { own };
        before.params.push(made);
    }
    let before = before.to_string();
    let (name, rest) = before.split_once('(')?;
    let comma = if rest == ")" { "" } else { ", " };
    Some(format!("{spec} after {name}({handed_over}{comma}{rest}"))
}

/// The struct that a pointer leads to which may be written to, and its name.
fn struct_behind(types: &Types, ty: TypeId) -> Option<(TypeId, String)> {
    let target = types.target(ty).filter(|to| !types.is_const(*to))?;
    let name = matches!(types.plain(target), Type::Struct(_)).then(|| types.struct_name(target));
    name.filter(|name| !name.is_empty()).map(|name| (target, name))
}
