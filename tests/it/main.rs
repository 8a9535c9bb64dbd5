//! What users of byre see: everything that goes through its public surface.

mod examples;
mod layers;
mod output;
mod permissions;
mod process;
mod replay;
mod session;
mod tools;
mod ui;
