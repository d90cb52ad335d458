//! Rebuilds when a benchmark suite changes: the suites are part of the binary, which Cargo cannot see by itself.

fn main() {
    println!("cargo::rerun-if-changed=../../benchmarks");
}
