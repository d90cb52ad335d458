//! Lines that fit a terminal: broken between words, the rest indented as far as the line was.

/// The text with no line wider than `columns`. Escape sequences have no width.
pub fn wrap(text: &str, columns: usize) -> String {
    let columns = columns.max(20);
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if width(line) <= columns {
            out.push_str(line);
        } else {
            broken(&mut out, line, columns);
        }
        out.push('\n');
    }
    out
}

/// Characters that are seen.
pub fn width(text: &str) -> usize {
    let mut inside = false;
    let seen = |c: char| {
        let was = inside || c == '\x1b';
        inside = if inside { c != 'm' } else { c == '\x1b' };
        !was
    };
    text.chars().map(seen).filter(|seen| *seen).count()
}

fn broken(out: &mut String, line: &str, columns: usize) {
    let indent = (line.len() - line.trim_start_matches(' ').len()).min(columns / 2);
    let begin = " ".repeat(indent + 2);
    let mut at = indent;
    out.push_str(&" ".repeat(indent));
    let mut is_first = true;
    for word in line.trim_start_matches(' ').split(' ') {
        let wide = width(word);
        if !is_first && at + 1 + wide > columns {
            out.push('\n');
            out.push_str(&begin);
            at = begin.len();
        } else if !is_first {
            out.push(' ');
            at += 1;
        }
        is_first = false;
        if at + wide <= columns {
            out.push_str(word);
            at += wide;
            continue;
        }
        // A word that is wider than the terminal is broken anywhere.
        for c in word.chars() {
            if at >= columns {
                out.push('\n');
                out.push_str(&begin);
                at = begin.len();
            }
            out.push(c);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{width, wrap};

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let text = format!("  the quick brown fox jumps over the lazy dog\n  {}\nshort\n", "x".repeat(100));
        let wrapped = wrap(&text, 20);
        assert!(wrapped.lines().all(|line| line.chars().count() <= 20), "{wrapped}");
        assert!(wrapped.starts_with("  the quick brown\n    fox jumps over\n"), "{wrapped}");
        assert_eq!(wrapped.matches('x').count(), 102 - 1);
        assert_eq!(wrap(&text, 200), text);
    }

    #[test]
    fn escapes_have_no_width() {
        assert_eq!(width("\x1b[1mbold\x1b[0m"), 4);
    }
}
