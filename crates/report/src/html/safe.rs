//! What stands between the analysed program and the reader's browser.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The content security policy of a page with just these scripts and styles: nothing is loaded, nothing else runs.
pub fn policy(scripts: &[&str], styles: &[&str]) -> String {
    let list = |texts: &[&str]| texts.iter().map(|text| hash(text)).collect::<Vec<_>>().join(" ");
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        list(scripts),
        list(styles)
    )
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// JSON for a `script` element. What could end the element or begin a comment is written as an escape, which only strings
/// can contain and which reads back as the same text.
pub fn script_json(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out += &format!("\\u{:04x}", u32::from(c)),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{policy, script_json};

    #[test]
    fn no_text_ends_the_script_it_stands_in() {
        let value = json!({"a": "</script><!-- & \u{2028}", "b<": [1.5, "]]>"]});
        let text = script_json(&value);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn scripts_are_allowed_by_their_hash() {
        // As `printf 'alert(1)' | openssl dgst -sha256 -binary | base64` prints it.
        let known = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";
        assert!(policy(&["alert(1)"], &[]).contains(known));
    }
}
