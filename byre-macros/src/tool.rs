//! `#[byre::tool]` on a function.

pub(crate) mod attr;
pub(crate) mod code;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    diagnostics::Diagnostics,
    function::{Function, Kind, SelfParam},
    params::{self, Param},
};
use attr::{Attr, what};
use code::Code;

/// What a tool is called, and its rules.
pub(crate) const KIND: Kind = Kind {
    macro_name: "tool",
    may_be_sync: true,
    not_free: "must be a free function; for a method, use `#[byre::toolset]` on the `impl` block and \
               `#[tool]` on the method",
};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let (attr, krate) = Attr::of_function(args, &mut diags);
    let Some(mut function) = Function::parse(item.clone(), KIND, &mut diags) else {
        let errors = diags.finish();
        return quote!(#errors #item);
    };
    let name = attr.name(&function, "", &mut diags);
    let what = what(&name);
    let description = attr.description(&function, &what, &mut diags);
    function.check(KIND, &what, &mut diags);
    attr.check_blocking(&function, &what, &mut diags);
    let params = params::take(&mut function.sig, attr.case, &what, &mut diags);
    if let Some(receiver) = function.sig.receiver() {
        diags.error(receiver.self_token, format_args!("{what} {}", KIND.not_free));
    }

    let beside = if !function.has_room_beside() {
        TokenStream::new()
    } else if diags.is_empty() {
        items(&krate, &attr, &function, &name, &description, &params)
    } else {
        stand_in(&krate, &function)
    };
    function.expand(&beside, diags)
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
    krate: &TokenStream,
    attr: &Attr,
    function: &Function,
    name: &str,
    description: &str,
    params: &[Param],
) -> TokenStream {
    let private = quote!(#krate::__private);
    let marker = function.marker();
    let (cfgs, ident) = (function.cfgs(), &function.sig.ident);
    let register = attr.register.then(|| {
        quote! {
            #private::inventory::submit! { #private::RegisteredTool(&__BYRE_TOOL) }
        }
    });
    let code = Code {
        private: &private,
        attr,
        function,
        params,
        callee: quote!(#ident),
        self_param: SelfParam::None,
        line: quote!(::core::line!()),
    };
    let def = code.def(name, description, &quote!(__byre_call));
    let (parameters, body) = code.call();
    quote! {
        #marker
        #(#cfgs)*
        #[allow(dead_code, deprecated)]
        const _: () = {
            static __BYRE_TOOL: #private::StaticTool = #private::StaticTool::new(#def);
            fn __byre_call(
                #parameters: &mut #private::Parameters,
            ) -> ::core::option::Option<#private::ToolFuture> {
                #body
            }
            impl #private::ToolFn for #ident {
                fn tool() -> #krate::tool::Tool {
                    __BYRE_TOOL.get()
                }
            }
            #register
        };
    }
}
