//! What is written for one tool: its constant, and the function that goes through its parameters.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Type, spanned::Spanned};

use super::attr::{Attr, option};
use crate::{
    docs,
    function::{Function, SelfParam, located},
    params::{ArgDefault, Field, Param, ParamKind},
    returned,
};

/// A tool without mistakes.
pub(crate) struct Code<'a> {
    /// `byre::__private`
    pub(crate) private: &'a TokenStream,
    pub(crate) attr: &'a Attr,
    pub(crate) function: &'a Function,
    pub(crate) params: &'a [Param],
    /// The function as it is called: `add`, or `Self::add`.
    pub(crate) callee: TokenStream,
    pub(crate) self_param: SelfParam,
    /// The line of the attribute.
    pub(crate) line: TokenStream,
}

impl Code<'_> {
    /// Writes the constant. What was not said is left to `ToolDef::NEW`: every field costs the compiler time.
    pub(crate) fn def(&self, name: &str, description: &str, call: &TokenStream) -> TokenStream {
        let Self { private, attr, function, line, .. } = self;
        let title = attr.title.as_ref().map(|title| {
            let title = option(Some(title));
            quote!(title: #title,)
        });
        let server = attr.server.as_ref().map(|server| {
            let server = option(Some(server));
            quote!(server: #server,)
        });
        let (hints, limits) = (self.hints(), self.limits());
        let meta = (!attr.meta.is_empty()).then(|| {
            let (keys, values): (Vec<_>, Vec<_>) =
                attr.meta.iter().map(|entry| (&entry.key, &entry.value)).unzip();
            quote! {
                meta: || ::std::vec::Vec::from([
                    #((#keys, #private::serde_json::json!(#values))),*
                ]),
            }
        });
        let examples = (!attr.examples.is_empty()).then(|| {
            let examples = &attr.examples;
            quote! {
                examples: || ::std::vec::Vec::from([
                    #(#private::serde_json::json!(#examples)),*
                ]),
            }
        });
        let output_schema = returned::output_schema(private, &function.output());
        quote! {
            #private::ToolDef {
                name: #name,
                #title
                description: #description,
                #server
                #hints
                #limits
                #meta
                #examples
                location: #private::Location::new(
                    ::core::file!(),
                    #line,
                    ::core::module_path!(),
                ),
                output_schema: #output_schema,
                call: #call,
                ..#private::ToolDef::NEW
            }
        }
    }

    fn hints(&self) -> Option<TokenStream> {
        let Self { private, attr, .. } = self;
        let said = attr.hints.iter().filter_map(|(name, hint)| {
            let (name, hint) = (Ident::new(name, Span::call_site()), option(Some((*hint)?)));
            Some(quote!(#name: #hint,))
        });
        let said: Vec<_> = said.collect();
        let rest = (said.len() < attr.hints.len()).then(|| quote!(..#private::Hints::NEW));
        (!said.is_empty()).then(|| quote!(hints: #private::Hints { #(#said)* #rest },))
    }

    fn limits(&self) -> Option<TokenStream> {
        let Self { private, attr, .. } = self;
        let limits = &attr.limits;
        let number = |number: u64| proc_macro2::Literal::u64_unsuffixed(number);
        let timeout =
            limits.timeout.map(|nanos| quote!(::core::time::Duration::from_nanos(#nanos)));
        let concurrency = limits.concurrency.map(|most| {
            let most = number(most);
            quote!(#most)
        });
        let max_result_chars = limits.max_result_chars.map(|most| {
            let most = number(most);
            quote!(#most)
        });
        let always_load = limits.always_load.map(|always| quote!(#always));
        let fields = [
            ("timeout", timeout),
            ("concurrency", concurrency),
            ("max_result_chars", max_result_chars),
            ("always_load", always_load),
        ];
        let count = fields.len();
        let said: Vec<_> = fields
            .into_iter()
            .filter_map(|(name, value)| {
                let (name, value) = (Ident::new(name, Span::call_site()), option(Some(value?)));
                Some(quote!(#name: #value,))
            })
            .collect();
        let rest = (said.len() < count).then(|| quote!(..#private::Limits::NEW));
        (!said.is_empty()).then(|| quote!(limits: #private::Limits { #(#said)* #rest },))
    }

    /// Writes the body of the function that goes through the parameters and calls the user's function with
    /// them; the first token is the name of its parameter.
    ///
    /// Every parameter is gone through before the first one is asked whether it is there, so that all
    /// that is wrong comes up at once.
    pub(crate) fn call(&self) -> (Ident, TokenStream) {
        let parameters = Ident::new("parameters", Span::mixed_site());
        let vars: Vec<_> = (0..self.params.len())
            .map(|at| format_ident!("arg{at}", span = Span::mixed_site()))
            .collect();
        let numbered = || self.params.iter().zip(&vars).enumerate();
        let structs = self.structs();
        let passes = numbered().map(|(at, (param, var))| {
            let (cfgs, pass) = (&param.cfgs, self.pass(at, param, &parameters));
            quote!(#(#cfgs)* let #var = #pass;)
        });
        let unwraps = numbered().map(|(at, (Param { cfgs, kind, .. }, var))| {
            let pattern = match kind {
                ParamKind::Field(Field { ident, .. }) => {
                    let name = struct_name(at);
                    quote!(#name { #ident: value })
                }
                _ => quote!(value),
            };
            quote! {
                #(#cfgs)*
                let #var = match #var {
                    ::core::option::Option::Some(#pattern) => value,
                    ::core::option::Option::None => return ::core::option::Option::None,
                };
            }
        });
        let this = Ident::new("this", Span::mixed_site());
        let receiver = (self.self_param != SelfParam::None).then(|| {
            quote! {
                let #this = match #parameters.receiver::<Self>() {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => return ::core::option::Option::None,
                };
            }
        });
        let future = self.future(&vars, &this);
        let body = quote! {
            #structs
            #(#passes)*
            #(#unwraps)*
            #receiver
            #future
        };
        (parameters, body)
    }

    /// Writes how a parameter is described or read.
    fn pass(&self, at: usize, param: &Param, parameters: &Ident) -> TokenStream {
        let private = self.private;
        let Param { name, docs, ty, default, kind, .. } = param;
        match (kind, default) {
            (ParamKind::Extracted, _) => {
                quote_spanned!(ty.span()=> <#ty as #private::Extract>::extract(#parameters))
            }
            (ParamKind::Plain, None) => quote_spanned! {ty.span()=>
                <#ty as #private::ToolArg>::pass(#parameters, #name, #docs)
            },
            (ParamKind::Plain, Some(default)) => {
                let value = self.default_value(default, ty);
                let pass = quote_spanned!(ty.span()=> <#ty as #private::ToolArgOr>::pass_or);
                quote!(#pass(#parameters, #name, #docs, || #value))
            }
            (ParamKind::Field(field), _) => {
                let (name, docs) = (struct_name(at), if field.is_described { "" } else { docs });
                quote!(#private::FieldOf::<#name>::NEW.pass(#parameters, #docs))
            }
        }
    }

    /// Writes a struct for each parameter with attributes of serde or schemars. They read them, so that all that
    /// they know may stand there; every other parameter does without, because a derive costs the compiler more
    /// than all the rest.
    fn structs(&self) -> TokenStream {
        let private = self.private;
        let mut structs = TokenStream::new();
        for (at, Param { ty, default, kind, cfgs, .. }) in self.params.iter().enumerate() {
            let ParamKind::Field(Field { ident, attrs, .. }) = kind else { continue };
            if structs.is_empty() {
                // The two take paths as strings, in which `$crate` has no meaning.
                structs.extend(quote! {
                    use #private as __byre_private;
                    #[allow(unused_imports)]
                    use __byre_private::NoFieldOf as _;
                });
            }
            let name = struct_name(at);
            let case = self.attr.case.map(|case| {
                let word = case.word;
                quote!(#[serde(rename_all = #word)])
            });
            let default = default.as_ref().map(|default| {
                let function = format_ident!("__byre_default{at}");
                let (path, value) = (function.to_string(), self.default_value(default, ty));
                structs.extend(quote! {
                    #(#cfgs)*
                    fn #function() -> #ty {
                        #value
                    }
                });
                quote!(#[serde(default = #path)])
            });
            structs.extend(quote! {
                #(#cfgs)*
                #[derive(__byre_private::serde::Deserialize, __byre_private::schemars::JsonSchema)]
                #[serde(crate = "__byre_private::serde")]
                #[schemars(crate = "__byre_private::schemars")]
                #case
                struct #name {
                    #default
                    #(#attrs)*
                    #ident: #ty,
                }
            });
        }
        structs
    }

    /// Writes the value of a default. A string literal becomes whatever can be made from one.
    fn default_value(&self, default: &ArgDefault, ty: &Type) -> TokenStream {
        let private = self.private;
        match default {
            ArgDefault::Trait(name) => {
                quote_spanned!(name.span()=> <#ty as #private::DefaultArg>::default_arg())
            }
            ArgDefault::Expr(expr) if docs::string(expr).is_some() => {
                quote_spanned!(expr.span()=> <#ty as ::core::convert::From<&'static str>>::from(#expr))
            }
            ArgDefault::Expr(expr) => quote!(#expr),
        }
    }

    /// Writes the call, as what is waited for.
    fn future(&self, vars: &[Ident], this: &Ident) -> TokenStream {
        let Self { private, function, callee, .. } = self;
        let output = function.output();
        let result = |value: TokenStream| returned::into_tool_result(private, &output, &value);
        // That something is not `Send` is shown at the name of the function, in the words of byre, and why it is
        // not at the attribute: at one place, the compiler would say it only once.
        let here = function.sig.ident.span();
        let called = Ident::new("__byre_future", here);
        let this = match self.self_param {
            SelfParam::None => TokenStream::new(),
            SelfParam::Borrowed => quote!(&#this,),
            SelfParam::Shared => quote!(#this,),
        };
        let variants = variants(self.params, vars);
        let call: TokenStream = variants
            .iter()
            .map(|(cfg, args)| quote!(#cfg let #called = #callee(#this #(#args),*);))
            .collect();
        let checked = Ident::new("checked", Span::mixed_site());
        if function.sig.asyncness.is_none() || self.attr.blocking.is_some() {
            let result = if function.sig.asyncness.is_none() {
                match &variants[..] {
                    [(_, args)] => result(quote!(#callee(#this #(#args),*))),
                    _ => {
                        let result = result(quote!(#called));
                        quote!(#call #result)
                    }
                }
            } else {
                let result = result(quote!(#called.await));
                quote!(#private::block_on(::core::pin::pin!(async move { #call #result })))
            };
            let check_send = located(quote!(#private::check_send_call), here);
            return quote! {
                let #called = #private::call(move || { #result });
                let #checked = #check_send(#called);
                ::core::option::Option::Some(#private::blocking_tool(::std::boxed::Box::new(#checked.0)))
            };
        }
        let check_send = located(quote!(#private::check_send), here);
        let check = quote! {
            let #checked = #check_send(#called);
            let #checked = #private::send(#checked);
        };
        // A future that borrows the value has to be made where the value is kept.
        let (before, inside) = match self.self_param {
            SelfParam::Borrowed => (TokenStream::new(), quote!(#call #check)),
            _ => (quote!(#call #check), TokenStream::new()),
        };
        let result = result(quote!(#checked.await));
        quote! {
            #before
            ::core::option::Option::Some(::std::boxed::Box::pin(async move {
                #inside
                #result
            }))
        }
    }
}

/// The name of the struct of the parameter at `at`.
fn struct_name(at: usize) -> Ident {
    format_ident!("__ByreParameter{at}")
}

/// Returns the arguments of the call, once for every set of parameters that `#[cfg]` may leave, with
/// the condition for it. An argument can't have a `#[cfg]` of its own.
fn variants<'a>(params: &[Param], vars: &'a [Ident]) -> Vec<(TokenStream, Vec<&'a Ident>)> {
    let mut variants = vec![(Vec::<TokenStream>::new(), Vec::new())];
    for (param, var) in params.iter().zip(vars) {
        let conditions = param.cfgs.iter().map(condition).collect::<Vec<_>>();
        let without = variants.clone();
        for (cfg, args) in &mut variants {
            args.push(var);
            cfg.extend(conditions.iter().cloned());
        }
        if !conditions.is_empty() {
            let all = match &conditions[..] {
                [condition] => quote!(not(#condition)),
                _ => quote!(not(all(#(#conditions),*))),
            };
            variants.extend(without.into_iter().map(|(mut cfg, args)| {
                cfg.push(all.clone());
                (cfg, args)
            }));
        }
    }
    let attribute = |cfg: Vec<TokenStream>| match cfg.as_slice() {
        [] => TokenStream::new(),
        [cfg] => quote!(#[cfg(#cfg)]),
        cfg => quote!(#[cfg(all(#(#cfg),*))]),
    };
    variants.into_iter().map(|(cfg, args)| (attribute(cfg), args)).collect()
}

/// Returns what stands in the parentheses of a `#[cfg(…)]`.
fn condition(attr: &Attribute) -> TokenStream {
    attr.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default()
}
