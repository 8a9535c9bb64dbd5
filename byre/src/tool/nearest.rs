//! Guesses which argument a model meant.
//!
//! The macros guess too, in their own way: for people, who begin a word and swap letters, and not for models,
//! who write in another case.

/// Returns the one of `names` that `typed` most resembles, if it is near enough to be meant.
pub(crate) fn nearest<'a>(
    typed: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    names
        .into_iter()
        .map(|name| (distance(typed, name), name))
        .filter(|(distance, name)| *distance <= typed.len().max(name.len()).div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Counts the letters to insert, remove or replace to get from `a` to `b`, not minding their case,
/// and `_` and `-` at all: `fileName` is `file_name`.
fn distance(a: &str, b: &str) -> usize {
    let letters = |name: &str| -> Vec<char> {
        name.chars().filter(|c| !"_-".contains(*c)).map(|c| c.to_ascii_lowercase()).collect()
    };
    let (a, b) = (letters(a), letters(b));
    // The model wrote the names, and may write long ones; this is for mistyped ones.
    if a.len().max(b.len()) > 100 {
        return usize::MAX;
    }
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replace = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
