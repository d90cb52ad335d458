//! Patterns are exact at every length, and found in their own examples.

use super::{Counter, Pattern, factorisations};

fn bytes(text: &str) -> Vec<i64> {
    text.bytes().map(i64::from).collect()
}

fn parts(prefix: &str, unit: &str, middle: &str, second: &str, suffix: &str) -> Pattern {
    let [prefix, unit, middle, second, suffix] = [prefix, unit, middle, second, suffix].map(bytes);
    Pattern { prefix, unit, middle, second, suffix, ..Pattern::default() }
}

fn text(pattern: &Pattern, length: usize) -> String {
    pattern.values(length).iter().map(|value| char::from(*value as u8)).collect()
}

#[test]
fn a_value_is_exact_at_every_length() {
    let one = parts("<", "ab", "", "", ">");
    let all: Vec<String> = (0..=7).map(|n| text(&one, n)).collect();
    assert_eq!(all, ["", "<", "<>", "<a>", "<ab>", "<aba>", "<abab>", "<ababa>"]);
    let two = parts("", "((", "x", ")", "!");
    let all: Vec<String> = (0..=9).map(|n| text(&two, n)).collect();
    assert_eq!(all, ["", "x", "x!", "(x!", "((x!", "((x)!", "(((x)!", "((((x)!", "((((x))!", "(((((x))!"]);
    let closed = Pattern { second_fills: true, ..two };
    let all: Vec<String> = (2..=9).map(|n| text(&closed, n)).collect();
    assert_eq!(all, ["x!", "x)!", "x))!", "((x)!", "((x))!", "((x)))!", "((((x))!", "((((x)))!"]);
    assert_eq!(closed.in_words(true), r#""((" k times, then "x", then ")" k times and more, to the end, then "!""#);
    let steps = Pattern { prefix: vec![9], unit: vec![1, 5], step: 10, ..Pattern::default() };
    assert_eq!(steps.values(6), [9, 1, 5, 11, 15, 21]);
    let mirrored = Pattern { step: 1, ..Pattern::nested(&[0], &[9]) };
    assert_eq!(mirrored.values(6), [0, 1, 2, 9, 8, 7]);
}

/// The unit with its number before the element at an index.
fn numbered(pattern: Pattern, at: usize, (first, digits): (i64, i64)) -> Pattern {
    Pattern { counter: Some(Counter { at, first, digits }), ..pattern }
}

#[test]
fn a_counter_makes_repetitions_differ() {
    let names = numbered(parts("<", " =", "", "", ">"), 1, Counter::LETTERS);
    assert_eq!(text(&names, 14), "< a= b= c= d=>");
    let bits = numbered(parts("", ";", "", "", ""), 0, (48, 2));
    assert_eq!(text(&bits, 24), "0;1;00;01;10;11;000;001;");
    assert_eq!(bits.in_words(true), r#"(its number in 0..1) ";" repeated"#);
    let names = text(&names, 20_000);
    let mut different: Vec<&str> = names.trim_matches(['<', '>']).split('=').collect();
    let all = different.len();
    different.sort_unstable();
    different.dedup();
    assert!(all > 4_000 && different.len() == all);
}

#[test]
fn a_filler_stands_where_a_repetition_would_be_cut() {
    let one = Pattern { filler: Some(i64::from(b'_')), ..parts("<", "ab", "", "", ">") };
    assert_eq!((2..=7).map(|n| text(&one, n)).collect::<Vec<_>>(), ["<>", "<_>", "<ab>", "<ab_>", "<abab>", "<abab_>"]);
    assert_eq!(one.in_words(true), r#""<", then "ab" repeated, filled up with "_", then ">""#);
    let two = Pattern { filler: Some(i64::from(b'_')), ..parts("", "((", "x", ")", "!") };
    assert_eq!(
        (4..=9).map(|n| text(&two, n)).collect::<Vec<_>>(),
        ["((x!", "((x)!", "((_x)!", "((((x)!", "((((x))!", "((((_x))!"]
    );
    let names = numbered(Pattern { filler: Some(32), ..parts("<a", " =''", "", "", "/>") }, 1, (97, 2));
    assert_eq!(text(&names, 26), "<a a='' b='' aa='' ab=''/>");
    assert_eq!(text(&names, 25), "<a a='' b='' aa=''     />");
}

#[test]
fn every_length_has_as_many_values() {
    let counted = numbered(parts("ab", "cde", "f", "gh", "i"), 7, (0, 2));
    let filled = Pattern { filler: Some(7), ..counted.clone() };
    for pattern in [counted, filled, parts("ab", "cde", "f", "gh", "i"), parts("", "a", "", "", ""), Pattern::default()]
    {
        for length in 0..40 {
            assert_eq!(pattern.values(length).len(), length, "{pattern:?}");
        }
    }
}

#[test]
fn words_are_those_of_a_person() {
    assert_eq!(parts("", "![[]()", "", "", "").in_words(true), r#""![[]()" repeated"#);
    assert_eq!(parts("<", "a\"", "", "", "\n").in_words(true), r#""<", then "a\"" repeated, then "\n""#);
    assert_eq!(parts("", "(", "x", ")", "").in_words(true), r#""(" k times, then "x", then ")" k times"#);
    let steps = Pattern { step: -2, ..Pattern::repeated(&[7, -1]) };
    assert_eq!(steps.in_words(false), "7 -1 repeated, each time 2 less");
}

#[test]
fn a_pattern_is_found_in_an_example_of_it() {
    for (pattern, length) in [
        (parts("<", "ab", "", "", ">"), 12),
        (parts("", "(", "", ")", ""), 10),
        (parts("x", "(", "y", ")", "z"), 13),
        (Pattern { step: 3, ..Pattern::repeated(&[1, 7]) }, 10),
    ] {
        let example = pattern.values(length);
        assert!(factorisations(&example).contains(&pattern), "{pattern:?} in {example:?}");
    }
    assert!(factorisations(&bytes("a![]b")).contains(&parts("a", "![]", "", "", "b")));
    assert!(factorisations(&[]).is_empty());
}
