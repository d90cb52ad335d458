//! Worst inputs in the forms other tools take: tests, benchmarks, property tests, fuzz targets, corpora, JSON. Writes no file itself.
//!
//! Whatever the program is written in, what knows its function (`target`) offers one function of plain C, and all forms call that.
//!
//! Names, laws and sizes come from a document that anybody may have made. Names become identifiers or comments, laws are let
//! through only if they are arithmetic (`law`), and the text of one file is bounded.

mod build;
mod c;
mod corpus;
mod criterion;
mod data;
mod dictionary;
mod google_benchmark;
mod header;
mod hypothesis;
mod ktest;
mod law;
mod libfuzzer;
mod literal;
mod native;
mod params;
mod passed;
mod profile;
mod proptest;
mod rust;
mod structs;
mod target;
mod target_cpp;
mod target_rust;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use slowpath_program::call::{CallSpec, ParamKind};
use slowpath_program::input::InputValues;

use crate::input_law::InputLawReport;

pub use law::LawSource;
pub use native::{DRIVER, driver};
pub use profile::profile;
pub use words::{file_stem, is_identifier};

/// More elements than this are not written into one source file.
const MOST_ELEMENTS: usize = 200_000;

/// What an export is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    Rust,
    C,
    Json,
    Corpus,
    KTest,
    Criterion,
    GoogleBenchmark,
    Proptest,
    Hypothesis,
    LibFuzzer,
    /// A dictionary in AFL's format.
    Dictionary,
    /// Collapsed stacks of the worst input.
    Folded,
    Speedscope,
}

impl ExportFormat {
    /// Whether the function is called, so that its source has to be there and its name to be one that C has.
    pub fn calls(self) -> bool {
        use ExportFormat::{C, Criterion, GoogleBenchmark, Hypothesis, LibFuzzer, Proptest, Rust};
        matches!(self, Rust | C | Criterion | GoogleBenchmark | Proptest | Hypothesis | LibFuzzer)
    }

    /// Whether it is about where the cost goes, not about the input.
    pub fn is_profile(self) -> bool {
        matches!(self, ExportFormat::Folded | ExportFormat::Speedscope)
    }

    /// Whether one size makes one file, so that the largest is taken where none is asked for.
    pub fn has_one_size(self) -> bool {
        matches!(self, ExportFormat::Rust | ExportFormat::C)
    }
}

/// How native code comes to the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeSource {
    /// This C file, as seen from the folder of the export.
    Include(String),
    /// This C++ file.
    Cpp(CppSource),
    /// A crate, or a file of Rust.
    Rust(RustSource),
    /// The user links what defines it.
    Linked,
}

/// A program of C++.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CppSource {
    /// The file, as seen from the folder of the export.
    pub include: String,
    /// The function with its namespaces.
    pub function: String,
    /// The statements that call it, where its parameters are no plain ones.
    pub body: Option<String>,
}

/// A program of Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustSource {
    /// The line of a manifest with the crate; empty where the program is copied.
    pub dependency: String,
    /// A package is made of a file that has none: the name of its library, and the file as seen from the package's folder.
    pub package: Option<(String, String)>,
    /// A copy of the program, whose function nobody else can call.
    pub copy: String,
    /// The statements that call the function.
    pub body: String,
    /// The versions that the project is built with.
    pub lock: Option<String>,
}

/// How the function is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Calling {
    Signature(CallSpec),
    /// With n where it takes that; inputs come from calls of `slowpath.h`.
    Harness {
        takes_size: bool,
    },
}

/// Everything that the forms are made from.
#[derive(Clone, Debug)]
pub struct Export {
    pub function: String,
    /// The program, and the signature or the name of the harness; for people.
    pub file: String,
    pub call: String,
    pub calling: Calling,
    pub source: NativeSource,
    /// Flags for the host's compiler.
    pub cflags: Vec<String>,
    /// Further files of C or C++ that belong to the program.
    pub more_files: Vec<String>,
    /// The structs of the call, by their names: as C spells their types.
    pub struct_types: BTreeMap<String, String>,
    pub cost_model: String,
    pub strategy: String,
    /// By size, smallest first.
    pub cases: Vec<Case>,
    /// The input law as the document has it.
    pub input_law: Option<InputLawReport>,
    /// The text of `slowpath.h`, which a harness includes.
    pub header: &'static str,
}

/// A worst input.
#[derive(Clone, Debug)]
pub struct Case {
    pub size: i64,
    pub cost: u64,
    /// The run was cut at a limit, so it costs at least that.
    pub at_least: bool,
    pub confidence: String,
    pub verified: bool,
    pub trap: Option<String>,
    pub input: InputValues,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Relative, with `/`, of letters, digits, `_`, `-` and `.` only.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// Why there is no such export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("the document has no worst input to export")]
    NoInput,
    #[error("the document has no profile of its worst input; analyse the program again")]
    NoProfile,
    #[error("`{0}` is not a name that C has, so no C or Rust code can call it; export as json, corpus or ktest")]
    NotAnIdentifier(String),
    #[error(
        "{0} passes what exported code cannot make: structs that many others point to, words inside of structs, or structs without a name; export as json, corpus or ktest"
    )]
    Struct(String),
    #[error(
        "size {size} has {elements} elements, more than the {MOST_ELEMENTS} that go into a source file; choose a smaller --size, or export as corpus or json"
    )]
    TooManyElements { size: i64, elements: usize },
    #[error("a number in {0} is too large for 64 bits, so no code for other sizes can be written; export as c or json")]
    TooLarge(String),
    #[error("the path {0} cannot stand in an #include; rename the file or the folders above it")]
    NotIncludable(String),
}

impl ExportedFile {
    fn text(path: impl Into<String>, text: String) -> ExportedFile {
        ExportedFile { path: path.into(), bytes: text.into_bytes() }
    }
}

impl Export {
    /// The files of a form.
    pub fn files(&self, format: ExportFormat) -> Result<Vec<ExportedFile>, ExportError> {
        if self.cases.is_empty() {
            return Err(ExportError::NoInput);
        }
        if format.calls() {
            self.check_callable()?;
        }
        match format {
            ExportFormat::C => c::files(self),
            ExportFormat::Rust => rust::files(self),
            ExportFormat::Criterion => criterion::files(self),
            ExportFormat::GoogleBenchmark => google_benchmark::files(self),
            ExportFormat::Proptest => proptest::files(self),
            ExportFormat::Hypothesis => hypothesis::files(self),
            ExportFormat::LibFuzzer => libfuzzer::files(self),
            ExportFormat::Dictionary => Ok(dictionary::files(self)),
            ExportFormat::Json => Ok(data::files(self)),
            ExportFormat::Corpus => Ok(corpus::files(self)),
            ExportFormat::KTest => Ok(ktest::files(self)),
            // They are made of the document, not of its inputs.
            ExportFormat::Folded | ExportFormat::Speedscope => Err(ExportError::NoProfile),
        }
    }

    /// Whether source code can call the function.
    pub fn check_callable(&self) -> Result<(), ExportError> {
        // The other languages have looked at the name when they made the call.
        let is_named = match &self.source {
            NativeSource::Include(_) | NativeSource::Linked => is_identifier(&self.function),
            NativeSource::Cpp(_) | NativeSource::Rust(_) => true,
        };
        if !is_named {
            return Err(ExportError::NotAnIdentifier(self.function.clone()));
        }
        if let Calling::Signature(spec) = &self.calling
            && (!spec.dictionaries().is_empty()
                || spec
                    .params
                    .iter()
                    .any(|param| matches!(&param.kind, ParamKind::EndOf(name) if !params::has_elements(spec, name)))
                || params::structs(self).iter().any(|(_, made)| made.is_none() || !self.knows_structs())
                || spec.members().any(|member| !is_identifier(&member.param.name)))
        {
            return Err(ExportError::Struct(self.call.clone()));
        }
        if let Calling::Signature(spec) = &self.calling
            && let Some(name) = spec.functions().into_iter().find(|name| !is_identifier(name))
        {
            return Err(ExportError::NotAnIdentifier(name.to_owned()));
        }
        let path = match &self.source {
            NativeSource::Include(path) => Some(path),
            NativeSource::Cpp(source) => Some(&source.include),
            NativeSource::Rust(source) => source.package.as_ref().map(|(_, path)| path),
            NativeSource::Linked => None,
        };
        // A header name has no escapes.
        match path.filter(|path| path.chars().any(|c| c.is_control() || "\"\\".contains(c))) {
            Some(path) => Err(ExportError::NotIncludable(path.escape_debug().to_string())),
            None => Ok(()),
        }
    }

    /// The cargo package that knows the function, where the program is Rust.
    pub fn package(&self) -> Option<String> {
        build::is_rust(self).then(|| target::name(self))
    }

    /// Whether the file that calls the function has the types of its structs.
    fn knows_structs(&self) -> bool {
        matches!(self.source, NativeSource::Include(_) | NativeSource::Cpp(_))
    }

    /// A pointer to whatever the program wants one to.
    fn as_any_pointer(&self, pointer: &str) -> String {
        match &self.source {
            NativeSource::Cpp(_) => format!("slowpath_bytes{{(void *){pointer}}}"),
            _ => format!("(void *){pointer}"),
        }
    }

    /// What exported code calls.
    fn symbol(&self) -> String {
        format!("slowpath_call_{}", self.stem())
    }

    /// The function's name as part of file names.
    fn stem(&self) -> String {
        file_stem(&self.function)
    }

    /// Whether the inputs are made by calls of `slowpath.h`.
    pub fn is_harness(&self) -> bool {
        matches!(self.calling, Calling::Harness { .. })
    }

    /// Whether the input of any size can be made.
    pub fn has_law(&self) -> bool {
        self.laws().is_some()
    }

    /// The laws of all inputs in their order; none unless every input has one that is safe to write.
    fn laws(&self) -> Option<Vec<LawSource>> {
        law::sources(self.input_law.as_ref()?, &self.cases.last()?.input)
    }
}

impl Case {
    /// Elements of all inputs.
    fn elements(&self) -> usize {
        self.input.0.iter().map(|input| input.bits.len()).sum()
    }

    fn check_length(&self) -> Result<(), ExportError> {
        match self.elements() {
            elements if elements > MOST_ELEMENTS => Err(ExportError::TooManyElements { size: self.size, elements }),
            _ => Ok(()),
        }
    }
}
