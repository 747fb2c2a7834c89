//! Putting the gate into an agent's settings, and taking it out again.
//!
//! What will change is shown as a diff first. The file as it was stays beside it until the gate is taken out, which puts
//! exactly that back, unless the settings have been changed since: then only the gate goes.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use similar::TextDiff;
use thiserror::Error;

use super::super::agent_args::HookArgs;
use super::super::exit::Exit;
use super::super::output;
use super::location::without_link;
use super::settings_file::{read_settings, settings_file};
use crate::agent::hook::settings::{self, Beside, HookSettingsError, NewGate};
use crate::agent::hook::{Agent, SettingsScope};

/// Reason why the settings are not changed.
#[derive(Debug, Error)]
pub(in crate::cli) enum InstallError {
    /// The file cannot be read or written.
    #[error("`{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is not understood.
    #[error("`{}`: {source}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: HookSettingsError,
    },
    /// Nobody can be asked.
    #[error("cannot ask whether to change `{}`: there is no terminal", .0.display())]
    NotAsked(PathBuf),
    /// A person calls what an agent is to call.
    #[error("{0} runs this command with an edit on standard input, which is a terminal here")]
    NotCalled(&'static str),
    /// The agent has no hooks for turns.
    #[error("{0} has no hook for the end of a turn, so its turns cannot be reviewed")]
    NoTurns(&'static str),
    /// The client does not wait so long.
    #[error(
        "{agent} goes on without an answer soon after {longest} s, so a gate cannot wait for {wait} s"
    )]
    TooLong {
        /// The client.
        agent: Agent,
        /// The longest wait, in seconds.
        longest: u64,
        /// The wait that is asked for, in seconds.
        wait: u64,
    },
    /// The user has no home folder.
    #[error("there is no home folder")]
    NoHome,
}

impl InstallError {
    /// Returns advice for the person.
    pub(in crate::cli) fn hint(&self) -> &'static str {
        match self {
            Self::File { .. } => {
                "check the file's permissions, or put in what `--print` shows by hand"
            }
            Self::Settings {
                source: HookSettingsError::NotOurs(_),
                ..
            } => "then `--install` puts the gate beside it",
            Self::Settings { .. } => "fix the file, or add the output of `--print` by hand",
            Self::NotAsked(_) => "`--yes` changes it without asking",
            Self::NotCalled(_) => "`--install` has the agent call it",
            Self::NoTurns(_) => {
                "leave `--stop` out; `countersign git` reviews the changes in the working tree"
            }
            Self::TooLong { .. } => "leave `--wait` out to have it wait as long as it can",
            Self::NoHome => "set `HOME`, or use `--project`",
        }
    }
}

/// A file of settings, before and after.
struct SettingsChange {
    agent: Agent,
    scope: SettingsScope,
    path: PathBuf,
    /// The current text; `None` if there is no file.
    before: Option<String>,
    /// The new text; `None` if the file is to be deleted.
    after: Option<String>,
}

/// Installs, removes or prints the gate.
pub(super) fn run(args: &HookArgs) -> anyhow::Result<Exit> {
    let agent = args.agent;
    let scope = match (args.user, args.project) {
        (true, _) => SettingsScope::User,
        (false, true) => SettingsScope::Project,
        (false, false) => agent.place().usual,
    };
    let path = settings_file(agent, scope, Path::new(".")).ok_or(InstallError::NoHome)?;
    if args.stop && !agent.has_turns() {
        return Err(InstallError::NoTurns(agent.name()).into());
    }
    let beside = if args.stop {
        Beside::Turns
    } else {
        Beside::Nothing
    };
    let wait = wait(args)?;
    let program = program();
    let gate = NewGate {
        program: &program,
        wait,
        beside,
    };
    if args.print {
        return print(agent, &path, gate);
    }
    let before = read(&path)?;
    let commands = settings::found_commands(agent, before.as_deref().unwrap_or_default())
        .map_err(InstallError::settings(&path))?;
    let is_there = !commands.is_empty();
    let change = if args.uninstall {
        if !is_there {
            output::say(&format!("no gate is installed in `{}`", path.display()));
            return Ok(Exit::Done);
        }
        uninstalling(agent, scope, &path, before)?
    } else {
        // A gate that is installed again waits as long as before.
        let wait = wait.or_else(|| installed_wait(&commands));
        let after = settings::installed(agent, before.as_deref(), NewGate { wait, ..gate })
            .map_err(InstallError::settings(&path))?;
        SettingsChange {
            agent,
            scope,
            path: path.clone(),
            after: Some(after),
            before,
        }
    };
    if change.before == change.after {
        output::say(&format!("the gate is in `{}` already", path.display()));
        return Ok(Exit::Done);
    }
    output::write(&change.shown())?;
    if !args.yes && !confirmed(&path)? {
        output::say("nothing is changed");
        return Ok(Exit::Refused);
    }
    change.carry_out(is_there, args.uninstall)?;
    if args.uninstall {
        output::say(&format!("taken out of `{}`", path.display()));
    } else {
        output::say(&format!("written: `{}`", path.display()));
        output::say(agent.next_step());
        output::say(&format!(
            "the hook does not review what {agent} writes through the shell: `countersign run -- {}` holds back that too",
            agent.name()
        ));
    }
    Ok(Exit::Done)
}

/// Returns the seconds that a gate is to wait for a decision, if the person names any.
fn wait(args: &HookArgs) -> Result<Option<u64>, InstallError> {
    let Some(wait) = args.wait else {
        return Ok(None);
    };
    let longest = args.agent.longest_wait();
    let wait = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    if wait > longest.as_secs() {
        return Err(InstallError::TooLong {
            agent: args.agent,
            longest: longest.as_secs(),
            wait,
        });
    }
    Ok(Some(wait))
}

/// Returns the whole seconds that an installed gate waits for a decision, if its command names any.
fn installed_wait(commands: &[String]) -> Option<u64> {
    let wait = settings::wait_of(commands.first()?)?;
    Duration::try_from_secs_f64(wait)
        .ok()
        .map(|wait| wait.as_secs())
}

fn print(agent: Agent, path: &Path, gate: NewGate<'_>) -> anyhow::Result<Exit> {
    let text = settings::installed(agent, None, gate)?;
    output::say(&format!("for `{}`:", path.display()));
    output::write(&text)?;
    Ok(Exit::Done)
}

/// Returns the command for this program: its name if the shell finds it by that, else its path.
fn program() -> String {
    let Ok(own) = std::env::current_exe().and_then(|path| path.canonicalize()) else {
        return "countersign".to_owned();
    };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&folders)
        .find_map(|folder| folder.join("countersign").canonicalize().ok());
    if first.as_ref() == Some(&own) {
        return "countersign".to_owned();
    }
    format!("'{}'", own.to_string_lossy().replace('\'', "'\\''"))
}

/// Computes the settings without the gate: the saved original, if nothing else has changed since.
fn uninstalling(
    agent: Agent,
    scope: SettingsScope,
    path: &Path,
    before: Option<String>,
) -> Result<SettingsChange, InstallError> {
    let kept = read(&backup(path))?;
    let text = before.as_deref().unwrap_or_default();
    let called = settings::commands(agent, text);
    let program = called
        .first()
        .and_then(|command| command.split(" hook ").next())
        .unwrap_or_default();
    let gate = NewGate {
        program,
        wait: installed_wait(&called),
        beside: settings::turn_review(agent, text),
    };
    let as_it_was = settings::installed(agent, kept.as_deref(), gate)
        .ok()
        .as_deref()
        == Some(text);
    let after = if as_it_was || agent.has_plugin() {
        kept
    } else {
        let removed = settings::removed(agent, text);
        Some(removed.map_err(InstallError::settings(path))?)
    };
    Ok(SettingsChange {
        agent,
        scope,
        path: path.to_owned(),
        before,
        after,
    })
}

impl SettingsChange {
    fn shown(&self) -> String {
        let path = self.path.display().to_string();
        let [(from, old), (to, new)] = [&self.before, &self.after].map(|text| match text {
            Some(text) => (path.as_str(), text.as_str()),
            None => ("/dev/null", ""),
        });
        let diff = TextDiff::from_lines(old, new);
        diff.unified_diff().header(from, to).to_string()
    }

    /// Writes the file, whole or not at all. The original is saved beside it.
    fn carry_out(&self, is_there: bool, uninstall: bool) -> Result<(), InstallError> {
        // Settings are often links into a collection of such files.
        let path = without_link(self.path.clone())
            .ok_or_else(|| io::Error::other("the file that this link leads to cannot be found"))
            .map_err(InstallError::file(&self.path))?;
        let kept = backup(&self.path);
        match (&self.before, uninstall) {
            (Some(before), false) if !is_there => replace(&kept, before, &path)?,
            (None, false) => remove(&kept)?,
            (Some(_) | None, _) => (),
        }
        if let Some(after) = &self.after {
            replace(&path, after, &path)?;
        } else {
            remove(&path)?;
            // Folders that were made for it, or were empty already.
            let mut own = self
                .path
                .ancestors()
                .skip(1)
                .take(self.agent.place().own_folders(self.scope));
            let _: io::Result<()> = own.try_for_each(fs::remove_dir);
        }
        if uninstall { remove(&kept) } else { Ok(()) }
    }
}

fn backup(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".before-countersign");
    PathBuf::from(name)
}

fn read(path: &Path) -> Result<Option<String>, InstallError> {
    read_settings(path).map_err(InstallError::file(path))
}

fn replace(path: &Path, text: &str, like: &Path) -> Result<(), InstallError> {
    write_anew(path, text, like).map_err(InstallError::file(path))
}

/// Writes a file beside its place and renames it into it. It gets the permissions of another one, or where that is not there those that new
/// files have.
fn write_anew(path: &Path, text: &str, like: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().make_in(folder, |path| File::create_new(path))?;
    if let Ok(before) = fs::metadata(like) {
        fs::set_permissions(file.path(), before.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

impl InstallError {
    /// Returns a function that names a file, for the errors of the system about it.
    fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }

    /// Returns a function that names a file, for what is wrong with the settings in it.
    fn settings(path: &Path) -> impl Fn(HookSettingsError) -> Self {
        |source| Self::Settings {
            path: path.to_owned(),
            source,
        }
    }
}

fn remove(path: &Path) -> Result<(), InstallError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(InstallError::file(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn confirmed(path: &Path) -> Result<bool, InstallError> {
    if !io::stdin().is_terminal() {
        return Err(InstallError::NotAsked(path.to_owned()));
    }
    output::say(&format!("change `{}`? [y/N]", path.display()));
    let mut answer = String::new();
    // What cannot be read is no yes.
    let _ = io::stdin().read_line(&mut answer);
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
