//! The shell command around a patch: `apply_patch <<'EOF'`, `bash -lc "cd web && apply_patch <<PATCH"`, and the word that
//! ends it.

use crate::dialect::dialect_trait::Before;
use crate::dialect::input::Input;
use crate::text::LineIdx;

/// The command above a patch.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heredoc<'a> {
    /// Its line.
    pub(super) at: LineIdx,
    /// The folder that the shell goes to first.
    pub(super) folder: Option<String>,
    /// The word that ends the text.
    word: Option<&'a str>,
}

impl<'a> Heredoc<'a> {
    /// The command on the line above `at`.
    pub(super) fn above(input: &Input<'a>, at: LineIdx, before: &Before) -> Option<Self> {
        let at = at.checked_sub(1).filter(|&at| at >= before.free)?;
        let line = input.line(at)?.trim();
        let word = line.rsplit_once("<<").map(|(_, word)| {
            word.trim_start_matches('-')
                .trim_matches([' ', '\'', '"', '\\'])
        });
        let word = word.filter(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')
        });
        let calls = line.contains("apply_patch") || line.contains("applypatch");
        let is_command = match word {
            Some(_) => calls || line.starts_with("<<") || line.starts_with("cat "),
            None => matches!(line, "apply_patch" | "applypatch"),
        };
        is_command.then(|| Self {
            at,
            folder: folder(line),
            word,
        })
    }

    /// The first line after the end of the text, if it ends at or right below `at`.
    pub(super) fn end(&self, input: &Input, at: LineIdx) -> LineIdx {
        let Some(word) = self.word else {
            return at;
        };
        let closes = |line: &str| {
            let rest = line.trim().strip_prefix(word);
            rest.is_some_and(|rest| rest.chars().all(|c| "\"')".contains(c)))
        };
        let mut end = at;
        if input.line(end).is_some_and(closes) {
            end += 1;
        }
        if input
            .line(end)
            .is_some_and(|line| matches!(line.trim(), "\"" | "'" | ")"))
        {
            end += 1;
        }
        end
    }
}

/// The folder of a `cd FOLDER &&` in front of the command.
fn folder(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("cd ")?;
    let (folder, _) = rest.split_once("&&").or_else(|| rest.split_once(';'))?;
    let folder = folder
        .trim()
        .trim_matches(['\'', '"'])
        .trim_end_matches('/');
    (!folder.is_empty() && folder != ".").then(|| folder.to_owned())
}
