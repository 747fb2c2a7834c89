//! The paths that a source file names: in `use` trees, nested groups included, and inline in code.

use std::collections::HashMap;

use crate::tokens::{Token, tokens};

/// A path as it counts for a rule: `crate::…` for this crate's modules, else the name of another crate and so on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

impl Name {
    /// Whether the path is `prefix` or leads on from it.
    pub(crate) fn begins_with(&self, prefix: &str) -> bool {
        let mut path = self.path.iter();
        prefix
            .split("::")
            .all(|part| path.next().is_some_and(|own| own == part))
    }
}

/// All paths that `source`, the text of the module `module`, names outside of its tests.
pub(crate) fn names(module: &[&str], source: &str) -> Vec<Name> {
    let tokens = without_tests(&tokens(source));
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        scope: module.iter().map(|&name| name.to_owned()).collect(),
        inline: Vec::new(),
        depth: 0,
        imported: HashMap::new(),
        found: Vec::new(),
    };
    reader.read();
    reader.found
}

/// Drops `#[cfg(test)] mod … { … }`.
pub(crate) fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let Some((&token, after)) = rest.split_first() {
        let is_cfg_test = rest.len() > CFG_TEST.len()
            && CFG_TEST
                .iter()
                .zip(rest)
                .all(|(&text, token)| token.text == text);
        let item = rest.get(CFG_TEST.len()..).unwrap_or_default();
        if is_cfg_test && item[0].text == "mod" {
            rest = &item[block_length(item)..];
        } else {
            kept.push(token);
            rest = after;
        }
    }
    kept
}

/// The number of tokens up to the end of the first block, or of the statement if that ends first.
fn block_length(item: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (i, token) in item.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" if depth == 1 => return i + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return i + 1,
            _ => (),
        }
    }
    item.len()
}

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// The module that is being read, inline ones included.
    scope: Vec<String>,
    /// The brace depths at which inline modules were opened.
    inline: Vec<usize>,
    depth: usize,
    /// What each imported name stands for.
    imported: HashMap<String, Vec<String>>,
    found: Vec<Name>,
}

impl Reader<'_> {
    fn text(&self, ahead: usize) -> &str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| token.text)
    }

    fn read(&mut self) {
        while self.at < self.tokens.len() {
            match self.text(0) {
                "use" if self.text(1) != "<" => {
                    self.at += 1;
                    self.use_tree(&[]);
                }
                "mod" if self.text(2) == "{" => {
                    self.depth += 1;
                    self.inline.push(self.depth);
                    self.scope.push(self.text(1).to_owned());
                    self.at += 3;
                }
                "{" => {
                    self.depth += 1;
                    self.at += 1;
                }
                "}" => {
                    if self.inline.pop_if(|depth| *depth == self.depth).is_some() {
                        self.scope.pop();
                    }
                    self.depth = self.depth.saturating_sub(1);
                    self.at += 1;
                }
                _ => self.inline_path(),
            }
        }
    }

    /// One branch of a `use` tree, after `prefix`.
    fn use_tree(&mut self, prefix: &[String]) {
        let mut path = prefix.to_vec();
        loop {
            let text = self.text(0).to_owned();
            match text.as_str() {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while !matches!(self.text(0), "}" | "") {
                        self.use_tree(&path);
                        if self.text(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                "as" => {
                    let alias = self.text(1).to_owned();
                    self.import(alias, path);
                    self.at += 2;
                    return;
                }
                "" | ";" | "," | "}" => {
                    let alias = path.last().cloned().unwrap_or_default();
                    self.import(alias, path);
                    return;
                }
                _ => {
                    path.push(text);
                    self.at += 1;
                }
            }
        }
    }

    fn import(&mut self, alias: String, mut path: Vec<String>) {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let alias = if alias == "self" {
            path.last().cloned().unwrap_or(alias)
        } else {
            alias
        };
        let path = self.record(path, self.at.saturating_sub(1));
        self.imported.insert(alias, path);
    }

    /// A path in code, if one begins here.
    fn inline_path(&mut self) {
        let start = self.at;
        self.at += 1;
        let token = self.tokens[start];
        if !token.is_name() || self.text(0) != "::" {
            return;
        }
        let mut path = vec![token.text.to_owned()];
        while self.text(0) == "::" && self.tokens.get(self.at + 1).is_some_and(|t| t.is_name()) {
            path.push(self.text(1).to_owned());
            self.at += 2;
        }
        self.record(path, start);
    }

    /// Resolves a path and keeps it.
    fn record(&mut self, path: Vec<String>, token: usize) -> Vec<String> {
        let path = self.resolve(path);
        let line = self.tokens[token].line;
        self.found.push(Name {
            path: path.clone(),
            line,
        });
        path
    }

    fn resolve(&self, path: Vec<String>) -> Vec<String> {
        let absolute = |scope: &[String], rest: &[String]| {
            let root = std::iter::once("crate".to_owned());
            root.chain(scope.iter().chain(rest).cloned()).collect()
        };
        let first = path.first().map_or("", String::as_str);
        match first {
            "crate" => path,
            env!("CARGO_PKG_NAME") => absolute(&[], &path[1..]),
            "self" => absolute(&self.scope, &path[1..]),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let kept = self.scope.len().saturating_sub(ups);
                absolute(&self.scope[..kept], &path[ups..])
            }
            _ => match self.imported.get(first) {
                Some(full) => full.iter().chain(&path[1..]).cloned().collect(),
                None => path,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<_> = names(&["ui", "view"], source)
            .iter()
            .map(|n| n.path.join("::"))
            .collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn use_trees_are_taken_apart() {
        check("use crate::a;", &["crate::a"]);
        check(
            "pub(crate) use crate::{a, b::{c, d as e}, f::*};",
            &["crate::a", "crate::b::c", "crate::b::d", "crate::f::*"],
        );
        check(
            "use super::super::store::{self, Read};",
            &["crate::store", "crate::store::Read"],
        );
        check(
            "use self::a; use countersign::b;",
            &["crate::ui::view::a", "crate::b"],
        );
        check("use ::std::{fs, io::{self}};", &["std::fs", "std::io"]);
    }

    #[test]
    fn paths_in_code_are_seen() {
        check(
            "fn f(a: &crate::a::B) -> std::io::Result<super::C> {}",
            &["crate::a::B", "std::io::Result", "crate::ui::C"],
        );
        check(
            "use std::process; fn f() { process::Command::new(1) }",
            &["std::process", "std::process::Command::new"],
        );
        check(
            "mod m { use super::super::a; } use super::b;",
            &["crate::ui::a", "crate::ui::b"],
        );
        check(
            "macro_rules! m { () => { $crate::a::b() } }",
            &["crate::a::b"],
        );
    }

    #[test]
    fn tests_comments_and_strings_are_not() {
        check(
            "#[cfg(test)] mod tests { use crate::a; } use crate::b;",
            &["crate::b"],
        );
        check("#[cfg(test)] mod tests; use crate::b;", &["crate::b"]);
        check(
            "//! [`crate::a::B`]\n/// crate::c::d\nconst A: &str = \"crate::e::f\";",
            &[],
        );
    }
}
