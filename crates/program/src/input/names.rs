//! The names of inputs that a program makes while it runs.

use std::collections::{HashMap, HashSet};

/// Gives each input of a run its own name: the first `x` is called `x`, the next ones `x.1`, `x.2`, …
#[derive(Clone, Debug, Default)]
pub struct NameCounter {
    taken: HashSet<String>,
    /// The last number given for a name.
    numbers: HashMap<String, u64>,
}

impl NameCounter {
    /// The name of the next input that the program calls `base`. Names the program itself uses are passed over.
    pub fn fresh(&mut self, base: &str) -> String {
        if self.taken.insert(base.to_owned()) {
            return base.to_owned();
        }
        let number = self.numbers.entry(base.to_owned()).or_insert(0);
        loop {
            *number += 1;
            let name = format!("{base}.{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NameCounter;

    #[test]
    fn repeated_names_are_numbered_and_names_in_use_are_passed_over() {
        let mut names = NameCounter::default();
        let given = ["x", "y", "x", "x.2", "x", "y", "x.1"].map(|base| names.fresh(base));
        assert_eq!(given, ["x", "y", "x.1", "x.2", "x.3", "y.1", "x.1.1"]);
    }
}
