//! The Python package: a wheel of the library that cargo has just built, installed in a fresh virtual environment, and tested there.
//!
//! Whatever is left out, because there is no Python or no package index, is said. The tests themselves are beside this file, for pytest.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

/// What the tests use, from the package index.
const FROM_INDEX: [&str; 2] = ["pytest", "pandas"];
/// With this set, Ray comes from there too, which is 500 MB and takes a minute longer.
const WITH_RAY: &str = "SLOWPATH_TEST_RAY";

#[allow(clippy::print_stderr, reason = "what is left out must be seen")]
fn main() -> ExitCode {
    // cargo asks every test program what it has.
    if env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    match test() {
        Ok(Some(left_out)) => eprintln!("python package: LEFT OUT: {left_out}"),
        Ok(None) => eprintln!("python package: ok"),
        Err(why) => {
            eprintln!("python package: FAILED: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// What was left out, if anything.
fn test() -> Result<Option<String>, String> {
    if run(Command::new("python3").args(["-c", "import venv, ensurepip"]).stderr(Stdio::null())).is_err() {
        return Ok(Some("all of it: there is no python3 with venv (scripts/setup.sh installs it)".to_owned()));
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-package");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
    let python = folder.join("venv/bin/python");
    let wheels = folder.join("wheels");
    run(Command::new(&python)
        .arg(root.join("scripts/wheel.py"))
        .arg("--library")
        .arg(library()?)
        .arg("--out")
        .arg(&wheels))?;
    let pip = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]).args(arguments).current_dir(&wheels);
        command
    };
    run(&mut pip(&["install", "--no-index", "--find-links", ".", "slowpath"]))?;
    run(Command::new(folder.join("venv/bin/slowpath")).arg("--version"))?;
    run(Command::new(&python).arg(here.join("tests/notebook.py")).current_dir(root.join("examples")))?;
    let from_index = |packages: &[&str]| {
        run(pip(&["install", "--retries", "1", "--timeout", "20", "--only-binary", ":all:"]).args(packages)).is_ok()
    };
    if !from_index(&FROM_INDEX) {
        return Ok(Some(format!(
            "pytest, for {} cannot be installed from the package index",
            FROM_INDEX.join(" and ")
        )));
    }
    let without_ray = match env::var_os(WITH_RAY) {
        None => Some(format!("Ray, which {WITH_RAY}=1 installs; scripts/engines.py does more with it")),
        Some(_) if from_index(&["ray"]) => None,
        Some(_) => Some("Ray, which cannot be installed from the package index".to_owned()),
    };
    // Not from the root: there the sources would be found instead of the package.
    let tests = here.join("tests");
    run(Command::new(&python)
        .args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"])
        .arg(&tests)
        .current_dir(&folder))?;
    Ok(without_ray)
}

/// Cargo leaves the library beside this program.
fn library() -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let name = format!("{}slowpath_python{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let beside = program.parent().ok_or("this program is nowhere")?.join(name);
    if beside.exists() { Ok(beside) } else { Err(format!("{} is not there", beside.display())) }
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
