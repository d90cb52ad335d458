//! A module with a few more exports, so that an outside engine, which can only call exports, can call any function of it.

use std::ops::Range;

use wasmparser::{ExternalKind, Parser, Payload, TypeRef};

use super::encode::{leb128, section, slice};
use super::{ALLOCATOR, ENTRY, InstrumentError, MEMORY};
use crate::names;

const EXPORT_SECTION: u8 = 7;
/// The sections that come after the exports: start, element, code, data, data count.
const AFTER_EXPORTS: [u8; 5] = [8, 9, 10, 11, 12];

/// Something to export: its name, kind and index.
pub(super) type Extra = (String, ExternalKind, u32);

/// The module, exporting also `function` as `ENTRY`, memory 0 as `MEMORY` and its allocator as `ALLOCATOR`. The contents of
/// all other sections stay as they are, byte for byte, so code offsets do too.
pub fn with_exports(wasm: &[u8], function: u32) -> Result<Vec<u8>, InstrumentError> {
    export(wasm, function, Vec::new())
}

/// The index of the function that a module exports under a name.
pub fn exported_function(wasm: &[u8], name: &str) -> Result<Option<u32>, InstrumentError> {
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ExportSection(reader) = payload? {
            for export in reader {
                let export = export?;
                if export.kind == ExternalKind::Func && export.name == name {
                    return Ok(Some(export.index));
                }
            }
        }
    }
    Ok(None)
}

/// The module with the exports of `with_exports` and then `more`.
pub(super) fn export(wasm: &[u8], function: u32, more: Vec<Extra>) -> Result<Vec<u8>, InstrumentError> {
    let outline = Outline::read(wasm)?;
    if function >= outline.functions {
        return Err(InstrumentError::NoSuchFunction { index: function, count: outline.functions });
    }
    let mut extra = vec![(ENTRY.to_owned(), ExternalKind::Func, function)];
    if outline.has_memory {
        extra.push((MEMORY.to_owned(), ExternalKind::Memory, 0));
    }
    if let Some(malloc) = names::allocator(wasm) {
        extra.push((ALLOCATOR.to_owned(), ExternalKind::Func, malloc));
    }
    extra.extend(more);
    let ours = [ENTRY, MEMORY, ALLOCATOR].into_iter().chain(extra.iter().map(|(name, ..)| name.as_str()));
    if let Some(taken) = ours.into_iter().find(|name| outline.exported.iter().any(|e| e == name)) {
        return Err(InstrumentError::NameTaken(taken.to_owned()));
    }
    let exports = outline.export_section(wasm, &extra);

    let mut out = wasm.get(..8).unwrap_or_default().to_vec();
    let mut written = false;
    for (id, range) in &outline.sections {
        let replaces = *id == EXPORT_SECTION;
        if !written && (replaces || AFTER_EXPORTS.contains(id)) {
            section(&mut out, EXPORT_SECTION, &exports);
            written = true;
        }
        if !replaces {
            section(&mut out, *id, slice(wasm, range));
        }
    }
    if !written {
        section(&mut out, EXPORT_SECTION, &exports);
    }
    Ok(out)
}

/// What has to be known of a module to add exports to it.
#[derive(Default)]
struct Outline {
    sections: Vec<(u8, Range<u64>)>,
    functions: u32,
    has_memory: bool,
    exported: Vec<String>,
    /// Where the entries of the export section lie, behind their count.
    entries: Range<u64>,
}

impl Outline {
    fn read(wasm: &[u8]) -> Result<Outline, InstrumentError> {
        let mut outline = Outline::default();
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let Some(section) = payload.as_section() {
                outline.sections.push(section);
            }
            match payload {
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        match import?.ty {
                            TypeRef::Func(_) | TypeRef::FuncExact(_) => outline.functions += 1,
                            TypeRef::Memory(_) => outline.has_memory = true,
                            _ => {}
                        }
                    }
                }
                Payload::FunctionSection(reader) => {
                    outline.functions = outline.functions.saturating_add(reader.count())
                }
                Payload::MemorySection(reader) => outline.has_memory |= reader.count() > 0,
                Payload::ExportSection(reader) => {
                    outline.entries = reader.original_position()..reader.range().end;
                    for export in reader {
                        outline.exported.push(export?.name.to_owned());
                    }
                }
                _ => {}
            }
        }
        Ok(outline)
    }

    fn export_section(&self, wasm: &[u8], extra: &[Extra]) -> Vec<u8> {
        let mut out = Vec::new();
        leb128(&mut out, (self.exported.len() + extra.len()) as u32);
        out.extend_from_slice(slice(wasm, &self.entries));
        for (name, kind, index) in extra {
            leb128(&mut out, name.len() as u32);
            out.extend_from_slice(name.as_bytes());
            out.push(match kind {
                ExternalKind::Memory => 2,
                ExternalKind::Global => 3,
                _ => 0,
            });
            leb128(&mut out, *index);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::encode::slice;
    use super::{InstrumentError, with_exports};

    fn exports(wasm: &[u8]) -> Vec<(String, u32)> {
        wasmparser::validate(wasm).unwrap();
        wasmparser::Parser::new(0)
            .parse_all(wasm)
            .filter_map(|payload| match payload.unwrap() {
                wasmparser::Payload::ExportSection(reader) => Some(reader),
                _ => None,
            })
            .flatten()
            .map(|export| export.map(|e| (e.name.to_owned(), e.index)).unwrap())
            .collect()
    }

    fn instrumented(text: &str, function: u32) -> Vec<(String, u32)> {
        exports(&with_exports(&wat::parse_str(text).unwrap(), function).unwrap())
    }

    #[test]
    fn exports_are_added_behind_those_that_are_there() {
        let text = r#"(module (import "env" "f" (func)) (memory 1) (func $malloc (param i32) (result i32) (local.get 0))
            (func (export "g")) (start 0) (data (i32.const 0) "x"))"#;
        let expected = [("g", 2), ("slowpath.entry", 2), ("slowpath.memory", 0), ("slowpath.malloc", 1)];
        assert_eq!(instrumented(text, 2), expected.map(|(name, index)| (name.to_owned(), index)));
    }

    #[test]
    fn a_module_without_exports_gets_a_section_in_the_right_place() {
        assert_eq!(instrumented("(module (func) (start 0))", 0), [("slowpath.entry".to_owned(), 0)]);
        assert_eq!(instrumented(r#"(module (import "env" "f" (func)))"#, 0), [("slowpath.entry".to_owned(), 0)]);
    }

    #[test]
    fn everything_but_the_exports_stays_as_it_was() {
        let wasm =
            wat::parse_str(r#"(module (func $f (export "f") (nop)) (memory 1) (data (i32.const 8) "abc"))"#).unwrap();
        let changed = with_exports(&wasm, 0).unwrap();
        let sections = |bytes: &[u8]| -> Vec<(u8, Vec<u8>)> {
            let payloads = wasmparser::Parser::new(0).parse_all(bytes);
            let all = payloads.filter_map(|p| p.unwrap().as_section());
            all.filter(|(id, _)| *id != 7).map(|(id, range)| (id, slice(bytes, &range).to_vec())).collect()
        };
        assert_eq!(sections(&wasm), sections(&changed));
    }

    #[test]
    fn bad_requests_are_refused() {
        let wasm = wat::parse_str("(module (func))").unwrap();
        assert_eq!(with_exports(&wasm, 1), Err(InstrumentError::NoSuchFunction { index: 1, count: 1 }));
        let twice = with_exports(&wasm, 0).unwrap();
        assert!(matches!(with_exports(&twice, 0), Err(InstrumentError::NameTaken(_))));
        assert!(matches!(with_exports(&wasm[..wasm.len() - 1], 0), Err(InstrumentError::Malformed { .. })));
        assert!(with_exports(b"", 0).is_err());
    }
}
