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

#[test]
fn a_comma_without_an_element_before_it_has_a_meaning() {
    let no = "line 1: `,` is new or in another place";
    for (old, new, expected) in [
        ("fn f() { g() }", "fn f() { g(,) }", no),
        ("fn f() { g(/* a */) }", "fn f() { g(/* a */,) }", no),
        (
            "fn f() { g(1 /* a */) }",
            "fn f() { g(1 /* a */,) }",
            "formatting",
        ),
        ("fn f() { [] }", "fn f() { [,] }", no),
        ("fn f() { [1] }", "fn f() { [1,] }", "formatting"),
        ("struct A {}", "struct A {,}", no),
        ("struct A { a: u8 }", "struct A { a: u8, }", "formatting"),
        ("enum A {}", "enum A {,}", no),
        ("fn f() {}", "fn f(,) {}", no),
        ("fn f(self) {}", "fn f(self,) {}", "formatting"),
        ("use a::{};", "use a::{,};", no),
        ("fn f() { A { a, ..b } }", "fn f() { A { a, ..b, } }", no),
        (
            "fn f() { A { a, b } }",
            "fn f() { A { a, b, } }",
            "formatting",
        ),
        (
            "fn f() { let A { a, .. } = b; }",
            "fn f() { let A { a, .., } = b; }",
            no,
        ),
        (
            "fn f() { let A { a, b } = b; }",
            "fn f() { let A { a, b, } = b; }",
            "formatting",
        ),
    ] {
        check("a.rs", &format!("{old}\n"), &format!("{new}\n"), expected);
    }
    let none = "line 1 of the file is not understood by the parser";
    for (old, new, expected) in [
        ("f()", "f(,)", no),
        ("f(a)", "f(a,)", "formatting"),
        ("f(**a)", "f(**a,)", "formatting"),
        ("f(a for a in b)", "f(a for a in b,)", no),
        ("x = {}", "x = {,}", no),
        ("x = {a: b}", "x = {a: b,}", "formatting"),
        ("x = []", "x = [,]", none),
        ("x = ()", "x = (,)", none),
        ("def f(): pass", "def f(,): pass", none),
        (
            "def f(a, *, b): pass",
            "def f(a, *, b,): pass",
            "formatting",
        ),
    ] {
        check("a.py", &format!("{old}\n"), &format!("{new}\n"), expected);
    }
}

#[test]
fn items_that_a_macro_gets_keep_their_tokens() {
    let rust = |attribute: &str, old: &str, new: &str, expected: &str| {
        let with = |item: &str| format!("{attribute}\n{item}\n");
        check("a.rs", &with(old), &with(new), expected);
    };
    let comma = "line 2: `,` is new or in another place";
    let blank = "line 2: a blank between two signs or two words may have a meaning";
    let import = "line 2: `a` is new or in another place";
    let (call, more) = ("fn f() { g(a, b) }", "fn f() { g(a, b,) }");
    let (sign, apart) = ("fn f() { a?; b }", "fn f() { a? ; b }");
    let (ordered, swapped) = ("mod m { use b; use a; }", "mod m { use a; use b; }");
    for (attribute, of_comma, of_sign, of_import) in [
        ("#[derive(X)]", comma, blank, import),
        ("#[derive(Debug, X)]", comma, blank, import),
        ("#[my_attr]", comma, blank, import),
        ("#[my::attr]\n// A word.\n#[inline]", comma, blank, import),
        ("#[cfg_attr(a, b)]", comma, blank, import),
        ("#[inline]", "formatting", "formatting", "imports"),
        (
            "#[derive(Debug, Clone)]",
            "formatting",
            "formatting",
            "imports",
        ),
        (
            "#[my_attr]\nfn e() {}\n",
            "formatting",
            "formatting",
            "imports",
        ),
    ] {
        let line = 2 + attribute.matches('\n').count();
        let at = |why: &str| why.replace("line 2", &format!("line {line}"));
        rust(attribute, call, more, &at(of_comma));
        rust(attribute, sign, apart, &at(of_sign));
        rust(attribute, ordered, swapped, &at(of_import));
        rust(attribute, "fn f() { g( a, b ) }", call, "formatting");
        rust(
            attribute,
            "fn f() {\ng(a)\n}",
            "fn f() {\n    g(a)\n}",
            "formatting",
        );
    }
    rust("#[derive(X)]", "struct A(u8);", "struct A(u8,);", comma);
    rust(
        "#[derive(Debug)]",
        "struct A(u8);",
        "struct A(u8,);",
        "formatting",
    );
    // Also in items within it.
    let within = |item: &str| format!("mod m {{ impl A {{ {item} }} }}");
    rust("#[my_attr]", &within(call), &within(more), comma);
}

#[test]
fn the_first_byte_and_the_first_column_have_a_meaning() {
    let no =
        |line: usize| format!("line {line}: a line break or an indentation may have a meaning");
    let rust = "fn f() {}\n";
    check(
        "a.rs",
        &format!("#!/bin/x\n{rust}"),
        &format!("\n#!/bin/x\n{rust}"),
        &no(2),
    );
    for first in ["#![allow(a)]", "//! Words", "use a;"] {
        check(
            "a.rs",
            &format!("{first}\n{rust}"),
            &format!("\n{first}\n{rust}"),
            "formatting",
        );
    }
    check("a.py", "#!/bin/x\na\n", "\n#!/bin/x\na\n", &no(2));
    // A directive of Go is one at the first column only.
    let go = |old: &str, new: &str, expected: &str| {
        check(
            "a.go",
            &format!("package a\n\n{old}\n"),
            &format!("package a\n\n{new}\n"),
            expected,
        );
    };
    for comment in [
        "//go:generate x",
        "//line x.go:5",
        "//export f",
        "// +build x",
    ] {
        let f = "func f() {}";
        go(
            &format!("{comment}\n{f}"),
            &format!(" {comment}\n{f}"),
            &no(3),
        );
        go(
            &format!("\t{comment}\n{f}"),
            &format!("{comment}\n{f}"),
            &no(3),
        );
        go(
            &format!("\t{comment}\n{f}"),
            &format!("  {comment}\n{f}"),
            "formatting",
        );
        let within = |indent: &str| format!("func f() {{\n{indent}{comment}\n}}");
        go(&within("\t"), &within(""), &no(4));
    }
    check(
        "a.go",
        "\t//go:build x\n\npackage a\n",
        "//go:build x\n\npackage a\n",
        &no(1),
    );
}
