//! A batch that is sent again, after its commit and after other changes.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::run_in;

/// The second block leaves what it looks for, and so does the first: what they leave does not tell whether they were applied.
const EDIT: &str = "\
a.txt
<<<<<<< SEARCH
:start_line:1
-------

}
b
=======

a

}
b
>>>>>>> REPLACE

a.txt
<<<<<<< SEARCH
:start_line:5
-------
}
b
=======
}
c
b
>>>>>>> REPLACE
";

/// Sends the edit; gives the exit code and what the file holds then.
fn send(place: &Path) -> (Option<i32>, String) {
    let (code, _, _) = run_in(
        place,
        &[],
        &["apply", "--confidence", "hinted", "--root", "root", "edit"],
    );
    let text = fs::read_to_string(place.join("root/a.txt")).unwrap();
    (code, text.replace('\n', "|"))
}

#[test]
fn an_edit_that_leaves_no_trace_is_known_by_what_it_was_written_over() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("root/a.txt");
    fs::create_dir(place.path().join("root")).unwrap();
    fs::write(&file, "\n}\nb\na\n}\nb\n").unwrap();
    fs::write(place.path().join("edit"), EDIT).unwrap();
    let written = "|a||}|b|a|}|c|b|";
    assert_eq!(send(place.path()), (Some(0), written.to_owned()));
    assert_eq!(send(place.path()), (Some(0), written.to_owned()));

    // What is taken back may be written again.
    let (code, _, _) = run_in(place.path(), &[], &["undo", "--root", "root"]);
    assert_eq!(code, Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), "\n}\nb\na\n}\nb\n");
    assert_eq!(send(place.path()), (Some(0), written.to_owned()));
    assert_eq!(send(place.path()), (Some(0), written.to_owned()));

    // It is the file that counts, not that the edit was seen before.
    fs::write(&file, "\n}\nb\na\n}\nb\n").unwrap();
    assert_eq!(send(place.path()), (Some(0), written.to_owned()));
}

/// A block is moved: removed here and added there. Then the file changes elsewhere, and the edits are sent again.
#[test]
fn a_batch_is_known_after_the_file_has_changed_elsewhere() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("root/a.txt");
    fs::create_dir(place.path().join("root")).unwrap();
    fs::write(
        &file,
        "group A\n  one = 1\n  two = 2\n\ngroup B\n  x = 1\n\ngroup C\n",
    )
    .unwrap();
    let edit = "\
a.txt
<<<<<<< SEARCH
  one = 1
  two = 2
=======
>>>>>>> REPLACE

a.txt
<<<<<<< SEARCH
group B
=======
group B
  one = 1
  two = 2
>>>>>>> REPLACE
";
    fs::write(place.path().join("edit"), edit).unwrap();
    let moved = "group A||group B|  one = 1|  two = 2|  x = 1||group C|";
    assert_eq!(send(place.path()), (Some(0), moved.to_owned()));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}  y = 2\n")).unwrap();
    assert_eq!(send(place.path()), (Some(0), format!("{moved}  y = 2|")));
    // Another batch comes between.
    let other = "a.txt\n<<<<<<< SEARCH\n  y = 2\n=======\n  y = 3\n>>>>>>> REPLACE\n";
    fs::write(place.path().join("edit"), other).unwrap();
    assert_eq!(send(place.path()), (Some(0), format!("{moved}  y = 3|")));
    fs::write(place.path().join("edit"), edit).unwrap();
    assert_eq!(send(place.path()), (Some(0), format!("{moved}  y = 3|")));
}

/// Each call is carried out on the result of the one before. What they left must not be taken for what they were made from.
#[test]
fn calls_that_build_on_each_other_are_known() {
    let insert = |text: &str| {
        format!(
            r#"{{"name": "str_replace_based_edit_tool", "input": {{"command": "insert", "path": "a.txt", "insert_line": 1, "insert_text": "{text}\n"}}}}"#
        )
    };
    let replace = r#"{"name": "Edit", "input": {"file_path": "a.txt", "old_string": "one()", "new_string": "uno()"}}"#;
    let check = |calls: &[String], written: &str| {
        let place = TempDir::new().unwrap();
        fs::create_dir(place.path().join("root")).unwrap();
        fs::write(place.path().join("root/a.txt"), "one()\ntwo()\nthree()\n").unwrap();
        fs::write(place.path().join("edit"), calls.join("\n")).unwrap();
        assert_eq!(send(place.path()), (Some(0), written.to_owned()));
        assert_eq!(send(place.path()), (Some(0), written.to_owned()));
    };
    check(
        &[insert("a()"), insert("b()")],
        "one()|b()|a()|two()|three()|",
    );
    check(
        &[replace.to_owned(), insert("a()"), insert("b()")],
        "uno()|b()|a()|two()|three()|",
    );
}
