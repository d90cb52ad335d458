//! Which functions of a program are exported. What those do not need is neither linked nor missed.

use std::fmt;
use std::sync::Arc;

/// The functions a module is made for.
#[derive(Clone, Debug, Default)]
pub enum Wanted {
    /// All that the user's files define.
    #[default]
    All,
    /// The program as a whole, from `_start` on.
    Main,
    /// Those a name means; all, if it means none, so that a message can say what there is.
    Named(Name),
}

/// A function as the user calls it, and how to tell which symbols that means.
#[derive(Clone)]
pub struct Name {
    text: String,
    pick: Arc<Pick>,
}

/// From a name and all symbols to the indices of those it means.
type Pick = dyn Fn(&str, &[&str]) -> Vec<usize> + Send + Sync;

impl Name {
    /// `pick` is given the name and all symbols, and answers with the indices of those that are meant.
    pub fn new(text: impl Into<String>, pick: impl Fn(&str, &[&str]) -> Vec<usize> + Send + Sync + 'static) -> Name {
        Name { text: text.into(), pick: Arc::new(pick) }
    }

    /// The indices of the symbols that are meant.
    pub fn pick(&self, symbols: &[&str]) -> Vec<usize> {
        (self.pick)(&self.text, symbols)
    }

    /// The last part of the name, as it would stand in the source: `f` of `ns::f<int>`.
    pub fn identifier(&self) -> &str {
        let plain = self.text.split('<').next().unwrap_or(&self.text);
        plain.rsplit("::").next().unwrap_or(plain)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn the_identifier_is_what_the_source_says() {
        for (name, identifier) in [("f", "f"), ("ns::f<std::string>", "f"), ("a::b::c", "c")] {
            assert_eq!(Name::new(name, |_, _| Vec::new()).identifier(), identifier);
        }
    }
}
