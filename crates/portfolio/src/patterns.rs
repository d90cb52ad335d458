//! Patterns of whole inputs: every input of a call by a pattern of its own, and what is known of their costs.

use std::collections::BTreeMap;

use slowpath_program::call::ElemType;
use slowpath_program::input::InputValues;
use slowpath_sequence::{Parameter, Pattern};

use crate::domain::{Domain, bits_of, bounds};
use crate::input_law::{LawInWords, NamedLaw};
use crate::runner::Ran;

/// A pattern for each input, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointPattern(pub Vec<Pattern>);

impl JointPattern {
    /// The input of a domain's size. Steps that leave the range begin again at its other end; other values are clamped to it.
    pub fn input(&self, domain: &Domain) -> InputValues {
        let mut input = domain.template.clone();
        for (k, (named, pattern)) in input.0.iter_mut().zip(&self.0).enumerate() {
            let (low, high) = domain.range(k);
            let ty = named.ty;
            let fit = |value: i64| match pattern.step {
                0 => i128::from(value).clamp(low, high),
                _ => low + (i128::from(value) - low).rem_euclid(high - low + 1),
            };
            named.bits = pattern.values(named.bits.len()).into_iter().map(|value| bits_of(ty, fit(value))).collect();
        }
        input
    }

    /// Whether the values are those of the pattern as it stands, but for what every machine does with numbers too large for a type.
    fn is_plain(&self, domain: &Domain) -> bool {
        let plain = |(k, pattern): (usize, &Pattern)| {
            let Some(named) = domain.template.0.get(k) else { return false };
            let (low, high) = domain.range(k);
            let allowed = |value: &i64| low <= i128::from(*value) && i128::from(*value) <= high;
            (pattern.step != 0 && (low, high) == bounds(named.ty))
                || pattern.values(named.bits.len()).iter().all(allowed)
        };
        self.0.iter().enumerate().all(plain)
    }

    /// How much there is to read.
    pub fn weight(&self) -> usize {
        self.0.iter().map(Pattern::weight).sum()
    }
}

/// A pattern, and what is known of its inputs.
#[derive(Clone, Debug)]
pub struct KnownPattern {
    pub pattern: JointPattern,
    /// The power of n that its cost grows with, as far as small sizes show it.
    pub exponent: f64,
    /// Its cost grows too fast for that to mean anything.
    pub explodes: bool,
    /// The largest size it was measured at while it was looked for, and its cost there.
    pub measured: (i64, u64),
    /// What its inputs cost at other sizes.
    pub costs: BTreeMap<i64, Ran>,
}

/// Powers of n below this are no growth: a limit on nesting was met, or an error that ends everything.
const STOPPED: f64 = 0.5;

impl KnownPattern {
    /// Whether its cost no longer grows at the largest sizes it was measured at.
    pub fn has_stopped(&self) -> bool {
        !self.explodes && self.exponent < STOPPED
    }

    /// What its input of a size may cost.
    pub fn predicted(&self, n: i64) -> f64 {
        let (size, cost) = self.measured;
        cost as f64 * (n as f64 / size.max(1) as f64).powf(self.exponent)
    }
}

/// All patterns worth following.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    pub known: Vec<KnownPattern>,
    /// Sizes they were measured at.
    pub measured_at: Vec<i64>,
    /// The law that the best of them is, where it is as bad as the worst inputs known.
    pub law: Option<LawInWords>,
}

impl Patterns {
    /// The pattern whose input costs most at the largest size that any was run at to the end, and that size.
    pub(crate) fn costliest(&self) -> Option<(usize, i64)> {
        let run =
            |one: &KnownPattern| one.costs.iter().rev().find(|(_, ran)| !ran.at_least).map(|(n, ran)| (*n, ran.cost));
        let best = (0..self.known.len()).filter_map(|at| Some((run(&self.known[at])?, at))).max();
        best.map(|((n, _), at)| (at, n))
    }

    /// Sizes and costs of the inputs of that pattern.
    pub fn family(&self) -> Vec<(i64, u64)> {
        let Some((at, _)) = self.costliest() else { return Vec::new() };
        self.known[at].costs.iter().filter(|(_, ran)| !ran.at_least).map(|(n, ran)| (*n, ran.cost)).collect()
    }

    /// Puts others in their place; what is known of the costs of those that stay is kept.
    pub fn replace(&mut self, better: Vec<KnownPattern>) {
        let old = std::mem::take(&mut self.known);
        for mut known in better {
            if let Some(same) = old.iter().find(|one| one.pattern == known.pattern) {
                known.costs.clone_from(&same.costs);
            }
            self.known.push(known);
        }
        // One that has been the worst somewhere is not forgotten.
        self.known
            .extend(old.into_iter().filter(|one| !one.costs.is_empty() && !self.has(&one.pattern)).collect::<Vec<_>>());
    }

    fn has(&self, pattern: &JointPattern) -> bool {
        self.known.iter().any(|known| known.pattern == *pattern)
    }
}

/// The pattern in which second units go on where no whole repetition fits, if there are any and they do not: at sizes at which the first would be cut in its middle,
/// what closes may not be understood any more.
pub fn closing(pattern: &JointPattern) -> Option<JointPattern> {
    let closes = |one: &Pattern| one.second_fills || one.second.is_empty();
    let closing = |one: &Pattern| Pattern { second_fills: !one.second.is_empty(), ..one.clone() };
    (!pattern.0.iter().all(closes)).then(|| JointPattern(pattern.0.iter().map(closing).collect()))
}

/// A pattern as a law: in words, and its elements as expressions. None where its values had to be changed to be allowed, or where the
/// lengths of inputs follow no formula that is known.
pub fn law(
    pattern: &JointPattern,
    domains: &[(i64, Domain)],
    measured_at: &[i64],
    as_bad_at: Vec<i64>,
) -> Option<LawInWords> {
    if !domains.iter().all(|(_, domain)| pattern.is_plain(domain)) {
        return None;
    }
    let template = &domains.last()?.1.template;
    let mut inputs = Vec::new();
    for (k, (named, pattern)) in template.0.iter().zip(&pattern.0).enumerate() {
        let length =
            |(n, domain): &(i64, Domain)| Some((u64::try_from(*n).ok()?, domain.template.0.get(k)?.bits.len() as i128));
        let lengths: Vec<(u64, i128)> = domains.iter().map(length).collect::<Option<_>>()?;
        let length = Parameter::fit(&lengths)?;
        let is_text = matches!(named.ty, ElemType::U8 | ElemType::I8) && !named.scalar;
        let name = &named.name;
        inputs.push(NamedLaw {
            law: match named.scalar {
                true => format!("{name} = {}", pattern.values(1).first().copied().unwrap_or(0)),
                false => format!("{name} = {}", pattern.in_words(is_text)),
            },
            name: name.clone(),
            c: pattern.c_expression(&length),
            rust: pattern.rust_expression(&length),
            length: length.to_string(),
            pattern: (!named.scalar).then(|| pattern.clone()),
        });
    }
    Some(LawInWords { inputs, inferred_at: measured_at.to_vec(), checked_at: as_bad_at })
}
