//! Reads the symbols of an object file: what it defines, so that exactly the user's functions are exported, and what it asks for.

use wasmparser::{Linking, LinkingSectionReader, Parser, Payload, SymbolFlags, SymbolInfo, TypeRef};

/// A function an object file defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub name: String,
    /// Static in its file: no other object sees it.
    pub local: bool,
    pub weak: bool,
    /// Where in the object the symbol's flags are.
    flags_at: usize,
}

/// The symbols that matter of an object file, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    pub functions: Vec<Function>,
    /// Functions that another object has to define: imported under their names.
    pub undefined_functions: Vec<String>,
    /// Variables that another object has to define.
    pub undefined_data: Vec<String>,
    /// Variables that other objects can use.
    pub defined_data: Vec<String>,
    /// Whether something is to be done before any function is called: constructors of static objects.
    pub constructors: bool,
}

impl Symbols {
    pub fn read(object: &[u8]) -> wasmparser::Result<Symbols> {
        let mut symbols = Symbols::default();
        for payload in Parser::new(0).parse_all(object) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        if matches!(import.ty, TypeRef::Func(_)) {
                            symbols.undefined_functions.push(import.name.to_owned());
                        }
                    }
                }
                Payload::CustomSection(section) => {
                    if let wasmparser::KnownCustom::Linking(linking) = section.as_known() {
                        symbols.collect(linking)?;
                    }
                }
                _ => {}
            }
        }
        Ok(symbols)
    }

    fn collect(&mut self, linking: LinkingSectionReader<'_>) -> wasmparser::Result<()> {
        for subsection in linking {
            match subsection? {
                Linking::InitFuncs(functions) => self.constructors |= functions.count() > 0,
                Linking::SymbolTable(symbols) => {
                    for symbol in symbols.into_iter_with_offsets() {
                        let (at, symbol) = symbol?;
                        self.add(at, symbol);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, at: u64, symbol: SymbolInfo<'_>) {
        match symbol {
            // Not by visibility: clang makes everything hidden on a target without an operating system.
            SymbolInfo::Func { flags, name: Some(name), .. } if !flags.contains(SymbolFlags::UNDEFINED) => {
                self.functions.push(Function {
                    name: name.to_owned(),
                    local: flags.contains(SymbolFlags::BINDING_LOCAL),
                    weak: flags.contains(SymbolFlags::BINDING_WEAK),
                    // The kind is one byte, and the flags come next.
                    flags_at: usize::try_from(at).unwrap_or(usize::MAX - 1) + 1,
                });
            }
            SymbolInfo::Data { flags, name, .. } if flags.contains(SymbolFlags::UNDEFINED) => {
                self.undefined_data.push(name.to_owned());
            }
            SymbolInfo::Data { flags, name, .. } if !flags.contains(SymbolFlags::BINDING_LOCAL) => {
                self.defined_data.push(name.to_owned());
            }
            _ => {}
        }
    }
}

/// Lets other objects, and so the linker's exports, see a static function.
pub(crate) fn publish(object: &mut [u8], function: &Function) {
    // The flags are a LEB128 number; this one is in the low seven bits, which are the first byte's.
    const BINDING_LOCAL: u8 = 2;
    if let Some(flags) = object.get_mut(function.flags_at) {
        *flags &= !BINDING_LOCAL;
    }
}
