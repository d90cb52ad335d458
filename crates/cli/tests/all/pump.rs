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
        // What explodes is followed to more sizes before it is said to.
        let effort = if parser.class == "exponential" { "4e8" } else { EFFORT };
        let findings = parser.analyze("pump", effort, &[]);
        let largest = results(&findings).last().expect("a result");
        let (cost, bad) = (largest["cost"].as_u64().unwrap_or(0), parser.bad_cost(largest));
        let class = findings["fit"]["class"].as_str().unwrap_or("none");
        // Of what explodes, a few sizes may show no more than that no small power of n bounds it.
        let at_least = findings["fit"]["verdict"] == "at least" && parser.class == "exponential";
        let right = class == parser.class || at_least;
        let law = &findings["input_law"]["inputs"][0];
        let shown = law["law"].as_str().is_some_and(|law| law.contains("repeated") || law.contains("k times"));
        let typed = law["pattern"]["unit"].as_array().is_some_and(|unit| !unit.is_empty());
        if cost < bad || !right || !shown || !typed || largest["found_by"] != "pump" {
            wrong.push(format!("{}: {cost} of {bad}, {class}, {law}, {}", parser.file, largest["found_by"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn auto_finds_patterns_too() {
    for parser in
        parsers().into_iter().filter(|parser| ["paths.c", "csv.c"].iter().any(|name| parser.file.ends_with(name)))
    {
        let parser = Parser { sizes: "64,256".into(), ..parser };
        let findings = parser.analyze("auto", "5e8", &[]);
        let largest = results(&findings).last().expect("a result");
        let (cost, bad) = (largest["cost"].as_u64().unwrap_or(0), parser.bad_cost(largest));
        assert!(cost >= bad, "{}: {cost} of {bad}", parser.file);
    }
}

#[test]
fn by_effort_patterns_are_the_same_whatever_the_jobs() {
    let brackets = program("pump/brackets.c");
    let jobs = |jobs: &str| {
        let args = [&brackets, "--call", "brackets(s: u8[n], n)", "--strategy", "pump", "--sizes", "16,64,100"];
        without_measurements(analyze(&[&args[..], &["--effort", "3e7", "--jobs", jobs]].concat()))
    };
    assert_eq!(jobs("1"), jobs("3"));
}

#[test]
fn numbers_rise_and_fall_in_steps() {
    let args = [&program("isort.c"), "--call", "isort(a: i32[n], n)", "--strategy", "pump", "--sizes", "16,64,256"];
    let findings = analyze(&[&args[..], &["--effort", "1e8"]].concat());
    assert_eq!(findings["input_law"]["inputs"][0]["law"], "a = 0 repeated, each time 1 less");
    assert_eq!(findings["input_law"]["inputs"][0]["pattern"], serde_json::json!({"unit": [0], "step": -1}));
    let worst = |n: u64| 15 * n * n + 30 * n - 33;
    assert_eq!(column(&findings, "cost"), [16, 64, 256].map(worst));
}

/// What opens, an even number of letters long, is walked through by each that closes; whatever is neither begins anew.
const NESTED: &str = "int nested(const unsigned char *s, int n) {
    int work = 0, open = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        if (s[i] == '<' && s[i + 1] == '!') {
            open++;
        } else if (s[i] == '!' && s[i + 1] == '>') {
            for (int k = 0; k < open; k++)
                work += k;
        } else {
            open = 0;
        }
    }
    return work;
}
";

#[test]
fn what_opens_is_not_cut_before_what_closes_at_odd_sizes() {
    let directory = scratch();
    let file = write(&directory, "nested.c", NESTED);
    let args =
        [&file, "--call", "nested(s: u8[n], n)", "--strategy", "pump", "--sizes", "256,257,259", "--effort", "3e8"];
    let costs = column(&analyze(&args), "cost");
    assert!(costs.iter().all(|cost| cost * 10 >= costs[0] * 9), "{costs:?}");
}

#[test]
fn steps_are_those_that_the_program_names() {
    let directory = scratch();
    let source = "int rises(const int *a, int n) { int work = 0, run = 0;
        for (int i = 1; i < n; i++) { run = a[i] == a[i - 1] + 37 ? run + 1 : 0; for (int k = 0; k < run; k++) work += k; }
        return work; }";
    let file = write(&directory, "rises.c", source);
    let args =
        [&file, "--call", "rises(a: i32[n], n)", "--strategy", "pump", "--sizes", "64,128,256,512", "--effort", "1e8"];
    let findings = analyze(&args);
    assert_eq!(findings["fit"]["class"], "n^2", "{} {}", findings["fit"], findings["input_law"]);
    let law = findings["input_law"].to_string();
    assert!(law.contains("each time 37 more"), "{law}");
}

#[test]
fn values_stay_within_what_is_declared() {
    let call = "isort(a: i32[n] in 5..=9, n)";
    let args = [&program("isort.c"), "--call", call, "--strategy", "pump", "--sizes", "16,64", "--effort", "5e7"];
    let findings = analyze(&args);
    for result in results(&findings) {
        let values = result["input"]["a"].as_array().expect("an array");
        assert!(values.iter().all(|value| (5..=9).contains(&value.as_i64().unwrap_or(0))), "{result}");
    }
}

#[test]
fn what_has_no_array_that_grows_has_no_patterns_but_a_result() {
    let directory = scratch();
    let file =
        write(&directory, "sum.c", "int sum(int a, int b) { int s = 0; while (a > 0 && a < b) a++, s++; return s; }");
    let findings = analyze(&[&file, "--call", "sum(a: i32 in 0..=9, b: i32 in 0..=9)", "--strategy", "pump"]);
    assert!(findings["limits"].to_string().contains("no array is known that grows with n"), "{}", findings["limits"]);
    assert!(findings["input_law"].is_null() && results(&findings)[0]["cost"].as_u64().is_some());
}

/// Reads `{key:1,key:1}` or gives up at the first mistake; only when it is closed are all keys compared, and two that are the same are a mistake too.
const RECORD: &str = "static int is_letter(unsigned char c) { return c >= 'a' && c <= 'z'; }
int record(const unsigned char *s, int n) {
    static int from[65536], to[65536];
    int count = 0, i = 0;
    if (i >= n || s[i++] != '{') return -1;
    for (;;) {
        while (i < n && s[i] == ' ') i++;
        if (i >= n || !is_letter(s[i])) return -2;
        from[count] = i;
        while (i < n && is_letter(s[i])) i++;
        to[count++] = i;
        if (i >= n || s[i++] != ':') return -3;
        if (i >= n || s[i] < '0' || s[i++] > '9') return -4;
        while (i < n && s[i] == ' ') i++;
        if (i < n && s[i] == ',') { i++; continue; }
        if (i < n && s[i] == '}') break;
        return -5;
    }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            int length = to[a] - from[a], same = 0;
            if (length != to[b] - from[b]) continue;
            while (same < length && s[from[a] + same] == s[from[b] + same]) same++;
            if (same == length) return -6;
        }
    return count;
}
";

#[test]
fn constructs_that_have_to_be_closed_are_found_letter_by_letter() {
    let directory = scratch();
    let file = write(&directory, "record.c", RECORD);
    let call = "record(s: u8[n], n)";
    let args = [&file, "--call", call, "--strategy", "pump", "--sizes", "256,512,1024", "--effort", "3e8"];
    let findings = analyze(&args);
    // By hand: keys that differ, and as many spaces as it takes.
    let mut text = String::from("{zz:1");
    let keys = (b'a'..=b'z').flat_map(|a| (b'a'..=b'z').map(move |b| format!("{}{}", char::from(a), char::from(b))));
    for key in keys.take_while(|key| key != "zz") {
        if text.len() + 6 > 1024 {
            break;
        }
        text.push_str(&format!(",{key}:1"));
    }
    let text = format!("{text:<1023}}}");
    let input = serde_json::json!({ "s": text.bytes().collect::<Vec<u8>>() }).to_string();
    let bad = json(&["run", &file, "--call", call, "--size", "1024", "--input", &input]);
    let (found, bad) = (column(&findings, "cost")[2], bad["costs"]["instructions"].as_u64().unwrap());
    assert!(found * 10 >= bad * 8, "{found} of {bad}: {}", findings["input_law"]);
    assert_eq!(findings["fit"]["class"], "n^2", "{}", findings["fit"]);
}

/// Looks for a word that it names nowhere, and reads all that comes after it.
const HIDDEN: &str = "int hidden(const unsigned char *s, int n) {
    int sum = 0;
    for (int i = 0; i + 4 <= n; i++) {
        unsigned hash = 0;
        for (int k = 0; k < 4; k++)
            hash = hash * 16777619u ^ s[i + k];
        if (hash == HASHu)
            for (int k = i; k < n; k++)
                sum += s[k];
    }
    return sum;
}
";

#[test]
fn words_of_a_dictionary_are_used_by_patterns_and_by_evolution() {
    let directory = scratch();
    let hash = b"&lt;".iter().fold(0u32, |hash, byte| hash.wrapping_mul(16_777_619) ^ u32::from(*byte));
    let file = write(&directory, "hidden.c", HIDDEN.replace("HASH", &hash.to_string()));
    let words = write(&directory, "words.dict", "# entities\nless=\"&lt\\x3b\"\n");
    for strategy in ["pump", "mutate"] {
        let cost = |more: &[&str]| {
            let args = [&file, "--call", "hidden(s: u8[n], n)", "--sizes", "64", "--effort", "3e7"];
            column(&analyze(&[&args[..], &["--strategy", strategy], more].concat()), "cost")[0]
        };
        let (without, with) = (cost(&[]), cost(&["--dictionary", &words]));
        assert!(with > without + without / 10, "{strategy}: {without} and {with}");
    }
}

#[test]
fn a_dictionary_that_cannot_be_read_names_its_line() {
    let directory = scratch();
    let file = write(&directory, "hidden.c", HIDDEN.replace("HASH", "1"));
    let words = write(&directory, "words.dict", "good=\"a\"\nbad\n");
    let with =
        |words: &str| -> Ran { run(&["analyze", &file, "--call", "hidden(s: u8[n], n)", "--dictionary", words]) };
    let ran = with(&words);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("words.dict: line 2:"), "{}", ran.stderr);
    assert_eq!(with("no/such/file.dict").code, 2);
}
