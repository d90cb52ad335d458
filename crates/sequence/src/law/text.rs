//! Laws as people write them, and as C and Rust functions.

use super::condition::Condition;
use super::{Case, Law};
use crate::text::Language;
use std::fmt;

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a[i] = ")?;
        let exception = |case: &Case| match &case.when[..] {
            [Condition::At(position)] => Some(format!("a[{}] = {}", position.to_string().replace(' ', ""), case.value)),
            _ => None,
        };
        // Exceptions come first in the law and last in the sentence.
        let exceptions: Vec<String> = self.cases.iter().map_while(exception).collect();
        for case in &self.cases[exceptions.len()..] {
            let when: Vec<String> = case.when.iter().map(Condition::to_string).collect();
            write!(f, "{} if {}, ", case.value, when.join(" and "))?;
        }
        if exceptions.len() < self.cases.len() {
            write!(f, "else ")?;
        }
        write!(f, "{}", self.otherwise)?;
        if !exceptions.is_empty() {
            write!(f, ", except {}", exceptions.join(", "))?;
        }
        if let Some(width) = &self.width {
            let text = width.to_string();
            let under = if text.contains(' ') { format!("({text})") } else { text };
            write!(f, ", where r = ⌊i/{under}⌋, c = i mod {under}")?;
        }
        if self.from > 1 { write!(f, ", for n ≥ {}", self.from) } else { Ok(()) }
    }
}

impl Law {
    /// A C function of this name that gives the element at index `i` of the array of size `n`.
    pub fn to_c(&self, name: &str) -> String {
        let value = self.expression(Language::C);
        format!("static long long {name}(long long i, long long n) {{\n    return {value};\n}}\n")
    }

    /// A Rust function of this name that gives the element at index `i` of the array of size `n`.
    pub fn to_rust(&self, name: &str) -> String {
        let value = self.expression(Language::Rust);
        format!("#[allow(unused)]\nfn {name}(i: i64, n: i64) -> i64 {{\n    {value}\n}}\n")
    }

    /// The law as a C expression over `i` and `n`.
    pub fn c_expression(&self) -> String {
        self.expression(Language::C)
    }

    /// The law as a Rust expression over `i` and `n`.
    pub fn rust_expression(&self) -> String {
        self.expression(Language::Rust)
    }

    fn expression(&self, language: Language) -> String {
        let width = self.width.as_ref();
        let mut text = self.otherwise.source_in(language, width);
        for case in self.cases.iter().rev() {
            let when: Vec<String> = case.when.iter().map(|condition| condition.source(language, width)).collect();
            let (when, value) = (when.join(" && "), case.value.source_in(language, width));
            text = match language {
                Language::C => format!("{when} ? {value} : {text}"),
                Language::Rust if text.starts_with("if ") => format!("if {when} {{ {value} }} else {text}"),
                Language::Rust => format!("if {when} {{ {value} }} else {{ {text} }}"),
            };
        }
        text
    }
}
