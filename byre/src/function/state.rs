//! What a program shares with its tools and hooks.

use std::{
    any::{Any, TypeId, type_name},
    collections::HashMap,
    fmt,
    ops::Deref,
    sync::Arc,
};

/// A value that the program gave to the session, as a parameter of a tool or hook.
///
/// [`SessionBuilder::state`](crate::SessionBuilder::state) gives it, and every call gets a clone: make `T`
/// cheap to clone, an `Arc` or a pool. The type chooses the value, so there is one of each type; a newtype
/// tells two `String`s apart. The model knows nothing of such a parameter. A session that has no value of
/// the type does not start.
///
/// # Example
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use byre::State;
///
/// type Notes = Arc<Mutex<Vec<String>>>;
///
/// /// Keeps a note.
/// #[byre::tool]
/// async fn keep(State(notes): State<Notes>, text: String) -> usize {
///     let mut notes = notes.lock().unwrap();
///     notes.push(text);
///     notes.len()
/// }
///
/// # fn main() {
/// let builder = byre::Session::builder().state(Notes::default());
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State<T>(
    /// The value.
    pub T,
);

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A type of which calls can get a clone.
///
/// Not public API: a type is one by its `Clone`, `Send` and `Sync`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be shared state",
    label = "every call gets a clone, on any thread",
    note = "it must be `Clone + Send + Sync + 'static`: put it into an `Arc`, and what changes into a `Mutex`"
)]
pub trait SharedState: Clone + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> SharedState for T {}

/// The values of a session, by type.
#[derive(Clone, Default)]
pub(crate) struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    /// Adds a value, or puts it in place of the one of its type.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// Adds all of `others`, each in place of the one of its type.
    #[cfg(any(feature = "cli", feature = "testing"))]
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(crate) fn get<T: Clone + 'static>(&self) -> Option<T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref().cloned()
    }

    pub(crate) fn has(&self, need: &Need) -> bool {
        self.0.contains_key(&need.id)
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "States({})", self.0.len())
    }
}

/// A type of which a tool or hook needs a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    id: TypeId,
    pub(crate) type_name: &'static str,
}

impl Need {
    pub(crate) fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>(), type_name: type_name::<T>() }
    }
}
