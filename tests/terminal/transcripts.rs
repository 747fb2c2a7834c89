//! Whole reviews line by line, as a screen reader reads them: every line that is printed, in its order.

use std::fs;

use insta::assert_snapshot;

use crate::linear::{ambiguous, answer, review};
use crate::project::Project;

/// Replaces what is another text in every run: the folder of the project.
fn as_read(project: &Project, said: &str) -> String {
    let folder = project.path("").canonicalize().unwrap();
    said.replace(&*folder.to_string_lossy(), "/garden")
}

#[test]
fn a_hunk_with_two_places() {
    let project = ambiguous();
    let done = review(&project, "p\nm\nj\ny\ny\nw\n");
    assert_snapshot!(as_read(&project, &done.said));
    assert_eq!(done.code, Some(0));
}

#[test]
fn hunks_that_need_attention() {
    let project = Project::new();
    project.write(
        "notes.md",
        "# Notes\n\nWater all of the beans in the evening.\nCut the hedge.\n",
    );
    project.write(".envrc", "export BEDS=4\n");
    let edits = "\
Waters twice, and names the shed.

beds.toml
```
<<<<<<< SEARCH
rows = 12
=======
rows = 16
>>>>>>> REPLACE
```

notes.md
```
<<<<<<< SEARCH
Water all of the beans in the morning.
=======
Water all of the beans in the morning, twice.
>>>>>>> REPLACE
<<<<<<< SEARCH
Paint the shed.
=======
Paint the shed green.
>>>>>>> REPLACE
```

.envrc
```
<<<<<<< SEARCH
export BEDS=4
=======
export BEDS=5
>>>>>>> REPLACE
```
";
    fs::write(project.path("../edit.md"), edits).unwrap();
    let done = review(&project, "!\nA\ny\n)\n)\n)\ny\nw\n");
    assert_snapshot!(as_read(&project, &done.said));
}

#[test]
fn an_edit_and_a_review_that_goes_on_later() {
    let project = Project::new();
    let first = review(&project, "c\nwhy 16?\ny\ne\ny\n");
    let second = review(&project, "K\n=\nU\nu\nn\nk\nq\nw\n");
    let said = format!(
        "{}\n==== later\n{}",
        as_read(&project, &first.said),
        as_read(&project, &second.said)
    );
    assert_snapshot!(said);
}

#[test]
fn single_lines_of_a_hunk_and_its_parts() {
    let project = Project::new();
    project.write(
        "notes.md",
        "# Notes\n\nWater the beans.\nCut the hedge.\nFeed the bees.\nRake the path.\n",
    );
    let edits = "\
--- a/notes.md
+++ b/notes.md
@@ -3,4 +3,5 @@
-Water the beans.
+Water the beans twice.
+Water the peas.
 Cut the hedge.
-Feed the bees.
+Feed the bees at noon.
 Rake the path.
";
    fs::write(project.path("../edit.md"), edits).unwrap();
    let done = review(&project, "l\ny 1-2\nx 1-2\ns\ny\nn\nw\n");
    assert_snapshot!(as_read(&project, &done.said));
}

#[test]
fn changes_of_the_working_tree() {
    let project = Project::new();
    fs::write(
        project.path("../old.toml"),
        "[beds]\ncount = 4\nrows = 9\nsoil = \"clay\"\n",
    )
    .unwrap();
    let arguments = ["diff", "--linear", "old.toml", "garden/beds.toml"];
    let done = answer(&project, &arguments, "?\nn\nw\n");
    assert_snapshot!(as_read(&project, &done.said));
}
