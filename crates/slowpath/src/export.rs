//! From a document to what is exported: the inputs with their types, and the way to the program's source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use slowpath_program::call::{CallSpec, Dictionary, ElemType, Expr, Param, ParamKind, TextKind};
use slowpath_program::input::InputValues;
use slowpath_program::types::Types;
use slowpath_report::export::{
    Calling, Case, Export, ExportError, ExportFormat, ExportedFile, NativeSource, is_identifier,
};
use slowpath_report::{Findings, SizeResult};
use slowpath_search::{Budget, ConcreteRun, Target};
use slowpath_solver::SolverConfig;

use crate::error::Error;
use crate::host_source::{About, Program};
use crate::relative_path::{from_folder, relative_path};
use crate::replay::{read_findings, rebuild};
use crate::request::Limits;
use crate::subject::Subject;
use crate::trust::{Trust, check_document};

/// Sizes listed in a message before the rest is only counted.
const LISTED: usize = 20;

/// What to export.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    pub document: PathBuf,
    pub format: ExportFormat,
    /// None: the largest, or all where a form takes several.
    pub size: Option<i64>,
    /// Where the program is now, if it moved.
    pub program: Option<PathBuf>,
    /// The folder the files will be in. None: one named after the function, in the current one.
    pub out: Option<PathBuf>,
    pub trust: Trust,
}

/// Files, and the folder they belong in. Nothing is written yet.
#[derive(Clone, Debug)]
pub struct Exported {
    pub folder: PathBuf,
    pub files: Vec<ExportedFile>,
}

/// Makes the files of an export.
pub fn export(request: &ExportRequest) -> Result<Exported, Error> {
    let findings = read_findings(&request.document)?;
    if !request.trust.document {
        check_document(&request.document, &findings, request.program.as_deref())?;
    }
    let stem = slowpath_report::export::file_stem(&findings.target.function);
    let folder = request.out.clone().unwrap_or_else(|| PathBuf::from(format!("slowpath_{stem}")));
    if request.format.is_profile() {
        if let (Some(size), Some(flame)) = (request.size, &findings.flame)
            && size != flame.size
        {
            return Err(Error::NoSuchSize { size, sizes: flame.size.to_string() });
        }
        return Ok(Exported { files: slowpath_report::export::profile(&findings, request.format)?, folder });
    }
    let chosen = choose(&findings, request.size, request.format.has_one_size())?;
    let file = request.program.clone().unwrap_or_else(|| PathBuf::from(&findings.target.file));
    if request.format.calls() {
        check_callable(&findings, &file)?;
    }
    let is_source = Program::of(&file, &findings).is_source();
    if request.format.calls() && is_source && !file.exists() && findings.target.options.krate.is_none() {
        return Err(Error::NoSource { file });
    }
    let about = About {
        document: &request.document,
        findings: &findings,
        program: request.program.clone(),
        trust: request.trust,
    };
    // What is only data needs nobody to know the function; a corpus has a fuzz target where that is simply made.
    let wants_source =
        request.format.calls() || request.format == ExportFormat::Corpus && is_c(&file) && file.is_file();
    let source = if wants_source { about.source(&file, &folder)? } else { NativeSource::Linked };
    let mut export = describe(&request.document, &findings, &chosen, request.program.clone(), source, request.trust)?;
    export.cflags = from_folder(&export.cflags, &folder);
    export.more_files =
        findings.target.options.more_files.iter().map(|file| relative_path(&folder, Path::new(file))).collect();
    export.cflags.extend(about.more_flags(&file));
    Ok(Exported { files: export.files(request.format)?, folder })
}

/// Whether code could call what was analysed: a program as a whole and what stands behind a generated function cannot be.
pub(crate) fn check_callable(findings: &Findings, file: &Path) -> Result<(), Error> {
    let options = &findings.target.options;
    let program = Program::of(file, findings);
    // A harness of Rust calls functions that only a sandbox has.
    let is_made = program == Program::Rust || program == Program::Crate;
    let is_callable = !options.is_whole_program()
        && options.fuzz_target.is_none()
        && (program == Program::Crate || !file.is_dir())
        && !(is_made && findings.target.call.is_none())
        // Memory that another function sets up is as large as on wasm32.
        && !(program == Program::C && options.call.is_some());
    if is_callable { Ok(()) } else { Err(Error::NotCallable { what: findings.target.title() }) }
}

/// The results to export: the one of this size, else the largest or all, of those that have an input.
fn choose(findings: &Findings, size: Option<i64>, one: bool) -> Result<Vec<&SizeResult>, Error> {
    let mut there: Vec<&SizeResult> =
        findings.results.iter().filter(|r| r.input.is_some() && r.cost.is_some()).collect();
    there.sort_by_key(|result| result.size);
    there.dedup_by_key(|result| result.size);
    let Some(size) = size else {
        let from = if one { there.len().saturating_sub(1) } else { 0 };
        return Ok(there.split_off(from));
    };
    if let Some(result) = there.iter().find(|result| result.size == size) {
        return Ok(vec![result]);
    }
    let mut sizes: Vec<String> = there.iter().take(LISTED).map(|result| result.size.to_string()).collect();
    if there.len() > LISTED {
        sizes.push(format!("and {} more", there.len() - LISTED));
    }
    Err(Error::NoSuchSize { size, sizes: sizes.join(", ") })
}

/// Everything the forms need. The inputs of a harness have types only while it runs, so it is run once more.
pub(crate) fn describe(
    document: &Path,
    findings: &Findings,
    chosen: &[&SizeResult],
    program: Option<PathBuf>,
    source: NativeSource,
    trust: Trust,
) -> Result<Export, Error> {
    let target = &findings.target;
    let (calling, cases) = match (&target.call, &target.harness) {
        (Some(call), _) => {
            let spec = CallSpec::parse(call)?;
            let cases = chosen.iter().map(|result| case_of_call(&spec, result)).collect::<Result<_, _>>()?;
            let (spec, cases) = tokens_as_text(spec, cases);
            (Calling::Signature(spec), cases)
        }
        (None, Some(_)) => {
            let subject = rebuild(document, findings, program.clone(), trust)?;
            let takes_size = !subject.func_type().params.is_empty();
            let runner = subject.target(limits(findings).machine(), SolverConfig::default(), 0);
            let cases = chosen.iter().map(|r| case_of_harness(&subject, &runner, r)).collect::<Result<_, _>>()?;
            (Calling::Harness { takes_size }, cases)
        }
        (None, None) => return Err(Error::NoRecordedEntry { file: document.to_owned() }),
    };
    let struct_types = match &calling {
        Calling::Signature(spec) if has_types(&source) && !spec.structs().is_empty() => {
            let subject = rebuild(document, findings, program, trust)?;
            spelled(&Types::from_wasm(&subject.compiled.wasm), spec)
        }
        _ => BTreeMap::new(),
    };
    let has_words = target.call.as_deref().is_some_and(|call| call.contains("tokens["));
    // The document says the name twice; what is called must be what was parsed.
    let function = match &calling {
        Calling::Signature(spec) => spec.function.clone(),
        Calling::Harness { .. } => target.harness.clone().unwrap_or_default(),
    };
    Ok(Export {
        call: target
            .options
            .call
            .clone()
            .or_else(|| target.call.clone())
            .unwrap_or_else(|| format!("{function} (harness)")),
        function,
        file: target.file.clone(),
        calling,
        source,
        cflags: target.compilation.cflags.clone(),
        more_files: Vec::new(),
        struct_types,
        cost_model: findings.cost_model.clone(),
        strategy: findings.strategy.clone(),
        cases,
        // A law of the numbers of words says nothing about their text.
        input_law: findings.input_law.clone().filter(|_| !has_words),
        header: slowpath_source::HEADER,
    })
}

/// Whether exported code is compiled with the types of the program.
fn has_types(source: &NativeSource) -> bool {
    matches!(source, NativeSource::Include(_) | NativeSource::Cpp(_))
}

/// The types of a call's structs as C spells them; a struct without a tag goes by its alias.
fn spelled(types: &Types, spec: &CallSpec) -> BTreeMap<String, String> {
    let spell = |name: &str| {
        let has_tag = types.struct_named(name)?.name == name;
        is_identifier(name).then(|| (name.to_owned(), if has_tag { format!("struct {name}") } else { name.to_owned() }))
    };
    spec.structs().into_iter().filter_map(spell).collect()
}

fn limits(findings: &Findings) -> Limits {
    let settings = &findings.settings;
    Limits {
        instructions: settings.max_instructions,
        depth: settings.max_depth,
        memory: settings.max_memory,
        ..Limits::default()
    }
}

fn case_of_call(spec: &CallSpec, result: &SizeResult) -> Result<Case, Error> {
    let wrong = |source| Error::RecordedInput { size: result.size, source };
    let layout = spec.layout(result.size, 0)?;
    let input = InputValues::from_json(recorded(result), &layout).map_err(wrong)?;
    Ok(case(result, input))
}

/// Words as the text they come to, whose length is then the size, where nothing else of the call depends on it: that is all that other programs
/// need to know. Else only the values are turned.
fn tokens_as_text(mut spec: CallSpec, mut cases: Vec<Case>) -> (CallSpec, Vec<Case>) {
    let dictionaries = spec.dictionaries();
    let [(name, _)] = dictionaries.as_slice() else { return (spec, with_joined(cases, &dictionaries)) };
    let is_text = |param: &Param| matches!(param.kind, ParamKind::Tokens(..) | ParamKind::LengthOf(_));
    let rest =
        CallSpec { params: spec.params.iter().filter(|param| !is_text(param)).cloned().collect(), ..spec.clone() };
    let at = |n| rest.layout(n, 0).ok();
    let alone = [2, 3, 17].iter().all(|n| at(*n) == at(1));
    cases = with_joined(cases, &dictionaries);
    if !alone {
        return (spec, cases);
    }
    for param in spec.params.iter_mut().filter(|param| is_text(param)) {
        param.kind = match &param.kind {
            ParamKind::Tokens(..) => ParamKind::Text(TextKind::CStr, Expr::size()),
            _ => ParamKind::Value(Expr::size()),
        };
    }
    for case in &mut cases {
        case.size = case.input.get(name).map_or(0, |input| input.bits.len() as i64);
    }
    cases.sort_by_key(|case| (case.size, std::cmp::Reverse(case.cost)));
    cases.dedup_by_key(|case| case.size);
    (spec, cases)
}

/// The values of tokens as the bytes they come to.
fn with_joined(mut cases: Vec<Case>, dictionaries: &[(String, Dictionary)]) -> Vec<Case> {
    for input in cases.iter_mut().flat_map(|case| &mut case.input.0) {
        if let Some((_, words)) = dictionaries.iter().find(|(name, _)| *name == input.name) {
            input.bits = words.joined(&input.bits).into_iter().map(u64::from).collect();
            input.ty = ElemType::U8;
        }
    }
    cases
}

fn case_of_harness(subject: &Subject, target: &Target, result: &SizeResult) -> Result<Case, Error> {
    let wrong = |source| Error::RecordedInput { size: result.size, source };
    let values = InputValues::from_json_untyped(recorded(result)).map_err(wrong)?;
    let run = ConcreteRun::of(target, result.size, &values, &Budget::default())
        .map_err(|error| Error::Search { file: subject.file.clone(), source: Box::new(error) })?;
    Ok(case(result, run.input))
}

fn recorded(result: &SizeResult) -> &Value {
    result.input.as_ref().unwrap_or(&Value::Null)
}

fn case(result: &SizeResult, input: InputValues) -> Case {
    Case {
        size: result.size,
        cost: result.cost.unwrap_or_default(),
        at_least: result.at_least,
        confidence: result.confidence.name().to_owned(),
        verified: result.verified,
        trap: result.trap.clone(),
        input,
    }
}

/// Whether the host's C compiler can take the file in.
pub(crate) fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("c"))
}

/// What cannot be exported is an error like others.
impl From<ExportError> for Error {
    fn from(error: ExportError) -> Error {
        Error::Export(error)
    }
}
