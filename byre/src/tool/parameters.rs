//! The parameters of a tool, gone through one by one in order to describe or to read them.

use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer, de::DeserializeOwned, ser::SerializeMap};
use serde_json::{Map, Value};

use super::{arguments, arguments::Arguments, context::ToolContext, def::Instance, schema};
use crate::function::state::{Need, SharedState, State};

/// Goes through the parameters of one tool.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parameters {
    mode: Mode,
    /// The value of which the tool is a method.
    instance: Option<Instance>,
}

#[derive(Debug)]
enum Mode {
    /// Collects what the model is told about them.
    Describe { generator: SchemaGenerator, schema: InputSchema, needs: Vec<Need> },
    /// Takes the arguments apart.
    Read { arguments: Arguments, context: ToolContext },
}

/// The schema of a tool's arguments. The root is written by hand, because the CLI refuses the tools
/// of a server if one of them has a root that is not a plain object, and because the properties are
/// to come in the order of the parameters.
#[derive(Debug, Default)]
pub(crate) struct InputSchema {
    properties: Vec<(&'static str, Schema)>,
    required: Vec<&'static str>,
    /// Only recursive types.
    defs: Map<String, Value>,
    /// Arguments as a model might give them.
    examples: Vec<Value>,
}

impl Serialize for InputSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Properties<'a>(&'a [(&'static str, Schema)]);

        impl Serialize for Properties<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, schema)| (name, schema)))
            }
        }

        let mut root = serializer.serialize_map(None)?;
        root.serialize_entry("type", "object")?;
        root.serialize_entry("properties", &Properties(&self.properties))?;
        root.serialize_entry("required", &self.required)?;
        root.serialize_entry("additionalProperties", &false)?;
        if !self.defs.is_empty() {
            root.serialize_entry("$defs", &self.defs)?;
        }
        if !self.examples.is_empty() {
            root.serialize_entry("examples", &self.examples)?;
        }
        root.end()
    }
}

impl Parameters {
    pub(crate) fn describe() -> Self {
        let generator = schema::settings().into_generator();
        let mode = Mode::Describe { generator, schema: InputSchema::default(), needs: Vec::new() };
        Self { mode, instance: None }
    }

    pub(crate) fn read(arguments: Arguments, context: ToolContext) -> Self {
        Self { mode: Mode::Read { arguments, context }, instance: None }
    }

    pub(crate) fn add_examples(&mut self, examples: &[Value]) {
        if let Mode::Describe { schema, .. } = &mut self.mode {
            schema.examples = examples.to_vec();
        }
    }

    /// Takes all arguments as they are; `None` while parameters are described.
    pub(crate) fn take_all(&mut self) -> Option<(Map<String, Value>, ToolContext)> {
        match &mut self.mode {
            Mode::Describe { .. } => None,
            Mode::Read { arguments, context } => Some((arguments.take_all(), context.clone())),
        }
    }

    pub(crate) fn set_instance(&mut self, instance: Option<Instance>) {
        self.instance = instance;
    }

    /// Returns the value of which the tool is a method; `None` while parameters are described.
    pub fn receiver<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        match self.mode {
            Mode::Describe { .. } => None,
            Mode::Read { .. } => self.instance.clone()?.downcast().ok(),
        }
    }

    /// Returns what is needed from the program, after all parameters were described.
    pub(crate) fn needs(self) -> Vec<Need> {
        match self.mode {
            Mode::Describe { needs, .. } => needs,
            Mode::Read { .. } => Vec::new(),
        }
    }

    /// Returns the schema, after all parameters were described.
    pub(crate) fn schema(self) -> InputSchema {
        match self.mode {
            Mode::Describe { mut generator, mut schema, .. } => {
                schema.defs = schema::definitions(&mut generator);
                schema
            }
            Mode::Read { .. } => InputSchema::default(),
        }
    }

    /// Returns what is wrong with the arguments, one line each, after all parameters were read.
    pub(crate) fn problems(self) -> Option<String> {
        match self.mode {
            Mode::Describe { .. } => None,
            Mode::Read { arguments, .. } => arguments.problems(),
        }
    }

    fn pass<T: DeserializeOwned + JsonSchema>(
        &mut self,
        name: &'static str,
        docs: &'static str,
        default: Option<Fallback<T>>,
    ) -> Option<T> {
        match &mut self.mode {
            Mode::Describe { generator, schema, .. } => {
                let optional = arguments::absent::<T>().is_ok();
                let property = Property {
                    schema: generator.subschema_for::<T>(),
                    docs,
                    optional,
                    required: !optional && default.is_none(),
                    default: default.and_then(|default| (default.to_json)(&(default.value)())),
                };
                schema.add(name, property);
                None
            }
            Mode::Read { arguments, .. } => {
                let value = arguments.take(name);
                // An explicit `null` is as good as nothing, where nothing is good.
                if matches!(value, None | Some(Value::Null)) {
                    if let Some(default) = default {
                        return Some((default.value)());
                    }
                    if let Ok(value) = arguments::absent() {
                        return Some(value);
                    }
                }
                let read = match value {
                    Some(value) => arguments::read(value),
                    None => Err(arguments.missing::<T>(name)),
                };
                arguments.note(name, read)
            }
        }
    }
}

/// What stands for an argument that is not there.
struct Fallback<T> {
    value: fn() -> T,
    /// How the model is told of it. A plain function, so that only parameters with a default have to
    /// be [`Serialize`].
    to_json: fn(&T) -> Option<Value>,
}

/// One parameter, described.
struct Property {
    schema: Schema,
    docs: &'static str,
    /// The type has a value for what is not there.
    optional: bool,
    /// Neither the type nor a default has one.
    required: bool,
    /// The default, if it has one that JSON can say.
    default: Option<Value>,
}

impl InputSchema {
    fn add(&mut self, name: &'static str, property: Property) {
        let Property { mut schema, docs, optional, required, default } = property;
        schema::clean(&mut schema);
        if optional {
            schema::remove_null(&mut schema);
        }
        // The comment on the parameter says what it is for; that on its type, what it is.
        if !docs.is_empty() {
            schema.insert("description".to_owned(), docs.into());
        }
        if required {
            self.required.push(name);
        }
        // The default of an optional parameter is that it is not there, which needs no `null`.
        if let Some(default) = default
            && !(optional && default.is_null())
        {
            schema.insert("default".to_owned(), default);
        }
        self.properties.push((name, schema));
    }
}

/// A type that the model can fill in.
///
/// Not public API: a type is one by its `Deserialize` and `JsonSchema`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a parameter of a tool",
    label = "the model has to be able to fill this in from JSON",
    note = "derive both halves on it: `#[derive(serde::Deserialize, schemars::JsonSchema)]`",
    note = "if it is not for the model but a value of the program, take it as `byre::State<{Self}>`",
    note = "if it has them, `cargo tree -i schemars` may show two versions: byre needs schemars 1"
)]
pub trait ToolArg: Sized {
    /// Describes the parameter, or reads it.
    fn pass(parameters: &mut Parameters, name: &'static str, docs: &'static str) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArg for T {
    fn pass(parameters: &mut Parameters, name: &'static str, docs: &'static str) -> Option<Self> {
        parameters.pass(name, docs, None)
    }
}

/// A type that byre fills in, and of which the model knows nothing.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{Self}` must have a plain name, which the model sees",
    label = "only `byre::State` and `byre::ToolContext` may be taken apart or left without a name",
    note = "take it apart in the body"
)]
pub trait Extract: Sized {
    /// Gives the value, or `None` while parameters are described.
    fn extract(parameters: &mut Parameters) -> Option<Self>;
}

impl<T: SharedState> Extract for State<T> {
    fn extract(parameters: &mut Parameters) -> Option<Self> {
        match &mut parameters.mode {
            Mode::Describe { needs, .. } => {
                needs.push(Need::of::<T>());
                None
            }
            Mode::Read { context, .. } => {
                let value = context.surroundings().states().get();
                // Sessions look for it before they start, and the test kit before it calls.
                Some(Self(value.unwrap_or_else(|| {
                    panic!("there is no state of type `{}`", std::any::type_name::<T>())
                })))
            }
        }
    }
}

impl Extract for ToolContext {
    fn extract(parameters: &mut Parameters) -> Option<Self> {
        match &parameters.mode {
            Mode::Describe { .. } => None,
            Mode::Read { context, .. } => Some(context.clone()),
        }
    }
}

impl<T: SharedState> ToolArg for State<T> {
    fn pass(parameters: &mut Parameters, _: &'static str, _: &'static str) -> Option<Self> {
        Self::extract(parameters)
    }
}

impl ToolArg for ToolContext {
    fn pass(parameters: &mut Parameters, _: &'static str, _: &'static str) -> Option<Self> {
        Self::extract(parameters)
    }
}

/// A type that the model can fill in, and that can have a default.
///
/// Not public API: a type is one by its `Deserialize`, `JsonSchema` and `Serialize`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a parameter of a tool with a default",
    label = "the default has to be shown to the model as JSON",
    note = "derive all three on it: `#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]`",
    note = "or take an `Option` of it without a default"
)]
pub trait ToolArgOr: Sized {
    /// Describes the parameter, or reads it.
    fn pass_or(
        parameters: &mut Parameters,
        name: &'static str,
        docs: &'static str,
        default: fn() -> Self,
    ) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Serialize> ToolArgOr for T {
    fn pass_or(
        parameters: &mut Parameters,
        name: &'static str,
        docs: &'static str,
        default: fn() -> Self,
    ) -> Option<Self> {
        // A default that JSON can't say is still the default; the model is just not told.
        let to_json = |value: &T| serde_json::to_value(value).ok();
        parameters.pass(name, docs, Some(Fallback { value: default, to_json }))
    }
}

/// A type that has a default of its own.
///
/// Not public API: a type is one by its `Default`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default of its own",
    label = "`{Self}` does not implement `Default`",
    note = "say which value it is: `#[arg(default = …)]`"
)]
pub trait DefaultArg {
    fn default_arg() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultArg for T {
    fn default_arg() -> Self {
        T::default()
    }
}
