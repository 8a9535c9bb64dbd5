//! `#[byre::permission]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Type, spanned::Spanned};

use crate::{
    args::Args,
    diagnostics::Diagnostics,
    function::{Function, Kind, located},
};

/// What may stand in the parentheses of `#[byre::permission]`.
const ARGS: &[&str] = &[
    "name",     // = "…": what messages call it, else the name of the function
    "register", // = false: only where `can_use_tool` is given it
    "crate",    // = path: where byre is, if not at `::byre`
];

/// What a permission function is called, and its rules.
const KIND: Kind = Kind {
    macro_name: "permission",
    may_be_sync: false,
    not_free: "must be a free function; move it out of the `impl` block, and take `self` as a parameter",
};

const LACKS_REQUEST: &str = "must take the request; use a parameter such as \
                             `request: byre::permission::PermissionRequest`";

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let mut args = Args::parse(args, ARGS, &[], &mut diags);
    let krate = args.krate(&mut diags);
    let name = args.string("name", &mut diags).map(|name| name.value);
    let register = args.flag("register", &mut diags).unwrap_or(true);
    let Some(mut function) = Function::parse(item.clone(), KIND, &mut diags) else {
        let errors = diags.finish();
        return quote!(#errors #item);
    };
    let name = name.unwrap_or_else(|| function.name());
    let what = format!("permission function `{name}`");
    function.check(KIND, &what, &mut diags);
    let params = function.take_types(KIND, &what, LACKS_REQUEST, &mut diags);

    let beside = if diags.is_empty() {
        items(&krate, register, &function, &name, &params)
    } else {
        TokenStream::new()
    };
    function.expand(&beside, diags)
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
