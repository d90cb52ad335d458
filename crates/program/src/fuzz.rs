//! The loader under arbitrary bytes. The body is here for fuzzers; the ordinary tests run it for a few seconds.

use crate::code::Instr;
use crate::code::Probes;
use crate::load::load;
use crate::module::{FuncBody, NO_SITE, Program};

/// Loads the bytes. Whatever they are, the loader answers with a program or a message; a program is checked for what the machine
/// relies on.
pub fn fuzz_loader(data: &[u8]) {
    // Some probes, so that their code is translated too.
    let probes = Probes {
        offsets: data
            .iter()
            .take(4)
            .scan(0, |at, b| {
                *at += u32::from(*b);
                Some(*at)
            })
            .collect(),
        ..Probes::default()
    };
    if let Ok(program) = load(data, &probes) {
        check(&program);
    }
}

/// What the machine takes for granted of every function; panics where it does not hold.
pub fn check(program: &Program) {
    for (index, function) in program.funcs.iter().enumerate() {
        if let Some(body) = &function.body {
            check_body(program, index, body);
        }
    }
}

fn check_body(program: &Program, index: usize, body: &FuncBody) {
    let length = body.code.len();
    assert_eq!(body.offset_at.len(), length, "function {index}: every instruction has an offset");
    assert_eq!(body.site_at.len(), length, "function {index}: every instruction has a site or none");
    assert!(body.params <= body.locals && body.locals <= body.frame, "function {index}: the frame holds the locals");
    assert!(body.results <= body.frame, "function {index}: the frame holds the results");
    for (pc, instr) in body.code.iter().enumerate() {
        let mut instr = *instr;
        if let Some(slot) = instr.destination() {
            assert!(*slot < body.frame, "function {index}, {pc}: the destination lies in the frame");
        }
        if let Some(target) = instr.target_mut() {
            assert!((*target as usize) < length, "function {index}, {pc}: the branch goes to an instruction");
        }
        if let Instr::BrTable { first, len, .. } = instr {
            let targets = body.targets.get(first as usize..(first + len) as usize);
            let inside = targets.is_some_and(|t| !t.is_empty() && t.iter().all(|t| (*t as usize) < length));
            assert!(inside, "function {index}, {pc}: every entry of the table goes to an instruction");
        }
        let site = body.site(pc as u32).0;
        assert!(site.0 == NO_SITE || site.index() < program.sites.len(), "function {index}, {pc}: the site exists");
    }
    let last = body.code.last();
    let ends = matches!(
        last,
        Some(
            Instr::Return { .. }
                | Instr::Return1 { .. }
                | Instr::Unreachable { .. }
                | Instr::Br { .. }
                | Instr::BrTable { .. }
                | Instr::ReturnCall { .. }
                | Instr::ReturnCallImport { .. }
                | Instr::ReturnCallIndirect { .. }
        )
    );
    assert!(ends, "function {index}: the code does not run past its end, but for {last:?}");
}
