//! What users of byre see: everything that goes through its public surface.

mod examples;
mod hooks;
mod layers;
mod replay;
mod session;
mod tools;
mod ui;
