//! What a user said about a program besides its file and its flags: all that is needed to build it and to run it again.

use serde::{Deserialize, Serialize};

/// Options as on the command line, of which most programs need none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceOptions {
    /// Further files of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_files: Vec<String>,
    /// A folder with the project's files, or its `compile_commands.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Headers, each as `NAME=TEXT`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// The call as it was given, where a shim stands between it and the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// A crate of the registry, as `NAME@VERSION`.
    #[serde(rename = "crate", skip_serializing_if = "Option::is_none")]
    pub krate: Option<String>,
    /// Features of a crate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub no_default_features: bool,
    /// The fuzz target of cargo-fuzz that is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuzz_target: Option<String>,
    /// How many bytes of standard input there are, or `@FILE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Files the program can read, each as `NAME=LENGTH` or `NAME=@FILE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Arguments, each as `LENGTH` or `=TEXT`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Variables, each as `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// Imported functions that are answered for, each as `MODULE.NAME=ANSWER`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// What operators cost, as the text of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_table: Option<String>,
}

impl SourceOptions {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == SourceOptions::default()
    }

    /// Whether the program is run as a whole: something is said about what only a whole program has.
    pub fn is_whole_program(&self) -> bool {
        self.stdin.is_some() || !self.arguments.is_empty() || !self.files.is_empty()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !*value
}
