//! Every value that can be set, with the one that holds if nobody sets it.

use super::choice::OnRejectedBefore;
use super::field::{Count, Expression, FileNames, MatchPrecision, Patterns, ThemeName};
use crate::agent::model::ModelProtocol;
use crate::locate::Confidence;
use crate::review::Layout;
use crate::ui::file_list::Sort;
use crate::ui::keymap::Preset;
use crate::ui::theme::{Background, Signs};
use crate::ui::{Ambiguous, FilesShown};

/// Every value that can be set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The screen.
    pub ui: Ui,
    /// Keys.
    pub keys: Keys,
    /// The editor for proposed text.
    pub editor: EditorSettings,
    /// The command that says whether the result is sound.
    pub check: CheckSettings,
    /// The program that shows a review over another one.
    pub overlay: OverlaySettings,
    /// The reviewer that stays open.
    pub serve: Serve,
    /// The apply model.
    pub model: ModelSettings,
    /// Limits on what agents may touch.
    pub guard: Guard,
    /// Placing of edits.
    pub place: PlacingSettings,
    /// Limits on what is written without a person.
    pub apply: Apply,
    /// Questions that are answered without a person.
    pub review: Review,
    /// Rules that accept hunks in advance.
    pub policy: PolicySettings,
}

/// The screen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, and named"
)]
pub struct Ui {
    /// Layout of a comparison.
    pub layout: Option<Layout>,
    /// True if long lines are wrapped.
    pub wrap: bool,
    /// Visibility of the list of files.
    pub list: Option<bool>,
    /// Files in the stream: all, or one at a time.
    pub files: FilesShown,
    /// Order of the files.
    pub order: Sort,
    /// Unchanged lines around hunks.
    pub context: Count<0, 10_000>,
    /// The theme; `auto` is the usual one of the background.
    pub theme: ThemeName,
    /// Background of the terminal.
    pub background: Option<Background>,
    /// The signs of states.
    pub signs: Option<&'static Signs>,
    /// Width of characters of ambiguous width.
    pub ambiguous_width: Ambiguous,
    /// True if the cursor goes to the next undecided hunk after a decision.
    pub auto_advance: bool,
    /// True if the mouse is used.
    pub mouse: bool,
    /// True if words that differ are emphasised.
    pub word_diff: bool,
    /// True if a review goes line by line instead of on a screen.
    pub linear: bool,
}

impl Default for Ui {
    fn default() -> Self {
        Self {
            layout: None,
            wrap: false,
            list: None,
            files: FilesShown::All,
            order: Sort::Risk,
            context: Count(3),
            theme: ThemeName("auto".to_owned()),
            background: None,
            signs: None,
            ambiguous_width: Ambiguous::Narrow,
            auto_advance: true,
            mouse: true,
            word_diff: true,
            linear: false,
        }
    }
}

/// Keys, beside those that are bound one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    /// The keys to begin with.
    pub preset: Preset,
}

/// The editor for proposed text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditorSettings {
    /// Its command line; else `$VISUAL` or `$EDITOR`.
    pub command: Option<String>,
}

/// The command that says whether the result is sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckSettings {
    /// Its command line, for a shell.
    pub command: Option<String>,
    /// The seconds that it may take.
    pub timeout: Count<1, 86_400>,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            command: None,
            timeout: Count(300),
        }
    }
}

/// The program that shows a review over another one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OverlaySettings {
    /// Its command line.
    pub command: Option<String>,
}

/// The reviewer that stays open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serve {
    /// A command line for a shell that notifies the person of proposals that wait.
    pub notify: Option<String>,
    /// The seconds without a key before it is run.
    pub notify_after: Count<0, 86_400>,
    /// True if other terminals may decide.
    pub remote: bool,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            notify: None,
            notify_after: Count(60),
            remote: false,
        }
    }
}

/// The apply model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSettings {
    /// The address that requests are posted to; without it there is no apply model.
    pub endpoint: Option<String>,
    /// The variable of the environment that holds the key to it.
    pub api_key_env: Option<String>,
    /// The model's name.
    pub name: Option<String>,
    /// Its protocol.
    pub style: ModelProtocol,
    /// The seconds that an answer may take.
    pub timeout: Count<1, 3_600>,
    /// The most bytes of a request or an answer.
    pub max_bytes: Count<1_024, 67_108_864>,
    /// Number of times that a failed request is sent again.
    pub retries: Count<0, 10>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            endpoint: None,
            api_key_env: None,
            name: None,
            style: ModelProtocol::OpenAiChat,
            timeout: Count(60),
            max_bytes: Count(262_144),
            retries: Count(2),
        }
    }
}

/// Limits on what agents may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// Files that are never accepted in a batch, besides those that are protected anyway.
    pub protected: Patterns,
    /// Names of ignore files, besides those that are read anyway.
    pub ignore_files: FileNames,
    /// The largest file that is read, in MiB.
    pub max_file_mib: Count<1, 4_096>,
}

impl Default for Guard {
    fn default() -> Self {
        Self {
            protected: Patterns::default(),
            ignore_files: FileNames::default(),
            max_file_mib: Count(256),
        }
    }
}

/// Placing of edits.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacingSettings {
    /// Minimum similarity of a reworded place.
    pub precision: MatchPrecision,
}

impl Default for PlacingSettings {
    fn default() -> Self {
        Self {
            precision: MatchPrecision(0.85),
        }
    }
}

/// Limits on what is written without a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apply {
    /// The loosest placement.
    pub confidence: Confidence,
}

impl Default for Apply {
    fn default() -> Self {
        Self {
            confidence: Confidence::Safe,
        }
    }
}

/// Questions that are answered without a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The answer to a change that the person rejected in an earlier review.
    pub rejected_before: OnRejectedBefore,
    /// True if the threads that are not resolved are asked about before a review is finished.
    pub ask_about_threads: bool,
}

impl Default for Review {
    fn default() -> Self {
        Self {
            rejected_before: OnRejectedBefore::default(),
            ask_about_threads: true,
        }
    }
}

/// Rules that accept hunks in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct PolicySettings {
    /// True if hunks are accepted that change nothing but layout.
    pub formatting: bool,
    /// True if hunks are accepted that change nothing but the order of imports.
    pub imports: bool,
    /// The comments that may change; an empty text for none.
    pub comments: Expression,
    /// True if hunks are accepted that change nothing but the order of items.
    pub moves: bool,
    /// True if hunks are accepted that only add tests.
    pub tests: bool,
    /// The files that a command makes.
    pub generated: Patterns,
    /// The files that the command gets as they are proposed.
    pub generated_from: Patterns,
    /// The command line that makes them, for a shell.
    pub generate: Option<String>,
    /// The files whose version numbers may rise.
    pub versions: Patterns,
    /// The files that may change.
    pub paths: Patterns,
    /// The most changed lines of such a file.
    pub most_lines: Count<1, 1_000_000>,
}

impl Default for PolicySettings {
    fn default() -> Self {
        Self {
            formatting: false,
            imports: false,
            comments: Expression::default(),
            moves: false,
            tests: false,
            generated: Patterns::default(),
            generated_from: Patterns::default(),
            generate: None,
            versions: Patterns::default(),
            paths: Patterns::default(),
            most_lines: Count(200),
        }
    }
}
