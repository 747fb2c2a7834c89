//! Folders for a review to work on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::pty::Terminal;

/// The files of a small project, and their texts.
const FILES: [(&str, &str); 2] = [
    (
        "beds.toml",
        "[beds]\ncount = 4\nrows = 12\nsoil = \"loam\"\n",
    ),
    ("notes.md", "# Notes\n\nWater the beans.\nCut the hedge.\n"),
];

/// The tests decide on the hunks in the order of the edits.
const SETTINGS: &str = "[ui]\norder = \"proposal\"\n";

/// Three edits of it, each in a file of its own, each placed exactly.
const EDIT: &str = "\
More rows, more water, and a shed.

beds.toml
```toml
<<<<<<< SEARCH
count = 4
rows = 12
=======
count = 4
rows = 16
>>>>>>> REPLACE
```

```diff
--- a/notes.md
+++ b/notes.md
@@ -1,4 +1,4 @@
 # Notes
 
-Water the beans.
+Water the beans twice.
 Cut the hedge.
--- /dev/null
+++ b/shed.toml
@@ -0,0 +1,2 @@
+[shed]
+door = \"green\"
```
";

/// Reviews the edits.
pub(crate) const REVIEW: &str = "exec $countersign --root garden edit.md";

/// A small project in a folder of its own, with edits beside it in `edit.md`.
pub(crate) struct Project {
    place: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let place = TempDir::new().unwrap();
        let garden = place.path().join("garden");
        fs::create_dir(&garden).unwrap();
        for (name, text) in FILES {
            fs::write(garden.join(name), text).unwrap();
        }
        fs::write(place.path().join("edit.md"), EDIT).unwrap();
        let settings = place.path().join("home/.config/countersign");
        fs::create_dir_all(&settings).unwrap();
        fs::write(settings.join("config.toml"), SETTINGS).unwrap();
        Self { place }
    }

    /// Removes the settings, so that the usual ones hold.
    pub(crate) fn forget_settings(&self) {
        fs::remove_file(self.path("../home/.config/countersign/config.toml")).unwrap();
    }

    /// Runs a shell command beside the project.
    pub(crate) fn run(&self, command: &str) -> Terminal {
        Terminal::run(self.place.path(), command)
    }

    /// The same in a terminal of some columns and rows.
    pub(crate) fn run_sized(&self, command: &str, size: (u16, u16)) -> Terminal {
        Terminal::run_sized(self.place.path(), command, size)
    }

    /// Opens a review of the edits, and waits for its first screen.
    #[track_caller]
    pub(crate) fn review(&self) -> Terminal {
        self.review_by(REVIEW)
    }

    /// Opens a review by a command, and waits for its first screen.
    #[track_caller]
    pub(crate) fn review_by(&self, command: &str) -> Terminal {
        let terminal = self.run(command);
        terminal.wait_for_review();
        terminal
    }

    /// Lets a command run beside the project, as [`Project::run`] does, but without a terminal.
    pub(crate) fn prepare(&self, command: &mut Command) {
        let folder = self.place.path();
        let home = folder.join("home");
        command
            .current_dir(folder)
            .env_clear()
            .env("XDG_STATE_HOME", home.join("state"))
            .env("HOME", home)
            .env("TMPDIR", folder)
            .env("PATH", "/usr/bin:/bin");
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Gives a file another text.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// The text of the review that is kept, if one is.
    pub(crate) fn kept(&self) -> Option<String> {
        let roots = fs::read_dir(self.path("../home/state/countersign")).ok()?;
        let folders = roots.map(|root| root.unwrap().path().join("reviews"));
        let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
        let mut files = files.map(|file| file.unwrap().path());
        let kept = files.find(|path| path.extension().is_some_and(|end| end == "json"))?;
        fs::read_to_string(kept).ok()
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Fails unless all files are as they were, and no others are there.
    #[track_caller]
    pub(crate) fn expect_untouched(&self) {
        for (name, text) in FILES {
            assert_eq!(self.read(name), text, "{name}");
        }
        let entries = fs::read_dir(self.path("")).unwrap();
        assert_eq!(
            entries.count(),
            FILES.len(),
            "files were left in the project"
        );
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join("garden").join(name)
    }
}

/// The folder that `countersign demo` made in `place`.
pub(crate) fn demo_project(place: &Path) -> PathBuf {
    let entries = fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut demos = entries.filter(|path| path.join("pigeon").is_dir());
    demos.next().unwrap().join("pigeon")
}
