//! Packages, each installed where there is nothing else, analyse the example: the tarball and the Debian package of the program that was just built, and the program of nothing but
//! the crates as they would be published. (`scripts/packages.sh` does all of it, optimized and on a fresh system, which takes more minutes; the wheel has `crates/python/tests/package.rs`.)

use std::path::Path;
use std::process::Command;

use crate::common::scratch;

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Written past the harness, which keeps what is printed of tests that pass.
fn skipped(test: &str, why: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("SKIPPED {test}: {why}\n").as_bytes());
}

/// What a script prints of these packages, which are in this folder.
fn script(name: &str, words: &[&str], packages: &Path) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(name);
    let mut command = Command::new(path);
    command.args(words).env("PROGRAM", env!("CARGO_BIN_EXE_slowpath")).env("PACKAGES", packages).env("QUICK", "1");
    let done = command.env("CRATES", packages).output().expect("there is a shell");
    let said = [String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr)].concat();
    assert!(done.status.success(), "{name}: {said}");
    said
}

fn made_and_unpacked(test: &str, name: &str, kind: &str, needed: &[&str]) {
    if let Some(missing) = needed.iter().find(|program| !has(program)) {
        return skipped(test, &format!("there is no {missing}"));
    }
    let folder = scratch();
    script(name, &[], folder.path());
    let said = script("packages.sh", &[kind], folder.path());
    assert!(said.contains("worst 687 at n = 6"), "{said}");
}

#[test]
fn the_tarball_runs_where_it_is_unpacked() {
    made_and_unpacked("the_tarball_runs_where_it_is_unpacked", "dist.sh", "dist", &["strip", "xz"]);
}

#[test]
fn the_debian_package_runs_where_it_is_unpacked() {
    let needed = ["strip", "dpkg-deb", "objdump"];
    made_and_unpacked("the_debian_package_runs_where_it_is_unpacked", "deb.sh", "deb", &needed);
}

/// Compiled in a folder that stays, so that only the first time takes two minutes of a processor.
#[test]
fn the_program_of_nothing_but_packaged_crates_installs_and_runs() {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates");
    let said = script("packages.sh", &["crates"], &kept);
    if let Some((_, why)) = said.split_once("SKIPPED: crates: ") {
        let why = why.lines().next().unwrap_or_default();
        return skipped("the_program_of_nothing_but_packaged_crates_installs_and_runs", why);
    }
    assert!(said.contains("worst 687 at n = 6"), "{said}");
}
