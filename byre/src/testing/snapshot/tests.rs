use std::{env, path::PathBuf};

use uuid::Uuid;

use super::*;

/// Tells the time.
#[byre::tool(register = false)]
async fn time(
    /// Where: "Berlin", or a path like `C:\zone`.
    zone: String,
    exact: Option<bool>,
) -> String {
    format!("{zone} {exact:?}")
}

/// Does nothing.
#[byre::tool(register = false)]
async fn rest() {}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(env::temp_dir().join(format!("byre-snapshot-{}", Uuid::new_v4().simple())))
    }

    fn file(&self) -> PathBuf {
        self.0.join("deep").join("tools.json")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_snapshot_is_sorted_and_keeps_the_order_of_parameters() {
    let want = r#"[
  {
    "name": "rest",
    "description": "Does nothing.",
    "inputSchema": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "time",
    "description": "Tells the time.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "zone": {
          "description": "Where: \"Berlin\", or a path like `C:\\zone`.",
          "type": "string"
        },
        "exact": {
          "type": "boolean"
        }
      },
      "required": [
        "zone"
      ],
      "additionalProperties": false
    }
  }
]
"#;
    let tools = Tools::from(byre::tools![time, rest]);
    assert_eq!(tools.snapshot(), want);
    let parsed: serde_json::Value = serde_json::from_str(want).unwrap();
    assert_eq!(parsed[1], tools.list()[0]);
    assert_eq!(Tools::from(Vec::new()).snapshot(), "[]\n");
}

#[test]
fn a_missing_file_is_written_and_told() {
    let folder = Folder::new();
    let error = compare(&folder.file(), "now\n", false).unwrap_err();
    assert!(error.ends_with("is written now: look at it, commit it, and test again"), "{error}");
    assert_eq!(compare(&folder.file(), "now\n", false), Ok(()));
}

#[test]
fn a_difference_is_shown_and_written_only_when_asked_for() {
    let folder = Folder::new();
    compare(&folder.file(), "a\nb\nc\nd\n", true).unwrap();
    let error = compare(&folder.file(), "a\nb\nC\nd\n", false).unwrap_err();
    assert!(error.contains("\n  a\n  b\n- c\n+ C\n  d\n"), "{error}");
    assert!(error.contains("BYRE_UPDATE_SNAPSHOTS=1"), "{error}");
    assert_eq!(fs::read_to_string(folder.file()).unwrap(), "a\nb\nc\nd\n");
    compare(&folder.file(), "a\nb\nC\nd\n", true).unwrap();
    assert_eq!(compare(&folder.file(), "a\nb\nC\nd\n", false), Ok(()));
}

#[test]
fn the_ends_of_lines_do_not_matter() {
    let folder = Folder::new();
    compare(&folder.file(), "a\r\nb\r\n", true).unwrap();
    assert_eq!(compare(&folder.file(), "a\nb\n", false), Ok(()));
}

#[test]
fn a_folder_is_no_snapshot() {
    let error = compare(&env::temp_dir(), "now\n", false).unwrap_err();
    assert!(error.contains("can't be read"), "{error}");
}

#[test]
fn only_what_differs_is_shown() {
    let lines = |from: usize, to: usize| {
        let numbers: Vec<_> = (from..to).map(|n| n.to_string()).collect();
        numbers.join("\n") + "\n"
    };
    let before = lines(0, 100);
    let now = before.replace("\n50\n", "\n50a\n50b\n").replace("\n90\n", "\n");
    assert_eq!(
        difference(&before, &now),
        "  …\n  48\n  49\n- 50\n+ 50a\n+ 50b\n  51\n  52\n  …\n  88\n  89\n- 90\n  91\n  92\n"
    );
    let other = lines(1000, 1200);
    let long = difference(&before, &other);
    assert!(long.ends_with("… and more\n"), "{long}");
    assert_eq!(long.lines().count(), MAX_LINES + 1);
}
