//! The computation trees of small sizes, for the document.

use std::time::Duration;

use slowpath_machine::Answer;
use slowpath_program::SiteId;
use slowpath_report::{Tree, TreePath, TreeSite};
use slowpath_search::{Budget, Target, WholePath, every_path};

use crate::sources::{Sides, Sources};
use crate::subject::Subject;

/// The part of the time left that may go into following every path of small sizes once more, to draw them.
const SHARE: f64 = 0.02;
/// By work it is a part of all that was done before, which following them was a part of; at least and at most so much.
const SHARE_OF_WORK: f64 = 0.25;
const WORK: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];

/// Paths of a tree that can still be looked at, and decisions on one of them.
const MOST_PATHS: u64 = 64;
const MOST_DECISIONS: usize = 48;
/// Trees kept.
const MOST_TREES: usize = 3;

/// The trees of the largest of these sizes (each with its number of paths, all of them known) that are small enough, smallest
/// first.
pub(crate) fn trees(subject: &Subject, target: &Target, sizes: &[(i64, u64)], budget: &Budget) -> Vec<Tree> {
    let mut small: Vec<i64> = sizes.iter().filter(|(_, paths)| (2..=MOST_PATHS).contains(paths)).map(|s| s.0).collect();
    small.sort_unstable();
    small.dedup();
    let sources = Sources::read(subject);
    let budget = match budget.clock.is_by_work() {
        true => budget.within(budget.now().mul_f64(SHARE_OF_WORK).clamp(WORK[0], WORK[1])),
        false => budget.part(SHARE),
    };
    let tree = |n: &i64| {
        let paths = every_path(target, *n, MOST_PATHS as usize, &budget).ok()??;
        let drawable = paths.iter().all(|path| path.decisions.len() <= MOST_DECISIONS);
        drawable.then(|| describe(subject, &sources, *n, &paths))
    };
    let mut trees: Vec<Tree> = small.iter().rev().filter_map(tree).take(MOST_TREES).collect();
    trees.reverse();
    trees
}

fn describe(subject: &Subject, sources: &Sources, size: i64, paths: &[WholePath]) -> Tree {
    let mut known: Vec<(SiteId, TreeSite, Sides)> = Vec::new();
    let mut position = |site: SiteId| {
        known.iter().position(|other| other.0 == site).unwrap_or_else(|| {
            let (place, sides) = sources.place(subject, site);
            known.push((site, tree_site(&place), sides));
            known.len() - 1
        })
    };
    let sites: Vec<Vec<usize>> =
        paths.iter().map(|path| path.decisions.iter().map(|decision| position(decision.site)).collect()).collect();
    let one = |(path, sites): (&WholePath, Vec<usize>)| TreePath {
        cost: path.cost,
        trap: path.trap.as_ref().map(ToString::to_string),
        sides: path.decisions.iter().zip(&sites).map(|(made, site)| side(known[*site].2, made.answer)).collect(),
        sites,
    };
    let paths = paths.iter().zip(sites).map(one).collect();
    Tree { size, paths, sites: known.into_iter().map(|(_, site, _)| site).collect() }
}

/// `isort.c:6 'a[j] > x'` taken apart.
fn tree_site(place: &str) -> TreeSite {
    match place.split_once(" '") {
        Some((place, quoted)) => {
            TreeSite { place: place.to_owned(), text: Some(quoted.strip_suffix('\'').unwrap_or(quoted).to_owned()) }
        }
        None => TreeSite { place: place.to_owned(), text: None },
    }
}

fn side(sides: Sides, answer: Answer) -> String {
    match answer {
        Answer::Bool(side) => sides.name(u32::from(side)),
        Answer::Case(case) => format!("case {case}"),
        Answer::Value(value) => format!("value {value}"),
        Answer::Range(..) => "any".to_owned(),
    }
}
