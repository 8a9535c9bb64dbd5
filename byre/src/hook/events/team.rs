//! Teammates and their tasks.

use crate::hook::{
    input::hook_input,
    output::{hook_output, output_block, output_methods},
};

hook_input! {
    /// A teammate has nothing to do. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"TeammateIdle","teammate_name":"ada","team_name":"core"}
    /// ```
    TeammateIdle => TeammateIdleInput {
        /// The teammate.
        teammate_name: String,
        /// The team.
        team_name: String,
    }
}

hook_output! {
    /// Whether a teammate may rest.
    ///
    /// ```json
    /// {"decision":"block","reason":"Review the last change."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{TeammateIdleInput, TeammateIdleOutput};
    ///
    /// #[byre::hook]
    /// async fn review(_: TeammateIdleInput) -> TeammateIdleOutput {
    ///     TeammateIdleOutput::block("Review the last change.")
    /// }
    /// # fn main() {}
    /// ```
    TeammateIdleInput => TeammateIdleOutput
}
output_methods! { TeammateIdleOutput: new }
output_block! { TeammateIdleOutput,
    /// Sends the teammate back to work, with what it has to do.
}

hook_input! {
    /// A task is about to be made. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"TaskCreated","task_id":"7","task_subject":"Fix it","task_description":"The bug.","teammate_name":"ada","team_name":"core"}
    /// ```
    TaskCreated => TaskCreatedInput {
        /// The task.
        task_id: String,
        /// What it is about.
        task_subject: String,
        /// More about it.
        task_description: Option<String>,
        /// Who is to do it.
        teammate_name: Option<String>,
        /// In which team.
        team_name: Option<String>,
    }
}

hook_output! {
    /// Whether a task is made.
    ///
    /// ```json
    /// {"decision":"block","reason":"Say how it is tested."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{TaskCreatedInput, TaskCreatedOutput};
    ///
    /// #[byre::hook]
    /// async fn described(input: TaskCreatedInput) -> TaskCreatedOutput {
    ///     match input.task_description {
    ///         None => TaskCreatedOutput::block("Say how it is tested."),
    ///         Some(_) => TaskCreatedOutput::new(),
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    TaskCreatedInput => TaskCreatedOutput
}
output_methods! { TaskCreatedOutput: new }
output_block! { TaskCreatedOutput,
    /// Does not make the task, and says why.
}

hook_input! {
    /// A task is about to be done. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"TaskCompleted","task_id":"7","task_subject":"Fix it","task_description":"The bug.","teammate_name":"ada","team_name":"core"}
    /// ```
    TaskCompleted => TaskCompletedInput {
        /// The task.
        task_id: String,
        /// What it is about.
        task_subject: String,
        /// More about it.
        task_description: Option<String>,
        /// Who did it.
        teammate_name: Option<String>,
        /// In which team.
        team_name: Option<String>,
    }
}

hook_output! {
    /// Whether a task is done.
    ///
    /// ```json
    /// {"decision":"block","reason":"The tests fail."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{TaskCompletedInput, TaskCompletedOutput};
    ///
    /// #[byre::hook]
    /// async fn tested(_: TaskCompletedInput) -> TaskCompletedOutput {
    ///     TaskCompletedOutput::block("The tests fail.")
    /// }
    /// # fn main() {}
    /// ```
    TaskCompletedInput => TaskCompletedOutput
}
output_methods! { TaskCompletedOutput: new }
output_block! { TaskCompletedOutput,
    /// Leaves the task open, and says why.
}
