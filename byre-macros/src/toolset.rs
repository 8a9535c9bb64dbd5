//! `#[byre::toolset]` on an `impl` block.
//!
//! Only the methods with `#[tool]` are parsed, and of them only the signatures. All else stays a row of tokens,
//! so that what is half typed reaches the compiler, and the editor, as it is.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, GenericParam, Generics, Meta, Path, Token, Type, Visibility,
    parse::{ParseStream, Parser},
    spanned::Spanned,
};

use crate::{
    args::Args,
    case::Case,
    diagnostics::Diagnostics,
    function::{Function, SelfParam, cfgs, find, located, other_item},
    params::{self, Param, ParamKind},
    tool::{
        KIND,
        attr::{Attr, Defaults, take_prefix, take_server, what},
        code::Code,
    },
};

/// What may stand in the parentheses of `#[byre::toolset]`.
const ARGS: &[&str] = &[
    "server",     // = "…": which server has the tools, if not the session's own
    "prefix",     // = "…": what stands before the names of the methods
    "rename_all", // = "…": how the names of the parameters are written
    "crate",      // = path: where byre is, if not at `::byre`
];

/// What may stand on a method and not on the set, and why.
const NOT_OF_SET: &[(&str, &str)] = &[(
    "register",
    "a set does not register itself: the program serves its value, with `McpServer::tools`; remove `register`",
)];

const ON: &str = "`#[byre::toolset]` goes on an `impl` block of a type of your own";

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut diags = Diagnostics::default();
    let mut args = Args::parse(args, ARGS, NOT_OF_SET, &mut diags);
    let krate = args.krate(&mut diags);
    let defaults = Defaults {
        server: take_server(&mut args, &mut diags),
        prefix: take_prefix(&mut args, &mut diags),
        case: Case::take(&mut args, &mut diags),
    };
    let own = format!("{}::tool", plain(&krate));
    let block = match Block::parse.parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            diags.push(error);
            let errors = diags.finish();
            return quote!(#errors #item);
        }
    };
    let is_set = block.check(&mut diags);
    let mut set = Set { block: &block, own, defaults, methods: Vec::new(), rest: Vec::new() };
    set.read(&mut diags);
    set.check_names(&mut diags);
    if is_set && set.methods.is_empty() && diags.is_empty() {
        let message = "a set must have a tool; use `#[tool]` on a method";
        diags.error(&block.ty, message);
    }

    let beside = if !is_set {
        TokenStream::new()
    } else if diags.is_empty() {
        block.implementation(&krate, &set.tools(&quote!(#krate::__private)))
    } else {
        block.implementation(&krate, &quote!(::core::unreachable!()))
    };
    let errors = diags.finish();
    let block = block.with(&set.rest);
    quote!(#errors #block #beside)
}

/// An `impl` block.
struct Block {
    attrs: Vec<Attribute>,
    unsafety: Option<Token![unsafe]>,
    impl_token: Token![impl],
    generics: Generics,
    /// The `Trait for` of `impl Trait for Type`.
    of_trait: Option<(Type, Token![for])>,
    ty: Type,
    body: Group,
}

impl Block {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let head = input.fork();
        let _: Visibility = head.parse()?;
        match other_item(&head) {
            Some("an `impl` block") => (),
            Some(what) => return Err(input.error(format_args!("{ON}, not on {what}"))),
            None if head.peek(Token![unsafe]) && head.peek2(Token![impl]) => (),
            None => {
                let message = format_args!("{ON}; on a function, use `#[byre::tool]`");
                return Err(input.error(message));
            }
        }
        let (unsafety, impl_token) = (input.parse()?, input.parse()?);
        let mut generics: Generics =
            if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let first: Type = input.parse()?;
        let (of_trait, ty) = match input.parse::<Option<Token![for]>>()? {
            Some(token) => (Some((first, token)), input.parse()?),
            None => (None, first),
        };
        generics.where_clause = input.parse()?;
        let body = input.parse()?;
        Ok(Self { attrs, unsafety, impl_token, generics, of_trait, ty, body })
    }

    /// Checks what it is of, and says whether a set can be made of it, mistakes or not.
    fn check(&self, diags: &mut Diagnostics) -> bool {
        if let Some((of_trait, token)) = &self.of_trait {
            let message =
                format_args!("{ON}, not on that of a trait; move the tools to one without `for`");
            diags.error(quote!(#of_trait #token), message);
            return false;
        }
        let lifetimes =
            self.generics.params.iter().filter(|param| matches!(param, GenericParam::Lifetime(_)));
        let mut borrows = lifetimes
            .map(ToTokens::to_token_stream)
            .chain(params::borrow(self.ty.to_token_stream()));
        if let Some(borrow) = borrows.next() {
            let message = "a set must own what it has, because calls outlive the function that made it; use \
                           owned types, or an `Arc`";
            diags.error(borrow, message);
            return false;
        }
        if !matches!(self.ty, Type::Path(_) | Type::Group(_)) {
            diags.error(&self.ty, ON);
            return false;
        }
        true
    }

    /// Writes the block with another body.
    fn with(&self, items: &[TokenStream]) -> TokenStream {
        let Self { attrs, unsafety, impl_token, generics, of_trait, ty, body } = self;
        let of_trait = of_trait.as_ref().map(|(of_trait, token)| quote!(#of_trait #token));
        let mut new = Group::new(body.delimiter(), items.iter().cloned().collect());
        new.set_span(body.span());
        let clause = &generics.where_clause;
        quote!(#(#attrs)* #unsafety #impl_token #generics #of_trait #ty #clause #new)
    }

    /// Writes the implementation of `ToolSet`. Calls may come from any thread, so everything must be `Send` and
    /// `Sync`; for type parameters, this is said here.
    fn implementation(&self, krate: &TokenStream, body: &TokenStream) -> TokenStream {
        let (cfgs, ty, private) = (cfgs(&self.attrs), &self.ty, quote!(#krate::__private));
        let mut generics = self.generics.clone();
        let types: Vec<_> = generics.type_params().map(|param| param.ident.clone()).collect();
        let clause = generics.make_where_clause();
        for ty in types {
            clause.predicates.push(syn::parse_quote! {
                #ty: ::core::marker::Send + ::core::marker::Sync + 'static
            });
        }
        let (before, _, checked) = generics.split_for_impl();
        // The first asks whether the value may be shared, and the second takes it for granted, so that the answer
        // no is one mistake, in the words of byre.
        let mut assumed = generics.clone();
        assumed.make_where_clause().predicates.push(syn::parse_quote! {
            for<'__byre> #ty: #private::AssumeShared<'__byre>
        });
        let assumed = assumed.where_clause;
        quote! {
            #(#cfgs)*
            #[allow(deprecated)]
            const _: () = {
                impl #before #private::CheckShared for #ty #checked {}
                impl #before #private::ToolSet for #ty #assumed {
                    fn into_tools(
                        self: ::std::sync::Arc<Self>,
                    ) -> ::std::vec::Vec<#private::Tool> {
                        #body
                    }
                }
            };
        }
    }

    /// Finds a type parameter of the block in a type, or `Self`, which may stand for one.
    fn generic_in(&self, ty: &Type) -> Option<TokenTree> {
        let is_param = |ident: &Ident| {
            *ident == "Self"
                || self.generics.type_params().any(|param| param.ident == *ident)
                || self.generics.const_params().any(|param| param.ident == *ident)
        };
        find(
            ty.to_token_stream(),
            &|token| matches!(token, TokenTree::Ident(ident) if is_param(ident)),
        )
    }
}

/// What stands in a block.
struct Set<'a> {
    block: &'a Block,
    /// What `#[byre::tool]` is called here.
    own: String,
    defaults: Defaults,
    methods: Vec<Method>,
    /// All items, as they stay.
    rest: Vec<TokenStream>,
}

/// A tool.
struct Method {
    /// Where its attribute stands.
    place: Span,
    attr: Attr,
    function: Function,
    name: String,
    description: String,
    params: Vec<Param>,
    self_param: SelfParam,
}

impl Set<'_> {
    fn read(&mut self, diags: &mut Diagnostics) {
        let body = self.block.body.stream();
        let parser = |input: ParseStream<'_>| {
            let inner = input.call(Attribute::parse_inner)?;
            self.rest.push(quote!(#(#inner)*));
            while !input.is_empty() {
                self.read_item(input, diags)?;
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(body.clone()) {
            diags.push(error);
            self.rest = vec![body];
        }
    }

    fn read_item(&mut self, input: ParseStream<'_>, diags: &mut Diagnostics) -> syn::Result<()> {
        let mut attrs = input.call(Attribute::parse_outer)?;
        let is_tool = |attr: &mut Attribute| {
            let path = plain(attr.path());
            path == "tool" || path == "byre::tool" || path == self.own
        };
        let mut of_tool = attrs.extract_if(.., is_tool).collect::<Vec<_>>().into_iter();
        let Some(attr) = of_tool.next() else {
            let item = raw_item(input)?;
            self.rest.push(quote!(#(#attrs)* #item));
            return Ok(());
        };
        for attr in of_tool {
            diags.error(attr, "`#[tool]` must not be given twice");
        }
        if let Some(other) = no_method(input)? {
            diags.error(&attr, format_args!("`#[tool]` goes on a method, not on {other}"));
            let item = raw_item(input)?;
            self.rest.push(quote!(#(#attrs)* #item));
            return Ok(());
        }
        let function = Function::parse_method(attrs, input)?;
        let method = self.read_method(&attr, function, diags);
        let (lints, function) = (method.function.lints(), &method.function);
        self.rest.push(quote!(#lints #function));
        self.methods.push(method);
        Ok(())
    }

    fn read_method(
        &self,
        attr: &Attribute,
        mut function: Function,
        diags: &mut Diagnostics,
    ) -> Method {
        let place = attr.path().span();
        let tokens = match &attr.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(_) => {
                diags.error(attr, "`#[tool]` takes its arguments in parentheses; use `#[tool(…)]`");
                TokenStream::new()
            }
        };
        let attr = Attr::of_method(tokens, &self.defaults, diags);
        let name = attr.name(&function, &self.defaults.prefix, diags);
        let what = what(&name);
        let description = attr.description(&function, &what, diags);
        function.check_signature(KIND, &what, diags);
        attr.check_blocking(&function, &what, diags);
        let self_param = function.self_param(&what, diags);
        let params = params::take(&mut function.sig, attr.case, &what, diags);
        for Param { ty, kind, .. } in &params {
            if matches!(kind, ParamKind::Field(_))
                && let Some(token) = self.block.generic_in(ty)
            {
                let message = format_args!(
                    "a parameter of {what} with attributes of serde or schemars must not be of `{token}`, \
                     which they can't name; use a type of its own"
                );
                diags.error(&token, message);
            }
        }
        Method { place, attr, function, name, description, params, self_param }
    }

    /// Refuses two tools of one name. Of two methods of one name, the compiler says it.
    fn check_names(&self, diags: &mut Diagnostics) {
        for (at, method) in self.methods.iter().enumerate() {
            let is_same = |other: &&Method| {
                other.name == method.name
                    && other.function.sig.ident != method.function.sig.ident
                    && other.function.cfgs().is_empty()
                    && method.function.cfgs().is_empty()
            };
            if self.methods[..at].iter().any(|other| is_same(&other)) {
                let message = format_args!(
                    "two tools of this set are called `{}`; use another `name = \"…\"`",
                    method.name
                );
                diags.error(method.attr.place_of_name(&method.function), message);
            }
        }
    }

    /// Writes what gives the tools.
    fn tools(&self, private: &TokenStream) -> TokenStream {
        let instance = Ident::new("instance", Span::mixed_site());
        let tools = Ident::new("tools", Span::mixed_site());
        let pushes = self.methods.iter().map(|method| {
            let Method { place, attr, function, name, description, params, self_param } = method;
            let (cfgs, ident) = (function.cfgs(), &function.sig.ident);
            let code = Code {
                private,
                attr,
                function,
                params,
                callee: quote!(Self::#ident),
                self_param: *self_param,
                line: located(quote!(::core::line!()), *place),
            };
            let (parameters, body) = code.call();
            // Not a function, which could not name the type parameters of the block.
            let call = quote! {
                |#parameters: &mut #private::Parameters|
                    -> ::core::option::Option<#private::ToolFuture> { #body }
            };
            let def = code.def(name, description, &call);
            quote! {
                #(#cfgs)*
                #tools.push(#private::method(&#def, ::core::clone::Clone::clone(&#instance)));
            }
        });
        quote! {
            let #instance: #private::Instance = self;
            let mut #tools = ::std::vec::Vec::new();
            #(#pushes)*
            #tools
        }
    }
}

/// Takes an item without a look into it: what is left of it after a block is taken as another one.
fn raw_item(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut item = TokenStream::new();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let is_end = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        item.extend([token]);
        if is_end {
            break;
        }
    }
    Ok(item)
}

/// Says what an item of an `impl` block is, where it is not a function.
fn no_method(input: ParseStream<'_>) -> syn::Result<Option<&'static str>> {
    let input = input.fork();
    input.parse::<Visibility>()?;
    input.parse::<Option<Token![default]>>()?;
    let is_macro = || {
        let input = input.fork();
        input.call(Path::parse_mod_style).is_ok() && input.peek(Token![!])
    };
    Ok(other_item(&input).or_else(|| is_macro().then_some("a macro")))
}

/// Writes a path without blanks, and without the colons at its start.
fn plain(path: &impl ToTokens) -> String {
    path.to_token_stream().to_string().replace(' ', "").trim_start_matches("::").to_owned()
}
