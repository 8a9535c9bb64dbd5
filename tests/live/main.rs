//! Drives the real CLI against a Messages API on 127.0.0.1. `tests/live/run` installs a CLI and runs
//! this; without one, every test fails.

mod compare;
mod harness;
mod hooks;
mod options;
mod permissions;
mod session;
mod stored;
mod wire;
