//! Any policy survives being written and read.

use slowpath_program::SiteId;
use slowpath_search::policy::{BranchPolicy, Choices, HistoryPolicy, Level, Policy};
use slowpath_search::{Candidate, Rng};

use super::*;

const SITES: u32 = 6;

fn spot(site: SiteId) -> Spot {
    // Places of every awkward kind: with spaces, with what a decision ends in, empty.
    let place = ["a.c:10", "my file.c:3", "odd true #1.c:7", "", "case 3", "f+0x10"][site.index() % 6];
    Spot {
        place: place.to_owned(),
        line: site.0.is_multiple_of(2).then(|| "if (\"x\" < y) {".to_owned()),
        cases: site.0 == 3,
    }
}

fn random_side(rng: &mut Rng) -> u32 {
    [0, 1, 0, 1, 2, 63, 64, 900][rng.below(8) as usize]
}

fn random_policy(rng: &mut Rng) -> Policy {
    let site = |rng: &mut Rng| SiteId(rng.below(u64::from(SITES)) as u32);
    let many = 1 + rng.below(12);
    if rng.below(2) == 0 {
        let levels = [Level::Forbidden, Level::IfForced, Level::Permitted];
        let entry = |rng: &mut Rng| (site(rng), random_side(rng), levels[rng.below(3) as usize]);
        return Policy::Branch(BranchPolicy::from_entries((0..many).map(|_| entry(rng)).collect::<Vec<_>>()));
    }
    let length = [None, Some(0), Some(1), Some(5)][rng.below(4) as usize];
    let rule = |rng: &mut Rng| {
        let steps = rng.below(length.unwrap_or(9) as u64 + 1);
        let history = (0..steps).map(|_| (site(rng), random_side(rng))).collect::<Vec<_>>();
        let choices = (0..=rng.below(3)).fold(Choices::default(), |choices, _| choices.with(random_side(rng)));
        (site(rng), history, choices)
    };
    Policy::History(HistoryPolicy::from_rules(length, (0..many).map(|_| rule(rng)).collect::<Vec<_>>()))
}

fn document(policies: Vec<Saved>) -> PolicyFile {
    PolicyFile {
        schema: SCHEMA,
        slowpath: "0".to_owned(),
        program: "a.c".to_owned(),
        module: ModuleIdentity::of(&[]),
        function: "f".to_owned(),
        entry: "f(n)".to_owned(),
        cost_model: "instructions".to_owned(),
        policies,
    }
}

fn with(policy: Policy, rng: &mut Rng) -> Candidate {
    Candidate {
        policy,
        frequencies: Frequencies::from_entries(
            (0..rng.below(3) as u32).map(|site| (SiteId(site), -1, i64::from(site))),
        ),
        favourites: Favourites::default(),
        finds_early: false,
        learned: (1, 1 + rng.below(9) as i64),
        validated: (0..rng.below(3) as i64).collect(),
        failed: (0..rng.below(3) as i64).collect(),
        deterministic: rng.below(2) == 0,
        least_share: rng.below(1000) as f64 / 999.0,
        complexity: 0,
    }
}

#[test]
fn random_policies_are_the_same_after_writing_and_reading() {
    let exists = |site: u32| site < SITES;
    for seed in 0..500 {
        let mut rng = Rng::new(seed, 0);
        let before: Vec<Candidate> = (0..3)
            .map(|_| random_policy(&mut rng))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|p| with(p, &mut rng))
            .collect();
        let written = document(before.iter().map(|c| saved(c, &spot)).collect()).to_json();
        let read = parse(written.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{written}"));
        for (position, (candidate_before, saved)) in before.iter().zip(&read.policies).enumerate() {
            let after = candidate(position, saved, &exists).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{written}"));
            assert_eq!(after.policy, candidate_before.policy, "seed {seed}\n{written}");
            assert_eq!(after.learned, candidate_before.learned);
            assert_eq!(after.validated, candidate_before.validated);
            assert_eq!(after.failed, candidate_before.failed);
            assert_eq!(after.deterministic, candidate_before.deterministic);
            assert!((after.least_share - candidate_before.least_share).abs() < 1e-12);
        }
        assert_eq!(read.policies.len(), before.len());
    }
}

#[test]
fn a_rule_stands_on_one_line() {
    let history = HistoryPolicy::from_rules(
        Some(2),
        [(SiteId(0), vec![(SiteId(1), 0), (SiteId(0), 1)], Choices::default().with(1))],
    );
    let text = document(vec![saved(&with(Policy::History(history), &mut Rng::new(1, 0)), &spot)]).to_json();
    let rule = r#"{"site": 0, "place": "a.c:10", "line": "if (\"x\" < y) {", "history": ["a.c:10 true #0", "my file.c:3 false #1"], "sides": {"true": "permitted"}}"#;
    assert!(text.lines().any(|line| line.trim() == rule), "{text}");
}

#[test]
fn sites_that_do_not_exist_are_refused_with_the_rule() {
    let policy = Policy::Branch(BranchPolicy::from_entries([
        (SiteId(1), 0, Level::Permitted),
        (SiteId(7), 1, Level::Permitted),
    ]));
    let saved = saved(&with(policy, &mut Rng::new(1, 0)), &spot);
    let error = candidate(0, &saved, &|site| site < SITES).unwrap_err().to_string();
    assert_eq!(error, "policy 1, rule 2: there is no site 7 in the program");
}
