//! What is reported about the worst path: its cost by each model, its input, the average beside it.

use crate::common::{analyze, column, json, program, results};
use serde_json::json;

const ISORT: &str = "isort(a: i32[n], n)";

#[test]
fn a_falling_array_is_the_worst_for_insertion_sort() {
    let findings = analyze(&[&program("isort.c"), "--call", ISORT, "--sizes", "2..5"]);
    for result in results(&findings) {
        let a: Vec<i64> = serde_json::from_value(result["input"]["a"].clone()).unwrap();
        assert_eq!(a.len() as i64, result["size"].as_i64().unwrap());
        assert!(a.windows(2).all(|pair| pair[0] > pair[1]), "{a:?}");
        assert_eq!(result["worst_paths"], 1);
        assert_eq!(result["cost"], result["costs"]["instructions"]);
        assert!(result["average"].is_null());
    }
    assert_eq!((&findings["schema"], &findings["strategy"]), (&json!(1), &json!("auto")));
    assert_eq!(findings["target"]["call"], ISORT);
    assert_eq!(findings["limits"], json!([]));
    let law = findings["input_law"]["inputs"][0]["law"].as_str().expect("falling arrays follow a law");
    assert!(law.starts_with("a[i] = n - i - 1"), "{law}");
    assert!(findings["fit"]["why"].is_string());
}

#[test]
fn each_model_makes_its_own_counter_large() {
    let isort = program("isort.c");
    let measured = program("cost_begin_end.c");
    let libc_user = program("libc_user.c");
    let recursion = program("recursion.c");
    let quicksort = program("quicksort.c");
    let cases: [(&str, [&str; 2], &str, &[u64]); 10] = [
        // One comparison of elements for each pair.
        (&isort, ["--call", ISORT], "decisions", &[0, 1, 3, 6]),
        (&isort, ["--call", ISORT], "stack", &[1, 1, 1]),
        // The body of the inner loop.
        (&isort, ["--call", ISORT], "site:isort.c:8", &[0, 1, 3, 6]),
        (&measured, ["--harness", "measured"], "custom", &[3, 6, 9]),
        (&libc_user, ["--call", "count_negative(a: i32[n], n)"], "output", &[20, 20, 20]),
        (&libc_user, ["--call", "count_negative(a: i32[n], n)"], "heap", &[4, 8, 12]),
        // The first call is that of the entry, which nobody in the program makes.
        (&recursion, ["--call", "explore(flags: u8[n], n)"], "calls", &[3, 7, 15]),
        (&recursion, ["--call", "explore(flags: u8[n], n)"], "stack", &[3, 4, 5]),
        (&recursion, ["--call", "descend(n)"], "stack", &[2, 3, 4]),
        (&quicksort, ["--call", "quicksort(a: i32[n], n)"], "memory", &[17 << 16, 17 << 16]),
    ];
    for (file, [flag, entry], model, costs) in cases {
        let sizes = format!("1..{}", costs.len());
        let findings = analyze(&[file, flag, entry, "--cost", model, "--sizes", &sizes]);
        assert_eq!(column(&findings, "cost"), costs, "{model} of {entry}");
        assert_eq!(findings["cost_model"], model);
        for result in results(&findings) {
            assert_eq!(result["costs"][model], result["cost"]);
        }
    }
}

#[test]
fn only_the_measured_region_counts() {
    let of = |size: &str| analyze(&[&program("bst.c"), "--harness", "bst_search", "--sizes", size]);
    // 17 instructions a step of the search, whatever the insertions cost.
    assert_eq!(column(&of("1..4"), "cost"), [17, 34, 51, 68]);
}

#[test]
fn the_average_lies_between_the_best_and_the_worst() {
    let args = [&program("isort.c"), "--call", ISORT, "--sizes", "3..5", "--average", "500"];
    let findings = analyze(&args);
    for result in results(&findings) {
        let average = &result["average"];
        let number = |name: &str| average[name].as_f64().unwrap();
        assert_eq!((&average["runs"], &average["discarded"]), (&json!(500), &json!(0)));
        assert!(number("least") < number("mean") && number("mean") < number("most"));
        assert!(number("most") <= result["cost"].as_f64().unwrap());
    }
    // Half of all pairs are out of order: 327 at worst has 6 of them at size 4, each 30.
    let mean = results(&findings)[1]["average"]["mean"].as_f64().unwrap();
    assert!((mean - 237.0).abs() < 12.0, "{mean}");
}

#[test]
fn traps_are_findings_with_an_input_each() {
    let findings = analyze(&[&program("div_trap.c"), "--call", "ratio(a: i32, b: i32)"]);
    let [result] = results(&findings) else { panic!("a call without n has one size") };
    assert_eq!(result["paths"], 3);
    let traps = result["traps"].as_array().unwrap();
    let names: Vec<&str> = traps.iter().map(|trap| trap["trap"].as_str().unwrap()).collect();
    assert_eq!(names, ["integer divide by zero", "integer overflow"]);
    for trap in traps {
        assert!(trap["place"].as_str().unwrap().ends_with("div_trap.c:3"), "{trap}");
        assert_eq!((&trap["paths"], &trap["verified"]), (&json!(1), &json!(true)));
    }
    assert_eq!(traps[0]["inputs"][0]["b"], 0);
    assert_eq!(traps[1]["inputs"], json!([{"a": -2147483648_i64, "b": -1}]));
}

#[test]
fn the_trapping_path_can_be_the_worst() {
    let findings = analyze(&[&program("div_trap.c"), "--call", "divide_by_all(a: i32[n], n)", "--sizes", "1..3"]);
    assert_eq!(column(&findings, "paths"), [2, 3, 4]);
    for result in results(&findings) {
        let trap = &result["traps"][0];
        assert_eq!((&trap["trap"], &trap["paths"]), (&json!("integer divide by zero"), &result["size"]));
    }
}

#[test]
fn ranges_bound_the_inputs() {
    let findings = analyze(&[&program("isort.c"), "--call", "isort(a: i32[n] in 5..=6, n)", "--sizes", "3"]);
    let a: Vec<i64> = serde_json::from_value(results(&findings)[0]["input"]["a"].clone()).unwrap();
    assert!(a.iter().all(|x| (5..=6).contains(x)), "{a:?}");
    // No three elements can fall strictly, so one of the six orders is left out.
    assert_eq!(column(&findings, "paths"), [5]);
}

#[test]
fn inputs_without_a_name_are_numbered() {
    let findings = analyze(&[&program("fp.c"), "--call", "near_root_two(f64)"]);
    assert!(results(&findings)[0]["input"]["arg0"].is_number());
}

#[test]
fn statistics_are_given_on_request() {
    let args = ["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "4"];
    assert!(json(&args).get("stats").is_none());
    let stats = &json(&[&args[..], &["--stats"]].concat())["stats"];
    assert!(stats["queries"].as_u64().unwrap() > 0);
    assert!(stats["layers"].as_array().unwrap().iter().all(|layer| layer["name"].is_string()));
}
