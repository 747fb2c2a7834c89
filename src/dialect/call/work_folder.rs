//! Folders in which the commands of an agent run (`workdir`), and the folder in which its session works.
//!
//! Claude Code and Qwen Code state it in each line (`cwd`), Codex at the start and with each turn (`payload.cwd`), Copilot CLI in the
//! first event (`data.context.cwd`), opencode with the session (`info.directory`) and each answer (`info.path.cwd`), Goose at the start
//! (`working_dir`), and a client of ACP as it opens a session (`params.cwd`). Gemini CLI states the SHA-256 of it (`projectHash`), which
//! one of the folders in its names has.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use super::project_folder;
use crate::dialect::script_state;
use crate::dialect::tool::edit_request::CallEdit;
use crate::proposal::FileChange;
use crate::text::LineIdx;

/// The places in a log that state the folder.
const STATED: [&str; 7] = [
    "/cwd",
    "/payload/cwd",
    "/data/context/cwd",
    "/info/directory",
    "/info/path/cwd",
    "/working_dir",
    "/params/cwd",
];

/// Returns the folders in which a session works, each with the line from which on.
pub(super) fn of_session(values: &[(Range<LineIdx>, Value)]) -> Vec<(LineIdx, &str)> {
    let mut folders: Vec<(LineIdx, &str)> = Vec::new();
    for (at, value) in values {
        let answers = value.get("messages").and_then(Value::as_array);
        let parts = [value].into_iter().chain(answers.into_iter().flatten());
        let stated = parts.flat_map(|part| STATED.iter().filter_map(|place| part.pointer(place)));
        let stated = stated.filter_map(Value::as_str);
        folders.extend(stated.map(|folder| (at.start, folder)));
    }
    folders.extend(project_folder::of_session(values).map(|folder| (0, folder)));
    folders.sort_by_key(|(line, _)| *line);
    folders
}

/// Lets the names of a file begin in the folder in which the session began, as far as that is known, and takes note of it. `home` is the
/// folder in which it works now.
pub(super) fn record(file: &mut FileChange, first: Option<&str>, home: Option<&str>) {
    let Some(first) = first.or(home) else {
        return;
    };
    if let Some(folder) = home.and_then(|home| within(Some(first), home)) {
        file.move_into(folder);
    }
    file.record_folder(first);
}

/// Returns the folder in which the session works at a line.
pub(super) fn at<'v>(folders: &[(LineIdx, &'v str)], line: LineIdx) -> Option<&'v str> {
    let known = folders.partition_point(|(from, _)| *from <= line);
    Some(folders[..known].last()?.1)
}

/// The folder in which the commands of a call run, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ShellFolder<'v> {
    /// The folder in which the session works.
    pub(super) home: Option<&'v str>,
    /// The folder in which the session began.
    first: Option<&'v str>,
    /// The folder of the shell as seen from the one in which the session began, if it is one within it.
    pub(super) inner: Option<&'v str>,
    /// A command of an earlier call that changed the folder of the shell, if no folder was recorded since.
    pub(super) moved: Option<&'v str>,
}

impl ShellFolder<'_> {
    /// Lets the names of a request begin in the folder in which the session began.
    pub(super) fn record(&self, edit: &CallEdit, file: &mut FileChange) {
        let is_moved = matches!(edit, CallEdit::Shell { folder: None, .. }) && self.inner.is_some();
        record(file, self.first, self.home.filter(|_| !is_moved));
    }
}

/// The last command of a session that changed the folder of the shell.
#[derive(Debug)]
pub(super) struct LastMove(Option<(Option<LineIdx>, String)>);

impl LastMove {
    /// A command above the session.
    pub(super) fn above(command: Option<&str>) -> Self {
        Self(command.map(|command| (None, command.to_owned())))
    }

    /// Returns the command.
    pub(super) fn into_command(self) -> Option<String> {
        self.0.map(|(_, command)| command)
    }

    /// Returns the folder of a call at a line.
    pub(super) fn folder<'v>(
        &'v self,
        folders: &[(LineIdx, &'v str)],
        line: LineIdx,
    ) -> ShellFolder<'v> {
        let home = at(folders, line);
        let first = folders.first().map(|(_, folder)| *folder);
        let known = folders.partition_point(|(from, _)| *from <= line);
        let recorded = folders[..known].last().map(|(from, _)| *from);
        let moved = (self.0.as_ref()).filter(|(moved, _)| recorded.is_none() || recorded <= *moved);
        let is_inner = |folder: &&str| !Path::new(folder).is_absolute();
        ShellFolder {
            home,
            first,
            inner: home.and_then(|home| within(first, home)).filter(is_inner),
            moved: moved.map(|(_, command)| command.as_str()),
        }
    }

    /// Takes note of the commands of a call at a line.
    pub(super) fn add(&mut self, line: LineIdx, commands: &str, home: Option<&str>) {
        let Some(command) = script_state::move_in(commands) else {
            return;
        };
        // One move to where the session works is none.
        let to = command
            .strip_prefix("cd ")
            .and_then(|rest| rest.split([';', '&', '|']).next());
        let is_one =
            ["cd", "pushd", "popd"].map(|word| commands.matches(word).count()) == [1, 0, 0];
        let is_home = is_one && home.is_some() && to.map(str::trim) == home;
        self.0 = (!is_home).then_some((Some(line), command));
    }
}

/// Returns the folder of a command as seen from the one in which the session works; `None` if it is the same.
pub(super) fn within<'a>(home: Option<&str>, folder: &'a str) -> Option<&'a str> {
    let folder = match folder.trim_end_matches('/') {
        "" if !folder.is_empty() => "/",
        folder => folder,
    };
    let home = home.map(|home| home.trim_end_matches('/'));
    let inner = home.and_then(|home| folder.strip_prefix(home));
    let inner = inner.filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let folder = inner.map_or(folder, |rest| rest.trim_start_matches('/'));
    (!matches!(folder, "" | ".")).then_some(folder)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_latest_folder_that_was_recorded_counts() {
        let turn = |line: LineIdx, value: Value| (line..line + 1, value);
        let values = [
            turn(0, json!({"payload": {"cwd": "/w"}})),
            turn(1, json!({"payload": {"type": "call"}})),
            turn(4, json!({"cwd": "/v"})),
        ];
        let folders = of_session(&values);
        let found = [0, 3, 4, 9].map(|line| at(&folders, line));
        assert_eq!(found, [Some("/w"), Some("/w"), Some("/v"), Some("/v")]);
        assert_eq!(at(&of_session(&values[1..]), 3), None);
    }

    #[test]
    fn each_client_states_the_folder_in_its_place() {
        for log in [
            json!({"type": "user", "cwd": "/w"}),
            json!({"type": "session_meta", "payload": {"cwd": "/w"}}),
            json!({"type": "session.start", "data": {"context": {"cwd": "/w"}}}),
            json!({"info": {"directory": "/w"}, "messages": []}),
            json!({"info": {}, "messages": [{"info": {"path": {"cwd": "/w"}}}]}),
            json!({"working_dir": "/w", "message_count": 1}),
            json!({"method": "session/new", "params": {"cwd": "/w"}}),
        ] {
            assert_eq!(of_session(&[(0..1, log.clone())]), [(0, "/w")], "{log}");
        }
        assert!(of_session(&[(0..1, json!({"input": {"cwd": "/w"}}))]).is_empty());
    }

    #[test]
    fn a_move_counts_until_a_folder_is_recorded() {
        let check = |commands: &str, folders: &[(LineIdx, &str)], expected: ShellFolder<'_>| {
            let mut last_move = LastMove::above(None);
            last_move.add(1, commands, Some("/w"));
            assert_eq!(last_move.folder(folders, 5), expected, "{commands}");
        };
        let home = ShellFolder {
            home: Some("/w"),
            first: Some("/w"),
            ..ShellFolder::default()
        };
        let moved = |moved| ShellFolder { moved, ..home };
        let start: &[(LineIdx, &str)] = &[(0, "/w")];
        check("make", start, home);
        check("cd /w && make", start, home);
        check("cd sub && make", start, moved(Some("cd sub && make")));
        check("cd /w && cd sub", start, moved(Some("cd /w && cd sub")));
        // The folder is recorded again, the same or another one.
        check("cd sub", &[(0, "/w"), (2, "/w")], home);
        let inner = ShellFolder {
            home: Some("/w/sub"),
            first: Some("/w"),
            inner: Some("sub"),
            moved: None,
        };
        check("cd sub", &[(0, "/w"), (2, "/w/sub")], inner);
    }

    #[test]
    fn a_folder_is_seen_from_that_of_the_session() {
        let check = |home: Option<&str>, folder: &str, expected: Option<&str>| {
            assert_eq!(within(home, folder), expected, "{home:?} {folder}");
        };
        check(None, "sub/", Some("sub"));
        check(None, ".", None);
        check(None, "/w", Some("/w"));
        check(Some("/w"), "/w", None);
        check(Some("/w/"), "/w/sub", Some("sub"));
        check(Some("/w"), "/work", Some("/work"));
        check(Some("/w"), "/", Some("/"));
        check(Some("/w"), "sub", Some("sub"));
    }
}
