//! What CI runs: the steps of the GitHub action, the GitLab template and the pre-commit hook, on the shipped project.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Ran, run, scratch, slowpath, write};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The shipped project, with the queue as it is or after the change that makes it quadratic.
fn project(queue: &str) -> TempDir {
    let directory = scratch();
    write(&directory, "slowpath.toml", text("examples/regression/slowpath.toml"));
    write(&directory, "queue.c", text(&format!("examples/regression/{queue}")));
    directory
}

/// A shell in the project that finds our slowpath first.
fn shell(directory: &TempDir, line: &str, variables: &[(&str, &str)]) -> Ran {
    let binary = PathBuf::from(slowpath(&[]).get_program());
    let own = binary.parent().expect("it is in a folder").to_path_buf();
    let places = std::env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = [own].into_iter().chain(std::env::split_paths(&places)).collect();
    let mut command = Command::new("bash");
    command.args(["-ec", line]).current_dir(directory.path());
    command.env("PATH", std::env::join_paths(places).expect("a path")).env("HOME", directory.path());
    command.envs(variables.iter().copied()).env_remove("GITHUB_OUTPUT").env_remove("GITHUB_PATH");
    Ran::from(command.output().expect("there is a shell"))
}

fn read(directory: &TempDir, name: &str) -> String {
    std::fs::read_to_string(directory.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_action_annotates_the_line_and_writes_a_summary_sarif_and_a_page() {
    let action = text("action/action.yml");
    let step = action
        .lines()
        .find_map(|line| line.trim().strip_prefix("run: $GITHUB_ACTION_PATH/check"))
        .map(|_| format!("{}/action/check.sh", root().display()));
    let step = step.expect("the action runs its script");
    let directory = project("queue-sorted.c");
    write(&directory, "summary.md", "# What was here before\n");
    let ran = shell(
        &directory,
        &step,
        &[("GITHUB_STEP_SUMMARY", "summary.md"), ("SLOWPATH_ARGUMENTS", "--lenient  --jobs 1")],
    );
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let line = 1 + read(&directory, "queue.c").lines().position(|line| line.contains("while (at > 0")).expect("a loop");
    assert!(
        ran.stdout.contains(&format!("::error file=queue.c,line={line},title=slowpath%3A schedule (growth)::")),
        "{}",
        ran.stdout
    );
    let summary = read(&directory, "summary.md");
    assert!(summary.starts_with("# What was here before\n## slowpath: worst cases got out of bounds\n"), "{summary}");
    assert!(summary.contains("| **exceeded** | `schedule` in `queue.c` | growth: n log n |"), "{summary}");
    assert!(summary.contains("worst input at size 32, cost 1,089: times = [31, 30,"), "{summary}");
    let sarif: Value = serde_json::from_str(&read(&directory, "slowpath.sarif")).expect("SARIF is JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], line);
    assert!(read(&directory, "slowpath-findings/report.html").contains("schedule"));
    assert!(read(&directory, "slowpath-junit.xml").contains("<failure"));
}

#[test]
fn the_gitlab_job_and_the_hook_pass_where_every_bound_is_kept() {
    let directory = project("queue.c");
    let template = text("action/gitlab.yml");
    let script = template.lines().find_map(|line| line.trim().strip_prefix("- slowpath check")).expect("a script");
    let variables = [("SLOWPATH_CONFIG", "slowpath.toml"), ("SLOWPATH_ARGUMENTS", "--lenient")];
    let ran = shell(&directory, &format!("slowpath check{script}\nslowpath report slowpath-findings"), &variables);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(read(&directory, "slowpath-summary.md").contains("every bound is kept"));
    let hook = text(".pre-commit-hooks.yaml");
    let entry = hook.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("the hook runs something");
    let ran = shell(&directory, &format!("{entry} --lenient"), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn the_action_installs_a_tarball() {
    let directory = scratch();
    let binary = PathBuf::from(slowpath(&[]).get_program());
    std::fs::create_dir(directory.path().join("release")).expect("a folder");
    write(&directory, "release/README.md", "A release.\n");
    std::os::unix::fs::symlink(&binary, directory.path().join("release/slowpath")).expect("a link");
    let pack = "tar --create --gzip --dereference --file release.tar.gz release";
    let install = format!("{}/action/install.sh", root().display());
    let variables = [("SLOWPATH_TARBALL", "release.tar.gz"), ("SLOWPATH_COMPILERS", "false"), ("GITHUB_PATH", "")];
    let ran = shell(&directory, &format!("{pack}\n{install}\n\"$HOME/.slowpath/bin/slowpath\" --version"), &variables);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout.matches("slowpath ").count(), 2, "{}", ran.stdout);
}

#[test]
fn a_mistake_in_the_configuration_is_in_the_sarif_and_the_summary() {
    let directory = scratch();
    write(&directory, "slowpath.toml", "[[target]]\nname = \"a\"\nfile = \"a.c\"\nexpext = \"n\"\n");
    let line = "slowpath check --sarif out.sarif --junit out.xml --summary out.md";
    let ran = shell(&directory, line, &[]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let sarif: Value = serde_json::from_str(&read(&directory, "out.sarif")).expect("SARIF is JSON");
    let told = &sarif["runs"][0]["invocations"][0];
    assert_eq!(told["executionSuccessful"], false);
    let told = &told["toolExecutionNotifications"][0];
    assert!(told["message"]["text"].as_str().is_some_and(|text| text.contains("expext")), "{told}");
    assert_eq!(told["locations"][0]["physicalLocation"]["region"]["startLine"], 4, "{told}");
    assert!(read(&directory, "out.xml").contains("expext") && read(&directory, "out.md").contains("expext"));
}

#[test]
fn other_results_have_these_forms_too() {
    let directory = scratch();
    let source = "int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > 0) s += i; return s; }\n";
    let file = write(&directory, "sum.c", source);
    let out = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let analyze = ["analyze", &file, "--call", "sum(a: i32[n], n)", "--sizes", "1..4"];
    let ran = run(&[&analyze[..], &["--format", "markdown", "--out", &out("one")]].concat());
    assert!(ran.stdout.starts_with("## `sum(a: i32[n], n)`\n\nO(n) · worst "), "{}", ran.stdout);
    assert!(ran.stdout.contains("| 4 | ") && ran.stdout.contains("The worst input at size 4:"), "{}", ran.stdout);
    let ran = run(&[&analyze[..], &["--format", "github", "--out", &out("two")]].concat());
    assert!(ran.stdout.starts_with("::notice file=") && ran.stdout.contains("sum.c,line=1,"), "{}", ran.stdout);
    let ran = run(&["compare", &out("one"), &out("two"), "--format", "markdown"]);
    assert!(ran.code == 0 && ran.stdout.starts_with("## `sum`: no worse\n"), "{}", ran.stdout);
    let ran = run(&["compare", &out("one"), &out("two"), "--format", "github"]);
    assert!(ran.stdout.starts_with("::notice title=slowpath%3A sum is no worse::"), "{}", ran.stdout);
    let scan = ["scan", &file, "--effort", "2e8", "--out", &out("all")];
    let ran = run(&[&scan[..], &["--format", "markdown"]].concat());
    assert!(
        ran.stdout.contains("| growth | verdict |") && ran.stdout.contains("`sum(a: i32\\[n\\], n)`")
            || ran.stdout.contains("`sum(a: i32[n], n)`"),
        "{}",
        ran.stdout
    );
    // What a scan keeps can be replayed, and makes an index.
    assert_eq!(run(&["replay", &out("all/sum.json")]).code, 0);
    let ran = run(&["report", &out("all")]);
    assert!(ran.stdout.contains("a page for each of 1 targets"), "{}", ran.stdout);
}

#[test]
fn out_is_looked_at_before_the_work() {
    let directory = scratch();
    let file = write(&directory, "f.c", "int f(int x) { return x; }\n");
    write(&directory, "taken", "");
    let out = directory.path().join("taken/below").to_string_lossy().into_owned();
    for command in [&["analyze", file.as_str(), "--call", "f(x: i32)", "--sizes", "1"][..], &["scan", file.as_str()]] {
        let ran = run(&[command, &["--out", &out]].concat());
        assert!(
            ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains("is a file, not a directory"),
            "{}",
            ran.stderr
        );
    }
}
