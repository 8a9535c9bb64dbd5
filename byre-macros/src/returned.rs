//! What becomes of the value that a tool returns.
//!
//! `byre::__private::returned` says how the choice is made. All tokens stand at the type of the result, so
//! that what is wrong with it is shown there; save the imports, of which not all are used, and the compiler
//! leaves them in peace where they are a macro's.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Type, spanned::Spanned};

/// Writes a `fn() -> Option<Value>`: a closure that captures nothing, so it may stand in a static, and in a
/// generic `impl` block.
pub(crate) fn output_schema(private: &TokenStream, output: &Type) -> TokenStream {
    let traits =
        quote!(use #private::returned::{DataSchema as _, NoSchema as _, SchemaOfAll as _};);
    quote_spanned! {output.span()=>
        || {
            #traits
            #private::returned::Schema::<#output>::NEW.of_success().schema()
        }
    }
}

/// Writes the `CallToolResult` of `value`, which is of the type `output`.
pub(crate) fn into_tool_result(
    private: &TokenStream,
    output: &Type,
    value: &TokenStream,
) -> TokenStream {
    // With the hygiene of a macro, mistakes would be shown at the attribute.
    let success = Ident::new("__byre_success", output.span());
    let error = Ident::new("__byre_error", output.span());
    let traits = quote! {
        use #private::returned::{
            Boxed as _, Data as _, NoResult as _, NothingKnown as _, OnlyText as _, Unsendable as _,
        };
    };
    quote_spanned! {output.span()=>
        {
            #traits
            match #private::returned::Returned::<#output>(#value).split() {
                ::core::result::Result::Ok(#success) => #success.into_tool_result(),
                ::core::result::Result::Err(#error) => {
                    (&#private::returned::Failure::of(&#error)).kind().into_tool_result(#error)
                }
            }
        }
    }
}
