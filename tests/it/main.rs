//! What users of byre see: everything that goes through its public surface.

mod examples;
mod layers;
mod replay;
mod session;
mod sessions_stored;
mod tools;
mod ui;
