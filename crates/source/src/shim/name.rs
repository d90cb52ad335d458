//! Names that become part of a generated program.

use super::signature::ShimError;

/// The name of a function, if it is nothing else: it becomes part of a program that runs outside of the sandbox.
pub(super) fn checked(name: &str) -> Result<&str, ShimError> {
    let mut depth = 0i32;
    let mut plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '<') && name.len() <= 256;
    for c in name.chars() {
        depth += i32::from(c == '<') - i32::from(c == '>');
        let inside = depth > 0 && ", *&".contains(c);
        plain &= depth >= 0 && (c.is_ascii_alphanumeric() || "_:<>".contains(c) || inside);
    }
    if plain && depth == 0 { Ok(name) } else { Err(ShimError::NotAName { name: name.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::checked;

    #[test]
    fn a_name_brings_no_code_with_it() {
        for name in ["f", "a::b<int, char *>::c", "<Vec<u8> as Trait>::f"] {
            assert!(checked(name).is_ok(), "{name}");
        }
        for name in ["", "f(); system", "f\n", "a;b", "f<", "a, b", "*f", "f\"", "f>g<"] {
            assert!(checked(name).is_err(), "{name}");
        }
    }
}
