//! What users of byre see: everything that goes through its public surface.

mod backlog;
mod chaos;
mod cli;
mod clocks;
mod control;
mod dead;
mod examples;
mod faults;
mod hooks;
mod interleavings;
mod layers;
mod options;
mod output;
mod permissions;
mod process;
mod reference;
mod replay;
mod servers;
mod session;
mod sessions_stored;
mod tools;
mod ui;
