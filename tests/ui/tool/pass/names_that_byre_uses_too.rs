//! Parameters, and names around the function, may be called what generated code calls its own.

#![allow(dead_code, non_camel_case_types)]

struct Option;
struct Box;
struct Some;
struct String_;
mod std {}
mod core {}
mod byre {}

/// Takes odd names.
#[::byre::tool]
async fn call(parameters: i64, future: i64, arg0: i64, value: i64, call: i64, tool: i64) -> i64 {
    parameters + future + arg0 + value + call + tool
}

/// Stops.
#[::byre::hook]
async fn hook(future: ::byre::hook::StopInput) {
    drop(future);
}

fn main() {
    assert_eq!(::byre::tools![call].len(), 1);
}
