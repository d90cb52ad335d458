//! Reads what an object file defines, so that exactly the user's functions are exported and not a whole C library.

use wasmparser::{Linking, LinkingSectionReader, Parser, Payload, SymbolFlags, SymbolInfo};

/// The names of the non-static functions an object file defines, in its order; weak ones on request.
pub(crate) fn defined_functions(object: &[u8], weak: bool) -> wasmparser::Result<Vec<String>> {
    let unwanted = SymbolFlags::UNDEFINED | SymbolFlags::BINDING_LOCAL;
    let unwanted = if weak { unwanted } else { unwanted | SymbolFlags::BINDING_WEAK };
    let mut names = Vec::new();
    for linking in linking_sections(object) {
        collect(linking?, unwanted, &mut names)?;
    }
    Ok(names)
}

fn linking_sections(object: &[u8]) -> impl Iterator<Item = wasmparser::Result<LinkingSectionReader<'_>>> {
    Parser::new(0).parse_all(object).filter_map(|payload| match payload {
        Ok(Payload::CustomSection(section)) => match section.as_known() {
            wasmparser::KnownCustom::Linking(linking) => Some(Ok(linking)),
            _ => None,
        },
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
}

/// Whether something is to be done before any function is called: constructors of static objects.
pub(crate) fn has_constructors(object: &[u8]) -> wasmparser::Result<bool> {
    for linking in linking_sections(object) {
        for subsection in linking? {
            if let Linking::InitFuncs(functions) = subsection? {
                return Ok(functions.count() > 0);
            }
        }
    }
    Ok(false)
}

fn collect(
    linking: LinkingSectionReader<'_>,
    unwanted: SymbolFlags,
    names: &mut Vec<String>,
) -> wasmparser::Result<()> {
    for subsection in linking {
        let Linking::SymbolTable(symbols) = subsection? else {
            continue;
        };
        for symbol in symbols {
            let SymbolInfo::Func { flags, name: Some(name), .. } = symbol? else {
                continue;
            };
            // Not by visibility: clang makes everything hidden on a target without an operating system.
            if !flags.intersects(unwanted) {
                names.push(name.to_owned());
            }
        }
    }
    Ok(())
}
