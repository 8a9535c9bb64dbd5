//! What a pattern matches is what JavaScript would match with it.

use super::super::pattern::Pattern;

#[test]
fn a_pattern_means_what_it_means_in_javascript() {
    for (pattern, yes, no) in [
        ("a", &["a", "bab"][..], &["", "b"][..]),
        ("^a.c$", &["abc", "a😀c"], &["a\nc", "a\u{2028}c", "ac"]),
        (r"^\d+$", &["123"], &["١٢٣", "", "a"]),
        (r"^\w$", &["a", "_", "9"], &["ä", "-"]),
        (r"^\s$", &[" ", "\u{a0}", "\u{feff}", "\u{3000}", "\t"], &["a", "\u{200b}"]),
        (r"^\S+$", &["ab"], &["a b", "a\u{a0}b"]),
        (r"^[\s\d]+$", &["1 2"], &["a"]),
        (r"^[^\d]$", &["a"], &["1"]),
        (r"^[\D]$", &["a", "é"], &["1"]),
        (r"^[\W]$", &["-", "é"], &["_", "a"]),
        (r"^[\S]$", &["x"], &[" ", "\u{feff}"]),
        (r"^\u00e9$", &["é"], &["e"]),
        (r"^\u{1F600}$", &["😀"], &["x"]),
        (r"^\uD83D\uDE00$", &["😀"], &["x"]),
        (r"^\x41\cJ$", &["A\n"], &["AJ"]),
        (r"^a\/b\-c$", &["a/b-c"], &["a-b/c"]),
        ("^[a-c-]+$", &["a-b"], &["d"]),
        (r"^[a\-c]+$", &["a-c"], &["b"]),
        ("^[[&&~~]+$", &["[&~"], &["a"]),
        (r"^[\]]$", &["]"], &["["]),
        (r"^[\b]$", &["\u{8}"], &["b"]),
        ("^[^]$", &["\n", "a"], &["", "ab"]),
        ("[]", &[], &["", "a"]),
        (r"\bcat\b", &["a cat"], &["cats"]),
        ("^(?:a|b)(?<name>c)?$", &["a", "bc"], &["c"]),
        ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
        ("^a{2}$", &["aa"], &["a"]),
        ("^a{2,}$", &["aa", "aaaaa"], &["a"]),
        ("^a{,2}$", &["a{,2}"], &["a", "aa"]),
        ("^{a}$", &["{a}"], &["a"]),
        ("^a+?$", &["aaa"], &[""]),
        ("^# x$", &["# x"], &["#x"]),
        ("a$", &["a"], &["a\n"]),
    ] {
        let compiled = Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        assert_eq!(compiled.to_string(), pattern);
        for text in yes {
            assert!(compiled.matches(text), "{pattern} on {text:?}");
        }
        for text in no {
            assert!(!compiled.matches(text), "{pattern} on {text:?}");
        }
    }
}

#[test]
fn what_takes_more_than_an_automaton_is_refused_and_so_is_what_means_nothing() {
    for (pattern, part) in [
        ("^(?!x)", "looks around"),
        ("(?<=x)y", "looks around"),
        ("(?i)x", "does not know"),
        (r"(a)\1", "refers back"),
        (r"\p{L}", "property of Unicode"),
        ("[z-a]", "no order"),
        ("[a", "no end"),
        ("\\", "backslash"),
        (r"\uD83D", "half a character"),
        (r"\y", "means nothing"),
        ("(a", ""),
    ] {
        let error = Pattern::new(pattern).expect_err(pattern);
        assert!(error.contains(part), "{pattern}: {error}");
    }
}
