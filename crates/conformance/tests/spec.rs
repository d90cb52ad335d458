//! The official test suite passes, wherever it needs only what slowpath supports.

use slowpath_conformance::spec::{collections, print_table};
use slowpath_program::features;

/// Assertions of old proposals that a later part of the standard, which slowpath follows, has turned around. Each is a file, the
/// line of a directive, and what overruled it. They must fail: one that passes does not belong here. (The last group is about
/// an unsupported proposal still in motion: the validator does not know the form these modules have.)
const SUPERSEDED: &[(&str, &[usize], &str)] = &[
    (
        "mutable-global/linking.wast",
        &[206, 227, 236, 238, 248, 298, 334, 342, 344, 354],
        "bulk memory: segments are written one after the other, and one that does not fit traps",
    ),
    ("threads/imports.wast", &[309, 313, 317], "reference types: a module may have several tables"),
    (
        "reference-types/unreached-invalid.wast",
        &[539],
        "typed function references: in unreachable code each target of br_table is checked alone",
    ),
    ("custom-descriptors/br_on_cast_desc_eq.wast", &[456], "a newer form of custom descriptors"),
    ("custom-descriptors/br_on_cast_desc_eq_fail.wast", &[432], "a newer form of custom descriptors"),
    ("custom-descriptors/descriptors.wast", &[255, 262], "a newer form of custom descriptors"),
    ("custom-descriptors/ref_cast_desc_eq.wast", &[168], "a newer form of custom descriptors"),
];

fn superseded() -> Vec<String> {
    SUPERSEDED.iter().flat_map(|(file, lines, _)| lines.iter().map(move |line| format!("{file}:{line}:"))).collect()
}

#[test]
fn every_assertion_passes_that_needs_only_supported_features() {
    let collections = collections();
    print_table(&collections);
    println!("\nsuperseded:");
    for (file, lines, why) in SUPERSEDED {
        println!("  {} of {file}, by {why}", lines.len());
    }
    let tallies = || collections.iter().flat_map(|c| c.tallies.iter().map(|t| (&c.name, t)));
    let mut failures: Vec<String> =
        tallies().flat_map(|(c, t)| t.failures.iter().map(move |f| format!("{c}/{f}"))).collect();
    for place in superseded() {
        let before = failures.len();
        failures.retain(|f| !f.starts_with(&place));
        assert_eq!(failures.len() + 1, before, "{place} is listed as superseded, but passes");
    }
    assert!(failures.is_empty(), "{} directives fail:\n{}", failures.len(), failures.join("\n"));

    let known: Vec<&str> = features::refused().collect();
    for (collection, tally) in tallies() {
        assert!(tally.directives() > 0, "{collection}/{} has no directives", tally.name);
        for feature in tally.unsupported.keys() {
            assert!(known.contains(&feature.as_str()), "{collection}/{} was not run: {feature}", tally.name);
        }
    }
}
