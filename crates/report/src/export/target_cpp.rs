//! What knows a function of C++: a file that takes in the program's source and offers the function to C.

use std::collections::BTreeMap;

use slowpath_program::call::ElemType;

use super::header::c_comment;
use super::literal::{c_literal, c_type};
use super::params::{Given, Kind, end_of, given, params, structs};
use super::words::comment;
use super::{Calling, CppSource, Export};

/// Bytes may stand for anything that lies in memory; C++ wants to be told what.
const BYTES: &str = "struct slowpath_bytes {\n    void *at;\n    \
                     template <typename T> operator T *() const { return static_cast<T *>(at); }\n};\n\n";

/// An optimiser sees the function, and would leave out what nobody looks at. Behind a comma this looks at any result, and at none where there is none.
const KEPT: &str = "struct slowpath_kept {};\n\
                    template <typename T> void operator,(T &&result, slowpath_kept) { asm volatile(\"\" : : \"g\"(&result) : \"memory\"); }\n\n";

pub fn text(export: &Export, source: &CppSource) -> String {
    let params = params(export);
    let declared: Vec<String> =
        params.iter().enumerate().map(|(k, p)| format!("{} p{k}", p.c_type()).replace("* ", "*")).collect();
    let (symbol, declared) = (export.symbol(), declared.join(", "));
    let lines = [
        comment(&format!("Calls {} of {} for what slowpath exported.", source.function, export.file)),
        "The program is taken in as it is; if it moves, change the line with its name.".to_owned(),
    ];
    let body = source.body.clone().unwrap_or_else(|| plain_call(export, &source.function));
    format!(
        "{}#define main slowpath_main_of_the_program\n#include \"{}\"\n#undef main\n#include <cstddef>\n#include <cstdint>\n\
         #include <cstdlib>\n#include <cstring>\n#include <string>\n#include <string_view>\n#include <vector>\n#if __cplusplus >= 202002L\n#include <span>\n#endif\n\n{BYTES}{KEPT}\
         extern \"C\" void {symbol}({declared});\n\n\
         extern \"C\" void {symbol}({declared}) {{\n{body}}}\n",
        c_comment(&lines),
        source.include,
    )
}

/// A call with pointers and numbers.
fn plain_call(export: &Export, function: &str) -> String {
    if let Calling::Harness { takes_size } = export.calling {
        let passed = if takes_size { "p0" } else { "" };
        return format!("    (void)p0;\n    (void)(::{function}({passed}), slowpath_kept());\n");
    }
    let by_parameter = params(export).into_iter().enumerate().map(|(k, p)| {
        let passed = match p.kind {
            Kind::Array(..) if p.ty.bytes() == 1 && p.ty != ElemType::Bool => format!("slowpath_bytes{{p{k}}}"),
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
                format!("slowpath_bytes{{given{position}}}")
            }
            Given::Out(ty) => {
                let count = arguments.get(&position).cloned().unwrap_or_default();
                let ty = c_type(ty);
                before += &format!("    void *out{position} = std::calloc((std::size_t){count} + 1, sizeof({ty}));\n");
                after += &format!("    std::free(out{position});\n");
                format!("slowpath_bytes{{out{position}}}")
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
    format!("{before}    (void)(::{function}({}), slowpath_kept());\n{after}", passed.join(", "))
}
