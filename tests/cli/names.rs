//! Names that are not those of the files: leading folders, subfolders, wrong folders, blanks.

use std::path::Path;

use tempfile::TempDir;

use crate::run_in;

/// A diff of one file; `names` are the old and the new one.
fn diff(names: &str) -> String {
    let (old, new) = names.split_once(' ').unwrap();
    format!("--- {old}\n+++ {new}\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n")
}

/// Makes files of the lines `one` and `two`, and a file with the edit.
fn tree(files: &[&str], edit: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    for file in files {
        let path = place.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "one\ntwo\n").unwrap();
    }
    std::fs::write(place.path().join("e"), edit).unwrap();
    place
}

fn read(place: &Path, file: &str) -> String {
    std::fs::read_to_string(place.join(file)).unwrap()
}

#[test]
fn leading_folders_are_removed_by_number_or_on_evidence() {
    let check = |names: &str, options: &[&str], expected: bool| {
        let place = tree(&["src/a"], &diff(names));
        let arguments: Vec<&str> = ["apply", "e"]
            .into_iter()
            .chain(options.iter().copied())
            .collect();
        let (code, out, _) = run_in(place.path(), &[], &arguments);
        let applied = read(place.path(), "src/a") == "one\nTWO\n";
        assert_eq!(
            (code == Some(0), applied),
            (expected, expected),
            "{names} {options:?}: {out}"
        );
    };
    check("a/src/a b/src/a", &[], true);
    check("a/src/a b/src/a", &["-p1"], true);
    check("a/src/a b/src/a", &["-p", "0"], false);
    check("v/p.orig/src/a v/p/src/a", &["--strip", "2"], true);
    check("p.orig/src/a p/src/a", &[], true);
    check("trunk/src/a trunk/src/a", &[], true);
    check("trunk/src/a trunk/src/a", &["-p", "0"], false);
}

#[test]
fn the_option_is_named_where_two_numbers_fit() {
    let place = tree(&["src/a", "a"], &diff("trunk/src/a trunk/src/a"));
    let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
    assert_eq!(code, Some(2));
    assert!(
        out.contains("with `-p 1` it is `src/a`, with `-p 2` it is `a`"),
        "{out}"
    );
    // The root of an absolute name counts as a part, as it does for `patch`.
    let place = tree(&["src/a"], &diff("/tmp/v/1/src/a /tmp/v/2/src/a"));
    let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
    assert_eq!(code, Some(2));
    assert!(out.contains("with `-p 4` it is `src/a`"), "{out}");
    let (code, _, _) = run_in(place.path(), &[], &["apply", "-p4", "e"]);
    assert_eq!(code, Some(0));
}

#[test]
fn below_the_top_of_a_repository_files_are_found_or_the_root_is_named() {
    let place = tree(&[".git/HEAD", "sub/a", "docs/b"], "");
    let apply = |names: &str| {
        std::fs::write(place.path().join("e"), diff(names)).unwrap();
        run_in(&place.path().join("sub"), &[], &["apply", "../e"])
    };
    let (code, out, _) = apply("a/docs/b b/docs/b");
    assert_eq!(code, Some(2));
    assert!(out.contains("`--root ..`"), "{out}");
    assert_eq!(apply("a/sub/a b/sub/a").0, Some(0));
    assert_eq!(read(place.path(), "sub/a"), "one\nTWO\n");
}

#[test]
fn a_file_of_the_same_name_is_suggested() {
    let edit = "lib/a\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n";
    let place = tree(&["src/lib/a", "a"], edit);
    let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
    assert_eq!(code, Some(2));
    assert!(
        out.contains("there is no such file; did you mean `src/lib/a`?"),
        "{out}"
    );
}

#[test]
fn a_coloured_diff_is_read() {
    let coloured = "\x1b[1m--- a/a\x1b[m\n\x1b[1m+++ b/a\x1b[m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[m\n one\n\x1b[31m-two\x1b[m\n\x1b[32m+\x1b[m\x1b[32mTWO\x1b[m\n";
    let place = tree(&["a"], coloured);
    let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
    assert_eq!(code, Some(0), "{out}");
    assert_eq!(read(place.path(), "a"), "one\nTWO\n");
    std::fs::write(
        place.path().join("e"),
        coloured.replace("TWO", "T\x1b[0mWO"),
    )
    .unwrap();
    let (code, _, err) = run_in(place.path(), &[], &["apply", "e"]);
    assert_eq!(code, Some(3));
    assert!(
        err.contains("escape sequences in line 6") && err.contains("--no-color"),
        "{err}"
    );
}

#[test]
fn blanks_of_a_name_belong_to_it_in_json_and_not_in_prose() {
    let call = |name: &str, path: &str, rest: &str| {
        format!(r#"{{"name":"{name}","input":{{"path":"{path}"{rest}}}}}"#)
    };
    let edit = r#","old_str":"two","new_str":"TWO""#;
    let patch = r#","diff":"@@ -1,2 +1,2 @@\n one\n-two\n+TWO""#;
    let check = |edit: &str, expected: [&str; 2]| {
        let place = tree(&["a", " a"], edit);
        let (_, out, error) = run_in(place.path(), &[], &["apply", "e"]);
        let text = |name: &str| {
            let text = std::fs::read_to_string(place.path().join(name));
            text.unwrap_or_default().replace('\n', " ")
        };
        assert_eq!(["a", " a"].map(text), expected, "{edit}\n{out}{error}");
        assert!(!place.path().join("a ").exists(), "{edit}");
    };
    let (old, new) = ("one two ", "one TWO ");
    check(&call("str_replace", "a", edit), [new, old]);
    check(&call("str_replace", " a", edit), [old, new]);
    check(&call("str_replace", "a ", edit), [old, old]);
    check(&call("apply_diff", " a", patch), [old, new]);
    check(&call("delete_path", "a ", ""), [old, old]);
    check(&call("delete_path", " a", ""), [old, ""]);
    check(&call("delete_path", " ", ""), [old, old]);
    let block = "<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n";
    check(&format!("a \n{block}"), [new, old]);
    check(&diff("a/a b/a"), [new, old]);
    for [open, close] in [["> ", " <"], [">\n", "\n<"], [">", "<"]] {
        let parameter = |name: &str, text: &str| {
            format!("<parameter name=\"{name}\"{open}{text}{close}/parameter>\n")
        };
        let fields = parameter("file_path", "a")
            + "<parameter name=\"old_string\">two</parameter>\n"
            + "<parameter name=\"new_string\">TWO</parameter>\n";
        check(
            &format!("<invoke name=\"Edit\">\n{fields}</invoke>\n"),
            [new, old],
        );
    }
    check(
        "<delete_file>\n<path> a </path>\n</delete_file>\n",
        ["", old],
    );
}

#[test]
fn a_blank_at_the_end_of_a_name_is_of_the_name() {
    let git =
        "diff --git a/end  b/end \n--- a/end \t\n+++ b/end \t\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n";
    let deleted = "diff --git a/end  b/end \ndeleted file mode 100644\n--- a/end \t\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";
    let renamed =
        "diff --git a/end  b/other\nsimilarity index 100%\nrename from end \nrename to other\n";
    let envelope = "*** Begin Patch\n*** Update File: end \n@@\n one\n-two\n+TWO\n*** End Patch\n";
    for edit in [git, deleted, renamed, envelope] {
        let place = tree(&["end", "end "], edit);
        let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
        assert_eq!(code, Some(0), "{edit}{out}");
        assert_eq!(read(place.path(), "end"), "one\ntwo\n", "{edit}");
        let changed = std::fs::read_to_string(place.path().join("end "));
        assert_ne!(changed.ok().as_deref(), Some("one\ntwo\n"), "{edit}");
    }
    for edit in [git, deleted, renamed] {
        // The name without the blank is that of another file.
        let place = tree(&["end"], edit);
        let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
        assert_eq!(code == Some(0), edit == deleted, "{edit}{out}");
        assert_eq!(read(place.path(), "end"), "one\ntwo\n", "{edit}");
    }
    // Codex knows no name with a blank at its end.
    let place = tree(&["end"], envelope);
    assert_eq!(run_in(place.path(), &[], &["apply", "e"]).0, Some(0));
    // Blanks around a name in marks are none of it.
    let marked = envelope.replace("end ", "`end` ");
    let place = tree(&["end"], &marked);
    assert_eq!(run_in(place.path(), &[], &["apply", "e"]).0, Some(0));
}

#[test]
fn names_in_a_log_begin_in_the_folder_that_it_records() {
    let codex = r#"{"type":"session_meta","payload":{"id":"x","cwd":"CWD"}}
{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+TWO\n*** End Patch"}}
"#;
    let claude = r#"{"type":"assistant","cwd":"CWD","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"a","old_string":"two","new_string":"TWO"}}]}}
"#;
    let shell = r#"{"type":"assistant","cwd":"CWD","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"cat > a <<'E'\none\nTWO\nE"}}]}}
"#;
    let text = r#"{"type":"assistant","cwd":"CWD","message":{"role":"assistant","content":[{"type":"text","text":"a\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n"}]}}
"#;
    for log in [codex, claude, shell, text] {
        let check = |cwd: &dyn Fn(&Path) -> String, changed: Option<&str>| {
            let place = tree(&["r/a", "r/sub/a", "other/a"], "");
            let root = place.path().join("r");
            if changed.is_none() {
                std::fs::rename(root.join("a"), root.join("b")).unwrap();
            }
            let cwd = cwd(place.path());
            std::fs::write(place.path().join("e"), log.replace("CWD", &cwd)).unwrap();
            let (code, out, _) = run_in(&root, &[], &["apply", "../e"]);
            assert_eq!(code == Some(0), changed.is_some(), "{cwd} {log}{out}");
            for file in ["r/a", "r/sub/a", "other/a"] {
                let text = std::fs::read_to_string(place.path().join(file));
                let is_changed = text.is_ok_and(|text| text == "one\nTWO\n");
                assert_eq!(is_changed, changed == Some(file), "{cwd} {log}{out}");
            }
            if changed.is_none() {
                assert!(out.contains("--root"), "{out}");
            }
        };
        let inside = |place: &Path, folder: &str| place.join(folder).to_str().unwrap().to_owned();
        check(&|place| inside(place, "r"), Some("r/a"));
        check(&|place| inside(place, "r/sub"), Some("r/sub/a"));
        // The root may be another checkout of the same project.
        check(&|place| inside(place, "other"), Some("r/a"));
        check(&|place| inside(place, "other"), None);
        // The log of another machine.
        check(&|_| "/no/such/folder".to_owned(), Some("r/a"));
    }
}

#[test]
fn a_url_is_no_name_below_the_root() {
    let check = |name: &str, expected: bool| {
        let place = tree(&["a"], "");
        let name = name.replace("ROOT", place.path().to_str().unwrap());
        let call = format!(
            r#"{{"name":"Edit","input":{{"file_path":"{name}","old_string":"two","new_string":"2"}}}}"#
        );
        std::fs::write(place.path().join("e"), call).unwrap();
        let (code, out, _) = run_in(place.path(), &[], &["apply", "e"]);
        assert_eq!(code == Some(0), expected, "{name} {out}");
        assert_eq!(
            read(place.path(), "a") == "one\n2\n",
            expected,
            "{name} {out}"
        );
        assert!(!place.path().join("file:").exists());
        if !expected {
            assert!(out.contains("is outside the root"), "{out}");
        }
    };
    check("file://ROOT/a", true);
    check("file://localhostROOT/a", true);
    check("file:///a", false);
    check("file://ROOT/%61", false);
    check("https://example.org/a", false);
}
