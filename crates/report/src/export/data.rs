//! Inputs, costs and the input law as plain JSON.

use serde_json::{Value, json};

use super::{Case, Export, ExportedFile};
use crate::json::value_to_json;

/// One document with every size.
pub fn files(export: &Export) -> Vec<ExportedFile> {
    let case = |case: &Case| {
        json!({
            "size": case.size, "cost": case.cost, "at_least": case.at_least, "confidence": case.confidence, "verified": case.verified,
            "trap": case.trap, "input": case.input.to_json(),
        })
    };
    let cases: Vec<Value> = export.cases.iter().map(case).collect();
    let types: Vec<Value> = export.cases.last().map_or_else(Vec::new, |case| {
        let named = |input: &slowpath_program::input::NamedInput| {
            json!({"name": input.name, "type": input.ty.name(), "array": !input.scalar})
        };
        case.input.0.iter().map(named).collect()
    });
    let document = json!({
        "file": export.file, "call": export.call, "cost_model": export.cost_model, "inputs": types,
        "input_law": export.input_law, "worst": cases,
    });
    vec![ExportedFile::text(format!("worst_{}.json", export.stem()), value_to_json(&document))]
}
