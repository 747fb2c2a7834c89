//! The rules of the house that a compiler does not know: which module may import which, who may touch the terminal, the
//! files and the outside world, and what no source file may look like.
//!
//! The layers are those of the crate's documentation. A rule that has to be broken somewhere gets a row in
//! [`EXCEPTIONS`] with the reason, or a reader will have to find it out.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod closures;
mod cycles;
mod names;
mod prose;
mod tokens;
mod type_names;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use names::names;

/// Which modules each top-level module may name, beside itself.
const MAY_IMPORT: [(&str, &[&str]); 13] = [
    ("parallel", &[]),
    ("text", &[]),
    ("proposal", &["text"]),
    ("dialect", &["parallel", "text", "proposal"]),
    ("locate", &["text", "proposal"]),
    (
        "review",
        &["parallel", "text", "proposal", "dialect", "locate"],
    ),
    ("store", &["parallel", "text", "proposal"]),
    ("agent", &["text", "proposal", "review"]),
    ("policy", &["text", "proposal", "review"]),
    ("ui", &["text", "proposal", "review"]),
    ("config", &["text", "locate", "review", "agent", "ui"]),
    (
        "app",
        &[
            "parallel", "text", "proposal", "dialect", "locate", "review", "store", "config",
            "agent", "policy", "ui",
        ],
    ),
    (
        "cli",
        &[
            "parallel", "text", "proposal", "dialect", "locate", "review", "store", "config",
            "agent", "policy", "ui", "app",
        ],
    ),
];

/// Names that only one module may use: the terminal, the files, the outside world.
const ONLY_IN: [(&str, &str); 14] = [
    ("ratatui", "ui"),
    ("crossterm", "ui"),
    ("tui_textarea", "ui"),
    ("std::fs", "store"),
    ("cap_std", "store"),
    ("cap_tempfile", "store"),
    ("tempfile", "store"),
    ("rustix::fs", "store"),
    ("std::os::unix::fs", "store"),
    ("std::net", "agent"),
    ("std::os::unix::net", "agent"),
    ("std::process::Command", "agent"),
    ("std::process::Stdio", "agent"),
    ("rustix::net", "agent"),
];

/// File, name, and why it may.
const EXCEPTIONS: [(&str, &str, &str); 46] = [
    (
        "agent/probe/mod.rs",
        "std::fs",
        "a client is probed with a file that must not appear",
    ),
    (
        "agent/probe/mod.rs",
        "tempfile",
        "a client is probed with a scratch folder",
    ),
    (
        "agent/probe/client.rs",
        "std::fs",
        "a client is given settings for a probe",
    ),
    (
        "agent/hook/codex_sandbox.rs",
        "std::fs",
        "reads the end of the record that Codex keeps of a session",
    ),
    (
        "agent/hook/clients/cline.rs",
        "std::fs",
        "a client is given settings for a probe",
    ),
    (
        "agent/hook/clients/droid.rs",
        "std::fs",
        "a client is given settings for a probe",
    ),
    (
        "agent/hook/clients/gemini.rs",
        "std::fs",
        "a client is given settings for a probe",
    ),
    (
        "agent/hook/clients/pi.rs",
        "std::fs",
        "a client is given settings for a probe",
    ),
    (
        "cli/doctor/switches.rs",
        "std::fs",
        "managed settings are a folder of files",
    ),
    (
        "cli/doctor/switches.rs",
        "std::os::unix::fs",
        "a client skips system settings that others than root may change",
    ),
    (
        "agent/layer/standard_streams.rs",
        "std::fs",
        "standard input that is a file is copied",
    ),
    (
        "agent/layer/standard_streams.rs",
        "rustix::fs",
        "the flags of a standard stream are read",
    ),
    (
        "agent/layer/reset_running.rs",
        "std::os::unix::fs",
        "a link is put back through the overlay's own mount",
    ),
    (
        "cli/doctor/protection.rs",
        "tempfile",
        "a layer is tried on a scratch folder",
    ),
    (
        "cli/man.rs",
        "std::fs",
        "manual pages are written to a folder that the person names, outside of any root",
    ),
    (
        "agent/layer/namespace.rs",
        "std::fs",
        "namespaces and mounts are made through files",
    ),
    (
        "agent/layer/reset_running.rs",
        "std::fs",
        "an overlay is changed through its own mount",
    ),
    (
        "agent/layer/mounts.rs",
        "std::fs",
        "the kernel lists mounts in a file",
    ),
    (
        "agent/layer/processes.rs",
        "std::fs",
        "the kernel lists processes in files",
    ),
    (
        "cli/doctor/gates.rs",
        "std::fs",
        "gates are tried on a scratch file",
    ),
    (
        "cli/doctor/gates.rs",
        "tempfile",
        "gates are tried on a scratch file",
    ),
    (
        "cli/hook/install.rs",
        "std::fs",
        "agents' settings are not in a root",
    ),
    (
        "cli/hook/install.rs",
        "tempfile",
        "agents' settings are not in a root",
    ),
    (
        "agent/git/index.rs",
        "std::fs",
        "git's index is locked as git locks it",
    ),
    (
        "agent/git/side_index.rs",
        "std::fs",
        "an index is copied where git finds it",
    ),
    (
        "agent/companion/port_file.rs",
        "std::fs",
        "where a client looks for it",
    ),
    (
        "agent/companion/port_file.rs",
        "std::os::unix::fs",
        "where a client looks for it",
    ),
    (
        "agent/companion/port_file.rs",
        "rustix::fs",
        "where a client looks for it",
    ),
    (
        "agent/approved_call.rs",
        "std::fs",
        "a record lies beside the socket",
    ),
    (
        "agent/approved_call.rs",
        "std::os::unix::fs",
        "a record lies beside the socket",
    ),
    (
        "agent/pending_note.rs",
        "std::fs",
        "a note lies beside the socket",
    ),
    (
        "agent/pending_note.rs",
        "std::os::unix::fs",
        "a note lies beside the socket",
    ),
    (
        "cli/hook/client_watch.rs",
        "std::fs",
        "Linux describes processes by files",
    ),
    (
        "cli/hook/gate.rs",
        "rustix::fs",
        "an answer to the null device reaches nobody",
    ),
    ("agent/socket.rs", "std::fs", "a socket is a file"),
    ("agent/socket.rs", "std::os::unix::fs", "a socket is a file"),
    ("cli/demo.rs", "tempfile", "lays a project out"),
    ("cli/demo.rs", "std::fs", "lays a project out"),
    ("cli/input.rs", "std::fs", "edits are files too"),
    ("cli/settings.rs", "std::fs", "settings are a file too"),
    (
        "ui/services/external_editor.rs",
        "tempfile",
        "an editor works on a copy",
    ),
    (
        "ui/services/external_editor.rs",
        "std::fs",
        "an editor works on a copy",
    ),
    (
        "ui/services/external_editor.rs",
        "std::process::Command",
        "the reader's editor",
    ),
    (
        "ui/services/external_editor.rs",
        "std::process::Stdio",
        "the reader's editor",
    ),
    ("ui/probe.rs", "std::fs", "a terminal is a file"),
    ("ui/terminal/mod.rs", "std::fs", "a terminal is a file"),
];

/// Modules whose files and folders must not import each other in a circle.
const ACYCLIC: [&str; 12] = [
    "agent", "app", "cli", "config", "dialect", "locate", "policy", "proposal", "review", "store",
    "text", "ui",
];

/// The most lines that a source file has before its tests; a longer one is cut by verb or noun.
const MOST_LINES: usize = 450;

/// Names for modules that say nothing about what is in them.
const EMPTY_NAMES: [&str; 8] = [
    "util", "utils", "common", "helper", "helpers", "misc", "manager", "handler",
];

/// What is wrong with the imports of one file, named relative to `src`.
fn check(file: &str, source: &str) -> Vec<String> {
    let module = module_of(file);
    let Some(&top) = module.first() else {
        return Vec::new();
    };
    let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == top) else {
        return vec![format!("{file}: `{top}` has no row in MAY_IMPORT")];
    };
    let mut wrong = Vec::new();
    let names = names(&module, source);
    for name in &names {
        let path = name.path.join("::");
        let mut report = |why: String| wrong.push(format!("{file}:{}: `{path}`: {why}", name.line));
        if name.path[0] == "crate" {
            match name.path.get(1).map(String::as_str) {
                Some(other) if other == top || allowed.contains(&other) => (),
                Some(other) if MAY_IMPORT.iter().any(|(name, _)| *name == other) => {
                    report(format!("`{top}` may not import `{other}`"));
                }
                _ => report("name a module, not the whole crate".to_owned()),
            }
        }
    }
    for (prefix, home) in ONLY_IN {
        let excepted = EXCEPTIONS
            .iter()
            .any(|(at, what, _)| *at == file && *what == prefix);
        let used = names.iter().find(|name| name.begins_with(prefix));
        if let Some(name) = used.filter(|_| home != top && !excepted) {
            let path = name.path.join("::");
            wrong.push(format!(
                "{file}:{}: `{path}`: only `{home}` may use `{prefix}`",
                name.line
            ));
        }
    }
    wrong
}

/// `ui/view/row.rs` is `ui::view::row`; `ui/mod.rs` is `ui`; the crate's root is empty.
fn module_of(file: &str) -> Vec<&str> {
    let mut parts: Vec<_> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.as_slice(), [.., "mod"] | ["lib" | "main"]) {
        parts.pop();
    }
    parts
}

/// All source files: their names relative to `src`, and their text.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    let name = |path: &Path| {
        path.strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/")
    };
    paths
        .iter()
        .map(|path| (name(path), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Whether a file is a module of tests, of which the folder's `mod.rs` says `#[cfg(test)]`.
fn is_for_tests(file: &str) -> bool {
    let Some((folder, name)) = file.trim_end_matches(".rs").rsplit_once('/') else {
        return false;
    };
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/{folder}/mod.rs"));
    fs::read_to_string(parent)
        .is_ok_and(|parent| parent.contains(&format!("#[cfg(test)]\nmod {name};")))
}

/// Fails with every complaint that `judge` has about any source file.
#[track_caller]
fn judge_all(judge: impl Fn(&str, &str) -> Vec<String>) {
    let wrong: Vec<_> = sources()
        .iter()
        .flat_map(|(file, source)| judge(file, source))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn imports_run_one_way() {
    judge_all(|file, source| {
        if is_for_tests(file) {
            Vec::new()
        } else {
            check(file, source)
        }
    });
}

#[test]
fn files_and_folders_of_a_module_form_no_import_cycle() {
    let sources = sources();
    let cycles: Vec<_> = ACYCLIC
        .iter()
        .flat_map(|top| cycles::cycles(top, &sources))
        .collect();
    assert!(cycles.is_empty(), "{cycles:?}");
}

#[test]
fn every_exception_is_needed() {
    let sources = sources();
    for (file, name, _) in EXCEPTIONS {
        let source = sources.iter().find(|(other, _)| other == file);
        let (_, source) = source.unwrap_or_else(|| panic!("{file} is no more"));
        let used = names(&module_of(file), source)
            .iter()
            .any(|used| used.begins_with(name));
        assert!(used, "{file} does not use `{name}` any more");
    }
}

#[test]
fn every_file_says_what_it_is() {
    judge_all(|file, source| {
        let documented = source.starts_with("//! ");
        (!documented)
            .then(|| format!("{file}: does not begin with a module doc"))
            .into_iter()
            .collect()
    });
}

#[test]
fn every_module_has_a_telling_name() {
    judge_all(|file, _| {
        let empty = module_of(file)
            .into_iter()
            .filter(|name| EMPTY_NAMES.contains(name));
        empty
            .map(|name| format!("{file}: `{name}` does not say what is in it"))
            .collect()
    });
}

#[test]
fn a_type_name_has_one_meaning() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, source) in sources() {
        if is_for_tests(&file) {
            continue;
        }
        for name in type_names::declared(&source) {
            files.entry(name).or_default().push(file.clone());
        }
    }
    let shared = files.iter().filter(|(_, files)| files.len() > 1);
    let shared: Vec<&str> = shared.map(|(name, _)| name.as_str()).collect();
    assert!(shared.is_empty(), "{shared:?}");
}

#[test]
fn nothing_is_left_for_later() {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
    ];
    judge_all(|file, source| {
        let lines = source.lines().zip(1..);
        let left = lines.filter(|(line, _)| {
            line.split(|c: char| !c.is_alphanumeric())
                .any(|word| words.contains(&word))
        });
        left.map(|(line, number)| format!("{file}:{number}: {}", line.trim()))
            .collect()
    });
}

#[test]
fn no_file_needs_scrolling_to_be_understood() {
    judge_all(|file, source| {
        let lines = source.lines().take_while(|line| *line != "#[cfg(test)]");
        let lines = lines.count();
        let too_long = lines > MOST_LINES && !is_for_tests(file);
        too_long
            .then(|| format!("{file}: {lines} lines; cut it by verb or noun"))
            .into_iter()
            .collect()
    });
}

mod rules {
    use super::check;

    #[track_caller]
    fn refuses(file: &str, source: &str, expected: &str) {
        assert_eq!(check(file, source).join("\n"), expected, "{source}");
    }

    #[test]
    fn a_layer_sees_what_is_below_it() {
        refuses("ui/app.rs", "use crate::{review::Row, text::LineNo};", "");
        refuses(
            "ui/app.rs",
            "use super::view; use crate::ui::action::Action;",
            "",
        );
        refuses(
            "cli/apply.rs",
            "use crate::store::Store; use crate::ui;",
            "",
        );
        refuses("lib.rs", "pub mod store; pub use store::Store;", "");
    }

    #[test]
    fn a_layer_does_not_see_what_is_above_or_beside_it() {
        refuses(
            "text/mod.rs",
            "use crate::proposal::Hunk;",
            "text/mod.rs:1: `crate::proposal::Hunk`: `text` may not import `proposal`",
        );
        refuses(
            "ui/app.rs",
            "\nuse crate::{review::Row, store::{self}};",
            "ui/app.rs:2: `crate::store`: `ui` may not import `store`",
        );
        refuses(
            "ui/app.rs",
            "fn f() { crate::locate::place() }",
            "ui/app.rs:1: `crate::locate::place`: `ui` may not import `locate`",
        );
        refuses(
            "locate/ladder.rs",
            "use super::super::dialect::X;",
            "locate/ladder.rs:1: `crate::dialect::X`: `locate` may not import `dialect`",
        );
        refuses(
            "store/mod.rs",
            "use super::review;",
            "store/mod.rs:1: `crate::review`: `store` may not import `review`",
        );
    }

    #[test]
    fn the_whole_crate_is_no_way_around() {
        refuses(
            "ui/app.rs",
            "use crate as all;",
            "ui/app.rs:1: `crate`: name a module, not the whole crate",
        );
        refuses(
            "ui/app.rs",
            "use super::super::*;",
            "ui/app.rs:1: `crate::*`: name a module, not the whole crate",
        );
        refuses(
            "spare/mod.rs",
            "",
            "spare/mod.rs: `spare` has no row in MAY_IMPORT",
        );
    }

    #[test]
    fn the_outside_is_touched_in_one_place() {
        refuses(
            "review/mod.rs",
            "use ratatui::Frame;",
            "review/mod.rs:1: `ratatui::Frame`: only `ui` may use `ratatui`",
        );
        refuses(
            "ui/app.rs",
            "use std::{fs, io};",
            "ui/app.rs:1: `std::fs`: only `store` may use `std::fs`",
        );
        refuses(
            "cli/log.rs",
            "fn f() { std::fs::read(x) }",
            "cli/log.rs:1: `std::fs::read`: only `store` may use `std::fs`",
        );
        refuses(
            "cli/git.rs",
            "use std::process::{self, ExitCode};\nfn f() { process::Command::new(x) }",
            "cli/git.rs:2: `std::process::Command::new`: only `agent` may use `std::process::Command`",
        );
        refuses("cli/demo.rs", "use tempfile::TempDir;", "");
        refuses("ui/app.rs", "use std::fs_like::X;", "");
    }
}
