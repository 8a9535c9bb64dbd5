//! `#[byre::permission]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Type, spanned::Spanned};

use crate::{
    args::Args,
    diagnostics::Diagnostics,
    function::{Function, NOT_FREE, located},
};

/// What may stand in the parentheses of `#[byre::permission]`.
const ARGS: &[&str] = &[
    "name",     // = "…": what messages call it, else the name of the function
    "register", // = false: only where `can_use_tool` is given it
    "crate",    // = path: where byre is, if not at `::byre`
];

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let mut args = Args::parse(args, ARGS, &mut diags);
    let krate = args.krate(&mut diags);
    let name = args.string("name", &mut diags).map(|name| name.value);
    let register = args.flag("register", &mut diags).unwrap_or(true);
    let Some(mut function) = Function::parse(item.clone(), "permission", &mut diags) else {
        let errors = diags.finish();
        return quote!(#errors #item);
    };
    let name = name.unwrap_or_else(|| function.name());
    let what = format!("permission function `{name}`");
    function.check(&what, &mut diags);
    let params = take_params(&mut function, &what, &mut diags);

    let beside = if diags.is_empty() {
        items(&krate, register, &function, &name, &params)
    } else {
        TokenStream::new()
    };
    let errors = diags.finish();
    quote! {
        #errors
        #[allow(clippy::needless_pass_by_value, clippy::unused_async)]
        #function
        #beside
    }
}

/// Returns the types of the parameters. What they may be is a question to the types.
fn take_params(function: &mut Function, what: &str, diags: &mut Diagnostics) -> Vec<Type> {
    let mut types = Vec::new();
    for input in &mut function.sig.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                diags.error(receiver.self_token, format_args!("{what} {NOT_FREE}"));
                // There is no use in telling a method what else it lacks.
                return types;
            }
            FnArg::Typed(param) => {
                for attr in param.attrs.extract_if(.., |attr| attr.path().is_ident("arg")) {
                    diags.error(attr, "`#[arg]` is for parameters of tools; remove it");
                }
                param.attrs.retain(|attr| !attr.path().is_ident("doc"));
                if let Type::Reference(reference) = &*param.ty {
                    let (ty, elem) = (&param.ty, &reference.elem);
                    let fix = quote!(#elem).to_string().replace(' ', "");
                    diags.error(ty, format_args!("{what} must own its parameters; use `{fix}`"));
                }
                types.push((*param.ty).clone());
            }
        }
    }
    if types.is_empty() {
        let message = format_args!(
            "{what} must take the request; use a parameter such as \
             `request: byre::permission::PermissionRequest`"
        );
        diags.error(&function.sig.ident, message);
    }
    types
}

fn items(
    krate: &TokenStream,
    register: bool,
    function: &Function,
    name: &str,
    params: &[Type],
) -> TokenStream {
    let private = quote!(#krate::__private);
    let (cfgs, ident, output) = (function.cfgs(), &function.sig.ident, function.output());
    let register = register.then(|| {
        quote! {
            #private::inventory::submit! { #private::RegisteredPermission(&__BYRE_DEF) }
        }
    });
    // That a future is not `Send` is shown at the name of the function, in the words of byre, and why it
    // is not at the attribute: at one place, the compiler would say it only once.
    let future = Ident::new("__byre_future", ident.span());
    let checked = Ident::new("checked", Span::mixed_site());
    let asked = Ident::new("asked", Span::mixed_site());
    let params = params
        .iter()
        .map(|ty| quote_spanned!(ty.span()=> <#ty as #private::PermissionParam>::take(#asked)));
    let answer = quote_spanned! {output.span()=>
        <#output as #private::IntoAnswer<#private::PermissionAnswer>>::into_answer
    };
    let check_send = located(quote!(#private::check_send), ident.span());
    quote! {
        #(#cfgs)*
        #[allow(dead_code, deprecated)]
        const _: () = {
            static __BYRE_DEF: #private::PermissionDef = #private::PermissionDef {
                name: #name,
                location: #private::Location::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::module_path!(),
                ),
                call: __byre_call,
            };
            fn __byre_call(#asked: &#private::Asked) -> #private::PermissionFuture {
                let #future = #ident(#(#params),*);
                let #checked = #check_send(#future);
                let #checked = #private::send(#checked);
                ::std::boxed::Box::pin(async move { #answer(#checked.await) })
            }
            #register
        };
    }
}
