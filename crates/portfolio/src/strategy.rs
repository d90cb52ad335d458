//! Each strategy is a list of techniques.

use slowpath_search::Family;

use crate::claim::FoundBy;
use crate::technique::{Stage, Technique};
use crate::techniques::adversary::Adversary;
use crate::techniques::all_inputs::AllInputs;
use crate::techniques::challenge::LocalSearch;
use crate::techniques::concrete_evolution::ConcreteEvolution;
use crate::techniques::few_paths::FewPaths;
use crate::techniques::first_inputs::FirstInputs;
use crate::techniques::insertion::Insertion;
use crate::techniques::law::FollowLaw;
use crate::techniques::memo::Memo;
use crate::techniques::path_evolution::PathEvolution;
use crate::techniques::paths::{DepthFirst, EveryPath, RandomPaths};
use crate::techniques::policy::FollowPolicy;
use crate::techniques::pump::{FollowPatterns, Pump};
use crate::techniques::synthesis::Synthesize;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All techniques, each where it helps.
    Auto,
    Exhaustive,
    /// Every path, each future once.
    Memo,
    /// Branch policies.
    Wise,
    /// History-based policies.
    History,
    DepthFirst,
    Random,
    /// Evolutionary symbolic execution; beginning with a policy's path, if asked for.
    Evolve {
        from_policy: bool,
    },
    /// Genetic search over concrete inputs.
    Mutate,
    /// Inputs that repeat a short unit.
    Pump,
    /// The path condition of each size, from generators that small worst paths taught.
    Synthesize,
}

impl Strategy {
    /// The techniques, in the order they have their turns.
    pub fn techniques(&self) -> Techniques {
        Techniques(match *self {
            Strategy::Auto => vec![
                Box::new(FirstInputs::default()),
                Box::new(AllInputs),
                Box::new(FewPaths),
                Box::new(Memo::default()),
                Box::new(Synthesize),
                Box::new(FollowPolicy),
                Box::new(FollowLaw),
                Box::new(Adversary::default()),
                Box::new(EveryPath::Beside),
                Box::new(Pump::default()),
                Box::new(FollowPatterns),
                Box::new(Insertion::default()),
                Box::new(LocalSearch),
                Box::new(ConcreteEvolution::default()),
                Box::new(PathEvolution::default()),
            ],
            Strategy::Exhaustive => vec![Box::new(EveryPath::Alone)],
            Strategy::Memo => vec![Box::new(Memo::alone())],
            Strategy::Wise | Strategy::History => {
                vec![Box::new(FollowPolicy), Box::new(FollowLaw), Box::new(EveryPath::WithoutPolicies)]
            }
            Strategy::DepthFirst => vec![Box::new(DepthFirst)],
            Strategy::Random => vec![Box::new(RandomPaths)],
            Strategy::Evolve { from_policy: true } => {
                vec![Box::new(FollowPolicy), Box::new(PathEvolution::alone(true))]
            }
            Strategy::Evolve { from_policy: false } => {
                vec![Box::new(PathEvolution::alone(false))]
            }
            Strategy::Mutate => vec![Box::new(ConcreteEvolution::alone())],
            Strategy::Pump => {
                vec![Box::new(FirstInputs::default()), Box::new(Pump::alone()), Box::new(FollowPatterns)]
            }
            Strategy::Synthesize => {
                vec![Box::new(FollowPolicy), Box::new(LocalSearch), Box::new(EveryPath::WithoutPolicies)]
            }
        })
    }

    /// Whether techniques share sizes and time.
    pub fn is_portfolio(&self) -> bool {
        *self == Strategy::Auto
    }

    /// Whether patterns are all that is looked for.
    pub fn pumps_only(&self) -> bool {
        *self == Strategy::Pump
    }

    /// Whether small sizes are explored for policies first.
    pub fn learns(&self) -> bool {
        matches!(self, Strategy::Wise | Strategy::History | Strategy::Evolve { from_policy: true })
    }

    /// Whether path conditions are synthesised wherever that is possible.
    pub fn synthesizes_only(&self) -> bool {
        *self == Strategy::Synthesize
    }

    /// Which policies it learns.
    pub fn family(&self) -> Family {
        match self {
            Strategy::Wise => Family::Wise,
            Strategy::History => Family::History,
            _ => Family::Either,
        }
    }
}

/// Techniques by name.
pub struct Techniques(Vec<Box<dyn Technique>>);

impl Techniques {
    /// All but these.
    pub fn without(mut self, left_out: &[FoundBy]) -> Techniques {
        self.0.retain(|technique| !left_out.contains(&technique.name()));
        self
    }

    /// The names of those that have their turn in a stage, in order.
    pub fn of(&self, stage: Stage) -> Vec<FoundBy> {
        self.0.iter().filter(|technique| technique.stage() == stage).map(|technique| technique.name()).collect()
    }

    /// Whether there is one of this name.
    pub fn has(&self, name: FoundBy) -> bool {
        self.get(name).is_some()
    }

    /// The one of this name.
    pub fn get(&self, name: FoundBy) -> Option<&dyn Technique> {
        self.0.iter().find(|technique| technique.name() == name).map(AsRef::as_ref)
    }

    /// The one of this name, to be run.
    pub fn get_mut(&mut self, name: FoundBy) -> Option<&mut Box<dyn Technique>> {
        self.0.iter_mut().find(|technique| technique.name() == name)
    }
}
