//! Finds clang, opt, llc and wasm-ld, all of one LLVM version.
//!
//! Distributions install several versions side by side (`opt-19` next to a plain `opt` that is version 14), and the bitcode
//! of one is not read by another. So tools are grouped by version and the newest complete group wins.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::SourceError;

/// Versioned names are tried in this range: the oldest the pipeline is known to work with, and some way into the future.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=40;

/// The tools of one LLVM version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    pub version: u32,
    pub clang: PathBuf,
    pub opt: PathBuf,
    pub llc: PathBuf,
    pub wasm_ld: PathBuf,
}

const NAMES: [&str; 4] = ["clang", "opt", "llc", "wasm-ld"];

impl Toolchain {
    /// Looks in the directories of this process's `PATH`.
    pub fn find() -> Result<Toolchain, SourceError> {
        Self::find_in(&env::var_os("PATH").unwrap_or_default())
    }

    /// Looks in the directories of `path`, which is written like `PATH`.
    pub fn find_in(path: &OsStr) -> Result<Toolchain, SourceError> {
        let directories: Vec<PathBuf> = env::split_paths(path).filter(|d| !d.as_os_str().is_empty()).collect();
        let found = NAMES.map(|name| versions_of(name, &directories));
        let [clang, opt, llc, wasm_ld] = &found;
        for (&version, clang) in clang.iter().rev() {
            if let (Some(opt), Some(llc), Some(wasm_ld)) = (opt.get(&version), llc.get(&version), wasm_ld.get(&version))
            {
                return Ok(Toolchain {
                    version,
                    clang: clang.clone(),
                    opt: opt.clone(),
                    llc: llc.clone(),
                    wasm_ld: wasm_ld.clone(),
                });
            }
        }
        Err(SourceError::MissingTool { needed: "clang, opt, llc and wasm-ld".to_owned(), found: describe(&found) })
    }
}

/// Every version of one tool, with where it is.
fn versions_of(name: &str, directories: &[PathBuf]) -> BTreeMap<u32, PathBuf> {
    let mut versions = BTreeMap::new();
    for directory in directories {
        for version in VERSIONS {
            let tool = directory.join(format!("{name}-{version}"));
            if tool.is_file() {
                versions.entry(version).or_insert(tool);
            }
        }
    }
    // A plain name does not tell its version, so it is asked; a versioned name for the same version keeps its place.
    for directory in directories {
        let tool = directory.join(name);
        if tool.is_file()
            && let Some(version) = ask_version(&tool)
            && version >= *VERSIONS.start()
        {
            versions.entry(version).or_insert(tool);
        }
    }
    versions
}

fn ask_version(tool: &Path) -> Option<u32> {
    let output = Command::new(tool).arg("--version").output().ok()?;
    major_version(&String::from_utf8_lossy(&output.stdout))
}

/// The major version in "clang version 19.1.7", "LLVM version 14.0.6" or "LLD 19.1.7". Apple's clang counts differently and
/// comes without the other tools, so it is passed over.
fn major_version(text: &str) -> Option<u32> {
    if text.contains("Apple") {
        return None;
    }
    let mut words = text.split_whitespace();
    words.find(|word| matches!(*word, "version" | "LLD"))?;
    words.next()?.split('.').next()?.parse().ok()
}

fn describe(found: &[BTreeMap<u32, PathBuf>; 4]) -> String {
    let list = |versions: &BTreeMap<u32, PathBuf>| {
        let numbers: Vec<String> = versions.keys().map(u32::to_string).collect();
        numbers.join(", ")
    };
    let parts: Vec<String> = NAMES
        .iter()
        .zip(found)
        .map(|(name, versions)| match versions.is_empty() {
            true => format!("{name} is missing"),
            false => format!("{name} is here in version {}", list(versions)),
        })
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::major_version;

    #[test]
    fn versions_are_read_from_what_each_tool_prints() {
        let cases = [
            ("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64", Some(19)),
            ("Ubuntu LLVM version 14.0.6\n  Optimized build.", Some(14)),
            ("Debian LLD 19.1.7 (compatible with GNU linkers)", Some(19)),
            ("Homebrew clang version 21.1.0", Some(21)),
            ("Apple clang version 17.0.0 (clang-1700.0.13.3)", None),
            ("something else", None),
        ];
        for (text, expected) in cases {
            assert_eq!(major_version(text), expected, "{text}");
        }
    }
}
