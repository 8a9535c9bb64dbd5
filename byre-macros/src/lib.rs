//! The attribute macros of byre.
