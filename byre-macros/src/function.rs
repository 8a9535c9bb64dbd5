//! What the macros know of the function that they stand on, and the rules that it must keep.
//!
//! Only the signature is parsed. The body stays a row of tokens, so that a half-typed one reaches the
//! compiler, and the editor, as it is.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, FnArg, GenericParam, Ident, Pat, ReturnType, Safety, Signature, Type,
    Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use crate::{args::Args, diagnostics::Diagnostics, docs};

/// A function as the user wrote it.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
}

/// One parameter of a function.
pub(crate) struct Param {
    /// The name without `r#`.
    pub(crate) name: String,
    pub(crate) docs: String,
    pub(crate) ty: Type,
    pub(crate) default: Option<ArgDefault>,
    /// It has no plain name, so only what byre fills in can stand there.
    pub(crate) is_extracted: bool,
    /// Its `#[cfg(…)]` attributes.
    pub(crate) cfgs: Vec<Attribute>,
}

/// What stands in `#[arg(default)]`.
pub(crate) enum ArgDefault {
    /// `default`: what the type gives.
    Trait(Ident),
    /// `default = …`.
    Expr(Expr),
}

/// What is wrong with a method. Generated items can't stand beside it.
pub(crate) const NOT_FREE: &str =
    "must be a free function; move it out of the `impl` block, and take `self` as a parameter";

/// The types that the struct beside a function would hide from the rest of its module.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

impl Function {
    /// Reads the function in `item`; on anything else, says what `macro_name` goes on.
    pub(crate) fn parse(
        item: TokenStream,
        macro_name: &str,
        diags: &mut Diagnostics,
    ) -> Option<Self> {
        let parser = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer)?;
            let vis = input.parse()?;
            if let Some(what) = other_item(input) {
                let message =
                    format!("`#[byre::{macro_name}]` goes on a free `async fn`, not on {what}");
                return Err(input.error(message));
            }
            Ok(Self { attrs, vis, sig: input.parse()?, body: input.parse()? })
        };
        parser.parse2(item).map_err(|error| diags.push(error)).ok()
    }

    /// Returns the name of the function without `r#`.
    pub(crate) fn name(&self) -> String {
        self.sig.ident.unraw().to_string()
    }

    /// Returns the `#[cfg(…)]` attributes, which whatever stands beside the function needs as well.
    pub(crate) fn cfgs(&self) -> Vec<Attribute> {
        cfgs(&self.attrs)
    }

    /// Returns the struct by which `tools!` and `hooks!` find what stands beside the function: the same
    /// path, in the namespace of types. It has braces so that it is in no other namespace.
    pub(crate) fn marker(&self) -> TokenStream {
        let (cfgs, vis, ident) = (self.cfgs(), &self.vis, &self.sig.ident);
        quote! {
            #(#cfgs)*
            #[doc(hidden)]
            #[allow(
                dead_code,
                missing_copy_implementations,
                missing_debug_implementations,
                non_camel_case_types,
                unreachable_pub
            )]
            #vis struct #ident {}
        }
    }

    /// Returns what stands in place of the attribute: what is wrong, the function, and what goes beside it.
    pub(crate) fn expand(&self, beside: &TokenStream, diags: Diagnostics) -> TokenStream {
        let errors = diags.finish();
        quote! {
            #errors
            #[allow(clippy::needless_pass_by_value, clippy::unused_async)]
            #self
            #beside
        }
    }

    /// Returns the types of the parameters of what is no tool. What they may be is for the types to say.
    /// `lacks` says what is wrong without any.
    pub(crate) fn take_types(
        &mut self,
        what: &str,
        lacks: &str,
        diags: &mut Diagnostics,
    ) -> Vec<Type> {
        // What is not documented to the model may have any pattern, so the patterns are not looked at.
        let mut types = Vec::new();
        for input in &mut self.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    diags.error(receiver.self_token, format_args!("{what} {NOT_FREE}"));
                }
                FnArg::Typed(param) => {
                    for attr in param.attrs.extract_if(.., |attr| attr.path().is_ident("arg")) {
                        diags.error(attr, "`#[arg]` is for parameters of tools; remove it");
                    }
                    param.attrs.retain(|attr| !attr.path().is_ident("doc"));
                    if let Type::Reference(reference) = &*param.ty {
                        let (ty, elem) = (&param.ty, &reference.elem);
                        let fix = quote!(#elem).to_string().replace(' ', "");
                        diags
                            .error(ty, format_args!("{what} must own its parameters; use `{fix}`"));
                    }
                    types.push((*param.ty).clone());
                }
            }
        }
        // There is no use in telling a method what else it lacks.
        if types.is_empty() && !self.is_method() {
            diags.error(&self.sig.ident, format_args!("{what} {lacks}"));
        }
        types
    }

    /// Returns the type of the result; `()` where none is written.
    pub(crate) fn output(&self) -> Type {
        match &self.sig.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        }
    }

    /// Says whether it is a method, as far as that can be told. No item can stand beside one.
    pub(crate) fn is_method(&self) -> bool {
        self.sig.receiver().is_some() || self.self_type().is_some()
    }

    /// Says whether the struct beside it would hide a type that everybody uses.
    fn hides_a_type(&self) -> bool {
        PRIMITIVES.contains(&self.name().as_str())
    }

    /// Says whether an item of the same name can stand beside it, mistakes or not.
    pub(crate) fn has_room_beside(&self) -> bool {
        !self.is_method() && !self.hides_a_type()
    }

    /// Finds a `Self` in the signature, by which an associated function without `self` can be told.
    fn self_type(&self) -> Option<TokenTree> {
        find(
            self.sig.to_token_stream(),
            &|token| matches!(token, TokenTree::Ident(ident) if ident == "Self"),
        )
    }

    /// Checks the rules that tools and hooks share. `what` names the function: "tool `add`".
    pub(crate) fn check(&self, what: &str, diags: &mut Diagnostics) {
        let sig = &self.sig;
        if let Some(token) = &sig.constness {
            diags.error(token, format_args!("{what} must not be `const`; remove `const`"));
        }
        if sig.asyncness.is_none() {
            diags.error(sig.fn_token, format_args!("{what} must be `async`; use `async fn`"));
        }
        if let Safety::Unsafe(token) = &sig.safety {
            diags.error(
                token,
                format_args!("{what} must not be `unsafe`; use an `unsafe` block in its body"),
            );
        }
        if let Some(abi) = &sig.abi {
            diags.error(abi, format_args!("{what} must not be `extern`; remove `extern`"));
        }
        if let Some(variadic) = &sig.variadic {
            diags.error(variadic, format_args!("{what} must not be variadic; use a `Vec`"));
        }
        self.check_generics(what, diags);
        self.check_output(what, diags);
        if sig.receiver().is_none()
            && let Some(token) = self.self_type()
        {
            diags.error(token, format_args!("{what} {NOT_FREE}"));
        }
        if self.hides_a_type() {
            let name = self.name();
            let message = format_args!(
                "{what} must not be called like the type `{name}`, which would be hidden; rename the \
                 function and use `name = \"{name}\"`"
            );
            diags.error(&sig.ident, message);
        }
        if !self.has_body() {
            diags.error(&sig.ident, format_args!("{what} must have a body"));
        }
    }

    fn check_generics(&self, what: &str, diags: &mut Diagnostics) {
        let generics = &self.sig.generics;
        if !generics.params.is_empty() {
            let lifetimes_only =
                generics.params.iter().all(|param| matches!(param, GenericParam::Lifetime(_)));
            let (noun, fix) = if lifetimes_only {
                ("lifetimes", "use owned types")
            } else {
                ("type parameters", "use concrete types")
            };
            diags.error(&generics.params, format_args!("{what} must not have {noun}; {fix}"));
        } else if let Some(clause) = &generics.where_clause {
            diags.error(clause, format_args!("{what} must not have a `where` clause; remove it"));
        }
    }

    fn check_output(&self, what: &str, diags: &mut Diagnostics) {
        let ReturnType::Type(_, ty) = &self.sig.output else { return };
        if has_impl(ty.to_token_stream()) {
            diags.error(ty, format_args!("{what} must not return `impl …`; use the type itself"));
        } else if let Type::Reference(reference) = &**ty
            && reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static")
        {
            let fix = owned(&reference.elem);
            diags.error(ty, format_args!("{what} must own what it returns; use `{fix}`"));
        }
    }

    fn has_body(&self) -> bool {
        matches!(self.body.clone().into_iter().next(), Some(TokenTree::Group(_)))
    }

    /// Reads the parameters, and takes away their attributes that are for byre.
    pub(crate) fn take_params(&mut self, what: &str, diags: &mut Diagnostics) -> Vec<Param> {
        let mut params = Vec::new();
        for input in &mut self.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    diags.error(receiver.self_token, format_args!("{what} {NOT_FREE}"));
                }
                FnArg::Typed(param) => {
                    let attrs = std::mem::take(&mut param.attrs);
                    let docs = docs::text(&attrs, diags);
                    let default = take_default(&attrs, diags);
                    check_type(&param.ty, what, diags);
                    let cfgs = cfgs(&attrs);
                    let attrs_of_arg: Vec<_> =
                        attrs.iter().filter(|attr| attr.path().is_ident("arg")).cloned().collect();
                    param.attrs = kept(attrs, diags);
                    let ty = (*param.ty).clone();
                    // `State(db)` and `_`: whether they may stand there is for the type to say.
                    let is_extracted = matches!(&*param.pat, Pat::TupleStruct(_) | Pat::Wild(_));
                    if is_extracted {
                        for attr in attrs_of_arg {
                            let message = "`#[arg]` is for what the model fills in; remove it";
                            diags.error(attr, message);
                        }
                        let name = String::new();
                        params.push(Param { name, docs, ty, default, is_extracted, cfgs });
                    } else if let Some(name) = param_name(&param.pat, what, diags) {
                        params.push(Param { name, docs, ty, default, is_extracted, cfgs });
                    }
                }
            }
        }
        params
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

/// Moves the tokens of a path to `span`, so that a mistake is shown there.
pub(crate) fn located(path: TokenStream, span: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    path.into_iter().map(locate).collect()
}

/// Says what the item is, where it is not a function.
fn other_item(input: ParseStream<'_>) -> Option<&'static str> {
    let keyword = input.fork().call(Ident::parse_any).ok()?.to_string();
    Some(match keyword.as_str() {
        "struct" => "a struct",
        "enum" => "an enum",
        "union" => "a union",
        "trait" => "a trait",
        "impl" => "an `impl` block",
        "mod" => "a module",
        "type" => "a type alias",
        "static" => "a static",
        "use" => "an import",
        "macro_rules" => "a macro",
        "const" if !input.peek2(syn::Token![fn]) && !is_const_fn(input) => "a constant",
        _ => return None,
    })
}

/// Tells `const async fn`, which is a function, from `const NAME`.
fn is_const_fn(input: ParseStream<'_>) -> bool {
    input.fork().parse::<Signature>().is_ok()
}

fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// Returns the attributes that may stay on the parameter of a function, and refuses those that are
/// for something else.
fn kept(attrs: Vec<Attribute>, diags: &mut Diagnostics) -> Vec<Attribute> {
    const KEPT: [&str; 7] = ["allow", "cfg", "cfg_attr", "deny", "expect", "forbid", "warn"];
    let is = |attr: &Attribute, names: &[&str]| names.iter().any(|name| attr.path().is_ident(name));
    let mut kept = Vec::new();
    for attr in attrs {
        if is(&attr, &KEPT) {
            kept.push(attr);
        } else if !is(&attr, &["doc", "arg"]) {
            let path = attr.path().to_token_stream().to_string().replace(' ', "");
            let fix = if is(&attr, &["serde", "schemars"]) {
                "it is for fields; use `#[arg(default)]`, a doc comment, or a type of your own"
            } else {
                "it does nothing there; use a doc comment or `#[arg(…)]`"
            };
            diags.error(&attr, format_args!("a parameter must not have `#[{path}]`: {fix}"));
        }
    }
    kept
}

/// Reads `#[arg(default)]` and `#[arg(default = …)]`.
fn take_default(attrs: &[Attribute], diags: &mut Diagnostics) -> Option<ArgDefault> {
    let mut default = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("arg")) {
        let Ok(list) = attr.meta.require_list() else {
            diags.error(attr, "`#[arg]` needs arguments; use `#[arg(default = …)]`");
            continue;
        };
        let mut args = Args::parse(list.tokens.clone(), &["default"], diags);
        let Some((name, expr)) = args.expr("default") else { continue };
        if default.is_some() {
            diags.error(&name, "`default` must not be given twice");
        }
        default = Some(expr.map_or(ArgDefault::Trait(name), ArgDefault::Expr));
    }
    default
}

/// Returns the name of the parameter; only a plain name can be the name of a property.
fn param_name(pat: &Pat, what: &str, diags: &mut Diagnostics) -> Option<String> {
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
    let name = pat.ident.unraw().to_string();
    if !name.is_ascii() {
        let message =
            format_args!("the API takes only ASCII names of parameters, not `{name}`; rename it");
        diags.error(&pat.ident, message);
    } else if name.len() > 64 {
        let message = format_args!(
            "the API takes names of parameters of at most 64 characters, and this one has {}; \
             shorten it",
            name.len()
        );
        diags.error(&pat.ident, message);
    }
    Some(name)
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

/// Says whether `impl` stands anywhere in a type.
fn has_impl(ty: TokenStream) -> bool {
    find(ty, &|token| matches!(token, TokenTree::Ident(ident) if ident == "impl")).is_some()
}

/// Finds a token, in groups too.
fn find(tokens: TokenStream, is: &dyn Fn(&TokenTree) -> bool) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match token {
        token if is(&token) => Some(token),
        TokenTree::Group(group) => find(group.stream(), is),
        _ => None,
    })
}

/// Finds a reference or a lifetime in a type, save `'static`, which owned types may have.
fn borrow(ty: TokenStream) -> Option<TokenStream> {
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

/// Names the owned type to use in place of a reference to `ty`.
fn owned(ty: &Type) -> String {
    match ty {
        Type::Slice(slice) => format!("Vec<{}>", owned(&slice.elem)),
        _ => match ty.to_token_stream().to_string().replace(' ', "").as_str() {
            "str" => "String".to_owned(),
            "Path" => "PathBuf".to_owned(),
            "OsStr" => "OsString".to_owned(),
            other => other.to_owned(),
        },
    }
}
