//! What the model reads when nobody has decided. Each says that it is of no use to try again: a model
//! that is merely told "no" does.

pub(super) const NOBODY: &str = "Nobody in this session can allow this call, so it was not run. Trying it again will not help: go \
     on without it, and say what was not done.";

pub(super) const DROPPED: &str = "Nobody has answered whether this call may run, so it was not run. Do not try it again: go on \
     without it, and say what was not done.";

pub(super) const NO_ANSWERS: &str = "Nobody can answer questions in this session. Do not ask again: decide by yourself, and say what \
     you have assumed.";

pub(super) const UNREADABLE: &str = "This call was not run, because the program that decides on it could not read what it is about. \
     Trying it again will not help: go on without it, and say what was not done.";

pub(super) fn failed(error: &str) -> String {
    format!(
        "This call was not run, because the program that decides on it failed: {error}. The same call \
         will fail again: go on without it, and say what was not done."
    )
}
