//! Which functions the compiler put into others, and where: the inlined subroutines of DWARF.
//!
//! Debug information is untrusted: reading takes time and memory linear in its size, and what cannot be read is left out.

use std::collections::HashMap;
use std::sync::Arc;

use gimli::{AttributeValue, DwAt, EndianSlice, LittleEndian, UnitOffset, constants};

use crate::names::readable;
use crate::source_map::{debug_sections, path_of};

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = gimli::DebuggingInformationEntry<Reader<'a>>;

/// More ranges of code than this are not kept.
const MOST_RANGES: usize = 1 << 21;
/// Longer names are cut.
const LONGEST_NAME: usize = 4000;
/// A chain longer than this is cut at its outer end; no compiler makes one.
const DEEPEST: usize = 200;
/// Declarations and abstract functions that refer to each other, followed before giving up.
const MOST_ORIGINS: usize = 8;

const NONE: u32 = u32::MAX;

/// The chains of inlined functions, by code offset.
#[derive(Clone, Debug, Default)]
pub struct Inlines {
    /// Sorted by address: from there on the innermost function is this one.
    spans: Vec<(u32, u32)>,
    frames: Vec<Inlined>,
}

/// A function where it stands in the code of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlined {
    pub name: Arc<str>,
    /// File and line of the call that it stands for; none for a function that stands for itself.
    pub call: Option<(Arc<str>, u32)>,
    parent: u32,
}

impl Inlines {
    /// Reads a module's inlined functions; none where there is no debug information.
    pub fn from_wasm(wasm: &[u8]) -> Inlines {
        let sections = debug_sections(wasm);
        let load = |id: gimli::SectionId| -> Result<Reader<'_>, std::convert::Infallible> {
            Ok(EndianSlice::new(sections.get(id.name()).copied().unwrap_or_default(), LittleEndian))
        };
        let Ok(dwarf) = gimli::Dwarf::load(load);
        let mut builder = Builder::default();
        for pass in [Builder::read_names, Builder::read_code] {
            let mut units = dwarf.units();
            while let Ok(Some(header)) = units.next() {
                let Ok(unit) = dwarf.unit(header) else { continue };
                let Some(start) = unit.header.debug_info_offset() else { continue };
                // A damaged unit leaves what was read of it.
                let _ = pass(&mut builder, &Unit { dwarf: &dwarf, unit: &unit, start: start.0 });
            }
        }
        builder.finish()
    }

    /// The name of the function whose code an instruction is in, whatever is inlined there.
    pub fn function(&self, code_offset: u32) -> Option<&str> {
        let outermost = self.chain(code_offset).last().map(|frame| frame.parent);
        let after = self.spans.partition_point(|(address, _)| *address <= code_offset);
        let at = outermost.or_else(|| after.checked_sub(1).map(|index| self.spans[index].1))?;
        self.frames.get(at as usize).filter(|frame| frame.call.is_none()).map(|frame| &*frame.name)
    }

    /// The inlined functions around an instruction, innermost first; the function whose code it is in is not among them.
    pub fn chain(&self, code_offset: u32) -> Vec<&Inlined> {
        let after = self.spans.partition_point(|(address, _)| *address <= code_offset);
        let mut at = after.checked_sub(1).map_or(NONE, |index| self.spans[index].1);
        let mut out = Vec::new();
        while let Some(frame) = self.frames.get(at as usize)
            && frame.call.is_some()
            && out.len() < DEEPEST
        {
            out.push(frame);
            at = frame.parent;
        }
        out
    }
}

/// One unit, to read attributes with.
struct Unit<'u, 'a> {
    dwarf: &'u gimli::Dwarf<Reader<'a>>,
    unit: &'u gimli::Unit<Reader<'a>>,
    start: usize,
}

impl<'a> Unit<'_, 'a> {
    fn text(&self, entry: &Entry<'a>, name: DwAt) -> Option<String> {
        let text = self.dwarf.attr_string(self.unit, entry.attr_value(name)?).ok()?;
        let bytes = text.slice();
        Some(String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_NAME)]).into_owned())
    }

    /// An offset in `.debug_info` that an attribute refers to.
    fn offset(&self, entry: &Entry<'a>, name: DwAt) -> Option<usize> {
        match entry.attr_value(name)? {
            AttributeValue::UnitRef(UnitOffset(offset)) => self.start.checked_add(offset),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    fn call(&self, entry: &Entry<'a>) -> Option<(Arc<str>, u32)> {
        let file = match entry.attr_value(constants::DW_AT_call_file)? {
            AttributeValue::FileIndex(file) => file,
            other => other.udata_value()?,
        };
        let line = entry.attr(constants::DW_AT_call_line)?.udata_value()?;
        let header = self.unit.line_program.as_ref()?.header();
        Some((path_of(self.dwarf, header, file).into(), u32::try_from(line).ok()?))
    }

    fn ranges(&self, entry: &Entry<'a>, room: usize) -> Vec<(u32, u32)> {
        let mut out = Vec::new();
        let Ok(mut ranges) = self.dwarf.die_ranges(self.unit, entry) else { return out };
        while let (Ok(Some(range)), true) = (ranges.next(), out.len() < room) {
            // The linker leaves functions that it dropped at address 0 or at the end of all addresses.
            let (Ok(begin), Ok(end)) = (u32::try_from(range.begin), u32::try_from(range.end)) else { continue };
            if begin != 0 && begin < u32::MAX - 1 && end > begin {
                out.push((begin, end));
            }
        }
        out
    }
}

/// Whether nobody could make words of a symbol.
pub fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

#[derive(Default)]
struct Builder {
    /// Names of functions, or where to look for them, by offset in `.debug_info`.
    names: HashMap<usize, Result<Arc<str>, usize>>,
    frames: Vec<Inlined>,
    /// Begin, end, depth, frame.
    ranges: Vec<(u32, u32, usize, u32)>,
    unknown: Option<Arc<str>>,
}

impl Builder {
    fn read_names(&mut self, of: &Unit<'_, '_>) -> gimli::Result<()> {
        let mut entries = of.unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            if entry.tag() != constants::DW_TAG_subprogram {
                continue;
            }
            // What cannot be demangled is better called by its plain name.
            let linked = of.text(entry, constants::DW_AT_linkage_name).map(|name| readable(&name));
            let linked = linked.filter(|name| !is_mangled(name)).or_else(|| of.text(entry, constants::DW_AT_name));
            let origin = [constants::DW_AT_specification, constants::DW_AT_abstract_origin];
            let origin = origin.into_iter().find_map(|name| of.offset(entry, name));
            let name = match (linked, origin) {
                (Some(name), _) => Ok(name.into()),
                (None, Some(origin)) => Err(origin),
                (None, None) => continue,
            };
            self.names.insert(of.start + entry.offset().0, name);
        }
        Ok(())
    }

    fn name(&mut self, mut at: usize) -> Arc<str> {
        for _ in 0..MOST_ORIGINS {
            match self.names.get(&at) {
                Some(Ok(name)) => return name.clone(),
                Some(Err(origin)) => at = *origin,
                None => break,
            }
        }
        self.unknown.get_or_insert_with(|| "?".into()).clone()
    }

    fn read_code(&mut self, of: &Unit<'_, '_>) -> gimli::Result<()> {
        let mut entries = of.unit.entries();
        // The frame that entries below a depth belong to.
        let mut around: Vec<u32> = Vec::new();
        while let Some(entry) = entries.next_dfs()? {
            let depth = usize::try_from(entry.depth()).unwrap_or(0);
            around.truncate(depth);
            let parent = around.last().copied().unwrap_or(NONE);
            let (call, origin) = match entry.tag() {
                constants::DW_TAG_subprogram => (None, Some(of.start + entry.offset().0)),
                constants::DW_TAG_inlined_subroutine => {
                    (of.call(entry), of.offset(entry, constants::DW_AT_abstract_origin))
                }
                _ => {
                    around.resize(depth + 1, parent);
                    continue;
                }
            };
            let is_inlined = entry.tag() == constants::DW_TAG_inlined_subroutine;
            let ranges = of.ranges(entry, MOST_RANGES.saturating_sub(self.ranges.len()));
            let frame = match (origin, ranges.is_empty() || (is_inlined && call.is_none())) {
                (Some(origin), false) => {
                    let name = self.name(origin);
                    self.frames.push(Inlined { name, call, parent: if is_inlined { parent } else { NONE } });
                    self.frames.len() as u32 - 1
                }
                _ => parent,
            };
            if frame != parent {
                self.ranges.extend(ranges.into_iter().map(|(begin, end)| (begin, end, depth, frame)));
            }
            around.resize(depth, parent);
            around.push(frame);
        }
        Ok(())
    }

    /// Ranges lie within each other as the functions do; one that does not is cut where the one around it ends.
    fn finish(mut self) -> Inlines {
        self.ranges.sort_by_key(|(begin, end, depth, _)| (*begin, std::cmp::Reverse(*end), *depth));
        let mut spans: Vec<(u32, u32)> = Vec::new();
        let mut open: Vec<(u32, u32)> = Vec::new();
        let close = |open: &mut Vec<(u32, u32)>, spans: &mut Vec<(u32, u32)>, until: u32| {
            while let Some((end, _)) = open.last().copied().filter(|(end, _)| *end <= until) {
                open.pop();
                spans.push((end, open.last().map_or(NONE, |(_, frame)| *frame)));
            }
        };
        for (begin, end, _, frame) in self.ranges {
            close(&mut open, &mut spans, begin);
            let end = open.last().map_or(end, |(around, _)| end.min(*around));
            spans.push((begin, frame));
            open.push((end, frame));
        }
        close(&mut open, &mut spans, u32::MAX);
        Inlines { spans, frames: self.frames }
    }
}

#[cfg(test)]
mod tests {
    use super::{Builder, Inlined, Inlines, NONE};

    fn frame(name: &str, parent: u32) -> Inlined {
        Inlined { name: name.into(), call: (parent != NONE).then(|| ("a.c".into(), 1)), parent }
    }

    #[test]
    fn the_innermost_function_comes_first_and_what_ends_is_left() {
        let builder = Builder {
            frames: vec![frame("f", NONE), frame("g", 0), frame("h", 1)],
            ranges: vec![(10, 50, 1, 0), (20, 40, 2, 1), (20, 30, 3, 2), (60, 70, 1, 0)],
            ..Builder::default()
        };
        let map = builder.finish();
        let names = |at: u32| map.chain(at).iter().map(|frame| frame.name.to_string()).collect::<Vec<_>>();
        assert_eq!(names(25), ["h", "g"]);
        assert_eq!(names(35), ["g"]);
        assert!(names(45).is_empty() && names(55).is_empty() && names(5).is_empty());
    }

    #[test]
    fn what_is_no_module_has_no_functions() {
        assert!(Inlines::from_wasm(b"not wasm").chain(3).is_empty());
        assert!(Inlines::from_wasm(&wat::parse_str("(module (func))").unwrap()).chain(3).is_empty());
    }
}
