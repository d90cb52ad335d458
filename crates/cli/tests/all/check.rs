//! `slowpath check`: bounds that are kept and exceeded, and every form of the answer.

use std::path::Path;

use crate::common::{Ran, run, scratch, slowpath, write};
use serde_json::Value;

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/regression").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A copy of the shipped project, to change.
fn project() -> tempfile::TempDir {
    let directory = scratch();
    for name in ["slowpath.toml", "queue.c"] {
        write(&directory, name, example(name));
    }
    directory
}

/// Runs the check as CI does: in the folder of the project.
fn check(directory: &tempfile::TempDir, args: &[&str]) -> Ran {
    let mut command = slowpath(&[&["check", "--trust"], args].concat());
    let ran = Ran::from(command.current_dir(directory.path()).output().expect("the binary starts"));
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

fn read(directory: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(directory.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The line of the changed file that does the damage.
fn guilty_line() -> usize {
    1 + example("queue-sorted.c").lines().position(|line| line.contains("while (at > 0")).expect("the loop is there")
}

#[test]
fn a_change_from_n_log_n_to_n_squared_fails_and_names_the_line() {
    let directory = project();
    let before = check(&directory, &["--update-baseline"]);
    assert_eq!(before.code, 0, "{}{}", before.stdout, before.stderr);
    assert!(before.stdout.contains("grows like n log n"), "{}", before.stdout);
    let unchanged = check(&directory, &[]);
    assert_eq!(unchanged.code, 0, "{}{}", unchanged.stdout, unchanged.stderr);
    assert!(unchanged.stdout.contains("kept: baseline"), "{}", unchanged.stdout);

    write(&directory, "queue.c", example("queue-sorted.c"));
    let after = check(&directory, &["--junit", "junit.xml", "--sarif", "out.sarif", "--out", "found"]);
    assert_eq!(after.code, 1, "{}{}", after.stdout, after.stderr);
    for part in [
        "grows like n^2 (n² + 2n + 1), not like n log n",
        &format!("queue.c:{} 'while (at > 0", guilty_line()),
        "worst input at size 32, cost 1,089: times = [31, 30,",
        "above the maximum of 500",
        "up from 303 in the baseline",
        "3 of 3 bounds exceeded",
    ] {
        assert!(after.stdout.contains(part), "{part}\n{}", after.stdout);
    }

    let junit = read(&directory, "junit.xml");
    assert!(junit.contains("tests=\"3\" failures=\"3\" errors=\"0\" skipped=\"0\""), "{junit}");
    assert_eq!(junit.matches("<failure type=").count(), 3, "{junit}");
    assert!(
        junit.contains("name=\"growth: n log n\"") && junit.contains(&format!("queue.c:{}", guilty_line())),
        "{junit}"
    );

    let sarif: Value = serde_json::from_str(&read(&directory, "out.sarif")).expect("SARIF is JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    let rules: Vec<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    assert_eq!(rules, ["growth", "maximum", "baseline"]);
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "queue.c");
        assert_eq!(place["region"]["startLine"], guilty_line());
        let known =
            sarif["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize]["id"].clone();
        assert_eq!(known, result["ruleId"]);
    }

    let findings = directory.path().join("found/schedule.json").to_string_lossy().into_owned();
    assert_eq!(run(&["compare", &findings, &findings]).code, 0);
}

#[test]
fn the_shipped_configurations_say_what_the_guide_says() {
    for (config, code) in [("slowpath.toml", 0), ("changed.toml", 1)] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/regression").join(config);
        let ran = run(&["check", "--config", &file.to_string_lossy(), "--format", "json"]);
        assert_eq!(ran.code, code, "{config}\n{}{}", ran.stdout, ran.stderr);
        let report: Value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
        let target = &report["targets"][0];
        assert_eq!(target["class"], if code == 0 { "n log n" } else { "n^2" });
        assert_eq!(target["bounds"][0]["judgement"], if code == 0 { "kept" } else { "exceeded" });
        assert!(report["notes"][0].as_str().unwrap().contains("there is no baseline"));
    }
}

#[test]
fn expect_names_the_line_and_the_input_as_well() {
    let directory = scratch();
    let file = write(&directory, "queue.c", example("queue-sorted.c"));
    let call = ["analyze", &file, "--call", "schedule_all(times: i32[n], n)", "--sizes", "1..8", "--expect", "n log n"];
    let ran = run(&call);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("queue.c:{} 'while (at > 0", guilty_line())), "{}", ran.stderr);
    assert!(ran.stderr.contains("worst input at size 8"), "{}", ran.stderr);
}

const COUNT: &str = "void count(int n) { for (int i = 0; i < n; i++) ; }\n";

#[test]
fn a_bound_that_cannot_be_judged_fails_unless_told_otherwise() {
    let directory = scratch();
    write(&directory, "count.c", COUNT);
    let target = "[[target]]\nname = 'count'\nfile = 'count.c'\ncall = 'count(n)'\nsizes = '1..3'\nexpect = 'n'\n";
    write(&directory, "slowpath.toml", target);
    let strict = check(&directory, &["--junit", "junit.xml"]);
    assert_eq!(strict.code, 1, "{}", strict.stdout);
    let counted = "nothing exceeded, of 1 bound; 1 could not be judged, which fails the check";
    assert!(strict.stdout.contains("cannot tell: growth (n)") && strict.stdout.contains(counted), "{}", strict.stdout);
    let junit = read(&directory, "junit.xml");
    assert!(junit.contains("failures=\"1\"") && junit.contains("needs at least 4 sizes"), "{junit}");
    let lenient = check(&directory, &["--lenient", "--format", "junit"]);
    assert_eq!(lenient.code, 0, "{}", lenient.stderr);
    assert!(lenient.stdout.contains("needs at least 4 sizes"), "{}", lenient.stdout);
    write(&directory, "slowpath.toml", format!("strict = false\n{target}"));
    let told = check(&directory, &[]);
    assert_eq!(told.code, 0, "{}", told.stdout);
    assert!(told.stdout.contains("1 could not be judged\n"), "{}", told.stdout);
}

#[test]
fn a_target_that_does_not_compile_is_an_error_beside_the_others() {
    let directory = scratch();
    write(&directory, "count.c", COUNT);
    write(&directory, "broken.c", "int broken(int n) { return <&; }\n");
    let target = |name: &str| {
        format!("[[target]]\nname = '{name}'\nfile = '{name}.c'\ncall = '{name}(n)'\nsizes = '1..6'\nexpect = 'n'\n")
    };
    write(&directory, "slowpath.toml", target("broken") + &target("count"));
    let ran = check(&directory, &["--junit", "junit.xml"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("kept: growth (n)"), "{}", ran.stdout);
    let junit = read(&directory, "junit.xml");
    assert!(junit.contains("errors=\"1\"") && junit.contains("&lt;&amp;"), "{junit}");
    let alone = check(&directory, &["--target", "count"]);
    assert_eq!(alone.code, 0, "{}", alone.stdout);
}

#[test]
fn bad_configurations_are_refused_before_any_work() {
    let directory = scratch();
    write(&directory, "count.c", COUNT);
    let good = "[[target]]\nname = 'count'\nfile = 'count.c'\ncall = 'count(n)'\nsizes = '1..6'\nexpect = 'n'\n";
    write(&directory, "slowpath.toml", good);
    write(&directory, "wrong.toml", format!("{good}expct = 'n'\n"));
    write(&directory, "broken.toml", format!("baseline = 'b.json'\n{good}"));
    write(&directory, "b.json", "[]");
    for (args, part) in [
        (&["--config", "absent.toml"][..], "absent.toml"),
        (&["--config", "wrong.toml"], "wrong.toml:7: unknown field `expct`"),
        (&["--config", "broken.toml"], "b.json: not a baseline"),
        (&["--target", "other"], "it has count"),
        (&["--update-baseline"], "names no baseline"),
        (&["--junit", "."], "it is a directory"),
    ] {
        let ran = check(&directory, args);
        assert_eq!(ran.code, 2, "{args:?}\n{}", ran.stdout);
        assert!(ran.stderr.contains(part), "{args:?}\n{}", ran.stderr);
    }
}

#[test]
fn updating_one_target_keeps_the_costs_of_the_others() {
    let directory = scratch();
    write(&directory, "count.c", COUNT);
    let target =
        |name: &str| format!("[[target]]\nname = '{name}'\nfile = 'count.c'\ncall = 'count(n)'\nsizes = '1..3'\n");
    write(&directory, "slowpath.toml", format!("baseline = 'b.json'\n{}{}", target("one"), target("two")));
    assert_eq!(check(&directory, &["--update-baseline"]).code, 0);
    let both = read(&directory, "b.json");
    assert_eq!(check(&directory, &["--update-baseline", "--target", "two"]).code, 0);
    assert_eq!(read(&directory, "b.json"), both);
    let lower = both.replacen("\"3\": ", "\"3\": -", 1);
    write(&directory, "b.json", lower);
    assert_eq!(check(&directory, &[]).code, 2, "a negative cost is no baseline");
    let mut costs: Value = serde_json::from_str(&both).unwrap();
    costs["targets"]["two"]["costs"]["3"] = 1.into();
    write(&directory, "b.json", costs.to_string());
    let ran = check(&directory, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("up from 1 in the baseline"), "{}", ran.stdout);
}
