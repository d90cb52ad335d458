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
        pattern: pattern.map(|Pattern { prefix, unit, step, middle, second, suffix, counter, filler }| PatternReport {
            prefix,
            unit,
            step,
            middle,
            second,
            suffix,
            counter: counter.map(|Counter { at, first, digits }| CounterReport { at, first, digits }),
            filler,
        }),
    };
    InputLawReport { inputs: inputs.into_iter().map(formula).collect(), inferred_at, checked_at }
}
