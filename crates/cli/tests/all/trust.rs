//! A document or a configuration from elsewhere: it runs nothing, reads nothing outside, and says nothing to the terminal.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{Ran, scratch, slowpath, write};

const SORT: &str = "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > 3) s += a[i]; return s; }";

/// A folder with a program and the findings about it, made there.
fn project() -> tempfile::TempDir {
    let folder = scratch();
    write(&folder, "f.c", SORT);
    let ran = in_folder(
        folder.path(),
        &["analyze", "f.c", "--call", "f(a: i32[n], n)", "--sizes", "1..2", "--out", "found", "--effort", "1e7"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    folder
}

fn in_folder(folder: &Path, args: &[&str]) -> Ran {
    let mut command: Command = slowpath(args);
    command.current_dir(folder).env("TMPDIR", folder);
    Ran::from(command.output().expect("the binary starts"))
}

/// The document, changed.
fn change(folder: &Path, edit: impl FnOnce(&mut Value)) {
    let file = folder.join("found/findings.json");
    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    edit(&mut document);
    std::fs::write(file, document.to_string()).unwrap();
}

#[test]
fn a_document_of_ones_own_needs_no_trust() {
    let folder = project();
    let ran = in_folder(folder.path(), &["replay", "found"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    change(folder.path(), |document| document["target"]["compilation"]["cflags"] = json!(["-DUNUSED=1", "-I."]));
    let ran = in_folder(folder.path(), &["replay", "found"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn flags_of_a_document_that_load_or_write_are_refused() {
    let folder = project();
    let mark = folder.path().join("written");
    for flags in [
        json!(["-fplugin=./evil.so"]),
        json!([format!("-ftime-trace={}", mark.display())]),
        json!(["-Xclang", "-load", "-Xclang", "./evil.so"]),
        json!(["@flags"]),
        // clang hands its second stage two words, and that one reads the file.
        json!(["-D@flags"]),
        json!(["-I@flags"]),
        // A source may include what a macro names, and an assembler reads what code tells it to.
        json!(["-DCONFIG=\"/etc/hostname\""]),
        json!(["-Df(...)=__asm__(\".incbin \\\"/etc/hostname\\\"\")"]),
        json!(["-save-temps=cwd"]),
    ] {
        for place in ["cflags", "optimize"] {
            change(folder.path(), |document| {
                document["target"]["compilation"]["cflags"] = json!([]);
                document["target"]["compilation"][place] = flags.clone();
            });
            for command in [&["replay", "found"][..], &["export", "found", "--as", "c"]] {
                let ran = in_folder(folder.path(), command);
                assert_eq!(ran.code, 2, "{command:?} {flags}");
                assert!(ran.stderr.contains("--trust"), "{}", ran.stderr);
                assert!(!mark.exists());
            }
            change(folder.path(), |document| document["target"]["compilation"]["optimize"] = Value::Null);
        }
    }
    change(folder.path(), |document| {
        document["target"]["compilation"]["cflags"] = json!([format!("-ftime-trace={}", mark.display())])
    });
    in_folder(folder.path(), &["replay", "found", "--trust", "--program", "f.c"]);
    assert!(mark.exists(), "the user's word counts");
}

#[test]
fn paths_of_a_document_stay_below_the_folder() {
    let folder = project();
    let elsewhere = scratch();
    let outside = write(&elsewhere, "f.c", SORT);
    let tries = [
        json!({"file": outside}),
        json!({"options": {"more_files": [outside]}}),
        json!({"options": {"project": elsewhere.path()}}),
        json!({"options": {"stdin": format!("@{outside}")}}),
        json!({"options": {"files": [format!("a=@{outside}")]}}),
        json!({"compilation": {"mode": "branch-faithful", "cflags": [format!("-I{}", elsewhere.path().display())]}}),
        json!({"compilation": {"mode": "branch-faithful", "cflags": ["-include", outside]}}),
    ];
    let file = folder.path().join("found/findings.json");
    let whole = std::fs::read_to_string(&file).unwrap();
    for changes in tries {
        std::fs::write(&file, &whole).unwrap();
        change(folder.path(), |document| {
            for (name, value) in changes.as_object().unwrap() {
                document["target"][name] = value.clone();
            }
        });
        let ran = in_folder(folder.path(), &["replay", "found"]);
        assert_eq!(ran.code, 2, "{changes}");
        assert!(ran.stderr.contains("not below") && ran.stderr.contains("--trust"), "{changes}\n{}", ran.stderr);
    }
    // Where the program is now is the user's own word.
    std::fs::write(&file, &whole).unwrap();
    let ran = in_folder(elsewhere.path(), &["replay", &file.to_string_lossy(), "--program", "f.c"]);
    assert!(ran.code == 0 && ran.stderr.is_empty(), "{}", ran.stderr);
}

/// A project as documents and configurations name one: its list of commands came with it.
fn with_commands(folder: &Path, commands: Value) {
    std::fs::create_dir_all(folder.join("proj")).unwrap();
    std::fs::write(folder.join("proj/compile_commands.json"), commands.to_string()).unwrap();
}

const CONFIGURATION: &str = "[[target]]\nname = \"t\"\nfile = \"f.c\"\nproject = \"proj\"\ncall = \"f(a: i32[n], n)\"\n\
    expect = \"n\"\nsizes = \"1..2\"\n";

#[test]
fn a_list_of_commands_hands_no_file_of_flags_to_the_compiler() {
    let folder = project();
    let mark = folder.path().join("written");
    let flags = format!("X -ftime-trace={}", mark.display());
    write(&folder, "evil.rsp", &flags);
    std::fs::create_dir_all(folder.path().join("proj")).unwrap();
    std::fs::write(folder.path().join("proj/evil.rsp"), flags).unwrap();
    write(&folder, "slowpath.toml", CONFIGURATION);
    change(folder.path(), |document| document["target"]["options"]["project"] = json!("proj"));
    for words in [
        json!(["cc", "-D", "@evil.rsp"]),
        json!(["cc", "-include", "@evil.rsp"]),
        json!(["cc", "@evil.rsp"]),
        json!(["cc", "-D@evil.rsp"]),
    ] {
        with_commands(folder.path(), json!([{"directory": ".", "file": "../f.c", "arguments": words}]));
        for command in [&["replay", "found"][..], &["check", "--lenient", "--effort", "1e7"]] {
            let ran = in_folder(folder.path(), command);
            assert_eq!(ran.code, 0, "{command:?} {words}\n{}{}", ran.stdout, ran.stderr);
            assert!(!mark.exists(), "{command:?} {words}");
        }
    }
    // Nor is a program whose name begins like that.
    write(&folder, "@f.c", SORT);
    let ran = in_folder(folder.path(), &["run", "@f.c", "--call", "f(a: i32[n], n)", "--input", "{\"a\": [1]}"]);
    assert!(ran.code == 2 && ran.stderr.contains("another name"), "{}", ran.stderr);
}

#[test]
fn a_list_of_commands_brings_no_files_from_elsewhere() {
    let folder = project();
    let elsewhere = scratch();
    let header = write(&elsewhere, "key.h", "#define KEY 1\n");
    let helper = write(&elsewhere, "helper.c", "int helper(void) { return 1; }");
    let own = |words: Value| json!([{"directory": ".", "file": "../f.c", "arguments": words}]);
    let tries = [
        own(json!(["cc", format!("-I{}", elsewhere.path().display())])),
        own(json!(["cc", "-isystem", elsewhere.path()])),
        own(json!(["cc", "-include", header])),
        json!([{"directory": ".", "file": helper, "command": "cc -c helper.c"}]),
        json!([{"directory": elsewhere.path(), "file": "helper.c", "command": "cc -c helper.c"}]),
    ];
    write(&folder, "slowpath.toml", CONFIGURATION);
    change(folder.path(), |document| document["target"]["options"]["project"] = json!("proj"));
    for commands in tries {
        with_commands(folder.path(), commands.clone());
        for command in [&["replay", "found"][..], &["export", "found", "--as", "c"], &["check", "--effort", "1e7"]] {
            let ran = in_folder(folder.path(), command);
            assert_eq!(ran.code, 2, "{command:?} {commands}");
            assert!(ran.stderr.contains("not below") && ran.stderr.contains("--trust"), "{commands}\n{}", ran.stderr);
        }
        let ran = in_folder(folder.path(), &["replay", "found", "--trust"]);
        assert_eq!(ran.code, 0, "the user's word counts: {commands}\n{}", ran.stderr);
    }
    // What is below the folder may be named with its whole path, as cmake does.
    with_commands(folder.path(), own(json!(["cc", format!("-I{}", folder.path().display()), "-DX=1"])));
    let ran = in_folder(folder.path(), &["replay", "found"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// A crate of the registry has no file: one that is named all the same was taken for the manifest of a fuzz target.
#[test]
fn a_crate_and_a_fuzz_target_do_not_make_a_file_of_elsewhere_readable() {
    let folder = project();
    let elsewhere = scratch();
    let manifest = write(&elsewhere, "Cargo.toml", "[package]\nname = \"secret\"\nversion = \"0.1.0\"\n");
    for file in [json!(manifest), json!(elsewhere.path()), json!("f.c")] {
        change(folder.path(), |document| {
            document["target"]["file"] = file.clone();
            document["target"]["options"] = json!({"crate": "a@1", "fuzz_target": "t"});
        });
        let ran = in_folder(folder.path(), &["replay", "found"]);
        assert_eq!(ran.code, 2, "{file}");
        assert!(ran.stderr.contains("--trust") && !ran.stderr.contains("secret"), "{file}\n{}", ran.stderr);
    }
}

/// rustup's `rustc` starts the compiler that the `rust-toolchain.toml` beside it names, by its path if need be.
#[cfg(unix)]
#[test]
fn a_toolchain_file_beside_the_program_starts_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch();
    let mark = folder.path().join("started");
    let tools = scratch();
    // As the proxy does, in few words.
    let proxy = format!(
        "#!/bin/sh\nif [ -e rust-toolchain.toml ]; then echo > {}; exit 1; fi\nPATH=\"$BEFORE\" exec rustc \"$@\"\n",
        mark.display()
    );
    let proxy = write(&tools, "rustc", &proxy);
    std::fs::set_permissions(proxy, std::fs::Permissions::from_mode(0o755)).unwrap();
    write(&folder, "rust-toolchain.toml", "[toolchain]\npath = \"/evil\"\n");
    write(&folder, "g.rs", "pub fn g(a: &[u8]) -> usize { a.iter().filter(|b| **b > 3).count() }");
    let before = std::env::var("PATH").unwrap();
    let mut command = slowpath(&["run", "g.rs", "--call", "g(a: &[u8][n])", "--input", "{\"a\": [7]}", "--no-cache"]);
    command.current_dir(folder.path()).env("TMPDIR", folder.path()).env("BEFORE", &before);
    command.env("PATH", format!("{}:{before}", tools.path().display()));
    let ran = Ran::from(command.output().expect("the binary starts"));
    assert!(!mark.exists(), "{}", ran.stderr);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn a_cargo_project_and_native_code_need_trust() {
    let folder = project();
    let ran = in_folder(folder.path(), &["replay", "found", "--native"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("outside of the sandbox") && ran.stderr.contains("--trust"), "{}", ran.stderr);
    let package = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    write(&folder, "Cargo.toml", package);
    std::fs::create_dir(folder.path().join("src")).unwrap();
    std::fs::write(folder.path().join("src/lib.rs"), "pub fn f(a: &[u8]) -> usize { a.len() }").unwrap();
    write(&folder, "build.rs", "fn main() { std::fs::write(\"../mark\", \"\").unwrap(); panic!() }");
    change(folder.path(), |document| {
        document["target"]["file"] = json!(".");
        document["target"]["options"] = json!({"call": "p::f(&[u8][n])"});
    });
    let ran = in_folder(folder.path(), &["replay", "found"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("cargo project"), "{}", ran.stderr);
    let config = "[[target]]\nname = \"t\"\nfile = \".\"\ncall = \"p::f(&[u8][n])\"\nexpect = \"n\"\n";
    write(&folder, "slowpath.toml", config);
    let ran = in_folder(folder.path(), &["check"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("slowpath.toml:1") && ran.stderr.contains("cargo project"), "{}", ran.stderr);
}

#[test]
fn a_crate_of_a_document_is_a_name_and_nothing_else() {
    let folder = project();
    change(folder.path(), |document| {
        document["target"]["options"] = json!({"crate": "a = { path = \"evil\" }\nb@1", "call": "a::f(&[u8][n])"});
    });
    let ran = in_folder(folder.path(), &["replay", "found"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("this is no crate"), "{}", ran.stderr);
}

#[test]
fn a_configuration_stays_in_its_folder() {
    let folder = scratch();
    write(&folder, "f.c", SORT);
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    std::fs::write(folder.path().join("inner/f.c"), SORT).unwrap();
    let target = |more: &str| {
        format!(
            "{more}[[target]]\nname = \"t\"\nfile = \"f.c\"\ncall = \"f(a: i32[n], n)\"\nexpect = \"n\"\nsizes = 1\n"
        )
    };
    let tries = [
        (target("baseline = \"../base.json\"\n"), "leaves the folder"),
        (target("baseline = \"/base.json\"\n"), "leaves the folder"),
        (target("[defaults]\ncflags = \"-fplugin=x.so\"\n"), "-fplugin=x.so"),
        (target("[defaults]\noptimize = \"-O2 @flags\"\n"), "@flags"),
        (target("").replace("\"f.c\"", "\"../f.c\""), "not below"),
    ];
    for (text, word) in tries {
        std::fs::write(folder.path().join("inner/slowpath.toml"), &text).unwrap();
        let ran = in_folder(&folder.path().join("inner"), &["check", "--update-baseline", "--lenient"]);
        assert_eq!(ran.code, 2, "{text}");
        if word != "not below" || !ran.stderr.contains("names no baseline") {
            assert!(ran.stderr.contains(word) && ran.stderr.contains("--trust"), "{text}\n{}", ran.stderr);
        }
        assert!(!folder.path().join("base.json").exists());
    }
    std::fs::write(folder.path().join("inner/slowpath.toml"), target("baseline = \"../base.json\"\n")).unwrap();
    let ran = in_folder(
        &folder.path().join("inner"),
        &["check", "--update-baseline", "--lenient", "--trust", "--quiet", "--effort", "1e7"],
    );
    assert!(folder.path().join("base.json").exists(), "{}", ran.stderr);
}

/// No control character but the end of a line and the tab.
fn is_calm(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || c == '\t' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)))
}

#[test]
fn control_characters_of_a_document_are_shown_and_not_done() {
    let folder = project();
    const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\r\u{8}\u{7f}";
    change(folder.path(), |document| {
        document["target"]["notes"] = json!([EVIL]);
        document["target"]["function"] = json!(format!("f{EVIL}"));
        document["limits"] = json!([EVIL]);
        document["cost_model"] = json!("instructions");
        for result in document["results"].as_array_mut().unwrap() {
            result["trap"] = json!(EVIL);
            result["costs"][EVIL] = json!(1);
        }
    });
    let page = folder.path().join("page.html");
    let commands = [
        vec!["replay", "found"],
        vec!["replay", "found", "--format", "json"],
        vec!["compare", "found", "found"],
        vec!["compare", "found", "found", "--format", "json"],
        vec!["report", "found", "--out", "page.html"],
        vec!["export", "found", "--as", "json", "--out", "exported"],
        vec!["export", "found", "--as", "c", "--out", "exported_c"],
    ];
    for command in commands {
        let ran = in_folder(folder.path(), &command);
        assert!(is_calm(&ran.stdout) && is_calm(&ran.stderr), "{command:?}\n{:?}\n{:?}", ran.stdout, ran.stderr);
    }
    assert!(is_calm(&std::fs::read_to_string(page).unwrap()));
    change(folder.path(), |document| document["target"]["file"] = json!(format!("{EVIL}.c")));
    for command in [vec!["replay", "found"], vec!["export", "found", "--as", "c"]] {
        let ran = in_folder(folder.path(), &command);
        assert!(ran.code == 2 && is_calm(&ran.stderr), "{:?}", ran.stderr);
    }
}

#[test]
fn control_characters_of_programs_and_configurations_are_shown_and_not_done() {
    let folder = scratch();
    // The compiler quotes the line.
    write(&folder, "f.c", "int f(int n) { return \u{1b}[2J\u{1b}]0;x\u{7}; }");
    let ran = in_folder(folder.path(), &["analyze", "f.c", "--call", "f(n)"]);
    assert!(ran.code == 2 && is_calm(&ran.stderr), "{:?}", ran.stderr);
    let module = "(module (func (export \"f\\1b[2J\\c2\\9b\") (param i32)) (func (export \"g\") (param i32)))";
    write(&folder, "m.wat", module);
    for args in [&["list", "m.wat"][..], &["analyze", "m.wat", "--call", "h(n)"], &["scan", "m.wat", "--effort", "1e7"]]
    {
        let ran = in_folder(folder.path(), args);
        assert!(is_calm(&ran.stdout) && is_calm(&ran.stderr), "{args:?}\n{:?}\n{:?}", ran.stdout, ran.stderr);
    }
    write(
        &folder,
        "slowpath.toml",
        "[[target]]\nname = \"\\u001b[2J\"\nfile = \"f\\u009b.c\"\ncall = \"f(n)\"\nexpect = \"n\"\n",
    );
    for format in ["human", "sarif", "junit"] {
        let ran = in_folder(folder.path(), &["check", "--format", format]);
        assert!(ran.code == 2 && is_calm(&ran.stdout) && is_calm(&ran.stderr), "{:?}", ran.stderr);
    }
    write(&folder, "policy.json", "{\"\u{1b}[2J\": ");
    let ran = in_folder(folder.path(), &["analyze", "m.wat", "--call", "g(n)", "--policy", "policy.json"]);
    assert!(is_calm(&ran.stdout) && is_calm(&ran.stderr), "{:?}", ran.stderr);
}

/// What a killed run leaves is gone after the next one.
#[cfg(unix)]
#[test]
fn temporary_files_of_a_killed_run_are_swept_by_the_next() {
    let folder = scratch();
    write(&folder, "f.c", SORT);
    let ours = |folder: &Path| -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.starts_with("slowpath-")).collect()
    };
    // clang waits for what nobody writes into the FIFO, so the run is killed while it compiles.
    assert!(Command::new("mkfifo").arg(folder.path().join("never.h")).status().unwrap().success());
    write(&folder, "stuck.c", "#include \"never.h\"\nint f(int n) { return n; }");
    let mut command = slowpath(&["analyze", "stuck.c", "--call", "f(n)", "--no-cache"]);
    command.current_dir(folder.path()).env("TMPDIR", folder.path());
    let mut child = command.spawn().unwrap();
    // From then on it is known to be in use.
    let locked = |name: &String| folder.path().join(name).join(".slowpath-lock").exists();
    while !ours(folder.path()).iter().any(locked) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Lets the compiler of the killed run go.
    drop(std::fs::OpenOptions::new().read(true).write(true).open(folder.path().join("never.h")));
    assert_eq!(ours(folder.path()).len(), 1, "a killed run removes nothing");
    // Of a command that compiles nothing.
    let ran = in_folder(folder.path(), &["completions", "bash"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ours(folder.path()), Vec::<String>::new());
}

/// A source may have the compiler wait for something that never comes.
#[cfg(unix)]
#[test]
fn a_compiler_that_does_not_end_is_stopped() {
    let folder = scratch();
    assert!(Command::new("mkfifo").arg(folder.path().join("never.h")).status().unwrap().success());
    write(&folder, "stuck.c", "#include \"never.h\"\nint f(int n) { return n; }");
    let args = ["analyze", "stuck.c", "--call", "f(n)", "--no-cache", "--compile-limit", "300ms"];
    let ran = in_folder(folder.path(), &args);
    assert!(ran.code == 2 && ran.stderr.contains("--compile-limit"), "{}", ran.stderr);
}

/// A signal while a compiler runs is no less a signal. Nothing but the signal would end this one.
#[cfg(unix)]
#[test]
fn an_interrupt_stops_a_compiler_that_runs() {
    let folder = scratch();
    assert!(Command::new("mkfifo").arg(folder.path().join("never.h")).status().unwrap().success());
    write(&folder, "stuck.c", "#include \"never.h\"\nint f(int n) { return n; }");
    for (signal, command) in [("INT", "analyze"), ("TERM", "analyze"), ("TERM", "run"), ("INT", "scan")] {
        let call: &[&str] =
            if command == "scan" { &[] } else { &["--call", "f(n)", "--no-cache", "--compile-limit", "1h"] };
        let mut started = slowpath(&[command, "stuck.c"]);
        started.args(call).current_dir(folder.path()).env("TMPDIR", folder.path());
        let child = started.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // It has begun to compile once it has a place for what the compiler says.
        let compiles = |folder: &Path| {
            let inside = std::fs::read_dir(folder).unwrap().flatten();
            inside.filter(|entry| entry.file_name().to_string_lossy().starts_with("slowpath-")).any(|entry| {
                let mut files = std::fs::read_dir(entry.path()).into_iter().flatten().flatten();
                files.any(|file| file.file_name().to_string_lossy().starts_with("stdout-"))
            })
        };
        while !compiles(folder.path()) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, 3, "{signal} {command}: {}{}", ran.stdout, ran.stderr);
        assert!(command == "scan" || ran.stderr.contains("nothing yet"), "{}", ran.stderr);
    }
}

/// What is no ordinary file, or too large for an input, is left out of a corpus; a FIFO is not waited for.
#[cfg(unix)]
#[test]
fn a_corpus_is_read_as_far_as_it_can_be_inputs() {
    let folder = scratch();
    let module = "(module (memory (export \"memory\") 1) (func (export \"f\") (param i32 i32)))";
    write(&folder, "m.wat", module);
    std::fs::create_dir(folder.path().join("corpus")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("corpus/pipe")).status().unwrap().success());
    std::fs::write(folder.path().join("corpus/large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    let args = ["analyze", "m.wat", "--call", "f(a: u8[n], n)", "--sizes", "1..2", "--corpus", "corpus"];
    let ran = in_folder(folder.path(), &args);
    assert!(ran.code == 2 && ran.stderr.contains("corpus"), "{}", ran.stderr);
    std::fs::write(folder.path().join("corpus/small"), b"ab").unwrap();
    assert_eq!(in_folder(folder.path(), &args).code, 0);
}

#[test]
fn security_md_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let mut named = 0;
    let lines = text.lines().filter(|line| line.starts_with("- "));
    for line in lines {
        let tests: Vec<&str> = line.split('`').filter(|w| w.contains(".rs::") || w.contains(".py::")).collect();
        assert!(!tests.is_empty(), "no test: {line}");
        for test in tests {
            let (file, name) = test.split_once("::").unwrap();
            let source = std::fs::read_to_string(root.join(file)).unwrap_or_else(|_| panic!("{file} is not there"));
            let keyword = if file.ends_with(".py") { "def" } else { "fn" };
            assert!(source.contains(&format!("{keyword} {name}(")), "{test} is not there");
            named += 1;
        }
    }
    assert!(named > 10);
}
