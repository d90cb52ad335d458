//! Laws drawn at random from every class are recognised, with and without noise.

mod common;

use common::{CLASSES, Rng, costs, draw};
use slowpath_fit::{Class, fit};

/// What became of the draws.
#[derive(Default, Debug)]
struct Outcome {
    right: u32,
    unsure: u32,
    wrong: u32,
    notes: Vec<String>,
}

/// A base is an estimate: within a twentieth it is the same class.
fn same(found: Class, drawn: Class) -> bool {
    match (found, drawn) {
        (Class::Exponential { .. }, Class::Exponential { .. }) => {
            !found.is_worse_than(&drawn) && !drawn.is_worse_than(&found)
        }
        _ => found == drawn,
    }
}

fn draws(count: u64, noise: f64, seed: u64) -> Outcome {
    let mut rng = Rng(seed);
    let mut outcome = Outcome::default();
    for i in 0..count {
        let law = draw(i % CLASSES, &mut rng);
        let fit = fit(&costs(&law, noise, &mut rng));
        match fit.class {
            Some(class) if same(class, law.class) => outcome.right += 1,
            Some(class) => {
                outcome.wrong += 1;
                outcome.notes.push(format!("{} taken for {class}: {}", law.class, fit.formula));
            }
            None => {
                outcome.unsure += 1;
                outcome.notes.push(format!("{} unsure: {}", law.class, fit.why));
            }
        }
    }
    outcome.notes.sort();
    outcome
}

#[test]
fn without_noise_98_of_100_are_right_and_most_others_unsure() {
    let outcome = draws(1000, 0.0, 1);
    println!("{outcome:#?}");
    assert!(outcome.right >= 980, "{outcome:#?}");
    assert!(outcome.wrong <= outcome.unsure, "{outcome:#?}");
}

#[test]
fn with_noise_of_5_percent_90_of_100_are_right_and_most_others_unsure() {
    let outcome = draws(1000, 0.05, 2);
    println!("{outcome:#?}");
    assert!(outcome.right >= 900, "{outcome:#?}");
    assert!(outcome.wrong <= outcome.unsure, "{outcome:#?}");
}
