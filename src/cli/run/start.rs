//! Running a command in a layer, from its start to the review.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::Serialize;

use super::super::exit::Exit;
use super::super::output::{self, say};
use super::super::run_args::RunArgs;
use super::super::settings;
use super::super::shared_args::ReportForm;
use super::base;
use super::changes::LayerChanges;
use super::commits::Commits;
use super::find::{find, folder};
use super::inside::{outer_layer, run_inside};
use super::list::changed_files;
use super::review::{Opened, review_layer};
use super::through::through;
use crate::agent::git::Repository;
use crate::agent::is_served;
use crate::agent::layer::{Confine, EnterError, LayerSetup, RunningCommand, processes_in, stop};
use crate::app::recovery;
use crate::store::{Layer, LayerError, LayerKind, LayerRecord, LayerState, Root};
use crate::text::plural;

/// Time that the command waits for the record of a tree outside of a repository. A larger tree is recorded while it
/// runs.
const RECORDING: Duration = Duration::from_millis(80);
/// The same in a repository that is small enough to be done soon on any machine.
const RECORDING_SMALL: Duration = Duration::from_secs(2);
/// The nice value of the recording of a large tree, which runs beside the command.
const RECORDING_NICE: i32 = 10;
/// The largest index of git, in bytes, that is taken for one of a small tree.
const SMALL_INDEX: u64 = 1 << 20;

/// The folders of agents' own state, in the home, which stay writable with `--confine`.
const AGENTS: [&str; 24] = [
    ".aider",
    ".cache",
    ".claude",
    ".claude.json",
    ".cline",
    ".codex",
    ".config/crush",
    ".config/github-copilot",
    ".config/goose",
    ".config/kilo",
    ".config/opencode",
    ".continue",
    ".copilot",
    ".cursor",
    ".factory",
    ".gemini",
    ".local/share/crush",
    ".local/share/goose",
    ".local/share/kilo",
    ".local/share/opencode",
    ".local/state/kilo",
    ".local/state/opencode",
    ".pi",
    ".qwen",
];

/// The outcome of a run that was not reviewed, for scripts.
#[derive(Serialize)]
struct Summary<'a> {
    schema: &'static str,
    id: &'a str,
    exit: u8,
    files: Vec<String>,
    commits: Vec<String>,
}

/// Runs a command in a layer and reviews what it changed.
pub(in crate::cli) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    if let Some(id) = &args.drop {
        return drop_layer(&folder(args.root.as_deref()), id);
    }
    let root = Root::open(&folder(args.root.as_deref()))?;
    if let Some(id) = outer_layer(root.path(), args) {
        return run_inside(&id, args);
    }
    let config = settings::load(&args.settings, root.path())?;
    let root = settings::guarded(root, &config);
    recovery::run(&root)?;
    root.prune_layers();
    let (layer, about) = open_layer(&root, args)?;
    let lock = layer.lock()?;
    let ended = match begin(&root, &layer, &about, args) {
        Ok(begun) => begun.wait(&layer),
        Err(error) => {
            if args.resume.is_none() {
                // Nothing was written in it.
                let _ = layer.remove(lock);
            }
            return Err(error);
        }
    };
    if let Ok(code) = ended
        && about.kind == LayerKind::Overlay
        && !layer.was_entered()
    {
        if args.resume.is_none() {
            let _ = layer.remove(lock);
        }
        return Ok(Exit::Command(code));
    }
    // Whatever fails from here on, the layer holds what the command wrote.
    let exit = ended.and_then(|code| {
        let exit = after(root, &layer, &about, code, args);
        // The command has its own outcome, whatever can be listed of it.
        exit.or_else(|error| {
            if !args.no_review {
                return Err(error);
            }
            say(&format!("the layer cannot be listed: {error:#}"));
            Ok(Exit::Command(code))
        })
    });
    say_plainly(&format!("layer: {}", layer.id));
    exit
}

/// A command that was started in a layer, and the record of the tree that is made beside it.
struct StartedCommand {
    running: RunningCommand,
    recording: JoinHandle<anyhow::Result<Option<String>>>,
}

impl StartedCommand {
    /// Waits until the command has ended and the tree is recorded. Returns the command's exit code.
    fn wait(self, layer: &Layer) -> anyhow::Result<u8> {
        let ended = self.running.wait()?;
        let recorded = self.recording.join();
        let recorded = recorded.unwrap_or_else(|_| Err(anyhow::anyhow!("the program failed")));
        match recorded {
            Ok(None) => (),
            Ok(Some(remark)) => say(&remark),
            Err(error) => say(&format!(
                "the tree as it was at the start is not recorded ({error:#}): what you change meanwhile is a conflict as a whole"
            )),
        }
        let noted = layer.sync();
        if let Err(error) = noted.and_then(|()| layer.set_state(LayerState::Ended)) {
            say(&error.to_string());
        }
        Ok(ended.code)
    }
}

/// Discards a layer, after its processes were stopped.
fn drop_layer(folder: &Path, id: &str) -> anyhow::Result<Exit> {
    let (_, layer, _) = find(folder, id)?;
    let stopped = processes_in(&layer.id).len();
    let left = stop(&layer.id);
    anyhow::ensure!(
        left.is_empty(),
        "layer `{}`: {} cannot be stopped",
        layer.id,
        plural(left.len(), "process")
    );
    if stopped > 0 {
        say(&format!(
            "{stopped} processes of layer `{}` were stopped",
            layer.id
        ));
    }
    // The program that waited for them lets go of the layer now.
    let mut lock = layer.lock();
    for _ in 0..100 {
        if lock.is_ok() {
            break;
        }
        thread::sleep(Duration::from_millis(20));
        lock = layer.lock();
    }
    layer.remove(lock?)?;
    Ok(Exit::Done)
}

/// The layer to run in: a new one, or the one to be resumed.
fn open_layer(root: &Root, args: &RunArgs) -> anyhow::Result<(Layer, LayerRecord)> {
    let Some(id) = &args.resume else {
        let command: Vec<String> = (args.command.iter())
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let kind = if args.copy {
            LayerKind::Copy
        } else {
            LayerKind::Overlay
        };
        let layer = root.create_layer(&command, kind)?;
        let about = layer.about()?;
        return Ok((layer, about));
    };
    let found = if id.is_empty() {
        let latest = root.layers()?.into_iter().next();
        latest.ok_or_else(|| LayerError::None {
            root: root.path().to_owned(),
        })?
    } else {
        root.layer(id)?
    };
    Ok(found)
}

/// Starts the command, and the recording of the tree beside it.
fn begin(
    root: &Root,
    layer: &Layer,
    about: &LayerRecord,
    args: &RunArgs,
) -> anyhow::Result<StartedCommand> {
    let mut about = about.clone();
    let is_new = args.resume.is_none();
    let repository = base::repository_of(&about.root);
    if is_new || !args.through.is_empty() {
        about.through = through(&about.root, &args.through)?;
    }
    if !is_new {
        if !processes_in(&layer.id).is_empty() {
            let id = layer.id.clone();
            return Err(LayerError::InUse { id }.into());
        }
        LayerChanges::open(root.anew()?, layer.clone(), about.clone())?.pin()?;
        about.clock = layer.restart_clock()?;
        layer.forget_base()?;
    }
    about.head =
        (repository.as_ref()).and_then(|repository| repository.commit("HEAD").ok().flatten());
    about.state = LayerState::Running;
    layer.forget_entered()?;
    layer.write_about(&about)?;
    if is_new && about.kind == LayerKind::Copy {
        layer.fill_copy(&about)?;
    }
    let is_small = repository.as_ref().is_none_or(has_small_index);
    let record = || {
        let (tell, recorded) = channel();
        let (layer, about) = (layer.clone(), about.clone());
        let recording = thread::spawn(move || {
            if !is_small {
                // It runs beside the command then. On Linux this concerns this thread and the programs that it starts.
                let _ = rustix::process::nice(RECORDING_NICE);
            }
            let done = base::record(&layer, &about);
            // The command may have been started already.
            let _ = tell.send(());
            done
        });
        (recording, recorded)
    };
    let (running, recording) = if is_small {
        let (recording, recorded) = record();
        let patience = if repository.is_some() {
            RECORDING_SMALL
        } else {
            RECORDING
        };
        // What is not recorded by then is recorded while the command runs.
        let _ = recorded.recv_timeout(patience);
        (start(root, layer, &about, args)?, recording)
    } else {
        // The command cannot change what is recorded.
        let running = start(root, layer, &about, args)?;
        (running, record().0)
    };
    Ok(StartedCommand { running, recording })
}

fn has_small_index(repository: &Repository) -> bool {
    repository
        .index_size()
        .is_none_or(|size| size <= SMALL_INDEX)
}

/// Starts the command where it sees the layer.
fn start(
    root: &Root,
    layer: &Layer,
    about: &LayerRecord,
    args: &RunArgs,
) -> anyhow::Result<RunningCommand> {
    let here = std::env::current_dir()?.canonicalize()?;
    let inside = here.strip_prefix(&about.root).ok();
    let running = match about.kind {
        LayerKind::Copy => {
            let copy = layer.copy_of(&about.root);
            let folder = inside.map_or(copy.clone(), |inside| copy.join(inside));
            say(&format!(
                "the command works in a copy: `{}`",
                copy.display()
            ));
            RunningCommand::start_in_copy(
                (&layer.id, layer.folder()),
                &about.root,
                &folder,
                &args.command,
            )
        }
        LayerKind::Overlay if cfg!(not(target_os = "linux")) => {
            return Err(EnterError::Unsupported.into());
        }
        LayerKind::Overlay => {
            // Of a linked working tree, git's folder lies outside of it.
            let common = Repository::find(&about.root)
                .ok()
                .and_then(|found| found.common_folder());
            let also: Vec<PathBuf> = common
                .filter(|common| !common.starts_with(&about.root))
                .into_iter()
                .collect();
            for (n, folder) in also.iter().enumerate() {
                layer.make_also(n, folder)?;
            }
            let entry = LayerSetup {
                also,
                id: layer.id.clone(),
                root: about.root.clone(),
                layer: layer.folder().to_owned(),
                state: root.state_base()?,
                folder: if inside.is_some() {
                    here
                } else {
                    about.root.clone()
                },
                through: about.through.clone(),
                confine: args.confine.then(|| confine(&args.write)),
            };
            RunningCommand::start(&entry, &args.command)
        }
    };
    Ok(running.map_err(|source| EnterError::Command {
        command: (args.command.first())
            .map_or_else(String::new, |word| word.to_string_lossy().into_owned()),
        source,
    })?)
}

/// Returns the folders that stay writable with `--confine`.
fn confine(named: &[PathBuf]) -> Confine {
    let temporary = [
        std::env::temp_dir(),
        "/tmp".into(),
        "/var/tmp".into(),
        "/dev/shm".into(),
    ];
    let home = std::env::home_dir().unwrap_or_default();
    let own = AGENTS.iter().map(|name| home.join(name));
    let all: BTreeSet<PathBuf> = (temporary.into_iter().chain(own))
        .chain(named.iter().cloned())
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    Confine {
        write: all.into_iter().collect(),
    }
}

/// Starts the review after the command has ended, or prints how to start it.
fn after(
    root: Root,
    layer: &Layer,
    about: &LayerRecord,
    ended: u8,
    args: &RunArgs,
) -> anyhow::Result<Exit> {
    let about = layer.about().unwrap_or_else(|_| about.clone());
    let running = processes_in(&layer.id).len();
    if running > 0 {
        say(&format!(
            "{running} processes of the command are still running in the layer; `countersign run --drop {}` stops them",
            layer.id
        ));
    }
    let commits = Commits::of(layer, &about)?;
    if let Some(commits) = &commits {
        if args.commits {
            let branch = commits.bring(layer, &about)?;
            say(&format!(
                "{} brought as branch `{branch}`",
                plural(commits.listed.len(), "commit")
            ));
        } else {
            say(&format!(
                "the command made {}, which stay in the layer (`--commits` brings them as a branch): {}",
                plural(commits.listed.len(), "commit"),
                commits.listed.join("; ")
            ));
        }
    }
    if !args.no_review && is_served(&about.root) {
        say(&format!(
            "`countersign serve` shows what the command changed (layer {})",
            layer.id
        ));
        return Ok(Exit::Command(ended));
    }
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !args.no_review && (is_terminal || args.linear) {
        let opened = Opened {
            root,
            layer: layer.clone(),
            about,
        };
        let reviewed = review_layer(opened, args.linear, args.report, &args.settings)?;
        if reviewed.is_none() {
            say("nothing to review: the command changed no file that would be reviewed");
        }
        return Ok(reviewed.unwrap_or(Exit::Command(ended)));
    }
    let (files, left) = changed_files(root, layer, &about)?;
    for sentence in &left {
        say(sentence);
    }
    if args.report == ReportForm::Json {
        let summary = Summary {
            schema: "countersign-run/1",
            id: &layer.id,
            exit: ended,
            files,
            commits: commits.map(|commits| commits.listed).unwrap_or_default(),
        };
        output::write(&(serde_json::to_string_pretty(&summary)? + "\n"))?;
    } else if files.is_empty() && left.is_empty() {
        say("the command changed no file that would be reviewed");
    } else {
        say(&format!(
            "{} changed in the layer, the tree is as it was; `countersign review --run {id}` reviews them, `countersign apply --run \
            {id}` writes them",
            plural(files.len(), "file"),
            id = layer.id
        ));
    }
    Ok(Exit::Command(ended))
}

/// Prints a line on standard error as it is.
fn say_plainly(line: &str) {
    use std::io::Write;
    // Nothing can be done about a message that cannot be shown.
    let _ = writeln!(std::io::stderr(), "{line}");
}
