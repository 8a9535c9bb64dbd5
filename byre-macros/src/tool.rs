//! `#[byre::tool]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Type, spanned::Spanned};

use crate::{
    args::Args,
    diagnostics::Diagnostics,
    docs,
    function::{ArgDefault, Function, Param, located},
    returned,
};

/// What may stand in the parentheses of `#[byre::tool]`.
const ARGS: &[&str] = &[
    "name",        // = "…": what the model calls it by, else the name of the function
    "title",       // = "…": what people call it by
    "description", // = "…": for the model, in place of the doc comment
    "read_only",   // flag, and so are the next three
    "destructive",
    "idempotent",
    "open_world",
    "register", // = false: only where a `tools!` names it
    "crate",    // = path: where byre is, if not at `::byre`
];

/// Names of tools and servers together must fit in what the API takes, which is 128 characters.
const PREFIX: &str = "mcp__byre__";
const MAX_NAME: usize = 128;

/// The attribute, understood.
struct Attr {
    krate: TokenStream,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    /// In the order of the fields of `Hints`.
    hints: [Option<bool>; 4],
    register: bool,
}

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let attr = Attr::parse(args, &mut diags);
    let Some(mut function) = Function::parse(item.clone(), "tool", &mut diags) else {
        let errors = diags.finish();
        return quote!(#errors #item);
    };
    let name = attr.name.clone().unwrap_or_else(|| function.name());
    let what = format!("tool `{name}`");
    if attr.name.is_none() {
        check_name(&name, &function.sig.ident, &mut diags);
    }
    let description = attr.description.clone().unwrap_or_else(|| {
        let before = diags.len();
        let text = docs::text(&function.attrs, &mut diags);
        if text.is_empty() && diags.len() == before {
            let message = format_args!(
                "{what} must have a description, by which the model chooses it; use a doc comment or \
                 `description = \"…\"`"
            );
            diags.error(&function.sig.ident, message);
        }
        text
    });
    function.check(&what, &mut diags);
    let params = function.take_params(&what, &mut diags);

    let beside = if !function.has_room_beside() {
        TokenStream::new()
    } else if diags.is_empty() {
        items(&attr, &function, &name, &description, &params)
    } else {
        stand_in(&attr.krate, &function)
    };
    function.expand(&beside, diags)
}

impl Attr {
    fn parse(args: TokenStream, diags: &mut Diagnostics) -> Self {
        let mut args = Args::parse(args, ARGS, diags);
        let krate = args.krate(diags);
        let name = args.string("name", diags).map(|name| {
            check_name(&name.value, &name.tokens, diags);
            name.value
        });
        let title = args.string("title", diags).map(|title| title.value);
        let description = args.string("description", diags).map(|description| {
            if description.value.trim().is_empty() {
                diags.error(&description.tokens, "`description` must not be empty");
            }
            description.value
        });
        let hints = ["read_only", "destructive", "idempotent", "open_world"]
            .map(|name| args.flag(name, diags));
        let register = args.flag("register", diags).unwrap_or(true);
        Self { krate, name, title, description, hints, register }
    }
}

/// Checks that the API takes the name of a tool as it is: what it does not take, the CLI replaces or
/// drops without a word.
fn check_name(name: &str, tokens: impl quote::ToTokens, diags: &mut Diagnostics) {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let max = MAX_NAME - PREFIX.len();
    if name.is_empty() {
        diags.error(tokens, "the name of a tool must not be empty");
    } else if !name.chars().all(fits) {
        let message = format_args!(
            "the name of a tool must be of ASCII letters, digits, `_` and `-`, and `{name}` is not; \
             use `name = \"…\"`"
        );
        diags.error(tokens, message);
    } else if name.len() > max {
        let message = format_args!(
            "the name of a tool must have at most {max} characters, and this one has {}: the API \
             takes {MAX_NAME} together with `{PREFIX}`; use a shorter `name = \"…\"`",
            name.len()
        );
        diags.error(tokens, message);
    }
}

/// What stands beside a function with mistakes, so that a `tools!` elsewhere adds none of its own.
fn stand_in(krate: &TokenStream, function: &Function) -> TokenStream {
    let (cfgs, ident, marker) = (function.cfgs(), &function.sig.ident, function.marker());
    quote! {
        #marker
        #(#cfgs)*
        const _: () = {
            impl #krate::__private::ToolFn for #ident {
                fn tool() -> #krate::tool::Tool {
                    ::core::unreachable!()
                }
            }
        };
    }
}

/// Everything beside a function without mistakes.
fn items(
    attr: &Attr,
    function: &Function,
    name: &str,
    description: &str,
    params: &[Param],
) -> TokenStream {
    let krate = &attr.krate;
    let private = quote!(#krate::__private);
    let marker = function.marker();
    let (cfgs, ident, output) = (function.cfgs(), &function.sig.ident, function.output());
    let option = |value: Option<TokenStream>| {
        value.map_or(
            quote!(::core::option::Option::None),
            |value| quote!(::core::option::Option::Some(#value)),
        )
    };
    let title = option(attr.title.as_ref().map(|title| quote!(#title)));
    let [read_only, destructive, idempotent, open_world] =
        attr.hints.map(|hint| option(hint.map(|hint| quote!(#hint))));
    let register = attr.register.then(|| {
        quote! {
            #private::inventory::submit! { #private::RegisteredTool(&__BYRE_TOOL) }
        }
    });
    let output_schema = returned::output_schema(&private, &output);
    let call = call(&private, ident, &output, params);
    quote! {
        #marker
        #(#cfgs)*
        #[allow(dead_code, deprecated)]
        const _: () = {
            static __BYRE_TOOL: #private::StaticTool = #private::StaticTool::new(#private::ToolDef {
                name: #name,
                title: #title,
                description: #description,
                hints: #private::Hints {
                    read_only: #read_only,
                    destructive: #destructive,
                    idempotent: #idempotent,
                    open_world: #open_world,
                },
                location: #private::Location::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::module_path!(),
                ),
                output_schema: #output_schema,
                call: __byre_call,
                ..#private::ToolDef::NEW
            });
            #call
            impl #private::ToolFn for #ident {
                fn tool() -> #krate::tool::Tool {
                    __BYRE_TOOL.get()
                }
            }
            #register
        };
    }
}

/// The function that goes through the parameters, and calls the user's function with them.
///
/// Every parameter is gone through before the first one is asked whether it is there, so that all
/// that is wrong comes up at once.
fn call(private: &TokenStream, ident: &Ident, output: &Type, params: &[Param]) -> TokenStream {
    let vars: Vec<_> =
        (0..params.len()).map(|at| format_ident!("arg{at}", span = Span::mixed_site())).collect();
    let parameters = Ident::new("parameters", Span::mixed_site());
    let passes = params.iter().zip(&vars).map(|(param, var)| {
        let Param { name, docs, ty, default, is_extracted, cfgs } = param;
        let pass = match default {
            _ if *is_extracted => quote_spanned! {ty.span()=>
                <#ty as #private::Extract>::extract(#parameters)
            },
            None => quote_spanned! {ty.span()=>
                <#ty as #private::ToolArg>::pass(#parameters, #name, #docs)
            },
            Some(default) => {
                let value = default_value(private, default, ty);
                let pass = quote_spanned!(ty.span()=> <#ty as #private::ToolArgOr>::pass_or);
                quote!(#pass(#parameters, #name, #docs, || #value))
            }
        };
        quote!(#(#cfgs)* let #var = #pass;)
    });
    let unwraps = params.iter().zip(&vars).map(|(Param { cfgs, .. }, var)| {
        quote! {
            #(#cfgs)*
            let #var = match #var {
                ::core::option::Option::Some(value) => value,
                ::core::option::Option::None => return ::core::option::Option::None,
            };
        }
    });
    // That a future is not `Send` is shown at the name of the function, in the words of byre, and why it
    // is not at the attribute: at one place, the compiler would say it only once.
    let future = Ident::new("__byre_future", ident.span());
    let checked = Ident::new("checked", Span::mixed_site());
    let lets = variants(params, &vars)
        .into_iter()
        .map(|(cfg, args)| quote!(#cfg let #future = #ident(#(#args),*);));
    let result = returned::into_tool_result(private, output, &quote!(#checked.await));
    let check_send = located(quote!(#private::check_send), ident.span());
    quote! {
        fn __byre_call(
            #parameters: &mut #private::Parameters,
        ) -> ::core::option::Option<#private::ToolFuture> {
            #(#passes)*
            #(#unwraps)*
            #(#lets)*
            let #checked = #check_send(#future);
                let #checked = #private::send(#checked);
            ::core::option::Option::Some(::std::boxed::Box::pin(async move {
                #result
            }))
        }
    }
}

/// Writes the value of a default. A string literal becomes whatever can be made from one.
fn default_value(private: &TokenStream, default: &ArgDefault, ty: &Type) -> TokenStream {
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
            let all = quote!(not(all(#(#conditions),*)));
            variants.extend(without.into_iter().map(|(mut cfg, args)| {
                cfg.push(all.clone());
                (cfg, args)
            }));
        }
    }
    let attribute = |cfg: Vec<TokenStream>| match cfg.as_slice() {
        [] => TokenStream::new(),
        cfg => quote!(#[cfg(all(#(#cfg),*))]),
    };
    variants.into_iter().map(|(cfg, args)| (attribute(cfg), args)).collect()
}

/// Returns what stands in the parentheses of a `#[cfg(…)]`.
fn condition(attr: &Attribute) -> TokenStream {
    attr.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default()
}
