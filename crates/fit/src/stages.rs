//! From what is known to a growth law and its verdict.
//!
//! Stages hand over to each other, each with what it could not settle: the law of the sizes that are sure, the law of all
//! sizes, costs that no longer change, the law of the last piece, what the costs force at least, not sure.

use crate::at_least::{self, Bound};
use crate::class::Class;
use crate::fit::{FEWEST_SIZES, Fit, Prediction};
use crate::growth::Growth;
use crate::known::{Evidence, Grade, Known};
use crate::one_law::{error, one_law};
use crate::points::Point;
use crate::verdict::Verdict;

/// Why a stage could not settle the matter.
enum Doubt {
    /// The sizes that are sure follow no law that could be told.
    Unclear(String),
    /// They follow one of this class, but a larger cost was found.
    Refuted(Class, String),
    /// They follow one that the costs found at larger sizes fall short of.
    Short(String),
}

impl Doubt {
    fn why(self) -> String {
        match self {
            Doubt::Unclear(why) | Doubt::Refuted(_, why) | Doubt::Short(why) => why,
        }
    }
}

/// Exact sizes that a closed form needs where nothing larger is known.
const FEWEST_ALONE: usize = 6;
/// As many if it has logarithms: over few sizes steps can be anything.
const FEWEST_WITH_STEPS: usize = 10;
/// How many more for each at the start that it does not hold for.
const FOR_EACH_SKIPPED: usize = 2;
/// Sure sizes that costs found at larger sizes must agree with to be taken for the worst.
const FEWEST_SURE: usize = 4;
/// Sizes well beyond the exact ones, and how far, where an exact law must be reached.
const FEWEST_BEYOND: usize = 2;
const BEYOND: u64 = 2;
/// A cost found reaches a law if it is no less than this part of it: local search rarely ends on the very worst.
const REACHES: f64 = 0.97;
/// The part of a fitted law below which a cost found does not reach it, however wide the interval.
const WIDEST: f64 = 0.9;
/// How often and how far a law must have been reached for larger sizes that fall short of it not to matter.
const OFTEN: usize = 3;
const FAR: u64 = 8;
/// The relative error of a law that was also fitted to costs found, at most; a search that fails more and more bends it.
const CLOSE: f64 = 0.015;
/// Where so many are found, a bend shows, and steps of the program may be mistaken for one.
const MANY: usize = 20;
const CLOSE_OF_MANY: f64 = 0.05;
/// By how much the larger ones of the sure sizes may be off such a law on average: a bend upwards is growth that the search lost.
const ON_THE_LAW: f64 = 0.03;
/// Exact sizes of the same cost that say that it stays, how far they must reach, and the factor they must span.
const FEWEST_LEVEL: usize = 8;
const LEAST_LEVEL: u64 = 32;
const SPAN_OF_LEVEL: u64 = 4;
/// How far the sizes of a last piece must reach, unless it is exponential, and the factor they must span.
const LEAST_REACH: u64 = 16;
const SPAN_OF_PIECE: u64 = 4;
/// How far off its law half of the smaller sizes must be.
const ANOTHER: f64 = 0.1;

/// A size so many times the one before was only looked at, with what was known already.
const UNSEARCHED: u64 = 8;

/// The growth law of what is known.
pub fn growth(known: &Known) -> Growth {
    let evidence = Evidence::new(known);
    law_of_sure_sizes(&evidence)
        .or_else(|doubt| law_of_all_sizes(&evidence, doubt))
        .or_else(|doubt| level_end(&evidence, doubt))
        .or_else(|doubt| law_of_last_piece(&evidence, doubt))
        .or_else(|doubt| forced_by_costs(&evidence, doubt))
        .unwrap_or_else(|doubt| Growth::not_sure(doubt.why()))
}

/// How fast costs grow at least, given the sizes and costs of one family of inputs: whatever is worse grows no slower.
pub fn growth_of_family(costs: &[(u64, u64)]) -> Growth {
    let known = Known { found: costs.to_vec(), ..Known::default() };
    let found = growth(&known);
    match at_least::by_rising_doublings(&Evidence::new(&known).telling()) {
        Some(floor) if Some(floor.shape.class()) > found.class => {
            let (from, to) = (floor.from, floor.at.size);
            Growth::floor(floor, format!("each doubling from size {from} to {to} adds more than the one before"))
        }
        _ => found,
    }
}

/// Exact or fitted: the law of the sizes whose worst cost is known or believed to be, if costs found elsewhere agree.
fn law_of_sure_sizes(evidence: &Evidence) -> Result<Growth, Doubt> {
    let sure = evidence.sure();
    if sure.is_empty() && !evidence.costs.is_empty() {
        return Err(Doubt::Unclear("no size was explored completely, so there may be worse inputs".to_owned()));
    }
    if sure.len() < FEWEST_SIZES && sure.len() < evidence.costs.len() {
        let (few, are) = (sure.len(), if sure.len() == 1 { "is" } else { "are" });
        let why = format!("a growth law needs at least {FEWEST_SIZES} sizes that are sure, there {are} {few}");
        return Err(Doubt::Unclear(why));
    }
    let law = one_law(&sure).map_err(Doubt::Unclear)?;
    let standing = standing(&law, &sure, evidence)?;
    if law.exact {
        return closed_form(law, evidence, &standing);
    }
    if standing.later == 0 {
        return Ok(Growth::fitted(law, standing.note));
    }
    // With costs found beyond the sure sizes, both must give one law.
    let class = law.class.unwrap_or(Class::CONSTANT);
    match one_law(&evidence.telling()) {
        Ok(of_all) if of_all.class == law.class => Ok(Growth::fitted(of_all, standing.note)),
        Ok(of_all) => {
            let other = of_all.class.unwrap_or(Class::CONSTANT);
            Err(Doubt::Short(format!("the sizes that are sure grow like {class}, with those found it is {other}")))
        }
        Err(why) => Err(Doubt::Short(why)),
    }
}

fn closed_form(law: Fit, evidence: &Evidence, standing: &Standing) -> Result<Growth, Doubt> {
    let dense = evidence.end_of_dense_sizes();
    let value = |size: u64| law.predict(size).map(|prediction| prediction.value);
    let hits = |point: &Point| value(point.size) == Some(point.cost as f64);
    let costs = evidence.costs.iter().map(|cost| cost.point);
    let beyond: Vec<u64> = costs
        .filter(|point| point.size >= BEYOND.saturating_mul(dense) && hits(point))
        .map(|point| point.size)
        .collect();
    let exact = evidence.costs.iter().filter(|cost| cost.grade == Grade::Exact).count();
    let largest = evidence.costs.last().map_or(0, |cost| cost.point.size);
    if beyond.len() >= FEWEST_BEYOND && standing.reached && exact >= FEWEST_SURE {
        let why = format!("{}, and so do the costs found up to size {largest}", law.why);
        return Ok(Growth::of(Verdict::Exact, law, why, &beyond));
    }
    if largest <= dense {
        let skipped = evidence.costs.iter().filter(|cost| cost.point.size < law.from).count();
        let fewest = if law.formula.contains("log") { FEWEST_WITH_STEPS } else { FEWEST_ALONE };
        if exact < fewest + FOR_EACH_SKIPPED * skipped {
            let why =
                format!("{} gives every cost of {exact} sizes: too few, and no larger size was tried", law.formula);
            return Err(Doubt::Unclear(why));
        }
        let why = format!("{}; no size beyond {largest} was tried", law.why);
        return Ok(Growth::of(Verdict::Fitted, law, why, &beyond));
    }
    let why = match standing.note.is_empty() {
        true => format!("{}, and costs found up to size {largest} come up to it", law.why),
        false => format!("{}; {}", law.why, standing.note),
    };
    Ok(Growth::of(Verdict::Fitted, law, why, &beyond))
}

/// Fitted: the law of all costs, where those that are sure agree with it but are too few, or too small, to tell.
fn law_of_all_sizes(evidence: &Evidence, doubt: Doubt) -> Result<Growth, Doubt> {
    let (sure, all) = (evidence.sure(), evidence.telling());
    if matches!(doubt, Doubt::Short(_)) || sure.len() < FEWEST_SURE || sure.len() == all.len() {
        return Err(doubt);
    }
    let Ok(law) = one_law(&all) else { return Err(doubt) };
    let class = law.class.unwrap_or(Class::CONSTANT);
    if matches!(doubt, Doubt::Refuted(small, _) if class < small) {
        return Err(doubt);
    }
    let found = all.len() - sure.len();
    if error(&law, &all) > if found >= MANY { CLOSE_OF_MANY } else { CLOSE } {
        return Err(doubt);
    }
    let largest_sure = &sure[sure.len() / 2..];
    // A law that begins beyond them has nothing but costs found, which may all be of one search that found no worse.
    if largest_sure.iter().any(|point| point.size < law.from) {
        return Err(doubt);
    }
    if deviation(&law, largest_sure).abs() > ON_THE_LAW {
        let last = largest_sure.last().map_or(0, |point| point.size);
        return Err(Doubt::Short(format!("{class} fits all sizes, but not those up to {last}, which are sure")));
    }
    let standing = standing(&law, &all, evidence)?;
    Ok(Growth::fitted(law, standing.note))
}

/// By what part of them costs are above a law on average.
fn deviation(law: &Fit, points: &[Point]) -> f64 {
    let one = |point: &Point| {
        let cost = point.cost.max(1) as f64;
        law.predict(point.size).map_or(0.0, |prediction| (cost - prediction.value) / cost)
    };
    points.iter().map(one).sum::<f64>() / points.len().max(1) as f64
}

/// Fitted: one cost for all the largest sizes, each of which is exact, however much smaller ones differ from it.
fn level_end(evidence: &Evidence, doubt: Doubt) -> Result<Growth, Doubt> {
    let exact: Vec<Point> =
        evidence.costs.iter().filter(|cost| cost.grade == Grade::Exact).map(|cost| cost.point).collect();
    let Some(last) = exact.last() else { return Err(doubt) };
    let level = &exact[exact.iter().rposition(|point| point.cost != last.cost).map_or(0, |at| at + 1)..];
    let from = level[0].size;
    let reaches = last.size >= LEAST_LEVEL && last.size >= from.saturating_mul(SPAN_OF_LEVEL);
    let exceeded = evidence.costs.iter().any(|cost| cost.point.size >= from && cost.point.cost > last.cost);
    if level.len() < FEWEST_LEVEL || !reaches || exceeded {
        return Err(doubt);
    }
    let Ok(law) = one_law(level) else { return Err(doubt) };
    let why = format!("every size from {from} to {} is known to cost no more, whatever smaller ones do", last.size);
    Ok(Growth::of(Verdict::Fitted, law, why, &[]))
}

/// Fitted: the law of the largest sizes, where those that are sure have two pieces and the last is long enough.
fn law_of_last_piece(evidence: &Evidence, doubt: Doubt) -> Result<Growth, Doubt> {
    if !matches!(doubt, Doubt::Unclear(_)) {
        return Err(doubt);
    }
    let sure = evidence.sure();
    // The largest size must be sure as well: what was found at larger ones may be a third piece.
    let last = evidence.largest().filter(|last| last.grade > Grade::Found);
    let piece = last.and_then(|_| at_least::last_law(&sure[1..], SPAN_OF_PIECE));
    let reaches =
        |law: &Fit| law.class > Some(Class::ANY_POWER) || sure.last().is_some_and(|point| point.size >= LEAST_REACH);
    // Where the smaller sizes are on the law as well, they are no piece of their own, and spoke against it for another reason.
    let is_another = |law: &Fit| {
        let off = |point: &&Point| {
            let cost = point.cost as f64;
            law.extrapolate(point.size).is_none_or(|value| (value - cost).abs() > ANOTHER * cost)
        };
        let smaller: Vec<&Point> = sure.iter().filter(|point| point.size < law.from).collect();
        2 * smaller.iter().filter(|point| off(point)).count() >= smaller.len()
    };
    let Some(law) = piece.filter(reaches).filter(is_another) else { return Err(doubt) };
    let standing = standing(&law, &sure, evidence)?;
    let from = law.from;
    let note = format!("sizes below {from} follow another law; {}", standing.note);
    Ok(Growth::fitted(law, note.trim_end_matches("; ").to_owned()))
}

/// At least: the growth that lower bounds show.
fn forced_by_costs(evidence: &Evidence, doubt: Doubt) -> Result<Growth, Doubt> {
    let mut points = evidence.telling();
    // Nobody searched there: such a cost may refute a law, but a low one says nothing.
    while let [.., before, last] = points[..]
        && last.size > before.size.saturating_mul(UNSEARCHED)
    {
        points.pop();
    }
    if matches!(doubt, Doubt::Short(_)) && !at_least::multiply(&points) {
        // What is sure follows another law: it would bend that of the others.
        let last_sure = evidence.sure().last().map_or(0, |point| point.size);
        points.retain(|point| point.size >= last_sure);
    }
    let Some(bound) = at_least::at_least(&points) else { return Err(doubt) };
    let why = doubt.why();
    Ok(match bound {
        Bound::Ratios(floor) => {
            let (from, to) = (floor.from, floor.at.size);
            Growth::floor(floor, format!("costs multiply steadily from size {from} to {to}; {why}"))
        }
        Bound::Law(law) => {
            let to = points.last().map_or(0, |point| point.size);
            let how = format!("verified costs of sizes {} to {to} grow like this; {why}", law.from);
            Growth::of(Verdict::AtLeast, *law, how, &[])
        }
        Bound::Doublings(floor) => {
            let (from, to) = (floor.from, floor.at.size);
            Growth::floor(floor, format!("so fast costs rise with each doubling from size {from} to {to}; {why}"))
        }
    })
}

/// How a law does on costs it was not made from.
struct Standing {
    /// Costs found at sizes beyond the sure ones.
    later: usize,
    /// Whether the largest of them comes up to the law.
    reached: bool,
    /// What there is to say about those that do not.
    note: String,
}

/// Compares a law with every cost known but those it was made from. None may exceed it, and the largest should come up
/// to it.
fn standing(law: &Fit, made_from: &[Point], evidence: &Evidence) -> Result<Standing, Doubt> {
    let class = law.class.unwrap_or(Class::CONSTANT);
    let known = evidence.costs.iter().map(|cost| cost.point).chain(evidence.cut.iter().copied());
    let other = known.filter(|point| !made_from.contains(point));
    if let Some(above) = other.filter(|point| law.is_exceeded_by(point.size, point.cost)).max_by_key(|point| point.size)
    {
        let (size, cost, formula) = (above.size, above.cost, &law.formula);
        let why =
            format!("{formula} fits smaller sizes, but a verified run of size {size} costs {cost}, more than that");
        return Err(Doubt::Refuted(class, why));
    }
    let last_sure = evidence.sure().last().map_or(0, |point| point.size);
    let later: Vec<Point> =
        evidence.costs.iter().map(|cost| cost.point).filter(|point| point.size > last_sure).collect();
    let Some(largest) = later.last() else {
        return Ok(Standing { later: 0, reached: true, note: String::new() });
    };
    let reaching: Vec<u64> = later.iter().filter(|point| reaches(law, point)).map(|point| point.size).collect();
    if reaching.last() == Some(&largest.size) {
        return Ok(Standing { later: later.len(), reached: true, note: String::new() });
    }
    let note = format!(
        "costs found up to size {} are below {}: the worst was not found there, or the program changes its ways",
        largest.size, law.formula
    );
    let dense = evidence.end_of_dense_sizes().max(1);
    let far = reaching.last().is_some_and(|&last| last / dense >= FAR && largest.size / last <= last / dense);
    match far && reaching.len() >= OFTEN {
        true => Ok(Standing { later: later.len(), reached: false, note }),
        false => Err(Doubt::Short(note)),
    }
}

fn reaches(law: &Fit, point: &Point) -> bool {
    let least = |prediction: Prediction| REACHES * prediction.low.max(WIDEST * prediction.value);
    law.predict(point.size).is_some_and(|prediction| point.cost as f64 + 1.0 >= least(prediction))
}
