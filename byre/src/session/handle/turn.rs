//! What runs: the turn, queued prompts, background tasks.

use serde_json::json;

use super::SessionHandle;
use crate::{
    error::Result,
    wire::answer::turn::{InterruptReceipt, TaskOutput},
};

/// What runs: the turn, queued prompts, background tasks.
impl SessionHandle {
    /// Stops what the agent is doing. Its turn ends with an error result, and the session goes on.
    ///
    /// Running tools are dropped. Does nothing when no turn runs. Prompts that wait will still run; the
    /// receipt names them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout) after 60 seconds,
    /// [`ErrorKind::Refused`](crate::ErrorKind::Refused) if the CLI refuses, and
    /// [`ErrorKind::Exited`](crate::ErrorKind::Exited) or [`ErrorKind::Closed`](crate::ErrorKind::Closed) when
    /// the session is over.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future withdraws the request; the CLI may have acted on it already.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// tokio::signal::ctrl_c().await.ok();
    /// handle.interrupt().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn interrupt(&self) -> Result<InterruptReceipt> {
        Ok(self.control("interrupt", json!({})).await?.into())
    }

    /// Stops what the agent is doing, and drops the prompts that wait.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let receipt = handle.interrupt_and_cancel_queued().await?;
    /// println!("{} prompts will not run", receipt.cancelled.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn interrupt_and_cancel_queued(&self) -> Result<InterruptReceipt> {
        Ok(self.control("interrupt", json!({"cancel_queued": true})).await?.into())
    }

    /// Drops a prompt that waits, by the id that [`send`](Self::send) has returned. Says whether it will not
    /// run: `false` if it has begun already.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let prompt = handle.send("And then count to a million.")?;
    /// let dropped = handle.cancel_async_message(&prompt).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn cancel_async_message(&self, prompt_uuid: &str) -> Result<bool> {
        let body = json!({"message_uuid": prompt_uuid});
        let answer = self.control("cancel_async_message", body).await?;
        Ok(answer["cancelled"] == true)
    }

    /// Stops a background task. Its end is reported as an event; a task that there is not counts as stopped.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.stop_task("b1").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn stop_task(&self, task_id: &str) -> Result<()> {
        self.control("stop_task", json!({"task_id": task_id})).await.map(drop)
    }

    /// Moves every command and subagent that the turn waits for into the background. Says whether there were
    /// any, as far as the CLI tells.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// where background tasks are switched off.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.background_tasks().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn background_tasks(&self) -> Result<bool> {
        let answer = self.control("background_tasks", json!({})).await?;
        Ok(answer["backgrounded"] != false)
    }

    /// Moves one command or subagent into the background, by the id of the call that started it. Says whether
    /// it was there, as far as the CLI tells.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// where background tasks are switched off.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.background_task("toolu_1").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn background_task(&self, tool_use_id: &str) -> Result<bool> {
        let body = json!({"tool_use_id": tool_use_id});
        let answer = self.control("background_tasks", body).await?;
        Ok(answer["backgrounded"] != false)
    }

    /// Returns the end of what a command in the background has printed.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if there is no such command.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// print!("{}", handle.get_task_output("b1").await?.output);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_task_output(&self, task_id: &str) -> Result<TaskOutput> {
        Ok(self.control("get_task_output", json!({"task_id": task_id})).await?.into())
    }

    /// Asks the CLI to end. [`Session::close`](crate::Session::close) is the usual way: it waits until the CLI
    /// is gone, and ends it if it stays.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.end_session().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn end_session(&self) -> Result<()> {
        self.control("end_session", json!({})).await.map(drop)
    }

    /// Says whether anybody watches. The CLI holds pieces of messages back for longer while nobody does, where
    /// its environment says for how long.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.set_has_subscribers(false).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn set_has_subscribers(&self, has_subscribers: bool) -> Result<()> {
        let body = json!({"has_subscribers": has_subscribers});
        self.control("set_has_subscribers", body).await.map(drop)
    }
}
