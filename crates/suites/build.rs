//! Rebuilds when a benchmark suite changes: the suites are part of the binary, which Cargo cannot see by itself. They are at the top of the
//! repository; the link `benchmarks` brings them into the package too.

fn main() {
    println!("cargo::rerun-if-changed=benchmarks");
}
