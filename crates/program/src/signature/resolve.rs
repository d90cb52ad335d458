//! What only the program knows, put into a call: the members of structs, the places of functions in the table.

use super::guess::Guesser;
use crate::call::{CallError, CallSpec, FunctionRef, ParamKind};
use crate::module::Program;
use crate::names::nearest;
use crate::types::{Slot, SourceLanguage, Type, TypeId, Types};

/// How deep structs are followed from what the user names.
const DEEPEST: usize = 2;

pub(super) fn resolve(
    spec: &mut CallSpec,
    program: &Program,
    types: &Types,
    slots: Option<&[Slot]>,
) -> Result<(), CallError> {
    for (position, param) in spec.params.iter_mut().enumerate() {
        let ty = slots.and_then(|slots| slots.get(position)).map(|slot| slot.ty);
        kind(&mut param.kind, program, types, ty)?;
    }
    Ok(())
}

fn kind(kind: &mut ParamKind, program: &Program, types: &Types, ty: Option<TypeId>) -> Result<(), CallError> {
    match kind {
        ParamKind::Function(function) => place(function, program),
        ParamKind::Fixed(data) if !data.is_text && data.ty.is_none() => {
            let target = ty.and_then(|ty| types.target(ty).or_else(|| types.slice_element(ty)));
            data.ty = target.and_then(|to| types.elem(to)).filter(|elem| !elem.is_float());
            Ok(())
        }
        ParamKind::Struct(spec, count) => {
            let by_type = || match types.plain(ty.and_then(|ty| types.target(ty))?) {
                Type::Struct(found) => Some(found),
                _ => None,
            };
            let found = if spec.name.is_empty() { by_type() } else { types.struct_named(&spec.name) };
            match found {
                Some(found) if !found.is_declaration => {
                    let guesser = Guesser::new(types, SourceLanguage::C);
                    *spec = guesser
                        .with_members(found, spec.clone(), DEEPEST, count.is_some())
                        .map_err(CallError::Contradiction)?;
                }
                _ if spec.is_complete() => {}
                _ => {
                    let near = nearest(&spec.name, types.struct_names());
                    let name = spec.name.clone();
                    return Err(match near.first() {
                        Some(near) => {
                            CallError::Contradiction(format!("there is no struct `{name}`; did you mean {near}?"))
                        }
                        None => CallError::UnknownStruct { name },
                    });
                }
            }
            spec.members.iter_mut().try_for_each(|member| match &mut member.param.kind {
                ParamKind::Function(function) => place(function, program),
                _ => Ok(()),
            })
        }
        _ => Ok(()),
    }
}

/// Finds the function's place in the table.
fn place(function: &mut FunctionRef, program: &Program) -> Result<(), CallError> {
    let refused = |why: &str| CallError::NoSuchPointer { name: function.name.clone(), why: why.to_owned() };
    let found = program.find_function(&function.name).ok_or_else(|| refused("is not in the program"))?;
    let index = program.table_index(found);
    let index = index.ok_or_else(|| refused("has no address: the program calls nothing by its address"))?;
    function.index = Some(index);
    Ok(())
}
