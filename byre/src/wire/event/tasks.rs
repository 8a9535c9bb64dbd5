//! Keeps track of tasks: subagents and shells that run beside the conversation.

use std::collections::BTreeMap;

use super::{Event, SystemEvent, TaskStarted, TaskStatus, task::TaskUsage};

/// Which tasks run, fed with events one after another.
///
/// A task is over when an update or a notification says so, whichever comes; it is forgotten then. So what
/// is kept is no more than what runs.
///
/// # Example
///
/// ```
/// use byre::event::{Event, Tasks};
///
/// fn show(tasks: &mut Tasks, event: &Event) {
///     if let Some(task) = tasks.push(event) {
///         println!("{}: {}", task.started.description, task.status);
///     }
///     println!("{} still run", tasks.running().count());
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    running: BTreeMap<String, Task>,
}

/// A task, as far as it has come.
///
/// # Example
///
/// ```
/// fn is_agent(task: &byre::event::Task) -> bool {
///     task.started.task_type.as_deref() == Some("local_agent")
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Task {
    /// What was said of it at its start.
    pub started: TaskStarted,
    /// How far it is.
    pub status: TaskStatus,
    /// What it took so far, as far as was said.
    pub usage: Option<TaskUsage>,
    /// What came of it, or what went wrong, once it is over.
    pub summary: Option<String>,
}

impl Task {
    /// Says whether it is over.
    ///
    /// # Example
    ///
    /// ```
    /// fn pending(tasks: &[byre::event::Task]) -> usize {
    ///     tasks.iter().filter(|task| !task.is_over()).count()
    /// }
    /// ```
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(
            self.status,
            TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Killed | TaskStatus::Stopped
        )
    }
}

impl Tasks {
    /// Takes note of an event. Gives the task that it is about, if it changes one that is known: a task
    /// that has ended is given once, however often its end is told.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tasks: &mut byre::event::Tasks, event: &byre::Event) {
    /// if tasks.push(event).is_some_and(|task| task.is_over()) {
    ///     println!("a task has ended");
    /// }
    /// # }
    /// ```
    pub fn push(&mut self, event: &Event) -> Option<Task> {
        let Event::System(event) = event else { return None };
        match event {
            SystemEvent::TaskStarted(started) => {
                let task = Task {
                    started: TaskStarted::clone(started),
                    status: TaskStatus::Running,
                    usage: None,
                    summary: None,
                };
                self.running.insert(started.task_id.clone(), task.clone());
                Some(task)
            }
            SystemEvent::TaskProgress(progress) => {
                let task = self.running.get_mut(&progress.task_id)?;
                task.usage = Some(progress.usage.clone());
                Some(task.clone())
            }
            SystemEvent::TaskUpdated(updated) => {
                let task = self.running.get_mut(&updated.task_id)?;
                if let Some(status) = &updated.patch.status {
                    task.status = status.clone();
                }
                if let Some(description) = &updated.patch.description {
                    task.started.description.clone_from(description);
                }
                if let Some(error) = &updated.patch.error {
                    task.summary = Some(error.clone());
                }
                self.settle(&updated.task_id)
            }
            SystemEvent::TaskNotification(ended) => {
                let task = self.running.get_mut(&ended.task_id)?;
                task.status = ended.status.clone();
                task.summary = Some(ended.summary.clone());
                task.usage = ended.usage.clone().or(task.usage.take());
                self.settle(&ended.task_id)
            }
            _ => None,
        }
    }

    /// Gives a task, and forgets it if it is over.
    fn settle(&mut self, id: &str) -> Option<Task> {
        if self.running.get(id)?.is_over() {
            self.running.remove(id)
        } else {
            self.running.get(id).cloned()
        }
    }

    /// The tasks that run, by their ids.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::Tasks::default().running().count(), 0);
    /// ```
    pub fn running(&self) -> impl Iterator<Item = &Task> {
        self.running.values()
    }
}

#[cfg(test)]
mod tests;
