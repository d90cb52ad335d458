//! Induction variable sequence generators: one for every leaf of every point, inferred from small traces and validated on larger ones.

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
    /// Another sequence for each remainder of the size.
    ByRemainder(Vec<Generator>),
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
            write!(f, "the sequence inferred for the {leaf} leaf fails at {sizes}, which it was validated on")
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
        match found.or_else(|| by_remainder(&alone, learn)) {
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

/// A generator for even sizes and one for odd ones; or one for each remainder by three.
fn by_remainder(samples: &Samples, learn: usize) -> Option<Leaf> {
    (2..=3).find_map(|by| {
        let class = |rest: u64| {
            let of_class: Samples = samples.iter().filter(|sample| sample.0 % by == rest).cloned().collect();
            let learn = samples[..learn].iter().filter(|sample| sample.0 % by == rest).count();
            judged(&of_class, learn, &mut None)
        };
        (0..by).map(class).collect::<Option<Vec<Generator>>>().map(Leaf::ByRemainder)
    })
}

impl Modelled {
    /// The smallest size that all its generators hold for.
    pub fn from(&self) -> u64 {
        self.leaves.iter().flat_map(Leaf::generators).map(Generator::from).max().unwrap_or(0)
    }

    /// The leaf vectors of size n, leaf by leaf. `None`: more than `most` of them, or generators that do not go together.
    pub fn vectors(&self, n: u64, most: usize) -> Option<Vec<Vec<i64>>> {
        let mut all: Vec<Vec<i64>> = Vec::with_capacity(self.leaves.len());
        for leaf in &self.leaves {
            let mut numbers = leaf.generator_at(n)?.generate(n, most)?;
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
    fn generators(&self) -> &[Generator] {
        match self {
            Leaf::Alone(generator) | Leaf::After { plus: generator, .. } => std::slice::from_ref(generator),
            Leaf::ByRemainder(all) => all,
        }
    }

    fn generator_at(&self, n: u64) -> Option<&Generator> {
        let all = self.generators();
        all.get(usize::try_from(n.checked_rem(all.len() as u64)?).ok()?)
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leaf::Alone(generator) => write!(f, "{generator}"),
            Leaf::After { leaf, plus } => write!(f, "leaf {} + {plus}", leaf + 1),
            Leaf::ByRemainder(all) => {
                let class = |(rest, one): (usize, &Generator)| format!("{one} where n mod {} is {rest}", all.len());
                f.write_str(&all.iter().enumerate().map(class).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesize::trace::Point;

    /// A point whose leaf vectors at size n are these, leaf by leaf; sizes 1 to 16, the last two held out.
    fn modelled(vectors: impl Fn(i64) -> Vec<Vec<i64>>) -> Result<Modelled, NoSequence> {
        let sizes: Vec<u64> = (1..=16).collect();
        let sequences = sizes.iter().map(|n| vectors(*n as i64)).collect();
        let group = Group { of: Of::Condition(Point::Assumed), template: Template(Vec::new()), sequences };
        model(&group, &sizes, 2)
    }

    #[test]
    fn leaves_follow_the_loops_around_them() {
        let vectors = |n: i64| {
            let (outer, inner) = ((1..n).flat_map(|i| vec![i; i as usize]), (1..n).flat_map(|i| (0..i).rev()));
            vec![inner.collect(), outer.collect()]
        };
        let found = modelled(vectors).ok().expect("a nested loop");
        assert_eq!(found.vectors(40, 10_000), Some(vectors(40)));
        assert_eq!(found.vectors(40, 100), None);
    }

    #[test]
    fn even_and_odd_sizes_may_differ() {
        let vectors = |n: i64| vec![if n % 2 == 0 { (0..n).collect() } else { (0..n).rev().collect() }];
        let found = modelled(vectors).ok().expect("two kinds of sizes");
        assert_eq!(found.vectors(40, 100), Some(vectors(40)));
        assert_eq!(found.vectors(41, 100), Some(vectors(41)));
    }

    #[test]
    fn a_leaf_without_a_rule_is_named_with_the_sizes() {
        let start =
            |n: i64| (0..n).scan(7i64, |x, _| Some(std::mem::replace(x, *x * 48_271 % 1009))).collect::<Vec<_>>();
        let none = modelled(|n| vec![start(n), start(n).iter().map(|x| x + 5).collect()]).expect_err("no rule");
        assert_eq!((none.leaf, none.held_out), (0, false));
        assert!(none.to_string().starts_with("the first leaf follows no known sequence (sizes 1, 2"), "{none}");
    }

    #[test]
    fn what_fails_at_held_out_sizes_is_no_model() {
        let none = modelled(|n| vec![vec![if n < 15 { n } else { -n }; 2]]).expect_err("it fails");
        assert_eq!((none.held_out, &none.sizes[..]), (true, &[15, 16][..]));
    }
}
