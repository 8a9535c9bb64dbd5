use byre::hook::StopInput;

#[byre::hook]
async fn stop(input: StopInput) -> bool {
    input.stop_hook_active
}

fn main() {}
