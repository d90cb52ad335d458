//! The functions of slowpath.h: inputs, assumptions, costs and regions.
//!
//! They are imports of the module "slowpath" (`i32_array`), or of "env" with a prefix (`slowpath_i32_array`), which is what a harness
//! without the header gets.

use slowpath_program::call::ElemType;
use slowpath_program::trap::Trap;
use wasmtime::{Caller, Linker};

use super::memory::{OutOfBounds, memory_and_host, range};
use super::{Host, fuel_used};
use crate::error::HostTrap;

/// Longer names are cut here.
const LONGEST_NAME: usize = 256;
/// For an input whose name is NULL or empty.
const UNNAMED: &str = "input";

impl From<OutOfBounds> for HostTrap {
    fn from(_: OutOfBounds) -> HostTrap {
        HostTrap(Trap::MemoryOutOfBounds)
    }
}

/// Where the functions are found, and what comes before their names there.
const PLACES: [(&str, &str); 2] = [("slowpath", ""), ("env", "slowpath_")];

/// Whether this import is one of ours.
pub(super) fn provides(module: &str, field: &str) -> bool {
    let name = PLACES.iter().find(|(place, _)| *place == module).and_then(|(_, prefix)| field.strip_prefix(prefix));
    name.is_some_and(|name| {
        matches!(name, "make_symbolic" | "assume" | "cost" | "begin" | "end" | "panic" | "thrown" | "in_flight")
            || name.strip_suffix("_array").unwrap_or(name).parse::<ElemType>().is_ok()
    })
}

pub(super) fn define(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    for (module, prefix) in PLACES {
        let full = |name: &str| format!("{prefix}{name}");
        linker.func_wrap(
            module,
            &full("make_symbolic"),
            |caller: Caller<'_, Host>, address: i32, bytes: i32, name: i32| {
                array(caller, ElemType::U8, address, bytes, name)
            },
        )?;
        for ty in ElemType::ALL {
            linker.func_wrap(
                module,
                &full(&format!("{ty}_array")),
                move |caller: Caller<'_, Host>, address: i32, count: i32, name: i32| {
                    array(caller, ty, address, count, name)
                },
            )?;
            define_scalar(linker, module, &full(ty.name()), ty)?;
        }
        linker.func_wrap(module, &full("assume"), |_: Caller<'_, Host>, condition: i32| -> wasmtime::Result<()> {
            if condition == 0 { Err(HostTrap(Trap::AssumeFailed).into()) } else { Ok(()) }
        })?;
        linker.func_wrap(module, &full("cost"), |mut caller: Caller<'_, Host>, amount: i32| {
            let host = caller.data_mut();
            if host.region.is_counting() {
                host.custom = host.custom.saturating_add(u64::from(amount as u32));
            }
        })?;
        linker.func_wrap(module, &full("panic"), panic)?;
        linker.func_wrap(module, &full("thrown"), thrown)?;
        linker.func_wrap(module, &full("in_flight"), in_flight)?;
        linker.func_wrap(module, &full("begin"), begin)?;
        linker.func_wrap(module, &full("end"), end)?;
    }
    Ok(())
}

fn define_scalar(linker: &mut Linker<Host>, module: &str, field: &str, ty: ElemType) -> wasmtime::Result<()> {
    match ty {
        ElemType::I64 | ElemType::U64 => {
            linker.func_wrap(module, field, move |caller: Caller<'_, Host>, name: i32| {
                scalar(caller, ty, name).map(|bits| bits as i64)
            })?
        }
        ElemType::F32 => linker.func_wrap(module, field, move |caller: Caller<'_, Host>, name: i32| {
            scalar(caller, ty, name).map(|bits| f32::from_bits(bits as u32))
        })?,
        ElemType::F64 => linker.func_wrap(module, field, move |caller: Caller<'_, Host>, name: i32| {
            scalar(caller, ty, name).map(f64::from_bits)
        })?,
        _ => linker.func_wrap(module, field, move |caller: Caller<'_, Host>, name: i32| {
            scalar(caller, ty, name).map(|bits| ty.extend(bits) as i32)
        })?,
    };
    Ok(())
}

fn scalar(mut caller: Caller<'_, Host>, ty: ElemType, name: i32) -> wasmtime::Result<u64> {
    let (memory, host) = memory_and_host(&mut caller);
    let name = host.streams.names.fresh(&read_name(memory, name).map_err(HostTrap::from)?);
    Ok(host.inputs.get(&name).map_or(0, |input| input.bits_as(ty, 0)))
}

fn array(mut caller: Caller<'_, Host>, ty: ElemType, address: i32, count: i32, name: i32) -> wasmtime::Result<()> {
    let (memory, host) = memory_and_host(&mut caller);
    let base = read_name(memory, name).map_err(HostTrap::from)?;
    let size = ty.bytes() as usize;
    let target = range(memory, address, u64::from(count as u32) * size as u64).map_err(HostTrap::from)?;
    let input = host.inputs.get(&host.streams.names.fresh(&base));
    for (index, element) in target.chunks_exact_mut(size).enumerate() {
        let bits = input.map_or(0, |input| input.bits_as(ty, index));
        element.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
    Ok(())
}

/// A C string that names an input. One that runs out of memory before it ends or reaches its greatest length is a trap.
fn read_name(memory: &[u8], address: i32) -> Result<String, OutOfBounds> {
    if address == 0 {
        return Ok(UNNAMED.to_owned());
    }
    let from = memory.get(address as u32 as usize..).ok_or(OutOfBounds)?;
    let window = &from[..from.len().min(LONGEST_NAME)];
    let text = match window.iter().position(|byte| *byte == 0) {
        Some(end) => &window[..end],
        None if window.len() == LONGEST_NAME => window,
        None => return Err(OutOfBounds),
    };
    Ok(if text.is_empty() { UNNAMED.to_owned() } else { String::from_utf8_lossy(text).into_owned() })
}

/// A panic of Rust, with its message and where it is.
fn panic(
    mut caller: Caller<'_, Host>,
    message: i32,
    length: i32,
    file: i32,
    file_length: i32,
    line: i32,
) -> wasmtime::Result<()> {
    let (memory, _) = memory_and_host(&mut caller);
    let mut words = |from: i32, length: i32| {
        let length = u64::from(length as u32).min(LONGEST_NAME as u64);
        range(memory, from, length).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    };
    let (message, file) = (words(message, length), words(file, file_length));
    Err(HostTrap(Trap::panicked(&message, &file, line as u32)).into())
}

/// An exception of C++, with the name of its type.
fn thrown(mut caller: Caller<'_, Host>, name: i32) -> wasmtime::Result<()> {
    let (memory, _) = memory_and_host(&mut caller);
    let name = read_name(memory, name).map_err(HostTrap::from)?;
    Err(HostTrap(Trap::thrown(&name)).into())
}

/// An exception of C++ is on its way until its handler says, with null, that it is not.
fn in_flight(mut caller: Caller<'_, Host>, name: i32) -> wasmtime::Result<()> {
    let (memory, host) = memory_and_host(&mut caller);
    host.in_flight = match name {
        0 => None,
        name => Some(read_name(memory, name).map_err(HostTrap::from)?),
    };
    Ok(())
}

fn begin(mut caller: Caller<'_, Host>) -> wasmtime::Result<()> {
    let used = fuel_used(&caller)?;
    let host = caller.data_mut();
    if host.region.begin(used) {
        host.output = 0;
        host.custom = 0;
    }
    Ok(())
}

fn end(mut caller: Caller<'_, Host>) -> wasmtime::Result<()> {
    let used = fuel_used(&caller)?;
    caller.data_mut().region.end(used);
    Ok(())
}
