//! Functions as an ordinary developer has them.

pub fn vowels(s: &str) -> usize {
    s.bytes().filter(|byte| b"aeiou".contains(byte)).count()
}

pub fn positive(values: &[i64]) -> usize {
    let mut count = 0;
    for value in values {
        if *value > 0 {
            count += 1;
        }
    }
    count
}

pub fn sort(values: &mut Vec<u32>) {
    values.sort();
}
