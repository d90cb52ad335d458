//! `slowpath report`

use std::path::{Path, PathBuf};

use slowpath::Findings;
use slowpath_report::{Beside, IndexEntry, NativeTimes, html_beside, html_index};

use crate::args::ReportArgs;
use crate::exit::{Exit, Failure};
use crate::output;

/// The page's name where the user gives none.
const NAME: &str = "report.html";

pub fn main(args: ReportArgs) -> Result<Exit, Failure> {
    if args.findings.is_dir() && !args.findings.join("findings.json").exists() {
        let documents = documents(&args.findings);
        if !documents.is_empty() && (args.baseline.is_some() || args.native.is_some()) {
            let message = "--baseline and --native are of one target; give its findings.json";
            return Err(Failure::bad_input(message.to_owned()));
        }
        if !documents.is_empty() {
            return many(&args.findings, args.out, &documents);
        }
    }
    let findings = slowpath::read_findings(&args.findings)?;
    let baseline = args.baseline.as_deref().map(slowpath::read_findings).transpose()?;
    let compared = baseline.map(|old| slowpath_report::compare(&old, &findings)).transpose();
    let native = args.native.as_deref().map(|file| read_native(file, &findings)).transpose()?;
    let known = Beside { baseline: compared.map_err(slowpath::Error::from)?, native };
    let file = args.out.unwrap_or_else(|| beside(&args.findings));
    let (directory, name) = place(&file)?;
    let document = if args.findings.is_dir() { args.findings.join("findings.json") } else { args.findings };
    if same(&file, &document) {
        return Err(Failure::bad_input(format!("--out {}: that is the findings document itself", file.display())));
    }
    let written = output::save(&directory, &name, &html_beside(&findings, &known))?;
    output::print(&format!("wrote {}\n", written.display()))?;
    Ok(Exit::Done)
}

/// Times of the same function.
fn read_native(file: &Path, findings: &Findings) -> Result<NativeTimes, Failure> {
    let refuse = |why: String| Failure::bad_input(format!("--native {}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
    let times: NativeTimes = serde_json::from_str(&text)
        .map_err(|error| refuse(format!("it is not what replay --native --format json prints: {error}")))?;
    let (theirs, ours) = (&times.target.function, &findings.target.function);
    if theirs != ours {
        return Err(refuse(format!("it has times of `{theirs}`, not of `{ours}`")));
    }
    Ok(times)
}

/// The findings of several targets in a folder, by the names of their files; what is no findings document is passed over.
fn documents(folder: &Path) -> Vec<(String, Findings)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file() && file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let read = |file: &PathBuf| {
        let name = file.file_stem()?.to_str()?.to_owned();
        slowpath::read_findings(file).ok().map(|findings| (name, findings))
    };
    files.iter().filter_map(read).collect()
}

/// A page for each target beside its document, and one that leads to them.
fn many(folder: &Path, out: Option<PathBuf>, documents: &[(String, Findings)]) -> Result<Exit, Failure> {
    let index = out.unwrap_or_else(|| folder.join(NAME));
    let (directory, name) = place(&index)?;
    let page = |target: &str| format!("{target}.{NAME}");
    if documents.iter().any(|(target, _)| page(target) == name) || name.ends_with(".json") {
        return Err(Failure::bad_input(format!("--out {}: a target has that name; choose another", index.display())));
    }
    for (target, findings) in documents {
        output::save(&directory, &page(target), &slowpath_report::html(findings))?;
    }
    let entries: Vec<IndexEntry<'_>> = documents
        .iter()
        .map(|(name, findings)| IndexEntry { name: name.clone(), page: page(name), findings })
        .collect();
    let written = output::save(&directory, &name, &html_index(&entries))?;
    output::print(&format!("wrote {}, and a page for each of {} targets\n", written.display(), documents.len()))?;
    Ok(Exit::Done)
}

fn beside(findings: &Path) -> PathBuf {
    if findings.is_dir() { findings.join(NAME) } else { findings.with_file_name(NAME) }
}

/// Directory and name of a file that can be written; no directory is made for it.
fn place(file: &Path) -> Result<(PathBuf, String), Failure> {
    let refuse = |why: &str| Failure::bad_input(format!("--out {}: {why}", file.display()));
    if file.is_dir() {
        return Err(refuse("it is a directory; give the name of a file"));
    }
    let name = file.file_name().and_then(|name| name.to_str()).ok_or_else(|| refuse("it is not the name of a file"))?;
    let directory = match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    if !directory.is_dir() {
        return Err(refuse("its directory does not exist; make it first"));
    }
    Ok((directory, name.to_owned()))
}

/// Whether both lead to the same file, by whatever way.
fn same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
