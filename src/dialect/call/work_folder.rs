//! Folders in which the commands of an agent run (`workdir`), and the folder in which its session works (`cwd`).

use std::ops::Range;

use serde_json::Value;

use crate::text::LineIdx;

/// Returns the folder in which the session works at some lines: Codex records it at the start and with each turn.
pub(super) fn before<'v>(
    values: &'v [(Range<LineIdx>, Value)],
    lines: &Range<LineIdx>,
) -> Option<&'v str> {
    let before = values.iter().filter(|(at, _)| at.start <= lines.start);
    let folder = |(_, value): &'v (Range<LineIdx>, Value)| {
        let own = value.get("payload").unwrap_or(value).get("cwd")?;
        own.as_str()
    };
    before.rev().find_map(folder)
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
    use super::*;

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
