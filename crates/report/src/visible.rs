//! Text of others on its way to people: what would move a cursor, change a colour or turn the reading direction is shown, not done.

use std::borrow::Cow;

use serde_json::Value;

use crate::findings::Findings;

/// The only sequences that our own pages have: see `style`.
const OURS: [&str; 3] = ["\x1b[1m", "\x1b[31m", "\x1b[0m"];

/// Whether a character does something to a terminal, or hides what is there. Ends of lines and tabs do not.
pub fn is_active(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Marks and overrides of direction, and characters without a width that join or separate.
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => true,
        c => c.is_control(),
    }
}

/// The text with every active character replaced by a picture of it.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.contains(is_active) { Cow::Owned(text.chars().map(picture).collect()) } else { Cow::Borrowed(text) }
}

/// As `visible`, but the colours of our own stay.
pub fn visible_but_colours(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let ours = OURS.iter().find(|sequence| rest.starts_with(**sequence));
        match ours {
            Some(sequence) => out.push_str(sequence),
            None => out.push(picture(c)),
        }
        rest = &rest[ours.map_or(c.len_utf8(), |sequence| sequence.len())..];
    }
    Cow::Owned(out)
}

/// A document all of whose words are visible; for people, not to be run again.
pub(crate) fn visible_findings(findings: &Findings) -> Cow<'_, Findings> {
    let shown = serde_json::to_value(findings).ok().and_then(|mut value| {
        if !calm(&mut value) {
            return None;
        }
        serde_json::from_value(value).ok()
    });
    shown.map_or(Cow::Borrowed(findings), Cow::Owned)
}

/// Makes every string visible; tells whether one was not.
fn calm(value: &mut Value) -> bool {
    match value {
        Value::String(text) => {
            let active = text.contains(is_active);
            if active {
                *text = visible(text).into_owned();
            }
            active
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| calm(item) | any),
        Value::Object(members) => {
            let names = members.keys().any(|name| name.contains(is_active));
            if names {
                let old = std::mem::take(members);
                members.extend(old.into_iter().map(|(name, member)| (visible(&name).into_owned(), member)));
            }
            members.values_mut().fold(names, |any, member| calm(member) | any)
        }
        _ => false,
    }
}

/// Unicode has pictures of the old control characters; the others become the sign for what cannot be shown.
fn picture(c: char) -> char {
    match c {
        c if !is_active(c) => c,
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use super::{is_active, visible, visible_but_colours};

    #[test]
    fn what_is_active_becomes_a_picture() {
        assert_eq!(visible("a\x1b[2Jb\r\x07\x7f\u{9b}\u{202e}\n\tü"), "a␛[2Jb␍␇␡\u{fffd}\u{fffd}\n\tü");
        assert!(!visible("\u{0}\u{1f}\u{85}\u{200b}").contains(is_active));
    }

    #[test]
    fn colours_of_our_own_are_the_only_ones() {
        let text = "\x1b[1mbold\x1b[0m \x1b[31mred\x1b[0m \x1b[32m \x1b]0;title\x07 \x1b";
        assert_eq!(visible_but_colours(text), "\x1b[1mbold\x1b[0m \x1b[31mred\x1b[0m ␛[32m ␛]0;title␇ ␛");
    }
}
