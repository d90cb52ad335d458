//! The condition of the source behind a compiled branch: its text, and on which side of the branch it holds.
//!
//! Line tables point a comparison at its operator. What stands there is compared with the compiled comparison: only if
//! the two agree, or one is the opposite of the other, is anything said.

use crate::branch_conditions::{Comparison, Relation};

/// A comparison in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// `a[j - 1] > x`
    pub text: String,
    /// Whether it holds where the compiled comparison does.
    pub agrees: bool,
}

/// The comparison whose operator stands at this column (from 1) of a line.
pub fn condition(line: &str, column: u32, compiled: &Comparison) -> Option<Condition> {
    let tokens = tokens(line);
    let at = tokens.iter().position(|token| token.start + 1 == column as usize)?;
    let relation = relation(tokens[at].text)?;
    let left = tokens[..at].len() - operand_length(tokens[..at].iter().rev(), Side::Left);
    let right = at + 1 + operand_length(tokens[at + 1..].iter(), Side::Right);
    let (before, after) = (&tokens[left..at], &tokens[at + 1..right]);
    let (first, last) = (before.first()?, after.last()?);
    let text = line.get(first.start..last.start + last.text.len())?.to_owned();
    Some(Condition { text, agrees: agrees(relation, &Operand::of(before), &Operand::of(after), compiled)? })
}

/// What can be told of an operand from its text.
#[derive(PartialEq, Eq, Debug)]
enum Operand {
    Literal(i64),
    /// A name in capitals, by custom a constant.
    Named,
    Other,
}

impl Operand {
    fn of(tokens: &[Token<'_>]) -> Operand {
        let text = match tokens {
            [token] => token.text,
            [minus, token] if minus.text == "-" => {
                return match literal(token.text) {
                    Some(value) => Operand::Literal(-value),
                    None => Operand::Other,
                };
            }
            _ => return Operand::Other,
        };
        if let Some(value) = literal(text) {
            return Operand::Literal(value);
        }
        let capitals = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if capitals && text.len() > 1 { Operand::Named } else { Operand::Other }
    }
}

/// An integer or a plain character.
fn literal(text: &str) -> Option<i64> {
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return match inner.as_bytes() {
            [byte] => Some(i64::from(*byte)),
            b"\\0" => Some(0),
            b"\\n" => Some(10),
            b"\\t" => Some(9),
            _ => None,
        };
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(&digits[1..], 8).ok(),
        None => digits.parse().ok(),
    }
}

/// Whether source and compiled comparison hold together (or exactly not together); `None` where neither is sure.
fn agrees(source: Relation, left: &Operand, right: &Operand, compiled: &Comparison) -> Option<bool> {
    // With a constant on the left, the same seen from the other side.
    let (relation, constant) = match (compiled.left, compiled.right) {
        (Some(constant), None) => (mirrored(compiled.relation), Some(constant)),
        (None, constant) => (compiled.relation, constant),
        (Some(_), Some(_)) => return None,
    };
    let Some(constant) = constant else {
        // Neither may be a constant that the compiler keeps in a local: `x >= 6` may then be `5 < x`.
        if *left != Operand::Other || *right != Operand::Other {
            return None;
        }
        // Swapped operands keep strictness, the opposite changes it.
        let same = relation == source || relation == mirrored(source);
        let opposite = relation == negated(source) || relation == mirrored(negated(source));
        return if same { Some(true) } else { (opposite && !compiled.float).then_some(false) };
    };
    if compiled.float {
        return None;
    }
    let (source, value) = match (left, right) {
        (Operand::Other, Operand::Literal(value)) => (source, Some(*value)),
        (Operand::Literal(value), Operand::Other) => (mirrored(source), Some(*value)),
        (Operand::Other, Operand::Named) => (source, None),
        (Operand::Named, Operand::Other) => (mirrored(source), None),
        _ => return None,
    };
    // Compilers turn `x > 0` into `x >= 1`: what counts is for which x it holds. A named constant may be next to theirs.
    let values = match value {
        Some(value) => vec![value],
        None => vec![constant, constant.saturating_sub(1), constant.saturating_add(1)],
    };
    values.into_iter().find_map(|value| same_on_integers((source, value), (relation, constant))).or_else(|| {
        // `byte < 0x80` is compiled as a test of the sign.
        let negative = same_on_integers((Relation::Lt, 0), (relation, constant))?;
        let largest = [i64::from(i8::MAX), i64::from(i16::MAX), i64::from(i32::MAX)];
        let tests_sign = |most: i64| same_on_integers((source, value?), (Relation::Gt, most));
        largest.into_iter().find_map(tests_sign).map(|above| above == negative)
    })
}

fn same_on_integers(a: (Relation, i64), b: (Relation, i64)) -> Option<bool> {
    let around = |value: i64| [value.saturating_sub(1), value, value.saturating_add(1)];
    let points: Vec<i64> = around(a.1).into_iter().chain(around(b.1)).collect();
    let equal = points.iter().filter(|x| holds(a.0, **x, a.1) == holds(b.0, **x, b.1)).count();
    if equal == points.len() { Some(true) } else { (equal == 0).then_some(false) }
}

fn holds(relation: Relation, x: i64, y: i64) -> bool {
    match relation {
        Relation::Eq => x == y,
        Relation::Ne => x != y,
        Relation::Lt => x < y,
        Relation::Le => x <= y,
        Relation::Gt => x > y,
        Relation::Ge => x >= y,
    }
}

fn mirrored(relation: Relation) -> Relation {
    match relation {
        Relation::Lt => Relation::Gt,
        Relation::Le => Relation::Ge,
        Relation::Gt => Relation::Lt,
        Relation::Ge => Relation::Le,
        same => same,
    }
}

fn negated(relation: Relation) -> Relation {
    match relation {
        Relation::Eq => Relation::Ne,
        Relation::Ne => Relation::Eq,
        Relation::Lt => Relation::Ge,
        Relation::Le => Relation::Gt,
        Relation::Gt => Relation::Le,
        Relation::Ge => Relation::Lt,
    }
}

fn relation(text: &str) -> Option<Relation> {
    Some(match text {
        "==" => Relation::Eq,
        "!=" => Relation::Ne,
        "<" => Relation::Lt,
        "<=" => Relation::Le,
        ">" => Relation::Gt,
        ">=" => Relation::Ge,
        _ => return None,
    })
}

#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    start: usize,
    text: &'a str,
}

/// Operators of more than one character that a line is cut into.
const LONG: [&str; 22] = [
    "<<=", ">>=", "...", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=",
];

fn tokens(line: &str) -> Vec<Token<'_>> {
    let bytes = line.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &line[at..];
        if rest.starts_with("//") || rest.starts_with("/*") {
            break;
        }
        let length = match bytes[at] {
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            quote @ (b'"' | b'\'') => quoted(&bytes[at..], quote),
            byte if is_word(byte) => bytes[at..].iter().take_while(|byte| is_word(**byte)).count(),
            _ => LONG.iter().find(|long| rest.starts_with(**long)).map_or(1, |long| long.len()),
        };
        let Some(text) = line.get(at..at + length) else { break };
        tokens.push(Token { start: at, text });
        at += length;
    }
    tokens
}

/// Letters of any language belong to words, and so do the digits and points of numbers.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80
}

/// The length of a string or character with its quotes.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// How many tokens next to a comparison belong to its operand: up to what binds less tightly.
fn operand_length<'a>(tokens: impl Iterator<Item = &'a Token<'a>>, side: Side) -> usize {
    let (open, close): (&[&str], &[&str]) = match side {
        Side::Left => (&[")", "]"], &["(", "["]),
        Side::Right => (&["(", "["], &[")", "]"]),
    };
    let (mut depth, mut length) = (0, 0);
    for token in tokens {
        let text = token.text;
        if open.contains(&text) {
            depth += 1;
        } else if close.contains(&text) {
            if depth == 0 {
                break;
            }
            depth -= 1;
        } else if depth == 0 && ends_operand(text) {
            break;
        }
        length += 1;
    }
    length
}

fn ends_operand(text: &str) -> bool {
    let assigns = text.ends_with('=') && !matches!(text, "==" | "!=" | "<=" | ">=");
    assigns
        || matches!(text, "&&" | "||" | "?" | ":" | ";" | "," | "{" | "}" | "!" | "&" | "|" | "^" | "return")
        || relation(text).is_some_and(|r| matches!(r, Relation::Eq | Relation::Ne))
}

#[cfg(test)]
mod tests {
    use super::{Condition, condition};
    use crate::branch_conditions::{Comparison, Relation};

    fn found(line: &str, operator: &str, relation: Relation, right: Option<i64>) -> Option<Condition> {
        let column = line.find(operator).unwrap() as u32 + 1;
        condition(line, column, &Comparison { offset: 0, relation, float: false, left: None, right })
    }

    #[track_caller]
    fn check(line: &str, operator: &str, compiled: (Relation, Option<i64>), expected: Option<(&str, bool)>) {
        let got = found(line, operator, compiled.0, compiled.1);
        assert_eq!(got.as_ref().map(|c| (c.text.as_str(), c.agrees)), expected);
    }

    #[test]
    fn of_two_variables_the_four_compiled_forms_are_told_apart() {
        let line = "        while (j > 0 && a[j - 1] > x) {";
        for (relation, agrees) in
            [(Relation::Gt, true), (Relation::Lt, true), (Relation::Le, false), (Relation::Ge, false)]
        {
            check(line, "> x", (relation, None), Some(("a[j - 1] > x", agrees)));
        }
        check(line, "> x", (Relation::Eq, None), None);
    }

    #[test]
    fn constants_may_be_moved_by_one() {
        let line = "while (j > 0 && a[j - 1] > x) {";
        check(line, "> 0", (Relation::Ge, Some(1)), Some(("j > 0", true)));
        check(line, "> 0", (Relation::Gt, Some(0)), Some(("j > 0", true)));
        check(line, "> 0", (Relation::Lt, Some(1)), Some(("j > 0", false)));
        check(line, "> 0", (Relation::Le, Some(0)), Some(("j > 0", false)));
        check(line, "> 0", (Relation::Gt, Some(1)), None);
        check("if (0 < j)", "<", (Relation::Ge, Some(1)), Some(("0 < j", true)));
        check("if (c >= '0' && c <= '9')", ">=", (Relation::Lt, Some(48)), Some(("c >= '0'", false)));
        check("if (i >= LIMIT)", ">=", (Relation::Gt, Some(7)), Some(("i >= LIMIT", true)));
        check("if (i >= LIMIT)", ">=", (Relation::Lt, Some(8)), Some(("i >= LIMIT", false)));
    }

    #[test]
    fn a_test_of_the_sign_is_a_comparison_with_half_the_range() {
        let line = "if (c < 0x80) continue;";
        check(line, "<", (Relation::Ge, Some(0)), Some(("c < 0x80", true)));
        check(line, "<", (Relation::Gt, Some(-1)), Some(("c < 0x80", true)));
        check(line, "<", (Relation::Lt, Some(0)), Some(("c < 0x80", false)));
        check("if (c > 127)", ">", (Relation::Lt, Some(0)), Some(("c > 127", true)));
        check("if (c > 126)", ">", (Relation::Lt, Some(0)), None);
    }

    #[test]
    fn equality_is_read_either_way() {
        check("return f(x, y) == g[y] ? 1 : 2;", "==", (Relation::Ne, None), Some(("f(x, y) == g[y]", false)));
        check("x = p != q;", "!=", (Relation::Ne, None), Some(("p != q", true)));
    }

    #[test]
    fn where_it_cannot_be_sure_it_says_nothing() {
        // A constant in the source that the compiled comparison does not have.
        check("if (x >= 6)", ">=", (Relation::Lt, None), None);
        // Something else at that place.
        check("y = x << 3;", "<<", (Relation::Lt, None), None);
        check("p->x = 3;", "->", (Relation::Gt, None), None);
        // Which side the constant is on is not known.
        check("if (x < limit)", "<", (Relation::Lt, Some(3)), None);
        let float = Comparison { offset: 0, relation: Relation::Le, float: true, left: None, right: None };
        assert_eq!(condition("x > y", 3, &float), None);
    }

    #[test]
    fn any_text_is_survived() {
        for line in ["", "'", "\"a\\", "\u{e9}\u{e9} > \u{e9}", "((((> x", "> ", "a >"] {
            for column in 0..8 {
                let compiled = Comparison { offset: 0, relation: Relation::Gt, float: false, left: None, right: None };
                let _ = condition(line, column, &compiled);
            }
        }
    }
}
