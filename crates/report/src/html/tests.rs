//! What the whole page promises.

use serde_json::{Map, json};
use slowpath_fit::{Candidate, Class, Known, Verdict};

use super::page;
use crate::findings::{
    AverageCost, Compilation, Confidence, Cut, Findings, HotLine, LayerWork, ModuleIdentity, SCHEMA, Settings,
    SizeResult, SolverWork, TargetInfo, TrapReport,
};
use crate::growth::{GrowthReport, PredictedCost};
use crate::input_law::{InputFormula, InputLawReport};
use crate::policy::{LearnedPolicy, PolicyReport, PolicyRule};
use crate::source_text::{SourceFile, SourceText};
use crate::synthesis::SynthesisReport;
use crate::tree::{Tree, TreePath, TreeSite};

const SCRIPT: &str = "</script><script>alert(1)</script>";
const IMAGE: &str = "\"><img src=x onerror=alert(2)>";

fn result(size: i64) -> SizeResult {
    SizeResult {
        path_count: None,
        size,
        cost: Some(size.unsigned_abs() * 10),
        at_least: false,
        costs: Map::new(),
        paths: 1,
        worst_paths: 1,
        complete: true,
        solver_queries: 0,
        smt_queries: 0,
        seconds: 0.5,
        confidence: Confidence::Exact,
        found_by: None,
        input: None,
        trap: None,
        verified: true,
        average: None,
        traps: Vec::new(),
        cut: None,
        stopped: None,
        hot_lines: Vec::new(),
    }
}

fn bare() -> Findings {
    Findings {
        schema: SCHEMA,
        slowpath: "0.0.0".to_owned(),
        target: TargetInfo {
            file: "f.c".to_owned(),
            function: "f".to_owned(),
            call: None,
            harness: Some("f".to_owned()),
            compilation: Compilation { mode: "as given".to_owned(), optimize: None, cflags: Vec::new() },
            options: Default::default(),
            module: ModuleIdentity::of(&[]),
            notes: Vec::new(),
        },
        strategy: "auto".to_owned(),
        cost_model: "instructions".to_owned(),
        settings: Settings {
            seed: 0,
            solver: "layered".to_owned(),
            solver_timeout_ms: 1,
            budget_seconds: 1.0,
            effort: None,
            max_paths: None,
            max_instructions: 1,
            max_depth: 1,
            max_memory: 1,
            max_cells: 1,
            max_select_depth: 1,
        },
        results: Vec::new(),
        policy: None,
        input_law: None,
        synthesis: None,
        fit: None,
        limits: Vec::new(),
        source: None,
        trees: Vec::new(),
        flame: None,
        spent: None,
        stats: None,
    }
}

/// A document with every part, and `text` wherever a program or a document can put one.
fn full(text: &str) -> Findings {
    let t = || text.to_owned();
    let mut findings = bare();
    findings.slowpath = t();
    findings.target = TargetInfo {
        file: t(),
        function: t(),
        call: Some(format!("{text}(a: i32[n], n)")),
        harness: None,
        compilation: Compilation { mode: t(), optimize: Some(vec![t()]), cflags: vec![t()] },
        options: Default::default(),
        module: ModuleIdentity { bytes: 1, fnv1a: t() },
        notes: vec![t()],
    };
    (findings.strategy, findings.cost_model, findings.settings.solver) = (t(), t(), t());
    let mut worst = result(3);
    worst.costs.insert(t(), json!(text));
    worst.input = Some(json!({text: [2, 1, text], "b": text}));
    worst.trap = Some(t());
    worst.confidence = Confidence::Validated;
    worst.average = Some(AverageCost { runs: 2, mean: 1.5, least: 1, most: 2, discarded: 0 });
    worst.traps = vec![TrapReport {
        trap: t(),
        place: Some(t()),
        paths: 1,
        inputs: vec![json!({text: text})],
        messages: vec![t()],
        verified: false,
    }];
    worst.cut = Some(Cut { paths: 7, input: Some(json!({text: 1})) });
    let hot = |file: &str| HotLine {
        file: Some(file.to_owned()),
        line: Some(1),
        function: t(),
        count: 9,
        share: 0.5,
        branches: 9,
        taken: 4,
        not_taken: 5,
        text: Some(t()),
        own: false,
        inclusive: None,
        charged: None,
        calls: Vec::new(),
    };
    worst.hot_lines = vec![hot("a.c"), hot(text)];
    findings.source = Some(SourceText {
        files: vec![SourceFile { name: "a.c".to_owned(), text: format!("// {text}\n// {text}") }],
        omitted: vec![t()],
    });
    let path = |cost, side: &str| TreePath {
        cost,
        trap: Some(t()),
        sites: vec![0, 1],
        sides: vec![side.to_owned(), "true".to_owned()],
    };
    let site = TreeSite { place: t(), text: Some(t()) };
    findings.trees =
        vec![Tree { size: 2, sites: vec![site.clone(), site], paths: vec![path(5, text), path(6, "false")] }];
    let mut stopped = result(4);
    (stopped.stopped, stopped.found_by) = (Some(t()), Some(t()));
    findings.results = vec![worst, stopped];
    let explained = vec![t(), t(), format!("{text}: {text}")];
    findings.synthesis = Some(SynthesisReport { explained, ..SynthesisReport::default() });
    let best =
        LearnedPolicy { kind: t(), history: None, learned_at: (1, 2), validated_at: Vec::new(), deterministic: true };
    findings.policy = Some(PolicyReport {
        best,
        why: t(),
        explained: vec![t(), format!("{text}:1 '{text}': {text}")],
        rules: vec![PolicyRule { place: "a.c:2".to_owned(), quoted: None, rule: t() }],
        alternatives: Vec::new(),
    });
    let formula = InputFormula { name: t(), law: t(), length: t(), c: t(), rust: t(), pattern: None };
    findings.input_law = Some(InputLawReport { inputs: vec![formula], ..InputLawReport::default() });
    let predicted = |size, value, low, high| PredictedCost { size, value, low, high: Some(high) };
    findings.fit = Some(GrowthReport {
        verdict: Verdict::Fitted,
        class: Some(Class::QUADRATIC),
        formula: t(),
        exact: false,
        from: 1,
        checked_on: vec![3, 4],
        r2: 0.5,
        aicc: 0.0,
        candidates: vec![Candidate { class: Class::LINEAR, formula: t(), r2: 1.0, aicc: 2.0, held_out_error: 0.1 }],
        why: t(),
        predictions: vec![predicted(3, 30.0, 29.0, 31.0), predicted(900, 9000.2, 8000.0, 9999.0)],
    });
    findings.limits = vec![t()];
    let layers = vec![LayerWork { name: t(), ..LayerWork::default() }];
    findings.stats = Some(SolverWork { layers, ..SolverWork::default() });
    findings
}

/// The data of the plot, which has quotes of its own.
fn data(page: &str) -> &str {
    let start = page.find("id=\"plot-data\">").unwrap() + "id=\"plot-data\">".len();
    let end = page[start..].find("</script>").unwrap();
    &page[start..start + end]
}

fn without_data(page: &str) -> String {
    page.replace(data(page), "")
}

#[test]
fn nothing_a_program_is_called_becomes_markup() {
    // Attributes stand in double quotes, so these three are all that could begin or end anything.
    let count = |page: &str| ['<', '>', '"'].map(|mark| without_data(page).matches(mark).count());
    let plain = count(&page(&full("plain")));
    for hostile in [SCRIPT, IMAGE, "' onmouseover='alert(3)", "<!--", "]]>", "&lt;b&gt;"] {
        let page = page(&full(hostile));
        assert_eq!(count(&page), plain, "{hostile}");
        assert!(!data(&page).contains(['<', '>', '&']), "{hostile}");
        assert!(data(&page).starts_with('{') && data(&page).ends_with('}'), "{hostile}");
    }
    let page = page(&full(IMAGE));
    assert!(page.contains("&quot;&gt;&lt;img src=x onerror=alert(2)&gt;"));
}

#[test]
fn every_size_appears() {
    let mut findings = bare();
    findings.results = (1..=300).map(|n| result(n * 7)).collect();
    findings.results[5].cost = None;
    let page = page(&findings);
    for n in 1..=300 {
        assert!(page.contains(&format!("href=\"#input-{0}\">{0}</a>", n * 7)), "size {}", n * 7);
    }
}

#[test]
fn a_cost_that_was_cut_is_a_bound_from_below() {
    let mut findings = bare();
    findings.results = vec![result(3)];
    assert!(!page(&findings).contains("found by"));
    let cut = &mut findings.results[0];
    (cut.at_least, cut.found_by, cut.input) = (true, Some("concrete evolution".to_owned()), Some(json!({"a": 1})));
    let page = page(&findings);
    assert_eq!(page.matches("&gt; 30").count(), 3, "tile, table and input");
    assert!(data(&page).contains("worst cost \\u003e 30"), "{}", data(&page));
    assert!(page.contains("concrete evolution</td>"));
}

#[test]
fn a_page_loads_nothing() {
    let page = page(&full("plain"));
    for scheme in ["http:", "https:", "//cdn", "src=", "@import", "<link"] {
        assert!(!page.contains(scheme), "{scheme}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("unsafe-inline"));
    // The policy allows no style attributes either.
    assert!(!page.contains(" style="));
}

#[test]
fn what_is_optional_may_be_missing() {
    let empty = page(&bare());
    assert!(empty.contains("No size was analysed"));
    for part in ["growth", "law", "source", "policy", "synthesis", "tree", "input-law", "inputs", "traps", "solver"] {
        let part = &format!("<section id=\"{part}\">");
        assert!(!empty.contains(part), "{part}");
        assert!(page(&full("plain")).contains(part), "{part}");
        assert!(page(&full("plain")).contains(&part.replace("<section id=\"", "<a href=\"#")), "{part}");
    }
    let mut odd = bare();
    odd.results = vec![result(1)];
}

#[test]
fn predictions_are_those_past_the_largest_size() {
    let page = page(&full("plain"));
    let law = &page[page.find("id=\"law\"").unwrap()..page.find("id=\"policy\"").unwrap()];
    assert!(law.contains("9,000") && law.contains("8,000 and 9,999"), "{law}");
    assert!(!law.contains("29 and 31"), "{law}");
}

#[test]
fn a_law_is_shown_with_its_verdict() {
    let square = |n: u64| (n, 3 * n * n + 7);
    let exact: Vec<(u64, u64)> = (1..12).chain([24, 48]).map(square).collect();
    // Wobbling, so that no closed form is exact.
    let rough: Vec<(u64, u64)> = (1..40).map(|n| (n * 5, 75 * n * n + (n * 7919) % 11)).collect();
    let found: Vec<(u64, u64)> = (0..11).map(|k| square(1 << k)).collect();
    for known in [
        Known { exact, ..Known::default() },
        Known { exact: rough, ..Known::default() },
        Known { found, ..Known::default() },
    ] {
        let law = GrowthReport::new(&slowpath_fit::growth(&known), [8, 4096]);
        assert_eq!(law.class, Some(Class::QUADRATIC), "{}", law.why);
        let mut findings = bare();
        findings.results =
            [&known.exact[..], &known.found[..]].concat().iter().map(|(n, _)| result(*n as i64)).collect();
        findings.fit = Some(law.clone());
        let page = page(&findings);
        let at_least = if law.verdict == Verdict::AtLeast { "at least " } else { "" };
        let shown = format!("<strong>{at_least}n^2</strong>: <code>{}</code>", law.formula);
        assert!(page.contains(&shown) && page.contains(&format!("<dd>{}: ", law.verdict)), "{shown}");
        assert!(page.contains("Prediction at larger sizes"));
        assert_eq!(page.contains("no less than that"), law.verdict == Verdict::AtLeast);
        assert_eq!(page.contains("Laws that were compared"), !law.candidates.is_empty());
    }
}

#[test]
fn an_input_too_long_for_the_page_is_left_in_the_document() {
    let mut findings = bare();
    findings.results = vec![result(1), result(2)];
    findings.results[0].input = Some(json!({"a": vec![7; 200_000]}));
    findings.results[1].input = Some(json!({"a": vec![7; 200]}));
    let page = page(&findings);
    assert!(page.contains("too long for a page") && page.len() < 100_000);
    assert!(page.contains("{&quot;a&quot;:[7,7,"));
}
