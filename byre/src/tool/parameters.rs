//! The parameters of a tool, gone through one by one in order to describe or to read them.

use std::{borrow::Cow, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer, de::DeserializeOwned, ser::SerializeMap};
use serde_json::{Map, Value};

use super::{
    arguments,
    arguments::Arguments,
    context::ToolContext,
    def::Instance,
    fields::{self, Args, Fields, ToolArgs},
    schema,
};
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
    Describe { generator: SchemaGenerator, schema: Box<InputSchema>, needs: Vec<Need> },
    /// Takes the arguments apart.
    Read { arguments: Arguments, context: ToolContext },
}

/// The schema of a tool's arguments. The root is written by hand, because the CLI refuses the tools
/// of a server if one of them has a root that is not a plain object, and because the properties are
/// to come in the order of the parameters.
#[derive(Debug, Default)]
pub(crate) struct InputSchema {
    properties: Vec<(Cow<'static, str>, Schema)>,
    required: Vec<Cow<'static, str>>,
    /// What a parameter takes beside its properties: `additionalProperties` and `patternProperties`.
    rest: Map<String, Value>,
    /// Names that are taken too, and of which the model is not told, with the property that each is for.
    aliases: Vec<(&'static str, String)>,
    /// What is wrong with the parameters together.
    faults: Vec<String>,
    /// Only recursive types.
    defs: Map<String, Value>,
    /// Arguments as a model might give them.
    examples: Vec<Value>,
}

impl Serialize for InputSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Properties<'a>(&'a [(Cow<'static, str>, Schema)]);

        impl Serialize for Properties<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, schema)| (name, schema)))
            }
        }

        let mut root = serializer.serialize_map(None)?;
        root.serialize_entry("type", "object")?;
        root.serialize_entry("properties", &Properties(&self.properties))?;
        root.serialize_entry("required", &self.required)?;
        if let Some(patterns) = self.rest.get("patternProperties") {
            root.serialize_entry("patternProperties", patterns)?;
        }
        let additional = self.rest.get("additionalProperties").unwrap_or(&Value::Bool(false));
        root.serialize_entry("additionalProperties", additional)?;
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
        let mode = Mode::Describe { generator, schema: Box::default(), needs: Vec::new() };
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
    #[must_use]
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
                *schema
            }
            Mode::Read { .. } => InputSchema::default(),
        }
    }

    /// Returns what is wrong with the parameters, after all of them were described.
    pub(crate) fn faults(self) -> Vec<String> {
        match self.mode {
            Mode::Describe { schema, .. } => schema.faults,
            Mode::Read { .. } => Vec::new(),
        }
    }

    /// Returns what is wrong with the arguments, one line each, after all parameters were read.
    pub(crate) fn problems(self) -> Option<String> {
        match self.mode {
            Mode::Describe { .. } => None,
            Mode::Read { arguments, .. } => arguments.problems(),
        }
    }

    /// Describes or reads the fields of `T`. `docs` is the description where there is only one.
    pub(super) fn fields<T: ToolArgs>(&mut self, docs: &'static str) -> Option<T> {
        match &mut self.mode {
            Mode::Describe { generator, schema, .. } => {
                schema.merge(Fields::of::<T>(generator), docs);
                None
            }
            Mode::Read { arguments, .. } => {
                let (names, mut own) = match fields::names::<T>() {
                    Some(names) => {
                        let names: Vec<_> = names.iter().copied().map(Cow::Borrowed).collect();
                        let own = arguments.take_fields(names.iter().cloned());
                        (names, own)
                    }
                    None => take_described(arguments, &fields::describe::<T>()),
                };
                // An explicit `null` is as good as nothing, where nothing is good.
                if own.values().any(Value::is_null) {
                    let fields = fields::describe::<T>();
                    own.retain(|name, value| !value.is_null() || fields.is_required(name));
                }
                let absent = |name: &String| !own.contains_key(name);
                let read = arguments::read(Value::Object(own.clone()));
                if read.is_err() {
                    let properties = fields::describe::<T>().properties.into_iter();
                    let required = properties.filter(|it| it.required).map(|it| it.name);
                    required.filter(absent).for_each(|name| arguments.note_absent(name.into()));
                }
                arguments.note_fields(&names, read)
            }
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

/// Takes the arguments of a parameter whose names only its schema knows.
fn take_described(
    arguments: &mut Arguments,
    fields: &Fields,
) -> (Vec<Cow<'static, str>>, Map<String, Value>) {
    let names = fields.properties.iter().map(|property| property.name.clone().into());
    let names: Vec<Cow<'static, str>> = names.collect();
    let mut own = arguments.take_fields(names.iter().cloned());
    if !fields.rest.is_empty() {
        // No other parameter comes after it: that would be a fault.
        own.append(&mut arguments.take_all());
    }
    (names, own)
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
    /// Returns the names of parameters of which the schema does not speak, each with the one in it.
    pub(crate) fn into_aliases(self) -> Vec<(&'static str, String)> {
        self.aliases
    }

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
        // The default of an optional parameter is that it is not there, which needs no `null`.
        if let Some(default) = default
            && !(optional && default.is_null())
        {
            schema.insert("default".to_owned(), default);
        }
        self.push(name.into(), schema, required);
    }

    /// Adds the fields of a struct.
    fn merge(&mut self, fields: Fields, docs: &'static str) {
        let Fields { properties, rest, aliases, fault } = fields;
        self.faults.extend(fault);
        let is_alone = properties.len() == 1;
        for fields::Property { name, mut schema, required } in properties {
            schema::clean(&mut schema);
            if !required {
                schema::remove_null(&mut schema);
                if schema.get("default").is_some_and(Value::is_null) {
                    schema.remove("default");
                }
            }
            if is_alone && !docs.is_empty() {
                schema.insert("description".to_owned(), docs.into());
            }
            self.push(name.into(), schema, required);
        }
        if !rest.is_empty() {
            self.check_rest();
            self.rest = rest;
        }
        self.aliases.extend(aliases);
    }

    fn push(&mut self, name: Cow<'static, str>, schema: Schema, required: bool) {
        self.check_rest();
        if self.properties.iter().any(|(other, _)| *other == name) {
            self.faults.push(format!("has two parameters called `{name}`"));
            return;
        }
        if required {
            self.required.push(name.clone());
        }
        self.properties.push((name, schema));
    }

    /// What takes all that is left has to come last.
    fn check_rest(&mut self) {
        let fault = "has a parameter that takes all other arguments, and that is not the last one";
        if !self.rest.is_empty() && !self.faults.iter().any(|other| other == fault) {
            self.faults.push(fault.to_owned());
        }
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

/// A type that needs no name: the model knows nothing of it, or only its fields.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{Self}` must have a plain name, which the model sees",
    label = "only `byre::State`, `byre::Args` and `byre::ToolContext` may be taken apart or left without a name",
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

impl<T: ToolArgs> Extract for Args<T> {
    fn extract(parameters: &mut Parameters) -> Option<Self> {
        parameters.fields("").map(Self)
    }
}

impl<T: ToolArgs> ToolArg for Args<T> {
    fn pass(parameters: &mut Parameters, _: &'static str, _: &'static str) -> Option<Self> {
        Self::extract(parameters)
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
