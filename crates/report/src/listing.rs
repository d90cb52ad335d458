//! What can be called: functions with their types and a ready `--call`.

use serde::{Deserialize, Serialize};
use slowpath_program::call::CallSpec;

use crate::style::Style;
use crate::wrap::wrap;

/// The version of the document.
pub const LISTING_SCHEMA: u32 = 1;

/// Every function of some files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    pub schema: u32,
    pub files: Vec<ListedFile>,
}

/// The functions of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedFile {
    pub file: String,
    pub functions: Vec<Callable>,
    /// Why there are none.
    pub error: Option<String>,
    /// It is no file but a crate of the registry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_registry: bool,
    /// The folder whose other files it may need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// A function that can be called, or why it cannot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callable {
    pub name: String,
    /// As its author declared it, else its WebAssembly type.
    pub declaration: String,
    pub line: Option<u32>,
    /// For `--call`; None where the types do not suffice.
    pub call: Option<String>,
    /// Why there is no call.
    pub why: Option<String>,
    /// What such a call leaves out, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Callable {
    /// Whether only its own file can call it, as its declaration says.
    pub fn is_static(&self) -> bool {
        self.declaration.starts_with("static ")
    }

    /// Gives it another name, in its declaration and its call too.
    pub fn rename(&mut self, name: &str) {
        if name != self.name {
            self.declaration = self.declaration.replacen(&self.name, name, 1);
            self.call = self.call.take().map(|call| call.replacen(&self.name, name, 1));
            self.name = name.to_owned();
        }
    }
}

/// A call that was guessed, as short as can be; one with types of C++ or Rust is short already.
pub(crate) fn brief(call: &str) -> String {
    CallSpec::parse(call).map_or_else(|_| call.to_owned(), |spec| spec.brief())
}

impl Listing {
    /// For the terminal.
    pub fn human(&self, style: Style) -> String {
        let mut out = String::new();
        for (index, file) in self.files.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out += &format!("{}\n", style.bold(&file.file));
            if let Some(error) = &file.error {
                out += &format!("  {}\n", error.replace('\n', "\n  "));
                continue;
            }
            if file.functions.is_empty() {
                out += "  no functions that can be called\n";
            }
            for function in &file.functions {
                let line = function.line.map_or(String::new(), |line| format!("   (line {line})"));
                out += &format!("  {}{line}\n", function.declaration);
                out += &match (&function.call, &function.why) {
                    (Some(call), _) => format!("      --call '{}'\n", brief(call)),
                    (None, why) => format!("      {}\n", why.as_deref().unwrap_or("cannot be called")),
                };
                out += &function.note.iter().map(|note| format!("      {note}\n")).collect::<String>();
            }
        }
        let first = self.files.iter().find_map(|file| {
            let function = file.functions.iter().find(|function| function.call.is_some())?;
            Some((file, function))
        });
        if let Some((file, function)) = first {
            let option = if file.is_registry { "--crate " } else { "" };
            let project = file.project.as_ref().map(|folder| format!(" --project {folder}")).unwrap_or_default();
            let (file, name) = (&file.file, &function.name);
            out += &format!("\nFor example: slowpath analyze {option}{file}{project} --call {name}\n");
        }
        // What is there to be copied stays in one piece.
        let fitted = |line: &str| match style.columns {
            Some(columns) if !line.is_empty() && !line.contains("--call") => wrap(line, columns),
            _ => format!("{line}\n"),
        };
        out.lines().map(fitted).collect()
    }

    /// Whether there is nothing but errors.
    pub fn has_only_errors(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|file| file.error.is_some())
    }
}
