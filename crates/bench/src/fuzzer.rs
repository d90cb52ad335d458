//! libFuzzer with the function compiled natively, whose branches it watches as it always does.
//!
//! A mutator of our own makes every input anew at full length, since those libFuzzer makes by itself would mostly be short. That costs it
//! less than its own would.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use tempfile::TempDir;

use crate::subjects::{N, SETTINGS, Subject};

const COMPILER: &str = "clang-19";
const RUNS: u32 = 400_000;

/// A fuzzer, compiled.
pub struct Fuzzer {
    directory: TempDir,
}

impl Fuzzer {
    /// Why there is none, if there is none.
    pub fn build(subject: &Subject) -> Result<Fuzzer, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let target = directory.path().join("target.c");
        fs::write(&target, source(subject)).map_err(|error| error.to_string())?;
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(subject.file);
        let compiled = Command::new(COMPILER)
            .args(["-fsanitize=fuzzer", "-O2", "-o"])
            .arg(directory.path().join("fuzzer"))
            .args([&target, &program])
            .output()
            .map_err(|error| format!("{COMPILER}: {error}"))?;
        if !compiled.status.success() {
            let error = String::from_utf8_lossy(&compiled.stderr).into_owned();
            let first = error.lines().find(|line| line.contains("error")).unwrap_or("it does not compile").to_owned();
            return Err(format!("{first} (Debian has libFuzzer in libclang-rt-19-dev)"));
        }
        Ok(Fuzzer { directory })
    }

    /// Runs a second, without what starting takes.
    pub fn rate(&self) -> f64 {
        let start = self.seconds(1);
        f64::from(RUNS) / (self.seconds(RUNS) - start).max(1e-9)
    }

    fn seconds(&self, runs: u32) -> f64 {
        let begun = Instant::now();
        let mut fuzzer = Command::new(self.directory.path().join("fuzzer"));
        fuzzer.args([
            format!("-runs={runs}"),
            "-seed=1".to_owned(),
            "-len_control=0".to_owned(),
            "-max_len=4096".to_owned(),
        ]);
        let output = fuzzer.current_dir(self.directory.path()).output().expect("starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        begun.elapsed().as_secs_f64()
    }
}

/// The target and its mutator, in C.
fn source(subject: &Subject) -> String {
    let Subject { width, native_element, native_call, .. } = subject;
    let bytes = N * width;
    format!(
        "#include <stddef.h>\n#include <stdint.h>\n\
         static const char SETTINGS[] = {SETTINGS:?};\n\
         static uint64_t state = 1;\n\
         size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {{\n\
           for (int i = 0; i < {N}; i++) {{\n\
             state ^= state << 13; state ^= state >> 7; state ^= state << 17;\n\
             uint64_t any = state >> 11, element = {native_element};\n\
             __builtin_memcpy(data + i * {width}, &element, {width});\n\
           }}\n\
           return {bytes};\n\
         }}\n\
         int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {{\n\
           if (size < {bytes}) return 0;\n\
           {native_call}\n\
           return 0;\n\
         }}\n"
    )
}
