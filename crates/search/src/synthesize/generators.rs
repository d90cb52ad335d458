//! Induction variable sequence generators: one for every leaf of every point, inferred from small traces and held against larger ones.

use std::fmt;

use slowpath_sequence::{Generator, infer};

use super::leaf_vector::Template;
use super::points::{Group, Of};

/// Sizes that something can be inferred from.
const FEWEST_SIZES: usize = 3;

/// How a leaf follows from the size.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    Alone(Generator),
    /// So much more than an earlier leaf of the same vector.
    After {
        leaf: usize,
        plus: Generator,
    },
}

/// A point whose conditions are known at every size.
#[derive(Clone, Debug)]
pub(super) struct Modelled {
    pub of: Of,
    pub template: Template,
    pub leaves: Vec<Leaf>,
}

/// A leaf that follows no known sequence.
pub(super) struct NoSequence {
    /// From 0.
    pub leaf: usize,
    /// Sizes of the traces it was looked for in; or at which what was inferred from smaller ones fails.
    pub sizes: Vec<u64>,
    pub held_out: bool,
}

impl fmt::Display for NoSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leaf = match self.leaf + 1 {
            1 => "first".to_owned(),
            2 => "second".to_owned(),
            3 => "third".to_owned(),
            number => format!("{number}th"),
        };
        let list: Vec<String> = self.sizes.iter().map(ToString::to_string).collect();
        let sizes = format!("{} {}", if list.len() == 1 { "size" } else { "sizes" }, list.join(", "));
        if self.held_out {
            write!(f, "the sequence inferred for the {leaf} leaf fails at {sizes}, which it was held against")
        } else {
            write!(f, "the {leaf} leaf follows no known sequence ({sizes})")
        }
    }
}

/// Generators for all leaves of a group, whose sequences are of these sizes. The last `held_out` sizes only judge.
pub(super) fn model(group: &Group, sizes: &[u64], held_out: usize) -> Result<Modelled, NoSequence> {
    let count = group.sequences.first().map_or(0, Vec::len);
    let learn = sizes.len().saturating_sub(held_out);
    let mut leaves = Vec::with_capacity(count);
    let mut failed: Option<Vec<u64>> = None;
    for leaf in 0..count {
        let alone: Samples = sample(group, sizes, |vector| vector[leaf].clone());
        let mut found = judged(&alone, learn, &mut failed).map(Leaf::Alone);
        for earlier in 0..leaf {
            if found.is_some() {
                break;
            }
            let after = sample(group, sizes, |vector| {
                vector[leaf].iter().zip(&vector[earlier]).map(|(a, b)| a.wrapping_sub(*b)).collect()
            });
            found = judged(&after, learn, &mut failed).map(|plus| Leaf::After { leaf: earlier, plus });
        }
        match found {
            Some(found) => leaves.push(found),
            None => {
                let held_out = failed.is_some();
                let sizes = failed.unwrap_or_else(|| sizes.to_vec());
                return Err(NoSequence { leaf, sizes, held_out });
            }
        }
    }
    Ok(Modelled { of: group.of, template: group.template.clone(), leaves })
}

type Samples = Vec<(u64, Vec<i64>)>;

fn sample(group: &Group, sizes: &[u64], of: impl Fn(&Vec<Vec<i64>>) -> Vec<i64>) -> Samples {
    sizes.iter().zip(&group.sequences).map(|(size, vectors)| (*size, of(vectors))).collect()
}

/// The generator of the first samples, if it makes the others.
fn judged(samples: &Samples, learn: usize, failed: &mut Option<Vec<u64>>) -> Option<Generator> {
    // A point that small sizes do not reach is modelled from where it is reached: what it would be before need not be nothing.
    let reached = samples[..learn].iter().position(|(_, values)| !values.is_empty()).unwrap_or(0);
    let from = if learn - reached >= FEWEST_SIZES { reached } else { 0 };
    let generator = infer(&samples[from..learn])?;
    let wrong: Vec<u64> = samples[learn..]
        .iter()
        .filter(|(size, values)| generator.generate(*size, values.len() + 1).as_ref() != Some(values))
        .map(|sample| sample.0)
        .collect();
    if wrong.is_empty() {
        return Some(generator);
    }
    *failed = Some(wrong);
    None
}

impl Modelled {
    /// The smallest size that all its generators hold for.
    pub fn from(&self) -> u64 {
        self.leaves.iter().map(|leaf| leaf.generator().from()).max().unwrap_or(0)
    }

    /// The leaf vectors of size n, leaf by leaf. `None`: more than `most` of them, or generators that do not go together.
    pub fn vectors(&self, n: u64, most: usize) -> Option<Vec<Vec<i64>>> {
        let mut all: Vec<Vec<i64>> = Vec::with_capacity(self.leaves.len());
        for leaf in &self.leaves {
            let mut numbers = leaf.generator().generate(n, most)?;
            if all.first().is_some_and(|first| first.len() != numbers.len()) {
                return None;
            }
            if let Leaf::After { leaf, .. } = leaf {
                for (number, earlier) in numbers.iter_mut().zip(&all[*leaf]) {
                    *number = number.wrapping_add(*earlier);
                }
            }
            all.push(numbers);
        }
        Some(all)
    }
}

impl Leaf {
    pub fn generator(&self) -> &Generator {
        match self {
            Leaf::Alone(generator) | Leaf::After { plus: generator, .. } => generator,
        }
    }
}
