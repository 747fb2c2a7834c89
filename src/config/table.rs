//! The one table of settings: reading, printing, the sample file and the README follow it.

use super::field::Field;
use super::settings::Settings;
use RepositoryRights::{Suggests, Tightens};

/// A row of the table.
pub(super) struct Setting {
    /// Its table in a file.
    pub(super) table: &'static str,
    /// Its name there.
    pub(super) name: &'static str,
    /// Help text.
    pub(super) help: &'static str,
    /// Rights of a repository's file.
    pub(super) repository: RepositoryRights,
    /// Its value.
    pub(super) field: fn(&mut Settings) -> &mut dyn Field,
}

/// Rights of a repository's file, which anybody may have written, over a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RepositoryRights {
    /// Nothing, for this reason.
    Never(&'static str),
    /// Say what holds if the person says nothing.
    Suggests,
    /// Let less through than the person does.
    Tightens,
}

const COLOURS: RepositoryRights = RepositoryRights::Never("a repository cannot choose colours");
const RUNS: RepositoryRights = RepositoryRights::Never("a repository cannot name commands to run");
/// A key that means something else in one repository would be a trap.
const BINDS: RepositoryRights = RepositoryRights::Never(NO_KEYS);
const LOOKS: RepositoryRights =
    RepositoryRights::Never("a repository cannot choose between screen and lines");
const ORDERS: RepositoryRights =
    RepositoryRights::Never("a repository cannot choose in which order it is reviewed");
const LOOKS_AT: RepositoryRights =
    RepositoryRights::Never("a repository does not know the terminal");
const ANSWERS: RepositoryRights =
    RepositoryRights::Never("a repository cannot answer for the person");
const ACCEPTS: RepositoryRights =
    RepositoryRights::Never("a repository cannot accept anything for the person");
const AWAY: RepositoryRights =
    RepositoryRights::Never("a repository cannot say when you are notified");
const DECIDES: RepositoryRights = RepositoryRights::Never("a repository cannot say who decides");
const SENDS: RepositoryRights =
    RepositoryRights::Never("a repository cannot say where text is sent");

/// Reason why a repository binds no keys.
pub(super) const NO_KEYS: &str = "a repository cannot change keys";

/// A table's name, and what it is about.
pub(super) const TABLES: [(&str, &str); 12] = [
    ("ui", "The screen"),
    ("keys", "Keys"),
    ("editor", "The editor for proposed text"),
    ("check", "The command that says whether the result is sound"),
    (
        "overlay",
        "The program that shows a review over another one",
    ),
    ("serve", "The reviewer that stays open"),
    ("model", "The apply model, asked only for what has no place"),
    ("guard", "What agents may not touch"),
    ("place", "How edits find their places"),
    ("apply", "What is written without a person"),
    ("review", "What is answered without a person"),
    ("policy", "What is accepted in advance, by a proof"),
];

/// Makes a row of the table from the place of its value in [`Settings`].
macro_rules! setting {
    ($table:ident.$name:ident, $repository:expr, $help:literal) => {
        Setting {
            table: stringify!($table),
            name: stringify!($name),
            help: $help,
            repository: $repository,
            field: |settings| &mut settings.$table.$name,
        }
    };
}

/// Every setting, in the order of the tables: its place in [`Settings`], which is its name in a file, the rights of a repository, and
/// the help.
#[rustfmt::skip]
pub(super) static SETTINGS: [Setting; 47] = [
    setting!(ui.layout, Suggests, "side by side or unified; `auto` goes by the width"),
    setting!(ui.wrap, Suggests, "break all long lines; else changed ones of up to 4,096 bytes"),
    setting!(ui.list, Suggests, "the list of files at the side; `auto` goes by the width"),
    setting!(ui.files, Suggests, "all files in one stream, or one file at a time"),
    setting!(ui.order, ORDERS, "the order of the files: riskiest first, by intent, by kind, by path, or as proposed"),
    setting!(ui.context, Suggests, "unchanged lines around hunks"),
    setting!(ui.theme, COLOURS, "the colours; `auto` goes by the background, others are built in or files of yours"),
    setting!(ui.background, Suggests, "whether the terminal is dark or light; `auto` asks it"),
    setting!(ui.signs, Suggests, "the signs of states; `auto` goes by the locale"),
    setting!(ui.ambiguous_width, LOOKS_AT, "how wide the terminal shows what may be one column or two, such as frames and Greek letters"),
    setting!(ui.auto_advance, Suggests, "go to the next undecided hunk after a decision"),
    setting!(ui.mouse, Suggests, "use the mouse; without it, the terminal selects text with it"),
    setting!(ui.word_diff, Suggests, "emphasise the words that differ"),
    setting!(ui.linear, LOOKS, "review line by line, as plain text, instead of on a screen"),
    setting!(keys.preset, BINDS, "the keys to begin with"),
    setting!(editor.command, RUNS, "its command line; without one, `$VISUAL` or `$EDITOR`"),
    setting!(check.command, RUNS, "its command line, run by `sh` on a copy of the tree with the accepted edits, such as `cargo check`"),
    setting!(check.timeout, Suggests, "the seconds that it may take"),
    setting!(overlay.command, RUNS, "its command line, such as `tmux display-popup -E -w 90% -h 90%`"),
    setting!(serve.notify, RUNS, "a command line, run by `sh` when a proposal waits and nobody presses a key"),
    setting!(serve.notify_after, AWAY, "the seconds without a key after which it is run; 0 runs it whenever a proposal arrives"),
    setting!(serve.remote, DECIDES, "take decisions from other terminals of yours, by `countersign decide`"),
    setting!(model.endpoint, SENDS, "the address that requests are posted to; without one, nothing is ever sent"),
    setting!(model.api_key_env, SENDS, "the variable of the environment that holds the key to it"),
    setting!(model.name, SENDS, "the model's name"),
    setting!(model.style, SENDS, "how it is talked to"),
    setting!(model.timeout, SENDS, "the seconds that an answer may take"),
    setting!(model.max_bytes, SENDS, "the most bytes of a request or an answer"),
    setting!(model.retries, SENDS, "how often a request that failed is sent again"),
    setting!(guard.protected, Tightens, "more files that are never accepted in batch, as `.gitignore` writes patterns"),
    setting!(guard.ignore_files, Tightens, "more files to obey as ignore files, by their names"),
    setting!(guard.max_file_mib, Tightens, "the largest file that is read, in MiB"),
    setting!(place.precision, Tightens, "how alike a reworded place must be"),
    setting!(apply.confidence, Tightens, "the loosest placement that is written without a person"),
    setting!(review.rejected_before, ANSWERS, "what becomes of a change that you rejected and that is proposed again: you are asked, or it is rejected with the same reason"),
    setting!(review.ask_about_threads, ANSWERS, "ask about threads that are not resolved before a review is finished"),
    setting!(policy.formatting, ACCEPTS, "accept hunks in advance that change nothing but layout, proven by a parser"),
    setting!(policy.imports, ACCEPTS, "accept hunks in advance that change nothing but the order of imports, proven by a parser"),
    setting!(policy.comments, ACCEPTS, "accept hunks in advance that change only comments which this regular expression matches as a whole, proven by a parser"),
    setting!(policy.moves, ACCEPTS, "accept hunks in advance that together change nothing but the order of items, proven by a parser"),
    setting!(policy.tests, ACCEPTS, "accept hunks in advance that only add tests, proven by a parser; they run when you run your tests"),
    setting!(policy.generated, ACCEPTS, "accept hunks in advance in these files, if the command of `generate` makes them as they are proposed; never in protected ones"),
    setting!(policy.generated_from, ACCEPTS, "the files that this command gets as they are proposed, as `.gitignore` writes patterns; all others it gets as they are"),
    setting!(policy.generate, RUNS, "its command line, run by `sh` on a copy of the tree before you see the proposal, such as `cargo update --workspace`"),
    setting!(policy.versions, ACCEPTS, "accept hunks in advance that only raise version numbers, to compatible ones, in these files; never in protected ones"),
    setting!(policy.paths, ACCEPTS, "accept hunks in advance in these files, as `.gitignore` writes patterns; never in protected ones"),
    setting!(policy.most_lines, ACCEPTS, "the most changed lines of a file that `paths` accepts"),
];

impl Setting {
    /// True if a mistake in its name or value may leave something unguarded.
    pub(super) fn is_guard(&self) -> bool {
        self.repository == Tightens
    }

    /// The name with its table's.
    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    /// The variable of the environment that sets it.
    pub(super) fn variable(&self) -> String {
        format!("COUNTERSIGN_{}_{}", self.table, self.name).to_uppercase()
    }
}

/// Returns the position of a setting in the table, by its full name.
pub(super) fn position(name: &str) -> Option<usize> {
    let (table, name) = name.split_once('.')?;
    let is_it = |setting: &Setting| setting.table == table && setting.name == name;
    SETTINGS.iter().position(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_tables() {
        let mut tables: Vec<&str> = SETTINGS.iter().map(|setting| setting.table).collect();
        tables.dedup();
        assert_eq!(tables, TABLES.map(|(name, _)| name));
    }

    #[test]
    fn every_row_is_a_value_of_its_own() {
        for (idx, setting) in SETTINGS.iter().enumerate() {
            let mut settings = Settings::default();
            let value = std::ptr::from_mut((setting.field)(&mut settings)).cast::<u8>();
            for other in &SETTINGS[..idx] {
                let another = std::ptr::from_mut((other.field)(&mut settings)).cast::<u8>();
                assert_ne!(value, another, "{}", setting.full_name());
                assert_ne!(setting.full_name(), other.full_name());
            }
        }
    }
}
