//! Imports, items, and new tests.

use super::{asked, check};

/// Lines between two places, so that two hunks are made of a move.
const BETWEEN: &str = "fn c() {\n    1\n}\n\nfn d() {\n    2\n}\n\nfn e() {\n    3\n}\n\n";

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

/// Comments of Go that a compiler or a tool of its own reads, and texts with lines that `go generate` takes for one.
const DIRECTIVES: [&str; 7] = [
    "//go:generate sh -c \"x\"",
    "//go:linkname a b",
    "//line a.go:5",
    "/*line a.go:5:1*/",
    "//export A",
    "// +build x",
    "/*\n//go:generate x\n*/",
];

#[test]
fn a_new_test_has_no_directive() {
    let old = "package a\n\nfunc TestA(t *testing.T) {\n\tf(t)\n}\n";
    let go = |above: &str, body: &str, expected: &str| {
        let new = format!("{old}\n{above}func TestB(t *testing.T) {{\n{body}}}\n");
        check("a_test.go", old, &new, expected);
    };
    let no = |text: &str| format!("line 7: `{text}` is new or in another place");
    for directive in DIRECTIVES {
        let first = directive.lines().next().unwrap_or_default();
        go(&format!("{directive}\n"), "\tf(t)\n", &no(first));
        for body in [
            format!("{directive}\n"),
            format!("\tf(t) {directive}\n"),
            format!("\tif a {{\n\t\t{directive}\n\t}}\n"),
        ] {
            go("", &body, &no("func"));
        }
    }
    go("", "\tf(`\n//go:generate x\n`)\n", &no("func"));
    go(
        "// Words.\n",
        "\t// Words.\n\tf(`a //go:generate x`) // Words.\n",
        "tests",
    );
    go(
        "// Words.\n\n",
        "\tf(\"http://a:1/b\") /* words */\n",
        "tests",
    );
    // A test is not put between an item and its directive or attribute.
    let test = "func TestA(t *testing.T) {}\n";
    for between in ["", "\n"] {
        let with =
            |test: &str| format!("package a\n\n//go:noinline\n{between}{test}func f() {{}}\n");
        let line = 4 + between.len();
        let no = format!("line {line}: `func` is new or in another place");
        check(
            "a_test.go",
            &with(""),
            &with(&format!("{test}{between}")),
            &no,
        );
    }
    for attribute in ["#[my_attr]\n", "#[my_attr]\n// Words.\n"] {
        let with = |test: &str| format!("{attribute}{test}fn f() {{}}\n");
        let line = 1 + attribute.matches('\n').count();
        let no = format!("line {line}: `#[test]` is new or in another place");
        check("a.rs", &with(""), &with("#[test]\nfn t() {}\n"), &no);
    }
}

#[test]
fn the_order_of_directives_and_tests_of_go_is_kept() {
    let go = |items: [&str; 2], expected: &str| {
        let [one, two] = items;
        check(
            "a_test.go",
            &format!("package a\n\n{one}\n{two}"),
            &format!("package a\n\n{two}\n{one}"),
            expected,
        );
    };
    let names = |old: &str, new: &str| {
        let function = |name: &str| format!("func {name}() {{\n\tc()\n}}\n");
        [function(old), function(new)]
    };
    let in_rows = |path: &str, old: [&str; 4], new: [&str; 4]| {
        asked(path, &old.concat(), &new.concat());
    };
    let [a, b] = names("a", "b");
    go([&a, &b], "moves; moves");
    go([&format!("// Words.\n{a}"), &b], "moves; moves");
    for kind in ["Test", "Benchmark", "Fuzz", "Example"] {
        let [a, b] = names(&format!("{kind}A"), &format!("{kind}B"));
        in_rows(
            "a_test.go",
            ["package a\n\n", &a, "\n", &b],
            ["package a\n\n", &b, "\n", &a],
        );
    }
    for directive in DIRECTIVES {
        let above = format!("{directive}\n{a}");
        let below = format!("{directive}\n{b}");
        in_rows(
            "a.go",
            ["package a\n\n", &above, "\n", &below],
            ["package a\n\n", &below, "\n", &above],
        );
        in_rows(
            "a.go",
            ["package a\n\n", &above, "\n", &b],
            ["package a\n\n", &b, "\n", &above],
        );
        let within = a.replace("c()", &format!("c()\n{directive}"));
        in_rows(
            "a.go",
            ["package a\n\n", &within, "\n", &b],
            ["package a\n\n", &b, "\n", &within],
        );
        // The comment stays where it is, and gets another item.
        for between in ["", "\n"] {
            let above = format!("package a\n\n{directive}\n{between}");
            in_rows("a.go", [&above, &a, "\n", &b], [&above, &b, "\n", &a]);
        }
    }
    for attribute in ["#[my_attr]\n", "#[my_attr]\n// Words.\n", "#[cfg(a)]\n"] {
        let [a, b] = ["fn a() {\n    1\n}\n", "fn b() {\n    1\n}\n"];
        in_rows("a.rs", [attribute, a, "\n", b], [attribute, b, "\n", a]);
        in_rows(
            "a.rs",
            [attribute, "use b;\nuse a;\n", "", ""],
            [attribute, "use a;\nuse b;\n", "", ""],
        );
    }
    for above in ["//! Words.\n\n", "// Words.\n", "#[a]\nmod b; // Words.\n"] {
        let with = |uses: &str| format!("{above}{uses}");
        let (old, new) = (with("use b;\nuse a;\n"), with("use a;\nuse b;\n"));
        check("a.rs", &old, &new, "imports");
    }
    asked(
        "a.rs",
        "/// Words.\npub use b;\npub use a;\n",
        "/// Words.\npub use a;\npub use b;\n",
    );
}
