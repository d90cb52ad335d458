//! A module whose functions that cannot be called from its entry have no body but a trap, so that an engine does not compile them.
//!
//! What can be called is found from what the code says: calls, references to functions, and where a reachable function calls through a
//! table, everything that the module's segments put into one. Fuel along every run stays, since no run gets to a body that was left out.

use wasmparser::{ElementItems, ExternalKind, FunctionBody, Operator, Parser, Payload, TypeRef};

use super::encode::{leb128, section, slice};
use super::{ALLOCATOR, ENTRY, InstrumentError, START};

const CODE_SECTION: u8 = 10;
/// No locals, `unreachable`, `end`: valid for any type.
const TRAP: [u8; 3] = [0, 0, 0x0b];
/// What an outside engine calls besides the start function.
const CALLED: [&str; 4] = [ENTRY, ALLOCATOR, START, "_initialize"];

/// The module as `with_exports` and `with_counters` make it, without the bodies that no run can get to. Code offsets change.
pub fn only_reachable(wasm: Vec<u8>) -> Result<Vec<u8>, InstrumentError> {
    let calls = Calls::read(&wasm)?;
    let reachable = calls.reachable()?;
    if reachable.iter().all(|is| *is) {
        return Ok(wasm);
    }
    let mut code = Vec::new();
    leb128(&mut code, calls.bodies.len() as u32);
    for (body, reachable) in calls.bodies.iter().zip(&reachable) {
        let bytes = if *reachable { slice(&wasm, &body.range()) } else { &TRAP };
        leb128(&mut code, bytes.len() as u32);
        code.extend_from_slice(bytes);
    }
    let mut out = wasm.get(..8).unwrap_or_default().to_vec();
    for (id, range) in &calls.sections {
        section(&mut out, *id, if *id == CODE_SECTION { &code } else { slice(&wasm, range) });
    }
    Ok(out)
}

/// Who may call whom.
#[derive(Default)]
struct Calls<'a> {
    sections: Vec<(u8, std::ops::Range<u64>)>,
    imported: u32,
    bodies: Vec<FunctionBody<'a>>,
    /// Called from outside, or referred to where the module begins.
    roots: Vec<u32>,
    /// What segments put into tables.
    in_tables: Vec<u32>,
}

impl<'a> Calls<'a> {
    fn read(wasm: &'a [u8]) -> Result<Calls<'a>, InstrumentError> {
        let mut calls = Calls::default();
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            calls.sections.extend(payload.as_section());
            match payload {
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        calls.imported += u32::from(matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                    }
                }
                Payload::GlobalSection(reader) => {
                    for global in reader {
                        references(&global?.init_expr, &mut calls.roots)?;
                    }
                }
                Payload::ExportSection(reader) => {
                    for export in reader {
                        let export = export?;
                        if export.kind == ExternalKind::Func && CALLED.contains(&export.name) {
                            calls.roots.push(export.index);
                        }
                    }
                }
                Payload::StartSection { func, .. } => calls.roots.push(func),
                Payload::ElementSection(reader) => {
                    for element in reader {
                        match element?.items {
                            ElementItems::Functions(functions) => {
                                for function in functions {
                                    calls.in_tables.push(function?);
                                }
                            }
                            ElementItems::Expressions(_, items) => {
                                for item in items {
                                    references(&item?, &mut calls.in_tables)?;
                                }
                            }
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => calls.bodies.push(body),
                _ => {}
            }
        }
        Ok(calls)
    }

    /// For each body, whether a run can get to it.
    fn reachable(&self) -> Result<Vec<bool>, InstrumentError> {
        let mut found = vec![false; self.bodies.len()];
        let mut open = self.roots.clone();
        let mut through_tables = false;
        while let Some(function) = open.pop() {
            let Some(index) = function.checked_sub(self.imported).map(|index| index as usize) else { continue };
            let (Some(body), Some(is)) = (self.bodies.get(index), found.get_mut(index)) else { continue };
            if std::mem::replace(is, true) {
                continue;
            }
            for operator in body.get_operators_reader()? {
                match operator? {
                    Operator::Call { function_index }
                    | Operator::ReturnCall { function_index }
                    | Operator::RefFunc { function_index } => open.push(function_index),
                    Operator::CallIndirect { .. }
                    | Operator::ReturnCallIndirect { .. }
                    | Operator::CallRef { .. }
                    | Operator::ReturnCallRef { .. }
                        if !through_tables =>
                    {
                        through_tables = true;
                        open.extend(&self.in_tables);
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }
}

/// The functions that an expression of constants refers to.
fn references(expr: &wasmparser::ConstExpr<'_>, out: &mut Vec<u32>) -> Result<(), InstrumentError> {
    for operator in expr.get_operators_reader() {
        if let Operator::RefFunc { function_index } = operator? {
            out.push(function_index);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::with_exports;
    use super::only_reachable;

    /// The bodies that are left after function `entry` is made the entry, one letter each: `f` whole, `-` left out.
    fn left(text: &str, entry: u32) -> String {
        let wasm = wat::parse_str(text).unwrap();
        let out = only_reachable(with_exports(&wasm, entry).unwrap()).unwrap();
        wasmparser::validate(&out).unwrap();
        let bodies = wasmparser::Parser::new(0).parse_all(&out).filter_map(|payload| match payload.unwrap() {
            wasmparser::Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
        bodies.map(|body| if body.range().end - body.range().start == 3 { '-' } else { 'f' }).collect()
    }

    #[test]
    fn what_is_not_called_has_no_body() {
        let text = r#"(module (import "env" "i" (func)) (type $t (func)) (table 2 funcref) (elem (i32.const 0) $c)
            (func $a (call $b) (call 0)) (func $b nop nop) (func $c nop nop) (func $d (call_indirect (type $t) (i32.const 0)))
            (func (export "_initialize") nop nop) (func $start nop nop) (start $start))"#;
        assert_eq!(left(text, 1), "ff--ff");
        assert_eq!(left(text, 2), "-f--ff");
        assert_eq!(left(text, 4), "--ffff");
    }

    #[test]
    fn a_module_that_needs_everything_stays_as_it_is() {
        let wasm = wat::parse_str("(module (func (call 1)) (func (result) (call 0)))").unwrap();
        let exported = with_exports(&wasm, 0).unwrap();
        assert_eq!(only_reachable(exported.clone()), Ok(exported));
    }
}
