//! What `#[byre::permission]` writes beside a function, and what a builder makes of a closure.

use std::{fmt, sync::Arc};

use super::{Asked, PermissionAnswer};
use crate::function::{BoxFuture, CatchUnwind, Location, catch};

/// A function that decides on permissions, as a constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct PermissionDef {
    pub name: &'static str,
    pub location: Location,
    pub call: fn(&Asked) -> PermissionFuture,
}

/// A decision on its way.
///
/// Not public API.
#[doc(hidden)]
pub type PermissionFuture = BoxFuture<Result<PermissionAnswer, String>>;

/// A function that registered itself.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct RegisteredPermission(pub &'static PermissionDef);

inventory::collect!(RegisteredPermission);

/// Returns the functions that registered themselves, by where they stand.
pub(crate) fn registered() -> Vec<&'static PermissionDef> {
    let mut defs: Vec<_> =
        inventory::iter::<RegisteredPermission>.into_iter().map(|def| def.0).collect();
    defs.sort_by_key(|def| (def.location.to_string(), def.name));
    defs
}

/// Code of the program that gives an `A` for a `Q`.
pub(crate) struct Handler<Q, A> {
    /// What messages call it.
    name: String,
    call: Arc<dyn Fn(Q) -> BoxFuture<Result<A, String>> + Send + Sync>,
}

impl<Q, A> Handler<Q, A> {
    pub(crate) fn new(
        name: impl Into<String>,
        call: impl Fn(Q) -> BoxFuture<Result<A, String>> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), call: Arc::new(call) }
    }

    /// Asks it. A panic is an error, as text; every error is logged.
    ///
    /// Dropping the future drops the handler's.
    pub(crate) async fn ask(&self, question: Q) -> Result<A, String> {
        let answer = match catch(|| (self.call)(question)) {
            Ok(future) => CatchUnwind::new(future).await,
            Err(panic) => Err(panic),
        };
        let answer = answer.unwrap_or_else(|panic| Err(format!("it panicked: {panic}")));
        if let Err(error) = &answer {
            tracing::error!("{} failed: {error}", self.name);
        }
        answer
    }
}

impl Handler<Asked, PermissionAnswer> {
    pub(crate) fn from_def(def: &'static PermissionDef) -> Self {
        let name = format!("the permission function `{}` ({})", def.name, def.location);
        Self::new(name, move |asked| (def.call)(&asked))
    }
}

impl<Q, A> Clone for Handler<Q, A> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), call: Arc::clone(&self.call) }
    }
}

impl<Q, A> fmt::Debug for Handler<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handler").field(&self.name).finish()
    }
}
