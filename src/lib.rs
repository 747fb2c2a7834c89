//! A reviewer between AI coding agents and the working tree.
//!
//! The program reads the edits that an agent proposes, finds where each belongs in the files as they are now, lets a person
//! accept, reject or edit them, writes exactly what was approved, and reports the outcome. Three promises come before every
//! feature: an edit lands where it was meant to or not at all, nothing else is lost, and nobody waits.
//!
//! # Pipeline
//!
//! ```text
//! bytes ── dialect::parse ──► Proposal and Problems       what is asked, and what could not be read
//!       ── store::Root ─────► Snapshots                   the files as they are
//!       ── review::intake ──► ReviewSession               every hunk placed by `locate`, or why not
//!       ── ui::run, or a policy ► decisions               a person, or `apply`
//!       ── review::compose ─► Postimages                  the files as they will be
//!       ── store::commit ───► all written, or nothing
//!       ── review::Report ──► text, JSON, an exit code
//! ```
//!
//! The middle is functions of values. Only [`store`] touches files, only [`ui`] touches the terminal, only [`agent`] touches
//! sockets and other programs, and only [`cli`] depends on all of them.
//!
//! # Modules
//!
//! | module | contents | may import |
//! |---|---|---|
//! | [`text`] | lines, endings, encodings, indentation | – |
//! | [`proposal`] | what was asked, before any file is read | `text` |
//! | [`dialect`] | text → proposal; one file a dialect, one table of them | `text`, `proposal` |
//! | [`locate`] | hunk and file → placement with evidence, or a reason | `text`, `proposal` |
//! | [`review`] | session, decisions, composing, rows, report | all of the above |
//! | [`store`] | the only file access: guarding, reading, committing, history | `text`, `proposal` |
//! | [`agent`] | connections to agents: the resident reviewer's socket, hooks, MCP, verdicts, the apply model | `review`, `proposal`, `text` |
//! | [`policy`] | rules that accept hunks in advance, each with its proof | `review`, `proposal`, `text` |
//! | [`ui`] | the only terminal: actions in, screens out | `review`, `proposal`, `text` |
//! | [`config`] | settings, in the types of the modules that they are for, and where each value came from | `text`, `locate`, `review`, `agent`, `ui` |
//! | `app` | workflows that commands, the resident reviewer and hooks share | all of the above |
//! | [`cli`] | arguments, one file a command, exit codes | anything |
//! | `parallel` | the same work for many values, on all cores | – ; `dialect`, `review`, `store`, `app` and `cli` may import it |
//!
//! `tests/tidy` enforces this table.
//!
//! # Extending it
//!
//! Begin with the first column; the compiler and the tests ask for the rest.
//!
//! | to add | begin with | then |
//! |---|---|---|
//! | a dialect | a file in [`dialect`] and a row in [`dialect::DIALECTS`] | a row in `docs/src/dialects.md`, a folder in `tests/scenarios` |
//! | a key | a row in [`ui::keymap::KEYS`], and a [`ui::command::Command`] if it is new | its handler, when it is available, a flow in `tests/ui` |
//! | a setting | a field in [`config::Settings`] and a row in `config::table` | `UPDATE_DOCS=1 cargo test --test docs` |
//! | an agent | [`agent::hook::Agent`], with its tools | the shapes of its calls, answers and settings |
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes the generated tables of `docs/src`, and `UPDATE_SCENARIOS=1 cargo
//! test --test scenarios` the expected reports.
//!
//! # Using the library
//!
//! Parse, place, decide, compose, commit:
//!
//! ```
//! use std::sync::Arc;
//! use countersign::dialect::{self, Options};
//! use countersign::locate::Tolerance;
//! use countersign::proposal::HunkOrder;
//! use countersign::review::{Decision, Found, Intake, NewTextEncoding, OtherFile, Postimage, Target, compose, intake};
//! use countersign::store::{FileState, FileWrite, Root, WriteAction, commit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let home = tempfile::tempdir()?;
//! # let folder = home.path().join("project");
//! # std::fs::create_dir_all(folder.join("src"))?;
//! # std::fs::write(folder.join("src/lib.rs"), "fn answer() -> u32 {\n    41\n}\n")?;
//! let edit = "\
//! src/lib.rs
//! <<<<<<< SEARCH
//!     41
//! =======
//!     42
//! >>>>>>> REPLACE
//! ";
//! // Parse the edit.
//! let parsed = dialect::parse(edit, &Options::default());
//! assert!(parsed.problems.is_empty());
//!
//! // Read the files it names.
//! let root = Root::open(&folder)?;
//! let mut files = Vec::new();
//! let mut snapshots = Vec::new();
//! for change in parsed.proposal.files {
//!     let path = root.resolve(&change.path)?;
//!     let snapshot = root.read(&path)?;
//!     let found = match &snapshot.state {
//!         FileState::File { document, executable, .. } => {
//!             Found::Text { document: Arc::clone(document), executable: *executable }
//!         }
//!         FileState::Opaque { why, .. } => panic!("{why}"),
//!         FileState::Absent => Found::Absent,
//!         FileState::Link { target } => Found::Link(target.clone()),
//!         FileState::Folder => Found::Folder,
//!     };
//!     let path = path.to_string();
//!     files.push(Intake { change: Arc::new(change), order: HunkOrder::Any, path, other: OtherFile::None, found, protected: None, bytes: None, reading: NewTextEncoding::default() });
//!     snapshots.push(snapshot);
//! }
//!
//! // Place it and accept it.
//! let mut session = intake(parsed.proposal.intent, parsed.problems, files, Tolerance::default());
//! session.decide(&Target::Rest, Decision::Accepted);
//! assert_eq!(session.counts().accepted, 1);
//!
//! // Compose the new text and write it, all or nothing.
//! let Postimage::Text { text, executable, .. } = compose(&session.files[0]) else { panic!("nothing to write") };
//! let bytes = session.files[0].base.encode(&text)?;
//! commit(&root, &[FileWrite { snapshot: &snapshots[0], action: WriteAction::Put { bytes, executable } }])?;
//! assert_eq!(std::fs::read_to_string(folder.join("src/lib.rs"))?, "fn answer() -> u32 {\n    42\n}\n");
//! # Ok(())
//! # }
//! ```

#![cfg_attr(
    not(feature = "cli"),
    allow(
        dead_code,
        unused_imports,
        reason = "the program uses more of the modules than they publish"
    )
)]

#[cfg(all(feature = "cli", not(unix)))]
compile_error!(
    "the program needs a Unix system; elsewhere use the library with `default-features = false`"
);

#[cfg(feature = "cli")]
pub mod agent;
#[cfg(feature = "cli")]
mod app;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod config;
pub mod dialect;
pub mod locate;
mod parallel;
pub mod policy;
pub mod proposal;
pub mod review;
#[cfg(unix)]
pub mod store;
pub mod text;
#[cfg(feature = "cli")]
pub mod ui;
