//! Series: inputs that a harness makes one by one under one name (`letter`, `letter.1`, `letter.2` …) are one array to whoever looks for an order
//! among values.

use slowpath_program::input::{InputValues, NamedInput};

use crate::domain::Domain;

/// Every series as one array; all else as it is.
pub fn joined(input: &InputValues) -> InputValues {
    let mut out: Vec<NamedInput> = Vec::with_capacity(input.0.len());
    for named in &input.0 {
        match out.last_mut().filter(|before| goes_on(before, named)) {
            Some(before) => {
                before.scalar = false;
                before.bits.extend(&named.bits);
            }
            None => out.push(named.clone()),
        }
    }
    InputValues(out)
}

/// The domain with every series as one array. Whatever one of a series may be, the others may be too, as far as anybody knows.
pub fn joined_domain(domain: &Domain) -> Domain {
    let template = joined(&domain.template);
    let (mut each, mut ranges) = (domain.template.0.iter().zip(&domain.ranges), Vec::with_capacity(template.0.len()));
    for array in &template.0 {
        let (mut length, mut range) = (0, None);
        for (named, (low, high)) in each.by_ref() {
            let (least, most) = range.unwrap_or((*low, *high));
            range = Some((least.min(*low), most.max(*high)));
            length += named.bits.len();
            if length >= array.bits.len() {
                break;
            }
        }
        ranges.push(range.unwrap_or((0, 0)));
    }
    Domain { template, ranges, declared: domain.declared }
}

/// The values of joined inputs, as a template has them apart.
pub fn apart(joined: InputValues, template: &InputValues) -> InputValues {
    // Nothing was joined.
    if joined.0.len() == template.0.len() {
        return joined;
    }
    let mut values = joined.0.iter().flat_map(|array| array.bits.iter().copied());
    let mut out = template.clone();
    for (bits, value) in out.0.iter_mut().flat_map(|named| &mut named.bits).zip(&mut values) {
        *bits = value;
    }
    out
}

/// Whether a scalar was made after others under the same name.
fn goes_on(before: &NamedInput, named: &NamedInput) -> bool {
    let number = named.name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let is_next = |(name, number): (&str, &str)| name == before.name && number.parse() == Ok(before.bits.len());
    named.scalar && named.ty == before.ty && number.is_some_and(is_next)
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;

    use super::*;
    use crate::shapes::shaped;

    fn scalar(name: &str, value: u64) -> NamedInput {
        NamedInput { name: name.into(), ty: ElemType::I8, scalar: true, bits: vec![value] }
    }

    #[test]
    fn what_is_made_one_by_one_under_one_name_is_an_array() {
        let inputs =
            InputValues(vec![scalar("m", 1), scalar("x", 7), scalar("x.1", 8), scalar("x.2", 9), scalar("y", 2)]);
        let arrays = joined(&inputs);
        let lengths: Vec<usize> = arrays.0.iter().map(|array| array.bits.len()).collect();
        assert_eq!(lengths, [1, 3, 1]);
        assert_eq!(apart(arrays, &inputs), inputs);
        let domain = Domain { template: inputs, ranges: vec![(0, 0), (9, 9), (5, 5), (7, 7), (1, 1)], declared: false };
        assert_eq!(joined_domain(&domain).ranges, [(0, 0), (5, 9), (1, 1)]);
        let falls = |input: &InputValues| [1, 2, 3].map(|k| input.0[k].bits[0]) == [9, 8, 7];
        assert!(shaped(&domain).any(|input| falls(&input)));
    }
}
