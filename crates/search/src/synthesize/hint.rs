//! Where the solver may begin: the inputs of small worst paths as formulas, if they have any.
//!
//! The path condition alone decides. But one of sums is long to solve from nothing, and at once checked where a formula gives a
//! solution already.

use slowpath_program::input::InputValues;
use slowpath_sequence::{Law, infer_law};
use slowpath_term::{InputId, Model};

use super::path_condition::Inputs;

/// The values of each input, by the laws of the small ones; an input without a law is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Hint {
    laws: Vec<Vec<Law>>,
}

impl Hint {
    /// The laws of the inputs of small sizes.
    pub fn infer(examples: &[(u64, &InputValues)]) -> Hint {
        let Some((_, last)) = examples.last() else { return Hint::default() };
        let laws = last.0.iter().enumerate().map(|(at, named)| {
            if named.ty.is_float() {
                return Vec::new();
            }
            let sample = |(n, input): &(u64, &InputValues)| {
                let bits = &input.0.get(at)?.bits;
                let numbers = bits.iter().map(|bits| i64::try_from(named.ty.integer(*bits)).ok());
                Some((*n, numbers.collect::<Option<Vec<i64>>>()?))
            };
            examples.iter().map(sample).collect::<Option<Vec<_>>>().map_or_else(Vec::new, |all| infer_law(&all))
        });
        Hint { laws: laws.collect() }
    }

    /// The model at size n.
    pub fn model(&self, n: u64, inputs: &Inputs<'_>) -> Model {
        let mut values: Vec<(InputId, u64)> = Vec::new();
        for (record, laws) in self.laws.iter().enumerate() {
            let Some(law) = laws.first() else { continue };
            let Some(numbers) = law.array(n, inputs.count(record as u32)) else { continue };
            let element = |(at, number): (usize, i64)| Some((inputs.id(record as u32, at as i64)?, number as u64));
            values.extend(numbers.into_iter().enumerate().filter_map(element));
        }
        Model::new().with_all(values)
    }
}
