//! The length of named local closures: a longer one is a function of its own, so that a body reads from the top down.
//!
//! The bounds below are the counts that modules have; they may only shrink. `cargo test --test tidy -- --nocapture closures`
//! prints the present counts.

use std::array;
use std::collections::BTreeMap;

use crate::tokens::{Token, tokens};
use crate::{is_for_tests, module_of, sources};

/// The most lines of a closure that has a name, from its `let` to its `;`.
const MOST_CLOSURE_LINES: usize = 3;

/// The most longer closures of each module; of others, none.
const BOUNDS: [(&str, usize); 9] = [
    ("agent", 1),
    ("app", 1),
    ("cli", 1),
    ("dialect", 88),
    ("locate", 51),
    ("policy", 5),
    ("review", 14),
    ("store", 2),
    ("ui", 8),
];

/// Returns the named closures of a text: the line that each begins at, its name, and the number of its lines.
fn named_closures(source: &str) -> Vec<(usize, &str, usize)> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for (at, first) in tokens.iter().enumerate() {
        let words = tokens[at..].iter().map(|token| token.text);
        let mut words = words.filter(|text| !matches!(*text, "mut" | "move"));
        if let [Some("let"), Some(name), Some("="), Some("|")] = array::from_fn(|_| words.next())
            && let Some(last) = end_of_statement(&tokens[at..])
        {
            found.push((first.line, name, last.line - first.line + 1));
        }
    }
    found
}

/// Returns the `;` that ends a statement.
fn end_of_statement<'t>(tokens: &[Token<'t>]) -> Option<Token<'t>> {
    let mut depth = 0;
    tokens.iter().copied().find(|token| {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => (),
        }
        depth == 0 && token.text == ";"
    })
}

/// Returns true if a file, or a folder that it is in, is for tests only.
fn is_in_tests(file: &str) -> bool {
    let mut folders = file.match_indices('/').map(|(at, _)| &file[..at]);
    is_for_tests(file) || folders.any(is_for_tests)
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are for people")]
fn closures_with_a_name_are_short() {
    let mut long: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, source) in sources() {
        if is_in_tests(&file) {
            continue;
        }
        let module = module_of(&file)
            .first()
            .copied()
            .unwrap_or("lib")
            .to_owned();
        let source = source
            .split("\n#[cfg(test)]\nmod ")
            .next()
            .unwrap_or_default();
        let closures = named_closures(source).into_iter();
        let closures = closures.filter(|(_, _, lines)| *lines > MOST_CLOSURE_LINES);
        let described = closures.map(|(line, name, lines)| {
            format!("{file}:{line}: `{name}` has {lines} lines; make it a function, or write it where it is used")
        });
        long.entry(module).or_default().extend(described);
    }
    let mut wrong = Vec::new();
    for (module, closures) in long {
        println!("(\"{module}\", {}),", closures.len());
        let bound = BOUNDS.iter().find(|(name, _)| *name == module);
        let bound = bound.map_or(0, |(_, bound)| *bound);
        if closures.len() > bound {
            wrong.push(format!(
                "{module}: {} long closures, {bound} were there",
                closures.len()
            ));
            wrong.extend(closures);
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn closures_are_measured() {
    let source = "fn f() {\n    let one = |a| a;\n    let mut two = move |a| {\n        let b = a;\n        b\n    };\n    let three = g(|a| {\n        a\n    });\n    let four = 1 | 2;\n}\n";
    assert_eq!(named_closures(source), [(2, "one", 1), (3, "two", 4)]);
}
