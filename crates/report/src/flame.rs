//! The member `flame`: where the worst input spends itself, by function and caller. And the forms that other tools read.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The functions of one run below their callers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flame {
    pub size: i64,
    /// Callers come before what they call.
    pub frames: Vec<FlameFrame>,
}

/// A function as it was called along one chain of calls; a recursion is one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlameFrame {
    /// The position of the caller in the list.
    pub caller: Option<usize>,
    pub function: String,
    /// Instructions that ran in it.
    pub own: u64,
    /// Those of what it calls too.
    pub total: u64,
    /// Whether its code is in the user's own files.
    pub is_own: bool,
}

impl Flame {
    /// The callers of a frame, outermost first, and the frame itself. A document that refers ahead is cut there.
    pub fn stack(&self, index: usize) -> Vec<usize> {
        let mut out = vec![index];
        let mut at = index;
        while let Some(caller) = self.frames.get(at).and_then(|frame| frame.caller).filter(|caller| *caller < at) {
            out.push(caller);
            at = caller;
        }
        out.reverse();
        out
    }

    /// Collapsed stacks, a line each: `main;sort;less 120`.
    pub fn folded(&self) -> String {
        let mut out = String::new();
        for (index, frame) in self.frames.iter().enumerate().filter(|(_, frame)| frame.own > 0) {
            let name = |at: &usize| self.frames[*at].function.replace(';', ":").replace(['\n', '\r'], " ");
            let names: Vec<String> = self.stack(index).iter().map(name).collect();
            out += &format!("{} {}\n", names.join(";"), frame.own);
        }
        out
    }

    /// A file for speedscope.
    pub fn speedscope(&self, name: &str, version: &str) -> Value {
        let mut names: Vec<&str> = Vec::new();
        let mut at: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
        for frame in &self.frames {
            at.entry(&frame.function).or_insert_with(|| {
                names.push(&frame.function);
                names.len() - 1
            });
        }
        let stacks = self.frames.iter().enumerate().filter(|(_, frame)| frame.own > 0);
        let (samples, weights): (Vec<Vec<usize>>, Vec<u64>) = stacks
            .map(|(index, frame)| {
                let stack = self.stack(index).iter().map(|i| at[self.frames[*i].function.as_str()]).collect();
                (stack, frame.own)
            })
            .unzip();
        json!({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "exporter": format!("slowpath {version}"),
            "name": name,
            "activeProfileIndex": 0,
            "shared": {"frames": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()},
            "profiles": [{
                "type": "sampled", "name": name, "unit": "none",
                "startValue": 0, "endValue": weights.iter().sum::<u64>(), "samples": samples, "weights": weights,
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Flame, FlameFrame};

    fn frame(caller: Option<usize>, function: &str, own: u64, total: u64) -> FlameFrame {
        FlameFrame { caller, function: function.to_owned(), own, total, is_own: true }
    }

    #[test]
    fn stacks_are_folded_and_sampled() {
        let frames = vec![frame(None, "main", 0, 9), frame(Some(0), "a;b", 4, 9), frame(Some(1), "less", 5, 5)];
        let flame = Flame { size: 3, frames };
        assert_eq!(flame.folded(), "main;a:b 4\nmain;a:b;less 5\n");
        let scope = flame.speedscope("f", "0");
        assert_eq!(scope["profiles"][0]["samples"], serde_json::json!([[0, 1], [0, 1, 2]]));
        assert_eq!(scope["profiles"][0]["endValue"], 9);
    }

    #[test]
    fn a_document_that_refers_in_a_circle_ends() {
        let flame = Flame { size: 1, frames: vec![frame(Some(1), "a", 1, 1), frame(Some(0), "b", 1, 1)] };
        assert_eq!((flame.stack(0), flame.stack(1)), (vec![0], vec![0, 1]));
    }
}
