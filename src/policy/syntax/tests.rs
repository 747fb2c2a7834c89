//! Hunks that are proved, and hunks that are not, by language and rule.

use regex::Regex;

use super::super::rules::Rules;
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
