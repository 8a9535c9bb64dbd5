//! What the macros know of the function that they stand on, and the rules that it must keep.
//!
//! Only the signature is parsed. The body stays a row of tokens, so that a half-typed one reaches the
//! compiler, and the editor, as it is.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, FnArg, GenericParam, Ident, Receiver, ReceiverKind, ReturnType, Safety, Signature,
    Token, Type, Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use crate::diagnostics::Diagnostics;

/// A function as the user wrote it.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    /// `default`, which only methods can have.
    defaultness: Option<Token![default]>,
    pub(crate) sig: Signature,
    body: TokenStream,
}

/// What a kind of function is called, and which rules it has of its own.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// The macro, without `byre::`.
    pub(crate) macro_name: &'static str,
    pub(crate) may_be_sync: bool,
    /// What is wrong with a method. Generated items can't stand beside it.
    pub(crate) not_free: &'static str,
}

/// How a method takes the value that it is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SelfParam {
    /// Not at all.
    None,
    /// `&self`
    Borrowed,
    /// `self: Arc<Self>`
    Shared,
}

/// The types that the struct beside a function would hide from the rest of its module.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

impl Function {
    /// Reads the function in `item`; on anything else, says what the macro goes on.
    pub(crate) fn parse(item: TokenStream, kind: Kind, diags: &mut Diagnostics) -> Option<Self> {
        let parser = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer)?;
            let vis = input.parse()?;
            if let Some(what) = other_item(input) {
                let Kind { macro_name, may_be_sync, .. } = kind;
                let function = if may_be_sync { "function" } else { "`async fn`" };
                let fix = match (macro_name, what) {
                    ("tool", "an `impl` block") => "; use `#[byre::toolset]`",
                    _ => "",
                };
                let message = format!(
                    "`#[byre::{macro_name}]` goes on a free {function}, not on {what}{fix}"
                );
                return Err(input.error(message));
            }
            Ok(Self { attrs, vis, defaultness: None, sig: input.parse()?, body: input.parse()? })
        };
        parser.parse2(item).map_err(|error| diags.push(error)).ok()
    }

    /// Reads a function in an `impl` block, whose attributes were read already; what comes after it is left.
    pub(crate) fn parse_method(attrs: Vec<Attribute>, input: ParseStream<'_>) -> syn::Result<Self> {
        let (vis, defaultness, sig) = (input.parse()?, input.parse()?, input.parse()?);
        Ok(Self { attrs, vis, defaultness, sig, body: input.parse::<TokenTree>()?.into() })
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
        let lints = self.lints();
        quote! {
            #errors
            #lints
            #self
            #beside
        }
    }

    /// Returns the lints that make no sense where the signature is not a matter of taste.
    pub(crate) fn lints(&self) -> TokenStream {
        let asynchronous = self.sig.asyncness.map(|_| quote!(, clippy::unused_async));
        let method = self
            .sig
            .receiver()
            .map(|_| quote!(, clippy::unused_self, clippy::trivially_copy_pass_by_ref));
        quote!(#[allow(clippy::needless_pass_by_value #asynchronous #method)])
    }

    /// Returns the types of the parameters of what is no tool. What they may be is for the types to say.
    /// `lacks` says what is wrong without any.
    pub(crate) fn take_types(
        &mut self,
        kind: Kind,
        what: &str,
        lacks: &str,
        diags: &mut Diagnostics,
    ) -> Vec<Type> {
        // What is not documented to the model may have any pattern, so the patterns are not looked at.
        let mut types = Vec::new();
        for input in &mut self.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    diags.error(receiver.self_token, format_args!("{what} {}", kind.not_free));
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

    /// Checks the rules of a free function. `what` names it: "tool `add`".
    pub(crate) fn check(&self, kind: Kind, what: &str, diags: &mut Diagnostics) {
        self.check_signature(kind, what, diags);
        if self.sig.receiver().is_none()
            && let Some(token) = self.self_type()
        {
            diags.error(token, format_args!("{what} {}", kind.not_free));
        }
        if self.hides_a_type() {
            let name = self.name();
            let message = format_args!(
                "{what} must not be called like the type `{name}`, which would be hidden; rename the \
                 function and use `name = \"{name}\"`"
            );
            diags.error(&self.sig.ident, message);
        }
    }

    /// Checks the rules that free functions and methods share.
    pub(crate) fn check_signature(&self, kind: Kind, what: &str, diags: &mut Diagnostics) {
        let sig = &self.sig;
        if let Some(token) = &sig.constness {
            diags.error(token, format_args!("{what} must not be `const`; remove `const`"));
        }
        if sig.asyncness.is_none() && !kind.may_be_sync {
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
        if !self.has_body() {
            diags.error(&sig.ident, format_args!("{what} must have a body"));
        }
    }

    /// Returns how a method of a set takes the value that it is called on.
    pub(crate) fn self_param(&self, what: &str, diags: &mut Diagnostics) -> SelfParam {
        let Some(receiver) = self.sig.receiver() else { return SelfParam::None };
        let Receiver { self_token, kind, .. } = receiver;
        match kind {
            ReceiverKind::Reference(_, _, None) => return SelfParam::Borrowed,
            ReceiverKind::Reference(and, _, Some(mutability)) => diags.error(
                quote!(#and #mutability #self_token),
                format_args!(
                    "{what} must not take `&mut self`, because calls may run at once; use `&self`, and \
                     a `Mutex` around what changes"
                ),
            ),
            ReceiverKind::Typed(_, ty) if is_arc(ty) => return SelfParam::Shared,
            ReceiverKind::Typed(_, ty) if matches!(&**ty, Type::Reference(ty) if ty.mutability.is_none()) => {
                return SelfParam::Borrowed;
            }
            ReceiverKind::Typed(_, ty) => {
                let message = format_args!("{what} must take `&self` or `self: Arc<Self>`; use `&self`");
                diags.error(ty, message);
            }
            _ => diags.error(
                self_token,
                format_args!("{what} must not take `self`, which serves other calls too; use `&self`"),
            ),
        }
        SelfParam::Borrowed
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
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, defaultness, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #defaultness #sig #body));
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

/// Says whether a type is `Arc<…>`, by whatever path.
fn is_arc(ty: &Type) -> bool {
    match ty {
        Type::Path(ty) => ty.path.segments.last().is_some_and(|segment| segment.ident == "Arc"),
        _ => false,
    }
}

/// Says what the item is, where it is not a function.
pub(crate) fn other_item(input: ParseStream<'_>) -> Option<&'static str> {
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

/// Returns the `#[cfg(…)]` attributes.
pub(crate) fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// Says whether `impl` stands anywhere in a type.
pub(crate) fn has_impl(ty: TokenStream) -> bool {
    find(ty, &|token| matches!(token, TokenTree::Ident(ident) if ident == "impl")).is_some()
}

/// Finds a token, in groups too.
pub(crate) fn find(tokens: TokenStream, is: &dyn Fn(&TokenTree) -> bool) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match token {
        token if is(&token) => Some(token),
        TokenTree::Group(group) => find(group.stream(), is),
        _ => None,
    })
}

/// Names the owned type to use in place of a reference to `ty`.
pub(crate) fn owned(ty: &Type) -> String {
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
