//! `#[byre::hook]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Type, spanned::Spanned};

use crate::{
    args::Args,
    diagnostics::Diagnostics,
    function::{Function, NOT_FREE, located},
};

/// What may stand in the parentheses of `#[byre::hook]`.
const ARGS: &[&str] = &[
    "name",     // = "…": what messages call it, else the name of the function
    "register", // = false: only where a `hooks!` names it
    "crate",    // = path: where byre is, if not at `::byre`
];

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let mut args = Args::parse(args, ARGS, &mut diags);
    let krate = args.krate(&mut diags);
    let name = args.string("name", &mut diags).map(|name| name.value);
    let register = args.flag("register", &mut diags).unwrap_or(true);
    let Some(mut function) = Function::parse(item.clone(), "hook", &mut diags) else {
        let errors = diags.finish();
        return quote!(#errors #item);
    };
    let name = name.unwrap_or_else(|| function.name());
    let what = format!("hook `{name}`");
    function.check(&what, &mut diags);
    let input = take_input(&mut function, &what, &mut diags);

    let beside = match input {
        _ if !function.has_room_beside() => TokenStream::new(),
        Some(input) if diags.is_empty() => items(&krate, register, &function, &name, &input),
        _ => stand_in(&krate, &function),
    };
    let errors = diags.finish();
    quote! {
        #errors
        #[allow(clippy::needless_pass_by_value, clippy::unused_async)]
        #function
        #beside
    }
}

/// Returns the type of the one parameter.
fn take_input(function: &mut Function, what: &str, diags: &mut Diagnostics) -> Option<Type> {
    // What is not documented to the model may have any pattern, so the patterns are not looked at.
    let mut types = Vec::new();
    for input in &mut function.sig.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                diags.error(receiver.self_token, format_args!("{what} {NOT_FREE}"));
            }
            FnArg::Typed(param) => {
                for attr in param.attrs.extract_if(.., |attr| attr.path().is_ident("arg")) {
                    let message = "`#[arg]` is for parameters of tools; remove it";
                    diags.error(attr, message);
                }
                param.attrs.retain(|attr| !attr.path().is_ident("doc"));
                if let Type::Reference(reference) = &*param.ty {
                    let (ty, elem) = (&param.ty, &reference.elem);
                    let fix = quote!(#elem).to_string().replace(' ', "");
                    diags.error(ty, format_args!("{what} must own its input; use `{fix}`"));
                }
                types.push((*param.ty).clone());
            }
        }
    }
    match types.len() {
        1 => return types.pop(),
        0 if !function.is_method() => diags.error(
            &function.sig.ident,
            format_args!(
                "{what} must take the input of its event; use a parameter such as \
                 `input: byre::hook::StopInput`"
            ),
        ),
        0 => (),
        _ => {
            let more = function.sig.inputs.iter().skip(1);
            diags.error(
                quote!(#(#more),*),
                format_args!("{what} must take only the input of its event; remove the others"),
            );
        }
    }
    None
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

fn items(
    krate: &TokenStream,
    register: bool,
    function: &Function,
    name: &str,
    input: &Type,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let marker = function.marker();
    let (cfgs, ident, output) = (function.cfgs(), &function.sig.ident, function.output());
    let register = register.then(|| {
        quote! {
            #private::inventory::submit! { #private::RegisteredHook(&__BYRE_DEF) }
        }
    });
    // That a future is not `Send` is shown at the name of the function, in the words of byre, and why it
    // is not at the attribute: at one place, the compiler would say it only once.
    let future = Ident::new("__byre_future", ident.span());
    let checked = Ident::new("checked", Span::mixed_site());
    let json = Ident::new("json", Span::mixed_site());
    let event = quote_spanned!(input.span()=> <#input as #private::HookInput>::EVENT);
    let read = quote_spanned!(input.span()=> <#input as #private::HookInput>::read);
    let answer = quote_spanned! {output.span()=>
        <#output as #private::HookOutput<#input>>::into_answer
    };
    let check_send = located(quote!(#private::check_send), ident.span());
    quote! {
        #marker
        #(#cfgs)*
        #[allow(dead_code, deprecated)]
        const _: () = {
            static __BYRE_DEF: #private::HookDef = #private::HookDef {
                name: #name,
                event: #event,
                location: #private::Location::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::module_path!(),
                ),
                call: __byre_call,
            };
            fn __byre_call(
                #json: &#private::RawValue,
            ) -> ::core::result::Result<#private::HookFuture, #private::HookError> {
                let #future = #ident(#read(#json)?);
                let #checked = #check_send(#future);
                let #checked = #private::send(#checked);
                ::core::result::Result::Ok(::std::boxed::Box::pin(async move {
                    #answer(#checked.await)
                }))
            }
            impl #private::HookFn for #ident {
                fn hook() -> #krate::hook::Hook {
                    #private::hook(&__BYRE_DEF)
                }
            }
            #register
        };
    }
}
