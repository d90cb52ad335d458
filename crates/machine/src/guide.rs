//! Decisions that are made while the machine runs, instead of being asked for.
//!
//! Leaving the interpreter for a question and coming back takes several times as long as what a loop does between two of them. Where whoever explores
//! has settled beforehand which way a comparison of two inputs goes, the machine goes on. Costs and counts are those of a question that was answered.

use slowpath_program::{FuncBody, SiteId};
use slowpath_term::{CmpOp, Comparison, Terms};

use crate::mode::Mode;
use crate::question::QuestionKind;
use crate::symbolic::between_inputs;

/// Who settles comparisons beforehand.
pub trait Guide {
    /// Whether it ever settles one.
    const GUIDES: bool = true;

    /// Whether a comparison of two inputs holds from here on; nothing where that has to be asked. An answer is a decision made.
    fn compare(&mut self, terms: &Terms, decision: Branching, asked: Comparison) -> Option<bool>;
}

/// The branch that a comparison decides.
#[derive(Clone, Copy, Debug)]
pub struct Branching {
    pub site: SiteId,
    /// Which activation of the function.
    pub activation: u32,
    /// What the branch costs, whichever way it goes.
    pub cost: u16,
}

/// Everything is asked.
impl Guide for () {
    const GUIDES: bool = false;

    fn compare(&mut self, _: &Terms, _: Branching, _: Comparison) -> Option<bool> {
        None
    }
}

/// The question of a comparison that is certainly open and need not be made a term to be asked: between two inputs, or of a
/// flag with zero.
#[inline]
pub(crate) fn unmade<M: Mode>(
    terms: &mut Terms,
    op: CmpOp,
    negated: bool,
    width: u8,
    a: M::Value,
    b: M::Value,
) -> Option<QuestionKind> {
    let with_zero = op == CmpOp::Eq && M::bits(b) == Some(0);
    if let Some(flag) = M::unmade(a) {
        return with_zero.then(|| QuestionKind::Compare(if negated { flag } else { flag.opposite() }));
    }
    let a = M::term(terms, a)?;
    if with_zero {
        let is_flag = terms.width(a) == 1;
        return is_flag.then_some(if negated { QuestionKind::Branch(a) } else { QuestionKind::Unless(a) });
    }
    if M::unmade(b).is_some() {
        return None;
    }
    let b = M::term(terms, b)?;
    between_inputs(terms, width, a, b).then_some(QuestionKind::Compare(Comparison { op, a, b, negated }))
}

/// A branch of a function, at an instruction of its flat code.
pub(crate) struct Branch<'a> {
    pub body: &'a FuncBody,
    pub pc: usize,
    pub activation: u32,
    pub cost: u16,
}

impl Branch<'_> {
    fn at(&self, site: SiteId) -> Branching {
        Branching { site, activation: self.activation, cost: self.cost }
    }

    /// Whether a branch on a comparison jumps, if that is settled: what `open_comparison` would ask.
    #[inline(never)]
    pub(crate) fn settled<M: Mode, G: Guide>(
        &self,
        guide: &mut G,
        terms: &mut Terms,
        (op, negated, width): (CmpOp, bool, u8),
        (a, b): (M::Value, M::Value),
    ) -> Option<bool> {
        let (site, inverted) = self.body.site(self.pc as u32);
        // Mostly of a flag with zero.
        if let Some(flag) = M::unmade(a)
            && op == CmpOp::Eq
            && M::bits(b) == Some(0)
        {
            let asked = if negated != inverted { flag } else { flag.opposite() };
            return guide.compare(terms, self.at(site), asked).map(|holds| holds != inverted);
        }
        let asked = unmade::<M>(terms, op, negated != inverted, width, a, b)?;
        let QuestionKind::Compare(asked) = asked else { return None };
        guide.compare(terms, self.at(site), asked).map(|holds| holds != inverted)
    }

    /// Whether a branch jumps that does so where a comparison is `when`, if that is settled: what `open_unmade` would ask.
    #[inline(never)]
    pub(crate) fn settled_flag<G: Guide>(
        &self,
        guide: &mut G,
        terms: &Terms,
        comparison: Comparison,
        when: bool,
    ) -> Option<bool> {
        let (site, inverted) = self.body.site(self.pc as u32);
        let inverted = when && inverted;
        let asked = if inverted { comparison.opposite() } else { comparison };
        guide.compare(terms, self.at(site), asked).map(|holds| holds == (when && !inverted))
    }
}
