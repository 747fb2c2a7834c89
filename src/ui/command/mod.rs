//! Everything that a key can do, by name.

mod name;

use crate::review::Direction;

/// Everything that a key can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Moves the cursor of whatever is shown.
    Move(Motion),
    /// Scrolls and leaves the cursor where it is.
    Scroll(Scroll),
    /// Goes to the next thing of a kind.
    Jump(Landmark, Direction),
    /// Decides.
    Decide(Scope, Verdict),
    /// Begins to select lines.
    SelectLines,
    /// Takes the last step back.
    Undo,
    /// Takes the last undo back.
    Redo,
    /// Begins or ends an edit.
    Edit(Editing),
    /// Places a hunk by hand.
    Place(ByHand),
    /// Asks the apply model about the hunk of the cursor or the selected lines.
    AskModel,
    /// Splits the hunk of the cursor.
    Split,
    /// Places everything anew, by how alike a reworded place must be.
    Match(Matching),
    /// Shows something to read, or goes about what is shown.
    Read(Reading),
    /// Works on the text being typed.
    Type(Typing),
    /// Says something to the agent.
    Comment(About),
    /// Asks the agent about the selected lines or the hunk of the cursor.
    AskAgent,
    /// Resolves the thread of the cursor, or reopens it.
    ResolveThread,
    /// Changes what is shown.
    View(View),
    /// Works on the list of files.
    List(List),
    /// Begins a search.
    Search,
    /// Copies the lines of the cursor or of the selection.
    Copy,
    /// Shows the keys.
    Help,
    /// Asks for a command by its name.
    Palette,
    /// Stops the program until the shell continues it.
    Suspend,
    /// Draws everything anew.
    Redraw,
    /// Leaves the review, or goes about it.
    Leave(Leaving),
    /// Goes back from whatever is in front.
    Back,
    /// Takes what was filled in.
    Submit,
    /// Answers a question with yes.
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

/// A motion along rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the key table says what each does")]
pub enum Motion {
    Down,
    Up,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    Top,
    Bottom,
}

/// A scroll of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the key table says what each does")]
pub enum Scroll {
    CursorToTop,
    CursorToMiddle,
    CursorToBottom,
    Left,
    Right,
    LeftEdge,
    RightEdge,
}

/// Targets of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Landmark {
    /// A hunk.
    Hunk,
    /// A file.
    File,
    /// A hunk that is not wholly decided.
    Undecided,
    /// A hunk that needs attention, or a problem.
    Attention,
    /// A hunk with a comment.
    Comment,
    /// A match of the search.
    Found,
}

/// Extent of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The selected lines, else the hunk of the cursor, else its file.
    Here,
    /// The file of the cursor.
    File,
    /// All that is undecided.
    Rest,
}

/// Decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Accepted.
    Accept,
    /// Rejected.
    Reject,
    /// Undecided again.
    Clear,
    /// The next of the three.
    Toggle,
}

/// Steps of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Editing {
    /// It begins, in place.
    Begin,
    /// It is made in another program.
    External,
    /// It is kept.
    Keep,
    /// It is dropped.
    Drop,
    /// Puts the agent's text back.
    Restore,
}

/// A step of placing a hunk by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByHand {
    /// It begins.
    Begin,
    /// The next place that comes near.
    Next,
    /// The previous one.
    Previous,
    /// The hunk stays where it is shown.
    Take,
}

/// A step of how alike a reworded place must be to the lines that a hunk looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Matching {
    /// Less alike will do.
    Looser,
    /// It must be more alike.
    Closer,
}

/// Something to read, or a step in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The file of the cursor as it would be written now.
    Result,
    /// The plan: everything that would be written.
    Plan,
    /// The hunk of the cursor: base, proposed and edited.
    Compare,
    /// The next file, or the next of the three texts.
    Next,
    /// The previous one.
    Previous,
    /// A search.
    Search,
    /// The next match.
    NextFound,
    /// The previous match.
    PreviousFound,
    /// The check command runs again.
    Check,
    /// The hunk that breaks the check is searched for, or gone to if it is known.
    Breaking,
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

/// A motion in the text being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the key table says what each does")]
pub enum CaretMotion {
    Left,
    Right,
    Up,
    Down,
    WordLeft,
    WordRight,
    Home,
    End,
    PageUp,
    PageDown,
    First,
    Last,
}

/// Subjects of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum About {
    /// The selected lines, else the hunk of the cursor.
    Hunk,
    /// Its file.
    File,
    /// The whole batch.
    Batch,
}

/// A change of what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the key table says what each does")]
pub enum View {
    Layout,
    Wrap,
    Blanks,
    Words,
    OneFile,
    List,
    Fold,
    Unfold,
    OpenFolds,
    CloseFolds,
    MoreContext,
    LessContext,
}

/// Something about the list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// Shows it, or leaves it.
    Show,
    /// Shows the file under its cursor.
    Open,
    /// Sorts it in the next way.
    Sort,
    /// Chooses the file or group under the cursor, or no more.
    Choose,
    /// Begins a range of chosen files.
    Range,
    /// Chooses all files, or none.
    ChooseAll,
    /// Asks for letters that names must hold.
    Filter,
}

/// A way to leave, or a step towards it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leaving {
    /// Asks how.
    Ask,
    /// Writes what is accepted.
    Write,
    /// Nothing is written now, and the review is kept.
    Keep,
    /// Nothing is written.
    Discard,
    /// Nothing is written, and the review was not finished.
    Abort,
}
