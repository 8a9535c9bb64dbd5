//! The parameters of a tool, and the rules that they must keep.
//!
//! A parameter is one of three: what byre fills in, which has a pattern in place of a name; a plain one, whose
//! type says all; and one with attributes of serde or schemars, which becomes the field of a hidden struct, so
//! that these crates read their own attributes.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, FnArg, Ident, Meta, Pat, Signature, Token, Type,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    punctuated::Punctuated,
};

use crate::{
    args::Args,
    case::Case,
    diagnostics::Diagnostics,
    docs,
    function::{cfgs, find, has_impl, owned},
    nearest::nearest,
};

/// One parameter of a tool.
pub(crate) struct Param {
    /// What the model calls it; empty for what byre fills in.
    pub(crate) name: String,
    pub(crate) docs: String,
    pub(crate) ty: Type,
    pub(crate) default: Option<ArgDefault>,
    pub(crate) kind: ParamKind,
    /// Its `#[cfg(…)]` attributes.
    pub(crate) cfgs: Vec<Attribute>,
}

pub(crate) enum ParamKind {
    /// It has no plain name, so only what byre fills in can stand there.
    Extracted,
    Plain,
    /// It has attributes of serde or schemars.
    Field(Field),
}

/// A parameter as the field of a struct.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// Those of serde and schemars, also where a `cfg_attr` is around them.
    pub(crate) attrs: Vec<Attribute>,
    /// schemars is told another description than the doc comment.
    pub(crate) is_described: bool,
}

/// What stands in `#[arg(default)]`.
pub(crate) enum ArgDefault {
    /// `default`: what the type gives.
    Trait(Ident),
    /// `default = …`.
    Expr(Expr),
}

/// What serde knows on a field, to tell a slip of the finger from what a later serde may know.
const SERDE: [&str; 14] = [
    "alias",
    "borrow",
    "bound",
    "default",
    "deserialize_with",
    "flatten",
    "getter",
    "rename",
    "serialize_with",
    "skip",
    "skip_deserializing",
    "skip_serializing",
    "skip_serializing_if",
    "with",
];

/// The same of schemars, which knows most words of serde too.
const SCHEMARS: [&str; 25] = [
    "bound",
    "contains",
    "default",
    "description",
    "email",
    "example",
    "extend",
    "flatten",
    "inner",
    "ip",
    "ipv4",
    "ipv6",
    "length",
    "pattern",
    "range",
    "regex",
    "rename",
    "required",
    "schema_with",
    "skip",
    "skip_deserializing",
    "title",
    "transform",
    "url",
    "with",
];

/// Reads the parameters, and takes away their attributes that are for byre.
pub(crate) fn take(
    sig: &mut Signature,
    case: Option<Case>,
    what: &str,
    diags: &mut Diagnostics,
) -> Vec<Param> {
    let mut params = Vec::new();
    for input in &mut sig.inputs {
        let FnArg::Typed(param) = input else { continue };
        let Attrs { docs, default, args, fields, kept } =
            Attrs::sort(std::mem::take(&mut param.attrs), diags);
        param.attrs = kept;
        let (ty, cfgs) = ((*param.ty).clone(), cfgs(&param.attrs));
        check_type(&ty, what, diags);
        // `State(db)` and `_`: whether they may stand there is for the type to say.
        if matches!(&*param.pat, Pat::TupleStruct(_) | Pat::Wild(_)) {
            for attr in args.iter().chain(&fields) {
                let path = path(attr);
                let message = format_args!("`#[{path}]` is for what the model fills in; remove it");
                diags.error(attr, message);
            }
            let (name, kind) = (String::new(), ParamKind::Extracted);
            params.push(Param { name, docs, ty, default, kind, cfgs });
        } else if let Some(ident) = name(&param.pat, what, diags) {
            let own = ident.unraw().to_string();
            let name = case.map_or_else(|| own.clone(), |case| case.rename(&own));
            check_name(&name, &ident, diags);
            let kind = if fields.is_empty() {
                ParamKind::Plain
            } else {
                let is_described = fields.iter().any(|attr| has_word(attr, "description"));
                ParamKind::Field(Field { ident, attrs: fields, is_described })
            };
            params.push(Param { name, docs, ty, default, kind, cfgs });
        }
    }
    params
}

/// The attributes of a parameter, by whom they are for.
struct Attrs {
    docs: String,
    default: Option<ArgDefault>,
    /// `#[arg(…)]`
    args: Vec<Attribute>,
    /// serde's and schemars'.
    fields: Vec<Attribute>,
    /// Those that may stay on a parameter.
    kept: Vec<Attribute>,
}

impl Attrs {
    fn sort(attrs: Vec<Attribute>, diags: &mut Diagnostics) -> Self {
        const KEPT: [&str; 6] = ["allow", "cfg", "deny", "expect", "forbid", "warn"];
        let docs = docs::text(&attrs, diags);
        let (mut args, mut fields, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for attr in attrs {
            let path = path(&attr);
            match path.as_str() {
                "doc" => (),
                "arg" => args.push(attr),
                "serde" | "schemars" => {
                    check_words(&attr.meta, diags);
                    fields.push(attr);
                }
                "cfg_attr" => split(attr, &mut fields, &mut kept, diags),
                other if KEPT.contains(&other) => kept.push(attr),
                _ => {
                    let message = format_args!(
                        "a parameter must not have `#[{path}]`: it does nothing there; use a doc comment, \
                         `#[arg(…)]`, `#[serde(…)]` or `#[schemars(…)]`"
                    );
                    diags.error(&attr, message);
                }
            }
        }
        let default = take_default(&args, diags);
        Self { docs, default, args, fields, kept }
    }
}

/// Returns the path of an attribute: `serde`.
fn path(attr: &Attribute) -> String {
    attr.path().to_token_stream().to_string().replace(' ', "")
}

/// Sorts what stands in a `#[cfg_attr(condition, …)]`.
fn split(
    attr: Attribute,
    fields: &mut Vec<Attribute>,
    kept: &mut Vec<Attribute>,
    diags: &mut Diagnostics,
) {
    let parser = |input: ParseStream<'_>| {
        let condition: Meta = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok((condition, Punctuated::<Meta, Token![,]>::parse_terminated(input)?))
    };
    let parsed = attr.meta.require_list().and_then(|list| parser.parse2(list.tokens.clone()));
    // What the compiler does not understand, it says best.
    let Ok((condition, metas)) = parsed else { return kept.push(attr) };
    let (mut of_field, mut rest) = (Vec::new(), Vec::new());
    for meta in metas {
        let path = meta.path();
        if path.is_ident("serde") || path.is_ident("schemars") {
            check_words(&meta, diags);
            of_field.push(meta);
        } else if path.is_ident("arg") || path.is_ident("doc") {
            let path = path.to_token_stream();
            let message = format_args!(
                "`{path}` must not depend on a `cfg_attr`; use it on a parameter of its own, with `#[cfg]`"
            );
            diags.error(meta, message);
        } else {
            rest.push(meta);
        }
    }
    if !of_field.is_empty() {
        fields.push(syn::parse_quote!(#[cfg_attr(#condition, #(#of_field),*)]));
    }
    if !rest.is_empty() {
        kept.push(syn::parse_quote!(#[cfg_attr(#condition, #(#rest),*)]));
    }
}

/// Looks for misspelt words in an attribute of serde or schemars. Without its words, the hidden struct could
/// not be read, and one mistake would be several.
fn check_words(meta: &Meta, diags: &mut Diagnostics) {
    let Ok(list) = meta.require_list() else { return };
    let is_serde = list.path.is_ident("serde");
    let known: &[&str] = if is_serde { &SERDE } else { &SCHEMARS };
    let mut is_start = true;
    for token in list.tokens.clone() {
        if let TokenTree::Ident(word) = &token
            && is_start
        {
            let written = word.to_string();
            let is_known = known.contains(&written.as_str()) || SERDE.contains(&written.as_str());
            if !is_known && let Some(meant) = nearest(&written, known) {
                let whose = if is_serde { "serde" } else { "schemars" };
                let message = format_args!(
                    "unknown argument `{written}` of `#[{whose}]`; did you mean `{meant}`?"
                );
                diags.error(word, message);
            }
        }
        is_start = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
    }
}

/// Says whether a word stands right in the parentheses of an attribute, or in those of a `cfg_attr`.
pub(crate) fn has_word(attr: &Attribute, word: &str) -> bool {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == word);
    attr.meta.require_list().is_ok_and(|list| find(list.tokens.clone(), &is_word).is_some())
}

/// Reads `#[arg(default)]` and `#[arg(default = …)]`.
fn take_default(attrs: &[Attribute], diags: &mut Diagnostics) -> Option<ArgDefault> {
    let mut default = None;
    for attr in attrs {
        let Ok(list) = attr.meta.require_list() else {
            diags.error(attr, "`#[arg]` needs arguments; use `#[arg(default = …)]`");
            continue;
        };
        let mut args = Args::parse(list.tokens.clone(), &["default"], &[], diags);
        let Some((name, expr)) = args.expr("default") else { continue };
        if default.is_some() {
            diags.error(&name, "`default` must not be given twice");
        }
        default = Some(expr.map_or(ArgDefault::Trait(name), ArgDefault::Expr));
    }
    default
}

/// Returns the name of the parameter; only a plain name can be the name of a property.
fn name(pat: &Pat, what: &str, diags: &mut Diagnostics) -> Option<Ident> {
    let Pat::Ident(pat) = pat else {
        let message = format_args!(
            "a parameter of {what} must be a plain name, which the model sees; take it apart in the \
             body"
        );
        diags.error(pat, message);
        return None;
    };
    if let Some(token) = &pat.by_ref {
        diags.error(token, format_args!("a parameter of {what} must not be `ref`; remove `ref`"));
    }
    if let Some((at, rest)) = &pat.subpat {
        let message = format_args!(
            "a parameter of {what} must be a plain name, which the model sees; take it apart in the \
             body"
        );
        diags.error(quote!(#at #rest), message);
    }
    Some(pat.ident.clone())
}

fn check_name(name: &str, ident: &Ident, diags: &mut Diagnostics) {
    if !name.is_ascii() {
        let message =
            format_args!("the API takes only ASCII names of parameters, not `{name}`; rename it");
        diags.error(ident, message);
    } else if name.len() > 64 {
        let length = name.len();
        let message = format_args!(
            "the API takes names of parameters of at most 64 characters, and this one has {length}; \
             shorten it"
        );
        diags.error(ident, message);
    }
}

/// Refuses the types that can't be read from JSON whatever they are.
fn check_type(ty: &Type, what: &str, diags: &mut Diagnostics) {
    if has_impl(ty.to_token_stream()) {
        diags.error(ty, format_args!("{what} must not take `impl …`; use a concrete type"));
    } else if let Type::Reference(reference) = ty {
        let fix = owned(&reference.elem);
        diags.error(
            ty,
            format_args!(
                "a parameter of {what} must own its value, which is read from JSON; use `{fix}`"
            ),
        );
    } else if let Some(borrow) = borrow(ty.to_token_stream()) {
        diags.error(
            borrow,
            format_args!(
                "a parameter of {what} must own its value, which is read from JSON; use a type \
                 without lifetimes"
            ),
        );
    }
}

/// Finds a reference or a lifetime in a type, save `'static`, which owned types may have.
pub(crate) fn borrow(ty: TokenStream) -> Option<TokenStream> {
    let mut tokens = ty.into_iter();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let mut next = tokens.clone().map(|token| token.to_string());
                // `State<&'static str>` is an owned type too.
                if next.next().as_deref() != Some("'") || next.next().as_deref() != Some("static") {
                    return Some(token.into());
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.next() {
                Some(TokenTree::Ident(ident)) if ident == "static" => (),
                name => return Some(quote!(#token #name)),
            },
            TokenTree::Group(group) => {
                if let Some(found) = borrow(group.stream()) {
                    return Some(found);
                }
            }
            _ => (),
        }
    }
    None
}
