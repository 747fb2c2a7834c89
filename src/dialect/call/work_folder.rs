//! Folders in which the commands of an agent run (`workdir`), and the folder in which its session works (`cwd`).

use std::ops::Range;

use serde_json::Value;

use crate::text::LineIdx;

/// Returns the folders in which a session works, each with the line from which on: Codex records them at the start and with each turn.
pub(super) fn of_session(values: &[(Range<LineIdx>, Value)]) -> Vec<(LineIdx, &str)> {
    let mut folders: Vec<(LineIdx, &str)> = Vec::new();
    for (at, value) in values {
        let own = value.get("payload").unwrap_or(value).get("cwd");
        if let Some(folder) = own.and_then(Value::as_str) {
            folders.push((at.start, folder));
        }
    }
    folders.sort_by_key(|(line, _)| *line);
    folders
}

/// Returns the folder in which the session works at a line.
pub(super) fn at<'v>(folders: &[(LineIdx, &'v str)], line: LineIdx) -> Option<&'v str> {
    let known = folders.partition_point(|(from, _)| *from <= line);
    Some(folders[..known].last()?.1)
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
