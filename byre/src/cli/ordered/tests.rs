use super::{Members, pretty};

#[test]
fn members_stand_in_the_order_of_the_text() {
    let members = Members::of(r#"{"z":1,"a":{"y":2},"\u006b":[3]}"#);
    let shown = members.0.iter().map(|(key, value)| format!("{key}={}", value.get()));
    assert_eq!(shown.collect::<Vec<_>>(), ["z=1", r#"a={"y":2}"#, "k=[3]"]);
    assert_eq!(members.get("a"), Some(r#"{"y":2}"#));
    assert_eq!(members.get("b"), None);
}

#[test]
fn what_is_no_object_has_no_members() {
    assert!(Members::of("[1]").0.is_empty());
    assert!(Members::of("nonsense").0.is_empty());
}

#[test]
fn pretty_json_keeps_order_and_says_the_same() {
    let json = r#"{"z":[1,2.50,{"b":null,"a":"a \"quote\" and { [ ,"}],"e":[],"o":{},"a b":true}"#;
    let text = pretty(json);
    assert_eq!(
        text,
        r#"{
  "z": [
    1,
    2.50,
    {
      "b": null,
      "a": "a \"quote\" and { [ ,"
    }
  ],
  "e": [],
  "o": {},
  "a b": true
}"#
    );
    let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
    assert_eq!(value(&text), value(json));
    assert_eq!(pretty("7"), "7");
}
