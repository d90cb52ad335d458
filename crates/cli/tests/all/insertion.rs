//! Recipes: what is bad for a selection by the median of three, where no pattern repeats and no order is bad by itself.

use crate::common::{analyze, column, program};

#[test]
fn what_grows_by_a_recipe_is_found_and_its_growth_is_stated() {
    let file = program("portfolio/median_of_three.c");
    let sizes = ["--sizes", "64,128,256,512,1024", "--effort", "6e8"];
    let found = analyze(&[&[file.as_str(), "--call", "median(a: i32[n], n)"], &sizes[..]].concat());
    let costs = column(&found, "cost");
    // Random inputs cost about 90 instructions an element at every size.
    assert!(costs[4] > 1_000 * 1024, "{costs:?}");
    assert!(costs[4] > 3 * costs[3] && costs[3] > 3 * costs[2], "{costs:?}");
    assert_eq!((&found["fit"]["verdict"], &found["fit"]["class"]), (&"at least".into(), &"n^2".into()), "{costs:?}");
}
