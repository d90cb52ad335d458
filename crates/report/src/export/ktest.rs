//! KLEE's `.ktest` files, version 3: objects by name, numbers of 32 bits with the most significant byte first.

use super::literal::bytes;
use super::{Case, Export, ExportedFile};

/// The version that KLEE has read and written since 2010.
const VERSION: u32 = 3;

/// A file for each size.
pub fn files(export: &Export) -> Vec<ExportedFile> {
    let stem = export.stem();
    let file = |case: &Case| ExportedFile { path: format!("{stem}_{}.ktest", case.size), bytes: ktest(&stem, case) };
    export.cases.iter().map(file).collect()
}

/// Magic, version, arguments (the program's name only), symbolic arguments (none), objects.
fn ktest(stem: &str, case: &Case) -> Vec<u8> {
    let mut out = b"KTEST".to_vec();
    number(&mut out, VERSION as usize);
    number(&mut out, 1);
    block(&mut out, format!("{stem}.bc").as_bytes());
    number(&mut out, 0);
    number(&mut out, 0);
    number(&mut out, case.input.0.len());
    for input in &case.input.0 {
        block(&mut out, input.name.as_bytes());
        block(&mut out, &bytes(input));
    }
    out
}

/// Inputs have fewer than 2³² bytes: the program's memory ends there.
fn number(out: &mut Vec<u8>, value: usize) {
    out.extend((value as u32).to_be_bytes());
}

fn block(out: &mut Vec<u8>, content: &[u8]) {
    number(out, content.len());
    out.extend(content);
}
