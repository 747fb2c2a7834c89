//! The one table of settings: reading, printing, the sample file and the README follow it.

use super::field::Field;
use super::settings::Settings;

/// A row of the table.
pub(super) struct Setting {
    /// Its table in a file.
    pub(super) table: &'static str,
    /// Its name there.
    pub(super) name: &'static str,
    /// Help text.
    pub(super) help: &'static str,
    /// Rights of a repository's file.
    pub(super) repository: Repository,
    /// Its value.
    pub(super) field: fn(&mut Settings) -> &mut dyn Field,
}

/// Rights of a repository's file, which anybody may have written, over a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repository {
    /// Nothing, for this reason.
    Never(&'static str),
    /// Say what holds if the person says nothing.
    Suggests,
    /// Let less through than the person does.
    Tightens,
}

const RUNS: Repository = Repository::Never("a repository cannot name commands to run");
/// A key that means something else in one repository would be a trap.
const BINDS: Repository = Repository::Never(NO_KEYS);
const LOOKS: Repository = Repository::Never("a repository cannot choose between screen and lines");
const ORDERS: Repository =
    Repository::Never("a repository cannot choose in which order it is reviewed");
const LOOKS_AT: Repository = Repository::Never("a repository does not know the terminal");
const ANSWERS: Repository = Repository::Never("a repository cannot answer for the person");
const ACCEPTS: Repository = Repository::Never("a repository cannot accept anything for the person");
const AWAY: Repository = Repository::Never("a repository cannot say when you are notified");
const DECIDES: Repository = Repository::Never("a repository cannot say who decides");
const SENDS: Repository = Repository::Never("a repository cannot say where text is sent");

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

/// Every setting, in the order of the tables.
pub(super) static SETTINGS: [Setting; 41] = [
    Setting {
        table: "ui",
        name: "layout",
        help: "side by side or unified; `auto` goes by the width",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.layout,
    },
    Setting {
        table: "ui",
        name: "wrap",
        help: "break long lines",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.wrap,
    },
    Setting {
        table: "ui",
        name: "list",
        help: "the list of files at the side; `auto` goes by the width",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.list,
    },
    Setting {
        table: "ui",
        name: "files",
        help: "all files in one stream, or one file at a time",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.files,
    },
    Setting {
        table: "ui",
        name: "order",
        help: "the order of the files: riskiest first, by kind, by path, or as proposed",
        repository: ORDERS,
        field: |settings| &mut settings.ui.order,
    },
    Setting {
        table: "ui",
        name: "context",
        help: "unchanged lines around hunks",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.context,
    },
    Setting {
        table: "ui",
        name: "theme",
        help: "the colours; `auto` goes by the background, others are built in or files of yours",
        repository: Repository::Never("a repository cannot choose colours"),
        field: |settings| &mut settings.ui.theme,
    },
    Setting {
        table: "ui",
        name: "background",
        help: "whether the terminal is dark or light; `auto` asks it",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.background,
    },
    Setting {
        table: "ui",
        name: "signs",
        help: "the signs of states; `auto` goes by the locale",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.signs,
    },
    Setting {
        table: "ui",
        name: "ambiguous_width",
        help: "how wide the terminal shows what may be one column or two, such as frames and Greek letters",
        repository: LOOKS_AT,
        field: |settings| &mut settings.ui.ambiguous_width,
    },
    Setting {
        table: "ui",
        name: "auto_advance",
        help: "go to the next undecided hunk after a decision",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.auto_advance,
    },
    Setting {
        table: "ui",
        name: "mouse",
        help: "use the mouse; without it, the terminal selects text with it",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.mouse,
    },
    Setting {
        table: "ui",
        name: "word_diff",
        help: "emphasise the words that differ",
        repository: Repository::Suggests,
        field: |settings| &mut settings.ui.word_diff,
    },
    Setting {
        table: "ui",
        name: "linear",
        help: "review line by line, as plain text, instead of on a screen",
        repository: LOOKS,
        field: |settings| &mut settings.ui.linear,
    },
    Setting {
        table: "keys",
        name: "preset",
        help: "the keys to begin with",
        repository: BINDS,
        field: |settings| &mut settings.keys.preset,
    },
    Setting {
        table: "editor",
        name: "command",
        help: "its command line; without one, `$VISUAL` or `$EDITOR`",
        repository: RUNS,
        field: |settings| &mut settings.editor.command,
    },
    Setting {
        table: "check",
        name: "command",
        help: "its command line, run by `sh` on a copy of the tree with the accepted edits, such as `cargo check`",
        repository: RUNS,
        field: |settings| &mut settings.check.command,
    },
    Setting {
        table: "check",
        name: "timeout",
        help: "the seconds that it may take",
        repository: Repository::Suggests,
        field: |settings| &mut settings.check.timeout,
    },
    Setting {
        table: "overlay",
        name: "command",
        help: "its command line, such as `tmux display-popup -E -w 90% -h 90%`",
        repository: RUNS,
        field: |settings| &mut settings.overlay.command,
    },
    Setting {
        table: "serve",
        name: "notify",
        help: "a command line, run by `sh` when a proposal waits and nobody presses a key",
        repository: RUNS,
        field: |settings| &mut settings.serve.notify,
    },
    Setting {
        table: "serve",
        name: "notify_after",
        help: "the seconds without a key after which it is run; 0 runs it whenever a proposal arrives",
        repository: AWAY,
        field: |settings| &mut settings.serve.notify_after,
    },
    Setting {
        table: "serve",
        name: "remote",
        help: "take decisions from other terminals of yours, by `countersign decide`",
        repository: DECIDES,
        field: |settings| &mut settings.serve.remote,
    },
    Setting {
        table: "model",
        name: "endpoint",
        help: "the address that requests are posted to; without one, nothing is ever sent",
        repository: SENDS,
        field: |settings| &mut settings.model.endpoint,
    },
    Setting {
        table: "model",
        name: "api_key_env",
        help: "the variable of the environment that holds the key to it",
        repository: SENDS,
        field: |settings| &mut settings.model.api_key_env,
    },
    Setting {
        table: "model",
        name: "name",
        help: "the model's name",
        repository: SENDS,
        field: |settings| &mut settings.model.name,
    },
    Setting {
        table: "model",
        name: "style",
        help: "how it is talked to",
        repository: SENDS,
        field: |settings| &mut settings.model.style,
    },
    Setting {
        table: "model",
        name: "timeout",
        help: "the seconds that an answer may take",
        repository: SENDS,
        field: |settings| &mut settings.model.timeout,
    },
    Setting {
        table: "model",
        name: "max_bytes",
        help: "the most bytes of a request or an answer",
        repository: SENDS,
        field: |settings| &mut settings.model.max_bytes,
    },
    Setting {
        table: "model",
        name: "retries",
        help: "how often a request that failed is sent again",
        repository: SENDS,
        field: |settings| &mut settings.model.retries,
    },
    Setting {
        table: "guard",
        name: "protected",
        help: "more files that are never accepted in batch, as `.gitignore` writes patterns",
        repository: Repository::Tightens,
        field: |settings| &mut settings.guard.protected,
    },
    Setting {
        table: "guard",
        name: "ignore_files",
        help: "more files to obey as ignore files, by their names",
        repository: Repository::Tightens,
        field: |settings| &mut settings.guard.ignore_files,
    },
    Setting {
        table: "guard",
        name: "max_file_mib",
        help: "the largest file that is read, in MiB",
        repository: Repository::Tightens,
        field: |settings| &mut settings.guard.max_file_mib,
    },
    Setting {
        table: "place",
        name: "precision",
        help: "how alike a reworded place must be",
        repository: Repository::Tightens,
        field: |settings| &mut settings.place.precision,
    },
    Setting {
        table: "apply",
        name: "confidence",
        help: "the loosest placement that is written without a person",
        repository: Repository::Tightens,
        field: |settings| &mut settings.apply.confidence,
    },
    Setting {
        table: "review",
        name: "rejected_before",
        help: "what becomes of a change that you rejected and that is proposed again: you are asked, or it is rejected with the same reason",
        repository: ANSWERS,
        field: |settings| &mut settings.review.rejected_before,
    },
    Setting {
        table: "review",
        name: "ask_about_threads",
        help: "ask about threads that are not resolved before a review is finished",
        repository: ANSWERS,
        field: |settings| &mut settings.review.ask_about_threads,
    },
    Setting {
        table: "policy",
        name: "formatting",
        help: "accept hunks in advance that change nothing but layout, proven by a parser",
        repository: ACCEPTS,
        field: |settings| &mut settings.policy.formatting,
    },
    Setting {
        table: "policy",
        name: "imports",
        help: "accept hunks in advance that change nothing but the order of imports, proven by a parser",
        repository: ACCEPTS,
        field: |settings| &mut settings.policy.imports,
    },
    Setting {
        table: "policy",
        name: "comments",
        help: "accept hunks in advance that change only comments which this regular expression matches as a whole, proven by a parser",
        repository: ACCEPTS,
        field: |settings| &mut settings.policy.comments,
    },
    Setting {
        table: "policy",
        name: "paths",
        help: "accept hunks in advance in these files, as `.gitignore` writes patterns; never in protected ones",
        repository: ACCEPTS,
        field: |settings| &mut settings.policy.paths,
    },
    Setting {
        table: "policy",
        name: "most_lines",
        help: "the most changed lines of a file that `paths` accepts",
        repository: ACCEPTS,
        field: |settings| &mut settings.policy.most_lines,
    },
];

impl Setting {
    /// True if a mistake in its name or value may leave something unguarded.
    pub(super) fn is_guard(&self) -> bool {
        self.repository == Repository::Tightens
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
