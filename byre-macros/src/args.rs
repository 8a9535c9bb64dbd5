//! The grammar of what stands in the parentheses of byre's attributes.
//!
//! ```text
//! args    = [ arg { "," arg } [ "," ] ]
//! arg     = name                    a flag, the same as `name = true`
//!         | name "=" value          `crate` takes a path, a list is one of JSON, all others are expressions
//!         | name "(" entries ")"
//! value   = path | expression | "[" json { "," json } [ "," ] "]"
//! entries = [ entry { "," entry } [ "," ] ]
//! entry   = ( name | string ) "=" json
//! json    = what `serde_json::json!` takes
//! ```
//!
//! A macro says which names it knows. To add an argument, add its name there and take it from
//! [`Args`] with the method for its kind of value.

use std::ops::RangeInclusive;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Expr, ExprLit, Ident, Lit, LitStr, Path, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token,
};

use crate::{diagnostics::Diagnostics, docs, nearest::nearest};

/// The arguments of one attribute, each at most once and none that the macro does not know.
pub(crate) struct Args {
    list: Vec<Arg>,
}

struct Arg {
    name: Ident,
    value: Value,
}

enum Value {
    Flag,
    Expr(Expr),
    Path(Path),
    /// `[…]`
    List(Group),
    /// `(…)`
    Entries(Group),
}

impl Args {
    /// Reads `tokens`. `known` are the names that may stand in it, and `elsewhere` those that may not, with the
    /// words for why.
    pub(crate) fn parse(
        tokens: TokenStream,
        known: &[&str],
        elsewhere: &[(&str, &str)],
        diags: &mut Diagnostics,
    ) -> Self {
        let mut list: Vec<Arg> = Vec::new();
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let arg = Arg::parse(input)?;
                let name = arg.name.to_string();
                if let Some((_, why)) = elsewhere.iter().find(|(other, _)| *other == name) {
                    diags.error(&arg.name, why);
                } else if !known.contains(&name.as_str()) {
                    let hint = match nearest(&name, known) {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("known are {}", join(known)),
                    };
                    diags.error(&arg.name, format_args!("unknown argument `{name}`; {hint}"));
                } else if list.iter().any(|known| known.name == arg.name) {
                    diags.error(&arg.name, format_args!("`{name}` must not be given twice"));
                } else {
                    list.push(arg);
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        let parsed = parser.parse2(tokens);
        if let Err(error) = parsed {
            diags.push(error);
        }
        Self { list }
    }

    /// Takes the string `name = "…"`.
    pub(crate) fn string(&mut self, name: &str, diags: &mut Diagnostics) -> Option<StrArg> {
        let arg = self.take(name)?;
        if let Value::Expr(expr) = &arg.value
            && let Some(value) = docs::string(expr)
        {
            return Some(StrArg { value, tokens: quote!(#expr) });
        }
        let message = format_args!("`{name}` takes a string; use `{name} = \"…\"`");
        diags.error(&arg.name, message);
        None
    }

    /// Takes the flag `name` or `name = true` or `name = false`.
    pub(crate) fn flag(&mut self, name: &str, diags: &mut Diagnostics) -> Option<bool> {
        let arg = self.take(name)?;
        match &arg.value {
            Value::Flag => return Some(true),
            Value::Expr(Expr::Lit(ExprLit { lit: Lit::Bool(lit), .. })) => return Some(lit.value),
            _ => (),
        }
        diags.error(&arg.name, format_args!("`{name}` takes a boolean; use `{name} = true`"));
        None
    }

    /// Takes the mere flag `name`, and says where it stands.
    pub(crate) fn mark(&mut self, name: &str, diags: &mut Diagnostics) -> Option<Ident> {
        let arg = self.take(name)?;
        if !matches!(arg.value, Value::Flag) {
            diags.error(&arg.name, format_args!("`{name}` takes no value; use `{name}` alone"));
        }
        Some(arg.name)
    }

    /// Takes the expression `name = …`, or nothing where it is none.
    pub(crate) fn expr(&mut self, name: &str) -> Option<(Ident, Option<Expr>)> {
        let arg = self.take(name)?;
        let expr = match arg.value {
            Value::Expr(expr) => Some(expr),
            // Not JSON here, but an array.
            Value::List(group) => syn::parse2(quote!(#group)).ok(),
            Value::Flag | Value::Path(_) | Value::Entries(_) => None,
        };
        Some((arg.name, expr))
    }

    /// Takes a positive number of seconds, and gives nanoseconds.
    pub(crate) fn seconds(&mut self, name: &str, diags: &mut Diagnostics) -> Option<u64> {
        let (at, expr) = self.expr(name)?;
        let nanos = expr.as_ref().and_then(nanoseconds);
        if nanos.is_none() {
            let message =
                format_args!("`{name}` takes a positive number of seconds; use `{name} = 30`");
            diags.error(place(&at, expr.as_ref()), message);
        }
        nanos
    }

    /// Takes a whole number in `range`. `words` says what it is, and what to write.
    pub(crate) fn integer(
        &mut self,
        name: &str,
        range: &RangeInclusive<u64>,
        words: &str,
        diags: &mut Diagnostics,
    ) -> Option<u64> {
        let (at, expr) = self.expr(name)?;
        let number = match &expr {
            Some(Expr::Lit(ExprLit { lit: Lit::Int(lit), .. })) => lit.base10_parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            diags.error(place(&at, expr.as_ref()), format_args!("`{name}` takes {words}"));
        }
        number
    }

    /// Takes `name(key = json, …)`, each key once.
    pub(crate) fn entries(&mut self, name: &str, diags: &mut Diagnostics) -> Vec<Entry> {
        let Some(arg) = self.take(name) else { return Vec::new() };
        let Value::Entries(group) = arg.value else {
            let message = format_args!("`{name}` takes entries; use `{name}(key = \"value\")`");
            diags.error(&arg.name, message);
            return Vec::new();
        };
        let mut entries: Vec<Entry> = Vec::new();
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let entry = Entry::parse(input)?;
                if entries.iter().any(|other| other.key == entry.key) {
                    let message = format_args!("`{}` must not be given twice", entry.key);
                    diags.error(&entry.at, message);
                } else {
                    entries.push(entry);
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(group.stream()) {
            diags.push(error);
        }
        entries
    }

    /// Takes `name = [{…}, …]`, a list of JSON objects.
    pub(crate) fn objects(&mut self, name: &str, diags: &mut Diagnostics) -> Vec<TokenStream> {
        let Some(arg) = self.take(name) else { return Vec::new() };
        let words = format!(
            "`{name}` takes a list of JSON objects; use `{name} = [{{\"argument\": \"value\"}}]`"
        );
        let Value::List(group) = arg.value else {
            diags.error(&arg.name, words);
            return Vec::new();
        };
        let parser = |input: ParseStream<'_>| {
            let mut objects = Vec::new();
            while !input.is_empty() {
                let is_object = input.peek(token::Brace);
                let json = json(input)?;
                if is_object {
                    objects.push(json);
                } else {
                    diags.error(json, &words);
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(objects)
        };
        let parsed = parser.parse2(group.stream());
        parsed.map_err(|error| diags.push(error)).unwrap_or_default()
    }

    /// Takes `crate = path`, the place where generated code finds byre.
    pub(crate) fn krate(&mut self, diags: &mut Diagnostics) -> TokenStream {
        match self.take("crate") {
            None => quote!(::byre),
            Some(Arg { value: Value::Path(path), .. }) => quote!(#path),
            Some(arg) => {
                diags.error(&arg.name, "`crate` takes a path; use `crate = ::byre`");
                quote!(::byre)
            }
        }
    }

    fn take(&mut self, name: &str) -> Option<Arg> {
        let at = self.list.iter().position(|arg| arg.name == name)?;
        Some(self.list.swap_remove(at))
    }
}

/// A string, and where it stands.
pub(crate) struct StrArg {
    pub(crate) value: String,
    pub(crate) tokens: TokenStream,
}

/// `key = json`
pub(crate) struct Entry {
    pub(crate) key: String,
    /// The key as it was written.
    pub(crate) at: TokenStream,
    pub(crate) value: TokenStream,
}

impl Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (key, at) = if input.peek(LitStr) {
            let key: LitStr = input.parse()?;
            (key.value(), quote!(#key))
        } else if input.peek(Ident::peek_any) {
            let key = input.call(Ident::parse_any)?;
            (key.unraw().to_string(), quote!(#key))
        } else {
            return Err(input.error("expected a key; use `key = \"value\"`"));
        };
        if !input.peek(Token![=]) {
            let message = format_args!("`{key}` needs a value; use `{key} = \"value\"`");
            return Err(syn::Error::new_spanned(at, message));
        }
        input.parse::<Token![=]>()?;
        Ok(Self { key, at, value: json(input)? })
    }
}

impl Arg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) {
            let span = input.span();
            input.parse::<Lit>()?;
            return Err(syn::Error::new(
                span,
                "a value needs a name in front; use `name = \"…\"` or `description = \"…\"`",
            ));
        }
        let name = input.call(Ident::parse_any)?;
        if input.peek(token::Paren) {
            return Ok(Self { name, value: Value::Entries(input.parse()?) });
        }
        if !input.peek(Token![=]) {
            if !input.is_empty() && !input.peek(Token![,]) {
                return Err(input.error(format_args!("expected `=` or `,` after `{name}`")));
            }
            return Ok(Self { name, value: Value::Flag });
        }
        input.parse::<Token![=]>()?;
        let value = if name == "crate" {
            if input.peek(LitStr) {
                // serde writes the path in quotes, so people will.
                Value::Path(input.parse::<LitStr>()?.parse_with(Path::parse_mod_style)?)
            } else {
                Value::Path(input.call(Path::parse_mod_style)?)
            }
        } else if input.peek(token::Bracket) && is_last(input) {
            Value::List(input.parse()?)
        } else {
            Value::Expr(input.parse()?)
        };
        Ok(Self { name, value })
    }
}

/// Takes the tokens of a JSON value, which need not be an expression: `{"a": null}`.
fn json(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let is_json = input.peek(token::Brace)
        || input.peek(token::Bracket)
        || input.fork().parse::<Ident>().is_ok_and(|word| word == "null");
    if is_json && is_last(input) {
        return Ok(input.parse::<TokenTree>()?.into());
    }
    Ok(input.parse::<Expr>()?.into_token_stream())
}

/// Says whether the next token is all of a value.
fn is_last(input: ParseStream<'_>) -> bool {
    let rest = input.fork();
    rest.parse::<TokenTree>().is_ok() && (rest.is_empty() || rest.peek(Token![,]))
}

/// Where a mistake is shown: at the value, if there is one.
fn place(name: &Ident, value: Option<&Expr>) -> TokenStream {
    value.map_or_else(|| quote!(#name), |value| quote!(#value))
}

/// Reads a number of seconds, and gives nanoseconds. `None` if it is no number, or not positive, or beyond
/// what a clock can hold.
fn nanoseconds(expr: &Expr) -> Option<u64> {
    let Expr::Lit(ExprLit { lit, .. }) = expr else { return None };
    let seconds: f64 = match lit {
        Lit::Int(lit) => lit.base10_parse().ok()?,
        Lit::Float(lit) => lit.base10_parse().ok()?,
        _ => return None,
    };
    let time = std::time::Duration::try_from_secs_f64(seconds).ok()?;
    u64::try_from(time.as_nanos()).ok().filter(|nanos| *nanos > 0)
}

/// Writes the names as "`a`, `b` and `c`".
pub(crate) fn join(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests;
