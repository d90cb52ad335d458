//! What knows a function of Rust: a package that depends on the crate, as any of its users would, and offers the function to C.

use super::params::params;
use super::words::comment;
use super::{Export, ExportedFile, NativeSource, RustSource};

/// The package, its folder and its library have one name.
pub fn name(export: &Export) -> String {
    format!("{}_target", export.stem().to_lowercase())
}

/// The package of a program that is one file.
fn program_name(export: &Export) -> String {
    format!("{}_program", export.stem().to_lowercase())
}

/// The package, and one for a program that has none.
pub fn files(export: &Export, source: &RustSource) -> Vec<ExportedFile> {
    let (name, program) = (name(export), program_name(export));
    let (dependency, package) = match &source.package {
        Some((library, path)) => {
            let manifest = format!(
                "# {} as a package.\n[package]\nname = \"{program}\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\n\
                 [lib]\nname = \"{library}\"\npath = \"{path}\"\n\n[workspace]\n",
                comment(&export.file)
            );
            (format!("{program} = {{ path = \"../{program}\" }}\n"), Some(manifest))
        }
        None => (source.dependency.clone(), None),
    };
    let manifest = format!(
        "# Offers the function to C and to tests.\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\n\
         [lib]\npath = \"lib.rs\"\ncrate-type = [\"rlib\", \"staticlib\", \"cdylib\"]\n\n[dependencies]\n{dependency}\n\
         # Not part of a workspace that happens to be around it.\n[workspace]\n"
    );
    let mut files = vec![
        ExportedFile::text(format!("{name}/Cargo.toml"), manifest),
        ExportedFile::text(format!("{name}/lib.rs"), library(export, source)),
    ];
    files.extend(package.map(|manifest| ExportedFile::text(format!("{program}/Cargo.toml"), manifest)));
    files.extend(source.lock.clone().map(|lock| ExportedFile::text(format!("{name}/Cargo.lock"), lock)));
    files
}

fn library(export: &Export, source: &RustSource) -> String {
    let about = comment(&format!("Calls {} of {} for what slowpath exported.", export.function, export.file));
    let declared: Vec<String> =
        params(export).iter().enumerate().map(|(k, p)| format!("p{k}: {}", p.rust_type())).collect();
    let function = format!(
        "#[no_mangle]\n#[allow(warnings)]\npub unsafe extern \"C\" fn {}({}) {{\n{}}}\n",
        export.symbol(),
        declared.join(", "),
        source.body
    );
    match source.copy.is_empty() {
        true => format!("//! {about}\n#![allow(warnings)]\n\n{function}"),
        // What it says about itself has to come first.
        false => {
            format!("{}\n\n// {about} This is a copy of it, since the function is its own.\n{function}", source.copy)
        }
    }
}

/// What makes a crate link the package.
pub fn linked(export: &Export) -> String {
    match export.source {
        NativeSource::Rust(_) => format!("use {} as _;\n\n", name(export)),
        _ => String::new(),
    }
}
