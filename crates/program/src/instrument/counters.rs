//! A module that counts how often each of its branches is reached, at no cost in fuel.
//!
//! Before each branch stands a piece of code that adds one to a 32-bit counter in a memory of its own, behind the memories
//! of the program. It is made of five kinds of vector instructions alone (see `increment`), for which an engine is to charge nothing: it
//! then counts the fuel of the program as if the counters were not there, at every moment of a run. Before those of the program
//! itself that are of these kinds stands a constant that is dropped, which costs what they no longer do.

use wasmparser::{FunctionBody, Operator, Parser, Payload};

use super::InstrumentError;
use super::branches::{ALIGNED_IN_MEMORY, Branches, COUNTER_BYTES, Counted};
use super::encode::{leb128, section, slice};
use crate::module::Program;

const MEMORY_SECTION: u8 = 5;
const CODE_SECTION: u8 = 10;
const CUSTOM_SECTION: u8 = 0;
/// The sections that come after the memories: global, export, start, element, code, data, data count, tag.
const AFTER_MEMORIES: [u8; 8] = [6, 7, 8, 9, 10, 11, 12, 13];

/// The module with the exports of `with_exports`, its mutable globals exported, and a counter for each branch: `br_if`, `if`,
/// `br_table` and `call_indirect`. `program` must have been loaded from `wasm`.
pub fn with_counters(program: &Program, wasm: &[u8], function: u32) -> Result<Counted, InstrumentError> {
    let (exported, branches) = Branches::of(program, wasm, function)?;
    let out = insert(&exported, &branches)?;
    Ok(branches.counted(out))
}

/// The module with one more memory and with a counter before the instruction at each of these code offsets, which ascend.
/// Custom sections are left out: what debug information says about offsets would be wrong.
fn insert(wasm: &[u8], branches: &Branches) -> Result<Vec<u8>, InstrumentError> {
    let (mut memories, mut entries) = (0, 0..0);
    let mut sections = Vec::new();
    let mut code = Code { start: 0, branches, done: 0, out: Vec::new() };
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        sections.extend(payload.as_section().filter(|(id, _)| *id != CUSTOM_SECTION));
        match payload {
            Payload::MemorySection(reader) => {
                (memories, entries) = (reader.count(), reader.original_position()..reader.range().end);
            }
            Payload::CodeSectionStart { count, unchecked_range, .. } => {
                code.start = unchecked_range.start;
                leb128(&mut code.out, count);
            }
            Payload::CodeSectionEntry(body) => code.function(wasm, &body)?,
            _ => {}
        }
    }
    let mut memory_section = Vec::new();
    leb128(&mut memory_section, memories + 1);
    memory_section.extend_from_slice(slice(wasm, &entries));
    branches.declare_memory(&mut memory_section);

    let mut out = wasm.get(..8).unwrap_or_default().to_vec();
    let mut written = false;
    for (id, range) in &sections {
        if !written && (*id == MEMORY_SECTION || AFTER_MEMORIES.contains(id)) {
            section(&mut out, MEMORY_SECTION, &memory_section);
            written = true;
        }
        match *id {
            MEMORY_SECTION => {}
            CODE_SECTION => section(&mut out, CODE_SECTION, &code.out),
            id => section(&mut out, id, slice(wasm, range)),
        }
    }
    Ok(out)
}

/// The code section while counters are put into it.
struct Code<'a> {
    /// Where its contents begin in the module.
    start: u64,
    branches: &'a Branches,
    /// How many of them have their counter.
    done: usize,
    out: Vec<u8>,
}

impl Code<'_> {
    fn function(&mut self, wasm: &[u8], body: &FunctionBody<'_>) -> Result<(), InstrumentError> {
        let mut free = free_operators(body)?.into_iter().peekable();
        let body = body.range();
        let mut out = Vec::new();
        let mut from = body.start;
        // Puts constants before what is free, up to a place.
        let mut pay = |out: &mut Vec<u8>, from: &mut u64, until: u64| {
            while let Some(at) = free.next_if(|at| *at < until) {
                out.extend_from_slice(slice(wasm, &(*from..at)));
                out.extend_from_slice(&PAYMENT);
                *from = at;
            }
        };
        while let Some(offset) = self.branches.offset(self.done) {
            let at = self.start + u64::from(offset);
            if at >= body.end {
                break;
            }
            pay(&mut out, &mut from, at);
            out.extend_from_slice(slice(wasm, &(from..at)));
            increment(&mut out, self.branches.memory, self.done as u32 * COUNTER_BYTES);
            from = at;
            self.done += 1;
        }
        pay(&mut out, &mut from, body.end);
        out.extend_from_slice(slice(wasm, &(from..body.end)));
        leb128(&mut self.out, out.len() as u32);
        self.out.extend_from_slice(&out);
        Ok(())
    }
}

/// `i32.const 0` and `drop`: costs one, and does nothing.
const PAYMENT: [u8; 3] = [0x41, 0x00, 0x1a];

/// Where the instructions of a function are that are of the kinds counters are made of.
fn free_operators(body: &FunctionBody<'_>) -> Result<Vec<u64>, InstrumentError> {
    let mut found = Vec::new();
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        let at = reader.original_position();
        if matches!(
            reader.read()?,
            Operator::V128Const { .. }
                | Operator::I32x4ExtractLane { .. }
                | Operator::V128Load32Zero { .. }
                | Operator::I32x4Add
                | Operator::V128Store32Lane { .. }
        ) {
            found.push(at);
        }
    }
    Ok(found)
}

/// Adds one to the 32 bits at `address`, by `v128.const`, `i32x4.extract_lane`, `v128.load32_zero`, `i32x4.add` and
/// `v128.store32_lane` only. Needs nothing on the stack and leaves nothing there.
fn increment(out: &mut Vec<u8>, memory: u32, address: u32) {
    let constant = |out: &mut Vec<u8>, low: u8| {
        vector(out, 0x0c);
        out.push(low);
        out.extend_from_slice(&[0; 15]);
    };
    let zero = |out: &mut Vec<u8>| {
        constant(out, 0);
        vector(out, 0x1b);
        out.push(0);
    };
    let place = |out: &mut Vec<u8>| {
        out.push(ALIGNED_IN_MEMORY);
        leb128(out, memory);
        leb128(out, address);
    };
    zero(out);
    zero(out);
    vector(out, 0x5c);
    place(out);
    constant(out, 1);
    vector(out, 0xae);
    vector(out, 0x5a);
    place(out);
    out.push(0);
}

fn vector(out: &mut Vec<u8>, instruction: u32) {
    out.push(0xfd);
    leb128(out, instruction);
}

#[cfg(test)]
mod tests {
    use super::with_counters;
    use crate::code::Probes;
    use crate::instrument::with_counters_and_meter;
    use crate::load::load;

    #[test]
    fn a_counted_module_is_valid_and_has_a_counter_for_each_branch() {
        for (text, branches) in [
            ("(module (func))", 0),
            ("(module (func (param i32) (if (local.get 0) (then (br_if 0 (local.get 0))))))", 2),
            (
                r#"(module (type $t (func)) (table 1 funcref) (memory 1) (global (mut i64) (i64.const 1)) (func $a)
                (func (param i32) (block (br_table 0 0 (local.get 0))) (call_indirect (type $t) (local.get 0))
                    (drop (select (i32.const 1) (i32.const 2) (local.get 0))) return (br_if 0 (i32.const 1)))
                (elem (i32.const 0) $a) (data (i32.const 0) "x"))"#,
                2,
            ),
        ] {
            let wasm = wat::parse_str(text).unwrap();
            let program = load(&wasm, &Probes::default()).unwrap();
            let counted = with_counters(&program, &wasm, 0).unwrap();
            wasmparser::validate(&counted.wasm).unwrap();
            assert_eq!(counted.sites.len(), branches, "{text}");
            assert_eq!(counted.memory, program.memories.len() as u32);
            assert!(with_counters(&program, &counted.wasm, 0).is_err(), "not twice");
            let metered = with_counters_and_meter(&program, &wasm, 0).unwrap();
            wasmparser::validate(&metered.wasm).unwrap();
            assert_eq!(metered.sites, counted.sites);
        }
    }
}
