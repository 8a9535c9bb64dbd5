//! Collects every mistake, so that one run of the compiler shows them all.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes found so far, in the order in which they were found.
///
/// Must be [finished](Diagnostics::finish): a mistake that nobody reports is a bug in byre.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
    finished: bool,
}

impl Diagnostics {
    /// Reports `message` at `tokens`. Lower case, states the rule, no final dot; if there is one
    /// obvious fix, it follows as "; use `…`".
    pub(crate) fn error(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.errors.push(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.errors.len()
    }

    /// Returns one `compile_error!` for each mistake.
    pub(crate) fn finish(mut self) -> TokenStream {
        self.finished = true;
        self.errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        if cfg!(debug_assertions) && !std::thread::panicking() {
            assert!(self.finished, "diagnostics were dropped without a look at them");
        }
    }
}
