//! `slowpath report`: a page from a saved document, written where it should be and nowhere else.

use crate::common::{column, json, program, run, scratch, write};

const ISORT: &str = "isort(a: i32[n], n)";

fn names(directory: &tempfile::TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_saved_analysis_becomes_a_page_beside_it() {
    let directory = scratch();
    let out = directory.path().to_string_lossy().into_owned();
    let args = ["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "1..5", "--average", "5"];
    let findings = json(&[&args[..], &["--stats", "--out", &out]].concat());
    let ran = run(&["report", &out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("report.html"), "{}", ran.stdout);
    assert_eq!(names(&directory), [".slowpath.lock", "findings.json", "journal.json", "report.html"]);
    let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains(ISORT));
    for (size, cost) in column(&findings, "size").into_iter().zip(column(&findings, "cost")) {
        assert!(page.contains(&format!("id=\"input-{size}\"")), "size {size}");
        assert!(page.contains(&format!("worst cost {cost}")), "size {size}");
    }
    assert!(!page.contains("http:") && !page.contains("https:"));
}

#[test]
fn the_page_goes_where_it_is_told() {
    let directory = scratch();
    let analysis = run(&["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "2", "--format", "json"]);
    let file = write(&directory, "found.json", &analysis.stdout);
    let page = directory.path().join("page.htm");
    let ran = run(&["report", &file, "--out", &page.to_string_lossy()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(names(&directory), ["found.json", "page.htm"]);
    for (out, words) in [(".", "is a directory"), ("nowhere/page.html", "does not exist"), ("found.json", "findings")] {
        let ran = run(&["report", &file, "--out", &directory.path().join(out).to_string_lossy()]);
        assert!(ran.code == 2 && ran.stderr.contains(words), "{out}: {}", ran.stderr);
    }
    assert_eq!(names(&directory), ["found.json", "page.htm"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), analysis.stdout);
}

#[test]
fn what_is_no_document_is_refused_and_nothing_is_written() {
    let directory = scratch();
    for (text, words) in [
        ("", "not JSON"),
        ("[]", "not a findings document"),
        ("{\"results\": []}", "not a findings document"),
        (r#"{"schema": 99}"#, "schema 99"),
        (r#"{"schema": 1}"#, "damaged"),
    ] {
        let file = write(&directory, "findings.json", text);
        let ran = run(&["report", &file]);
        assert!(ran.code == 2 && ran.stderr.contains(words), "{text}: {}", ran.stderr);
        assert_eq!(names(&directory), ["findings.json"]);
    }
    assert_eq!(run(&["report", "there-is-no-such-file.json"]).code, 2);
}

#[test]
fn the_document_has_the_source_and_the_tree_that_the_page_shows() {
    let directory = scratch();
    let out = directory.path().to_string_lossy().into_owned();
    let findings = json(&["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "1..8,12", "--out", &out]);
    let source = &findings["source"]["files"];
    assert_eq!(source[0]["text"].as_str(), Some(std::fs::read_to_string(program("isort.c")).unwrap().as_str()));
    assert_eq!(source.as_array().map(Vec::len), Some(1), "only the program's own");
    // 4! paths; those of size 5 are too many to draw.
    let trees = findings["trees"].as_array().unwrap();
    assert_eq!(trees.iter().map(|tree| tree["size"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3), Some(4)]);
    let tree = &trees[2];
    let paths = tree["paths"].as_array().unwrap();
    assert_eq!((tree["size"].as_u64(), paths.len()), (Some(4), 24));
    let costs = paths.iter().filter_map(|path| path["cost"].as_u64());
    assert_eq!(costs.max(), Some(column(&findings, "cost")[3]));
    for path in paths {
        assert_eq!(path["sites"].as_array().map(Vec::len), path["sides"].as_array().map(Vec::len));
    }
    let rule = &findings["policy"]["rules"][0];
    assert!(rule["place"].as_str().is_some_and(|place| place.starts_with("isort.c:")), "{rule}");
    assert_eq!(run(&["report", &out]).code, 0);
    let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    for part in ["<section id=\"source\">", "policy: <code>", "size 4: 24 paths", "class=\"end worst\""] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_hostile_file_name_is_text_from_the_analysis_to_the_page() {
    let directory = scratch();
    let name = "<img src=x onerror=alert(1)>\"'.c";
    let file = write(&directory, name, std::fs::read(program("isort.c")).unwrap());
    let out = directory.path().to_string_lossy().into_owned();
    let findings = json(&["analyze", &file, "--call", ISORT, "--sizes", "1..5", "--out", &out]);
    assert!(findings["source"]["files"][0]["name"].as_str().is_some_and(|shown| shown.ends_with(name)));
    assert_eq!(run(&["report", &out]).code, 0);
    let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;") && !page.contains("<img"));
}

#[test]
fn several_targets_have_an_index_and_a_page_each() {
    let directory = scratch();
    for name in ["one", "two"] {
        let analysis = run(&["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "1..3", "--format", "json"]);
        write(&directory, &format!("{name}.json"), &analysis.stdout);
    }
    write(&directory, "other.json", "{}");
    let ran = run(&["report", &directory.path().to_string_lossy()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        names(&directory),
        ["one.json", "one.report.html", "other.json", "report.html", "two.json", "two.report.html"]
    );
    let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert!(page.contains("href=\"./one.report.html\"") && page.contains("worst 192 at n = 3"), "{page}");
}
