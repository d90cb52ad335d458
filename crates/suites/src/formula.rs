//! Formulas in suite descriptions: whole numbers, names, + - * / % and parentheses; `2 n (n + 1)` multiplies too.

use std::fmt::Debug;

/// Parentheses deeper than this are taken for a slip.
const DEEPEST: usize = 100;

/// The value of a formula under these names.
pub(crate) fn evaluate(text: &str, names: &[(&str, i64)]) -> Result<i64, String> {
    let mut parser = Parser { rest: text, names, depth: 0 };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(format!("'{}' is not understood in the formula '{text}'", parser.rest.trim())),
    }
}

struct Parser<'a> {
    rest: &'a str,
    names: &'a [(&'a str, i64)],
    depth: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn sum(&mut self) -> Result<i64, String> {
        let mut value = self.product()?;
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.skip(1);
            let next = self.product()?;
            value = checked(if sign == '+' { value.checked_add(next) } else { value.checked_sub(next) })?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut value = self.factor()?;
        while let Some(next) = self.peek() {
            value = match next {
                '*' | '/' | '%' => {
                    self.skip(1);
                    let right = self.factor()?;
                    checked(match next {
                        '*' => value.checked_mul(right),
                        '/' => value.checked_div(right),
                        _ => value.checked_rem(right),
                    })?
                }
                c if c == '(' || c.is_ascii_alphanumeric() => checked(value.checked_mul(self.factor()?))?,
                _ => break,
            };
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<i64, String> {
        match self.peek() {
            Some('-') => {
                self.skip(1);
                self.nested(|parser| parser.factor().and_then(|value| checked(value.checked_neg())))
            }
            Some('(') => {
                self.skip(1);
                let value = self.nested(Self::sum)?;
                if self.peek() != Some(')') {
                    return Err("a parenthesis is not closed".to_owned());
                }
                self.skip(1);
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() => self.word(|c| c.is_ascii_digit()).parse().map_err(|_| too_large()),
            Some(c) if c.is_ascii_alphabetic() => {
                let names = self.names;
                let name = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
                let known = names.iter().find(|(known, _)| *known == name);
                known.map(|(_, value)| *value).ok_or_else(|| format!("'{name}' is not known here"))
            }
            Some(c) => Err(format!("'{c}' is not understood")),
            None => Err("the formula ends too early".to_owned()),
        }
    }

    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Result<i64, String>) -> Result<i64, String> {
        if self.depth == DEEPEST {
            return Err("the formula is nested too deeply".to_owned());
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

fn checked<T: Debug>(value: Option<T>) -> Result<T, String> {
    value.ok_or_else(too_large)
}

fn too_large() -> String {
    "a number is too large, or divided by 0".to_owned()
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    #[test]
    fn formulas_of_the_suites_are_understood() {
        let names = [("n", 5), ("i", 14), ("branches", 40)];
        for (text, value) in [
            ("branches + 1", 41),
            ("branches + 2 n (n + 1)", 100),
            ("i % 15 / 14 * (i / 15 + 1)", 1),
            ("n - i % n", 1),
            ("-1", -1),
            ("122", 122),
            ("3 n*n - (n - 1)", 71),
        ] {
            assert_eq!(evaluate(text, &names), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        let deep = "(".repeat(5000);
        for text in ["", "n +", "(n", "n)", "m", "n / 0", "99999999999999999999", "n ! 2", deep.as_str()] {
            assert!(evaluate(text, &[("n", 5)]).is_err(), "{text}");
        }
    }
}
