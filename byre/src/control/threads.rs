//! What the runtime's threads do next.
//!
//! tokio keeps the task that was woken or spawned last for the thread that did it, to be run there next, and
//! no other thread can take it. Where that thread goes on with code that blocks it, such a task waits as
//! long. So whoever wakes a task of byre from code of the user, and whoever hands something to such code,
//! puts a task without work in that place: the other one then stands where any thread takes it, and a
//! thread that sleeps is woken for it.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Says whether all tasks share one thread. Whatever blocks it blocks everything then, in whatever task it
/// is.
pub(super) fn there_is_only_one() -> bool {
    flavor() == Some(RuntimeFlavor::CurrentThread)
}

/// Lets other threads take the tasks that this one was to run next.
pub(super) fn let_others_take_over() {
    if flavor().is_some_and(|flavor| flavor != RuntimeFlavor::CurrentThread) {
        tokio::spawn(std::future::ready(()));
    }
}

fn flavor() -> Option<RuntimeFlavor> {
    Handle::try_current().ok().map(|runtime| runtime.runtime_flavor())
}
