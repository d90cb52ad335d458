//! Reads what an object file defines, so that exactly the user's functions are exported and not a whole C library.

use wasmparser::{Linking, LinkingSectionReader, Parser, Payload, SymbolFlags, SymbolInfo};

/// The names of the non-static functions an object file defines, in its order.
pub(crate) fn defined_functions(object: &[u8]) -> wasmparser::Result<Vec<String>> {
    let mut names = Vec::new();
    for payload in Parser::new(0).parse_all(object) {
        let Payload::CustomSection(section) = payload? else {
            continue;
        };
        let wasmparser::KnownCustom::Linking(linking) = section.as_known() else {
            continue;
        };
        collect(linking, &mut names)?;
    }
    Ok(names)
}

fn collect(linking: LinkingSectionReader<'_>, names: &mut Vec<String>) -> wasmparser::Result<()> {
    for subsection in linking {
        let Linking::SymbolTable(symbols) = subsection? else {
            continue;
        };
        for symbol in symbols {
            let SymbolInfo::Func { flags, name: Some(name), .. } = symbol? else {
                continue;
            };
            // Not by visibility: clang makes everything hidden on a target without an operating system.
            if !flags.intersects(SymbolFlags::UNDEFINED | SymbolFlags::BINDING_LOCAL) {
                names.push(name.to_owned());
            }
        }
    }
    Ok(())
}
