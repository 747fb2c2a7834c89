//! A repository to review.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::pty::Terminal;

/// What a test begins with: one commit of these files.
const FILES: [(&str, &str); 3] = [
    (
        "beds.toml",
        "[beds]\ncount = 4\nrows = 12\nsoil = \"loam\"\n",
    ),
    ("notes.md", "# Notes\n\nWater the beans.\nCut the hedge.\n"),
    ("old/shed.txt", "A shed.\n"),
];

/// A repository of one commit, with a home of its own beside it.
pub(crate) struct Repository {
    pub(crate) place: TempDir,
}

impl Repository {
    pub(crate) fn new() -> Self {
        let repository = Self {
            place: TempDir::new().unwrap(),
        };
        fs::create_dir_all(repository.path("")).unwrap();
        fs::create_dir_all(repository.place.path().join("home")).unwrap();
        repository.git("init --quiet --initial-branch=main");
        repository.git("config user.name Tester");
        repository.git("config user.email tester@example.org");
        for (name, text) in FILES {
            repository.write(name, text);
        }
        repository.commit("begin");
        repository
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join("garden").join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path(name)).unwrap()).into_owned()
    }

    pub(crate) fn is_executable(&self, name: &str) -> bool {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o100 != 0
    }

    pub(crate) fn set_executable(&self, name: &str) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs git, its arguments apart by blanks, and gives what it prints.
    pub(crate) fn git(&self, arguments: &str) -> String {
        let output = self.try_git(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs git where it may fail.
    pub(crate) fn try_git(&self, arguments: &str) -> Output {
        Command::new("git")
            .args(arguments.split_whitespace())
            .current_dir(self.path(""))
            .env("HOME", self.place.path().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap_or_else(|error| {
                panic!("git cannot be run ({error}): install git, which this test needs")
            })
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git("add --all");
        self.git(&format!("commit --quiet --message={message}"));
    }

    /// What `git status` says, a line a file.
    pub(crate) fn status(&self) -> String {
        self.git("status --porcelain --untracked-files=all")
    }

    /// Runs a shell command in the repository, with `$countersign` as the program, and types keys into the review. Gives the
    /// exit code and what was printed.
    #[track_caller]
    pub(crate) fn review(&self, command: &str, keys: &str) -> (u32, String) {
        let mut terminal = self.open(command);
        terminal.wait_for_review();
        terminal.keys(keys);
        let code = terminal
            .end()
            .unwrap_or_else(|signal| panic!("{signal}\n{terminal}"));
        (code, self.report())
    }

    /// Runs a shell command in the repository that opens no review.
    #[track_caller]
    pub(crate) fn run(&self, command: &str) -> (u32, String) {
        let mut terminal = self.open(command);
        let code = terminal
            .end()
            .unwrap_or_else(|signal| panic!("{signal}\n{terminal}"));
        (code, self.report())
    }

    /// Runs a shell command in the repository that opens a review.
    pub(crate) fn open(&self, command: &str) -> Terminal {
        // The tests decide on the files in the order of their names.
        let order = "export COUNTERSIGN_UI_ORDER=proposal";
        let command = format!("cd garden && {order} && exec >../report 2>&1 && {command}");
        Terminal::run(self.place.path(), &command)
    }

    /// What the last command has printed.
    pub(crate) fn report(&self) -> String {
        fs::read_to_string(self.place.path().join("report")).unwrap()
    }

    /// Everything below the working tree but git's own folder.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.path(""), "", &mut found);
        found.sort();
        found
    }
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().display());
        if entry.file_type().unwrap().is_dir() {
            if name != ".git" {
                walk(&entry.path(), &format!("{name}/"), found);
            }
        } else {
            found.push(name);
        }
    }
}
