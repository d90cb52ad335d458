//! Without writing anything: what there is to call, all of it analysed, and a configuration made of that.

use crate::common::{json, program, run, scratch, write};

const SMALL: &str = "int twice(const char *s) {\n    int c = 0;\n    for (int i = 0; s[i]; i++)\n        for (int j = 0; s[j]; j++)\n            c += s[i] == s[j];\n    return c;\n}\n\
    int once(const int *a, int n) {\n    int c = 0;\n    for (int i = 0; i < n; i++)\n        if (a[i] > 3)\n            c++;\n    return c;\n}\n\
    int opaque(void *p) { return p != 0; }\n";

#[test]
fn a_program_alone_is_listed() {
    let ran = run(&[&program("everyday.c")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let listed = run(&["list", &program("everyday.c")]);
    assert_eq!(ran.stdout, listed.stdout);
    for words in [
        "int parse_pairs(const char *s)",
        "--call 'parse_pairs(s: cstr[n])'",
        "--call 'repeats(b: buffer { data: u8[n], len: u32 = n, flags: i32 })'",
        "only the name is known",
    ] {
        assert!(ran.stdout.contains(words), "no '{words}' in\n{}", ran.stdout);
    }
    let document = json(&["list", &program("everyday.rs")]);
    let functions = document["files"][0]["functions"].as_array().expect("functions");
    assert_eq!(functions.len(), 3, "{document}");
    assert!(functions.iter().any(|f| f["call"].to_string().contains("&mut Vec<u32>[n]")), "{document}");
    let document = json(&["list", &program("everyday.cpp")]);
    assert!(document.to_string().contains("std::string[n]"), "{document}");
}

#[test]
fn static_functions_are_listed_and_scanned_but_for_those_of_headers() {
    let directory = scratch();
    write(&directory, "inside.h", "static inline int of_header(const char *s) { return s[0] ? 1 : 0; }\n");
    let hidden = SMALL.replace("int twice", "static int twice");
    let file = write(&directory, "hidden.c", format!("#include \"inside.h\"\n{hidden}"));
    let listed = run(&["list", &file]).stdout;
    assert!(listed.contains("static int twice(const char *s)"), "{listed}");
    assert!(listed.contains("--call 'twice(s: cstr[n])'") && !listed.contains("of_header"), "{listed}");
    let scan = json(&["scan", &file, "--effort", "2e8"]);
    assert_eq!((&scan["functions"][0]["function"], &scan["functions"][0]["class"]), (&"twice".into(), &"n^2".into()));
    // A static function of the library's name, and one that wants a variable that nobody has, take nothing from the others.
    let wanting = "extern int nowhere;\nstatic int wants(int x) { return nowhere + x; }\n";
    let file = write(&directory, "wanting.c", format!("{wanting}{SMALL}"));
    let listed = run(&["list", &file]).stdout;
    assert!(listed.contains("int twice(const char *s)"), "{listed}");
    // In C++ those that something calls; a namespace without a name is left out of theirs.
    let text = "namespace { int inner(const char *s) { int c = 0; while (s[c]) c++; return c; } }\n\
        static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n\
        int outer(const char *s, const int *a, int n) { auto more = [](int x) { return x + 1; }; return more(inner(s)) + sum(a, n); }\n";
    let file = write(&directory, "hidden.cpp", text);
    let document = json(&["list", &file]);
    let calls: Vec<&str> = document["files"][0]["functions"]
        .as_array()
        .expect("functions")
        .iter()
        .filter_map(|function| function["call"].as_str())
        .collect();
    assert_eq!(calls.len(), 3, "a lambda has no name to be called by: {document}");
    assert!(calls.contains(&"inner(s: cstr[n])") && calls.contains(&"sum(a: i32[n], n)"), "{document}");
    for call in calls {
        let ran = run(&["analyze", &file, "--call", call, "--sizes", "1..3", "--effort", "1e7"]);
        assert_eq!(ran.code, 0, "{call}\n{}", ran.stderr);
    }
}

#[test]
fn every_call_that_is_listed_can_be_made() {
    for file in ["everyday.c", "isort.c", "quicksort.c", "matrix.c", "ledger.cpp", "queue.rs"] {
        let document = json(&["list", &program(file)]);
        for function in document["files"][0]["functions"].as_array().expect("functions") {
            let Some(call) = function["call"].as_str() else { continue };
            let ran = run(&["analyze", &program(file), "--call", call, "--sizes", "1", "--effort", "1e6"]);
            assert_eq!(ran.code, 0, "{file}: {call}\n{}", ran.stderr);
        }
    }
}

#[test]
fn a_scan_ranks_by_growth_and_says_what_it_skipped() {
    let directory = scratch();
    write(&directory, "small.c", SMALL);
    write(&directory, "broken.c", "int f( {");
    let folder = directory.path().to_string_lossy().into_owned();
    let scan = json(&["scan", &folder, "--effort", "4e8"]);
    let functions = scan["functions"].as_array().expect("functions");
    let names: Vec<&str> = functions.iter().filter_map(|f| f["function"].as_str()).collect();
    assert_eq!(names, ["twice", "once"], "{scan}");
    assert_eq!(functions[0]["class"], "n^2", "{scan}");
    assert_eq!(functions[1]["class"], "n", "{scan}");
    let skipped = scan["skipped"].to_string();
    assert!(skipped.contains("opaque") && skipped.contains("broken.c"), "{skipped}");
    // Of one file among many, the first complaint and what to do are enough.
    let complaints: String = (0..30).map(|k| format!("int f{k}(void) {{ return lost{k}; }}\n")).collect();
    write(&directory, "broken.c", complaints);
    let listed = run(&["list", &folder]).stdout;
    assert!(listed.contains("'lost0'") && listed.contains("mend it") && !listed.contains("'lost1'"), "{listed}");
    let again = json(&["scan", &folder, "--effort", "4e8"]);
    assert_eq!(scan["functions"], again["functions"], "by effort, a scan is the same every time");
}

#[test]
fn a_scan_gives_its_time_to_what_grows() {
    // Many accessors, and one function that needs more than an even share to be sure of.
    let accessors: String =
        (0..30).map(|k| format!("int get_{k}(const int *a, int n) {{ return n > {k} ? a[{k}] : 0; }}\n")).collect();
    let directory = scratch();
    let file = write(&directory, "many.c", format!("{accessors}{SMALL}"));
    let out = directory.path().join("found");
    let scan = json(&["scan", &file, "--effort", "4e8", "--out", &out.to_string_lossy()]);
    let functions = scan["functions"].as_array().expect("functions");
    assert_eq!(functions.len(), 32, "{scan}");
    assert_eq!((&functions[0]["function"], &functions[0]["class"]), (&"twice".into(), &"n^2".into()), "{scan}");
    // Of each function one document, that of the longest look.
    assert_eq!(std::fs::read_dir(&out).expect("documents").count(), 32);
    let twice = std::fs::read_to_string(out.join("twice.json")).expect("a document");
    let twice: serde_json::Value = serde_json::from_str(&twice).expect("JSON");
    let steps = twice["spent"]["steps"].as_u64().expect("steps");
    assert!(steps > 2 * 400_000_000 / 33, "more than twice an even share: {steps}");
}

#[test]
fn generic_functions_are_listed_with_types_that_may_do() {
    let directory = scratch();
    let file = write(
        &directory,
        "generic.rs",
        "pub fn largest<T: PartialOrd + Copy>(values: &[T]) -> T {\n    let mut best = values[0];\n    for v in values {\n        if *v > best {\n            best = *v;\n        }\n    }\n    best\n}\n",
    );
    let listed = run(&["list", &file]);
    let call = "largest::<u32>(values: &[u32][n])";
    assert!(
        listed.stdout.contains(&format!("it is generic; choose its types, as in --call '{call}'")),
        "{}",
        listed.stdout
    );
    let found = crate::common::analyze(&[&file, "--call", call, "--sizes", "1..4"]);
    assert_eq!(crate::common::column(&found, "paths"), [1, 2, 4, 8]);
}

#[test]
fn init_writes_a_configuration_that_check_reads() {
    let directory = scratch();
    write(&directory, "small.c", SMALL);
    let folder = directory.path().to_string_lossy().into_owned();
    let config = directory.path().join("slowpath.toml").to_string_lossy().into_owned();
    let init = ["init", &folder, "--effort", "4e8", "--config", &config];
    let made = run(&init);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let text = std::fs::read_to_string(&config).expect("a configuration");
    assert!(text.contains("file = \"small.c\"") && text.contains("expect = \"n^2\""), "{text}");
    let refused = run(&init);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    let checked = run(&["check", "--config", &config, "--target", "once"]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn the_files_of_a_project_find_what_they_need_in_it() {
    let directory = scratch();
    for folder in ["src", "include", "win32"] {
        std::fs::create_dir(directory.path().join(folder)).expect("a folder");
    }
    write(&directory, "include/count.h", "int count(const char *s);\n");
    write(&directory, "win32/count.h", "#error \"another system\"\n");
    write(
        &directory,
        "src/count.c",
        "#include <count.h>\nint count(const char *s) { int c = 0; for (; *s; s++) c += *s == 'x'; return c; }\n",
    );
    write(&directory, "src/twice.c", "#include <count.h>\nint twice(const char *s) { return count(s) + count(s); }\n");
    let folder = directory.path().to_string_lossy().into_owned();
    let names = |document: &serde_json::Value| -> Vec<String> {
        let files = document["files"].as_array().expect("files").iter();
        files
            .flat_map(|f| f["functions"].as_array())
            .flatten()
            .map(|f| f["name"].as_str().unwrap_or("").to_owned())
            .collect()
    };
    assert_eq!(names(&json(&["list", &folder])), ["count", "twice"]);
    // A file by itself may need the others.
    let shown = run(&["list", &folder]).stdout;
    assert!(shown.contains(&format!(" --project {folder} --call count\n")), "{shown}");
    let scan = json(&["scan", &folder, "--effort", "2e8"]);
    assert!(scan["skipped"].as_array().is_some_and(Vec::is_empty), "{scan}");
    // Of a project with commands, those files alone.
    write(&directory, "src/other.c", "int other(int k) { return k; }\n");
    let entry = |name: &str| {
        format!(r#"{{"directory": ".", "file": "src/{name}.c", "command": "cc -Iinclude -c src/{name}.c"}}"#)
    };
    write(&directory, "compile_commands.json", format!("[{}, {}]", entry("count"), entry("twice")));
    assert_eq!(names(&json(&["list", &folder])), ["count", "twice"]);
    let config = directory.path().join("slowpath.toml").to_string_lossy().into_owned();
    assert_eq!(run(&["init", &folder, "--effort", "2e8", "--config", &config]).code, 0);
    let text = std::fs::read_to_string(&config).expect("a configuration");
    assert!(text.contains("file = \"src/twice.c\"") && text.contains("project = \".\""), "{text}");
}

#[test]
fn folders_without_programs_and_files_that_are_none_are_refused() {
    let directory = scratch();
    let folder = directory.path().to_string_lossy().into_owned();
    for command in ["list", "scan"] {
        let ran = run(&[command, &folder]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("no program in this folder"), "{}", ran.stderr);
        assert_eq!(run(&[command, "does/not/exist.c"]).code, 2);
    }
    let broken = write(&directory, "broken.c", "int f( {");
    let ran = run(&["list", &broken]);
    assert!(ran.code == 2 && ran.stderr.contains("broken.c:1"), "{}", ran.stderr);
}
