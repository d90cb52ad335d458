//! What knows the function, and offers one plain function to tests, benchmarks and Rust. Of a program of C it is a file that takes
//! in the program's source, so that the compiler converts every argument to what the function really takes.

use std::collections::BTreeMap;

use slowpath_program::call::ElemType;

use super::header::c_comment;
use super::literal::{c_literal, c_type};
use super::params::{Given, Kind, end_of, given, params, structs};
use super::words::comment;
use super::{Calling, Export, ExportedFile, NativeSource, target_cpp, target_rust};

/// The runtime that hands recorded values to a harness.
const REPLAY: &str = include_str!("slowpath_replay.c");

/// What exported code calls.
pub fn symbol(export: &Export) -> String {
    export.symbol()
}

/// Its declaration in C.
pub fn prototype(export: &Export) -> String {
    let types: Vec<String> = params(export).iter().map(super::params::Passed::c_type).collect();
    let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    format!("void {}({types});\n", symbol(export))
}

/// The name of the file, or of the package.
pub fn name(export: &Export) -> String {
    let stem = export.stem();
    match &export.source {
        NativeSource::Include(_) | NativeSource::Linked => format!("{stem}_target.c"),
        NativeSource::Cpp(_) => format!("{stem}_target.cpp"),
        NativeSource::Rust(_) => target_rust::name(export),
    }
}

/// The file or the package, and for a harness the runtime and the header that go with it.
pub fn files(export: &Export) -> Vec<ExportedFile> {
    let mut files = match &export.source {
        NativeSource::Include(_) | NativeSource::Linked => vec![ExportedFile::text(name(export), text(export))],
        NativeSource::Cpp(source) => vec![ExportedFile::text(name(export), target_cpp::text(export, source))],
        NativeSource::Rust(source) => target_rust::files(export, source),
    };
    if export.is_harness() {
        files.push(ExportedFile::text("slowpath_replay.c", REPLAY.to_owned()));
        files.push(ExportedFile::text("slowpath.h", export.header.to_owned()));
    }
    files
}

fn text(export: &Export) -> String {
    let function = &export.function;
    let params = params(export);
    let declared: Vec<String> =
        params.iter().enumerate().map(|(k, p)| format!("{} p{k}", p.c_type()).replace("* ", "*")).collect();
    let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
    // Bytes may stand for anything that lies in memory.
    let by_parameter = params.iter().enumerate().map(|(k, p)| {
        let passed = match p.kind {
            Kind::Array(..) if p.ty.bytes() == 1 && p.ty != ElemType::Bool => format!("(void *)p{k}"),
            _ => format!("p{k}"),
        };
        (p.position, passed)
    });
    let mut arguments: BTreeMap<usize, String> = by_parameter.collect();
    let (mut before, mut after) = (String::new(), String::new());
    for (position, given) in given(export) {
        let text = match given {
            Given::Text(text) => text,
            Given::End(of, ty) => {
                let count = arguments.get(&position).cloned().unwrap_or_default();
                end_of(export, of, ty, &count)
            }
            Given::Data(ty, values) => {
                let values: Vec<String> = values.iter().map(|value| c_literal(ty, *value as u64)).collect();
                let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
                before += &format!("    static {} given{position}[] = {{{values}}};\n", c_type(ty));
                format!("(void *)given{position}")
            }
            Given::Out(ty) => {
                let count = arguments.get(&position).cloned().unwrap_or_default();
                before += &format!("    void *out{position} = calloc((size_t){count} + 1, sizeof({}));\n", c_type(ty));
                after += &format!("    free(out{position});\n");
                format!("out{position}")
            }
        };
        arguments.insert(position, text);
    }
    for (position, made) in structs(export) {
        let made = made.unwrap_or_default();
        before += &made.before;
        after += &made.after;
        arguments.insert(position, made.argument);
    }
    let passed: Vec<String> = arguments.into_values().collect();
    let passed = match export.calling {
        Calling::Harness { takes_size: false } => String::new(),
        _ => passed.join(", "),
    };
    let mut lines = vec![comment(&format!("Calls {} of {} for what slowpath exported.", function, export.file))];
    let (taken_in, types) = match &export.source {
        NativeSource::Include(path) => {
            lines.push("The program is taken in as it is; if it moves, change the line with its name.".to_owned());
            let include = format!(
                "#define main slowpath_main_of_the_program\n#include \"{path}\"\n#undef main\n#include <stdbool.h>\n\
                 #include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
            );
            (include, String::new())
        }
        _ => {
            lines.push("Link it with what defines the function.".to_owned());
            let types: Vec<String> = params.iter().map(super::params::Passed::c_type).collect();
            let types = match export.calling {
                Calling::Harness { takes_size: false } => "void".to_owned(),
                _ if types.is_empty() => "void".to_owned(),
                _ => types.join(", "),
            };
            (
                "#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n".to_owned(),
                format!("\nvoid {function}({types});\n"),
            )
        }
    };
    format!(
        "{}{taken_in}{types}\n\
         /* C's long has 64 bits on most machines and 32 on wasm32: an array of long would not be the input that was found. */\n\
         #pragma GCC diagnostic warning \"-Wincompatible-pointer-types\"\n\n\
         void {}({declared});\n\n\
         void {}({declared}) {{\n{before}    \
         /* Volatile: the call must happen even if nothing comes of it. */\n    \
         __typeof__(&{function}) volatile slowpath_function = {function};\n    \
         slowpath_function({passed});\n{after}{}}}\n",
        c_comment(&lines),
        symbol(export),
        symbol(export),
        if matches!(export.calling, Calling::Harness { takes_size: false }) { "    (void)p0;\n" } else { "" },
    )
}
