//! A claim: an input at a size, what it costs, who found it and on what evidence.

use std::fmt;

use slowpath_search::{Provenance, SizeFinding};

/// Who found an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundBy {
    /// Inputs of simple shapes, random ones, and those of other sizes, stretched.
    FirstInputs,
    /// Every input there is was run.
    AllInputs,
    /// Every path, at the sizes that policies are learned from.
    SmallSizes,
    /// Every path, where they seem to be few.
    FewPaths,
    /// Every path, as far as the budget goes.
    Exhaustive,
    /// Every path, each future once.
    Memo,
    DepthFirst,
    RandomPaths,
    Policy,
    Synthesis,
    InputLaw,
    /// An input made up while the program compares.
    Adversary,
    /// Local search around the best path.
    Challenge,
    ConcreteEvolution,
    PathEvolution,
    /// The search for patterns whose cost grows fast.
    PumpSearch,
    /// An input that repeats a short unit.
    Pump,
    /// An input that grows by a recipe.
    Insertion,
    /// An earlier run, whose journal has the input; it was run again.
    EarlierRun,
    /// A search with a seed of its own, elsewhere; the input was run again.
    Island,
}

impl FoundBy {
    /// What may be left out of `auto` by its name: all but first inputs, which no size is to be without, and small sizes.
    pub const OPTIONAL: [FoundBy; 13] = [
        FoundBy::AllInputs,
        FoundBy::FewPaths,
        FoundBy::Memo,
        FoundBy::Synthesis,
        FoundBy::Policy,
        FoundBy::InputLaw,
        FoundBy::Adversary,
        FoundBy::Exhaustive,
        FoundBy::Pump,
        FoundBy::Insertion,
        FoundBy::Challenge,
        FoundBy::ConcreteEvolution,
        FoundBy::PathEvolution,
    ];

    /// The techniques to leave out by this name on the command line, where spaces are hyphens. Patterns have two: who looks for them, and who runs them.
    pub fn optional(name: &str) -> Option<Vec<FoundBy>> {
        let found = FoundBy::OPTIONAL.into_iter().find(|by| by.to_string().replace(' ', "-") == name)?;
        Some(if found == FoundBy::Pump { vec![found, FoundBy::PumpSearch] } else { vec![found] })
    }
}

impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FoundBy::FirstInputs => "first inputs",
            FoundBy::AllInputs => "all inputs",
            FoundBy::SmallSizes => "small sizes",
            FoundBy::FewPaths => "few paths",
            FoundBy::Exhaustive => "exhaustive",
            FoundBy::Memo => "memo",
            FoundBy::DepthFirst => "depth first",
            FoundBy::RandomPaths => "random paths",
            FoundBy::Policy => "policy",
            FoundBy::Synthesis => "synthesis",
            FoundBy::InputLaw => "input law",
            FoundBy::Adversary => "adversary",
            FoundBy::Challenge => "challenge",
            FoundBy::ConcreteEvolution => "concrete evolution",
            FoundBy::PathEvolution => "path evolution",
            FoundBy::PumpSearch => "pump search",
            FoundBy::Pump => "pump",
            FoundBy::Insertion => "insertion",
            FoundBy::EarlierRun => "earlier run",
            FoundBy::Island => "island",
        })
    }
}

/// How strong the evidence is that nothing costs more, before anybody tries to beat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// It was come across.
    Found,
    /// A policy, law or synthesis that held at every size it was validated on leads to it.
    Believed,
    /// Nothing else is possible.
    Exact,
}

/// What a technique found at a size, and its name.
#[derive(Clone, Debug)]
pub struct Claim {
    pub found_by: FoundBy,
    pub finding: SizeFinding,
}

impl Claim {
    /// What the worst input of the claim costs.
    pub fn cost(&self) -> Option<u64> {
        self.finding.cost()
    }

    /// Whether the cost is only a lower bound, since the run was cut short.
    pub fn is_at_least(&self) -> bool {
        self.finding.worst.as_ref().is_some_and(|worst| worst.at_least)
    }

    /// The evidence that comes with the claim itself.
    pub fn evidence(&self) -> Evidence {
        match self.finding.provenance {
            Provenance::Exhaustive if self.finding.complete => Evidence::Exact,
            Provenance::Guided { validated: true } | Provenance::Law | Provenance::Synthesized { validated: true } => {
                Evidence::Believed
            }
            _ => Evidence::Found,
        }
    }

    /// Whether this is to be shown instead of another claim of the same size: a higher cost, or as high with better evidence.
    pub fn beats(&self, other: &Claim) -> bool {
        // Of equals one with decisions has more to show.
        let decided = |claim: &Claim| claim.finding.worst.as_ref().is_some_and(|worst| !worst.decisions.is_empty());
        let rank = |claim: &Claim| (claim.cost(), claim.is_at_least(), claim.evidence(), decided(claim));
        rank(self) > rank(other)
    }
}
