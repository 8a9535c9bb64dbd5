//! What turns, sessions, models and agents take: tokens and US dollars.

use std::collections::{BTreeMap, VecDeque};

use super::{Agent, AssistantEvent, Event, ModelUsage, ResultEvent, Usage};

/// How many messages of subagents are remembered, to count each once. The lines of a message come one
/// soon after another.
const MAX_MESSAGES: usize = 1024;

/// Tokens and US dollars.
///
/// # Example
///
/// ```
/// fn show(cost: &byre::event::Cost) -> String {
///     format!("{} tokens, {:.4} US dollars", cost.total_tokens(), cost.cost_usd)
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// US dollars, as the CLI reckons.
    pub cost_usd: f64,
    /// Tokens of requests that were not in a cache.
    pub input_tokens: u64,
    /// Tokens of answers.
    pub output_tokens: u64,
    /// Tokens of thinking, among those of answers.
    pub thinking_tokens: u64,
    /// Tokens of requests that were in a cache.
    pub cache_read_input_tokens: u64,
    /// Tokens of requests that were put into a cache.
    pub cache_creation_input_tokens: u64,
    /// Searches of the web.
    pub web_search_requests: u64,
}

impl Cost {
    /// Returns all tokens, of requests and answers.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::Cost::default().total_tokens(), 0);
    /// ```
    #[must_use]
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens
            + self.output_tokens
            + self.cache_read_input_tokens
            + self.cache_creation_input_tokens
    }

    fn add(&mut self, other: &Self) {
        self.cost_usd += other.cost_usd;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.thinking_tokens += other.thinking_tokens;
        self.cache_read_input_tokens += other.cache_read_input_tokens;
        self.cache_creation_input_tokens += other.cache_creation_input_tokens;
        self.web_search_requests += other.web_search_requests;
    }

    fn since(&self, earlier: &Self) -> Self {
        let less = u64::saturating_sub;
        Self {
            cost_usd: (self.cost_usd - earlier.cost_usd).max(0.0),
            input_tokens: less(self.input_tokens, earlier.input_tokens),
            output_tokens: less(self.output_tokens, earlier.output_tokens),
            thinking_tokens: less(self.thinking_tokens, earlier.thinking_tokens),
            cache_read_input_tokens: less(
                self.cache_read_input_tokens,
                earlier.cache_read_input_tokens,
            ),
            cache_creation_input_tokens: less(
                self.cache_creation_input_tokens,
                earlier.cache_creation_input_tokens,
            ),
            web_search_requests: less(self.web_search_requests, earlier.web_search_requests),
        }
    }
}

impl From<&ModelUsage> for Cost {
    fn from(usage: &ModelUsage) -> Self {
        Self {
            cost_usd: usage.cost_usd,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            thinking_tokens: usage.thinking_tokens.unwrap_or(0),
            cache_read_input_tokens: usage.cache_read_input_tokens,
            cache_creation_input_tokens: usage.cache_creation_input_tokens,
            web_search_requests: usage.web_search_requests,
        }
    }
}

impl From<&Usage> for Cost {
    /// The API says nothing of money.
    fn from(usage: &Usage) -> Self {
        let details = usage.output_tokens_details.as_ref();
        let tools = usage.server_tool_use.as_ref();
        Self {
            cost_usd: 0.0,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            thinking_tokens: details.map_or(0, |details| details.thinking_tokens),
            cache_read_input_tokens: usage.cache_read_input_tokens,
            cache_creation_input_tokens: usage.cache_creation_input_tokens,
            web_search_requests: tools.map_or(0, |tools| tools.web_search_requests),
        }
    }
}

/// What each model took, by name.
type ByModel = BTreeMap<String, Cost>;

fn by_model(usage: &BTreeMap<String, ModelUsage>) -> ByModel {
    let mut costs = ByModel::new();
    for (model, usage) in usage {
        costs.insert(model.clone(), Cost::from(usage));
    }
    costs
}

fn sum(costs: &ByModel) -> Cost {
    costs.values().fold(Cost::default(), |mut sum, cost| {
        sum.add(cost);
        sum
    })
}

/// Counts what the turns of a session take.
///
/// The CLI gives running totals, which a resumed session takes over from before and `/clear` sets to 0,
/// and repeats the tokens of a message with each of its blocks. This tells them apart: everything is
/// counted once, and only what was seen.
///
/// # Example
///
/// ```
/// use byre::event::CostTracker;
///
/// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
/// let mut costs = CostTracker::default();
/// let mut turn = session.prompt("What is 2 + 3?");
/// while let Some(event) = turn.next().await {
///     if let Some(turn) = costs.push(&event?) {
///         println!("{:.4} US dollars, {:.4} in all", turn.cost_usd, costs.spent().cost_usd);
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct CostTracker {
    is_resumed: bool,
    /// The running totals of the last result; `None` before the first, and after a reset.
    totals: Option<Totals>,
    last_turn: Cost,
    spent: Cost,
    by_model: ByModel,
    by_agent: BTreeMap<Agent, Cost>,
    messages: Messages,
}

#[derive(Clone, Debug, Default)]
struct Totals {
    all: Cost,
    by_model: ByModel,
}

/// The last messages of subagents, with what was counted for each.
#[derive(Clone, Debug, Default)]
struct Messages {
    counted: BTreeMap<String, Usage>,
    /// Oldest first.
    order: VecDeque<String>,
}

impl Messages {
    /// Takes note of what a line says about a message, and gives what is new of it.
    fn count(&mut self, id: &str, usage: &Usage) -> Cost {
        let Some(counted) = self.counted.get_mut(id) else {
            if self.order.len() >= MAX_MESSAGES
                && let Some(oldest) = self.order.pop_front()
            {
                self.counted.remove(&oldest);
            }
            self.order.push_back(id.to_owned());
            self.counted.insert(id.to_owned(), usage.clone());
            return Cost::from(usage);
        };
        let before = Cost::from(&*counted);
        counted.update(usage);
        Cost::from(&*counted).since(&before)
    }
}

impl CostTracker {
    /// Returns a tracker for a session that goes on from an earlier one.
    ///
    /// It is needed for a CLI that does not say what it took since the last result, as 2.1.332 does. The
    /// first turn then counts with the tokens of the main agent, and without money.
    ///
    /// # Example
    ///
    /// ```
    /// let costs = byre::event::CostTracker::resumed();
    /// assert_eq!(costs.spent().total_tokens(), 0);
    /// ```
    #[must_use]
    pub fn resumed() -> Self {
        Self { is_resumed: true, ..Self::default() }
    }

    /// Looks at the next event. At the end of a turn, tells what it took: all that was used since the end
    /// of the turn before, by subagents in the background too.
    ///
    /// # Example
    ///
    /// ```
    /// # fn run(costs: &mut byre::event::CostTracker, event: &byre::Event) {
    /// if let Some(turn) = costs.push(event) {
    ///     println!("{} tokens", turn.total_tokens());
    /// }
    /// # }
    /// ```
    pub fn push(&mut self, event: &Event) -> Option<Cost> {
        match event {
            Event::Assistant(event) => self.on_message(event),
            Event::ConversationReset(_) => (self.totals, self.is_resumed) = (None, false),
            Event::Result(result) => {
                self.on_result(result);
                return Some(self.last_turn.clone());
            }
            _ => {}
        }
        None
    }

    /// Returns what the last turn took.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::CostTracker::default().last_turn().total_tokens(), 0);
    /// ```
    #[must_use]
    pub fn last_turn(&self) -> &Cost {
        &self.last_turn
    }

    /// Returns what all turns took that this tracker has seen, across `/clear`.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_over(costs: &byre::event::CostTracker, budget_usd: f64) -> bool {
    ///     costs.spent().cost_usd > budget_usd
    /// }
    /// ```
    #[must_use]
    pub fn spent(&self) -> &Cost {
        &self.spent
    }

    /// Returns what the session took, by the CLI's count: with what it took before it was resumed, and
    /// without what came before `/clear`.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::CostTracker::default().session().total_tokens(), 0);
    /// ```
    #[must_use]
    pub fn session(&self) -> Cost {
        self.totals.as_ref().map(|totals| totals.all.clone()).unwrap_or_default()
    }

    /// Returns what each model took in the turns that this tracker has seen, by name.
    ///
    /// # Example
    ///
    /// ```
    /// # fn run(costs: &byre::event::CostTracker) {
    /// for (model, cost) in costs.by_model() {
    ///     println!("{model}: {:.4} US dollars", cost.cost_usd);
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn by_model(&self) -> &BTreeMap<String, Cost> {
        &self.by_model
    }

    /// Returns the tokens that each agent took; the CLI does not split the money.
    ///
    /// Those of the main agent are exact, and counted at the end of a turn. For a subagent, the tokens
    /// of requests are exact, and those of answers are what the CLI guesses at the start of each message;
    /// all of [`spent`](Self::spent) that is not the main agent's is exact for all of them together.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::event::Agent;
    ///
    /// fn main_agent(costs: &byre::event::CostTracker) -> u64 {
    ///     costs.by_agent().get(&Agent::Main).map_or(0, |cost| cost.total_tokens())
    /// }
    /// ```
    #[must_use]
    pub fn by_agent(&self) -> &BTreeMap<Agent, Cost> {
        &self.by_agent
    }

    fn on_message(&mut self, event: &AssistantEvent) {
        let (Some(call), Some(usage)) = (&event.parent_tool_use_id, &event.message.usage) else {
            return;
        };
        let new = self.messages.count(event.message.id.as_deref().unwrap_or_default(), usage);
        self.by_agent.entry(Agent::Subagent(call.clone())).or_default().add(&new);
    }

    fn on_result(&mut self, result: &ResultEvent) {
        self.by_agent.entry(Agent::Main).or_default().add(&Cost::from(&result.usage));
        let (turn, models) = self.turn(result);
        for (model, cost) in &models {
            self.by_model.entry(model.clone()).or_default().add(cost);
        }
        self.spent.add(&turn);
        self.last_turn = turn;
    }

    /// What was used since the last result, in all and by model.
    fn turn(&mut self, result: &ResultEvent) -> (Cost, ByModel) {
        let models = by_model(&result.model_usage);
        // A session that could not start says nothing about what it has cost.
        if models.is_empty() && result.total_cost_usd <= 0.0 {
            return Default::default();
        }
        let all = Cost { cost_usd: result.total_cost_usd, ..sum(&models) };
        let now = Totals { all, by_model: models };
        let before = self.totals.replace(now.clone());
        // Totals never shrink. If they do, the conversation was reset, and nobody has said so.
        let before = before.filter(|before| {
            before.all.total_tokens() <= now.all.total_tokens()
                && before.all.cost_usd <= now.all.cost_usd + 1e-9
        });
        match (before, &result.model_usage_since_last_result) {
            (Some(before), _) => {
                let mut models = now.by_model;
                for (model, cost) in &mut models {
                    let earlier = before.by_model.get(model).cloned().unwrap_or_default();
                    *cost = cost.since(&earlier);
                }
                (now.all.since(&before.all), models)
            }
            (None, Some(since)) => {
                let models = by_model(since);
                (sum(&models), models)
            }
            (None, None) if self.is_resumed => (Cost::from(&result.usage), ByModel::new()),
            (None, None) => (now.all, now.by_model),
        }
    }
}
