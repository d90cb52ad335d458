//! The parameters of the evolution; the defaults are those of Table IV of the ESE paper.

/// How to evolve.
#[derive(Clone, Debug, PartialEq)]
pub struct EvolveParams {
    /// Individuals of a generation (popsize). Default 50, at least 2.
    pub population: usize,
    /// The costliest individuals, which always survive (elitesize). Default 5.
    pub elite: usize,
    /// Probability that an offspring's precondition is mutated (mprob). Default 0.2.
    pub mutation: f64,
    /// Generations from one local search to the next (lsperiod); 0 for none. Default 10.
    pub ls_period: u64,
    /// Attempts in a row that may fail before a local search ends (lsattempts). Default 25.
    pub ls_attempts: u64,
    /// Generations after which the search ends. Default: only the budget ends it.
    pub generations: Option<u64>,
    /// A cost that is known to be the worst: reaching it ends the search. Default: none.
    pub known_optimum: Option<u64>,
    /// Evaluations that may bring nothing costlier, besides as many as there were before. Default: no limit.
    pub patience: Option<u64>,
    /// Which random numbers: what begins alike and has the same ones goes the same way. Default 0.
    pub stream: u64,
}

impl Default for EvolveParams {
    fn default() -> EvolveParams {
        EvolveParams {
            population: 50,
            elite: 5,
            mutation: 0.2,
            ls_period: 10,
            ls_attempts: 25,
            generations: None,
            known_optimum: None,
            patience: None,
            stream: 0,
        }
    }
}
