//! The grammar of what stands in the parentheses of byre's attributes.
//!
//! ```text
//! args  = [ arg { "," arg } [ "," ] ]
//! arg   = name              a flag, the same as `name = true`
//!       | name "=" value    `crate` takes a path, all others an expression
//! ```
//!
//! A macro says which names it knows. To add an argument, add its name there and take it from
//! [`Args`] with the method for its kind of value.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Expr, ExprLit, Ident, Lit, Path, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
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
}

impl Args {
    /// Reads `tokens`. `known` are the names that may stand in it.
    pub(crate) fn parse(tokens: TokenStream, known: &[&str], diags: &mut Diagnostics) -> Self {
        let mut list: Vec<Arg> = Vec::new();
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let arg = Arg::parse(input)?;
                let name = arg.name.to_string();
                if !known.contains(&name.as_str()) {
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

    /// Takes the expression `name = …`, or nothing where it is a mere flag.
    pub(crate) fn expr(&mut self, name: &str) -> Option<(Ident, Option<Expr>)> {
        let arg = self.take(name)?;
        let expr = match arg.value {
            Value::Expr(expr) => Some(expr),
            Value::Flag | Value::Path(_) => None,
        };
        Some((arg.name, expr))
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
        if !input.peek(Token![=]) {
            if !input.is_empty() && !input.peek(Token![,]) {
                return Err(input.error(format_args!("expected `=` or `,` after `{name}`")));
            }
            return Ok(Self { name, value: Value::Flag });
        }
        input.parse::<Token![=]>()?;
        let value = if name != "crate" {
            Value::Expr(input.parse()?)
        } else if input.peek(syn::LitStr) {
            // serde writes the path in quotes, so people will.
            Value::Path(input.parse::<syn::LitStr>()?.parse_with(Path::parse_mod_style)?)
        } else {
            Value::Path(input.call(Path::parse_mod_style)?)
        };
        Ok(Self { name, value })
    }
}

/// Writes the names as "`a`, `b` and `c`".
fn join(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests;
