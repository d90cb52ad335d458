//! `slowpath.toml` under any text: read to the last value, or refused with a line.

use std::path::Path;

use slowpath::check::Config;

use crate::fuzzing::Target;

pub const TARGET: Target = Target { name: "toml", body, seeds, dictionary: include_str!("../../data/toml.dict") };

pub fn body(data: &[u8]) -> bool {
    // The folder that targets are looked for in has no slash in its name, so that no input leads anywhere.
    match Config::parse(Path::new("slowpath.toml"), &String::from_utf8_lossy(data)) {
        Ok(config) => !config.targets.is_empty(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let plain = "baseline = \"b.json\"\n[defaults]\ncost = \"branches\"\nbudget = \"20s\"\n[[target]]\nname = \"t\"\nfile = \".\"\n\
                 call = \"f(a: i32[n], n)\"\nsizes = \"1..24,32\"\nexpect = \"n log n\"\nmax = { 32 = 500 }\n";
    let other = "strict = false\n[[target]]\nname = \"t\"\nfile = \".\"\nharness = \"h\"\nsizes = [1, 2]\nstrategy = \"auto\"\njobs = 2\n\
                 seed = 3\ncflags = \"-DN=1\"\noptimize = \"-O2\"\nmore_files = [\"a.c\"]\nproject = \"p\"\nexpect = \"n^2\"\n";
    vec![plain.as_bytes().to_vec(), other.as_bytes().to_vec()]
}
