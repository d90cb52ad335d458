//! Programs that fooled earlier versions, and programs of known growth: no claim is too bold, and what is known is found.

use std::path::Path;

use serde_json::Value;

use crate::common::{analyze, column, json, program, results, scratch, write};

/// Work for one program.
const EFFORT: &str = "1e8";

/// One program of a corpus, as its manifest describes it.
struct Program {
    file: String,
    entry: [String; 2],
    sizes: Option<String>,
    classes: Vec<String>,
    /// Sizes, and bad inputs of them.
    known: Vec<(i64, String)>,
}

fn programs(corpus: &str) -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(corpus);
    let manifest = std::fs::read_to_string(folder.join("programs.toml")).expect("the manifest can be read");
    let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
    let text = |program: &toml::Value, key: &str| program.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let list = |program: &toml::Value, key: &str| {
        program.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default()
    };
    let program = |program: &toml::Value| Program {
        file: folder.join(text(program, "file").expect("a file")).to_string_lossy().into_owned(),
        entry: match text(program, "harness") {
            Some(harness) => ["--harness".to_owned(), harness],
            None => ["--call".to_owned(), text(program, "call").expect("a call")],
        },
        sizes: text(program, "sizes"),
        classes: list(program, "class").iter().filter_map(|class| class.as_str().map(str::to_owned)).collect(),
        known: list(program, "known")
            .iter()
            .filter_map(|known| Some((known.get("size")?.as_integer()?, text(known, "input")?)))
            .collect(),
    };
    manifest["program"].as_array().expect("a list of programs").iter().map(program).collect()
}

impl Program {
    fn analyze(&self, effort: &str) -> Value {
        let mut args = vec!["analyze", &self.file, &self.entry[0], &self.entry[1], "--effort", effort];
        if let Some(sizes) = &self.sizes {
            args.extend(["--sizes", sizes]);
        }
        json(&args)
    }

    /// What a known input costs.
    fn cost(&self, size: i64, input: &str) -> u64 {
        let size = size.to_string();
        let args = ["run", &self.file, &self.entry[0], &self.entry[1], "--size", &size, "--input", input];
        let ran = crate::common::run(&[&args[..], &["--format", "json"]].concat());
        let report: Value = serde_json::from_str(&ran.stdout).expect("output is JSON");
        report["costs"]["instructions"].as_u64().expect("a cost")
    }

    /// What is claimed to be the worst although a known input costs more; and the least part of a known cost that was found.
    fn compare(&self, findings: &Value) -> (Vec<String>, f64) {
        let (mut overclaimed, mut least) = (Vec::new(), f64::MAX);
        for (size, input) in &self.known {
            let known = self.cost(*size, input);
            let result = results(findings).iter().find(|result| result["size"] == *size);
            let found = result.and_then(|result| result["cost"].as_u64()).unwrap_or(0);
            let confidence = result.map_or("none", |result| result["confidence"].as_str().unwrap_or("none"));
            if found < known && ["exact", "validated"].contains(&confidence) {
                overclaimed.push(format!("{} at {size}: {confidence} {found}, known {known}", self.file));
            }
            least = least.min(found as f64 / known as f64);
        }
        (overclaimed, least)
    }

    /// Whether a class is stated as exact or fitted, and whether it is right.
    fn stated(&self, findings: &Value) -> (bool, bool) {
        let fit = &findings["fit"];
        let sure = ["exact", "fitted"].contains(&fit["verdict"].as_str().unwrap_or("none"));
        (sure, fit["class"].as_str().is_some_and(|class| self.classes.iter().any(|right| right == class)))
    }
}

#[test]
fn nothing_is_called_exact_or_validated_below_a_known_input() {
    let mut overclaimed = Vec::new();
    for program in programs("fooling") {
        overclaimed.extend(program.compare(&program.analyze(EFFORT)).0);
    }
    assert_eq!(overclaimed, Vec::<String>::new());
}

#[test]
fn what_single_techniques_find_auto_finds() {
    let mut found = Vec::new();
    for program in programs("portfolio") {
        let findings = program.analyze("4e8");
        let (overclaimed, least) = program.compare(&findings);
        assert_eq!(overclaimed, Vec::<String>::new());
        let (sure, right) = program.stated(&findings);
        assert!(right || !sure, "{}: {}", program.file, findings["fit"]);
        found.push((least >= 0.95, program.file.clone(), least));
    }
    let missed: Vec<_> = found.iter().filter(|one| !one.0).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn no_wrong_class_is_stated_as_exact_or_fitted() {
    let (mut wrong, mut right) = (Vec::new(), 0);
    for program in programs("growth") {
        let findings = program.analyze(EFFORT);
        match program.stated(&findings) {
            (true, false) => wrong.push(format!("{}: {}", program.file, findings["fit"])),
            (_, is_right) => right += usize::from(is_right),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(right >= 38, "{right} of 44");
}

#[test]
fn what_explodes_costs_at_least_what_was_run_at_every_larger_size() {
    let program = programs("portfolio").into_iter().find(|program| program.file.ends_with("backtracking.c"));
    let program = Program { sizes: Some("12,24,30,40".to_owned()), ..program.expect("it is one of them") };
    let findings = program.analyze(EFFORT);
    let costs: Vec<u64> = results(&findings).iter().filter_map(|result| result["cost"].as_u64()).collect();
    let cut: Vec<bool> = results(&findings).iter().filter_map(|result| result["at_least"].as_bool()).collect();
    assert_eq!(cut, [false, true, true, true], "{costs:?}");
    assert!(costs.iter().all(|cost| *cost >= costs[0]), "{costs:?}");
    assert!(results(&findings).iter().all(|result| result["verified"] == true));
    // A run that is begun may pass the end; it is no multiple of what was asked for.
    let spent = findings["spent"]["steps"].as_u64().expect("steps");
    assert!(spent <= 200_000_000, "{spent}");
}

#[test]
fn no_size_reports_less_than_a_smaller_one_however_little_time_there_is() {
    let glob = program("pump/glob.c");
    let call = "glob(p: u8[n], n, t: u8[n], n)";
    for (sizes, strategy, effort) in
        [("16,20,24,32", "auto", "1e8"), ("2,4,6,8,10,12,16,20,24,40", "auto", "3e7"), ("2,8,16,24", "pump", "2e7")]
    {
        let args = [&glob, "--call", call, "--sizes", sizes, "--strategy", strategy, "--effort", effort];
        let findings = analyze(&args);
        let costs: Vec<Option<u64>> = results(&findings).iter().map(|result| result["cost"].as_u64()).collect();
        assert!(costs.iter().all(Option::is_some), "{strategy} {effort}: {costs:?}");
        let ended = results(&findings).iter().filter(|result| result["at_least"] == false);
        let ended: Vec<u64> = ended.filter_map(|result| result["cost"].as_u64()).collect();
        assert!(ended.is_sorted(), "{strategy} {effort}: {costs:?}");
        // Those that were cut cost more than any that ended.
        assert!(costs.last() >= Some(&ended.last().copied()), "{strategy} {effort}: {costs:?}");
    }
}

#[test]
fn floats_that_are_no_whole_numbers_are_tried_at_every_size() {
    let directory = scratch();
    let source = "double root(const double *x, int n) { double r = x[0]; if (!(r > 0)) return 0; double g = r;
        for (int i = 0; i < 40 * n; i++) { double h = (g + r / g) / 2; if (h == g) break; g = h; } return g; }";
    let file = write(&directory, "root.c", source);
    let findings = analyze(&[&file, "--call", "root(x: f64[1], n)", "--sizes", "1,2,8,64,256", "--effort", "1e8"]);
    let costs = column(&findings, "cost");
    // Infinity divided by itself is no number, and no number is equal to itself: every round is made.
    assert!(costs.windows(2).all(|two| two[0] < two[1]), "{costs:?}");
    assert!(costs[4] > 200 * costs[0] / 2, "{costs:?}");
}

#[test]
fn keys_that_collide_are_found() {
    // Of every kind of key and table one; the others are for measurements.
    let wanted = [
        ("chained_murmur", "2e8"),
        ("probed_split_mix", "2e8"),
        ("chained_fnv", "6e8"),
        ("count_words", "2e8"),
        ("maps::count_fx", "6e8"),
    ];
    for mut program in programs("hashes") {
        let Some((_, effort)) = wanted.iter().find(|(name, _)| program.entry[1].starts_with(name)) else { continue };
        program.known.retain(|(size, _)| *size == 32);
        program.sizes = Some("32".to_owned());
        let (overclaimed, least) = program.compare(&program.analyze(effort));
        assert_eq!(overclaimed, Vec::<String>::new());
        assert!(least >= 0.9, "{}: {least}", program.entry[1]);
    }
}

#[test]
fn keys_that_collide_are_looked_for_anew_beyond_the_sizes() {
    // Stretched, the worst keys of 64 are half of those of 128, and the growth is that of a table whose places are well filled.
    let file = program("hashes/words.c");
    let findings =
        analyze(&[&file, "--call", "chained_murmur(keys: u32[n], n)", "--sizes", "16,32,64", "--effort", "3e9"]);
    assert_eq!(findings["fit"]["class"], "n^2", "{}", findings["fit"]);
}

#[test]
fn two_keys_of_four_letters_in_five_buckets_are_explored_to_the_end() {
    for function in ["insert_31", "insert_fnv"] {
        let call = format!("{function}(keys: u8[4*n] in 'a'..='z', n)");
        let file = program("hashes/letters.c");
        let strategy = ["--strategy", "exhaustive", "--effort", "1e9"];
        let findings = analyze(&[&[&file, "--call", &call, "--sizes", "1,2,3"], &strategy[..]].concat());
        assert_eq!(column(&findings, "cost"), [309, 595, 998], "{function}");
        assert!(results(&findings).iter().all(|result| result["confidence"] == "exact"), "{function}");
    }
}

#[test]
fn of_tables_of_thousands_of_cells_every_class_of_cells_is_followed() {
    let file = program("large_tables.c");
    // As many paths as there are ways to put so many keys into buckets that are all alike.
    for call in ["buckets(keys: u32[n], n)", "visits(places: u16[n], n)"] {
        let args = [&file, "--call", call, "--sizes", "2,3,4", "--strategy", "exhaustive", "--effort", "3e8"];
        let findings = analyze(&args);
        assert_eq!(column(&findings, "paths"), [2, 5, 15], "{call}");
        assert!(findings["limits"].to_string().contains("cells that hold the same"), "{call}");
    }
}

#[test]
fn what_libraries_ask_of_bytes_and_of_flags_takes_no_z3() {
    let file = program("libraries.c");
    for (call, size) in
        [("lengths(text: cstr[n], n)", "16"), ("sorts(a: i32[n], n)", "5"), ("classes(text: u8[n], n)", "6")]
    {
        let args = [&file, "--call", call, "--sizes", size, "--strategy", "exhaustive", "--effort", "3e8"];
        let findings = analyze(&args);
        let result = &results(&findings)[0];
        assert_eq!((&result["complete"], &result["smt_queries"]), (&true.into(), &0.into()), "{call}");
    }
    // Sizes asked from the allocator: none, one for each number of bits, and the greatest.
    let args = [&file, "--call", "buffers(sizes: u8[n] in 0..=100, n)", "--sizes", "1", "--strategy", "exhaustive"];
    assert_eq!(column(&analyze(&[&args[..], &["--effort", "3e8"]].concat()), "paths"), [9]);
}

#[test]
fn conditions_that_z3_is_asked_about_are_named_by_line_and_kind() {
    let directory = scratch();
    let source = "int f(const unsigned *a, int n) {
        int found = 0;
        for (int i = 0; i + 1 < n; i++)
            if ((a[i] * a[i + 1] ^ a[i] / 7) * (a[i] | 5) == 0x12345677u + a[i + 1] % 1000)
                found++;
        return found; }";
    let file = write(&directory, "products.c", source);
    let args = [&file, "--call", "f(a: u32[n], n)", "--sizes", "3", "--strategy", "exhaustive", "--effort", "1e8"];
    let findings = analyze(&[&args[..], &["--stats"]].concat());
    let hard = findings["stats"]["hard"].to_string();
    let limits = findings["limits"].to_string();
    assert!((hard + &limits).contains("products.c:4 (products of inputs"), "{limits}");
}
