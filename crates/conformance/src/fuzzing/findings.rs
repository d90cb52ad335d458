//! The findings document under any text: refused, or written and read again without a change, and shown in every form, in which nothing
//! acts on a terminal.

use slowpath_report::{Style, compare, from_json, html, human, is_active, next, to_json, value_to_json};

use crate::fuzzing::Target;

pub const TARGET: Target =
    Target { name: "findings", body, seeds, dictionary: include_str!("../../data/findings.dict") };

pub fn body(data: &[u8]) -> bool {
    let Ok(findings) = from_json(&String::from_utf8_lossy(data)) else { return false };
    let text = to_json(&findings);
    assert!(!text.contains(is_active), "the text acts on a terminal");
    let again = from_json(&text).expect("what was written can be read");
    assert_eq!(to_json(&again), text, "what was read is what was written");
    let plain = Style::default();
    assert!(!human(&findings, plain).contains(is_active), "the page of text acts on a terminal");
    assert!(!html(&findings).contains(is_active), "the page acts on a terminal");
    let _ = next(&findings, None, plain);
    if let Ok(comparison) = compare(&findings, &again) {
        let _ = (comparison.human(plain), value_to_json(&comparison.to_json()));
    }
    true
}

/// Documents of real analyses.
pub fn seeds() -> Vec<Vec<u8>> {
    vec![
        include_bytes!("../../data/findings-isort.json").to_vec(),
        include_bytes!("../../data/findings-traps.json").to_vec(),
    ]
}
