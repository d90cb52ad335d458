//! Sums and parameters as people write them, and as C and Rust source.

use crate::parameter::Parameter;
use crate::ratio::gcd;
use crate::sum::{Atom, Sum, Term};
use std::fmt;

/// A language that a formula can be exported to. Indices and sizes are 64-bit signed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Rust,
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Atom::N => write!(f, "n"),
            Atom::I => write!(f, "i"),
            Atom::Row => write!(f, "r"),
            Atom::Column => write!(f, "c"),
            Atom::FloorN { plus: 0, by } => write!(f, "⌊n/{by}⌋"),
            Atom::FloorN { plus, by } if plus + 1 == by => write!(f, "⌈n/{by}⌉"),
            Atom::FloorN { plus, by } => write!(f, "⌊(n + {plus})/{by}⌋"),
            Atom::FloorI { by } => write!(f, "⌊i/{by}⌋"),
            Atom::FloorLog => write!(f, "⌊log₂ n⌋"),
            Atom::CeilLog => write!(f, "⌈log₂ n⌉"),
            Atom::FloorPower => write!(f, "2^⌊log₂ n⌋"),
            Atom::CeilPower => write!(f, "2^⌈log₂ n⌉"),
            Atom::Ones => write!(f, "ones(i)"),
        }
    }
}

/// The atoms of a term with powers, `i·n²`.
fn atoms_text(atoms: &[Atom]) -> String {
    const POWERS: [&str; 5] = ["", "", "²", "³", "⁴"];
    let mut text = String::new();
    for group in atoms.chunk_by(|a, b| a == b) {
        if !text.is_empty() {
            text.push('·');
        }
        text.push_str(&group[0].to_string());
        match POWERS.get(group.len()) {
            Some(power) => text.push_str(power),
            None => text.push_str(&format!("^{}", group.len())),
        }
    }
    text
}

/// The terms joined by signs, beginning with one that is not negative if there is one: `n - i` rather than `-i + n`.
fn join_signed(terms: &[Term], text: impl Fn(&Term) -> String) -> String {
    let first = terms.iter().position(|term| term.factor > 0).unwrap_or(0);
    let order = terms.iter().skip(first).take(1).chain(terms.iter().take(first)).chain(terms.iter().skip(first + 1));
    let mut all = String::new();
    for term in order {
        let negative = term.factor < 0;
        all.push_str(match (all.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        all.push_str(&text(term));
    }
    if all.is_empty() { "0".to_string() } else { all }
}

fn term_text(term: &Term, over: i128) -> String {
    let divisor = gcd(term.factor, over).filter(|divisor| *divisor > 0).unwrap_or(1);
    let (factor, over) = ((term.factor / divisor).unsigned_abs(), over / divisor);
    let atoms = atoms_text(&term.atoms);
    let top = match (factor, atoms.is_empty()) {
        (_, true) => factor.to_string(),
        (1, false) => atoms,
        _ => format!("{factor}·{atoms}"),
    };
    if over == 1 { top } else { format!("{top}/{over}") }
}

impl Sum {
    /// `(n - 1)/2` where the ordinary form would be `n/2 - 1/2`.
    fn over_one_line(&self) -> String {
        let top = join_signed(&self.terms, |term| term_text(term, 1));
        match (self.over, self.terms.len()) {
            (1, _) => top,
            (over, 0 | 1) => join_signed(&self.terms, |term| term_text(term, over)),
            (over, _) => format!("({top})/{over}"),
        }
    }

    pub(crate) fn source(&self, language: Language, width: Option<&Parameter>) -> String {
        let text = |term: &Term| {
            let factor = term.factor.unsigned_abs();
            let atoms: Vec<String> = term.atoms.iter().map(|atom| atom_source(*atom, language, width)).collect();
            match (factor, atoms.is_empty()) {
                (_, true) => literal(factor, language),
                (1, false) => atoms.join(" * "),
                _ => format!("{} * {}", literal(factor, language), atoms.join(" * ")),
            }
        };
        let top = join_signed(&self.terms, text);
        match (self.over, self.terms.len()) {
            (1, 0 | 1) if !top.starts_with('-') => top,
            (1, _) => format!("({top})"),
            (over, _) => format!("(({top}) / {over})"),
        }
    }
}

/// A factor without its sign. That of the smallest number fits unsigned only, and wraps around to what it should be.
fn literal(factor: u128, language: Language) -> String {
    match language {
        Language::C if factor == 1 << 63 => format!("{factor}ULL"),
        Language::C if factor > i32::MAX as u128 => format!("{factor}LL"),
        _ => factor.to_string(),
    }
}

fn atom_source(atom: Atom, language: Language, width: Option<&Parameter>) -> String {
    use Language::{C, Rust};
    let row = || width.map_or("n".to_string(), |width| width.source(language));
    match (atom, language) {
        (Atom::N, _) => "n".to_string(),
        (Atom::I, _) => "i".to_string(),
        (Atom::Row, _) => format!("(i / {})", row()),
        (Atom::Column, _) => format!("(i % {})", row()),
        (Atom::FloorN { plus: 0, by }, _) => format!("(n / {by})"),
        (Atom::FloorN { plus, by }, _) => format!("((n + {plus}) / {by})"),
        (Atom::FloorI { by }, _) => format!("(i / {by})"),
        (Atom::FloorLog, C) => "(63 - __builtin_clzll(n))".to_string(),
        (Atom::FloorLog, Rust) => "i64::from(n.ilog2())".to_string(),
        (Atom::CeilLog, C) => "(n > 1 ? 64 - __builtin_clzll(n - 1) : 0)".to_string(),
        (Atom::CeilLog, Rust) => "(if n > 1 { i64::from((n - 1).ilog2()) + 1 } else { 0 })".to_string(),
        (Atom::FloorPower, C) => "(1LL << (63 - __builtin_clzll(n)))".to_string(),
        (Atom::FloorPower, Rust) => "(1i64 << n.ilog2())".to_string(),
        (Atom::CeilPower, C) => "(n > 1 ? 1LL << (64 - __builtin_clzll(n - 1)) : 1)".to_string(),
        (Atom::CeilPower, Rust) => "(if n > 1 { 2i64 << (n - 1).ilog2() } else { 1 })".to_string(),
        (Atom::Ones, C) => "__builtin_popcountll(i)".to_string(),
        (Atom::Ones, Rust) => "i64::from(i.count_ones())".to_string(),
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", join_signed(&self.terms, |term| term_text(term, self.over)))
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.classes[..] {
            [sum] => write!(f, "{sum}"),
            [even, odd] => write!(f, "{} if n is even, {} if odd", even.over_one_line(), odd.over_one_line()),
            classes => {
                let by = classes.len();
                let texts: Vec<String> = classes
                    .iter()
                    .enumerate()
                    .map(|(rest, sum)| format!("{} if n mod {by} = {rest}", sum.over_one_line()))
                    .collect();
                write!(f, "{}", texts.join(", "))
            }
        }
    }
}

impl Parameter {
    pub(crate) fn source(&self, language: Language) -> String {
        self.source_in(language, None)
    }

    pub(crate) fn source_in(&self, language: Language, width: Option<&Parameter>) -> String {
        let by = self.classes.len();
        let mut classes = self.classes.iter().enumerate().rev();
        let mut text = classes.next().map_or("0".to_string(), |(_, sum)| sum.source(language, width));
        for (rest, sum) in classes {
            let value = sum.source(language, width);
            text = match language {
                Language::C => format!("(n % {by} == {rest} ? {value} : {text})"),
                Language::Rust => format!("(if n % {by} == {rest} {{ {value} }} else {{ {text} }})"),
            };
        }
        text
    }
}
