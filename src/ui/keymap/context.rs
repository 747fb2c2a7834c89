//! Contexts: each has its own bindings.

/// Context in which a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyContext {
    /// The review stream.
    Stream,
    /// The review stream while lines are being selected.
    Lines,
    /// The list of all files.
    FileList,
    /// The text of a hunk.
    Editor,
    /// A line to fill in: a search, a filter, a comment.
    Prompt,
    /// A question to be answered with yes or no.
    Question,
    /// The dialog that ends a review.
    Finish,
    /// The help.
    Help,
    /// Saying where a hunk goes.
    Placing,
    /// Reading a result, a plan, a comparison.
    Reader,
}

impl KeyContext {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Stream,
        Self::Lines,
        Self::FileList,
        Self::Editor,
        Self::Prompt,
        Self::Question,
        Self::Finish,
        Self::Help,
        Self::Placing,
        Self::Reader,
    ];

    /// The name that settings know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stream => "review",
            Self::Lines => "lines",
            Self::FileList => "files",
            Self::Editor => "editor",
            Self::Prompt => "prompt",
            Self::Question => "question",
            Self::Finish => "finish",
            Self::Help => "help",
            Self::Placing => "placing",
            Self::Reader => "reader",
        }
    }

    /// Returns true if digits are a count in this context.
    pub fn takes_counts(self) -> bool {
        match self {
            Self::Stream | Self::Lines | Self::FileList | Self::Placing | Self::Reader => true,
            Self::Editor | Self::Prompt | Self::Question | Self::Finish | Self::Help => false,
        }
    }

    /// Returns true if unbound keys are text in this context.
    pub fn takes_text(self) -> bool {
        match self {
            Self::Editor | Self::Prompt => true,
            Self::Stream
            | Self::Lines
            | Self::FileList
            | Self::Question
            | Self::Finish
            | Self::Placing
            | Self::Reader
            | Self::Help => false,
        }
    }
}
