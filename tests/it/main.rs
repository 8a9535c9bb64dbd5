//! What users of byre see: everything that goes through its public surface.

mod tools;
mod ui;
