//! Inputs near a given one: values exchanged, copied, or moved past another.

use slowpath_term::{InputId, Model};

use crate::node::Node;
use crate::rng::Rng;

/// Which bits each input of a path has.
pub(crate) fn masks(node: &Node) -> Vec<u64> {
    node.state.unknowns().into_iter().map(|(mask, _)| mask).collect()
}

/// An input that differs from the model's in a few values; `None` where there are no two to play with.
pub(crate) fn nearby(model: &Model, masks: &[u64], rng: &mut Rng) -> Option<Model> {
    if masks.len() < 2 {
        return None;
    }
    let mut values: Vec<u64> = (0..masks.len()).map(|i| model.get(InputId(i as u32))).collect();
    loop {
        let i = rng.below(masks.len() as u64) as usize;
        let j = rng.below(masks.len() as u64) as usize;
        let (a, b) = (values[i], values[j]);
        match rng.below(4) {
            0 | 1 => (values[i], values[j]) = (b & masks[i], a & masks[j]),
            2 => values[i] = b & masks[i],
            _ => values[i] = (if rng.below(2) == 0 { b.wrapping_add(1) } else { b.wrapping_sub(1) }) & masks[i],
        }
        if rng.below(2) == 0 {
            return Some(Model::from_values(values));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_little_and_fit_their_inputs() {
        let masks = [0xFF, 0xFFFF_FFFF, 0xFF, u64::MAX, 1];
        let model = Model::from_values(vec![3, 0xABCD_1234, 200, u64::MAX, 1]);
        let mut changed = 0;
        for stream in 0..200 {
            let near = nearby(&model, &masks, &mut Rng::new(0, stream)).unwrap();
            assert!(near.values().iter().zip(masks).all(|(value, mask)| value & !mask == 0));
            changed += near.values().iter().zip(model.values()).filter(|(a, b)| a != b).count();
        }
        assert!((100..800).contains(&changed), "{changed}");
        assert!(nearby(&model, &masks[..1], &mut Rng::new(0, 0)).is_none());
    }
}
