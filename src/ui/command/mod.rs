//! Everything that a key can do, by name.

mod name;

use crate::review::Direction;

/// Everything that a key can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Moves the cursor.
    Move(Motion),
    /// Scrolls and leaves the cursor where it is.
    Scroll(Scroll),
    /// Jumps to the next or previous target of a kind.
    Jump(Landmark, Direction),
    /// Accepts, rejects or clears the decision of a scope.
    Decide(Scope, DecideAction),
    /// Begins to select lines.
    SelectLines,
    /// Undoes the last step.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Begins or ends an edit.
    Edit(Editing),
    /// Places a hunk by hand.
    Place(ByHand),
    /// Asks the apply model about the hunk of the cursor or the selected lines.
    AskModel,
    /// Splits the hunk of the cursor.
    Split,
    /// Places all hunks again with another similarity threshold.
    Match(Matching),
    /// Opens the reader (plan, result, comparison), or acts in it.
    Read(ReaderPage),
    /// Edits the text of an input field, or moves its caret.
    Type(Typing),
    /// Writes a comment for the agent.
    Comment(About),
    /// Asks the agent about the selected lines or the hunk of the cursor.
    AskAgent,
    /// Resolves the thread of the cursor, or reopens it.
    ResolveThread,
    /// Changes a display setting.
    View(View),
    /// Acts on the list of files.
    List(List),
    /// Begins a search.
    Search,
    /// Copies the lines of the cursor or of the selection.
    Copy,
    /// Shows the keys.
    Help,
    /// Opens the command palette.
    Palette,
    /// Stops the program until the shell continues it.
    Suspend,
    /// Redraws the whole screen.
    Redraw,
    /// Leaves the review: writes it, discards it, or keeps it for later.
    Leave(Leaving),
    /// Closes the dialog, the reader or the list that is open.
    Back,
    /// Submits an input field.
    Submit,
    /// Answers a confirmation with yes.
    Yes,
}

impl Command {
    /// Returns true for commands that decide, edit, comment or finish: they wait until every hunk is placed.
    pub fn needs_all_placed(self) -> bool {
        match self {
            Self::Decide(..)
            | Self::Undo
            | Self::Redo
            | Self::Edit(_)
            | Self::Comment(_)
            | Self::AskAgent
            | Self::ResolveThread
            | Self::Place(_)
            | Self::AskModel
            | Self::Split
            | Self::Match(_)
            | Self::Read(_)
            | Self::SelectLines => true,
            Self::Leave(leaving) => leaving != Leaving::Abort,
            Self::Move(_)
            | Self::Scroll(_)
            | Self::Jump(..)
            | Self::Type(_)
            | Self::View(_)
            | Self::List(_)
            | Self::Search
            | Self::Copy
            | Self::Help
            | Self::Palette
            | Self::Suspend
            | Self::Redraw
            | Self::Back
            | Self::Submit
            | Self::Yes => false,
        }
    }
}

/// A change of the text being typed, or a motion in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the key table says what each does")]
pub enum Typing {
    Undo,
    Redo,
    Newline,
    Indent,
    Outdent,
    DeleteBack,
    DeleteForward,
    DeleteWordBack,
    DeleteWordForward,
    DeleteToEnd,
    DeleteToStart,
    SelectAll,
    Cut,
    Copy,
    Paste,
    Go(CaretMotion),
    Select(CaretMotion),
}

/// Declares the parts of commands, with the name of each variant in settings and in the palette.
macro_rules! named {
    ($($(#[$meta:meta])* pub enum $part:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $part { $($(#[$doc])* $variant,)* }

        impl $part {
            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    )*};
}

named! {
    /// A motion along rows.
    #[expect(missing_docs, reason = "the key table says what each does")]
    pub enum Motion {
        Down = "down",
        Up = "up",
        HalfDown = "half-page-down",
        HalfUp = "half-page-up",
        PageDown = "page-down",
        PageUp = "page-up",
        Top = "top",
        Bottom = "bottom",
    }

    /// A scroll of the stream.
    #[expect(missing_docs, reason = "the key table says what each does")]
    pub enum Scroll {
        CursorToTop = "align-top",
        CursorToMiddle = "align-middle",
        CursorToBottom = "align-bottom",
        Left = "scroll-left",
        Right = "scroll-right",
        LeftEdge = "scroll-to-start",
        RightEdge = "scroll-to-end",
    }

    /// Targets of a jump.
    pub enum Landmark {
        /// A hunk.
        Hunk = "hunk",
        /// A file.
        File = "file",
        /// A hunk that is not wholly decided.
        Undecided = "undecided",
        /// A hunk that needs attention, or a problem.
        Attention = "attention",
        /// A hunk with a comment.
        Comment = "comment",
        /// A match of the search.
        Found = "match",
    }

    /// Extent of a decision.
    pub enum Scope {
        /// The selected lines, else the hunk of the cursor, else its file.
        Here = "",
        /// The file of the cursor.
        File = "-file",
        /// All that is undecided.
        Rest = "-rest",
    }

    /// Decisions.
    pub enum DecideAction {
        /// Accepted.
        Accept = "accept",
        /// Rejected.
        Reject = "reject",
        /// Undecided again.
        Clear = "clear",
        /// The next decision: accepted, rejected, undecided.
        Toggle = "toggle",
    }

    /// Steps of an edit.
    pub enum Editing {
        /// Begins an edit in place.
        Begin = "edit",
        /// Opens the lines in an external editor.
        External = "edit-outside",
        /// Ends the edit and keeps it.
        Keep = "keep-edit",
        /// Ends the edit and discards it.
        Drop = "drop-edit",
        /// Restores the agent's text.
        Restore = "restore",
        /// Accepts the hunks with an edit that would be dropped at the end.
        AcceptAll = "accept-edits",
    }

    /// A step of placing a hunk by hand.
    pub enum ByHand {
        /// Begins to place a hunk.
        Begin = "place",
        /// Shows the next similar place.
        Next = "next-place",
        /// Shows the previous similar place.
        Previous = "previous-place",
        /// Places the hunk where it is shown.
        Take = "place-here",
    }

    /// A change of the similarity threshold.
    pub enum Matching {
        /// Lowers the threshold.
        Looser = "match-looser",
        /// Raises the threshold.
        Closer = "match-closer",
    }

    /// Something to read, or a step in it.
    pub enum ReaderPage {
        /// The file of the cursor as it would be written now.
        Result = "result",
        /// The plan: everything that would be written.
        Plan = "plan",
        /// The hunk of the cursor: base, proposed and edited.
        Compare = "compare",
        /// The next file, or the next of the three texts.
        Next = "next-text",
        /// The previous file or text.
        Previous = "previous-text",
        /// The comparison of a hunk without a place at the next of its likely places.
        NextPlace = "next-likely-place",
        /// The comparison at the previous one.
        PreviousPlace = "previous-likely-place",
        /// A search.
        Search = "search-text",
        /// The next match.
        NextFound = "next-found",
        /// The previous match.
        PreviousFound = "previous-found",
        /// Runs the check command again.
        Check = "check",
        /// Jumps to the hunk that breaks the check, and searches for it first if it is not known.
        Breaking = "find-breaking",
    }

    /// A motion in the text being typed.
    #[expect(missing_docs, reason = "the key table says what each does")]
    pub enum CaretMotion {
        Left = "left",
        Right = "right",
        Up = "up",
        Down = "down",
        WordLeft = "word-left",
        WordRight = "word-right",
        Home = "line-start",
        End = "line-end",
        PageUp = "page-up",
        PageDown = "page-down",
        First = "text-start",
        Last = "text-end",
    }

    /// Subjects of a comment.
    pub enum About {
        /// The selected lines, else the hunk of the cursor.
        Hunk = "comment",
        /// Its file.
        File = "comment-file",
        /// The whole batch.
        Batch = "comment-batch",
    }

    /// A change of what is shown.
    #[expect(missing_docs, reason = "the key table says what each does")]
    pub enum View {
        Layout = "toggle-layout",
        Wrap = "toggle-wrap",
        Blanks = "toggle-blanks",
        Words = "toggle-words",
        Pairs = "toggle-pairs",
        OneFile = "toggle-one-file",
        List = "toggle-list",
        Fold = "toggle-fold",
        Unfold = "open-fold",
        OpenFolds = "open-folds",
        CloseFolds = "close-folds",
        MoreContext = "more-context",
        LessContext = "less-context",
    }

    /// Something about the list of files.
    pub enum List {
        /// Shows it, or leaves it.
        Show = "files",
        /// Shows the file under its cursor.
        Open = "open-file",
        /// Closes or opens the folder under its cursor.
        Fold = "toggle-folder",
        /// Sorts it in the next way.
        Sort = "sort-files",
        /// Chooses the file or group under the cursor, or no more.
        Choose = "choose-file",
        /// Begins a range of chosen files.
        Range = "choose-files",
        /// Chooses all files, or none.
        ChooseAll = "choose-all-files",
        /// Asks for letters that names must hold.
        Filter = "filter-files",
    }

    /// A way to leave, or a step towards it.
    pub enum Leaving {
        /// Asks how.
        Ask = "finish",
        /// Writes what is accepted.
        Write = "write",
        /// Nothing is written now, and the review is kept.
        Keep = "keep-review",
        /// Nothing is written.
        Discard = "discard",
        /// Nothing is written, and the review was not finished.
        Abort = "abort",
    }
}
