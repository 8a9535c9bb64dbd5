//! The checker and `jsonschema`, a judge that others wrote, say the same about thousands of values.

use serde_json::{Value, json};

use super::super::Checker;

fn theirs(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(schema)
        .unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// What both said, all in all.
#[derive(Default)]
struct Score {
    pairs: usize,
    taken: usize,
    differences: Vec<String>,
}

impl Score {
    /// Has both judge every value, and returns how many theirs took.
    fn compare<'a>(
        &mut self,
        schema: &Value,
        values: impl IntoIterator<Item = &'a Value>,
    ) -> usize {
        let (ours, theirs) = (Checker::of_schema(schema), theirs(schema));
        let mut taken = 0;
        for value in values {
            let want = theirs.is_valid(value);
            let problems = ours.problems(value);
            if ours.accepts(value) != want || problems.is_empty() != want {
                self.differences.push(format!("{value} by {schema}: {want}, ours {problems:?}"));
            }
            self.pairs += 1;
            taken += usize::from(want);
        }
        self.taken += taken;
        taken
    }

    fn assert_agreement(&self) {
        let count = self.differences.len();
        let some: Vec<_> = self.differences.iter().take(40).map(String::as_str).collect();
        assert!(some.is_empty(), "{count} of {} pairs:\n{}", self.pairs, some.join("\n"));
    }
}

/// Numbers from a seed, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.roll(list.len())]
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => json!(i64::try_from(self.roll(12)).unwrap() - 3),
            3 => self.pick(&[json!(0.5), json!(2.0), json!(-1.5), json!(1e20), json!(2.5)]).clone(),
            4 | 5 => json!(*self.pick(&TEXTS)),
            6 | 7 => (0..self.roll(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let entries = (0..self.roll(4))
                    .map(|_| ((*self.pick(&NAMES)).to_owned(), self.value(depth - 1)));
                Value::Object(entries.collect())
            }
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.roll(20) == 0 {
            return json!(self.roll(4) != 0);
        }
        let mut schema = serde_json::Map::new();
        for _ in 0..=self.roll(3) {
            let (key, value) = self.keyword(depth);
            schema.insert(key.to_owned(), value);
        }
        Value::Object(schema)
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..=self.roll(2)).map(|_| self.schema(depth - 1)).collect()
    }

    fn named(&mut self, depth: usize) -> Value {
        let entries = (0..=self.roll(2))
            .map(|_| ((*self.pick(&NAMES)).to_owned(), self.schema(depth - 1)))
            .collect();
        Value::Object(entries)
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<_> = (0..self.roll(3)).map(|_| *self.pick(&NAMES)).collect();
        names.sort_unstable();
        names.dedup();
        json!(names)
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let small = self.roll(4);
        let number = json!(i64::try_from(self.roll(10)).unwrap() - 3);
        match self.roll(if depth == 0 { 18 } else { 36 }) {
            0..=3 => ("type", json!(*self.pick(&TYPES))),
            4 => ("type", json!([*self.pick(&TYPES[..3]), *self.pick(&TYPES[3..])])),
            5 => ("enum", (0..=self.roll(3)).map(|_| self.value(1)).collect()),
            6 => ("const", self.value(1)),
            7 => ("minimum", number),
            8 => ("maximum", number),
            9 => ("exclusiveMinimum", number),
            10 => ("exclusiveMaximum", number),
            11 => ("multipleOf", self.pick(&[json!(2), json!(0.5), json!(3)]).clone()),
            12 => ("minLength", json!(small)),
            13 => ("maxLength", json!(small)),
            14 => ("pattern", json!(*self.pick(&["^a", r"\d", "^[^b]*$", "é|x", r"^\w{1,2}$"]))),
            15 => ("format", json!(*self.pick(&["date", "uuid", "ipv4", "date-time"]))),
            16 => (*self.pick(&["minItems", "minProperties", "minContains"]), json!(small)),
            17 => (*self.pick(&["maxItems", "maxProperties", "maxContains"]), json!(small)),
            18 | 19 => ("properties", self.named(depth)),
            20 => ("required", self.names()),
            21 | 22 => ("additionalProperties", self.schema(depth - 1)),
            23 => ("patternProperties", json!({"^a": self.schema(depth - 1)})),
            24 => ("propertyNames", self.schema(0)),
            25 | 26 => ("items", self.schema(depth - 1)),
            27 => ("prefixItems", self.schemas(depth)),
            28 => ("uniqueItems", json!(true)),
            29 => ("contains", self.schema(depth - 1)),
            30 => ("anyOf", self.schemas(depth)),
            31 => ("oneOf", self.schemas(depth)),
            32 => ("allOf", self.schemas(depth)),
            33 => ("not", self.schema(depth - 1)),
            34 => (*self.pick(&["if", "then", "else"]), self.schema(depth - 1)),
            _ => match small {
                0 => ("unevaluatedProperties", self.schema(depth - 1)),
                1 => ("dependentSchemas", self.named(depth)),
                2 => ("dependentRequired", json!({"a": self.names()})),
                _ => ("$ref", json!("#/$defs/d")),
            },
        }
    }
}

const NAMES: [&str; 5] = ["a", "b", "ab", "é", "c d"];
const TYPES: [&str; 7] = ["string", "integer", "number", "object", "array", "boolean", "null"];
const TEXTS: [&str; 12] = [
    "",
    "a",
    "b",
    "ab",
    "é😀",
    "12",
    "true",
    "2026-02-29",
    "2024-02-29",
    "10.0.0.1",
    "67e55044-10b1-426f-9247-bb680e5fe0c8",
    "2026-01-01T00:00:00Z",
];

#[test]
fn about_generated_schemas() {
    let mut dice = Dice(0x5eed_0fb9);
    let mut score = Score::default();
    for _ in 0..4000 {
        let mut schema = dice.schema(3);
        let text = schema.to_string();
        if let Some(map) = schema.as_object_mut() {
            if text.contains("$ref") {
                map.insert("$defs".to_owned(), json!({"d": dice.schema(0)}));
            }
        } else {
            continue;
        }
        let values: Vec<_> = (0..12).map(|_| dice.value(3)).collect();
        score.compare(&schema, &values);
    }
    score.assert_agreement();
    // Where almost all is refused, or taken, agreement would be cheap.
    let Score { pairs, taken, .. } = score;
    assert!((pairs / 5..pairs * 4 / 5).contains(&taken), "{taken} of {pairs} were taken");
}

/// Each schema judges its own values and those of all others.
#[test]
fn about_schemas_made_by_hand() {
    let table = table();
    let values: Vec<_> = table.iter().flat_map(|(_, values)| values.as_array().unwrap()).collect();
    let mut score = Score::default();
    for (schema, own) in &table {
        let taken = score.compare(schema, own.as_array().unwrap());
        assert!(taken > 0, "{schema} takes nothing of {own}");
        score.compare(schema, values.iter().copied());
    }
    score.assert_agreement();
}

fn table() -> Vec<(Value, Value)> {
    let tree = json!({"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "required": ["v"],
        "properties": {"v": {"type": "integer"}, "c": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}}});
    let flat = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "allOf": [{"properties": {"b": {"type": "string"}}}],
        "anyOf": [{"properties": {"k": {"const": 1}, "x": true}, "required": ["k"]},
            {"properties": {"k": {"const": 2}, "y": true}, "required": ["k"]}],
        "unevaluatedProperties": false,
    });
    let mut table = vec![
        (
            tree,
            json!([{"v": 1}, {"v": 1, "c": [{"v": 2, "c": []}]}, {"v": 1, "c": [{"c": []}]}, {}]),
        ),
        (
            flat,
            json!([{"k": 1, "x": 1}, {"k": 1, "y": 1}, {"k": 2, "y": 0, "b": ""}, {"k": 2, "z": 1}, {"a": 1}]),
        ),
        (json!({"multipleOf": 0.1}), json!([0.3, 1, 1.1, 0.25, 7.0])),
        (json!({"multipleOf": 0.01}), json!([4.35, 19.99, 0.001])),
        (
            json!({"minimum": 9_007_199_254_740_993_i64}),
            json!([9_007_199_254_740_992_i64, 9_007_199_254_740_993_i64, 1e300]),
        ),
        (json!({"maximum": 0.5}), json!([0, 1, 0.5, 0.51, -3])),
        (
            json!({"enum": [1, "a", null, [1, {"x": 2}]]}),
            json!([1.0, "a", null, [1, {"x": 2.0}], 2, "b"]),
        ),
        (json!({"const": {"a": [1]}}), json!([{"a": [1]}, {"a": [1.0]}, {"a": [2]}, {}])),
        (
            json!({"uniqueItems": true}),
            json!([[1, 1.0], [1, true], [[1], [1]], [{"a": 1}, {"a": 1.0}], ["a", "b"]]),
        ),
        (
            json!({"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false}),
            json!([[1, "a"], [1], [1, "a", 2], ["a"]]),
        ),
        (
            json!({"contains": {"type": "integer"}, "minContains": 2, "maxContains": 3}),
            json!([[1, 2], [1], [1, 2, 3, 4], []]),
        ),
        (json!({"contains": {"type": "integer"}, "minContains": 0}), json!([[], ["a"]])),
        (json!({"minContains": 2}), json!([[], [1]])),
        (
            json!({"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "integer"}}),
            json!([{"x-a": "b", "c": 1}, {"x-a": 1}, {"c": "d"}]),
        ),
        (json!({"propertyNames": {"pattern": "^[a-z]+$"}}), json!([{"a": 1}, {"A": 1}, {}])),
        (
            json!({"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}),
            json!([{"a": 1, "b": 2}, {"a": 1}, {"c": 1}, {}]),
        ),
        (json!({"not": {"type": ["integer", "string"]}}), json!([1, "a", [], null])),
        (json!({"type": "integer"}), json!([1, 1.0, 1.5, 1e300, "1", true])),
        (
            json!({"type": ["integer", "string"], "pattern": "^-?[0-9]+$"}),
            json!([1, "1", "x", "-12345678901234567890123"]),
        ),
        (json!({"minLength": 2.0, "maxLength": 2}), json!(["ab", "😀😀", "a", "abc"])),
        (json!(true), json!([1])),
        (
            json!({"dependentSchemas": {"a": {"required": ["b"], "maxProperties": 2}}}),
            json!([{"a": 1}, {"a": 1, "b": 1}, {}]),
        ),
        (super::call().0, json!([super::call().1, {"customer": 0, "code": "x"}, {}])),
    ];
    table.extend(formats().into_iter().map(|(format, values)| (json!({"format": format}), values)));
    table
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn formats() -> Vec<(&'static str, Value)> {
    vec![
        (
            "date",
            json!([
                "2026-11-30",
                "2024-02-29",
                "2023-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-1-1",
                "1900-02-29",
                "2000-02-29",
                "26-01-01"
            ]),
        ),
        (
            "time",
            json!([
                "08:15:00Z",
                "08:15:00z",
                "08:15:00.123+01:00",
                "08:15:00",
                "24:00:00Z",
                "23:59:60Z",
                "22:59:60Z",
                "00:29:60+00:30",
                "08:15:00.Z",
                "08:15Z",
                "08:15:00+24:00",
                "08:15:00+01"
            ]),
        ),
        (
            "date-time",
            json!([
                "2026-11-30T08:15:00Z",
                "2026-11-30t08:15:00.5-05:00",
                "2026-11-30 08:15:00Z",
                "2026-11-30T08:15:00",
                "2026-11-31T08:15:00Z",
                "2026-11-30"
            ]),
        ),
        (
            "duration",
            json!([
                "P1Y2M3D", "PT15M", "P3W", "P1DT12H", "P", "PT", "P1YT", "P1S", "PT1D", "P1W2D",
                "PT1H30M", "PT1H30S", "P1M1Y", "1D"
            ]),
        ),
        (
            "uuid",
            json!([
                "67e55044-10b1-426f-9247-bb680e5fe0c8",
                "67E55044-10B1-426F-9247-BB680E5FE0C8",
                "67e5504410b1426f9247bb680e5fe0c8",
                "67e55044-10b1-426f-9247-bb680e5fe0c",
                "67e55044-10b1-426f-9247_bb680e5fe0c8",
                "g7e55044-10b1-426f-9247-bb680e5fe0c8"
            ]),
        ),
        (
            "email",
            json!([
                "a@example.com",
                "a.b+c@example.co.uk",
                "a@[127.0.0.1]",
                "a@[IPv6:::1]",
                "\"a b\"@example.com",
                "a",
                "@example.com",
                "a@",
                ".a@example.com",
                "a..b@example.com",
                "a b@example.com",
                "a@ex ample.com",
                "a@-x.com"
            ]),
        ),
        (
            "uri",
            json!([
                "https://example.com/",
                "https://user:pw@example.com:8080/a/b?c=d#e",
                "mailto:a@example.com",
                "urn:isbn:123",
                "http://[::1]/",
                "ftp://x/%20",
                "//example.com",
                "/a",
                "a",
                "",
                "http://ex ample.com",
                "http://x/%2",
                "1http://x",
                "http://[::1",
                "http://x/\"",
                "http://x:abc/",
                "http://x/é"
            ]),
        ),
        (
            "uri-reference",
            json!([
                "https://example.com/",
                "//example.com",
                "/a",
                "a",
                "",
                "#f",
                "?q",
                "a b",
                "a:b",
                "./a:b",
                "\\a",
                "é"
            ]),
        ),
        (
            "hostname",
            json!([
                "example.com",
                "localhost",
                "a-b.example",
                "xn--nxasmq6b.example",
                "-a",
                "a-",
                "a..b",
                "a_b",
                "",
                ".",
                "a.",
                "é",
                "12.34",
                "aa--bb.example"
            ]),
        ),
        (
            "ipv4",
            json!([
                "192.0.2.1",
                "255.255.255.255",
                "256.0.0.1",
                "1.2.3",
                "01.2.3.4",
                "1.2.3.4 ",
                "::1"
            ]),
        ),
        (
            "ipv6",
            json!([
                "2001:db8::1",
                "::",
                "::ffff:192.0.2.1",
                "1:2:3:4:5:6:7:8",
                "1:2",
                ":::",
                "2001:db8::g",
                "::1%eth0",
                "192.0.2.1"
            ]),
        ),
        ("json-pointer", json!(["", "/a/0", "/a~0b~1", "a", "/a~2", "/~"])),
        ("unheard-of", json!(["a"])),
    ]
}
