//! Proofs by syntax: two versions of some lines are the same tokens in the same tree, so that only their layout differs.
//!
//! The whole file is parsed as it is and as it is proposed, without any error. The tokens of the changed lines must be equal to the
//! byte, texts included, and must be in the same place of the tree. Blanks between them may differ where they have no meaning: where
//! the two tokens cannot be read as one, where a line break neither ends a statement nor makes a block, and where no comment speaks to
//! the line, as directives to tools do.
//!
//! A proof is about the program, not about its positions: line numbers in messages, and macros that read the source around them, may
//! notice a new line break.

mod compare;
mod imports;
mod language;
mod tokens;
mod unproven;

use std::cell::OnceCell;
use std::ops::Range;

use regex::Regex;
use tree_sitter::Tree;

use self::compare::{Side, compare};
use self::language::{Grammar, language};
use self::tokens::{Aside, Tokens, parse, tokens};
pub(super) use self::unproven::Unproven;
use super::proof::Proof;
use super::rules::{Rule, Rules};
use crate::text::plural;

/// The change of a hunk.
pub(super) struct Change {
    /// The bytes that it changes, in both versions.
    pub(super) bytes: [Range<usize>; 2],
    /// The bytes of the old version that other hunks change.
    pub(super) others: Vec<Range<usize>>,
}

/// Two versions of a file, parsed.
pub(super) struct Versions<'a> {
    grammar: &'static Grammar,
    texts: [&'a str; 2],
    trees: [Tree; 2],
    prose: Option<&'a Regex>,
    compared: [OnceCell<[Tokens<'a>; 2]>; 3],
}

impl<'a> Versions<'a> {
    /// Parses both versions of a file.
    ///
    /// # Errors
    ///
    /// [`Unproven`] if there is no parser, or one of them has an error.
    pub(super) fn parse(
        path: &str,
        texts: [&'a str; 2],
        rules: &'a Rules,
    ) -> Result<Self, Unproven> {
        let grammar = language(path).ok_or(Unproven::Language)?;
        let trees = [parse(grammar, texts[0])?, parse(grammar, texts[1])?];
        let prose = rules.comments.as_ref();
        Ok(Self {
            grammar,
            texts,
            trees,
            prose,
            compared: Default::default(),
        })
    }

    /// Proves that some bytes of both versions mean the same, by one rule.
    ///
    /// # Errors
    ///
    /// [`Unproven`] if it does not.
    pub(super) fn prove(&self, rule: Rule, change: &Change) -> Result<Proof, Unproven> {
        let slot = match rule {
            Rule::Imports => 1,
            Rule::Comments => 2,
            Rule::Formatting | Rule::Paths => 0,
        };
        let [old, new] = self.compared[slot].get_or_init(|| self.tokens(&[rule]));
        let [was, is] = change.bytes.clone();
        let old = Side {
            tokens: old,
            bytes: was,
        };
        let new = Side {
            tokens: new,
            bytes: is,
        };
        let count = compare(self.grammar, &old, &new)?;
        // What two hunks do to the same tokens may cancel out; one of them alone does not.
        let span = old.span();
        if (change.others.iter()).any(|other| other.start < span.end && span.start < other.end) {
            return Err(Unproven::Shared);
        }
        let name = self.grammar.name;
        let tokens = plural(count, "token");
        let evidence = match rule {
            Rule::Imports => format!(
                "{name}: the same imports in another order, and nothing else: {tokens} compared"
            ),
            Rule::Comments => {
                format!("{name}: only comments differ that match your pattern: {tokens} compared")
            }
            Rule::Formatting | Rule::Paths => {
                format!(
                    "{name}: the same syntax, only blanks and line breaks differ: {tokens} compared"
                )
            }
        };
        Ok(Proof { rule, evidence })
    }

    /// Proves that both versions mean the same as a whole, by several rules.
    ///
    /// # Errors
    ///
    /// [`Unproven`] if they do not.
    pub(super) fn prove_all(
        &self,
        rules: &[Rule],
        [was, is]: &[Range<usize>; 2],
    ) -> Result<(), Unproven> {
        let [old, new] = &self.tokens(rules);
        let old = Side {
            tokens: old,
            bytes: was.clone(),
        };
        let new = Side {
            tokens: new,
            bytes: is.clone(),
        };
        compare(self.grammar, &old, &new).map(|_| ())
    }

    /// The tokens of both versions without what some rules leave aside.
    fn tokens(&self, rules: &[Rule]) -> [Tokens<'a>; 2] {
        let aside = Aside {
            import_order: rules.contains(&Rule::Imports),
            comments: self.prose.filter(|_| rules.contains(&Rule::Comments)),
        };
        let of = |side: usize| tokens(self.grammar, self.texts[side], &self.trees[side], aside);
        [of(0), of(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Judged, Verdict, judge};
    use crate::review::{Compared, Found, Stance, compare};
    use crate::text::Document;

    /// Judges the change of a file, and returns for each hunk the rule that proves it, or the reason of the last one that does not.
    #[track_caller]
    fn check(path: &str, old: &str, new: &str, expected: &str) {
        let found = |text: &str| Found::Text {
            document: Document::from_text(text).into(),
            executable: false,
        };
        let compared = Compared {
            path: path.to_owned(),
            rename: None,
            old: found(old),
            new: found(new),
            stance: Stance::Proposed,
            doubtful: Vec::new(),
            protected: None,
            origin: "test",
        };
        let session = compare(String::new(), &[compared]);
        let rules = Rules {
            formatting: true,
            imports: true,
            comments: Some(Regex::new(r"^(?:(//|#) [A-Z][a-z ]*\.)$").unwrap()),
            ..Rules::default()
        };
        let outcome = |judged: Judged| match judged.verdict {
            Verdict::Proven(proof) => proof.rule.name().to_owned(),
            Verdict::Barred(why) => format!("barred: {why}"),
            Verdict::Unproven(why) => why[0].1.clone(),
        };
        let judged = judge(&session, &rules, &|path| Some(path.to_owned()));
        let outcomes: Vec<String> = judged.into_iter().map(outcome).collect();
        assert_eq!(outcomes.join("; "), expected, "{old}{new}");
    }

    #[test]
    fn layout_of_rust_has_no_meaning_outside_of_macros() {
        let rust = |old: &str, new: &str, expected: &str| check("a.rs", old, new, expected);
        rust(
            "fn f() {\n  g(1,2);\n}\n",
            "fn f() {\n    g(1, 2);\n}\n",
            "formatting",
        );
        rust("fn f() { g(1) }\n", "fn f() {\n    g(1)\n}\n", "formatting");
        rust(
            "fn f() { a.b().c() }\n",
            "fn f() {\n    a\n        .b()\n        .c()\n}\n",
            "formatting",
        );
        rust(
            "fn f() -> u8 { 1+ 2 }\n",
            "fn f() -> u8 { 1 + 2 }\n",
            "formatting",
        );
        rust(
            "fn f() { x = - 1; }\n",
            "fn f() { x =- 1; }\n",
            "line 1: a blank between two signs or two words may have a meaning",
        );
        rust(
            "fn f() { m!(a+b) }\n",
            "fn f() { m!(a + b) }\n",
            "line 1: `(a + b)` is new or in another place",
        );
        rust(
            "fn f() { g(\"a b\") }\n",
            "fn f() { g(\"a  b\") }\n",
            "line 1: `\"a  b\"` is new or in another place",
        );
        rust(
            "fn f() { g(1) }\n",
            "fn f() { g(2) }\n",
            "line 1: `2` is new or in another place",
        );
        rust(
            "fn f() { g() }\n",
            "fn f() { g(); }\n",
            "line 1: `g` is new or in another place",
        );
        rust(
            "fn f() { g(1) }\n",
            "fn f() { g(1 }\n",
            "line 1 of the file is not understood by the parser",
        );
        rust(
            "#[a(b)]\nfn f() {}\n",
            "#[a( b)]\nfn f() {}\n",
            "line 1: `#[a( b)]` is new or in another place",
        );
        rust(
            "fn f() {}\n/// Doc.\nfn g() {}\n",
            "fn f() {}\n/// Dog.\nfn g() {}\n",
            "line 2: `/// Dog.` is new or in another place",
        );
    }

    #[test]
    fn a_comment_keeps_its_lines() {
        let why = "line 4: a comment may speak to this line, which is broken or joined otherwise";
        check(
            "a.rs",
            "fn f() {\n    // allow(x)\n    g(1, 2);\n}\n",
            "fn f() {\n    // allow(x)\n    g(\n        1, 2);\n}\n",
            why,
        );
        check(
            "a.rs",
            "fn f() {\n    g(1); // nolint\n}\n",
            "fn f() {\n    g(1);\n    // nolint\n}\n",
            "line 3: a line break or an indentation may have a meaning",
        );
        check(
            "a.rs",
            "fn f() {\n  // a\n}\n",
            "fn f() {\n    // a\n}\n",
            "formatting",
        );
    }

    #[test]
    fn comments_are_prose_only_where_the_person_says_it() {
        let rust = |old: &str, new: &str, expected: &str| check("a.rs", old, new, expected);
        rust(
            "// One line.\nfn f() {}\n",
            "// Another one.\nfn f() {}\n",
            "comments",
        );
        rust("fn f() {}\n", "fn f() {} // Some words.\n", "comments");
        let new = |text: &str| format!("line 1: `{text}` is new or in another place");
        rust(
            "// One line.\nfn f() {}\n",
            "// nolint\nfn f() {}\n",
            &new("// nolint"),
        );
        rust(
            "fn f() {}\n",
            "/// Some words.\nfn f() {}\n",
            &new("/// Some words."),
        );
        rust(
            "// One line.\nfn f() { 1 }\n",
            "// Another one.\nfn f() { 2 }\n",
            &new("// Another one."),
        );
        check(
            "a.go",
            "package a\n\n// One line.\nvar b = 1\n",
            "package a\n\n// Another one.\nvar b = 1\n",
            "line 3: `// Another one.` is new or in another place",
        );
        check(
            "a.py",
            "import a\nb = 1\n# One line.\n",
            "import a\nb = 1\n# Another one.\n",
            "comments",
        );
        check(
            "a.py",
            "# One line.\nb = 1\n",
            "# Another one.\nb = 1\n",
            &new("# Another one."),
        );
    }

    #[test]
    fn the_order_of_rust_imports_has_no_meaning() {
        let rust = |old: &str, new: &str, expected: &str| check("a.rs", old, new, expected);
        rust(
            "use b::B;\nuse a::A;\n",
            "use a::A;\nuse b::B;\n",
            "imports",
        );
        rust("use a::{C, B};\n", "use a::{B, C};\n", "imports");
        rust("use a::B;\nuse a::C;\n", "use a::{B, C};\n", "imports");
        rust(
            "use a::B;\nuse c::D;\n",
            "use c::B;\nuse a::D;\n",
            "line 1: `c` is new or in another place",
        );
        rust(
            "pub use a::B;\nuse c::D;\n",
            "use a::B;\npub use c::D;\n",
            "line 1: `use` is new or in another place",
        );
        rust(
            "use a::B as C;\nuse b::D;\n",
            "use b::D;\nuse a::B as E;\n",
            "line 1: `b` is new or in another place",
        );
        rust(
            "#[cfg(x)]\nuse b::B;\nuse a::A;\n",
            "#[cfg(x)]\nuse a::A;\nuse b::B;\n",
            "line 2: `a` is new or in another place",
        );
        // Two hunks that are neutral only together.
        let far = "mod c {\n    fn f() {}\n}\n".replace(
            "mod",
            "use c::d;\nuse e::f;\nuse g::h;\nuse i::j;\nuse k::l;\nmod",
        );
        check(
            "a.rs",
            &format!("use b::B;\n{far}"),
            &far.replace("mod c", "use b::B;\nmod c"),
            "line 1: something is removed; line 6: `use` is new or in another place",
        );
        check(
            "a.go",
            "package a\n\nimport (\n\t\"b\"\n\t\"a\"\n)\n",
            "package a\n\nimport (\n\t\"a\"\n\t\"b\"\n)\n",
            "line 4: `\"a\"` is new or in another place",
        );
    }

    #[test]
    fn line_breaks_and_indentation_have_a_meaning_in_python_and_go() {
        let python = |old: &str, new: &str, expected: &str| check("a.py", old, new, expected);
        python("f(1,2)\n", "f(1, 2)\n", "formatting");
        python("f(1, 2)\n", "f(\n    1,\n    2)\n", "formatting");
        python(
            "if a:\n    b\nc\n",
            "if a:\n    b\n    c\n",
            "line 3: `c` is new or in another place",
        );
        python(
            "if a:\n    b\n",
            "if a:\n  b\n",
            "line 2: a line break or an indentation may have a meaning",
        );
        python(
            "x = \"a\"\n",
            "x = 'a'\n",
            "line 1: `'a'` is new or in another place",
        );
        python(
            "x = f\"{a}\"\n",
            "x = f\"{ a}\"\n",
            "line 1: `f\"{ a}\"` is new or in another place",
        );
        let go = |old: &str, new: &str, expected: &str| {
            check(
                "a.go",
                &format!("package a\n\nfunc f() {{\n{old}}}\n"),
                &format!("package a\n\nfunc f() {{\n{new}}}\n"),
                expected,
            );
        };
        go("\tx:=1\n", "\tx := 1\n", "formatting");
        go("\tg(1, 2)\n", "\tg(1,\n\t\t2)\n", "formatting");
        go(
            "\treturn g()\n",
            "\treturn\n\tg()\n",
            "line 5: `g` is new or in another place",
        );
        check(
            "a.go",
            "//go:build x\n\npackage a\n",
            "//go:build x\npackage a\n",
            "line 2: a line break or an indentation may have a meaning",
        );
    }

    #[test]
    fn other_languages_are_not_parsed() {
        check(
            "a.js",
            "a = 1\n",
            "a  = 1\n",
            "no parser for this language is built in",
        );
    }
}
