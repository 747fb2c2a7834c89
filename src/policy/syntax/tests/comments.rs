//! Comments and documentation.

use super::{asked, check};

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
fn documentation_is_of_an_item_and_does_not_disappear() {
    let rust = |old: &str, new: &str, expected: &str| check("a.rs", old, new, expected);
    let rust_asks = |old: &str, new: &str| asked("a.rs", old, new);
    let (outer, inner) = ("/// Some words.\n", "//! Some words.\n");
    for around in [
        "fn f() {}\nINNERfn g() {}\n",
        "INNERfn g() {}\n",
        "struct A {\n    a: u8,\n    OUTER}\n",
        "fn f() {\n    g();\n    OUTER}\n",
        "fn f() {\n    OUTER    g();\n}\n",
        "fn f() {\n    OUTER    let a = 1;\n}\n",
        "fn f() {}\nOUTER",
        "fn f(\nOUTERa: u8) {}\n",
        "struct A(\nOUTERu8);\n",
        "fn f() { if a {}\nOUTERelse {} }\n",
        "OUTERm! {}\n",
        "pub\nOUTERfn f() {}\n",
        "OUTER#![allow(a)]\nfn f() {}\n",
    ] {
        let with = |outer: &str, inner: &str| {
            let around = around.replace("OUTER", outer);
            around.replace("INNER", inner)
        };
        rust_asks(&with("", ""), &with(outer, inner));
    }
    for around in [
        "OUTERfn f() {}\n",
        "OUTER#[inline]\n// nolint\npub fn f() {}\n",
        "#[inline]\nOUTERfn f() {}\n",
        "struct A {\n    OUTER    pub a: u8,\n}\n",
        "enum A {\n    B,\n    OUTER    C(u8),\n}\n",
        "trait A {\n    OUTER    fn f();\n}\n",
        "fn f() {\n    OUTER    const A: u8 = 1;\n}\n",
        "OUTERmod a;\n",
    ] {
        let with = |outer: &str| around.replace("OUTER", outer);
        rust(&with(""), &with(outer), "comments");
        rust_asks(&with(outer), &with(""));
        let twice = with(&outer.repeat(2));
        rust(&with(outer), &twice, "comments");
        rust(&twice, &with(outer), "comments");
        rust(&with(outer), &with("/// Other words.\n"), "comments");
    }
    // Beside documentation that is not prose.
    for other in ["/// `a`\n", "/// 1\n"] {
        let item = format!("{other}fn f() {{}}\n");
        let above = format!("{outer}{item}");
        let below = format!("{other}{outer}fn f() {{}}\n");
        rust(&item, &above, "comments");
        rust(&above, &item, "comments");
        rust(&item, &below, "comments");
        rust(&below, &item, "comments");
    }
    rust(inner, &inner.repeat(2), "comments");
    rust(&inner.repeat(2), inner, "comments");
    rust(
        &format!("{inner}#![allow(a)]\n"),
        "//! Other words.\n#![allow(a)]\n",
        "comments",
    );
    rust_asks(
        &format!("{inner}#![doc = \"```\"]\n"),
        "//! Other words.\n#![doc = \"```\"]\n",
    );
    // Four signs are none.
    rust(
        "fn f() {\n    g();\n}\n",
        "fn f() {\n    g();\n    // Some words.\n}\n",
        "comments",
    );
}

#[test]
fn a_blank_line_below_a_comment_is_kept() {
    let go = |old: &str, new: &str, expected: &str| {
        check(
            "a.go",
            &format!("{old}package a\n"),
            &format!("{new}package a\n"),
            expected,
        );
    };
    let go_asks = |old: &str, new: &str| {
        asked(
            "a.go",
            &format!("{old}package a\n"),
            &format!("{new}package a\n"),
        );
    };
    let (one, two) = ("// One line.\n", "// Other words.\n");
    for above in ["// +build x\n", "//go:build x\n", "//nolint\n"] {
        let with = |below: &[&str]| format!("{above}{}", below.concat());
        go_asks(&with(&[one, "\n\n"]), &with(&[one, two]));
        go_asks(&with(&["\n"]), &with(&[one]));
        go_asks(&with(&[one, "\n\n"]), &with(&[one, two, two]));
        go_asks(&with(&["\n\n"]), &with(&[one, two]));
        go_asks(&with(&[]), &with(&[one]));
        go(&with(&[one, "\n"]), &with(&[two, "\n"]), "comments");
        go(&with(&[one, "\n"]), &with(&[one, two, "\n"]), "comments");
        go(&with(&[one, "\n"]), &with(&[one, "\n\n"]), "formatting");
    }
    check(
        "a.go",
        "package a\n\nimport `C`\n\n// One line.\nvar b = 1\n",
        "package a\n\nimport `C`\n\n// Other words.\nvar b = 1\n",
        "line 5: `// Other words.` is new or in another place",
    );
}
