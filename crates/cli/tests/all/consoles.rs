//! Every command in the documents is run, and prints what the document shows.
//!
//! A document is one session: its blocks run from top to bottom in a folder that has copies of `examples`, `tests/programs` and
//! `benchmarks`, as the top of the repository has. In a `console` block commands follow `$ ` and what they print is compared; an `sh`
//! block only has to succeed. A command that fails is followed by `$ echo $?`; of others standard error is not compared. Times, numbers of steps and the width of
//! columns may differ; `…` stands for anything in a line, and alone for any lines. What cannot be run here says why, in
//! a comment before the block: `<!-- not run: REASON -->`.
//!
//! `UPDATE_DOCUMENTS=1` writes what is printed into the documents instead; `DOCUMENTS=tutorial` takes those whose path has that in it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::common::console::{Block, Step, blocks, matches, updated};
use crate::common::scratch;
use crate::documents::{documents, root};

/// What became of the commands of all documents.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    run: usize,
    not_run: usize,
    wrong: Vec<String>,
    times: Vec<String>,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// What a command prints, and its exit code. Messages count where it fails; else they are progress, which depends on the machine.
/// `status` is the exit code of the command before.
fn run(command: &str, status: i32, folder: &Path) -> (String, i32) {
    let binaries = Path::new(env!("CARGO_BIN_EXE_slowpath")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("(exit {status}); {command}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().unwrap();
    let code = output.status.code().unwrap_or(-1);
    let messages = if code == 0 { "".into() } else { String::from_utf8_lossy(&output.stderr) };
    (format!("{}{messages}", String::from_utf8_lossy(&output.stdout)), code)
}

/// Runs the blocks of a document; the text, with what is printed now.
fn session(name: &str, text: &str, tally: &mut Tally) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut changes: Vec<(std::ops::Range<usize>, Vec<String>)> = Vec::new();
    let folder = scratch();
    let found: Vec<Block> = blocks(text).into_iter().filter(Block::runs_slowpath).collect();
    if found.iter().any(|block| block.not_run.is_none()) {
        for part in ["examples", "tests/programs", "benchmarks"] {
            copy(&root().join(part), &folder.path().join(part));
        }
    }
    let mut status = 0;
    for block in &found {
        if block.not_run.is_some() {
            tally.not_run += block.steps.len();
            continue;
        }
        for (i, Step { line, command, shown }) in block.steps.iter().enumerate() {
            let began = Instant::now();
            let (output, code) = run(command, status, folder.path());
            tally.times.push(format!("{:6.2} s  {name}:{line}\n", began.elapsed().as_secs_f64()));
            let output: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
            let is_told = block.steps.get(i + 1).is_some_and(|next| next.command == "echo $?");
            if code != 0 && !is_told {
                tally.wrong.push(format!("{name}:{line}: exit code {code}\n  {command}\n{}", output.join("\n")));
            }
            status = code;
            if !block.is_console {
                tally.run += 1;
                continue;
            }
            tally.compared += 1;
            let before: Vec<&str> = lines[shown.clone()].iter().map(String::as_str).collect();
            if !matches(&before, &output) {
                let (told, now) = (before.join("\n"), output.join("\n"));
                tally.wrong.push(format!("{name}:{line}: {command}\n--- shown\n{told}\n--- printed\n{now}"));
                let mut now = updated(&before, &output);
                // The blank line before the next command stays.
                if before.last().is_some_and(|line| line.is_empty()) {
                    now.push(String::new());
                }
                changes.push((shown.clone(), now));
            }
        }
    }
    for (range, now) in changes.into_iter().rev() {
        lines.splice(range, now);
    }
    lines.join("\n") + "\n"
}

#[test]
fn every_command_in_the_documents_prints_what_is_shown() {
    let only = std::env::var("DOCUMENTS").unwrap_or_default();
    let mut tally = Tally::default();
    for (file, text) in documents() {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        if !name.contains(&only) {
            continue;
        }
        let now = session(&name, &text, &mut tally);
        if std::env::var_os("UPDATE_DOCUMENTS").is_some() && now != text {
            fs::write(&file, now).unwrap();
        }
    }
    let Tally { compared, run, not_run, wrong, times } = &tally;
    println!(
        "{}commands: {compared} run and compared, {run} run, {not_run} not run for the reason given",
        times.concat()
    );
    assert!(wrong.is_empty(), "{} commands differ\n{}", wrong.len(), wrong.join("\n\n"));
}
