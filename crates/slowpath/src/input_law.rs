//! The law of the worst inputs, in the words of the document.

use slowpath_portfolio::{LawInWords, NamedLaw};
use slowpath_report::{CounterReport, InputFormula, InputLawReport, PatternReport};
use slowpath_sequence::{Counter, Pattern};

/// As the document holds it.
pub(crate) fn report(law: LawInWords) -> InputLawReport {
    let LawInWords { inputs, inferred_at, checked_at } = law;
    let formula = |NamedLaw { name, law, length, c, rust, pattern }: NamedLaw| InputFormula {
        name,
        law,
        length,
        c,
        rust,
        pattern: pattern.map(repeated),
    };
    InputLawReport { inputs: inputs.into_iter().map(formula).collect(), inferred_at, checked_at }
}

fn repeated(pattern: Pattern) -> PatternReport {
    let Pattern { prefix, unit, step, middle, second, suffix, counter, filler, second_fills } = pattern;
    let counter = counter.map(|Counter { at, first, digits }| CounterReport { at, first, digits });
    PatternReport { prefix, unit, step, middle, second, suffix, counter, filler, second_fills }
}
