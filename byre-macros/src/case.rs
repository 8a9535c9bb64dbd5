//! `rename_all`: the names of parameters as the model sees them, in the words of serde.

use crate::{
    args::{Args, join},
    diagnostics::Diagnostics,
    nearest::nearest,
};

/// How names are written.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// What serde calls it.
    pub(crate) word: &'static str,
    rename: fn(&str) -> String,
}

const CASES: [Case; 8] = [
    Case { word: "lowercase", rename: str::to_owned },
    Case { word: "UPPERCASE", rename: str::to_ascii_uppercase },
    Case { word: "PascalCase", rename: pascal },
    Case { word: "camelCase", rename: camel },
    Case { word: "snake_case", rename: str::to_owned },
    Case { word: "SCREAMING_SNAKE_CASE", rename: str::to_ascii_uppercase },
    Case { word: "kebab-case", rename: kebab },
    Case { word: "SCREAMING-KEBAB-CASE", rename: |name| kebab(name).to_ascii_uppercase() },
];

impl Case {
    /// Takes `rename_all = "…"`.
    pub(crate) fn take(args: &mut Args, diags: &mut Diagnostics) -> Option<Self> {
        let word = args.string("rename_all", diags)?;
        let case = CASES.iter().find(|case| case.word == word.value);
        if case.is_none() {
            let words = CASES.map(|case| case.word);
            let hint = match nearest(&word.value, &words) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known are {}", join(&words)),
            };
            let message = format_args!("unknown case `{}` of names; {hint}", word.value);
            diags.error(&word.tokens, message);
        }
        case.copied()
    }

    /// Writes the name of a parameter in this case, as serde does that of a field.
    pub(crate) fn rename(self, name: &str) -> String {
        (self.rename)(name)
    }
}

fn pascal(name: &str) -> String {
    let mut pascal = String::new();
    let mut capital = true;
    for c in name.chars() {
        if c == '_' {
            capital = true;
        } else {
            pascal.push(if capital { c.to_ascii_uppercase() } else { c });
            capital = false;
        }
    }
    pascal
}

fn camel(name: &str) -> String {
    let mut camel = pascal(name);
    if let Some(first) = camel.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    camel
}

fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

#[cfg(test)]
mod tests;
