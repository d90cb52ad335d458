//! The page in a browser: what a reader clicks, hovers and prints, and what a hostile program tries.

mod chromium;

use chromium::Browser;
use serde_json::{Value, json};
use slowpath_report::{
    Beside, Findings, Flame, FlameFrame, IndexEntry, InputFormula, InputLawReport, NativeTimes, PolicyRule, SourceFile,
    compare, from_json, html, html_beside, html_index,
};

/// A document of slowpath itself: insertion sort at sizes 1 to 8, 12 and 16.
const ISORT: &str = include_str!("data/isort.json");

fn document() -> Findings {
    from_json(ISORT).expect("a findings document")
}

fn opened(findings: &Findings) -> Browser {
    let mut browser = Browser::start();
    browser.open(&html(findings));
    browser
}

fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let found = browser.eval(&format!("[...document.querySelectorAll({selector:?})].map((e) => e.textContent)"));
    found.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number: {value}"))
}

const LABELS: &str = "#plot svg > text";

#[test]
fn the_log_switch_changes_the_axes() {
    let mut browser = opened(&document());
    let linear = texts(&mut browser, LABELS);
    assert!(linear.contains(&"0".to_owned()) && linear.contains(&"4,000".to_owned()), "{linear:?}");
    browser.click("[data-scale=log]", 0);
    let log = texts(&mut browser, LABELS);
    assert!(
        !log.contains(&"0".to_owned()) && ["1", "10", "100", "1,000"].iter().all(|l| log.contains(&(*l).to_owned())),
        "{log:?}"
    );
    assert_eq!(browser.eval("document.querySelector('[data-scale=log]').ariaPressed"), "true");
    assert_eq!(browser.eval("document.querySelector('[data-scale=linear]').ariaPressed"), "false");
    browser.click("[data-scale=linear]", 0);
    assert_eq!(texts(&mut browser, LABELS), linear);
}

#[test]
fn a_point_says_what_it_is_when_hovered() {
    let mut browser = opened(&document());
    browser.screen(1600, 900, false);
    browser.settle();
    for (kind, index, words) in [
        ("exact", 5, ["size 6", "worst cost 687", "exact, verified"]),
        ("validated", 1, ["size 16", "worst cost 4,287", "validated, verified"]),
        ("average", 9, ["size 16", "average", "random inputs"]),
    ] {
        browser.hover(&format!("#plot svg .point.{kind}"), index);
        let tip = browser.eval("document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText");
        let tip = tip.as_str().unwrap_or_default();
        assert!(words.iter().all(|word| tip.contains(word)), "{kind}: {tip}");
    }
    browser.mouse("mouseMoved", (2.0, 2.0));
    browser.settle();
    assert_eq!(browser.eval("document.getElementById('tip').hidden"), true);
}

#[test]
fn a_drag_zooms_and_reset_shows_all_again() {
    let mut browser = opened(&document());
    let points = |browser: &mut Browser| number(&browser.eval("document.querySelectorAll('#plot svg .point').length"));
    let all = points(&mut browser);
    let (x, y) = browser.middle("#plot svg", 0);
    browser.mouse("mousePressed", (x, y));
    browser.mouse("mouseMoved", (x + 150.0, y));
    browser.mouse("mouseReleased", (x + 300.0, y));
    browser.settle();
    let fewer = points(&mut browser);
    assert!(fewer > 0.0 && fewer < all, "{fewer} of {all}");
    browser.click("[data-reset]", 0);
    assert_eq!(points(&mut browser), all);
    browser.click("[data-zoom='0.5']", 0);
    assert!(points(&mut browser) < all);
    browser.click("[data-zoom='2']", 0);
    assert_eq!(points(&mut browser), all);
    // What lies ahead comes into view.
    browser.click("[data-ahead]", 0);
    assert_eq!(points(&mut browser), all + 3.0);
}

#[test]
fn the_tree_opens_by_mouse_and_by_keyboard() {
    let mut browser = opened(&document());
    // Those of smaller sizes are closed at first.
    let drawn = "[...document.querySelectorAll('svg.tree')].filter((e) => e.checkVisibility()).length";
    assert_eq!(browser.eval(drawn), 1);
    browser.click(".one-tree:not([open]) > summary", 0);
    assert_eq!(browser.eval(drawn), 2);
    browser.click(".one-tree[open] > summary", 0);
    assert_eq!(browser.eval("document.querySelectorAll('.one-tree[open] svg.tree .end').length"), 24);
    assert_eq!(browser.eval("document.querySelectorAll('.one-tree[open] svg.tree .end.worst').length"), 1);
    let seen =
        "[...document.querySelectorAll('.outline .end, .outline .branch')].filter((e) => e.checkVisibility()).length";
    let all = number(&browser.eval("document.querySelectorAll('.outline .end, .outline .branch').length"));
    assert_eq!(browser.eval(seen), 0);
    browser.click(".one-tree[open] .outline > summary", 0);
    // The way to the worst is open already, and it alone.
    let at_first = number(&browser.eval(seen));
    assert!(at_first > 1.0 && at_first < all, "{at_first} of {all}");
    assert_eq!(browser.eval("document.querySelector('.one-tree[open] .outline .end.worst').checkVisibility()"), true);
    browser.click(".one-tree[open] .branch:not([open]) > summary", 0);
    let clicked = number(&browser.eval(seen));
    assert!(clicked > at_first, "{clicked}");
    browser.eval("document.querySelector('.one-tree[open] .branch:not([open]) > summary').focus()");
    browser.key("Enter");
    assert!(number(&browser.eval(seen)) > clicked);
}

#[test]
fn the_source_shows_heat_and_policy() {
    let mut browser = opened(&document());
    let hottest = texts(&mut browser, "table.code tr.h8");
    assert!(
        hottest.iter().any(|row| row.contains("while (j > 0") && row.contains("policy: a[j - 1] > x always true")),
        "{hottest:?}"
    );
    let shades = browser.eval(
        "['h1', 'h4', 'h8'].map((c) => { const e = document.querySelector('.heat-key .' + c);
            return Number(getComputedStyle(e).backgroundColor.split('/').pop().replace(/[^0-9.]*([0-9.]+)\\)$/, '$1').split(',').pop()); })",
    );
    assert!(number(&shades[0]) < number(&shades[1]) && number(&shades[1]) < number(&shades[2]), "{shades}");
}

/// Every text of a document that a program or its author chooses, replaced.
fn hostile(text: &str) -> Findings {
    let mut findings = document();
    let t = || text.to_owned();
    let target = &mut findings.target;
    (target.file, target.function) = (t(), t());
    target.call = Some(format!("\"{text}\"(a: i32[n], n)"));
    target.notes = vec![t()];
    findings.cost_model = t();
    findings.limits = vec![t()];
    let policy = findings.policy.as_mut().expect("the document has a policy");
    (policy.why, policy.explained) = (t(), vec![t()]);
    policy.rules = vec![PolicyRule { place: format!("{text}:1"), quoted: None, rule: t() }];
    let formula = InputFormula { name: t(), law: t(), length: t(), c: t(), rust: t(), pattern: None };
    findings.input_law = Some(InputLawReport { inputs: vec![formula], ..InputLawReport::default() });
    if let Some(source) = &mut findings.source {
        source.files = vec![SourceFile { name: t(), text: format!("{text}\n\"{text}\" /* {text}") }];
        source.omitted = vec![t()];
    }
    for tree in &mut findings.trees {
        tree.sites.iter_mut().for_each(|site| (site.place, site.text) = (t(), Some(t())));
        tree.paths.iter_mut().for_each(|path| path.trap = Some(t()));
    }
    for result in &mut findings.results {
        result.input = Some(json!({text: [3, 2, 1], "b": text}));
        for line in &mut result.hot_lines {
            (line.file, line.line, line.function, line.text) = (Some(t()), Some(1), t(), Some(t()));
        }
    }
    findings
}

#[test]
fn what_a_hostile_program_is_called_is_shown_as_text() {
    let mut browser = Browser::start();
    for name in [
        "<img src=x onerror=\"window.owned=1;alert(1)\">.c",
        "\"></script><script>window.owned=2</script>",
        "'-alert(3)-'</style><svg onload=window.owned=3>",
        "javascript:window.owned=4//<a href=\"javascript:window.owned=4\">x</a>",
    ] {
        browser.open(&html(&hostile(name)));
        for index in 0..3 {
            browser.hover("#plot svg .point", index);
        }
        browser.click(".one-tree[open] .outline > summary", 0);
        browser.click("[data-scale=log]", 0);
        let shown = browser.eval("document.body.innerText");
        let shown = shown.as_str().unwrap_or_default();
        assert!(shown.matches(name).count() >= 8, "{name} is not shown as it is");
        assert!(texts(&mut browser, "h1").concat().contains(name));
        assert_eq!(browser.eval("window.owned ?? null"), Value::Null, "{name}");
        // Ours: two scripts and the data of the plot; one style; no picture, no link but to places of the page.
        let strangers = "[document.scripts.length - 3, document.querySelectorAll('style').length - 1,
            document.querySelectorAll('img, iframe, object, embed, form, link, base').length,
            [...document.links].filter((a) => !a.getAttribute('href').startsWith('#')).length,
            [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length]";
        assert_eq!(browser.eval(strangers), json!([0, 0, 0, 0, 0]), "{name}");
    }
    assert!(browser.said("Page.javascriptDialogOpening").is_empty());
    quiet(&browser);
}

/// Nothing was loaded but the page, no script failed, and the content security policy had nothing to forbid.
fn quiet(browser: &Browser) {
    for request in browser.said("Network.requestWillBeSent") {
        let url = request["request"]["url"].as_str().unwrap_or_default();
        assert!(url.starts_with("file://") && url.ends_with("/report.html"), "{url}");
    }
    assert!(browser.said("Runtime.exceptionThrown").is_empty(), "{:?}", browser.said("Runtime.exceptionThrown"));
    assert!(browser.said("Log.entryAdded").is_empty(), "{:?}", browser.said("Log.entryAdded"));
}

#[test]
fn inputs_can_be_copied() {
    let mut browser = opened(&document());
    let last = number(&browser.eval("document.querySelectorAll('.copy').length")) as usize - 1;
    browser.click(".copy button", last);
    let said = browser.eval(&format!("document.querySelectorAll('.copy button')[{last}].textContent"));
    assert!(said == "copied" || said == "selected", "{said}");
    quiet(&browser);
}

#[test]
fn a_phone_needs_no_sideways_scrolling() {
    let mut browser = Browser::start();
    browser.screen(360, 740, true);
    let long = hostile(&"averylongname".repeat(30));
    for findings in [document(), long] {
        browser.open(&html(&findings));
        browser.eval("for (const part of document.querySelectorAll('details')) part.open = true");
        browser.settle();
        assert_eq!(browser.eval("document.documentElement.scrollWidth"), 360);
        // What is wider scrolls by itself, inside its card.
        let outside =
            "[...document.querySelectorAll('section > *')].filter((e) => e.getBoundingClientRect().right > 360).length";
        assert_eq!(browser.eval(outside), 0);
    }
    assert!(number(&browser.eval("document.querySelector('#plot svg').getBoundingClientRect().width")) > 250.0);
}

/// Of the least readable text on the page: how far it stands out from the card it is on, by the formula of the WCAG.
const CONTRAST: &str = "(() => {
    const parts = (color) => (color.match(/[0-9.]+/g) || []).map(Number);
    const light = (color) => {
        const [r, g, b] = parts(color).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let least = 99;
    const paper = light(getComputedStyle(document.querySelector('section')).backgroundColor);
    for (const e of document.querySelectorAll('section p, section td, section th, section dt, section code, section h2, .tile span')) {
        const ink = light(getComputedStyle(e).color);
        least = Math.min(least, (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05));
    }
    return [light(getComputedStyle(document.body).backgroundColor), least];
})()";

#[test]
fn the_page_is_readable_in_the_light_in_the_dark_and_on_paper() {
    let mut browser = opened(&document());
    for (media, dark, bright) in [("screen", false, true), ("screen", true, false), ("print", true, true)] {
        browser.media(media, dark);
        let found = browser.eval(CONTRAST);
        assert_eq!(number(&found[0]) > 0.5, bright, "{media}, dark {dark}: {found}");
        assert!(number(&found[1]) >= 4.5, "{media}, dark {dark}: {found}");
    }
    assert_eq!(browser.eval("document.querySelector('.tools').checkVisibility()"), false);
}

#[test]
fn what_is_closed_is_opened_for_the_printer() {
    let mut browser = opened(&document());
    browser.eval(
        "addEventListener('beforeprint', () => { window.closed_then = document.querySelectorAll('details:not([open])').length; })",
    );
    let closed = browser.eval("document.querySelectorAll('details:not([open])').length");
    assert!(number(&closed) > 0.0);
    let paper = browser.call("Page.printToPDF", json!({"printBackground": true}));
    assert!(paper["data"].as_str().is_some_and(|data| data.starts_with("JVBERi")), "not a PDF");
    assert_eq!(browser.eval("window.closed_then"), 0);
    assert_eq!(browser.eval("document.querySelectorAll('details:not([open])').length"), closed);
}

#[test]
fn the_first_screen_has_the_answer_in_the_light_and_in_the_dark() {
    let mut browser = Browser::start();
    for (width, height, mobile) in [(1280, 900, false), (390, 844, true)] {
        browser.screen(width, height, mobile);
        browser.open(&html(&document()));
        for dark in [false, true] {
            browser.media("screen", dark);
            browser.settle();
            let tops = browser.eval(
                "['.verdict', '.first .card:nth-child(1)', '.first .card:nth-child(2)', '.first .card:nth-child(3)']
                    .map((s) => document.querySelector(s).getBoundingClientRect().top)",
            );
            assert!(number(&tops[0]) < 250.0, "{width}: {tops}");
            if !mobile {
                assert!((1..4).all(|card| number(&tops[card]) < f64::from(height)), "{width}: {tops}");
            }
            assert_eq!(browser.eval("document.documentElement.scrollWidth"), width);
        }
    }
    let shown = texts(&mut browser, ".verdict, .first").concat();
    for words in ["O(n²) · worst 4,287 at n = 16", "Guilty line: isort.c:10", "while (j > 0", "× the cost of a random"]
    {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    quiet(&browser);
}

#[test]
fn a_slider_goes_through_the_inputs() {
    let mut browser = opened(&document());
    let shown = "[...document.querySelectorAll('details.input')].filter((e) => e.checkVisibility()).map((e) => e.id)";
    assert_eq!(browser.eval(shown), json!(["input-16"]));
    browser.eval(
        "(() => { const s = document.querySelector('.slider input'); s.value = 2; s.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(browser.eval(shown), json!(["input-3"]));
    browser.eval("document.querySelector('.slider input').focus()");
    browser.eval("location.hash = '#input-8'");
    browser.settle();
    assert_eq!(browser.eval(shown), json!(["input-8"]));
}

/// The document with a flame graph of three functions.
fn with_flame() -> Findings {
    let frame = |caller, function: &str, own, total| FlameFrame {
        caller,
        function: function.to_owned(),
        own,
        total,
        is_own: true,
    };
    let frames = vec![frame(None, "isort", 40, 100), frame(Some(0), "less", 40, 40), frame(Some(0), "swap", 20, 20)];
    Findings { flame: Some(Flame { size: 16, frames }), ..document() }
}

#[test]
fn slider_flame_graph_and_index_are_clicked_on_wide_and_narrow_screens_in_the_light_and_in_the_dark() {
    let findings = with_flame();
    let index =
        html_index(&[IndexEntry { name: "first".to_owned(), page: "first.html".to_owned(), findings: &findings }]);
    let mut browser = Browser::start();
    browser.put("first.html", &html(&findings));
    let inputs = "[...document.querySelectorAll('details.input')].map((e) => e.checkVisibility())";
    let chosen = "Number(document.querySelector('.slider input').value)";
    let bar = "document.querySelectorAll('.bar-of rect')[1].getBoundingClientRect().width";
    for (width, height, dark) in [(1280, 900, false), (1280, 900, true), (390, 844, false), (390, 844, true)] {
        browser.screen(width, height, width < 500);
        browser.media("screen", dark);
        browser.open(&index);
        assert_eq!(browser.eval("document.documentElement.scrollWidth"), width);
        browser.follow("#targets a", 0);
        assert!(texts(&mut browser, "h1")[0].starts_with("isort("));
        let last = number(&browser.eval(chosen));
        browser.click(".slider input", 0);
        let place = number(&browser.eval(chosen));
        assert!(0.0 < place && place < last, "a click in the middle of the slider is a size between: {place}");
        let shown: Vec<bool> = serde_json::from_value(browser.eval(inputs)).expect("one for each input");
        let is_chosen = |(at, is_shown): (usize, &bool)| *is_shown == (at == place as usize);
        assert!(shown.iter().enumerate().all(is_chosen), "{shown:?} at {place}");
        let before = number(&browser.eval(bar));
        browser.click(".bar-of rect", 1);
        assert!(number(&browser.eval(bar)) > 2.0 * before, "{width}");
    }
}

#[test]
fn a_bar_of_the_flame_graph_fills_the_width_when_clicked() {
    let mut browser = opened(&with_flame());
    let width = "(() => { const w = (e) => e.getBoundingClientRect().width;
        return Math.round(100 * w(document.querySelectorAll('.bar-of rect')[1]) / w(document.querySelector('svg.flame'))); })()";
    assert_eq!(browser.eval(width), 40);
    browser.click(".bar-of rect", 1);
    assert_eq!(browser.eval(width), 100);
    assert_eq!(browser.eval("document.querySelectorAll('.bar-of')[2].checkVisibility()"), false);
    browser.click(".bar-of rect", 1);
    assert_eq!(browser.eval(width), 40);
    quiet(&browser);
}

#[test]
fn a_click_on_a_target_of_the_index_leads_to_its_page() {
    let (findings, mut other) = (document(), document());
    other.target.call = Some("other(a: i32[n], n)".to_owned());
    let entry = |name: &str, findings| IndexEntry { name: name.to_owned(), page: format!("{name}.html"), findings };
    let mut browser = Browser::start();
    browser.put("first.html", &html(&findings));
    browser.put("second.html", &html(&other));
    let index = html_index(&[entry("first", &findings), entry("second", &other)]);
    browser.open(&index);
    assert_eq!(texts(&mut browser, "#targets tbody tr").len(), 2);
    browser.follow("#targets a", 1);
    assert_eq!(texts(&mut browser, "h1"), ["other(a: i32[n], n)"]);
    browser.open(&index);
    browser.follow("#targets a", 0);
    assert!(texts(&mut browser, "h1")[0].starts_with("isort("));
}

#[test]
fn the_page_shows_what_changed_and_what_a_clock_said() {
    let (old, mut new) = (document(), document());
    if let Some(last) = new.results.last_mut() {
        last.cost = Some(9_000);
    }
    let native = json!({
        "target": {"function": "isort"}, "compiler": "cc -O2", "notes": ["<b>a note</b>"],
        "native": [{"size": 16, "by_law": false, "worst": {"nanoseconds": 900.0, "samples": 9}, "random": {"nanoseconds": 300.0, "samples": 9}, "slowdown": 3.0},
                   {"size": 64, "by_law": true, "worst": {"failed": "it did not end"}, "random": {"nanoseconds": 2e6, "samples": 9}, "slowdown": null}],
    });
    let native: NativeTimes = serde_json::from_value(native).expect("times");
    let beside = Beside { baseline: compare(&old, &new).ok(), native: Some(native) };
    let mut browser = Browser::start();
    browser.open(&html_beside(&new, &beside));
    assert!(texts(&mut browser, ".first").concat().contains("3.0× the time of a random input of size 16"));
    let rows = texts(&mut browser, "#change tbody tr");
    assert!(rows.last().is_some_and(|row| row == "164,2879,0002.10worse"), "{rows:?}");
    assert!(texts(&mut browser, "#native").concat().contains("<b>a note</b>"));
    browser.click("nav a[href='#change']", 0);
    assert_eq!(browser.eval("document.querySelector('#change').getBoundingClientRect().top < innerHeight"), true);
    quiet(&browser);
}
