//! Lines of fields, as a small crate has them.

/// How many fields a line has. Commas between quotes do not count.
pub fn fields(line: &str) -> usize {
    let (mut count, mut quoted) = (1, false);
    for byte in line.bytes() {
        if byte == b'"' {
            quoted = !quoted;
        } else if byte == b',' && !quoted {
            count += 1;
        }
    }
    count
}

/// Keeps the first of equal keys.
pub fn distinct(keys: &[u32]) -> usize {
    let mut kept: Vec<u32> = Vec::new();
    for key in keys {
        if !kept.contains(key) {
            kept.push(*key);
        }
    }
    kept.len()
}
