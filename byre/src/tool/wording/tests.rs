use super::*;

/// Compares what becomes of a message of serde with `want`.
fn check(message: &str, want: &str) {
    assert_eq!(plain(message), (None, want.to_owned()), "for {message}");
}

#[test]
fn types_are_those_of_json() {
    for (message, want) in [
        ("invalid type: string \"x\", expected i64", "expected an integer, got the string \"x\""),
        ("invalid type: integer `3`, expected a string", "expected a string, got the number 3"),
        (
            "invalid type: floating point `2.5`, expected u8",
            "expected an integer, got the number 2.5",
        ),
        ("invalid type: boolean `true`, expected f64", "expected a number, got true"),
        ("invalid type: null, expected a sequence", "expected a list, got null"),
        ("invalid type: unit value, expected a map", "expected an object, got null"),
        ("invalid type: map, expected a boolean", "expected true or false, got an object"),
        ("invalid type: sequence, expected struct Item", "expected an object, got a list"),
        ("invalid type: null, expected path string", "expected a string, got null"),
        (
            "invalid type: map, expected a tuple of size 2",
            "expected a list of 2 values, got an object",
        ),
        ("invalid type: map, expected tuple struct A1", "expected a list, got an object"),
        (
            "invalid type: integer `3`, expected internally tagged enum E",
            "expected an object, got the number 3",
        ),
    ] {
        check(message, want);
    }
}

#[test]
fn values_out_of_range_tell_the_range() {
    for (message, want) in [
        (
            "invalid value: integer `300`, expected u8",
            "expected an integer from 0 to 255, got the number 300",
        ),
        (
            "invalid value: integer `-1`, expected u64",
            "expected an integer that is not negative, got the number -1",
        ),
        (
            "invalid value: string \"ab\", expected a character",
            "expected a string of one character, got the string \"ab\"",
        ),
    ] {
        check(message, want);
    }
}

#[test]
fn lengths_are_numbers_of_values() {
    for (message, want) in [
        ("invalid length 1, expected an array of length 3", "expected a list of 3 values, got 1"),
        ("invalid length 0, expected a tuple of size 2", "expected a list of 2 values, got 0"),
        (
            "invalid length 1, expected struct Pair2 with 2 elements",
            "expected a list of 2 values, got 1",
        ),
        (
            "invalid length 1, expected tuple struct P with 1 element",
            "expected a list of 1 value, got 1",
        ),
        ("invalid length 3, expected fewer elements in array", "expected fewer values, got 3"),
    ] {
        check(message, want);
    }
}

#[test]
fn variants_and_fields_are_told_apart() {
    check(
        "unknown variant `x`, expected `a` or `b`",
        "expected one of `a`, `b`, got the string \"x\"",
    );
    check("unknown variant `x`, expected `a`", "expected `a`, got the string \"x\"");
    let field = |name: &str, text: &str| (Some(name.to_owned()), text.to_owned());
    assert_eq!(plain("missing field `price`"), field("price", "missing"));
    assert_eq!(
        plain("unknown field `nmae`, expected one of `name`, `size`"),
        field("nmae", "unknown; did you mean `name`?")
    );
    assert_eq!(
        plain("unknown field `weight`, expected `name` or `size`"),
        field("weight", "unknown; expected one of `name`, `size`")
    );
    assert_eq!(plain("unknown field `x`, there are no fields"), field("x", "unknown"));
}

#[test]
fn what_only_looks_like_a_message_does_no_harm() {
    check(
        "invalid type: string \"a, expected b\", expected i64",
        "expected an integer, got the string \"a, expected b\"",
    );
    check("the day must be in May", "the day must be in May");
    check(
        "data did not match any variant of untagged enum E",
        "fits none of the forms that it can have",
    );
}

#[test]
fn long_strings_are_cut() {
    let long = format!("invalid type: string \"{}\", expected i64", "é".repeat(100));
    check(&long, &format!("expected an integer, got the string \"{}…\"", "é".repeat(60)));
    assert_eq!(shortened("é", 1), "é");
}

#[test]
fn values_have_names() {
    for (json, want) in
        [("null", "null"), ("1.5", "the number 1.5"), ("[]", "a list"), ("{}", "an object")]
    {
        assert_eq!(value(&serde_json::from_str(json).unwrap()), want);
    }
}
