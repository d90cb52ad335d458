//! Imported functions that nobody provides, answered as the world says.

use slowpath_program::trap::Trap;
use slowpath_program::world::{Answer, ImportStub, World};
use wasmtime::{ExternType, Linker, Module, Val};

use super::Host;
use crate::error::HostTrap;

/// Defines the stubs that a module imports.
pub(super) fn define(linker: &mut Linker<Host>, module: &Module, world: &World) -> wasmtime::Result<()> {
    for import in module.imports() {
        let (ExternType::Func(ty), Some((_, stub))) = (import.ty(), world.stub(import.module(), import.name())) else {
            continue;
        };
        let stub = stub.clone();
        linker.allow_shadowing(true);
        linker.func_new(import.module(), import.name(), ty.clone(), move |mut caller, _, results| {
            if stub.answer == Answer::Trap {
                return Err(HostTrap(Trap::Missing(stub.name.clone())).into());
            }
            for (result, ty) in results.iter_mut().zip(ty.results()) {
                *result = answer(caller.data_mut(), &stub, &ty);
            }
            Ok(())
        })?;
        linker.allow_shadowing(false);
    }
    Ok(())
}

fn answer(host: &mut Host, stub: &ImportStub, ty: &wasmtime::ValType) -> Val {
    let Some(ours) = number_type(ty) else { return Val::FuncRef(None) };
    let bits = match (stub.answer, Answer::input_type(ours)) {
        (Answer::Unknown, Some(input)) => {
            let name = host.streams.names.fresh(&stub.name);
            host.inputs.get(&name).map_or(0, |given| given.bits_as(input, 0))
        }
        (given, _) => given.bits(ours),
    };
    match ours {
        slowpath_program::ValType::I64 => Val::I64(bits as i64),
        slowpath_program::ValType::F32 => Val::F32(bits as u32),
        slowpath_program::ValType::F64 => Val::F64(bits),
        _ => Val::I32(bits as i32),
    }
}

fn number_type(ty: &wasmtime::ValType) -> Option<slowpath_program::ValType> {
    match ty {
        wasmtime::ValType::I32 => Some(slowpath_program::ValType::I32),
        wasmtime::ValType::I64 => Some(slowpath_program::ValType::I64),
        wasmtime::ValType::F32 => Some(slowpath_program::ValType::F32),
        wasmtime::ValType::F64 => Some(slowpath_program::ValType::F64),
        _ => None,
    }
}
