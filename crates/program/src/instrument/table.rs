//! A module with more functions in its table, so that their addresses can be passed to others.

use wasmparser::{Parser, Payload, RefType, TableInit};

use super::InstrumentError;
use super::encode::{leb128, section, signed_leb128, slice};

const TABLE_SECTION: u8 = 4;
const ELEMENT_SECTION: u8 = 9;
/// The sections that come after the elements: data count, code, data.
const AFTER_ELEMENTS: [u8; 3] = [12, 10, 11];
const FUNCREF: u8 = 0x70;

/// The module with these functions at the end of its first table, in this order. None where it has no such table of its own to put
/// them in.
pub fn with_table_entries(wasm: &[u8], functions: &[u32]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let (mut sections, mut tables, mut elements) = (Vec::new(), None, (0, 0..0));
    let mut first = None;
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        sections.extend(payload.as_section());
        match payload {
            Payload::TableSection(reader) => {
                let (mut out, count) = (Vec::new(), reader.count());
                leb128(&mut out, count);
                for table in reader {
                    let table = table?;
                    let plain = table.ty.element_type == RefType::FUNCREF && matches!(table.init, TableInit::RefNull);
                    let narrow = |limit: u64| u32::try_from(limit).ok();
                    let (Some(least), true) = (narrow(table.ty.initial), plain && !table.ty.table64) else {
                        return Ok(None);
                    };
                    let more = if first.is_none() { functions.len() as u32 } else { 0 };
                    first.get_or_insert(least);
                    let most = table.ty.maximum.and_then(narrow);
                    out.extend([FUNCREF, u8::from(most.is_some())]);
                    leb128(&mut out, least.saturating_add(more));
                    if let Some(most) = most {
                        leb128(&mut out, most.saturating_add(more));
                    }
                }
                tables = Some(out);
            }
            Payload::ElementSection(reader) => {
                elements = (reader.count(), reader.original_position()..reader.range().end);
            }
            _ => {}
        }
    }
    let (Some(tables), Some(first)) = (tables, first) else { return Ok(None) };
    let mut grown = Vec::new();
    leb128(&mut grown, elements.0 + 1);
    grown.extend_from_slice(slice(wasm, &elements.1));
    // Active, in the first table, from an i32 constant on.
    grown.extend([0x00, 0x41]);
    signed_leb128(&mut grown, i64::from(first));
    grown.push(0x0b);
    leb128(&mut grown, functions.len() as u32);
    functions.iter().for_each(|function| leb128(&mut grown, *function));

    let mut out = wasm.get(..8).unwrap_or_default().to_vec();
    let mut written = false;
    for (id, range) in &sections {
        let replaces = *id == ELEMENT_SECTION;
        if !written && (replaces || AFTER_ELEMENTS.contains(id)) {
            section(&mut out, ELEMENT_SECTION, &grown);
            written = true;
        }
        match *id {
            TABLE_SECTION => section(&mut out, TABLE_SECTION, &tables),
            ELEMENT_SECTION => {}
            id => section(&mut out, id, slice(wasm, range)),
        }
    }
    Ok(Some(out))
}

#[cfg(test)]
mod tests {
    use super::with_table_entries;

    #[test]
    fn functions_are_put_behind_those_that_are_there() {
        for elements in ["", "(elem (i32.const 1) $f)"] {
            let text = format!("(module (table 100 100 funcref) {elements} (func $f) (func $g (nop)))");
            let wasm = wat::parse_str(&text).unwrap();
            let changed = with_table_entries(&wasm, &[1, 0]).unwrap().unwrap();
            wasmparser::validate(&changed).unwrap();
            let program = crate::load(&changed, &crate::Probes::default()).unwrap();
            assert_eq!(program.tables[0].limits.min, 102);
            assert_eq!(program.table_index(crate::FuncIdx(1)), Some(100));
        }
    }

    #[test]
    fn a_module_without_a_table_stays_without() {
        assert_eq!(with_table_entries(&wat::parse_str("(module (func))").unwrap(), &[0]), Ok(None));
        assert!(with_table_entries(b"junk", &[0]).is_err());
    }
}
