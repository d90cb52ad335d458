//! Random generators: what is inferred from their small sizes makes the same at sizes not seen.

use super::*;
use crate::random::Random;
use crate::sum::{Atom, Sum, Term};

impl Random {
    /// A value: constant, affine, or by a half.
    fn value(&mut self) -> Parameter {
        let (factor, plus) = (self.pick(&[0, 0, 1, 1, -1, 2]), self.below(7) as i128 - 2);
        let atom = self.pick(&[Atom::N, Atom::N, Atom::N, Atom::FloorN { plus: 0, by: 2 }]);
        let mut sum = Sum::constant(plus);
        if factor != 0 {
            sum.terms.insert(0, Term { factor, atoms: vec![atom] });
        }
        Parameter::of(sum)
    }

    /// A count that grows with n.
    fn count(&mut self) -> Parameter {
        Parameter::n_plus(self.below(3) as i128)
    }

    /// A line of as many numbers as the count says: a start and a stride make the last.
    fn line(&mut self, count: &Parameter) -> Shape {
        let value = self.value();
        let stride = self.pick(&[-2i64, -1, 0, 0, 1, 1, 2, 3]);
        if stride == 0 {
            return Shape::Const { value: one(value), count: one(count.clone()) };
        }
        // last = start + stride · (count - 1), and counts are n plus something
        let less_one = count.value(0).unwrap_or(0) - 1;
        let mut last = value.classes[0].clone();
        let n = Term { factor: i128::from(stride), atoms: vec![Atom::N] };
        last.terms.push(n);
        last.terms.push(Term { factor: i128::from(stride) * less_one, atoms: vec![] });
        Shape::Incre { start: one(value), last: one(Parameter::of(last)), stride: Parameter::constant(stride) }
    }

    fn shape(&mut self, kind: u64) -> Shape {
        let count = self.count();
        match kind {
            0 => self.line(&count),
            1 => {
                // const(X, X): the counts of a triangle or of a rectangle
                let counts = match self.below(2) {
                    0 => Shape::Incre {
                        start: one(Parameter::constant(1)),
                        last: one(count.clone()),
                        stride: Parameter::constant(1),
                    },
                    _ => Shape::Const { value: one(self.count()), count: one(count.clone()) },
                };
                Shape::Const { value: Box::new(self.line(&count)), count: Box::new(counts) }
            }
            2 => {
                // incre(X, X, d): down from a growing start to one end, or up from a falling one
                let end = self.below(4) as i64 - 1;
                let starts = Shape::Incre {
                    start: one(Parameter::constant(end)),
                    last: one(Parameter::n_plus(i128::from(end) + 1)),
                    stride: Parameter::constant(1),
                };
                let ends = Shape::Const { value: one(Parameter::constant(end)), count: one(Parameter::n_plus(2)) };
                Shape::Incre { start: Box::new(starts), last: Box::new(ends), stride: Parameter::constant(-1) }
            }
            3 => Shape::Cycle((0..2 + self.below(2)).map(|_| self.line(&count)).collect()),
            4 => Shape::Concat(vec![Shape::One(self.value()), self.line(&count)]),
            5 => Shape::Concat(vec![self.line(&count), Shape::One(self.value())]),
            _ => {
                let other = self.count();
                Shape::Concat(vec![self.line(&count), self.line(&other)])
            }
        }
    }
}

fn one(value: Parameter) -> Box<Shape> {
    Box::new(Shape::One(value))
}

#[test]
fn random_generators_are_given_back_at_unseen_sizes() {
    let mut random = Random(7);
    let (mut given_back, mut none) = (0, 0);
    let mut wrong = Vec::new();
    for round in 0..1400 {
        let generator = Generator { from: 1, shape: random.shape(round % 7) };
        let make = |n: u64| generator.generate(n, 100_000).expect("it was made to be generated");
        let samples: Vec<(u64, Vec<i64>)> = (1..=8).map(|n| (n, make(n))).collect();
        match infer(&samples) {
            Some(found) if [15, 40].iter().all(|n| found.generate(*n, 100_000) == Some(make(*n))) => given_back += 1,
            Some(found) => wrong.push(format!("{generator}  found  {found}")),
            None => none += 1,
        }
    }
    assert!(wrong.is_empty(), "{} of 1400 wrong, {none} without:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((given_back, none), (1400, 0));
}
