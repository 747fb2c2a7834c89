//! The settings that are one of a few words.

/// One of a few words.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// All of them, as they are written.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns true if another choice lets through more than this one.
    fn is_loosened_by(self, _other: Self) -> bool {
        false
    }
}

/// Layout of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Layout {
    /// As the width has room.
    #[default]
    Auto,
    /// Base and right side beside each other.
    Split,
    /// One below the other.
    Unified,
}

impl Choice for Layout {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("split", Self::Split),
        ("unified", Self::Unified),
    ];
}

/// Visibility of the list of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum List {
    /// As the width has room.
    #[default]
    Auto,
    /// It does, if there is any room.
    Shown,
    /// It does not.
    Hidden,
}

impl Choice for List {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("shown", Self::Shown),
        ("hidden", Self::Hidden),
    ];
}

/// Files that the stream shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Files {
    /// All, one below the other.
    #[default]
    All,
    /// One at a time.
    One,
}

impl Choice for Files {
    const WORDS: &'static [(&'static str, Self)] = &[("all", Self::All), ("one", Self::One)];
}

/// Order of the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// Those that need attention first, then those in whose lines a mistake is likeliest.
    #[default]
    Risk,
    /// In groups, by what the files are for.
    Kind,
    /// By name.
    Path,
    /// As in the proposal.
    Proposal,
}

impl Choice for Order {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("risk", Self::Risk),
        ("kind", Self::Kind),
        ("path", Self::Path),
        ("proposal", Self::Proposal),
    ];
}

/// Width in which the terminal shows characters of ambiguous width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AmbiguousWidth {
    /// One column.
    #[default]
    Narrow,
    /// Two columns.
    Wide,
}

impl Choice for AmbiguousWidth {
    const WORDS: &'static [(&'static str, Self)] =
        &[("narrow", Self::Narrow), ("wide", Self::Wide)];
}

/// Background of the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// As the terminal says.
    #[default]
    Auto,
    /// Light text on dark.
    Dark,
    /// Dark text on light.
    Light,
}

impl Choice for Background {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("dark", Self::Dark),
        ("light", Self::Light),
    ];
}

/// The signs of states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Signs {
    /// As the locale says.
    #[default]
    Auto,
    /// Any sign.
    Unicode,
    /// Only what every terminal shows.
    Ascii,
}

impl Choice for Signs {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("unicode", Self::Unicode),
        ("ascii", Self::Ascii),
    ];
}

/// A set of keys to begin with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preset {
    /// As the README lists them.
    #[default]
    Default,
    /// Vim and its diff mode.
    Vim,
    /// `git add --patch`.
    GitAddP,
}

impl Preset {
    /// Returns the word that settings use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Vim => "vim",
            Self::GitAddP => "git-add-p",
        }
    }
}

impl Choice for Preset {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("default", Self::Default),
        ("vim", Self::Vim),
        ("git-add-p", Self::GitAddP),
    ];
}

/// Minimum confidence in the place of a hunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// To the letter, in one place only.
    Exact,
    /// But for blanks, indentation and punctuation, in one place only.
    #[default]
    Safe,
    /// With a few misspelt words, or a few lines missing or extra away from the change.
    Fuzzy,
    /// In several places, one of them chosen by a line number alone.
    Hinted,
}

impl Choice for Confidence {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("exact", Self::Exact),
        ("safe", Self::Safe),
        ("fuzzy", Self::Fuzzy),
        ("hinted", Self::Hinted),
    ];

    fn is_loosened_by(self, other: Self) -> bool {
        other > self
    }
}

/// Answer to a change that the person rejected in an earlier review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RejectedBefore {
    /// The person decides again.
    #[default]
    Ask,
    /// It is rejected with the same reason.
    Reject,
}

impl Choice for RejectedBefore {
    const WORDS: &'static [(&'static str, Self)] = &[("ask", Self::Ask), ("reject", Self::Reject)];
}

/// Protocol of the service that is the apply model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ModelStyle {
    /// Chat completions, as most services offer them.
    #[default]
    OpenAiChat,
    /// Morph's form of them.
    Morph,
    /// Relace's own form.
    Relace,
}

impl Choice for ModelStyle {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("openai-chat", Self::OpenAiChat),
        ("morph", Self::Morph),
        ("relace", Self::Relace),
    ];
}
