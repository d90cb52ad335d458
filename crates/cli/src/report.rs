//! `slowpath report`

use std::path::{Path, PathBuf};

use crate::args::ReportArgs;
use crate::exit::{Exit, Failure};
use crate::output;

/// The page's name where the user gives none.
const NAME: &str = "report.html";

pub fn main(args: ReportArgs) -> Result<Exit, Failure> {
    let findings = slowpath::read_findings(&args.findings)?;
    let file = args.out.unwrap_or_else(|| beside(&args.findings));
    let (directory, name) = place(&file)?;
    let document = if args.findings.is_dir() { args.findings.join("findings.json") } else { args.findings };
    if same(&file, &document) {
        return Err(Failure::bad_input(format!("--out {}: that is the findings document itself", file.display())));
    }
    let written = output::save(&directory, &name, &slowpath_report::html(&findings))?;
    output::print(&format!("wrote {}\n", written.display()))?;
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
