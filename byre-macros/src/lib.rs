//! The attribute macros of byre, documented where `byre` re-exports them.
//!
//! Each macro goes through the same steps: read the attribute ([`args`]) and the function
//! ([`function`], [`params`]) on their own, collect everything that is wrong ([`diagnostics`]), then write the
//! user's function as it was, and beside it what byre needs. Nothing here knows what a type is; what
//! depends on types is asked of the traits in `byre::__private`, at the place of the type.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]
#![allow(missing_docs, reason = "the documentation stands at the re-exports in `byre`")]

mod args;
mod case;
mod diagnostics;
mod docs;
mod function;
mod hook;
mod matcher;
mod nearest;
mod params;
mod permission;
mod returned;
mod tool;
mod toolset;

use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(args.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn toolset(args: TokenStream, item: TokenStream) -> TokenStream {
    toolset::expand(args.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn hook(args: TokenStream, item: TokenStream) -> TokenStream {
    hook::expand(args.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn permission(args: TokenStream, item: TokenStream) -> TokenStream {
    permission::expand(args.into(), &item.into()).into()
}
