//! The law of the worst inputs, in the words of the document.

use serde_json::{Value, json};
use slowpath_portfolio::{LawInWords, NamedLaw};

/// As the document holds it.
pub(crate) fn report(law: &LawInWords) -> Value {
    let input =
        |law: &NamedLaw| json!({"name": law.name, "law": law.law, "length": law.length, "c": law.c, "rust": law.rust});
    let inputs: Vec<Value> = law.inputs.iter().map(input).collect();
    json!({"inputs": inputs, "inferred_at": law.inferred_at, "checked_at": law.checked_at})
}
