//! Commands in a layer: what stays in it, and what becomes of the rest.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::{git_program, run_in};

/// A folder for `run_in`, with the root in `root`, which is a repository that ignores `*.log` and `kept/`.
struct Place(TempDir);

impl Place {
    /// Makes the folder; `None` where the system allows no layer.
    fn new(files: &[(&str, &str)]) -> Option<Self> {
        if !git_program::can_run() {
            return None;
        }
        let place = Self(TempDir::new().unwrap());
        fs::create_dir(place.root()).unwrap();
        let git = Command::new("git")
            .args(["init", "-q"])
            .arg(place.root())
            .status();
        assert!(git.unwrap().success());
        place.write(".gitignore", "*.log\nkept/\n");
        for (name, text) in files {
            place.write(name, text);
        }
        let (code, _, _) =
            place.countersign(&["run", "--root", "root", "--no-review", "--", "true"]);
        (code == Some(0)).then_some(place)
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().join("root")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
    }

    fn countersign(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        run_in(self.0.path(), &[("PATH", &path)], arguments)
    }

    /// Runs a script in a layer; gives the layer's name and what was printed.
    fn layer(&self, script: &str) -> (String, String) {
        let run = ["run", "--root", "root", "--no-review", "--", "bash", "-c"];
        let script = format!("cd {} && {script}", self.root().display());
        let (code, _, told) = self.countersign(&[&run[..], &[&script]].concat());
        assert_eq!(code, Some(0), "{told}");
        let id = told.trim_end().rsplit(' ').next().unwrap_or_default();
        (id.to_owned(), told)
    }

    /// Writes what a layer changes; gives the exit code and what was printed.
    fn apply(&self, layer: &str) -> (Option<i32>, String) {
        let (code, out, err) = self.countersign(&["apply", "--root", "root", "--run", layer]);
        (code, out + &err)
    }

    /// The state of a layer, as `countersign runs` lists it.
    fn state(&self, layer: &str) -> String {
        let (_, listed, _) = self.countersign(&["runs", "--root", "root"]);
        let row = listed.lines().find(|row| row.starts_with(layer));
        let row = row.unwrap_or_default().to_owned();
        let states = ["running", "ended", "reviewed"];
        let state = states
            .into_iter()
            .find(|state| row.contains(&format!("  {state}")));
        state.unwrap_or("none").to_owned()
    }

    fn read(&self, name: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.root().join(name)).ok()
    }
}

#[test]
fn a_removal_waits_with_what_stays_in_the_layer() {
    let text = "one\ntwo\nthree\nfour\nfive\n";
    // The removed file is still in the tree, and the report names it and the other name.
    let waits = |script: &str, other: &str| {
        let Some(place) = Place::new(&[("notes.txt", text), ("else.txt", "a\n")]) else {
            return;
        };
        let script = format!("{script}; echo b >> else.txt");
        let (layer, _) = place.layer(&script);
        let (code, told) = place.apply(&layer);
        assert_eq!(code, Some(0), "{script}: {told}");
        assert_eq!(
            place.read("notes.txt").as_deref(),
            Some(text),
            "{script}: {told}"
        );
        assert_eq!(place.read("else.txt").as_deref(), Some("a\nb\n"), "{told}");
        let named = format!("`notes.txt` is not removed: `{other}`");
        assert!(told.contains(&named), "{script}: {told}");
        assert_eq!(place.state(&layer), "ended", "{script}");
        let (code, told) = place.apply(&layer);
        assert_eq!(code, Some(2), "{script}: {told}");
        assert_eq!(place.read("notes.txt").as_deref(), Some(text), "{told}");
    };
    waits("mv notes.txt notes.log", "notes.log");
    waits(
        "mkdir -p kept/deep; mv notes.txt kept/deep/x",
        "kept/deep/x",
    );
    waits("mv notes.txt notes.log; echo six >> notes.log", "notes.log");
    waits("mv notes.txt $'n\\xe9.txt'", "n\u{fffd}.txt");
    waits("mv notes.txt .git/notes", ".git/notes");
    // What a build makes, another text and an empty file are no other name of it.
    let Some(place) = Place::new(&[("notes.txt", text)]) else {
        return;
    };
    let (layer, _) = place.layer("rm notes.txt; echo built > a.log; : > b.log");
    let (code, told) = place.apply(&layer);
    assert_eq!((code, place.read("notes.txt")), (Some(0), None), "{told}");
    assert_eq!(place.state(&layer), "reviewed");
}

#[test]
fn nothing_is_written_where_all_of_it_waits() {
    let Some(place) = Place::new(&[("notes.txt", "one\n")]) else {
        return;
    };
    let (layer, _) = place.layer("mv notes.txt notes.log");
    let (code, told) = place.apply(&layer);
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("what the layer changes stays in it"),
        "{told}"
    );
    assert_eq!(place.read("notes.txt").as_deref(), Some("one\n"));
}

#[test]
fn a_run_in_a_layer_writes_to_that_layer() {
    let Some(place) = Place::new(&[("a.txt", "a\n")]) else {
        return;
    };
    let program = env!("CARGO_BIN_EXE_countersign");
    let inner = format!("{program} run --no-review -- bash -c 'echo b >> a.txt'");
    let (layer, told) = place.layer(&inner);
    assert!(told.contains("already in layer"), "{told}");
    assert_eq!(told.matches("layer: ").count(), 1, "{told}");
    let (code, told) = place.apply(&layer);
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(place.read("a.txt").as_deref(), Some("a\nb\n"));
}

#[test]
fn a_session_that_the_layer_does_not_cover_is_refused() {
    let Some(place) = Place::new(&[]) else {
        return;
    };
    let ask = |folder: &Path| {
        let mut editor = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(["acp", "--layer", "--root", "root", "--", "bash", "-c"])
            .arg(r#"read -r line; echo '{"id":1,"result":{"sessionId":"s"}}'; cat > /dev/null"#)
            .current_dir(place.0.path())
            .env("HOME", place.0.path().join("home"))
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let params = serde_json::json!({"cwd": folder, "mcpServers": []});
        let message = serde_json::json!({"id": 1, "method": "session/new", "params": params});
        let mut input = editor.stdin.take().unwrap();
        writeln!(input, "{message}").unwrap();
        let mut answer = String::new();
        let mut output = BufReader::new(editor.stdout.take().unwrap());
        output.read_line(&mut answer).unwrap();
        drop(input);
        editor.wait().unwrap();
        answer
    };
    let outside = place.0.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let answer = ask(&outside);
    assert!(answer.contains("acp --layer --root"), "{answer}");
    let answer = ask(&place.root());
    assert!(answer.contains("sessionId"), "{answer}");
}

#[test]
fn edits_of_one_file_at_once_are_placed_one_after_the_other() {
    let place = TempDir::new().unwrap();
    let lines: Vec<String> = (0..40).map(|n| format!("line {n}\n")).collect();
    fs::write(place.path().join("f.txt"), lines.concat()).unwrap();
    let edit = |n: usize| {
        let name = format!("edit{n}");
        let text = format!("f.txt\n<<<<<<< SEARCH\nline {n}\n=======\nnew {n}\n>>>>>>> REPLACE\n");
        fs::write(place.path().join(&name), text).unwrap();
        Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(["apply", &name])
            .current_dir(place.path())
            .env("HOME", place.path().join("home"))
            .env_remove("XDG_STATE_HOME")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = [3, 9, 15, 21, 27, 33].into_iter().map(edit).collect();
    for one in running {
        let output = one.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{told}");
    }
    let text = fs::read_to_string(place.path().join("f.txt")).unwrap();
    assert_eq!(text.matches("new ").count(), 6, "{text}");
}
