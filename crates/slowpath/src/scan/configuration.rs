//! `slowpath init`: what a scan found, as bounds to check later.

use std::path::Path;

use slowpath_report::Scan;
use slowpath_source::Language;

use crate::request::ProgramRequest;

/// A `slowpath.toml` that holds what a scan of `program` found as bounds.
pub fn configuration(scan: &Scan, program: &ProgramRequest, folder: &Path) -> String {
    // Paths are relative to the folder that the configuration is in.
    let inside = |path: &Path| match path.strip_prefix(folder).unwrap_or(path) {
        own if own.as_os_str().is_empty() => ".".to_owned(),
        path => path.display().to_string(),
    };
    let is_c = |file: &Path| matches!(Language::of(file), Some(Language::C | Language::Cpp));
    let given = program.options.project.as_deref().map(Path::new);
    let project = given.or_else(|| Some(program.file.as_path()).filter(|path| path.is_dir()));
    let mut out = "# Made by `slowpath init`: the growth of each function as it was found. `slowpath check` fails if it gets worse.\n"
        .to_owned();
    let mut names: Vec<String> = Vec::new();
    for scanned in scan.functions.iter().filter(|scanned| scanned.class.is_some()) {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let mut name: String = scanned.function.chars().map(plain).take(90).collect();
        if name.starts_with('.') || name.is_empty() {
            name.insert(0, '_');
        }
        if names.contains(&name) {
            name = format!("{name}-{}", names.len());
        }
        let class = scanned.class.map(|class| class.to_string()).unwrap_or_default();
        let file_of = Path::new(&scanned.file);
        let file = inside(file_of);
        let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
        out += &format!(
            "\n[[target]]\nname = {}\nfile = {}\ncall = {}\nexpect = {}\n",
            text(&name),
            text(&file),
            text(&scanned.call),
            text(&class)
        );
        if let Some(project) = project.filter(|_| is_c(file_of)) {
            out += &format!("project = {}\n", text(&inside(project)));
        }
        names.push(name);
    }
    out
}
