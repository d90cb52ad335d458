//! Code offsets to source lines and back, from the DWARF line tables that compilers put into custom sections.
//!
//! Addresses are offsets from the start of the code section's contents, as LLVM emits them. The tables are read once into one
//! sorted list of rows. Debug information is untrusted: whatever is in it, reading takes time and memory linear in its
//! size, and what cannot be read only leaves a note.

use std::collections::HashMap;
use std::sync::Arc;

use gimli::{ColumnType, DebugLineOffset, EndianSlice, LittleEndian};
use wasmparser::{Parser, Payload};

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Dwarf<'a> = gimli::Dwarf<Reader<'a>>;
type LineHeader<'a> = gimli::LineProgramHeader<Reader<'a>>;

/// More rows than this are not kept; a large C++ program has a few hundred thousand.
const MOST_ROWS: usize = 4 << 20;
/// Longer paths are cut.
const LONGEST_PATH: usize = 4096;
/// Notes past this many are dropped: one broken table tends to bring others.
const MOST_NOTES: usize = 16;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where the compiler did not say.
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The line table of a module; empty where there is no debug information.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Sorted by address. A row holds from its address up to the next row's.
    rows: Vec<Row>,
    files: Vec<Arc<str>>,
    notes: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    address: u32,
    /// `NO_FILE` marks the end of a sequence: what follows has no source.
    file: u32,
    /// 0 for code the compiler made up at the start of a function.
    line: u32,
    column: u32,
    is_statement: bool,
}

const NO_FILE: u32 = u32::MAX;

impl SourceMap {
    /// Reads a module's line tables. Absent or broken debug information gives an empty or partial map, and a note.
    pub fn from_wasm(wasm: &[u8]) -> SourceMap {
        let sections = debug_sections(wasm);
        let mut builder = Builder::default();
        if sections.contains_key(".debug_line") {
            let load = |id: gimli::SectionId| -> Result<Reader<'_>, std::convert::Infallible> {
                Ok(EndianSlice::new(sections.get(id.name()).copied().unwrap_or_default(), LittleEndian))
            };
            let Ok(dwarf) = Dwarf::load(load);
            builder.read_all(&dwarf, sections[".debug_line"]);
        } else {
            builder.note("no debug information: compile with -g to see source lines".to_owned());
        }
        builder.finish()
    }

    /// Where the instruction at this code offset comes from.
    pub fn locate(&self, code_offset: u32) -> Option<Location> {
        let after = self.rows.partition_point(|row| row.address <= code_offset);
        let row = self.rows.get(after.checked_sub(1)?)?;
        if row.file == NO_FILE || row.line == 0 {
            return None;
        }
        Some(Location { file: self.files[row.file as usize].clone(), line: row.line, column: row.column })
    }

    /// Where the contiguous code of the line around this offset begins.
    pub fn run_start(&self, code_offset: u32) -> Option<u32> {
        let mut at = self.rows.partition_point(|row| row.address <= code_offset).checked_sub(1)?;
        let row = self.rows.get(at)?;
        while let Some(before) = at.checked_sub(1).and_then(|at| self.rows.get(at))
            && (before.file, before.line) == (row.file, row.line)
        {
            at -= 1;
        }
        self.rows.get(at).map(|row| row.address)
    }

    /// The code offsets at which a run of this line's code begins: one for each contiguous range of its rows.
    ///
    /// `file_suffix` matches whole path components from the end, so `sort.c` matches `src/sort.c` but not `qsort.c`. An offset
    /// may lie before the first instruction it covers (at the start of a function it is the function's own), so take the
    /// first instruction at or after it.
    pub fn rows_of(&self, file_suffix: &str, line: u32) -> Vec<u32> {
        let wanted: Vec<bool> = self.files.iter().map(|file| is_path_suffix(file, file_suffix)).collect();
        let matches = |row: &Row| row.line == line && wanted.get(row.file as usize).copied().unwrap_or(false);
        let mut runs: Vec<(u32, bool)> = Vec::new();
        let mut inside = false;
        for row in &self.rows {
            if matches(row) {
                match runs.last_mut() {
                    Some((_, has_statement)) if inside => *has_statement |= row.is_statement,
                    _ => runs.push((row.address, row.is_statement)),
                }
                inside = true;
            } else {
                inside = false;
            }
        }
        let any_statement = runs.iter().any(|(_, is_statement)| *is_statement);
        runs.retain(|(_, is_statement)| *is_statement || !any_statement);
        runs.into_iter().map(|(address, _)| address).collect()
    }

    /// The source files named in the line tables, sorted.
    pub fn files(&self) -> Vec<Arc<str>> {
        let mut files = self.files.clone();
        files.sort();
        files
    }

    /// The lines of a file (matched as in `rows_of`) that have code, sorted.
    pub fn lines_of(&self, file_suffix: &str) -> Vec<u32> {
        let mut lines: Vec<u32> = self
            .rows
            .iter()
            .filter(|row| row.line != 0 && row.is_statement)
            .filter(|row| self.files.get(row.file as usize).is_some_and(|file| is_path_suffix(file, file_suffix)))
            .map(|row| row.line)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Whether there is no line at all.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What was wrong or missing.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The custom sections that hold DWARF, by name.
pub(crate) fn debug_sections(wasm: &[u8]) -> HashMap<&str, &[u8]> {
    let mut sections = HashMap::new();
    for payload in Parser::new(0).parse_all(wasm) {
        match payload {
            Ok(Payload::CustomSection(section)) if section.name().starts_with(".debug_") => {
                sections.insert(section.name(), section.data());
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    sections
}

/// Whether `suffix` is the last components of `path`.
fn is_path_suffix(path: &str, suffix: &str) -> bool {
    let suffix = suffix.trim_start_matches("./");
    match path.strip_suffix(suffix) {
        _ if suffix.is_empty() => false,
        Some(rest) => rest.is_empty() || rest.ends_with(['/', '\\']) || suffix.starts_with('/'),
        None => false,
    }
}

#[derive(Default)]
struct Builder {
    rows: Vec<Row>,
    files: Vec<Arc<str>>,
    file_ids: HashMap<Arc<str>, u32>,
    notes: Vec<String>,
}

impl Builder {
    fn note(&mut self, note: String) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        }
    }

    /// Walks `.debug_line` from table to table. Going by the compilation units instead would let many of them share one table,
    /// and so make a small file expensive.
    fn read_all(&mut self, dwarf: &Dwarf<'_>, section: &[u8]) {
        let folders = folders_of_crates(dwarf);
        let mut offset = 0;
        while offset < section.len() && self.rows.len() < MOST_ROWS {
            let Some(end) = table_end(section, offset) else {
                self.note(format!("the debug line table at {offset:#x} is cut off"));
                return;
            };
            if let Err(error) = self.read_table(dwarf, offset, folders.get(&offset).copied()) {
                self.note(format!("the debug line table at {offset:#x} is damaged: {error}"));
            }
            offset = end;
        }
        if self.rows.len() >= MOST_ROWS {
            self.note(format!("debug line rows beyond the first {MOST_ROWS} were left out"));
        }
    }

    fn read_table<'a>(&mut self, dwarf: &Dwarf<'a>, offset: usize, folder: Option<Reader<'a>>) -> gimli::Result<()> {
        const ADDRESS_SIZE: u8 = 4;
        let program = dwarf.debug_line.program(DebugLineOffset(offset), ADDRESS_SIZE, folder, None)?;
        let mut file_ids: HashMap<u64, u32> = HashMap::new();
        let mut sequence: Vec<Row> = Vec::new();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            if self.rows.len() + sequence.len() >= MOST_ROWS {
                break;
            }
            let Ok(address) = u32::try_from(row.address()) else {
                sequence.clear();
                continue;
            };
            if row.end_sequence() {
                sequence.push(Row { address, file: NO_FILE, line: 0, column: 0, is_statement: false });
                // The linker leaves the lines of functions it dropped at address 0, where no code can be.
                if sequence[0].address != 0 {
                    self.rows.append(&mut sequence);
                }
                sequence.clear();
                continue;
            }
            let file = *file_ids
                .entry(row.file_index())
                .or_insert_with(|| self.file_id(path_of(dwarf, header, row.file_index())));
            let line = row.line().map_or(0, |line| u32::try_from(line.get()).unwrap_or(0));
            let column = match row.column() {
                ColumnType::LeftEdge => 0,
                ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or(0),
            };
            sequence.push(Row { address, file, line, column, is_statement: row.is_stmt() });
        }
        Ok(())
    }

    fn file_id(&mut self, path: String) -> u32 {
        let path: Arc<str> = path.into();
        if let Some(id) = self.file_ids.get(&path) {
            return *id;
        }
        let id = self.files.len() as u32;
        self.files.push(path.clone());
        self.file_ids.insert(path, id);
        id
    }

    fn finish(mut self) -> SourceMap {
        // Stable, and ends first: where one sequence ends and the next begins, the beginning counts; of several rows at one
        // address, the last one.
        self.rows.sort_by_key(|row| (row.address, row.file != NO_FILE));
        // What the compiler made up in the middle of a line is best understood as part of that line.
        for index in 1..self.rows.len() {
            let before = self.rows[index - 1];
            let row = &mut self.rows[index];
            if row.line == 0 && row.file != NO_FILE && before.file != NO_FILE {
                (row.file, row.line, row.column, row.is_statement) = (before.file, before.line, 0, false);
            }
        }
        SourceMap { rows: self.rows, files: self.files, notes: self.notes }
    }
}

/// Where the table starting at `offset` ends, from its length field.
fn table_end(section: &[u8], offset: usize) -> Option<usize> {
    let bytes = section.get(offset..)?;
    let short = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
    let (field, length) = if short == u32::MAX {
        (12, usize::try_from(u64::from_le_bytes(bytes.get(4..12)?.try_into().ok()?)).ok()?)
    } else {
        (4, short as usize)
    };
    offset.checked_add(field)?.checked_add(length).filter(|end| *end <= section.len())
}

/// Where crates of a registry were compiled, by the offsets of their line tables: every one of them has a `src/lib.rs`. Units beyond the
/// first so many are not looked at.
fn folders_of_crates<'a>(dwarf: &Dwarf<'a>) -> HashMap<usize, Reader<'a>> {
    const MOST_UNITS: usize = 4096;
    let mut folders = HashMap::new();
    let mut units = dwarf.units();
    for _ in 0..MOST_UNITS {
        let Ok(Some(header)) = units.next() else { break };
        let Ok(unit) = dwarf.unit(header) else { continue };
        let (Some(program), Some(folder)) = (unit.line_program, unit.comp_dir) else { continue };
        if is_of_registry(&lossy(&folder)) {
            folders.insert(program.header().offset().0, folder);
        }
    }
    folders
}

/// Whether a folder is one of a crate that cargo fetched.
fn is_of_registry(folder: &str) -> bool {
    folder.contains("/registry/src/")
}

/// The path of a file, relative to the directory of compilation where it lies below that; of a crate that cargo fetched, the whole path.
pub(crate) fn path_of(dwarf: &Dwarf<'_>, header: &LineHeader<'_>, file: u64) -> String {
    let text = |value| dwarf.attr_line_string(value).map(|s| lossy(&s)).unwrap_or_default();
    let Some(entry) = header.file(file) else {
        return "?".to_owned();
    };
    let name = text(entry.path_name());
    let index = entry.directory_index();
    let directory = if index == 0 { String::new() } else { entry.directory(header).map(text).unwrap_or_default() };
    let mut path = if directory.is_empty() || name.starts_with('/') { name } else { format!("{directory}/{name}") };
    let compiled_in = header.directory(0).map(text).unwrap_or_default();
    if is_of_registry(&compiled_in) {
        return if path.starts_with('/') { path } else { format!("{compiled_in}/{}", path.trim_start_matches("./")) };
    }
    if header.version() >= 5
        && let Some(rest) = path.strip_prefix(&compiled_in).and_then(|rest| rest.strip_prefix('/'))
        && !compiled_in.is_empty()
    {
        path = rest.to_owned();
    }
    path.trim_start_matches("./").to_owned()
}

fn lossy(bytes: &Reader<'_>) -> String {
    let bytes = bytes.slice();
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_PATH)]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{SourceMap, is_path_suffix};

    #[test]
    fn suffixes_match_whole_components() {
        assert!(is_path_suffix("src/sort.c", "sort.c"));
        assert!(is_path_suffix("src/sort.c", "src/sort.c"));
        assert!(is_path_suffix("src/sort.c", "./sort.c"));
        assert!(!is_path_suffix("src/qsort.c", "sort.c"));
        assert!(!is_path_suffix("src/sort.c", ""));
    }

    #[test]
    fn a_module_without_debug_information_gives_an_empty_map_and_says_so() {
        let map = SourceMap::from_wasm(&wat::parse_str("(module (func))").unwrap());
        assert!(map.is_empty() && map.locate(3).is_none() && map.rows_of("a.c", 1).is_empty());
        assert!(map.notes()[0].contains("-g"));
    }

    #[test]
    fn bytes_that_are_no_module_give_an_empty_map() {
        assert!(SourceMap::from_wasm(b"not wasm").is_empty());
        assert!(SourceMap::from_wasm(&[]).is_empty());
    }
}
