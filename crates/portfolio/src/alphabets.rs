//! Inputs that have to be one of some values: whatever a technique makes is fitted to them before it is run.

use slowpath_program::call::Among;
use slowpath_program::input::InputValues;
use slowpath_search::Target;

/// The sets of values that a call names, by the place of the input.
#[derive(Clone, Debug, Default)]
pub struct Alphabets(Vec<(usize, Among)>);

impl Alphabets {
    /// Those of one size.
    pub fn of(target: &Target, n: i64) -> Alphabets {
        let specs = target.inputs(n).unwrap_or_default().into_iter().enumerate();
        Alphabets(specs.filter_map(|(k, spec)| Some((k, spec.among?))).collect())
    }

    /// The input with every other value replaced by one of the set; None where nothing has to be. What is near stays near.
    pub fn fit(&self, input: &InputValues) -> Option<InputValues> {
        let mut fitted: Option<InputValues> = None;
        for (k, among) in &self.0 {
            let Some(named) = input.0.get(*k) else { continue };
            let ty = named.ty;
            let value = |bits: u64| i64::try_from(ty.integer(bits)).unwrap_or(i64::MAX);
            let is_allowed = |bits: &u64| among.binary_search(&value(*bits)).is_ok();
            if among.is_empty() || named.bits.iter().all(is_allowed) {
                continue;
            }
            let fitted = fitted.get_or_insert_with(|| input.clone());
            for bits in fitted.0[*k].bits.iter_mut().filter(|bits| !is_allowed(bits)) {
                // By remainder, so that all of the set are reached and different values mostly stay different.
                let index = value(*bits).rem_euclid(among.len() as i64) as usize;
                *bits = among.get(index).map_or(0, |value| *value as u64 & ty.mask());
            }
        }
        fitted
    }
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;

    #[test]
    fn fitted_inputs_have_allowed_values_only_and_keep_those_they_had() {
        let alphabets = Alphabets(vec![(0, vec![-2, 5, 9].into())]);
        let bits = vec![9, 0xfe, 3, 4, 0xff];
        let input = InputValues(vec![NamedInput { name: "s".into(), ty: ElemType::I8, scalar: false, bits }]);
        let fitted = alphabets.fit(&input).expect("something to fit");
        assert_eq!(fitted.0[0].bits, [9, 0xfe, 0xfe, 5, 9]);
        assert_eq!(alphabets.fit(&fitted), None);
    }
}
