//! Guesses what a mistyped name was meant to be.

/// Returns the one of `names` that `typed` most resembles, if it is near enough to be meant.
pub(crate) fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    // `desc` and `read_only_hint` are far away by their letters, and yet clear.
    let begins = |name: &&&str| name.starts_with(typed) || typed.starts_with(**name);
    if typed.len() >= 3
        && let Some(name) = names.iter().find(begins)
    {
        return Some(name);
    }
    names
        .iter()
        .map(|name| (distance(typed, name), *name))
        .filter(|(distance, name)| *distance <= typed.len().max(name.len()).div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Counts the letters to insert, remove, replace, or swap with their neighbour, to get from `a` to
/// `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests;
