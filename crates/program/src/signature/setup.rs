//! Functions that set up what another takes: a parser's state, which is none that occurs if its members are any numbers.

use super::names::is_setup;
use crate::types::{FunctionType, Type, TypeId, Types};

/// A function that sets up a struct that `function` takes a pointer to, and the name of the struct.
pub(super) fn setup(types: &Types, function: &FunctionType) -> Option<(String, String)> {
    let taken = function.params.iter().filter_map(|param| struct_behind(types, param.ty));
    taken.into_iter().find_map(|name| {
        let sets_it_up = |other: &&FunctionType| {
            let first = other.params.first().and_then(|param| struct_behind(types, param.ty));
            other.name != function.name && is_setup(&other.name) && first.as_ref() == Some(&name)
        };
        let found = types.all_functions().find(sets_it_up)?;
        Some((found.name.clone(), name))
    })
}

/// The name of the struct that a pointer leads to which may be written to.
fn struct_behind(types: &Types, ty: TypeId) -> Option<String> {
    let target = types.target(ty).filter(|to| !types.is_const(*to))?;
    matches!(types.plain(target), Type::Struct(_)).then(|| types.struct_name(target)).filter(|name| !name.is_empty())
}
