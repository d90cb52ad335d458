//! Where the worst input spends itself, for flame graphs and for speedscope.

use crate::export::{ExportError, ExportFormat, ExportedFile, file_stem};
use crate::findings::Findings;
use crate::json::value_to_json;

/// The profile of a document as a file.
pub fn profile(findings: &Findings, format: ExportFormat) -> Result<Vec<ExportedFile>, ExportError> {
    let flame = findings.flame.as_ref().ok_or(ExportError::NoProfile)?;
    let stem = format!("{}_{}", file_stem(&findings.target.function), flame.size);
    let (name, text) = match format {
        ExportFormat::Speedscope => {
            let title = format!("{}, worst input of size {}", findings.target.title(), flame.size);
            ("speedscope.json", value_to_json(&flame.speedscope(&title, &findings.slowpath)))
        }
        _ => ("folded", flame.folded()),
    };
    Ok(vec![ExportedFile { path: format!("{stem}.{name}"), bytes: text.into_bytes() }])
}
