//! Keys for hands that come from elsewhere.

use super::binding::Remap;

/// A set of keys to begin with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preset {
    /// The table as it is.
    #[default]
    Default,
    /// Vim and its diff mode.
    Vim,
    /// `git add --patch`.
    GitAddP,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Default, Self::Vim, Self::GitAddP];

    /// The name that settings know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Vim => "vim",
            Self::GitAddP => "git-add-p",
        }
    }

    /// Returns the changes of the preset.
    pub fn remaps(self) -> &'static [Remap<'static>] {
        match self {
            Self::Default => &[],
            Self::Vim => &VIM,
            Self::GitAddP => &GIT_ADD_P,
        }
    }
}

const fn in_review(keys: &'static str, command: &'static str) -> Remap<'static> {
    Remap {
        place: "review",
        keys,
        command,
    }
}

const fn in_files(keys: &'static str, command: &'static str) -> Remap<'static> {
    Remap {
        place: "files",
        keys,
        command,
    }
}

const fn in_lines(keys: &'static str, command: &'static str) -> Remap<'static> {
    Remap {
        place: "lines",
        keys,
        command,
    }
}

/// `]c` and its like go to things, `do` and `dp` are those of vimdiff: obtain what was there before, or put the new.
const VIM: [Remap<'static>; 26] = [
    in_review("]", "none"),
    in_review("[", "none"),
    in_review("] c", "next-hunk"),
    in_review("[ c", "previous-hunk"),
    in_review("] f", "next-file"),
    in_review("[ f", "previous-file"),
    in_review("] m", "next-comment"),
    in_review("[ m", "previous-comment"),
    in_review("] !", "next-attention"),
    in_review("[ !", "previous-attention"),
    in_review("] u", "next-undecided"),
    in_review("[ u", "previous-undecided"),
    in_review("d o", "reject"),
    in_review("d p", "accept"),
    in_review("V", "select-lines"),
    in_review("z o", "toggle-fold"),
    in_review("z c", "toggle-fold"),
    in_review("z v", "open-folds"),
    in_lines("]", "none"),
    in_lines("[", "none"),
    in_lines("] c", "next-hunk"),
    in_lines("[ c", "previous-hunk"),
    in_lines("] f", "next-file"),
    in_lines("[ f", "previous-file"),
    in_files("d o", "reject"),
    in_files("d p", "accept"),
];

/// `y`, `n`, `a`, `d`, `j`, `J`, `k`, `K`, `s` and `e` are those of `git add --patch`; what they did before has other keys.
const GIT_ADD_P: [Remap<'static>; 19] = [
    in_review("y", "accept"),
    in_review("n", "reject"),
    in_review("a", "accept-file"),
    in_review("d", "reject-file"),
    in_review("j", "next-undecided"),
    in_review("k", "previous-undecided"),
    in_review("J", "next-hunk"),
    in_review("K", "previous-hunk"),
    in_review("s", "split"),
    in_review("S", "sort-files"),
    in_review("Y", "copy"),
    in_review("g n", "next-match"),
    in_review("g N", "previous-match"),
    in_review("N", "none"),
    in_lines("y", "accept"),
    in_lines("n", "reject"),
    in_lines("Y", "copy"),
    in_files("y", "accept"),
    in_files("n", "reject"),
];
