//! Layout: blanks, line breaks and commas.

use super::check;

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
