//! The functions of slowpath.h: inputs, assumptions, costs and regions.
//!
//! They are imports of the module "slowpath" (`i32_array`), or of "env" with a prefix (`slowpath_i32_array`), which is what a harness
//! without the header gets.

use std::sync::Arc;

use slowpath_program::ValType;
use slowpath_program::call::ElemType;
use slowpath_program::trap::Trap;

use super::memory::{OutOfBounds, range};
use super::{HostFunction, Seen, ints};
use crate::error::HostTrap;
use crate::signature::Signature;

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

/// What is called a function of ours in a module, without the prefix.
fn short_name<'a>(module: &str, field: &'a str) -> Option<&'a str> {
    PLACES.iter().find(|(place, _)| *place == module).and_then(|(_, prefix)| field.strip_prefix(prefix))
}

/// Whether this import is one of ours.
pub(super) fn provides(module: &str, field: &str) -> bool {
    function(module, field).is_some()
}

/// One of ours, with its type.
pub(super) fn function(module: &str, field: &str) -> Option<(Signature, HostFunction)> {
    let name = short_name(module, field)?;
    let (params, result, function): (usize, Option<ValType>, HostFunction) = match name {
        "make_symbolic" => (3, None, Arc::new(|seen, arguments, _| array(seen, ElemType::U8, arguments))),
        "assume" => (1, None, Arc::new(|_, arguments, _| assume(arguments))),
        "cost" => (1, None, Arc::new(|seen, arguments, _| cost(seen, arguments))),
        "panic" => (5, None, Arc::new(|seen, arguments, _| panic(seen, arguments))),
        "thrown" => (1, None, Arc::new(|seen, arguments, _| thrown(seen, arguments))),
        "in_flight" => (1, None, Arc::new(|seen, arguments, _| in_flight(seen, arguments))),
        "begin" => (0, None, Arc::new(|seen, _, _| begin(seen))),
        "end" => (0, None, Arc::new(|seen, _, _| end(seen))),
        name => match name.strip_suffix("_array") {
            Some(ty) => {
                let ty: ElemType = ty.parse().ok()?;
                (3, None, Arc::new(move |seen, arguments, _| array(seen, ty, arguments)))
            }
            None => {
                let ty: ElemType = name.parse().ok()?;
                (1, Some(type_of(ty)), Arc::new(move |seen, arguments, results| scalar(seen, ty, arguments, results)))
            }
        },
    };
    Some((Signature { params: vec![ValType::I32; params], results: result.into_iter().collect() }, function))
}

/// What holds an element that is given by value.
fn type_of(ty: ElemType) -> ValType {
    match ty {
        ElemType::I64 | ElemType::U64 => ValType::I64,
        ElemType::F32 => ValType::F32,
        ElemType::F64 => ValType::F64,
        _ => ValType::I32,
    }
}

fn assume(arguments: &[u64]) -> Result<(), HostTrap> {
    let [condition] = ints(arguments);
    if condition == 0 { Err(HostTrap(Trap::AssumeFailed)) } else { Ok(()) }
}

fn cost(seen: &mut Seen<'_>, arguments: &[u64]) -> Result<(), HostTrap> {
    let [amount] = ints(arguments);
    if seen.host.region.is_counting() {
        seen.host.custom = seen.host.custom.saturating_add(u64::from(amount as u32));
    }
    Ok(())
}

fn scalar(seen: &mut Seen<'_>, ty: ElemType, arguments: &[u64], results: &mut [u64]) -> Result<(), HostTrap> {
    let [name] = ints(arguments);
    let (memory, host) = seen.both();
    let name = host.streams.names.fresh(&read_name(memory, name)?);
    let bits = host.inputs.get(&name).map_or(0, |input| input.bits_as(ty, 0));
    let narrow = type_of(ty) == ValType::I32;
    results.fill(if narrow { u64::from(ty.extend(bits) as u32) } else { bits });
    Ok(())
}

fn array(seen: &mut Seen<'_>, ty: ElemType, arguments: &[u64]) -> Result<(), HostTrap> {
    let [address, count, name] = ints(arguments);
    let (memory, host) = seen.both();
    let base = read_name(memory, name)?;
    let size = ty.bytes() as usize;
    let target = range(memory, address, u64::from(count as u32) * size as u64)?;
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
fn panic(seen: &mut Seen<'_>, arguments: &[u64]) -> Result<(), HostTrap> {
    let [message, length, file, file_length, line] = ints(arguments);
    let mut words = |from: i32, length: i32| {
        let length = u64::from(length as u32).min(LONGEST_NAME as u64);
        range(seen.memory, from, length).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    };
    let (message, file) = (words(message, length), words(file, file_length));
    Err(HostTrap(Trap::panicked(&message, &file, line as u32)))
}

/// An exception of C++, with the name of its type.
fn thrown(seen: &mut Seen<'_>, arguments: &[u64]) -> Result<(), HostTrap> {
    let [name] = ints(arguments);
    Err(HostTrap(Trap::thrown(&read_name(seen.memory, name)?)))
}

/// An exception of C++ is on its way until its handler says, with null, that it is not.
fn in_flight(seen: &mut Seen<'_>, arguments: &[u64]) -> Result<(), HostTrap> {
    let [name] = ints(arguments);
    seen.host.in_flight = if name == 0 { None } else { Some(read_name(seen.memory, name)?) };
    Ok(())
}

fn begin(seen: &mut Seen<'_>) -> Result<(), HostTrap> {
    let used = seen.fuel_used();
    if seen.host.region.begin(used) {
        seen.host.output = 0;
        seen.host.custom = 0;
    }
    Ok(())
}

fn end(seen: &mut Seen<'_>) -> Result<(), HostTrap> {
    let used = seen.fuel_used();
    seen.host.region.end(used);
    Ok(())
}
