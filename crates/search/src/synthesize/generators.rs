//! Induction variable sequence generators: one for every leaf of every point, inferred from small traces and held against larger ones.

use slowpath_sequence::{Generator, infer};

use super::leaf_vector::Template;
use super::points::{Group, Of};
use super::trace::Trace;

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

/// Generators for all leaves of a group. The last `held_out` traces only judge.
pub(super) fn model(group: &Group, traces: &[Trace], held_out: usize) -> Result<Modelled, NoSequence> {
    let leaves_of = |trace: &Vec<Vec<i64>>| trace.len();
    let count = group.sequences.first().map_or(0, leaves_of);
    let learn = traces.len().saturating_sub(held_out);
    let mut leaves = Vec::with_capacity(count);
    let mut failed: Option<Vec<u64>> = None;
    for leaf in 0..count {
        let alone: Samples = sample(group, traces, |vector| vector[leaf].clone());
        let mut found = judged(&alone, learn, &mut failed).map(Leaf::Alone);
        for earlier in 0..leaf {
            if found.is_some() {
                break;
            }
            let after = sample(group, traces, |vector| {
                vector[leaf].iter().zip(&vector[earlier]).map(|(a, b)| a.wrapping_sub(*b)).collect()
            });
            found = judged(&after, learn, &mut failed).map(|plus| Leaf::After { leaf: earlier, plus });
        }
        match found {
            Some(found) => leaves.push(found),
            None => {
                let held_out = failed.is_some();
                let sizes = failed.unwrap_or_else(|| traces.iter().map(|trace| trace.size).collect());
                return Err(NoSequence { leaf, sizes, held_out });
            }
        }
    }
    Ok(Modelled { of: group.of, template: group.template.clone(), leaves })
}

type Samples = Vec<(u64, Vec<i64>)>;

fn sample(group: &Group, traces: &[Trace], of: impl Fn(&Vec<Vec<i64>>) -> Vec<i64>) -> Samples {
    traces.iter().zip(&group.sequences).map(|(trace, vectors)| (trace.size, of(vectors))).collect()
}

/// The generator of the first samples, if it makes the others.
fn judged(samples: &Samples, learn: usize, failed: &mut Option<Vec<u64>>) -> Option<Generator> {
    let generator = infer(&samples[..learn])?;
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
