//! The model, and how much it may do.

use super::args::Args;
use crate::wire::option::{Effort, Thinking, ThinkingDisplay};

/// The model, and how much it may do.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelOptions {
    pub(crate) fallback: Vec<String>,
    pub(crate) effort: Option<Effort>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) thinking_display: Option<ThinkingDisplay>,
    pub(crate) betas: Vec<String>,
    pub(crate) max_turns: Option<u32>,
    pub(crate) max_budget_usd: Option<f64>,
    pub(crate) task_budget: Option<u64>,
}

impl ModelOptions {
    pub(super) fn write(&self, args: &mut Args) {
        if !self.fallback.is_empty() {
            args.flag("fallback-model", self.fallback.join(","));
        }
        args.maybe("effort", self.effort.map(Effort::as_str));
        match self.thinking {
            Some(Thinking::Adaptive) => args.flag("thinking", "adaptive"),
            Some(Thinking::Disabled | Thinking::Budget(0)) => args.flag("thinking", "disabled"),
            Some(Thinking::Budget(tokens)) => args.flag("max-thinking-tokens", tokens.to_string()),
            None => {}
        }
        args.maybe("thinking-display", self.thinking_display.map(ThinkingDisplay::as_str));
        if !self.betas.is_empty() {
            args.flag("betas", self.betas.join(","));
        }
        args.maybe("max-turns", self.max_turns.map(|turns| turns.to_string()));
        args.maybe("max-budget-usd", self.max_budget_usd.map(|usd| usd.to_string()));
        args.maybe("task-budget", self.task_budget.map(|tokens| tokens.to_string()));
    }

    pub(super) fn faults(&self, model: Option<&str>, faults: &mut Vec<String>) {
        if let Some(model) = model
            && self.fallback.iter().any(|fallback| fallback == model)
        {
            faults.push(format!("the fallback model {model:?} is the model itself"));
        }
        for (what, names) in [("fallback model", &self.fallback), ("beta", &self.betas)] {
            for name in names.iter().filter(|name| name.trim().is_empty() || name.contains(',')) {
                faults.push(format!("{name:?} can't be the name of a {what}"));
            }
        }
        if self.thinking == Some(Thinking::Disabled) && self.thinking_display.is_some() {
            faults.push("there is no thinking to display when it is disabled".to_owned());
        }
        if self.max_turns == Some(0) {
            faults.push("`max_turns` must be at least 1".to_owned());
        }
        if self.max_budget_usd.is_some_and(|usd| !usd.is_finite() || usd <= 0.0) {
            faults.push("`max_budget_usd` must be a number above 0".to_owned());
        }
        if self.task_budget == Some(0) {
            faults.push("`task_budget` must be at least 1".to_owned());
        }
    }
}
