//! The comment that opens every exported source file: what it is, how sure it is, how to build it.

use super::words::comment;
use super::{Case, Export};

/// Lines, without the marks of a comment.
pub fn about(export: &Export, case: &Case) -> Vec<String> {
    let mut lines = vec![
        comment(&format!(
            "The worst input of {} in {} at size {}, found by slowpath.",
            export.call, export.file, case.size
        )),
        String::new(),
        comment(&format!(
            "Cost: {}{} ({}). Strategy: {}.",
            if case.at_least { "at least " } else { "" },
            case.cost,
            export.cost_model,
            export.strategy
        )),
        comment(&format!(
            "Confidence: {}. Another engine {} on the cost.",
            case.confidence,
            if case.verified { "ran it and agrees" } else { "could not be asked to agree" }
        )),
    ];
    if let Some(trap) = &case.trap {
        lines.push(comment(&format!("On WebAssembly it ends in a trap ({trap}); natively it may crash.")));
    }
    lines
}

/// The input law in words.
pub fn laws(export: &Export) -> Vec<String> {
    let Some(laws) = export.laws() else { return Vec::new() };
    laws.iter().map(|law| comment(&format!("Input law: {}", law.text))).collect()
}

/// A block comment of C.
pub fn c_comment(lines: &[String]) -> String {
    let body: Vec<String> = lines.iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n").collect();
    format!("/*{}\n */\n", body.concat().trim_end().trim_start_matches(" *"))
}

/// Inner documentation of a Rust file.
pub fn rust_comment(lines: &[String]) -> String {
    lines.iter().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect()
}
