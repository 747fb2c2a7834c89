//! Hunks that are proved, and hunks that are not, by language and rule.

use regex::Regex;

use super::super::rules::Rules;
use crate::policy::{FileFacts, Judged, RuleVerdict, judge};
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
        moves: true,
        tests: true,
        comments: Some(Regex::new(r"^(?:(//[/!]?|#) [A-Z][a-z ]*\.)$").unwrap()),
        ..Rules::default()
    };
    let outcome = |judged: Judged| match judged.verdict {
        RuleVerdict::Proven(proof) => proof.rule.name().to_owned(),
        RuleVerdict::Barred(why) => format!("barred: {why}"),
        RuleVerdict::Unproven(why) => why[0].1.clone(),
    };
    let facts = FileFacts {
        real: &|path| Some(path.to_owned()),
        made: &|_| Err("nothing is made".to_owned()),
    };
    let judged = judge(&session, &rules, facts);
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
        "fn f() {}\n/// Doc\nfn g() {}\n",
        "fn f() {}\n/// Dog\nfn g() {}\n",
        "line 2: `/// Dog` is new or in another place",
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
        "// One line.\nfn f() { 1 }\n",
        "// Another one.\nfn f() { 2 }\n",
        &new("// Another one."),
    );
    let go = |old: &str, new: &str, expected: &str| {
        let package = |rest: &str| format!("package a\n\n{rest}");
        check("a.go", &package(old), &package(new), expected);
    };
    let (one, another) = ("// One line.\n", "// Another one.\n");
    let with = |comment: &str, rest: &str| format!("{comment}{rest}");
    go(
        &with(one, "var b = 1\n"),
        &with(another, "var b = 1\n"),
        "comments",
    );
    // C code, the expected output of an example, and build constraints are comments too.
    for rest in ["import \"C\"\n", "func ExampleA() {}\n"] {
        let why = "line 3: `// Another one.` is new or in another place";
        go(&with(one, rest), &with(another, rest), why);
    }
    go(
        "//Export a.\nvar b = 1\n",
        "// Export a.\nvar b = 1\n",
        "line 3: `// Export a.` is new or in another place",
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
fn documentation_is_prose_where_neither_macros_nor_rustdoc_read_it() {
    let rust = |old: &str, new: &str, expected: &str| {
        let comment = |comment: &str| [old, new].map(|text| text.replace("DOC", comment));
        let [old, _] = comment("/// Some words.");
        let [_, new] = comment("/// Other words.");
        check("a.rs", &old, &new, expected);
    };
    let same = |text: &str, expected: &str| rust(text, text, expected);
    let no = |line: usize| format!("line {line}: `/// Other words.` is new or in another place");
    same("DOC\nfn f() {}\n", "comments");
    same("DOC\n#[derive(Debug, Clone)]\nstruct A;\n", "comments");
    same(
        "#[derive(Debug)]\nstruct A {\n    DOC\n    b: u8,\n}\n",
        "comments",
    );
    rust("fn f() {}\n", "DOC\nfn f() {}\n", "comments");
    rust("DOC\nfn f() {}\n", "DOC\nfn f() { }\n", "comments");
    same("DOC\n#[derive(Parser)]\nstruct A;\n", &no(1));
    same("#[derive(Parser)]\n// A word.\nDOC\nstruct A;\n", &no(3));
    same(
        "#[derive(Debug, Parser)]\nstruct A {\n    DOC\n    b: u8,\n}\n",
        &no(3),
    );
    same(
        "struct A {\n    DOC\n    #[arg(long)]\n    b: u8,\n}\n",
        &no(2),
    );
    same(
        "#[a]\nmod a {\n    impl A {\n        DOC\n        fn f() {}\n    }\n}\n",
        &no(4),
    );
    same(
        "m! {\n    DOC\n    fn f() {}\n}\n",
        "line 1: `{` is new or in another place",
    );
    for example in [
        "/// ```",
        "/// ~~~",
        "///     f();",
        "/// -     f();",
        "#[doc = \"```\"]",
    ] {
        same(&format!("DOC\n{example}\nfn f() {{}}\n"), &no(1));
        same(&format!("{example}\nDOC\nfn f() {{}}\n"), &no(2));
    }
    // A blank line has no meaning beside documentation, and beside other comments it may have one.
    check(
        "a.rs",
        "struct A {\n    a: u8,\n    /// B\n    b: u8,\n}\n",
        "struct A {\n    a: u8,\n\n    /// B\n    b: u8,\n}\n",
        "formatting",
    );
    check(
        "a.rs",
        "struct A {\n    a: u8,\n    // B\n    b: u8,\n}\n",
        "struct A {\n    a: u8,\n\n    // B\n    b: u8,\n}\n",
        "line 4: a line break or an indentation may have a meaning",
    );
}

#[test]
fn new_tests_that_reach_nothing_else_are_new_tests() {
    let module = |tests: &str| {
        format!(
            "fn f() {{}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    #[test]\n    fn one() {{\n        f();\n    }}\n{tests}}}\n"
        )
    };
    let rust = |test: &str, expected: &str| check("a.rs", &module(""), &module(test), expected);
    let test = "\n    #[test]\n    fn two() {\n        assert_eq!(f(), ());\n    }\n";
    rust(test, "tests");
    rust(
        &test.replace(
            "    #[test]",
            "    /// Words.\n    #[test]\n    #[should_panic]",
        ),
        "tests",
    );
    // The one before it ends as it does.
    let before = module("").replace(
        "mod tests {\n    use super::*;\n",
        "mod tests {\n    use super::*;\n\n    #[test]\n    fn zero() {\n        f();\n    }\n",
    );
    check("a.rs", &module(""), &before, "tests");
    // A comment behind the end of the test before it, which a diff may show as part of the new one.
    let marked = module(test).replacen("f();\n    }\n", "f();\n    } // nolint\n", 1);
    let no = "line 10: `}` is new or in another place";
    check("a.rs", &module(""), &marked, no);
    rust(&test.replace("#[test]", "#[test] // nolint"), "tests");
    let no = "line 12: `#[test]` is new or in another place";
    rust(&test.replace("two", "f"), no);
    rust(&test.replace("assert_eq!", "other!"), no);
    rust(&test.replace("f(), ()", "other!(), ()"), no);
    rust(&test.replace("f(), ()", "{ use a::b; }, ()"), no);
    for beyond in [
        "impl A for B {}",
        "use a::b;",
        "macro_rules! f { () => {} }",
        "mod m {}",
    ] {
        rust(
            &test.replace("assert", &format!("{beyond}\n        assert")),
            no,
        );
    }
    rust(&test.replace("#[test]", "#[test]\n    #[case(1)]"), no);
    rust(
        &test.replace("#[test]", "#[tokio::test]"),
        "line 12: `#[tokio::test]` is new or in another place",
    );
    rust(
        &test.replace("    #[test]\n", ""),
        "line 12: `fn` is new or in another place",
    );
    rust(&format!("{test}    const A: u8 = 1;\n"), no);
    let go = |path: &str, name: &str, expected: &str| {
        let old = "package a\n\nfunc TestA(t *testing.T) {\n\tf(t)\n}\n";
        check(
            path,
            old,
            &format!("{old}\nfunc {name}(t *testing.T) {{\n\tg(t)\n}}\n"),
            expected,
        );
    };
    let no = "line 7: `func` is new or in another place";
    go("a_test.go", "TestB", "tests");
    go("a.go", "TestB", no);
    go("a_test.go", "helper", no);
    go("a_test.go", "TestMain", no);
    go("a_test.go", "TestA", no);
    let old = "package a\n\nfunc TestA(t *testing.T) {\n\tf(t)\n}\n";
    let new = format!(
        "{}\nfunc TestB(t *testing.T) {{\n\tf(t)\n}}\n",
        old.replace("}\n", "} // nolint\n")
    );
    check(
        "a_test.go",
        old,
        &new,
        "line 5: `}` is new or in another place",
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
    python("x = \"a\"\n", "x = 'a'\n", "formatting");
    python("f('a', b)\n", "f(\n    \"a\",\n    b,\n)\n", "formatting");
    for (old, new) in [
        ("'a\\\\'", "\"a\\\\\""),
        ("b'a'", "b\"a\""),
        ("f'{a}'", "f\"{a}\""),
        ("'''a\nb'''", "\"\"\"a\nb\"\"\""),
        ("(a, b)", "(a, b,)"),
    ] {
        python(
            &format!("x = {old}\n"),
            &format!("x = {new}\n"),
            "formatting",
        );
    }
    for (old, new) in [
        ("''", "\"\"\"\"\"\""),
        ("'a\\'b'", "\"a\\'b\""),
        ("'a\"b'", "\"a\\\"b\""),
        ("b'a'", "\"a\""),
        ("r'\\a'", "\"\\a\""),
        ("'a'", "\"a \""),
    ] {
        let why = format!("line 1: `{new}` is new or in another place");
        python(&format!("x = {old}\n"), &format!("x = {new}\n"), &why);
    }
    for (old, new, first) in [
        ("(a)", "(a,)", "("),
        ("b[a]", "b[a,]", ","),
        ("a", "a,", "a"),
    ] {
        let why = format!("line 1: `{first}` is new or in another place");
        python(&format!("x = {old}\n"), &format!("x = {new}\n"), &why);
    }
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
fn a_comma_before_a_closing_bracket_has_no_meaning_in_lists() {
    let rust = |old: &str, new: &str, expected: &str| check("a.rs", old, new, expected);
    rust(
        "fn f() { g(1, 2) }\n",
        "fn f() {\n    g(\n        1,\n        2,\n    )\n}\n",
        "formatting",
    );
    rust("fn f(a: A<B,>) {}\n", "fn f(a: A<B>,) {}\n", "formatting");
    rust("use a::{b};\n", "use a::{b,};\n", "formatting");
    rust(
        "fn f() { (1) }\n",
        "fn f() { (1,) }\n",
        "line 1: `(` is new or in another place",
    );
    rust(
        "fn f() { g(1) }\n",
        "fn f() { g(1,, ) }\n",
        "line 1 of the file is not understood by the parser",
    );
    rust(
        "fn f() { [1, 2] }\n",
        "fn f() { [1 2] }\n",
        "line 1 of the file is not understood by the parser",
    );
}

/// Lines between two places, so that two hunks are made of a move.
const BETWEEN: &str = "fn c() {\n    1\n}\n\nfn d() {\n    2\n}\n\nfn e() {\n    3\n}\n\n";

#[test]
fn items_of_rust_and_go_may_be_in_any_order() {
    let moved = |item: &str, expected: &str| {
        let (above, below) = (format!("{item}\n{BETWEEN}"), format!("{BETWEEN}{item}\n"));
        check("a.rs", &above, &below, expected);
    };
    let both = "moves; moves";
    moved("fn a() {\n    b()\n}\n", both);
    moved(
        "/// Doc.\n#[derive(Debug)]\nstruct A {\n    b: u8,\n}\n",
        both,
    );
    moved("// A word.\n#[test]\nfn a() {\n    b()\n}\n", both);
    // What a macro may see, what later lines need before them, and what begins a run of its own.
    let not = "line 1: something is removed; line 13: `fn` is new or in another place";
    let not_of = |first: &str| not.replace("`fn`", &format!("`{first}`"));
    for (item, first) in [
        ("#[ctor]\nfn a() {\n    b()\n}\n", "#[ctor]"),
        ("macro_rules! a {\n    () => {};\n}\n", "macro_rules! a {"),
        ("mod a {\n    fn b() {}\n}\n", "mod"),
        ("b! {\n    a\n}\n", "b"),
        ("// A word.\n\nfn a() {\n    b()\n}\n", "// A word."),
    ] {
        moved(item, &not_of(first));
    }
    let item = "fn a() {\n    b()\n}\n\n";
    // Not across a macro.
    let across = BETWEEN.replace("fn d()", "macro_rules! d { () => {} }\nfn d()");
    check(
        "a.rs",
        &format!("{item}{across}"),
        &format!("{across}{item}"),
        "line 1: something is removed; line 14: `fn` is new or in another place",
    );
    // Not below an attribute that may be a macro.
    let within = |attribute: &str, items: &str| format!("{attribute}impl A {{\n{items}}}\n");
    let (above, below) = (format!("{item}{BETWEEN}"), format!("{BETWEEN}{item}"));
    check("a.rs", &within("", &above), &within("", &below), both);
    check(
        "a.rs",
        &within("#[tool]\n", &above),
        &within("#[tool]\n", &below),
        "line 3: something is removed; line 15: `fn` is new or in another place",
    );
    // Not with another change in the item.
    check(
        "a.rs",
        &above,
        &below.replace("b()", "bb()"),
        "line 1: something is removed; line 13: `fn` is new or in another place",
    );
    // Beside another change elsewhere.
    check(
        "a.rs",
        &above,
        &below.replace("    2\n", "    22\n"),
        "moves; line 6: `22` is new or in another place; moves",
    );
    let go = |item: &str, expected: &str| {
        let between = BETWEEN.replace("fn", "func");
        let above = format!("package a\n\n{item}\n{between}");
        check(
            "a.go",
            &above,
            &format!("package a\n\n{between}{item}\n"),
            expected,
        );
    };
    go("// Doc.\nfunc a() {\n\tb()\n}\n", both);
    go("type A struct {\n\tb int\n}\n", both);
    go(
        "func init() {\n\tb()\n}\n",
        "line 3: something is removed; line 15: `func` is new or in another place",
    );
    go(
        "var a = b()\n",
        "line 3: something is removed; line 15: `var` is new or in another place",
    );
    // Definitions of Python are statements.
    let python = BETWEEN
        .replace("fn", "def")
        .replace(" {", ":")
        .replace("}\n", "");
    let item = "def a():\n    b()\n\n";
    check(
        "a.py",
        &format!("{item}{python}"),
        &format!("{python}{item}"),
        "line 1: something is removed; line 10: `def` is new or in another place",
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
