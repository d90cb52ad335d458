//! What the documents say of the repository and of the command line is so.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::console::blocks;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn markdown_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = entries(directory);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.sort();
    files
}

/// Every document for users and contributors, with its text.
pub fn documents() -> Vec<(PathBuf, String)> {
    let mut folders = vec![root(), root().join("docs")];
    folders.extend(entries(&root().join("docs")).into_iter().filter(|path| path.is_dir()));
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| markdown_files(folder)).collect();
    files.into_iter().map(|file| (file.clone(), read(&file))).collect()
}

/// The text outside fenced blocks.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The commands of all `sh` and `console` blocks.
fn commands(text: &str) -> Vec<String> {
    let steps = blocks(text).into_iter().flat_map(|block| block.steps);
    steps.map(|step| step.command.replace("\\\n", " ")).collect()
}

/// What stands in backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Words as a shell would see them; quotes are only grouped by, never nested here.
fn words(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ' ') => out.push(String::new()),
            _ => out.last_mut().expect("there is a word").push(c),
        }
    }
    out.retain(|word| !word.is_empty());
    out
}

fn help(command: &str) -> String {
    crate::common::run(&[command, "--help"]).stdout
}

/// The long options of a help text, each with its default if it names one.
fn options(help: &str) -> Vec<(String, Option<String>)> {
    let mut out: Vec<(String, Option<String>)> = Vec::new();
    for line in help.lines().map(str::trim_start) {
        if let Some(at) = line.find("--").filter(|at| *at == 0 || line.starts_with('-')) {
            let name: String = line[at..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            out.push((name, None));
        } else if let (Some(default), Some(option)) = (line.strip_prefix("[default: "), out.last_mut()) {
            option.1 = default.strip_suffix(']').map(str::to_owned);
        }
    }
    out
}

/// The commands of a line that a reader would copy.
fn slowpath_command(line: &str) -> Option<Vec<String>> {
    let words = words(line);
    (words.first().map(String::as_str) == Some("slowpath")).then_some(words)
}

#[test]
fn every_path_in_the_architecture_exists() {
    let (root, text) = (root(), read(&root().join("ARCHITECTURE.md")));
    let is_path = |span: &str| {
        let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c));
        let extension = Path::new(span).extension().and_then(|extension| extension.to_str());
        plain && (span.contains('/') || extension.is_some_and(|e| ["rs", "md", "sh", "toml"].contains(&e)))
    };
    let mut heading = root.clone();
    let mut checked = 0;
    for line in prose(&text).lines() {
        if line.starts_with('#') {
            heading = code_spans(line).next().map_or_else(|| root.clone(), |path| root.join(path));
        }
        for span in code_spans(line).filter(|span| is_path(span) && *span != "src/") {
            let there = root.join(span).exists() || heading.join("src").join(span).exists();
            assert!(there, "ARCHITECTURE.md names `{span}`, which is not there");
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} paths were found to check");
}

#[test]
fn every_crate_is_on_the_map() {
    let text = read(&root().join("ARCHITECTURE.md"));
    for entry in fs::read_dir(root().join("crates")).expect("there are crates") {
        let name = entry.expect("a readable entry").file_name().to_string_lossy().into_owned();
        assert!(text.contains(&format!("### `crates/{name}`")), "crates/{name} is not on the map");
    }
}

#[test]
fn every_relative_link_leads_somewhere() {
    for (file, text) in documents() {
        let directory = file.parent().expect("a file is in a directory");
        // What stands in backticks is no link.
        let linking: String = prose(&text).split('`').step_by(2).collect();
        for after in linking.split("](").skip(1) {
            let link = after.split([')', ' ', '#']).next().unwrap_or_default();
            let outside = link.is_empty() || link.contains("://") || link.starts_with("mailto:");
            assert!(outside || directory.join(link).exists(), "{}: the link {link} leads nowhere", file.display());
        }
    }
}

#[test]
fn every_command_in_the_documents_has_its_options_and_its_files() {
    let mut checked = 0;
    for (file, text) in documents() {
        for line in &commands(&text) {
            let Some(command) = slowpath_command(line) else { continue };
            let Some(name) = command.get(1).filter(|name| !name.starts_with('-')) else { continue };
            let known: BTreeSet<String> = options(&help(name)).into_iter().map(|(option, _)| option).collect();
            assert!(!known.is_empty(), "{}: there is no command {name}", file.display());
            for word in command.iter().skip(2) {
                let option = word.split('=').next().unwrap_or_default();
                let unknown = word.starts_with("--") && !known.contains(option);
                assert!(!unknown, "{}: {name} has no option {option}\n  {line}", file.display());
                let ours = ["examples/", "tests/", "benchmarks/"].iter().any(|place| word.starts_with(place));
                assert!(!ours || root().join(word).exists(), "{}: {word} is not there\n  {line}", file.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 8, "only {checked} commands were found to check");
}

#[test]
fn the_guide_has_every_option_with_its_default() {
    let guide = read(&root().join("docs/guide.md"));
    for command in ["analyze", "run", "replay", "bench", "report", "export", "check", "compare", "completions", "man"] {
        for (option, default) in options(&help(command)) {
            if ["--help", "--version"].contains(&option.as_str()) {
                continue;
            }
            assert!(guide.contains(&format!("`{option}")), "the guide does not mention {option} of {command}");
            let Some(default) = default else { continue };
            // Options with a section of their own name the default there, the others in a table.
            let row = guide.lines().find(|line| line.starts_with(&format!("| `{option}`")));
            let said = row.is_none_or(|row| row.contains(&format!("| {default} |")));
            assert!(said, "the default of {option} is {default}, which the guide does not say");
        }
    }
}

#[test]
fn every_make_target_in_the_documents_exists() {
    let makefile = read(&root().join("Makefile"));
    for (file, text) in documents() {
        for span in code_spans(&prose(&text)).filter_map(|span| span.strip_prefix("make ")) {
            let target = format!("\n{span}:");
            assert!(makefile.contains(&target), "{}: there is no `make {span}`", file.display());
        }
    }
}

#[test]
fn every_document_can_be_reached_from_the_index() {
    let docs = root().join("docs").canonicalize().unwrap();
    let mut seen = BTreeSet::from([docs.join("index.md")]);
    let mut open: Vec<PathBuf> = seen.iter().cloned().collect();
    while let Some(file) = open.pop() {
        let text = read(&file);
        let directory = file.parent().expect("a file is in a directory");
        for after in prose(&text).split("](").skip(1) {
            let link = after.split([')', '#']).next().unwrap_or_default();
            let Ok(target) = directory.join(link).canonicalize() else { continue };
            if target.extension().is_some_and(|extension| extension == "md") && seen.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    for (file, _) in documents() {
        let file = file.canonicalize().unwrap();
        assert!(
            !file.starts_with(&docs) || seen.contains(&file),
            "no way leads from docs/index.md to {}",
            file.display()
        );
    }
}
