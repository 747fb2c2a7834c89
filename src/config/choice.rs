//! The settings that are one of a few words.

use crate::agent::model::ModelProtocol;
use crate::locate::Confidence;
use crate::review::Layout;
use crate::ui::file_list::Sort;
use crate::ui::keymap::Preset;
use crate::ui::theme::{Background, Signs};
use crate::ui::{Ambiguous, FilesShown};

/// One of a few words.
pub(super) trait WordChoice: Copy + PartialEq + 'static {
    /// All of them, as they are written.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns true if another choice lets through more than this one.
    fn is_loosened_by(self, _other: Self) -> bool {
        false
    }
}

/// `None` as the width has room.
impl WordChoice for Option<Layout> {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", None),
        ("split", Some(Layout::Split)),
        ("unified", Some(Layout::Unified)),
    ];
}

/// The visibility of the list of files; `None` as the width has room.
impl WordChoice for Option<bool> {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", None),
        ("shown", Some(true)),
        ("hidden", Some(false)),
    ];
}

impl WordChoice for FilesShown {
    const WORDS: &'static [(&'static str, Self)] = &[("all", Self::All), ("one", Self::One)];
}

/// The order by state is for the list of files alone.
impl WordChoice for Sort {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("risk", Self::Risk),
        ("intent", Self::Intent),
        ("kind", Self::Kind),
        ("path", Self::Path),
        ("proposal", Self::Proposal),
    ];
}

impl WordChoice for Ambiguous {
    const WORDS: &'static [(&'static str, Self)] =
        &[("narrow", Self::Narrow), ("wide", Self::Wide)];
}

/// `None` as the terminal says.
impl WordChoice for Option<Background> {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", None),
        ("dark", Some(Background::Dark)),
        ("light", Some(Background::Light)),
    ];
}

/// `None` as the locale says.
impl WordChoice for Option<&'static Signs> {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", None),
        ("unicode", Some(&Signs::UNICODE)),
        ("ascii", Some(&Signs::ASCII)),
    ];
}

impl WordChoice for Preset {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("default", Self::Default),
        ("vim", Self::Vim),
        ("git-add-p", Self::GitAddP),
    ];
}

/// No setting lets a doubtful place through.
impl WordChoice for Confidence {
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
pub enum OnRejectedBefore {
    /// The person decides again.
    #[default]
    Ask,
    /// It is rejected with the same reason.
    Reject,
}

impl WordChoice for OnRejectedBefore {
    const WORDS: &'static [(&'static str, Self)] = &[("ask", Self::Ask), ("reject", Self::Reject)];
}

impl WordChoice for ModelProtocol {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("openai-chat", Self::OpenAiChat),
        ("morph", Self::Morph),
        ("relace", Self::Relace),
    ];
}
