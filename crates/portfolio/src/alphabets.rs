//! Inputs that have to be one of some values, or valid UTF-8: whatever a technique makes is fitted to that before it is run.

use slowpath_program::call::{Among, utf8};
use slowpath_program::input::InputValues;
use slowpath_search::Target;

/// What a call says of its inputs besides their ranges, by the place of the input.
#[derive(Clone, Debug, Default)]
pub struct Alphabets {
    /// Sets of values.
    sets: Vec<(usize, Among)>,
    /// Texts of UTF-8, of so many bytes each.
    texts: Vec<(usize, usize)>,
}

impl Alphabets {
    /// Those of one size.
    pub fn of(target: &Target, n: i64) -> Alphabets {
        let specs = target.inputs(n).unwrap_or_default();
        let texts =
            specs.iter().enumerate().filter(|(_, spec)| spec.is_utf8).map(|(k, spec)| (k, spec.row())).collect();
        let sets = specs.into_iter().enumerate().filter_map(|(k, spec)| Some((k, spec.among?))).collect();
        Alphabets { sets, texts }
    }

    /// The input with every other value replaced by one of the set; None where nothing has to be. What is near stays near.
    pub fn fit(&self, input: &InputValues) -> Option<InputValues> {
        let mut fitted: Option<InputValues> = None;
        for (k, among) in &self.sets {
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
        for (k, row) in &self.texts {
            let Some(named) = input.0.get(*k) else { continue };
            if !named.bits.chunks(*row).all(utf8::is_valid) {
                let fitted = fitted.get_or_insert_with(|| input.clone());
                fitted.0[*k].bits.chunks_mut(*row).for_each(utf8::make_valid);
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
        let alphabets = Alphabets { sets: vec![(0, vec![-2, 5, 9].into())], texts: Vec::new() };
        let bits = vec![9, 0xfe, 3, 4, 0xff];
        let input = InputValues(vec![NamedInput { name: "s".into(), ty: ElemType::I8, scalar: false, bits }]);
        let fitted = alphabets.fit(&input).expect("something to fit");
        assert_eq!(fitted.0[0].bits, [9, 0xfe, 0xfe, 5, 9]);
        assert_eq!(alphabets.fit(&fitted), None);
    }
}
