//! Flags of clang and rustc that read nothing but headers, write nothing and load nothing. A list of what is harmless, not of what is not:
//! compilers have thousands of options, and new ones every year.

/// Followed by a path, which is either part of the word or the next one.
const PATHS: [&str; 5] = ["-isystem", "-iquote", "-idirafter", "-include", "-I"];

/// As they are, with `no-` after the `-f` or without.
const FEATURES: [&str; 34] = [
    "asynchronous-unwind-tables",
    "blocks",
    "builtin",
    "char8_t",
    "common",
    "exceptions",
    "fast-math",
    "finite-math-only",
    "freestanding",
    "gnu89-inline",
    "honor-nans",
    "inline",
    "inline-functions",
    "jump-tables",
    "lto",
    "math-errno",
    "merge-all-constants",
    "ms-extensions",
    "omit-frame-pointer",
    "rtti",
    "short-enums",
    "signed-char",
    "signed-zeros",
    "sized-deallocation",
    "slp-vectorize",
    "stack-protector",
    "strict-aliasing",
    "strict-overflow",
    "trapping-math",
    "unroll-loops",
    "unsigned-char",
    "unwind-tables",
    "vectorize",
    "wrapv",
];

/// Codegen options of rustc, up to their `=`.
const CODEGEN: [&str; 9] = [
    "opt-level",
    "debug-assertions",
    "overflow-checks",
    "codegen-units",
    "lto",
    "panic",
    "target-feature",
    "inline-threshold",
    "debuginfo",
];

/// Features of WebAssembly, with `no-` after the `-m` or without.
const WASM: [&str; 7] =
    ["simd128", "bulk-memory", "sign-ext", "nontrapping-fptoint", "multivalue", "mutable-globals", "relaxed-simd"];

/// The paths that the flags name, or the first flag that is not on the list.
pub(super) fn check(flags: &[&String]) -> Result<Vec<String>, String> {
    // Compilers put the lines of a file in the place of @FILE, wherever it stands.
    if let Some(list) = flags.iter().find(|flag| flag.starts_with('@') || flag.contains('\0')) {
        return Err((*list).clone());
    }
    let mut paths = Vec::new();
    let mut words = flags.iter().map(|flag| flag.as_str());
    while let Some(word) = words.next() {
        // A value that looks like a flag might be taken for one.
        let mut value = || words.next().filter(|next| !next.starts_with('-')).map(str::to_owned).ok_or(word.to_owned());
        if let Some(flag) = PATHS.iter().find(|flag| word.starts_with(**flag)) {
            let rest = &word[flag.len()..];
            // -include-pch and -isystem-after are other flags, which take the next word whatever it looks like. clang hands its second stage the path as a
            // word of its own, which is then a list of flags if it begins with @.
            if rest.starts_with(['-', '@']) {
                return Err(word.to_owned());
            }
            paths.push(if rest.is_empty() { value()? } else { rest.trim_start_matches('=').to_owned() });
        } else if ["-D", "-U"].contains(&word) {
            let definition = value()?;
            if !is_plain_macro(&definition) {
                return Err(format!("{word} {definition}"));
            }
        } else if word == "--cfg" {
            value()?;
        } else if word == "-C" {
            let option = value()?;
            if !is_codegen(&option) {
                return Err(format!("-C {option}"));
            }
        } else if !is_harmless(word) {
            return Err(word.to_owned());
        }
    }
    Ok(paths)
}

fn is_harmless(word: &str) -> bool {
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+=:".contains(c));
    let listed = |list: &[&str], feature: &str| list.contains(&feature.strip_prefix("no-").unwrap_or(feature));
    if ["-ansi", "-pedantic", "-w", "-g", "-O", "-pthread"].contains(&word) {
        return true;
    }
    if let Some(name) = word.strip_prefix("-D").or_else(|| word.strip_prefix("-U")) {
        return is_plain_macro(name);
    }
    if word.starts_with("--cfg=") {
        return true;
    }
    if let Some(level) = word.strip_prefix("-O") {
        return ["0", "1", "2", "3", "s", "z", "g", "fast"].contains(&level);
    }
    if let Some(dialect) = word.strip_prefix("-std=").or_else(|| word.strip_prefix("--edition=")) {
        return plain(dialect);
    }
    if let Some(option) = word.strip_prefix("-C") {
        return is_codegen(option);
    }
    // -Wl, -Wa and -Wp hand words to other tools; their commas give them away.
    if let Some(warning) = word.strip_prefix("-W") {
        return plain(warning);
    }
    word.strip_prefix("-f").is_some_and(|feature| listed(&FEATURES, feature))
        || word.strip_prefix("-m").is_some_and(|feature| listed(&WASM, feature))
}

/// A name, and a number, a word or a text: nothing that could name a file elsewhere to a source that includes it, and no code, which could have an assembler read one.
fn is_plain_macro(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && value.chars().all(|c| c.is_ascii_alphanumeric() || "_.+-\"' ".contains(c))
}

fn is_codegen(option: &str) -> bool {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    CODEGEN.contains(&name) && value.chars().all(|c| c.is_ascii_alphanumeric() || "+-,.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::check;

    fn checked(flags: &str) -> Result<Vec<String>, String> {
        let words: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        check(&words.iter().collect::<Vec<_>>())
    }

    #[test]
    fn flags_that_only_say_what_the_source_means_pass() {
        assert_eq!(
            checked(
                "-DN=10 -D M=2 -DVERSION=\"1.2-rc\" -UX -std=gnu++20 -O2 -Wall -Wno-error=x -fwrapv -fno-builtin -msimd128"
            ),
            Ok(vec![])
        );
        assert_eq!(checked("-Copt-level=3 -C lto --cfg fast --edition=2024 -Ctarget-feature=+simd128"), Ok(vec![]));
        let paths = checked("-Iinclude -I more -isystem sys -includeconfig.h");
        assert_eq!(paths, Ok(["include", "more", "sys", "config.h"].map(str::to_owned).to_vec()));
    }

    #[test]
    fn flags_that_load_write_or_hand_on_are_refused() {
        let bad = [
            "-fplugin=x.so",
            "-fpass-plugin=x.so",
            "-Xclang -load",
            "-load x.so",
            "-mllvm -load=x.so",
            "-o /tmp/x",
            "-ofile",
            "-B. ",
            "-Btools",
            "-specs=x",
            "-wrapper sh",
            "-Wl,-z",
            "-Wp,-MD,x",
            "-Wa,-x",
            "@flags",
            "-I @flags",
            "-D @flags",
            "-D@flags",
            "-DCONFIG=\"/etc/secret.h\"",
            "-D CONFIG=</etc/secret.h>",
            "-DCONFIG=\"..\\secret.h\"",
            "-Df(...)=__asm__(\".incbin\")",
            "-D f(x)=x",
            "-D=x",
            "-U@flags",
            "-I@flags",
            "-include@flags",
            "-isystem@flags",
            "-MF x",
            "-MD",
            "-save-temps",
            "-ftime-trace=x",
            "-fprofile-use=x",
            "-fcrash-diagnostics-dir=x",
            "-Clinker=sh",
            "-C linker=sh",
            "-Clink-arg=x",
            "-Cllvm-args=-load=x",
            "-Zunstable",
            "-L.",
            "-lx",
            "x.c",
            "--",
            "--config=x",
            "-imacros x",
            "-include-pch -Dx.pch",
            "-isystem-after -Dx",
            "-I-",
            "-x c++",
            "-gsplit-dwarf",
            "-dumpdir x",
            "-fuse-ld=x",
            "-fmodule-file=x",
            "-",
            "--sysroot=x",
            "-isysroot x",
            "-E",
            "-S",
            "-I",
            "-I -fplugin=x",
            "-D -fplugin=x",
            "--cfg",
            "-ivfsoverlay x",
            "",
            "-Cincremental=/x",
            "-Csave-temps",
            "--emit=obj",
            "-fsanitize-blacklist=x",
            "-fdebug-prefix-map=a=b",
        ];
        for flags in bad {
            assert!(checked(flags).is_err(), "{flags}");
        }
    }
}
