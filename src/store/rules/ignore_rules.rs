//! The patterns of ignore files, which are written like `.gitignore`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::guard::Forbidden;
use crate::proposal::RepoPath;
use crate::text::LineNo;

/// The names of the ignore files.
pub const NAMES: [&str; 6] = [
    ".rooignore",
    ".clineignore",
    ".aiderignore",
    ".cursorignore",
    ".geminiignore",
    ".countersignignore",
];

/// The most patterns of one ignore file. Compiling more would take seconds for every batch.
const MOST_PATTERNS: usize = 20_000;

/// The ignore files that were read, by their folders as seen from the top of the repository. Each is read once.
#[derive(Debug, Default)]
pub(in crate::store) struct IgnoreFiles {
    pub(in crate::store) read: Mutex<HashMap<PathBuf, FolderRules>>,
    /// The names of ignore files besides [`NAMES`].
    pub(in crate::store) more: Vec<String>,
}

/// The ignore files of one folder; `None` if the folder is missing or a link.
pub(in crate::store) type FolderRules = Option<Arc<Vec<IgnoreFile>>>;

#[derive(Debug)]
pub(in crate::store) struct IgnoreFile {
    /// Its kind: files of one name form one set of rules.
    pub(in crate::store) name: String,
    /// Its name for people, as seen from the root.
    pub(in crate::store) shown: String,
    pub(in crate::store) rules: Gitignore,
    pub(in crate::store) text: String,
}

impl IgnoreFiles {
    /// Reads files of these names as ignore files too.
    pub(in crate::store) fn named(names: Vec<String>) -> Self {
        Self {
            read: Mutex::default(),
            more: names,
        }
    }

    /// Returns the same names, of which none has been read yet.
    pub(in crate::store) fn unread(&self) -> Self {
        Self::named(self.more.clone())
    }
}

/// Refuses a path if an ignore file matches `part`, which is the path itself or a folder on its way.
pub(in crate::store) fn check_part(
    ruled: &[(&Path, Arc<Vec<IgnoreFile>>)],
    path: &RepoPath,
    part: &Path,
    is_folder: bool,
) -> Result<(), Forbidden> {
    // The deepest file of a kind that matches decides for its kind.
    let mut decided: Vec<&str> = Vec::new();
    for (folder, files) in ruled.iter().rev() {
        let Ok(inside) = part.strip_prefix(folder) else {
            continue;
        };
        if inside.as_os_str().is_empty() {
            continue;
        }
        for file in files.iter() {
            if decided.contains(&file.name.as_str()) {
                continue;
            }
            match file.rules.matched(inside, is_folder) {
                Match::None => (),
                Match::Whitelist(_) => decided.push(&file.name),
                Match::Ignore(glob) => {
                    return Err(Forbidden::Ignored {
                        path: path.clone(),
                        file: file.shown.clone(),
                        line: file.line_of(glob.original()),
                        pattern: glob.original().to_owned(),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Decodes an ignore file: UTF-8, with or without a byte order mark. Bytes that are no UTF-8 match no name that an edit can
/// give.
pub(in crate::store) fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    if bytes.contains(&0) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is not a text in UTF-8",
        ));
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Compiles the patterns of an ignore file. A line that is no pattern is an error, for it was meant to forbid something.
pub(in crate::store) fn compile(text: &str) -> io::Result<Gitignore> {
    let invalid = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
    let count = text.lines().filter(|line| !line.trim().is_empty()).count();
    if count > MOST_PATTERNS {
        let text = format!("it has {count} patterns and the limit is {MOST_PATTERNS}");
        return Err(invalid(text));
    }
    let mut builder = GitignoreBuilder::new("");
    for (idx, line) in text.lines().enumerate() {
        let added = builder.add_line(None, line);
        if has_named_class(line) || added.is_err() {
            let line_no = LineNo::from_idx(idx);
            let text = format!("line {line_no} is not a valid pattern: `{line}`");
            return Err(invalid(text));
        }
    }
    builder.build().map_err(|error| invalid(error.to_string()))
}

/// Returns true if a pattern has a class by name, as `[[:alpha:]]`. Git reads it, and the library takes it for a set of characters.
fn has_named_class(line: &str) -> bool {
    !line.starts_with('#') && line.contains("[:") && line.contains(":]")
}

impl IgnoreFile {
    /// Returns the line of a pattern. Of equal lines the last one counts, as it does in the rules.
    fn line_of(&self, pattern: &str) -> LineNo {
        let lines: Vec<&str> = self.text.lines().collect();
        let idx = lines.iter().rposition(|line| line.trim_end() == pattern);
        LineNo::from_idx(idx.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_patterns_is_understood_in_full_or_refused() {
        let check = |bytes: &[u8], expected: Result<usize, &str>| {
            let rules = text_of(bytes.to_vec()).and_then(|text| compile(&text));
            let found = rules
                .map(|rules| rules.len())
                .map_err(|error| error.to_string());
            assert_eq!(found, expected.map_err(str::to_owned), "{bytes:?}");
        };
        check(b"", Ok(0));
        check(b"a\nb/\r\n# c\n\n!d\n", Ok(3));
        check(b"\xef\xbb\xbfa\n", Ok(1));
        check(b"caf\xe9\nb\n", Ok(2));
        check(b"a\na{b\n", Err("line 2 is not a valid pattern: `a{b`"));
        check(
            b"a\n[[:digit:]]*\n",
            Err("line 2 is not a valid pattern: `[[:digit:]]*`"),
        );
        check(b"# [[:digit:]]\n[a:]b\n", Ok(1));
        check(b"\xff\xfea\0\n\0", Err("it is not a text in UTF-8"));
        let many = |n: usize| "x\n".repeat(n).into_bytes();
        check(&many(MOST_PATTERNS), Ok(MOST_PATTERNS));
        check(
            &many(MOST_PATTERNS + 1),
            Err("it has 20001 patterns and the limit is 20000"),
        );
        let text = text_of(b"\xef\xbb\xbff.txt\n".to_vec()).unwrap();
        let rules = compile(&text).unwrap();
        assert!(rules.matched("f.txt", false).is_ignore());
    }
}
