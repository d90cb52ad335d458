//! A check as SARIF 2.1.0: what code scanning shows beside the lines of a change.

use serde_json::{Value, json};

use crate::check::{CheckReport, CheckedBound, CheckedTarget, Evidence, Rule};

/// The report as a whole document. `place` turns the path of a file into the one that readers know it by.
pub fn sarif(report: &CheckReport, place: impl Fn(&str) -> String) -> Value {
    let rules: Vec<Value> = Rule::ALL.iter().map(|rule| describe(*rule)).collect();
    let failures = report.bounds().filter(|(_, bound)| bound.fails());
    let results: Vec<Value> = failures.map(|(target, bound)| result(report, target, bound, &place)).collect();
    let troubles: Vec<Value> = report
        .targets
        .iter()
        .filter_map(|target| {
            let text = format!("{}: {}", target.name, target.error.as_ref()?.message());
            let region = json!({"startLine": target.config_line.max(1)});
            let place = json!({"artifactLocation": {"uri": uri(&place(&report.config))}, "region": region});
            Some(json!({"level": "error", "message": {"text": text}, "locations": [{"physicalLocation": place}]}))
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "slowpath",
                "version": report.slowpath,
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": troubles.is_empty(),
                "toolExecutionNotifications": troubles,
            }],
            "results": results,
        }],
    })
}

fn describe(rule: Rule) -> Value {
    json!({
        "id": rule.name(),
        "shortDescription": {"text": rule.describe()},
        "defaultConfiguration": {"level": "error"},
    })
}

fn result(
    report: &CheckReport,
    target: &CheckedTarget,
    bound: &CheckedBound,
    place: &impl Fn(&str) -> String,
) -> Value {
    let evidence: Vec<String> = bound.evidence.iter().flat_map(Evidence::lines).collect();
    let text = format!("{}: {}\n{}", target.name, bound.told(), evidence.join("\n"));
    let hot = bound.evidence.as_ref().and_then(|evidence| evidence.line.as_ref());
    let located = hot.and_then(|line| Some((line.file.clone()?, line.line?)));
    // Where no line is known, the configuration says what was asked for.
    let (file, line) = located.unwrap_or_else(|| (report.config.clone(), target.config_line));
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": {"uri": uri(&place(&file))},
            "region": {"startLine": line.max(1)},
        },
    });
    if let Some(hot) = hot {
        location["logicalLocations"] = json!([{"name": hot.function, "kind": "function"}]);
    }
    json!({
        "ruleId": bound.rule.name(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == bound.rule),
        "level": "error",
        "message": {"text": text.trim_end()},
        "locations": [location],
        // Moving a function must not make the same regression a new one.
        "partialFingerprints": {"slowpath/v1": format!("{}/{}/{}", target.name, bound.rule.name(), bound.bound)},
    })
}

/// A path as a URI reference: everything but plain characters and slashes is escaped.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let escaped: String = path
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    if escaped.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("a:b#ü.c"), "a%3Ab%23%C3%BC.c");
        assert_eq!(uri("/tmp/x.c"), "file:///tmp/x.c");
    }
}
