//! Raw files for fuzzers: the bytes of all inputs one after the other, and a harness that reads them so.

use super::literal::bytes;
use super::params::{C_POWER, Kind, c_expr, params};
use super::words::comment;
use super::{Case, Export, ExportedFile, build, target};

/// What libFuzzer calls; an input of such a function is a file as it is.
const FUZZ_TARGET: &str = "LLVMFuzzerTestOneInput";

/// A file for each size, and what is in them.
pub fn files(export: &Export) -> Vec<ExportedFile> {
    let stem = export.stem();
    let file = |case: &Case| ExportedFile {
        path: format!("corpus/{stem}_{}", case.size),
        bytes: case.input.0.iter().flat_map(bytes).collect(),
    };
    let mut files: Vec<ExportedFile> = export.cases.iter().map(file).collect();
    let harness = harness(export);
    files.push(ExportedFile::text("README.md", readme(export, harness.is_some())));
    if let Some(harness) = harness {
        files.push(ExportedFile::text(format!("fuzz_{stem}.c"), harness));
        files.extend(target::files(export));
    }
    files
}

fn readme(export: &Export, has_harness: bool) -> String {
    let stem = export.stem();
    let mut out = format!(
        "# Worst inputs of {}\n\nFound by slowpath, for AFL++ and libFuzzer. `corpus/{stem}_N` is the worst input of size N.\n\n",
        comment(&export.call).replace('`', "'")
    );
    out += "A file holds the bytes of the inputs, one input after the other, little-endian, without gaps:\n\n\
            | input | type | at the largest size |\n|---|---|---|\n";
    for input in export.cases.last().iter().flat_map(|case| &case.input.0) {
        let name = comment(&input.name).replace(['|', '`'], "_");
        out += &format!("| {name} | {} | {} |\n", input.ty, input.bits.len());
    }
    out += &match (export.function.as_str(), has_harness) {
        (FUZZ_TARGET, _) => {
            "\nThe program is a fuzz target already: the files are its corpus as they are.\n".to_owned()
        }
        (_, true) => format!(
            "\n`fuzz_{stem}.c` reads such a file back, for any size whose inputs have so many bytes:\n\n```sh\n{}\n```\n",
            build::fuzzer(export, &stem).join("\n")
        ),
        (_, false) => "\nA fuzz target that takes them apart in the same way reads them.\n".to_owned(),
    };
    out
}

/// A fuzz target that reads the files, where the function has a signature that C can follow.
fn harness(export: &Export) -> Option<String> {
    if export.is_harness() || export.function == FUZZ_TARGET || export.check_callable().is_err() {
        return None;
    }
    let params = params(export);
    let (mut needed, mut taken, mut passed) = (String::new(), String::new(), Vec::new());
    for (position, param) in params.iter().enumerate() {
        let ty = super::literal::c_type(param.ty);
        let count = match &param.kind {
            Kind::Array(_, length) => c_expr(length)?,
            Kind::Scalar(_) => "1".to_owned(),
            Kind::Number(expr) => {
                passed.push(c_expr(expr)?);
                continue;
            }
        };
        needed += &format!(" + ({count}) * (int64_t)sizeof({ty})");
        taken += &format!(
            "    int64_t count{position} = {count};\n    if (count{position} < 0)\n        return 0;\n    \
             {ty} *p{position} = malloc((size_t)count{position} * sizeof({ty}) + 1);\n    if (!p{position})\n        return 0;\n    \
             memcpy(p{position}, data, (size_t)count{position} * sizeof({ty}));\n    data += (size_t)count{position} * sizeof({ty});\n"
        );
        passed.push(match param.kind {
            Kind::Array(..) => format!("p{position}"),
            _ => format!("p{position}[0]"),
        });
    }
    let free = |position: usize| format!("    free(p{position});\n");
    let inputs = params.iter().enumerate().filter(|(_, param)| !matches!(param.kind, Kind::Number(_)));
    let freed: String = inputs.map(|(position, _)| free(position)).collect();
    let about = comment(&format!("Reads a file of the corpus as the inputs of {}.", export.call));
    Some(format!(
        "/* {about} */\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n{}{C_POWER}\n\
         /* The size whose inputs have this many bytes, or -1. */\nstatic int64_t size_of(int64_t bytes) {{\n    \
         for (int64_t n = 1; n <= 16 * bytes + 16; n++)\n        if ((int64_t)0{needed} == bytes)\n            return n;\n    return -1;\n}}\n\n\
         int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {{\n    int64_t n = size_of((int64_t)size);\n    \
         if (n < 0)\n        return 0;\n{taken}    {}({});\n{freed}    return 0;\n}}\n{READ_FILES}",
        target::prototype(export),
        target::symbol(export),
        passed.join(", "),
    ))
}

/// A main for compilers without libFuzzer, and for AFL++'s `@@`.
const READ_FILES: &str = "
#ifdef READ_FILES
int main(int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        FILE *file = fopen(argv[k], \"rb\");
        if (!file || fseek(file, 0, SEEK_END) != 0)
            return 2;
        long size = ftell(file);
        rewind(file);
        uint8_t *data = malloc((size_t)size + 1);
        if (!data || fread(data, 1, (size_t)size, file) != (size_t)size)
            return 2;
        fclose(file);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        printf(\"%s: size %lld\\n\", argv[k], (long long)size_of(size));
        free(data);
    }
    return 0;
}
#endif
";
