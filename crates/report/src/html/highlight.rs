//! Source lines in a few colours: comments, texts, numbers and words of the language. A guess that is wrong costs a colour.

use maud::{Markup, html};

const WORDS: &str = " as async auto await bool break case catch char class const constexpr continue crate default defer do \
    double dyn else enum explicit extern false float fn for func go goto if impl import in inline int int32_t int64_t \
    interface let long loop match mod move mut namespace new nullptr operator package private protected pub public range \
    ref register return self short signed size_t sizeof static struct super switch template this throw trait true try type \
    typedef typename uint32_t uint64_t uint8_t union unsafe unsigned use using var virtual void volatile where while yield ";

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Plain,
    Comment,
    Text,
    Number,
    Word,
}

/// Colours lines one after the other: a comment may span several.
#[derive(Clone, Debug, Default)]
pub struct Highlighter {
    in_comment: bool,
}

impl Highlighter {
    /// The line as markup.
    pub fn line(&mut self, line: &str) -> Markup {
        let pieces = self.pieces(line);
        html! {
            @for (piece, text) in pieces {
                @match piece {
                    Piece::Plain => (text),
                    Piece::Comment => span.c { (text) },
                    Piece::Text => span.t { (text) },
                    Piece::Number => span.n { (text) },
                    Piece::Word => span.w { (text) },
                }
            }
        }
    }

    fn pieces<'l>(&mut self, line: &'l str) -> Vec<(Piece, &'l str)> {
        let mut out: Vec<(Piece, &'l str)> = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (piece, length) = self.next(rest);
            let (text, after) = rest.split_at(length);
            out.push((piece, text));
            rest = after;
        }
        out
    }

    /// The kind and the length of what the text, which is not empty, begins with.
    fn next(&mut self, text: &str) -> (Piece, usize) {
        if self.in_comment || text.starts_with("/*") {
            // The star of `/*` does not end what it begins.
            let from = if self.in_comment { 0 } else { 2 };
            let end = text[from..].find("*/").map(|at| from + at + 2);
            self.in_comment = end.is_none();
            return (Piece::Comment, end.unwrap_or(text.len()));
        }
        if text.starts_with("//") {
            return (Piece::Comment, text.len());
        }
        let until = |stop: &dyn Fn(char) -> bool| text.find(stop).unwrap_or(text.len());
        match text.chars().next().unwrap_or(' ') {
            '"' => (Piece::Text, text_end(text)),
            c if c.is_ascii_digit() => {
                (Piece::Number, until(&|c| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')))
            }
            c if c.is_alphanumeric() || c == '_' => {
                let length = until(&|c| !(c.is_alphanumeric() || c == '_'));
                let known = WORDS.contains(&format!(" {} ", &text[..length]));
                (if known { Piece::Word } else { Piece::Plain }, length)
            }
            first => {
                let more = |c: char| c == '"' || c == '/' || c == '_' || c.is_alphanumeric();
                let length = text[first.len_utf8()..].find(more).map_or(text.len(), |at| first.len_utf8() + at);
                (Piece::Plain, length)
            }
        }
    }
}

/// Where a text in quotes ends: after its closing quote, or with the line.
fn text_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Highlighter, Piece};

    #[test]
    fn nothing_of_a_line_is_lost() {
        let mut highlighter = Highlighter::default();
        for line in
            ["int x = 0x1F; // größer", "a/b*c /* open", "still \"open\" */ 'c' \"te\\\"xt\" ✓", "/*/ x */ y", ""]
        {
            let pieces = highlighter.pieces(line);
            assert_eq!(pieces.iter().map(|piece| piece.1).collect::<String>(), line);
            assert!(pieces.iter().all(|piece| !piece.1.is_empty()));
        }
        assert!(!highlighter.in_comment);
    }

    #[test]
    fn pieces_are_told_apart() {
        let mut highlighter = Highlighter::default();
        let of = |pieces: Vec<(Piece, &str)>, kind: Piece| -> Vec<String> {
            pieces.into_iter().filter(|piece| piece.0 == kind).map(|piece| piece.1.to_owned()).collect()
        };
        let line = "while (format[10] != \"if 3\") return 4; // for 5";
        assert_eq!(of(highlighter.pieces(line), Piece::Word), ["while", "return"]);
        assert_eq!(of(highlighter.pieces(line), Piece::Number), ["10", "4"]);
        assert_eq!(of(highlighter.pieces(line), Piece::Text), ["\"if 3\""]);
        assert_eq!(of(highlighter.pieces("/* for"), Piece::Comment), ["/* for"]);
        assert_eq!(of(highlighter.pieces("if */ for"), Piece::Word), ["for"]);
    }

    #[test]
    fn what_stands_in_a_source_is_escaped() {
        let marked = Highlighter::default().line("\"</pre><script>\" // <b>").into_string();
        assert!(!marked.contains("<script") && !marked.contains("<b>"), "{marked}");
    }
}
