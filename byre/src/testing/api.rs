//! A Messages API on 127.0.0.1, for the real CLI to talk to.

mod body;
mod server;

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{net::TcpListener, task::JoinHandle};

use super::{
    lock,
    player::{Answer, Player},
    request::ModelRequest,
    script::Script,
};

/// A server on 127.0.0.1 that answers the real CLI's API requests from a [`Script`].
///
/// It answers `POST /v1/messages`, streamed or not, `POST /v1/messages/count_tokens`, and anything
/// else with an empty object. Requests that are not part of the main conversation do not use up its
/// replies: checks on the side get a short neutral answer, subagents play the scripts of
/// [`Script::for_prompt`].
///
/// The server stops, and its connections break, when it is dropped.
///
/// # Example
///
/// ```
/// use byre::testing::{MessagesApi, Script};
///
/// # #[tokio::main]
/// # async fn main() -> std::io::Result<()> {
/// let api = MessagesApi::start(Script::new().say("Hello.")).await?;
/// assert!(api.url().starts_with("http://127.0.0.1:"));
/// assert!(api.requests().is_empty());
/// # Ok(())
/// # }
/// ```
pub struct MessagesApi {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

/// What all connections share.
pub(crate) struct Shared {
    player: Mutex<Player>,
    requests: Mutex<Vec<ModelRequest>>,
    side_requests: Mutex<Vec<ModelRequest>>,
}

impl MessagesApi {
    /// Starts a server on a free port.
    ///
    /// # Errors
    ///
    /// Fails if no port can be opened.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{MessagesApi, Script};
    /// # #[tokio::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let api = MessagesApi::start(Script::new().say("Hello.")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn start(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            player: Mutex::new(Player::new(script)),
            requests: Mutex::default(),
            side_requests: Mutex::default(),
        });
        let server = tokio::spawn(server::serve(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, server })
    }

    /// Returns the base URL, for `ANTHROPIC_BASE_URL`.
    ///
    /// # Example
    ///
    /// ```
    /// fn port(api: &byre::testing::MessagesApi) -> Option<u16> {
    ///     api.url().rsplit(':').next()?.parse().ok()
    /// }
    /// ```
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns what the model was asked so far, oldest first: the main conversation and those of
    /// subagents.
    ///
    /// # Example
    ///
    /// ```
    /// fn check(api: &byre::testing::MessagesApi) {
    ///     let requests = api.requests();
    ///     assert!(requests[0].tool("add").is_some());
    ///     assert_eq!(requests[1].result("add").unwrap().text, "5");
    /// }
    /// ```
    #[must_use]
    pub fn requests(&self) -> Vec<ModelRequest> {
        lock(&self.shared.requests).clone()
    }

    /// Returns what was asked on the side so far, oldest first: checks, titles, summaries.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_quiet(api: &byre::testing::MessagesApi) -> bool {
    ///     api.side_requests().is_empty()
    /// }
    /// ```
    #[must_use]
    pub fn side_requests(&self) -> Vec<ModelRequest> {
        lock(&self.shared.side_requests).clone()
    }
}

impl Shared {
    /// Records a request and takes the reply that belongs to it.
    fn answer(&self, request: ModelRequest) -> Answer {
        let mut player = lock(&self.player);
        let answer = match request.kind() {
            Kind::Main => player.next(&request),
            Kind::Subagent => player.next_of_other(&request),
            Kind::Side => {
                let answer = player.neutral(&request);
                lock(&self.side_requests).push(request);
                return answer;
            }
        };
        lock(&self.requests).push(request);
        answer
    }
}

/// Which conversation a request belongs to.
///
/// Source: what CLI 2.1.332 sends, with telemetry and the like switched off.
enum Kind {
    Main,
    Subagent,
    Side,
}

impl ModelRequest {
    fn kind(&self) -> Kind {
        let says = |text: &str| self.system.iter().any(|system| system.contains(text));
        // The check of a new model's name asks for one token; titles need no tools.
        if self.body["max_tokens"] == 1 || self.tools.is_empty() && says("title") {
            Kind::Side
        } else if says("cc_is_subagent=true") {
            Kind::Subagent
        } else {
            Kind::Main
        }
    }
}

impl Drop for MessagesApi {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl fmt::Debug for MessagesApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessagesApi").field("url", &self.url()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
