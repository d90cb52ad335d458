//! Patterns: parsers and matchers that a short text, repeated, is bad for, and what is told of it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::common::{Ran, analyze, column, json, program, results, run, scratch, without_measurements, write};

/// Work for one program: about a second.
const EFFORT: &str = "2e8";
/// Sizes where nothing explodes.
const SIZES: &str = "32,64,128,256,512,1024";

/// One parser or matcher, as the manifest describes it.
struct Parser {
    file: String,
    call: String,
    sizes: String,
    class: String,
    /// By name of the input: prefix, unit, suffix.
    bad: BTreeMap<String, [Vec<u64>; 3]>,
}

fn parsers() -> Vec<Parser> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/pump");
    let manifest = std::fs::read_to_string(folder.join("programs.toml")).expect("the manifest can be read");
    let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
    let text = |parser: &toml::Value, key: &str| parser.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let values = |part: Option<&toml::Value>| -> Vec<u64> {
        match part {
            Some(toml::Value::String(text)) => text.bytes().map(u64::from).collect(),
            Some(toml::Value::Array(list)) => list.iter().filter_map(|v| u64::try_from(v.as_integer()?).ok()).collect(),
            _ => Vec::new(),
        }
    };
    let parser = |parser: &toml::Value| Parser {
        file: folder.join(text(parser, "file").expect("a file")).to_string_lossy().into_owned(),
        call: text(parser, "call").expect("a call"),
        sizes: text(parser, "sizes").unwrap_or_else(|| SIZES.to_owned()),
        class: parser["class"][0].as_str().expect("a class").to_owned(),
        bad: parser["bad"]
            .as_table()
            .expect("a bad input")
            .iter()
            .map(|(name, bad)| (name.clone(), ["prefix", "unit", "suffix"].map(|part| values(bad.get(part)))))
            .collect(),
    };
    manifest["program"].as_array().expect("a list of programs").iter().map(parser).collect()
}

impl Parser {
    fn analyze(&self, strategy: &str, effort: &str, more: &[&str]) -> Value {
        let args = [&self.file, "--call", &self.call, "--sizes", &self.sizes, "--strategy", strategy];
        analyze(&[&args[..], &["--effort", effort], more].concat())
    }

    /// What the bad input made by hand costs, with arrays as long as those of an input that was found.
    fn bad_cost(&self, found: &Value) -> u64 {
        let mut input = serde_json::Map::new();
        for (name, [prefix, unit, suffix]) in &self.bad {
            let length = found["input"][name].as_array().map_or(0, Vec::len);
            let repeated = unit.iter().cycle().take(length - prefix.len() - suffix.len());
            input.insert(name.clone(), prefix.iter().chain(repeated).chain(suffix).copied().collect());
        }
        let (size, input) = (found["size"].to_string(), Value::from(input).to_string());
        let ran = json(&["run", &self.file, "--call", &self.call, "--size", &size, "--input", &input]);
        ran["costs"]["instructions"].as_u64().expect("a cost")
    }
}

#[test]
fn known_shapes_are_found_from_nothing_but_the_source() {
    let mut wrong = Vec::new();
    for parser in parsers() {
        let findings = parser.analyze("pump", EFFORT, &[]);
        let largest = results(&findings).last().expect("a result");
        let (cost, bad) = (largest["cost"].as_u64().unwrap_or(0), parser.bad_cost(largest));
        let class = findings["fit"]["class"].as_str().unwrap_or("none");
        let right = class == parser.class || (parser.class == "exponential" && class.ends_with("^n"));
        let law = &findings["input_law"]["inputs"][0];
        let shown = law["law"].as_str().is_some_and(|law| law.contains("repeated") || law.contains("k times"));
        let typed = law["pattern"]["unit"].as_array().is_some_and(|unit| !unit.is_empty());
        if cost < bad || !right || !shown || !typed || largest["found_by"] != "pump" {
            wrong.push(format!("{}: {cost} of {bad}, {class}, {law}, {}", parser.file, largest["found_by"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
