use super::*;

#[test]
fn names_are_written_as_serde_writes_those_of_fields() {
    let names = ["max_count", "a", "_hidden"];
    let renamed = CASES.map(|case| names.map(|name| case.rename(name)).join(" "));
    assert_eq!(
        renamed,
        [
            "max_count a _hidden",
            "MAX_COUNT A _HIDDEN",
            "MaxCount A Hidden",
            "maxCount a hidden",
            "max_count a _hidden",
            "MAX_COUNT A _HIDDEN",
            "max-count a -hidden",
            "MAX-COUNT A -HIDDEN",
        ]
    );
}
