use syn::parse_quote;

use super::*;

/// Compares the text of doc attributes, given as they reach the macro, with `want`.
fn check(docs: &[&str], want: &str) {
    let mut diags = Diagnostics::default();
    let attrs: Vec<Attribute> = docs.iter().map(|doc| parse_quote!(#[doc = #doc])).collect();
    assert_eq!(text(&attrs, &mut diags), want, "for {docs:?}");
    assert!(diags.is_empty());
    diags.finish();
}

#[test]
fn one_line_loses_its_blank() {
    check(&[" Adds two integers."], "Adds two integers.");
}

#[test]
fn no_comment_is_an_empty_text() {
    check(&[], "");
    check(&["", " "], "");
}

#[test]
fn lines_of_a_paragraph_are_joined() {
    check(&[" Adds two", " integers.", "", "", " Slowly."], "Adds two integers.\n\nSlowly.");
}

#[test]
fn list_items_keep_their_lines() {
    check(
        &[" Modes:", " - `a` is", "   the first", " - `b`", "   - nested", " 1. one", " 2. two"],
        "Modes:\n- `a` is the first\n- `b`\n  - nested\n1. one\n2. two",
    );
}

#[test]
fn headings_tables_and_quotes_keep_their_lines() {
    check(&[" # Use", " text", " | a | b |", " | - | - |"], "# Use\ntext\n| a | b |\n| - | - |");
    check(&[" > said", " > once"], "> said\n> once");
}

#[test]
fn code_stays_as_it_is() {
    check(
        &[" Runs:", " ```", " fn main() {", "     1", "", " }", " ```", " and", " ends."],
        "Runs:\n```\nfn main() {\n    1\n\n}\n```\nand ends.",
    );
    check(&[" Runs:", "", "     a", "     b"], "Runs:\n\n    a\n    b");
}

#[test]
fn a_hard_break_ends_the_line() {
    check(&[" one  ", " two\\", " three"], "one\ntwo\nthree");
}

#[test]
fn only_the_common_indentation_goes_away() {
    check(&["Adds.", "  - item"], "Adds.\n  - item");
    check(&["   Adds.", "   Both."], "Adds. Both.");
}

#[test]
fn block_comments_lose_their_stars() {
    check(&["\n * Adds two\n * integers.\n *\n * - now\n "], "Adds two integers.\n\n- now");
    check(&[" Adds two\n integers. "], "Adds two integers.");
    check(&[" Adds:\n    * one\n    * two "], "Adds: one two");
}

#[test]
fn other_attributes_between_change_nothing() {
    let mut diags = Diagnostics::default();
    let attrs: Vec<Attribute> = vec![
        parse_quote!(#[doc = " Adds"]),
        parse_quote!(#[inline]),
        parse_quote!(#[doc = " two."]),
    ];
    assert_eq!(text(&attrs, &mut diags), "Adds two.");
    let hidden: Vec<Attribute> = vec![parse_quote!(#[doc(hidden)])];
    assert_eq!(text(&hidden, &mut diags), "");
    diags.finish();
}

#[test]
fn a_computed_comment_is_refused() {
    let mut diags = Diagnostics::default();
    let attrs: Vec<Attribute> = vec![parse_quote!(#[doc = include_str!("a.md")])];
    assert_eq!(text(&attrs, &mut diags), "");
    assert!(!diags.is_empty());
    diags.finish();
}
