//! Words of a dictionary as inputs.

use serde_json::Value;

use crate::common::{analyze, column, json, results, run, scratch, write};

/// Every `end` walks back to the beginning, so that the longest words before the most of them are worst.
const CHECK: &str = r#"
int check(const char *s) {
    int open = 0, work = 0;
    for (const char *p = s; *p;) {
        if (p[0] == 'b' && p[1] == 'e') { open++; p += 5; }
        else if (p[0] == 'e') {
            for (const char *q = p; q > s; q--)
                if (*q == 'b') work++;
            if (open-- == 0) return -1;
            p += 3;
        } else if (*p == ';') p++;
        else return -2;
    }
    return open == 0 ? work : -3;
}
int pairs(const char *s, unsigned len) {
    int found = 0;
    for (unsigned i = 0; i < len; i++)
        if (s[i] == 'e')
            for (unsigned j = 0; j < i; j++) found++;
    return found;
}
"#;

/// The text of a worst input, by the numbers of its words.
fn words(result: &Value, dictionary: &[&str]) -> String {
    let numbers = result["input"]["s"].as_array().expect("numbers of words");
    numbers.iter().map(|number| dictionary[number.as_u64().expect("a number") as usize]).collect()
}

#[test]
fn words_of_a_dictionary_are_searched_exactly_and_shown_as_text() {
    let directory = scratch();
    let file = write(&directory, "check.c", CHECK);
    let afl = write(&directory, "words.dict", "# keywords\nbegin=\"begin\"\nend=\"end\"\n\";\"\n");
    let call = format!("check(s: tokens[n] of @{afl})");
    let found = analyze(&[&file, "--call", &call, "--sizes", "1..4", "--strategy", "exhaustive"]);
    // Each of three words at each place.
    assert_eq!(column(&found, "paths"), [3, 9, 27, 81]);
    assert!(results(&found).iter().all(|result| result["confidence"] == "exact" && result["verified"] == true));
    assert_eq!(words(&results(&found)[3], &["begin", "end", ";"]), "beginbeginendend");
    let plain = write(&directory, "words.txt", "begin\nend\n;\n");
    let ran = run(&["analyze", &file, "--call", &format!("check(s: tokens[n] of @{plain})"), "--sizes", "2..4"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("s = \"beginbeginendend\""), "{}", ran.stdout);
}

#[test]
fn every_technique_works_on_words_and_the_length_is_passed() {
    let directory = scratch();
    let file = write(&directory, "check.c", CHECK);
    let call = r#"pairs(s: tokens[n] of ["a", "tree", "e", ""], len(s))"#;
    let best = analyze(&[&file, "--call", call, "--sizes", "5", "--strategy", "exhaustive"]);
    let best = results(&best)[0]["cost"].as_u64().expect("a cost");
    for strategy in ["evolve", "random", "history", "pump", "wise"] {
        let ran =
            run(&["analyze", &file, "--call", call, "--sizes", "2..5", "--strategy", strategy, "--effort", "4e7"]);
        assert_eq!(ran.code, 0, "{strategy}: {}", ran.stderr);
    }
    // What memo takes for the same everywhere is not, where words are written.
    let ran = run(&["analyze", &file, "--call", call, "--sizes", "5", "--strategy", "memo"]);
    assert!(ran.code != 0 && ran.stderr.contains("words of a dictionary"), "{}{}", ran.stdout, ran.stderr);
    let found = analyze(&[&file, "--call", call, "--sizes", "1..5,64", "--effort", "2e8"]);
    assert!(results(&found).iter().all(|result| result["found_by"] != "memo"), "{found}");
    let all = results(&found);
    assert!(all.iter().all(|result| result["verified"] == true), "{found}");
    assert_eq!(all[4]["cost"].as_u64(), Some(best), "{found}");
    // Nothing is worse than the word with two of them, everywhere.
    let longest = all[5]["input"]["s"].as_array().expect("words");
    assert!(longest.iter().filter(|word| **word == 1).count() > 56, "{longest:?}");
}

#[test]
fn words_are_given_replayed_and_exported_as_bytes() {
    let directory = scratch();
    let file = write(&directory, "check.c", CHECK);
    let call = r#"pairs(s: tokens[n] of ["ab", "e"], len(s))"#;
    for input in [r#"{"s": [0, 1]}"#, r#"{"s": ["ab", "e"]}"#] {
        let ran = json(&["run", &file, "--call", call, "--size", "2", "--input", input]);
        assert_eq!(ran["result"], 2, "{ran}");
    }
    let ran = run(&["run", &file, "--call", call, "--size", "2", "--input", r#"{"s": ["ab", "x"]}"#]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    let (out, corpus) = (directory.path().join("out"), directory.path().join("corpus"));
    let (out, corpus) = (out.to_string_lossy().into_owned(), corpus.to_string_lossy().into_owned());
    assert_eq!(run(&["analyze", &file, "--call", call, "--sizes", "3", "--out", &out]).code, 0);
    assert_eq!(run(&["replay", &out]).code, 0);
    let exported = run(&["export", &out, "--as", "corpus", "--out", &corpus]);
    assert_eq!(exported.code, 0, "{}", exported.stderr);
    // By the number of bytes that the words come to: `e` behind as many others as possible.
    let entries = std::fs::read_dir(format!("{corpus}/corpus")).expect("files").flatten();
    let texts: Vec<Vec<u8>> = entries.map(|entry| std::fs::read(entry.path()).expect("bytes")).collect();
    assert!(texts.len() == 1 && texts[0].ends_with(b"e"), "{texts:?}");
    let c = run(&["export", &out, "--as", "c", "--out", &corpus]);
    assert_eq!(c.code, 0, "{}", c.stderr);
}

#[test]
fn mistakes_in_dictionaries_are_told() {
    let directory = scratch();
    let file = write(&directory, "check.c", CHECK);
    let bad = write(&directory, "bad.dict", "\"a\"\nb\n");
    let empty = write(&directory, "empty.txt", "\n");
    for (call, words) in [
        (format!("check(s: tokens[n] of @{bad})"), "line 2"),
        (format!("check(s: tokens[n] of @{empty})"), "no word"),
        ("check(s: tokens[n] of @nowhere.dict)".to_owned(), "cannot read nowhere.dict"),
        ("check(s: tokens[n])".to_owned(), "expected `of`"),
        ("pairs(s: tokens[n] of [\"a\"], len(t))".to_owned(), "no argument `t`"),
        ("pairs(s: tokens[n] of [\"a\"], tokens[n] of [\"a\"])".to_owned(), "a pointer"),
    ] {
        let ran = run(&["analyze", &file, "--call", &call, "--sizes", "1"]);
        assert!(ran.code == 2 && ran.stderr.contains(words), "{call}: {}", ran.stderr);
    }
}

#[test]
fn words_stand_in_a_struct_beside_their_length() {
    let directory = scratch();
    let text = "struct doc { const char *text; unsigned short len; int work; };\nint pairs_of(struct doc *d) {\n    for (int i = 0; i < d->len; i++)\n        if (d->text[i] == 'e')\n            for (int j = 0; j < i; j++) d->work++;\n    return d->work;\n}\n";
    let file = write(&directory, "doc.c", text);
    // The member that is the length is known by its type, or written out.
    for members in [r#"text: tokens[n] of ["a", "tree"]"#, r#"text: tokens[n] of ["a", "tree"], len: len(text)"#] {
        let call = format!("pairs_of(d: doc {{ {members}, work: 0 }})");
        let found = analyze(&[&file, "--call", &call, "--sizes", "1..4", "--strategy", "exhaustive"]);
        assert_eq!(column(&found, "paths"), [2, 4, 8, 16], "{call}");
        assert!(results(&found).iter().all(|result| result["verified"] == true), "{call}: {found}");
        assert_eq!(results(&found)[3]["input"]["d.text"], serde_json::json!([1, 1, 1, 1]), "{call}");
        let shown = found["target"]["call"].to_string();
        assert!(shown.contains("len: u16 = len(text)"), "{shown}");
        // As it is shown it can be given again.
        let again = found["target"]["call"].as_str().expect("a call");
        let ran = json(&["run", &file, "--call", again, "--size", "2", "--input", r#"{"d.text": ["tree", "a"]}"#]);
        assert_eq!(ran["result"], 5, "{ran}");
    }
    let call = r#"pairs_of(doc { text: tokens[n] of ["a"], len: 1 }[n])"#;
    let ran = run(&["analyze", &file, "--call", call, "--sizes", "2"]);
    assert!(ran.code == 2 && ran.stderr.contains("of many structs"), "{}", ran.stderr);
}
