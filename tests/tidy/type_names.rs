//! The names of the types that a file declares. One name has one meaning in the whole crate.

use crate::names::without_tests;
use crate::tokens::{Token, tokens};

/// Returns the names of the types of a file: all at its top level, and those with a visibility inside of macros.
pub(crate) fn declared(source: &str) -> Vec<String> {
    let tokens = without_tests(&tokens(source));
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "struct" | "enum" | "type" | "trait" | "union" => {
                let before = tokens[..at].last().map_or("", |token| token.text);
                let name = tokens.get(at + 1).filter(|token| token.is_name());
                if depth == 0 || matches!(before, "pub" | ")") {
                    found.extend(name.map(|name: &Token<'_>| name.text.to_owned()));
                }
            }
            _ => (),
        }
    }
    found
}

#[test]
fn types_are_found() {
    let check =
        |source: &str, expected: &[&str]| assert_eq!(declared(source), expected, "{source}");
    check("pub struct A; enum B {} type C = A;", &["A", "B", "C"]);
    check("words! { pub enum A {} }", &["A"]);
    check("fn f() { struct A; } impl B { type C = A; }", &[]);
    check("#[cfg(test)] mod tests { pub struct A; }", &[]);
}
