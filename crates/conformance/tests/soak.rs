//! A short soak: a few random programs of C by every strategy against brute force. `make soak` has more of it.

use slowpath_conformance::soak::{Tally, soak};

#[test]
fn claims_about_random_programs_are_true() {
    let folder = tempfile::tempdir().expect("a directory");
    let mut tally = Tally::default();
    (0..5).for_each(|seed| tally.add(soak(seed, 3_000_000, folder.path())));
    println!("{tally}");
    assert!(tally.troubles.is_empty(), "{:#?}", tally.troubles);
    assert!(tally.exact.made > 20 && tally.verified.made > 100, "{tally}");
}
