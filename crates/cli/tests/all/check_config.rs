//! What a slowpath.toml may say, and how mistakes in it are named.

use slowpath::Class;
use slowpath::check::{Config, read_config};

fn parse(text: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slowpath.toml");
    std::fs::write(folder.path().join("f.c"), "").unwrap();
    std::fs::write(&file, text).unwrap();
    read_config(&file, slowpath::Trust { document: true, build: false }).map_err(|error| error.to_string())
}

const GOOD: &str = "[[target]]\nname = 'f'\nfile = 'f.c'\ncall = 'f(n)'\n";

#[test]
fn a_target_takes_what_it_does_not_say_from_the_defaults() {
    let text = format!(
        "[defaults]\nsizes = '1..4'\ncost = 'branches'\nbudget = '5s'\njobs = 2\n{GOOD}expect = 'n log n'\n\
         cost = 'calls'\nmax = {{ 9 = 100 }}\n"
    );
    let config = parse(&text).unwrap();
    let target = &config.targets[0];
    assert_eq!(target.request.sizes, Some(vec![1, 2, 3, 4, 9]));
    assert_eq!(target.request.cost.to_string(), "calls");
    assert_eq!((target.request.budget.as_secs(), target.request.jobs, target.line), (5, 2, 6));
    assert_eq!((target.expect, target.max[&9]), (Some(Class::N_LOG_N), 100));
    assert_eq!(target.request.effort, None);
    let by_effort = |defaults: &str, own: &str| {
        let config = parse(&format!("[defaults]\n{defaults}\n{GOOD}expect = 'n'\n{own}\n")).unwrap();
        config.targets[0].request.effort
    };
    assert_eq!(by_effort("effort = '1e7'", ""), Some(10_000_000));
    assert_eq!(by_effort("effort = '1e7'", "effort = 5_000"), Some(5_000));
    assert_eq!(by_effort("effort = '1e7'", "budget = '5s'"), None, "what a target says outweighs the defaults");
    let listed = parse(&format!("[defaults]\nsizes = [3, 1]\n{GOOD}expect = 'n'\n")).unwrap();
    assert_eq!(listed.targets[0].request.sizes, Some(vec![1, 3]));
}

#[test]
fn mistakes_are_named_with_their_line_and_key() {
    for (text, line, part) in [
        ("", 1, "[[target]]"),
        ("[[target]\n", 1, ""),
        ("strcit = true\n", 1, "strcit"),
        (&format!("{GOOD}expect = 'n'\nexpct = 'n'\n"), 6, "expct"),
        (&format!("{GOOD}expect = 'fast'\n"), 5, "expect: 'fast' is not a growth class"),
        (&format!("{GOOD}expect = 'n'\nsizes = '5..2'\n"), 6, "sizes: "),
        (&format!("{GOOD}expect = 'n'\nsizes = true\n"), 6, "sizes: write sizes as"),
        (&format!("{GOOD}expect = 'n'\ncost = 'time'\n"), 6, "cost: "),
        (&format!("{GOOD}expect = 'n'\nbudget = 'soon'\n"), 6, "budget: "),
        (&format!("{GOOD}expect = 'n'\neffort = 'much'\n"), 6, "effort: "),
        (&format!("{GOOD}expect = 'n'\neffort = true\n"), 6, "effort: "),
        (&format!("{GOOD}expect = 'n'\neffort = 9\nbudget = '1s'\n"), 6, "one of them is enough"),
        (&format!("{GOOD}expect = 'n'\njobs = 0\n"), 6, "jobs: "),
        (&format!("{GOOD}expect = 'n'\nstrategy = 'magic'\n"), 6, "strategy: "),
        (&format!("{GOOD}sizes = '1..4'\nmax = {{ many = 1 }}\n"), 6, "max: "),
        (&format!("{GOOD}max = {{ 3 = 1 }}\n"), 1, "max needs sizes"),
        (GOOD, 1, "nothing to be compared with"),
        ("[[target]]\nname = 'a/b'\nfile = 'f.c'\ncall = 'f(n)'\n", 2, "name: "),
        ("[[target]]\nname = 'f'\nfile = 'g.c'\ncall = 'f(n)'\n", 3, "there is no file"),
        ("[[target]]\nname = 'f'\nfile = 'f.c'\nexpect = 'n'\n", 1, "call or harness"),
        ("[[target]]\nname = 'f'\nfile = 'f.c'\ncall = 'f(n'\nexpect = 'n'\n", 4, "call: "),
        (&format!("{GOOD}expect = 'n'\n{GOOD}expect = 'n'\n"), 7, "two targets called 'f'"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.contains(&format!("slowpath.toml:{line}: ")) && error.contains(part), "{text}\n{error}");
    }
}
