//! Libraries that a wheel brings along are looked for beside ours.

#[allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-rpath,$ORIGIN");
    }
}
