//! Input laws of a document as source code: only what is plainly arithmetic is let through.

use slowpath_program::input::InputValues;

use crate::input_law::InputLawReport;

/// Longer expressions are not written.
const LONGEST: usize = 4096;

/// The elements of one input by index `i` and size `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawSource {
    /// In words.
    pub text: String,
    pub c: String,
    pub rust: String,
}

/// What an expression may name: the index, the size, and what laws are written with.
const C_WORDS: [&str; 6] = ["i", "n", "LL", "ULL", "__builtin_clzll", "__builtin_popcountll"];
const RUST_WORDS: [&str; 8] = ["i", "n", "i64", "from", "ilog2", "count_ones", "if", "else"];

/// The laws of these inputs, in their order.
pub fn sources(law: &InputLawReport, inputs: &InputValues) -> Option<Vec<LawSource>> {
    let source = |name: &String| {
        let formula = law.inputs.iter().find(|formula| formula.name == *name)?;
        let safe = is_arithmetic(&formula.c, &C_WORDS) && is_arithmetic(&formula.rust, &RUST_WORDS);
        safe.then(|| LawSource { text: formula.law.clone(), c: formula.c.clone(), rust: formula.rust.clone() })
    };
    let all: Option<Vec<LawSource>> = inputs.0.iter().map(|input| source(&input.name)).collect();
    all.filter(|laws| !laws.is_empty() && inputs.0.iter().all(|input| !input.ty.is_float()))
}

/// Whether a text is nothing but numbers, operators, brackets and these words. It cannot call, loop, declare or end a function.
fn is_arithmetic(text: &str, words: &[&str]) -> bool {
    let operators = |c: char| " +-*/%?:()<>=!&|.{}".contains(c);
    let harmless = |c: char| c.is_ascii_alphanumeric() || c == '_' || operators(c);
    if text.is_empty() || text.len() > LONGEST || !text.chars().all(harmless) {
        return false;
    }
    let is_comment = text.contains("//") || text.contains("/*");
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '(' | '{' => open.push(c),
            ')' if open.pop() != Some('(') => return false,
            '}' if open.pop() != Some('{') => return false,
            _ => {}
        }
    }
    let named = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let known = |word: &str| {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let suffix = word.starts_with(|c: char| c.is_ascii_digit());
        if suffix { ["", "LL", "ULL", "i64"].contains(&digits) } else { words.contains(&word) }
    };
    open.is_empty() && !is_comment && named.into_iter().all(known)
}

#[cfg(test)]
mod tests {
    use super::{C_WORDS, RUST_WORDS, is_arithmetic};

    #[test]
    fn laws_are_let_through() {
        for text in ["(n - i - 1)", "i == 0 ? 2147483648LL : (1LL << (63 - __builtin_clzll(n)))", "((n + 1) / 2)"] {
            assert!(is_arithmetic(text, &C_WORDS), "{text}");
        }
        for text in ["if i % 2 == 0 { 1 } else { (n / 2) }", "i64::from(n.ilog2())", "(1i64 << n.ilog2())"] {
            assert!(is_arithmetic(text, &RUST_WORDS), "{text}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for text in
            ["", "system(\"x\")", "i; exit(1)", "abort()", "1 /* x", "i)", "0; } int main(void) { return 1", "a"]
        {
            assert!(!is_arithmetic(text, &C_WORDS), "{text}");
        }
        for text in ["std::process::exit(1)", "loop {}", "i } fn x() { 1", "panic!()", "unsafe { i }"] {
            assert!(!is_arithmetic(text, &RUST_WORDS), "{text}");
        }
        assert!(!is_arithmetic(&"(".repeat(5000), &C_WORDS));
    }
}
