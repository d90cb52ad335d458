//! Everything through the command line, in one program: what is linked once is built once, and long tests share the cores.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

mod bad_input;
mod cases;
mod challenger;
mod check;
mod check_config;
mod ci;
mod circles;
mod classes;
mod compare;
mod consoles;
mod corpora;
mod costs;
mod cpp;
mod crates;
mod documents;

mod evolve;
mod explained;
mod export;
mod export_forms;
mod export_languages;
mod export_structs;
mod harness_calls;
mod hot_lines;
mod input_laws;
mod insertion;
mod laws_beyond;
mod limits;
mod lists;
mod memo;
mod packages;
mod path_counts;
mod policies;
mod pump;
mod reference;
mod report;
mod resume;
mod run_and_replay;
mod rust;
mod scan;
mod schema;
mod shards;
mod sources;
mod strategies;
mod suites;
mod synthesize;
mod target_workers;
mod terminal;
mod tokens;
mod trust;
mod types;
mod unknown_amounts;
mod vectors;
