//! Integer helpers: masks, signs, total division, rotation.

/// All ones in the low `width` bits (1..=64).
#[inline(always)]
pub fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// The top bit of a number of `width` bits.
#[inline(always)]
pub fn sign_bit(width: u8) -> u64 {
    1 << (width - 1)
}

/// The number of `width` bits read as signed.
#[inline(always)]
pub fn sext(width: u8, a: u64) -> i64 {
    let gap = 64 - width;
    ((a << gap) as i64) >> gap
}

#[inline(always)]
pub(super) fn amount(width: u8, b: u64) -> u32 {
    (b % u64::from(width)) as u32
}

#[inline(always)]
pub(super) fn opposite(width: u8, k: u32) -> u32 {
    if k == 0 { 0 } else { u32::from(width) - k }
}

#[inline(always)]
pub(super) fn rotl(width: u8, a: u64, k: u32) -> u64 {
    if k == 0 { a } else { ((a << k) | (a >> (u32::from(width) - k))) & mask(width) }
}

#[inline(always)]
pub(super) fn udiv(width: u8, a: u64, b: u64) -> u64 {
    a.checked_div(b).unwrap_or(mask(width))
}

#[inline(always)]
pub(super) fn urem(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(a)
}

#[inline(always)]
pub(super) fn sdiv(width: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (sext(width, a), sext(width, b));
    match y {
        0 if x < 0 => 1,
        0 => mask(width),
        _ => (x.wrapping_div(y) as u64) & mask(width),
    }
}

#[inline(always)]
pub(super) fn srem(width: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (sext(width, a), sext(width, b));
    if y == 0 { a } else { (x.wrapping_rem(y) as u64) & mask(width) }
}
