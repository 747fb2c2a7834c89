//! Whole files with what tools put around them: the file that is there says whether it is meant.

use crate::outcome::check;

/// What writing a text makes of a file.
#[track_caller]
fn writes(name: &str, before: Option<&str>, text: &str, after: &str) {
    let before: Vec<(&str, &str)> = before.map(|text| (name, text)).into_iter().collect();
    let json = serde_json::json!({ "file_path": name, "content": text }).to_string();
    check(&before, &json, &[(name, after)], &[]);
    let xml = format!(
        "<write_to_file>\n<path>{name}</path>\n<content>\n{text}</content>\n</write_to_file>\n"
    );
    check(&before, &xml, &[(name, after)], &[]);
}

#[test]
fn numbers_before_all_lines_are_left_out() {
    writes("f.rs", None, "1 | fn a() {\n2 | }\n", "fn a() {\n}\n");
    writes("f.rs", Some("b\n"), " 1 | a\n 2 |\n", "a\n\n");
    writes("f.rs", Some("b\n"), "     1→a\n     2→b\n", "a\nb\n");
    // The file has numbers of its own.
    let table = "1 | ant\n2 | bee\n";
    writes("f.txt", Some("1 | ant\n"), table, table);
    // Not all lines have one.
    writes("f.txt", None, "1 | ant\nbee\n", "1 | ant\nbee\n");
}

#[test]
fn a_fence_around_the_text_is_left_out() {
    writes("f.rs", None, "```rust\nfn a() {}\n```\n", "fn a() {}\n");
    writes("f.rs", Some("b\n"), "~~~\na\n~~~\n", "a\n");
    let markdown = "```rust\nfn a() {}\n```\n";
    writes("f.md", None, markdown, markdown);
    writes(
        "f.txt",
        Some("```rust\nfn b() {}\n```\n"),
        markdown,
        markdown,
    );
}

#[test]
fn a_line_of_the_file_is_text_whatever_it_says() {
    let json = |text: &str| serde_json::json!({ "file_path": "f.rs", "content": text }).to_string();
    let elided = json("fn a() {}\n// ... existing code ...\n");
    // The file has the line: it is a comment.
    let before = [("f.rs", "fn b() {}\n// ... existing code ...\n")];
    let after = [("f.rs", "fn a() {}\n// ... existing code ...\n")];
    check(&before, &elided, &after, &[]);
    // A body of dots is a body.
    let stub = json("def a():\n    ...\n");
    check(&before, &stub, &[("f.rs", "def a():\n    ...\n")], &[]);
}
