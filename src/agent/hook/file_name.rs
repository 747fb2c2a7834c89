//! File names that a client may read differently from countersign.
//!
//! Clients change a name before they open it: Claude Code trims it, expands `~` and composes its letters (NFC), JavaScript
//! trims more characters than Rust does, some read URLs and variables. What a person approves must be what is written, so a
//! name that any of them would change is refused.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;
use unicode_normalization::is_nfc;

/// Why a file name is refused.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum AmbiguousName {
    /// The name is empty.
    #[error("it is empty")]
    Empty,
    /// The name begins or ends with a blank or an invisible character.
    #[error("it begins or ends with a blank or an invisible character, which some clients cut off")]
    Edge,
    /// The name contains a control character, such as a line break.
    #[error("it contains a control character")]
    Control,
    /// The name begins with `~`.
    #[error("it begins with `~`, which some clients replace by the home folder")]
    Home,
    /// The name is a URL.
    #[error("it is a URL")]
    Url,
    /// The name contains a variable that a shell would expand.
    #[error("it contains a variable, which some clients replace by its value")]
    Variable,
    /// The name is not in Unicode's composed form.
    #[error("its letters are not in composed form (NFC), which some clients change")]
    Decomposed,
}

/// Checks that every client reads a name in the same way.
///
/// # Errors
///
/// [`AmbiguousName`] if a client may open another file by this name.
pub fn check_name(name: &str) -> Result<(), AmbiguousName> {
    let (Some(first), Some(last)) = (name.chars().next(), name.chars().next_back()) else {
        return Err(AmbiguousName::Empty);
    };
    if [first, last].into_iter().any(is_cut_off) {
        return Err(AmbiguousName::Edge);
    }
    if name.chars().any(char::is_control) {
        return Err(AmbiguousName::Control);
    }
    if first == '~' {
        return Err(AmbiguousName::Home);
    }
    if is_url(name) {
        return Err(AmbiguousName::Url);
    }
    if name.contains("${") || name.contains("$HOME") || name.contains("$PWD") {
        return Err(AmbiguousName::Variable);
    }
    if is_nfc(name) {
        Ok(())
    } else {
        Err(AmbiguousName::Decomposed)
    }
}

/// Returns whether a client may cut a character off the end of a name: blanks, and the characters without a width that
/// Unicode calls default ignorable.
fn is_cut_off(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns whether a name begins with a URL scheme: letters, a colon, and a slash or what follows `file:`.
fn is_url(name: &str) -> bool {
    let Some((scheme, rest)) = name.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme && (rest.starts_with('/') || scheme.eq_ignore_ascii_case("file"))
}

/// Returns a path without `.` and `..`, computed from the name alone.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => (),
            Component::ParentDir => {
                found.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => found.push(part),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Result<(), AmbiguousName>) {
        assert_eq!(check_name(name), expected, "{name:?}");
    }

    #[test]
    fn a_name_that_a_client_may_change_is_refused() {
        use AmbiguousName::{Control, Decomposed, Edge, Empty, Home, Url, Variable};
        for plain in [
            "a.txt",
            "/w/a b.txt",
            "src/~a",
            "a~",
            "caf\u{e9}.md",
            "c:d.txt",
            "a$b.txt",
            "$1.txt",
            "\u{9069}.txt",
            "a\u{200d}b",
        ] {
            check(plain, Ok(()));
        }
        check("", Err(Empty));
        for name in [
            "a ",
            " a",
            "a\u{a0}",
            "a\n",
            "\u{feff}a",
            "a\u{200b}",
            "a\u{2028}",
            "a\u{fe0f}",
        ] {
            check(name, Err(Edge));
        }
        check("a\nb", Err(Control));
        check("~/x", Err(Home));
        check("~root/x", Err(Home));
        check("file:///w/a", Err(Url));
        check("FILE:a", Err(Url));
        check("vscode-remote://host/a", Err(Url));
        check("${HOME}/x", Err(Variable));
        check("$HOME/x", Err(Variable));
        check("cafe\u{301}.md", Err(Decomposed));
    }
}
