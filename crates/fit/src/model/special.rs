//! The two functions of statistics that fitting needs.

use std::f64::consts::{FRAC_2_PI, PI};

/// From here on the series for the logarithm of Γ has all digits of a number.
const FAR: f64 = 15.0;

/// The natural logarithm of Γ(x), for x from 1 on: Stirling's series, and recursion below where it is exact.
pub fn ln_gamma(x: f64) -> f64 {
    let mut product = 1.0;
    let mut z = x;
    while z < FAR {
        product *= z;
        z += 1.0;
    }
    let square = 1.0 / (z * z);
    let series =
        (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)))) / z;
    (z - 0.5) * z.ln() - z + (2.0 * PI).ln() / 2.0 + series - f64::ln(product)
}

/// The factor by which a measurement strays at most, nineteen times in twenty: the quantile of Student's distribution at 0.975.
pub fn students_reach(freedom: u32) -> f64 {
    let freedom = freedom.max(1);
    let (mut low, mut high) = (1.9, 13.0);
    while high - low > 1e-13 * high {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if within(middle, freedom) < 0.95 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// How often a variable with Student's distribution is between -t and t: Abramowitz and Stegun, 26.7.3 and 26.7.4.
fn within(t: f64, freedom: u32) -> f64 {
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let (mut term, mut sum, first) = if freedom % 2 == 1 { (cosine, 0.0, 3) } else { (1.0, 0.0, 2) };
    let mut k = first;
    while k <= freedom {
        sum += term;
        term *= f64::from(k - 1) / f64::from(k) * cosine * cosine;
        k += 2;
    }
    if freedom % 2 == 1 { FRAC_2_PI * (angle + sine * sum) } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the logarithm of Γ those of the C library, of Student's distribution those that are printed, to nine places.
    #[test]
    fn values_are_those_of_tables() {
        for (x, expected) in [
            (1.0, 0.0),
            (1.5, -0.120_782_237_635_245_22),
            (2.0, 0.0),
            (10.5, 13.940_625_219_403_763),
            (100.0, 359.134_205_369_575_4),
            (1e6 + 1.0, 12_815_518.384_658_169),
        ] {
            let found: f64 = ln_gamma(x);
            assert!((found - expected).abs() <= 4e-15 * expected.abs().max(1.0), "{x}: {found}, not {expected}");
        }
        for (freedom, expected) in [
            (1, 12.706_204_736),
            (2, 4.302_652_730),
            (3, 3.182_446_305),
            (5, 2.570_581_836),
            (10, 2.228_138_852),
            (30, 2.042_272_456),
            (120, 1.979_930_405),
            (1000, 1.962_339_081),
        ] {
            let found = students_reach(freedom);
            assert!((found - expected).abs() < 6e-10, "{freedom}: {found}, not {expected}");
        }
    }
}
