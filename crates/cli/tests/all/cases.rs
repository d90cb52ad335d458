//! The case studies of docs/case-studies.md: their descriptions hold together, and their script runs.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn studies() -> Vec<(String, toml::Table)> {
    let entries = std::fs::read_dir(root().join("cases")).expect("a folder of case studies");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        (name, text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).map(read).collect()
}

fn words(value: Option<&toml::Value>) -> Vec<String> {
    let list = value.and_then(toml::Value::as_array).cloned().unwrap_or_default();
    list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

#[test]
fn every_case_study_says_what_it_needs_and_is_documented() {
    let documented = std::fs::read_to_string(root().join("docs/case-studies.md")).expect("the document");
    let studies = studies();
    assert!(studies.len() >= 12, "there are {}", studies.len());
    for (name, study) in &studies {
        let text = |key: &str| study.get(key).and_then(toml::Value::as_str);
        assert!(text("title").is_some(), "{name} has no title");
        if text("package").is_some() {
            let checked = text("sha256").is_some_and(|sum| sum.len() == 64);
            assert!(checked && text("archive").is_some(), "{name}: an archive and its SHA-256");
        }
        let native = study.get("native").and_then(|native| native.get("files"));
        let ours = [words(study.get("analyze")), words(native)].concat();
        for file in ours.iter().filter_map(|word| word.strip_prefix("{cases}/")) {
            assert!(root().join("cases").join(file).exists(), "{name} names cases/{file}");
        }
        assert!(documented.contains(&format!("`{name}`")), "docs/case-studies.md does not name `{name}`");
    }
}

/// A study that needs nothing from elsewhere.
#[test]
fn a_case_study_runs_from_its_description() {
    let script = root().join("scripts/cases.py");
    let has_toml = Command::new("python3").args(["-c", "import tomllib"]).output();
    if !has_toml.is_ok_and(|ran| ran.status.success()) {
        return;
    }
    let mut command = Command::new("python3");
    command.arg(script).args(["nth_element", "--effort", "1e8", "--no-native"]);
    let ran = command.args(["--slowpath", env!("CARGO_BIN_EXE_slowpath")]).output().expect("python3 starts");
    let (said, error) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}\n{error}");
    assert!(said.contains("growth: ") && said.contains("n = 7: "), "{said}");
}
