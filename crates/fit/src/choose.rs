//! The choice among classes, or the reason for none.

use crate::class::Class;
use crate::model::Contender;
use crate::notation::digits;
use crate::points::Point;

/// Fewer sizes than this and only an exact law is believed.
const FEWEST: usize = 5;
/// The relative error above which costs are too noisy for any law.
const NOISY: f64 = 0.15;
/// The relative error above which errors must not come in long runs of one sign.
const SMALL: f64 = 0.04;
/// The lead in score a class must have over every other. Score differences are about twice log-likelihood ratios.
const LEAD: f64 = 5.0;
/// The lead it must have with few sizes, and what few means.
const LEAD_OF_FEW: f64 = 7.0;
const FEW: usize = 12;
/// The lead a free power needs over every named class to be named itself, and to cast doubt on them.
const LEAD_OF_FREE_POWER: f64 = 10.0;
const DOUBT_BY_FREE_POWER: f64 = 4.0;

/// The index of the class chosen, and in a sentence how, or why none was.
pub fn choose(contenders: &[Contender], points: &[Point]) -> (Option<usize>, String) {
    match decide(contenders, points) {
        Ok((index, how)) => (Some(index), how),
        Err(why) => (None, why),
    }
}

fn decide(contenders: &[Contender], points: &[Point]) -> Result<(usize, String), String> {
    if points.len() < FEWEST {
        return Err(format!("no exact law, and {} sizes are too few for a fitted one: try more sizes", points.len()));
    }
    let named = contenders.iter().position(|contender| !contender.any_power);
    let Some(first) = named else { return Err("no growth law fits these costs".to_owned()) };
    let best = &contenders[first];
    let ahead = |free: &Contender| best.score - free.score;
    if let Some(free) = contenders.iter().position(|c| c.any_power && ahead(c) > DOUBT_BY_FREE_POWER) {
        return power_law(free, &contenders[free], best, points);
    }
    fits(best, points)?;
    let lead = if points.len() < FEW { LEAD_OF_FEW } else { LEAD };
    let second = contenders.iter().enumerate().find(|(i, other)| *i != first && !other.any_power);
    if let Some((_, second)) = second.filter(|(_, second)| second.score < best.score + lead) {
        let (a, b) = (best.law.class(), second.law.class());
        return Err(format!("{a} and {b} fit and predict these costs about equally well: try larger sizes"));
    }
    if points.len() < FEW && contenders.iter().any(|other| predicts_better(other, best)) {
        let class = best.law.class();
        return Err(format!("{class} fits best, but other laws predict the largest sizes better: try more sizes"));
    }
    Ok((first, how(best, second.map(|(_, second)| second))))
}

/// Whether a law does much better than another on the held-out sizes, where that other is really off.
fn predicts_better(other: &Contender, best: &Contender) -> bool {
    best.held_out_error > 0.1 && other.held_out_error < best.held_out_error / 2.0
}

/// Costs that no named class comes near to, but a power of n does.
fn power_law(index: usize, free: &Contender, named: &Contender, points: &[Point]) -> Result<(usize, String), String> {
    fits(free, points)?;
    let exponent = free.law.exponent();
    // Just above a whole power it is more often a logarithm that bends the curve.
    let near_a_class =
        exponent > 0.9 && exponent.fract() < 0.4 || exponent.fract() > 0.9 || (exponent - 0.5).abs() < 0.1;
    if named.score - free.score <= LEAD_OF_FREE_POWER || near_a_class {
        let (class, power) = (named.law.class(), free.law.class());
        return Err(format!("costs lie between the classes: {class} is nearest, {power} is nearer: try larger sizes"));
    }
    Ok((index, how(free, Some(named))))
}

fn how(best: &Contender, second: Option<&Contender>) -> String {
    let percent = |contender: &Contender| format!("{} %", digits(contender.held_out_error * 100.0));
    let others = second.map_or(String::new(), |second| format!(", {} by {}", second.law.class(), percent(second)));
    format!("predicts the largest sizes from the others with an error of {}{others}", percent(best))
}

/// Whether what is left after the law looks like noise, and little of it.
fn fits(contender: &Contender, points: &[Point]) -> Result<(), String> {
    let error = contender.law.error();
    let percent = digits(error * 100.0);
    if error > NOISY {
        return Err(format!("costs are off every growth law by {percent} % or more: too noisy, or not one law"));
    }
    if contender.law.class() == Class::CONSTANT && has_trend(points) {
        return Err("costs drift slowly with the size, by less than any growing law would".to_owned());
    }
    if error > SMALL && runs(contender, points) {
        let class = contender.law.class();
        return Err(format!(
            "{class} is nearest, but costs bend away from it by {percent} %: not one law, or sizes too small"
        ));
    }
    Ok(())
}

/// Whether errors keep their sign for longer than chance would have it (Wald and Wolfowitz, two standard deviations).
fn runs(contender: &Contender, points: &[Point]) -> bool {
    let above: Vec<bool> = points.iter().map(|point| contender.law.value(point.size) > point.cost as f64).collect();
    let changes = above.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
    let n = above.len() as f64;
    changes < (n - 1.0) / 2.0 - (n - 1.0).sqrt()
}

/// Whether costs rise or fall with the size more steadily than chance would have it (Mann and Kendall, two and a half
/// standard deviations).
fn has_trend(points: &[Point]) -> bool {
    let pairs = points.iter().enumerate().flat_map(|(i, a)| points[i + 1..].iter().map(move |b| a.cost.cmp(&b.cost)));
    let balance: i64 = pairs.map(|order| order as i64).sum();
    let n = points.len() as f64;
    (balance as f64).abs() > 2.5 * (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt()
}
