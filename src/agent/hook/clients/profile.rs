//! Form of the table of clients: a row has all that differs from one client to the next.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::switches::{Gate, SettingsOwner, SettingsText};
use super::client_trait::ClientTrait;

/// Kind of tool, which decides how its arguments are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::agent::hook) enum ToolKind {
    /// One text in place of another.
    Replace,
    /// Several of these, one after the other.
    ReplaceSeveral,
    /// New contents.
    Write,
    /// Lines that are put in before a line.
    Insert,
    /// A patch in Codex' envelope, of any number of files.
    Patch,
    /// A cell of a notebook.
    Notebook,
    /// New contents to show: a request of Gemini CLI to its companion, never to a hook.
    Diff,
}

/// Names of the arguments of an agent's tools.
#[derive(Debug)]
pub(in crate::agent::hook) struct Fields {
    pub(in crate::agent::hook) path: &'static str,
    pub(in crate::agent::hook) old: &'static str,
    pub(in crate::agent::hook) new: &'static str,
    /// Replaces every place; `None` where the agent has no such argument.
    pub(in crate::agent::hook) all: Option<&'static str>,
    /// The line that the new text is put before; `None` where the agent has no such argument.
    pub(in crate::agent::hook) line: Option<&'static str>,
    /// New contents of a file.
    pub(in crate::agent::hook) content: &'static str,
    pub(in crate::agent::hook) patch: &'static str,
}

/// Form of a hook's input and of its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::agent::hook) enum HookFormat {
    /// That of Claude Code, which others have taken over.
    PreToolUse,
    /// That of Gemini CLI.
    BeforeTool,
    /// That of GitHub Copilot CLI.
    Copilot,
    /// That of Cline CLI.
    Cline,
    /// Ours, in which our plugins ask.
    Own,
}

/// The way in which a gate is installed.
#[derive(Debug, Clone, Copy)]
pub(in crate::agent::hook) enum Installed {
    /// As entries under `hooks` in a settings file.
    Entries {
        /// The event before a tool is called.
        before: &'static str,
        /// The event after it, where a hook keeps what the agent has read, and delivers messages to the model.
        after: Option<&'static str>,
        /// The events of a turn: its prompt, and its end.
        turns: Option<[&'static str; 2]>,
        /// A second, in the unit of the client's timeouts.
        second: u32,
        /// The form of the file.
        syntax: SettingsSyntax,
    },
    /// As a file of its own with this text, which follows the text that all plugins have.
    Plugin(&'static str),
    /// As a shell script with this text, in which one line is the command.
    Script(&'static str),
}

/// Additions to plain JSON that a client takes in its settings. Of a file with anything else it reads nothing at all, and no gate either; so
/// an addition that a client is not known to take counts as not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::agent::hook) struct SettingsSyntax {
    /// Comments.
    pub(in crate::agent::hook) comments: bool,
    /// A comma after the last value of an object or a list.
    pub(in crate::agent::hook) last_commas: bool,
    /// A byte-order mark.
    pub(in crate::agent::hook) mark: bool,
}

impl SettingsSyntax {
    /// Nothing.
    pub(in crate::agent::hook) const PLAIN: Self = Self {
        comments: false,
        last_commas: false,
        mark: false,
    };
}

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsScope {
    /// Those of the folder that the agent is started in.
    Project,
    /// Those of the user, for every folder.
    User,
}

/// The file that a gate is installed in.
#[derive(Debug, Clone, Copy)]
pub struct GateFile {
    /// The file of a project, from its root.
    pub project: &'static str,
    /// The variable that names the client's folder, and that folder below the user's home where it is not set.
    pub folder: (&'static str, &'static str),
    /// The file of the user, from that folder.
    pub user: &'static str,
    /// The settings that a gate is installed in unless the person says which.
    pub usual: SettingsScope,
}

impl GateFile {
    /// Returns how many folders above the file belong to the client alone.
    pub fn own_folders(&self, scope: SettingsScope) -> usize {
        let path = match scope {
            SettingsScope::Project => PathBuf::from(self.project),
            SettingsScope::User if self.folder == CONFIG => PathBuf::from(self.user),
            SettingsScope::User => Path::new(self.folder.1).join(self.user),
        };
        path.components().count().saturating_sub(1)
    }
}

/// The folder of configurations, which all programs share.
pub(super) const CONFIG: (&str, &str) = ("XDG_CONFIG_HOME", ".config");

/// Place of a settings file that a client reads.
#[derive(Debug, Clone, Copy)]
pub enum SettingsSource {
    /// A file.
    At(&'static str),
    /// The file that a variable names, or else this one.
    Variable(&'static str, &'static str),
    /// The file that a variable names, or else the file of this name beside the one of another source: a variable and the file that counts
    /// where it is not set.
    VariableOrBeside(&'static str, (&'static str, &'static str), &'static str),
    /// The file that a variable names, if it is set.
    Named(&'static str),
    /// The files `managed-settings.d/*.json` in a folder. A later one overrides those before it.
    Parts(&'static str),
    /// A file of this name beside the one that gates are installed in.
    Beside(SettingsScope, &'static str),
    /// A file of the project.
    Project(&'static str),
}

/// A start of a client with a scripted model.
#[derive(Debug, Clone, Copy)]
pub(in crate::agent) struct Launch<'a> {
    /// Address of the scripted model.
    pub(in crate::agent) address: &'a str,
    /// A key that no service accepts.
    pub(in crate::agent) key: &'a str,
    /// The prompt, for the history of those clients that keep one.
    pub(in crate::agent) prompt: &'a str,
    /// A folder for what only this run needs.
    pub(in crate::agent) scratch: &'a Path,
    /// The settings file of the user, and its text.
    pub(in crate::agent) settings: (&'a Path, &'a str),
}

/// A client, as a row of the table.
#[derive(Debug)]
pub(in crate::agent) struct Profile {
    /// The name that commands and proposals know it by.
    pub(in crate::agent::hook) name: &'static str,
    /// The name that its makers gave it.
    pub(in crate::agent::hook) title: &'static str,
    /// The tools that write.
    pub(in crate::agent::hook) tools: &'static [(&'static str, ToolKind)],
    /// The tools that read a file, and nothing else.
    pub(in crate::agent::hook) readers: &'static [&'static str],
    /// The other tools that write no files of the project, whatever their arguments are.
    pub(in crate::agent::hook) harmless: &'static [&'static str],
    /// The tools that run shell commands.
    pub(in crate::agent::hook) shells: &'static [&'static str],
    pub(in crate::agent::hook) fields: Fields,
    pub(in crate::agent::hook) form: HookFormat,
    pub(in crate::agent::hook) traits: &'static [ClientTrait],
    pub(in crate::agent::hook) installed: Installed,
    pub(in crate::agent::hook) place: GateFile,
    /// True if the client remembers which files it has read by the names that the agent gave, and refuses to edit one under
    /// another name.
    pub(in crate::agent::hook) remembers_names: bool,
    /// The settings files that it reads, the one that overrides the others first.
    pub(in crate::agent::hook) sources: &'static [(SettingsOwner, SettingsSource)],
    /// Files beside the one that has the gate whose hooks for an event it calls in place of those. It reads the first that exists.
    pub(in crate::agent::hook) replaced_by: &'static [&'static str],
    /// Folders with hooks of the client, from the project, and from the user's home: of several hooks before a tool the last one that gives
    /// arguments decides.
    pub(in crate::agent::hook) hook_folders: (&'static [&'static str], &'static [&'static str]),
    /// Returns the settings that keep it from calling a gate.
    pub(in crate::agent::hook) switched_off: fn(&[SettingsText<'_>], Gate<'_>) -> Vec<String>,
    /// Environment variables that keep it from calling its hooks, if they are set.
    pub(in crate::agent::hook) variables: &'static [&'static str],
    /// Files of variables that it reads from the project, from the folders above it, and from the user's home.
    pub(in crate::agent::hook) variable_files: &'static [&'static str],
    /// The variables that keep it from calling the hooks of a project.
    pub(in crate::agent::hook) project_variables: &'static [&'static str],
    /// Returns `true` if a variable of this name is switched on by this value.
    pub(in crate::agent::hook) is_on: fn(&str, &str) -> bool,
    /// Options with which it calls no hooks at all.
    pub(in crate::agent::hook) flags: &'static [&'static str],
    /// The next step for the person after an installation.
    pub(in crate::agent::hook) next_step: &'static str,
    /// Advice for the person where it does not call its gate.
    pub(in crate::agent::hook) advice: &'static str,
    /// Has a command answer the prompt by the scripted model. All but the model is as in any session.
    #[cfg_attr(
        not(feature = "mcp"),
        allow(dead_code, reason = "only the probe starts clients")
    )]
    pub(in crate::agent) start: fn(Launch<'_>, &mut Command) -> io::Result<()>,
}

/// Returns the path on this system, of those on Linux and on macOS. A client reads no other.
pub(super) const fn on_this_system(linux: &'static str, macos: &'static str) -> &'static str {
    if cfg!(target_os = "macos") {
        macos
    } else {
        linux
    }
}

/// Next step after the installation of a gate that needs nobody's trust.
pub(super) const START: &str = "start the agent anew, and `countersign serve` beside it";
/// Advice where settings are the likely reason.
pub(super) const SETTINGS: &str = "a setting keeps it from calling hooks; `countersign run` holds back what it writes without them";
/// Arguments in the names of Claude Code.
pub(super) const SNAKE_CASE: Fields = Fields {
    path: "file_path",
    old: "old_string",
    new: "new_string",
    all: Some("replace_all"),
    line: None,
    content: "content",
    patch: "command",
};
