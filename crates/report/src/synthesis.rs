//! The member `synthesis`: how the path condition of any size is put together.

use serde::{Deserialize, Serialize};

/// What was inferred, from which sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SynthesisReport {
    /// Whether it is one activation of a recursion that was modelled.
    pub recursive: bool,
    pub inferred_at: Vec<i64>,
    /// Larger sizes whose paths and costs it predicted.
    #[serde(alias = "held_against")]
    pub validated_on: Vec<i64>,
    /// The smallest size it holds for.
    pub from: u64,
    /// All of it in words: two sentences, then the points of the path, a line each.
    pub explained: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::SynthesisReport;

    #[test]
    fn older_documents_have_another_name_for_the_sizes_it_was_validated_on() {
        let document = |name: &str| {
            let mut document = json!({"recursive": false, "inferred_at": [2, 3, 4], "from": 2, "explained": ["x"]});
            document[name] = json!([5, 6]);
            document
        };
        let read = |name: &str| serde_json::from_value::<SynthesisReport>(document(name)).unwrap();
        assert_eq!(read("held_against"), read("validated_on"));
        assert_eq!(serde_json::to_value(read("held_against")).unwrap(), document("validated_on"));
    }
}
