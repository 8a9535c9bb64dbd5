use super::*;

const KNOWN: &[&str] = &["name", "read_only", "crate"];

/// Reads `tokens` and returns the messages.
fn messages(tokens: TokenStream, read: impl FnOnce(&mut Args, &mut Diagnostics)) -> Vec<String> {
    let mut diags = Diagnostics::default();
    let mut args = Args::parse(tokens, KNOWN, &[("other", "not here")], &mut diags);
    read(&mut args, &mut diags);
    let errors = diags.finish().to_string();
    let texts = errors.split("compile_error ! { \"").skip(1);
    texts.map(|text| text.split("\" }").next().unwrap().replace("\\\"", "\"")).collect()
}

#[test]
fn reads_strings_flags_and_paths() {
    let tokens = quote!(name = "a", read_only, crate = my::byre,);
    let none = messages(tokens, |args, diags| {
        assert_eq!(args.string("name", diags).unwrap().value, "a");
        assert_eq!(args.flag("read_only", diags), Some(true));
        assert_eq!(args.krate(diags).to_string(), "my :: byre");
    });
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn what_is_absent_has_its_default() {
    let none = messages(quote!(read_only = false), |args, diags| {
        assert!(args.string("name", diags).is_none());
        assert_eq!(args.flag("read_only", diags), Some(false));
        assert_eq!(args.krate(diags).to_string(), ":: byre");
    });
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn every_mistake_is_reported() {
    let tokens = quote!(nmae = "a", zzzzzzzz, name = "b", name = "c", read_only = 1);
    let got = messages(tokens, |args, diags| {
        args.flag("read_only", diags);
    });
    assert_eq!(
        got,
        [
            "unknown argument `nmae`; did you mean `name`?",
            "unknown argument `zzzzzzzz`; known are `name`, `read_only` and `crate`",
            "`name` must not be given twice",
            "`read_only` takes a boolean; use `read_only = true`",
        ]
    );
}

#[test]
fn a_value_without_a_name_is_refused() {
    let got = messages(quote!("a"), |_, _| ());
    assert_eq!(got, ["a value needs a name in front; use `name = \"…\"` or `description = \"…\"`"]);
}
