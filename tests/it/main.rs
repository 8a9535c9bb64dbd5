//! What users of byre see: everything that goes through its public surface.

mod examples;
mod layers;
mod permissions;
mod replay;
mod session;
mod tools;
mod ui;
