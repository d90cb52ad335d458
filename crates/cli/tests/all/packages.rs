//! The tarball and the Debian package of the program that was just built, each unpacked where there is nothing else, analyse the example. (`scripts/packages.sh` installs all
//! packages there are, which takes minutes; the wheel has `crates/python/tests/package.rs`.)

use std::path::Path;
use std::process::Command;

use crate::common::scratch;

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn made_and_unpacked(script: &str, kind: &str) {
    let (root, folder) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), scratch());
    let run = |script: &str, words: &[&str]| {
        let mut command = Command::new(root.join("scripts").join(script));
        command.args(words).env("PROGRAM", env!("CARGO_BIN_EXE_slowpath")).env("PACKAGES", folder.path());
        let done = command.env("UNPACKED", "1").output().expect("there is a shell");
        let said = [String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr)].concat();
        assert!(done.status.success(), "{script}: {said}");
        said
    };
    run(script, &[]);
    let said = run("packages.sh", &[kind]);
    assert!(said.contains("worst 687 at n = 6"), "{said}");
}

#[test]
fn the_tarball_runs_where_it_is_unpacked() {
    if ["strip", "xz"].into_iter().all(has) {
        made_and_unpacked("dist.sh", "dist");
    }
}

#[test]
fn the_debian_package_runs_where_it_is_unpacked() {
    if ["strip", "dpkg-deb", "objdump"].into_iter().all(has) {
        made_and_unpacked("deb.sh", "deb");
    }
}
