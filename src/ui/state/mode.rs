//! Modes of the screen, with their data.

use std::ops::Range;

use crate::review::{Decision, EditRegion, HunkId, NotPlaced, ShownCount, Spot, Target};
use crate::text::LineIdx;
use crate::ui::editor::{Caret, Editor};
use crate::ui::keymap::KeyContext;

/// Mode of the screen.
pub enum Mode {
    /// Reading and deciding in the stream.
    Review,
    /// Selecting rows of the stream, from this one to the cursor.
    Lines {
        /// The row where the selection began.
        from: usize,
    },
    /// Looking at the list of all files.
    FileList,
    /// Changing the proposed lines of a hunk.
    Edit(Box<HunkEdit>),
    /// Saying where a hunk goes.
    Place(Box<Placing>),
    /// Reading [`super::app::App::reader`].
    Read,
    /// Filling in a line.
    Prompt(Box<Prompt>),
    /// Answering a question.
    Question(Question),
    /// About to leave.
    Finish,
    /// Reading the keys, from this line on.
    Help {
        /// The first line shown.
        top: usize,
        /// Letters that the lines shown hold.
        filter: String,
    },
}

/// A hunk being edited.
pub struct HunkEdit {
    /// The lines of the file that are edited.
    pub region: EditRegion,
    /// The text.
    pub editor: Editor,
    /// True if the text was changed.
    pub changed: bool,
}

/// A hunk being placed by hand.
pub struct Placing {
    /// The hunk.
    pub hunk: HunkId,
    /// The places that come near.
    pub near: Vec<LineIdx>,
    /// The line that it is shown at, or would be.
    pub at: LineIdx,
    /// Reason why it cannot be placed at this line.
    pub refused: Option<NotPlaced>,
    /// The lines that are opened around it.
    pub opened: Range<LineIdx>,
}

/// A line being filled in.
pub struct Prompt {
    /// Purpose.
    pub purpose: PromptPurpose,
    /// The text.
    pub editor: Editor,
    /// True if it was asked for from the list of files.
    pub from_file_list: bool,
    /// The edit that goes on behind it.
    pub edit: Option<Box<HunkEdit>>,
}

/// Purposes of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptPurpose {
    /// A search that began at this row.
    Search {
        /// The row.
        from: usize,
    },
    /// A search in what is being read.
    SearchReader,
    /// A search in what is being edited.
    SearchEdit {
        /// Position of the caret at the start.
        from: Caret,
    },
    /// The letters that a file's name must hold.
    Filter,
    /// The letters that a line of the help must hold.
    HelpFilter,
    /// A command.
    Palette {
        /// First row of the selection, if lines are selected.
        from: Option<usize>,
        /// Index of the chosen entry.
        chosen: usize,
    },
    /// An instruction for the apply model about some lines of a file's right side.
    Draft {
        /// The file.
        file: usize,
        /// The first of the lines.
        first: LineIdx,
        /// The line after the last.
        end: LineIdx,
    },
    /// A text of many lines.
    Text(TextPurpose),
}

/// Purposes of a text of many lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPurpose {
    /// A comment on lines of the file at this position.
    Comment(usize, Spot),
    /// A comment on a file.
    CommentFile(usize),
    /// A comment on everything that came with a file: on the whole batch.
    CommentBatch(Option<usize>),
    /// A question about lines of the file at this position.
    Ask(usize, Spot),
    /// A message in the thread of this number.
    Reply(u64),
}

impl TextPurpose {
    /// Returns what is asked for, for a heading.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Comment(_, Spot::Hunk(_)) => "Comment on this hunk, for the agent",
            Self::Comment(..) => "Comment on these lines, for the agent",
            Self::CommentFile(_) => "Comment on this file, for the agent",
            Self::CommentBatch(_) => "Comment on the whole batch, for the agent",
            Self::Ask(_, Spot::Hunk(_)) => "Ask the agent about this hunk",
            Self::Ask(..) => "Ask the agent about these lines",
            Self::Reply(_) => "Reply in this thread, for the agent",
        }
    }
}

/// A question with yes and no.
pub enum Question {
    /// Confirmation of a decision about many hunks.
    Rest {
        /// Target.
        target: Target,
        /// Decision.
        decision: Decision,
        /// Number of hunks that will be decided.
        changed: usize,
        /// Number of hunks that need their own review and are left out.
        left: usize,
        /// The lines that will be accepted; `None` if none will.
        seen: Option<ShownCount>,
        /// True if it was asked from the list of files.
        from_file_list: bool,
    },
    /// Confirmation of dropping an edit.
    Drop(Box<HunkEdit>),
}

impl Mode {
    /// Returns the context for key bindings.
    pub fn key_context(&self) -> KeyContext {
        match self {
            Self::Review => KeyContext::Stream,
            Self::Lines { .. } => KeyContext::Lines,
            Self::FileList => KeyContext::FileList,
            Self::Edit(_) => KeyContext::Editor,
            Self::Place(_) => KeyContext::Placing,
            Self::Read => KeyContext::Reader,
            Self::Prompt(_) => KeyContext::Prompt,
            Self::Question(_) => KeyContext::Question,
            Self::Finish => KeyContext::Finish,
            Self::Help { .. } => KeyContext::Help,
        }
    }

    /// Returns true if nothing should interrupt the person.
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Review | Self::FileList | Self::Help { .. } => false,
            Self::Lines { .. }
            | Self::Edit(_)
            | Self::Prompt(_)
            | Self::Question(_)
            | Self::Place(_)
            | Self::Read
            | Self::Finish => true,
        }
    }

    /// Returns true if the file list fills the screen, possibly behind a dialog.
    pub(crate) fn shows_file_list(&self) -> bool {
        match self {
            Self::FileList => true,
            Self::Question(Question::Rest { from_file_list, .. }) => *from_file_list,
            Self::Prompt(prompt) => {
                prompt.from_file_list && prompt.purpose != PromptPurpose::HelpFilter
            }
            Self::Review
            | Self::Lines { .. }
            | Self::Edit(_)
            | Self::Place(_)
            | Self::Read
            | Self::Question(Question::Drop(_))
            | Self::Finish
            | Self::Help { .. } => false,
        }
    }

    /// Returns the context that palette commands run in.
    pub(crate) fn command_context(&self) -> KeyContext {
        if let Some(prompt) = self.prompt()
            && let PromptPurpose::Palette { from, .. } = prompt.purpose
        {
            return match from {
                Some(_) => KeyContext::Lines,
                None if prompt.from_file_list => KeyContext::FileList,
                None => KeyContext::Stream,
            };
        }
        self.key_context()
    }

    /// The line being filled in.
    pub fn prompt(&self) -> Option<&Prompt> {
        if let Self::Prompt(prompt) = self {
            Some(prompt)
        } else {
            None
        }
    }

    /// The edit in progress, be it behind a question or a search.
    pub fn edit(&self) -> Option<&HunkEdit> {
        match self {
            Self::Edit(edit) | Self::Question(Question::Drop(edit)) => Some(edit),
            Self::Prompt(prompt) => prompt.edit.as_deref(),
            Self::Question(Question::Rest { .. })
            | Self::Review
            | Self::Lines { .. }
            | Self::FileList
            | Self::Place(_)
            | Self::Read
            | Self::Finish
            | Self::Help { .. } => None,
        }
    }
}

impl HunkEdit {
    /// The text as lines for the session: nothing at all if everything was deleted.
    pub fn lines(&self) -> &[String] {
        let lines = self.editor.lines();
        let blank = |lines: &[String]| lines.len() == 1 && lines[0].is_empty();
        if blank(lines) && !blank(&self.region.lines) {
            &[]
        } else {
            lines
        }
    }

    /// The position of the cursor's line on the file's right side.
    pub fn line(&self) -> usize {
        self.region.first_new + self.editor.caret().line
    }
}
