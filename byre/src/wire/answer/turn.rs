//! What the CLI answers about turns and tasks.

use super::answers;

answers! {
    /// What became of the prompts when the agent was [interrupted](crate::SessionHandle::interrupt).
    ///
    /// Prompts that another host has sent may be among them.
    ///
    /// ```json
    /// {"still_queued":["6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c"]}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let receipt = handle.interrupt().await?;
    /// println!("{} prompts will still run", receipt.still_queued.len());
    /// # Ok(())
    /// # }
    /// ```
    pub struct InterruptReceipt {
        /// The ids of prompts that wait and will still run.
        pub still_queued: Vec<String> = "still_queued",
        /// The ids of prompts that will not run any more.
        pub cancelled: Vec<String> = "cancelled",
    }

    /// The end of what a background task has printed.
    ///
    /// ```json
    /// {"output":"done\n","total_bytes":5,"truncated":false}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// print!("{}", handle.get_task_output("b1").await?.output);
    /// # Ok(())
    /// # }
    /// ```
    pub struct TaskOutput {
        /// The last 8 KiB.
        pub output: String = "output",
        /// How much there is in all, in bytes.
        pub total_bytes: u64 = "total_bytes",
        /// `output` is not all of it.
        pub truncated: bool = "truncated",
    }
}
