//! `#[byre::hook]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Path, Type, spanned::Spanned};

use crate::{
    args::{Args, StrArg},
    diagnostics::Diagnostics,
    docs,
    function::{Function, Kind, located},
    matcher,
};

/// What may stand in the parentheses of `#[byre::hook]`.
const ARGS: &[&str] = &[
    "matcher",    // = "…": about which tools, triggers, … it is asked
    "tool",       // = path: only about this tool of the program
    "timeout",    // = seconds
    "on_failure", // = "block" or "continue": what an error means
    "name",       // = "…": what messages call it, else the name of the function
    "register",   // = false: only where a `hooks!` names it
    "crate",      // = path: where byre is, if not at `::byre`
];

/// What stands in the parentheses, read.
struct Attr {
    krate: TokenStream,
    name: Option<String>,
    register: bool,
    matcher: Option<StrArg>,
    tool: Option<Path>,
    timeout: Option<u64>,
    on_failure: Option<OnFailure>,
}

/// What stands in `on_failure`, and where.
struct OnFailure {
    blocks: bool,
    tokens: TokenStream,
}

/// What a hook is called, and its rules.
const KIND: Kind = Kind {
    macro_name: "hook",
    may_be_sync: true,
    not_free: "must be a free function; move it out of the `impl` block, and take `self` as a parameter",
};

const LACKS_INPUT: &str = "must take the input of its event; use a parameter such as \
                           `input: byre::hook::StopInput`";

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let attr = Attr::parse(args, &mut diags);
    let Some(mut function) = Function::parse(item.clone(), KIND, &mut diags) else {
        let errors = diags.finish();
        return quote!(#errors #item);
    };
    let name = attr.name.clone().unwrap_or_else(|| function.name());
    let what = format!("hook `{name}`");
    function.check(KIND, &what, &mut diags);
    let params = function.take_types(KIND, &what, LACKS_INPUT, &mut diags);

    let beside = if !function.has_room_beside() {
        TokenStream::new()
    } else if diags.is_empty() {
        items(&attr, &function, &name, &params)
    } else {
        stand_in(&attr.krate, &function)
    };
    function.expand(&beside, diags)
}

impl Attr {
    fn parse(args: TokenStream, diags: &mut Diagnostics) -> Self {
        let mut args = Args::parse(args, ARGS, &[], diags);
        let krate = args.krate(diags);
        let name = args.string("name", diags).map(|name| name.value);
        let register = args.flag("register", diags).unwrap_or(true);
        let matcher = args.string("matcher", diags);
        if let Some(matcher) = &matcher
            && let Err(fault) = matcher::check(&matcher.value)
        {
            diags.error(&matcher.tokens, fault);
        }
        let tool = args.expr("tool").and_then(|(name, expr)| match expr {
            Some(Expr::Path(path)) if path.qself.is_none() => Some(path.path),
            _ => {
                let message = "`tool` takes the path of a tool of the program; use `tool = my_tool`, or \
                     `matcher = \"…\"` for others";
                diags.error(&name, message);
                None
            }
        });
        if let (Some(matcher), Some(_)) = (&matcher, &tool) {
            let message = "`matcher` and `tool` must not stand together; remove one of them";
            diags.error(&matcher.tokens, message);
        }
        let timeout = args.seconds("timeout", diags);
        let on_failure = args.expr("on_failure").and_then(|(name, expr)| {
            let word = expr.as_ref().and_then(docs::string);
            let blocks = match word.as_deref() {
                Some("block") => true,
                Some("continue") => false,
                _ => {
                    let message = "`on_failure` takes a word; use `on_failure = \"block\"` or \
                         `on_failure = \"continue\"`";
                    diags.error(expr.map_or(quote!(#name), |expr| quote!(#expr)), message);
                    return None;
                }
            };
            Some(OnFailure { blocks, tokens: quote!(#expr) })
        });
        Self { krate, name, register, matcher, tool, timeout, on_failure }
    }
}

fn stand_in(krate: &TokenStream, function: &Function) -> TokenStream {
    let (cfgs, ident, marker) = (function.cfgs(), &function.sig.ident, function.marker());
    quote! {
        #marker
        #(#cfgs)*
        const _: () = {
            impl #krate::__private::HookFn for #ident {
                fn hook() -> #krate::hook::Hook {
                    ::core::unreachable!()
                }
            }
        };
    }
}

/// The type of the event's input: of one parameter itself, of several the one that is an input.
fn input(private: &TokenStream, params: &[Type]) -> TokenStream {
    let event = |ty: &Type| quote_spanned!(ty.span()=> <#ty as #private::HookParam>::Event);
    match params {
        [] => TokenStream::new(),
        [input] => quote!(#input),
        [first, rest @ ..] => {
            let mut found = event(first);
            for ty in rest {
                let next = event(ty);
                found = quote_spanned!(ty.span()=> <#found as #private::Join<#next>>::Event);
            }
            quote_spanned!(first.span()=> <#found as #private::Found>::Input)
        }
    }
}

fn items(attr: &Attr, function: &Function, name: &str, params: &[Type]) -> TokenStream {
    let krate = &attr.krate;
    let private = quote!(#krate::__private);
    let marker = function.marker();
    let (cfgs, ident) = (function.cfgs(), &function.sig.ident);
    let register = attr.register.then(|| {
        quote! {
            #private::inventory::submit! { #private::RegisteredHook(&__BYRE_DEF) }
        }
    });
    let input = input(&private, params);
    let event = match params {
        [ty] => quote_spanned!(ty.span()=> <#ty as #private::HookInput>::EVENT),
        _ => quote!(<__ByreInput as #private::HookInput>::EVENT),
    };
    let (fields, checks) = fields(attr, &private, params);
    let needs = match params {
        [_] => TokenStream::new(),
        params => params
            .iter()
            .map(|ty| {
                let describe = quote_spanned!(ty.span()=> <#ty as #private::HookParam>::describe);
                quote!(#describe(needs);)
            })
            .collect(),
    };
    let call = call(&private, function, params);
    quote! {
        #marker
        #(#cfgs)*
        #[allow(dead_code, deprecated)]
        const _: () = {
            type __ByreInput = #input;
            static __BYRE_DEF: #private::HookDef = #private::HookDef {
                name: #name,
                event: #event,
                #fields
                location: #private::Location::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::module_path!(),
                ),
                needs: __byre_needs,
                call: __byre_call,
            };
            #checks
            #[allow(unused_variables)]
            fn __byre_needs(needs: &mut #private::Needs) {
                #needs
            }
            #call
            impl #private::HookFn for #ident {
                fn hook() -> #krate::hook::Hook {
                    #private::hook(&__BYRE_DEF)
                }
            }
            #register
        };
    }
}

/// The fields that the attribute decides, and the questions whether the event takes them.
fn fields(attr: &Attr, private: &TokenStream, params: &[Type]) -> (TokenStream, TokenStream) {
    let mut checks = TokenStream::new();
    // The mistake is shown where it was made, and names the type as it was written.
    let input = match params {
        [ty] => quote!(#ty),
        _ => quote!(__ByreInput),
    };
    let mut check = |function: &str, span: Span| {
        let function = Ident::new(function, span);
        let check = quote_spanned!(span=> #private::#function::<#input>);
        checks.extend(quote!(const _: fn() = #check;));
    };
    let matcher = match (&attr.matcher, &attr.tool) {
        (Some(matcher), _) => {
            check("check_matched", matcher.tokens.span());
            let pattern = &matcher.value;
            quote!(#private::Matching::Pattern(#pattern))
        }
        (None, Some(tool)) => {
            check("check_of_tool", tool.span());
            let name = quote_spanned!(tool.span()=> #private::tool_name::<#tool>);
            quote!(#private::Matching::Tool(#name))
        }
        (None, None) => quote!(#private::Matching::Everything),
    };
    let none = quote!(::core::option::Option::None);
    let timeout = attr.timeout.map_or(
        none.clone(),
        |nanos| quote!(::core::option::Option::Some(::core::time::Duration::from_nanos(#nanos))),
    );
    let on_failure = attr.on_failure.as_ref().map_or(none, |on_failure| {
        let word = if on_failure.blocks {
            check("check_may_block", on_failure.tokens.span());
            quote!(Block)
        } else {
            quote!(Continue)
        };
        quote!(::core::option::Option::Some(#private::OnFailure::#word))
    });
    let fields = quote!(matcher: #matcher, timeout: #timeout, on_failure: #on_failure,);
    (fields, checks)
}

/// The function that takes the question apart, and calls the user's function.
fn call(private: &TokenStream, function: &Function, params: &[Type]) -> TokenStream {
    let (ident, output) = (&function.sig.ident, function.output());
    // That a future is not `Send` is shown at the name of the function, in the words of byre, and why it
    // is not at the attribute: at one place, the compiler would say it only once.
    let future = Ident::new("__byre_future", ident.span());
    let checked = Ident::new("checked", Span::mixed_site());
    let request = Ident::new("request", Span::mixed_site());
    let vars: Vec<_> =
        (0..params.len()).map(|at| format_ident!("arg{at}", span = Span::mixed_site())).collect();
    let takes = params.iter().map(|ty| match params.len() {
        // So that a type which is no input is one mistake and not two.
        1 => {
            let read = quote_spanned!(ty.span()=> <#ty as #private::HookInput>::read);
            quote!(#read(#request.input()))
        }
        _ => {
            let take = quote_spanned!(ty.span()=> <#ty as #private::HookParam>::take);
            quote!(#take(#request))
        }
    });
    let input = match params {
        [ty] => quote!(#ty),
        _ => quote!(__ByreInput),
    };
    let answer = quote_spanned! {output.span()=>
        <#output as #private::HookOutput<#input>>::into_answer
    };
    let boxed = if function.sig.asyncness.is_some() {
        let check_send = located(quote!(#private::check_send), ident.span());
        quote! {
            let #future = #ident(#(#vars),*);
            let #checked = #check_send(#future);
            let #checked = #private::send(#checked);
            ::core::result::Result::Ok(::std::boxed::Box::pin(async move {
                #answer(#checked.await)
            }))
        }
    } else {
        let check_send = located(quote!(#private::check_send_call), ident.span());
        quote! {
            let #future = #private::call(move || #answer(#ident(#(#vars),*)));
            let #checked = #check_send(#future);
            ::core::result::Result::Ok(#private::blocking_hook(::std::boxed::Box::new(#checked.0)))
        }
    };
    quote! {
        fn __byre_call(
            #request: &#private::HookRequest<'_>,
        ) -> ::core::result::Result<#private::HookFuture, #private::HookError> {
            #(let #vars = #takes?;)*
            #boxed
        }
    }
}
