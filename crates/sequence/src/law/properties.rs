//! Random laws: among what is inferred from small sizes is one that gives the same arrays at sizes not seen.

use super::*;
use crate::random::Random;
use crate::sum::{Atom, Term};

impl Random {
    /// A formula a·i + b·n + c with small factors.
    fn affine(&mut self) -> Parameter {
        let factors = [self.below(5) as i128 - 2, self.below(4) as i128 - 1, self.below(9) as i128 - 4];
        let atoms = [vec![Atom::I], vec![Atom::N], vec![]];
        let terms = factors.into_iter().zip(atoms).filter(|(factor, _)| *factor != 0);
        Parameter::of(Sum { terms: terms.map(|(factor, atoms)| Term { factor, atoms }).collect(), over: 1 })
    }

    fn position(&mut self) -> Parameter {
        match self.below(4) {
            0 => Parameter::constant(self.below(2) as i64),
            1 => Parameter::atom(Atom::FloorN { plus: 0, by: 2 }),
            2 => Parameter::atom(Atom::FloorN { plus: 1, by: 2 }),
            _ => Parameter::n_plus(-1 - self.below(2) as i128),
        }
    }

    fn law(&mut self, kind: u64) -> Law {
        let mut law = Law::plain(self.affine());
        let by = 2 + self.below(2) as u8;
        match kind {
            0 => {}
            1 => law
                .cases
                .extend((1..by).map(|is| Case { when: vec![Condition::Index { by, is }], value: self.affine() })),
            2 => law.cases.push(Case {
                when: vec![Condition::At(self.position())],
                value: Parameter::constant(self.below(90) as i64 + 50),
            }),
            3 => law.cases.push(Case { when: vec![Condition::Below(self.position())], value: self.affine() }),
            _ => {
                law.width = Some(Parameter::n_plus(0));
                law.otherwise = Parameter::constant(self.below(5) as i64);
                let when = vec![Condition::Rows(self.pick(&condition::Relation::ALL))];
                law.cases.push(Case { when, value: Parameter::constant(self.below(9) as i64 + 5) });
            }
        }
        law
    }
}

#[test]
fn random_laws_are_given_back_at_unseen_sizes() {
    let mut random = Random(11);
    let (mut first, mut later) = (0, 0);
    let mut missed = Vec::new();
    for round in 0..1000 {
        let law = random.law(round % 5);
        let length = |n: u64| if law.width.is_some() { (n * n) as usize } else { n as usize };
        let make = |n: u64| law.array(n, length(n)).expect("it was made to be evaluated");
        let samples: Vec<(u64, Vec<i64>)> = (2..=10).map(|n| (n, make(n))).collect();
        let same = |found: &Law| [15, 40].iter().all(|n| found.array(*n, length(*n)) == Some(make(*n)));
        match infer_law(&samples).iter().position(same) {
            Some(0) => first += 1,
            Some(_) => later += 1,
            None => missed.push(law.to_string()),
        }
    }
    assert!(missed.is_empty(), "{first} first, {later} later, {} missed:\n{}", missed.len(), missed.join("\n"));
    assert!(first >= 950, "the simplest was right in {first} of 1000 cases only, a later one in {later}");
}

#[test]
fn random_noise_never_panics_and_what_is_found_holds() {
    let mut random = Random(3);
    for _ in 0..300 {
        let extremes = [i64::MIN, i64::MAX, 0, 1, -1, 2];
        let samples: Vec<(u64, Vec<i64>)> = (0..random.below(9))
            .map(|n| {
                let len = random.below(6);
                (n, (0..len).map(|_| random.pick(&extremes)).collect())
            })
            .collect();
        for law in infer_law(&samples) {
            let covered: Vec<(u64, Vec<i64>)> = samples.iter().filter(|(n, _)| *n >= law.from).cloned().collect();
            assert!(fit::holds(&law, &covered), "{law} for {samples:?}");
        }
        if let Some(found) = crate::infer(&samples) {
            assert!(
                samples
                    .iter()
                    .filter(|(n, _)| *n >= found.from())
                    .all(|(n, v)| found.generate(*n, 99).as_ref() == Some(v))
            );
        }
    }
}
