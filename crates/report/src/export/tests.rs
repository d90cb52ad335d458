//! The forms of an export, read back by code that did not write them.

use serde_json::{Value, json};
use slowpath_program::call::{CallSpec, ElemType};
use slowpath_program::input::{InputValues, NamedInput};

use super::{Calling, Case, Export, ExportError, ExportFormat, ExportedFile, NativeSource};
use crate::input_law::{InputFormula, InputLawReport};

fn export(call: &str, inputs: Vec<NamedInput>) -> Export {
    let spec = CallSpec::parse(call).unwrap();
    let case = Case {
        size: 3,
        cost: 42,
        at_least: false,
        confidence: "exact".to_owned(),
        verified: true,
        trap: None,
        input: InputValues(inputs),
    };
    Export {
        function: spec.function.clone(),
        file: "program.c".to_owned(),
        call: call.to_owned(),
        calling: Calling::Signature(spec),
        source: NativeSource::Include("program.c".to_owned()),
        cflags: Vec::new(),
        more_files: Vec::new(),
        struct_types: Default::default(),
        cost_model: "instructions".to_owned(),
        strategy: "auto".to_owned(),
        cases: vec![case],
        input_law: None,
        header: "",
    }
}

fn input(name: &str, ty: ElemType, bits: &[u64]) -> NamedInput {
    NamedInput { name: name.to_owned(), ty, scalar: false, bits: bits.to_vec() }
}

fn find<'a>(files: &'a [ExportedFile], path: &str) -> &'a [u8] {
    &files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} is among the files")).bytes
}

/// A reader of `.ktest` that follows KLEE's description of the format.
struct KTestReader<'a>(&'a [u8]);

impl<'a> KTestReader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> usize {
        self.take(4).iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    fn block(&mut self) -> &'a [u8] {
        let length = self.number();
        self.take(length)
    }
}

#[test]
fn a_ktest_file_is_read_back_object_by_object() {
    let inputs = vec![input("a", ElemType::I16, &[1, 0xfffe, 3]), input("s", ElemType::U8, &[7])];
    let files = export("f(a: i16[n], s: u8[1])", inputs).files(ExportFormat::KTest).unwrap();
    let mut reader = KTestReader(find(&files, "f_3.ktest"));
    assert_eq!(reader.take(5), b"KTEST");
    assert_eq!(reader.number(), 3);
    assert_eq!(reader.number(), 1);
    assert_eq!(reader.block(), b"f.bc");
    assert_eq!((reader.number(), reader.number()), (0, 0));
    assert_eq!(reader.number(), 2);
    assert_eq!((reader.block(), reader.block()), (&b"a"[..], &[1, 0, 0xfe, 0xff, 3, 0][..]));
    assert_eq!((reader.block(), reader.block()), (&b"s"[..], &[7][..]));
    assert!(reader.0.is_empty());
}

#[test]
fn a_corpus_file_is_the_bytes_of_the_inputs_in_order() {
    let inputs = vec![input("s", ElemType::U8, &[1, 2]), input("x", ElemType::I32, &[0xffff_fffe])];
    let files = export("f(s: u8[2], x: i32[1])", inputs).files(ExportFormat::Corpus).unwrap();
    assert_eq!(find(&files, "corpus/f_3"), [1, 2, 0xfe, 0xff, 0xff, 0xff]);
}

#[test]
fn a_fuzz_target_needs_no_other_harness() {
    let files = export("LLVMFuzzerTestOneInput(data: u8[n], n)", vec![input("data", ElemType::U8, &[9, 8, 7])]);
    let files = files.files(ExportFormat::Corpus).unwrap();
    assert_eq!(find(&files, "corpus/LLVMFuzzerTestOneInput_3"), [9, 8, 7]);
    assert_eq!(files.len(), 2, "the file and what is in it");
}

#[test]
fn json_has_the_inputs_and_the_law() {
    let mut plain = export("f(a: i32[n], n)", vec![input("a", ElemType::I32, &[3, 2, 1])]);
    plain.input_law = Some(InputLawReport::default());
    let files = plain.files(ExportFormat::Json).unwrap();
    let document: Value = serde_json::from_slice(find(&files, "worst_f.json")).unwrap();
    assert_eq!(document["worst"][0]["input"], json!({"a": [3, 2, 1]}));
    assert_eq!((&document["worst"][0]["cost"], &document["input_law"]["inputs"]), (&json!(42), &json!([])));
}

#[test]
fn a_law_that_is_no_arithmetic_is_left_out() {
    let mut hostile = export("f(a: i32[n], n)", vec![input("a", ElemType::I32, &[3, 2, 1])]);
    let law = |c: &str| {
        let [name, law, length, c, rust] = ["a", "*/", "n", c, "(n - i)"].map(str::to_owned);
        Some(InputLawReport {
            inputs: vec![InputFormula { name, law, length, c, rust, pattern: None }],
            ..InputLawReport::default()
        })
    };
    hostile.input_law = law("(n - i)");
    assert!(hostile.has_law());
    hostile.input_law = law("0; } int x(void) { return system(\"true\")");
    assert!(!hostile.has_law());
    let files = hostile.files(ExportFormat::C).unwrap();
    assert!(!String::from_utf8_lossy(find(&files, "worst_f_3.c")).contains("system"));
}

#[test]
fn names_that_are_no_code_and_inputs_that_are_no_source_are_refused() {
    let mut odd = export("\"operator new\"(a: i32[n])", vec![input("a", ElemType::I32, &[1, 2, 3])]);
    for format in [ExportFormat::C, ExportFormat::Rust, ExportFormat::Criterion] {
        assert_eq!(odd.files(format), Err(ExportError::NotAnIdentifier("operator new".to_owned())));
    }
    assert_eq!(odd.files(ExportFormat::KTest).unwrap()[0].path, "operator_new_3.ktest");
    odd.function = "f".to_owned();
    odd.source = NativeSource::Include("a\"\n#include \"/etc/passwd".to_owned());
    assert!(matches!(odd.files(ExportFormat::C), Err(ExportError::NotIncludable(_))));
    let long = export("f(a: u8[n])", vec![input("a", ElemType::U8, &vec![0; 300_000])]);
    assert!(matches!(long.files(ExportFormat::Rust), Err(ExportError::TooManyElements { size: 3, .. })));
    assert!(matches!(long.files(ExportFormat::Criterion), Err(ExportError::TooManyElements { .. })));
    let mut none = long;
    none.cases.clear();
    assert_eq!(none.files(ExportFormat::Json), Err(ExportError::NoInput));
}

#[test]
fn every_path_is_plain() {
    let mut odd = export("\"../..//x\"(a: i32[n])", vec![input("a", ElemType::I32, &[1, 2, 3])]);
    odd.cases[0].size = -1;
    for format in [ExportFormat::Json, ExportFormat::Corpus, ExportFormat::KTest] {
        for file in odd.files(format).unwrap() {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
            assert!(
                file.path.chars().all(plain) && !file.path.contains("..") && !file.path.starts_with('/'),
                "{}",
                file.path
            );
        }
    }
}
