//! Sessions made of a few words.

use std::sync::Arc;

use countersign::locate::Tolerance;
use countersign::proposal::{
    Body, FileChange, Hunk, HunkOrder, InputSpan, Operation, PathClaim, Problem,
};
use countersign::review::{Found, Intake, OtherFile, Renaming, ReviewSession, intake, outline};
use countersign::text::{Document, LineNo};

/// A batch in the making.
#[derive(Default)]
pub(crate) struct Batch {
    intent: String,
    files: Vec<Intake>,
    problems: Vec<Problem>,
}

impl Batch {
    pub(crate) fn new(intent: &str) -> Self {
        Self {
            intent: intent.to_owned(),
            ..Self::default()
        }
    }

    /// A file that is there, and its hunks: what is looked for and what comes in its place.
    pub(crate) fn modify(mut self, path: &str, base: &str, hunks: &[(&str, &str)]) -> Self {
        self.push(path, Some(base), Operation::Modify, hunks);
        self
    }

    pub(crate) fn create(mut self, path: &str, text: &str) -> Self {
        self.push(path, None, Operation::Create, &[("", text)]);
        self
    }

    /// A file that is not there, and hunks for it.
    pub(crate) fn missing(mut self, path: &str, hunks: &[(&str, &str)]) -> Self {
        self.push(path, None, Operation::Modify, hunks);
        self
    }

    pub(crate) fn delete(mut self, path: &str, base: &str) -> Self {
        self.push(path, Some(base), Operation::Delete, &[]);
        self
    }

    /// A file that gets another name, and its hunks.
    pub(crate) fn rename(
        mut self,
        path: &str,
        to: &str,
        base: &str,
        hunks: &[(&str, &str)],
    ) -> Self {
        let operation = Operation::Rename(PathClaim::plain(to));
        self.push(path, Some(base), operation, hunks);
        if let Some(file) = self.files.last_mut() {
            file.other = OtherFile::Target(Renaming {
                to: to.to_owned(),
                exists: false,
            });
        }
        self
    }

    /// Makes the file added last executable.
    pub(crate) fn executable(mut self) -> Self {
        if let Some(file) = self.files.last_mut() {
            Arc::make_mut(&mut file.change).executable = Some(true);
        }
        self
    }

    /// Protects the file added last.
    pub(crate) fn protect(mut self, why: &str) -> Self {
        if let Some(file) = self.files.last_mut() {
            file.protected = Some(why.to_owned());
        }
        self
    }

    /// Announces the hunks of the file added last, each by a sentence.
    pub(crate) fn announce(mut self, sentences: &[&str]) -> Self {
        if let Some(file) = self.files.last_mut() {
            let hunks = Arc::make_mut(&mut file.change).hunks.iter_mut();
            for (hunk, sentence) in hunks.zip(sentences) {
                hunk.announcement = Some((*sentence).into());
            }
        }
        self
    }

    /// A part of the input that could not be read.
    pub(crate) fn problem(mut self, path: &str, line: usize) -> Self {
        self.problems.push(Problem {
            line: LineNo::from_idx(line - 1),
            span: InputSpan::of(line - 1..line),
            dialect: "test",
            path: Some(PathClaim::plain(path)),
            found: "the end of the input".to_owned(),
            expected: "'>>>>>>> REPLACE'".to_owned(),
            text: vec!["<<<<<<< SEARCH".to_owned(), "an old line".to_owned()],
        });
        self
    }

    pub(crate) fn session(self) -> ReviewSession {
        intake(self.intent, self.problems, self.files, Tolerance::default())
    }

    /// What there is to see of it before it is placed.
    pub(crate) fn outline(&self) -> ReviewSession {
        let changes: Vec<Arc<FileChange>> = (self.files.iter())
            .map(|file| Arc::clone(&file.change))
            .collect();
        outline(self.intent.clone(), self.problems.clone(), &changes)
    }

    fn push(
        &mut self,
        path: &str,
        base: Option<&str>,
        operation: Operation,
        hunks: &[(&str, &str)],
    ) {
        let span = InputSpan::of(0..1);
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        let hunk = |(search, replace): &(&str, &str)| {
            Hunk::new(
                Body {
                    preimage: lines(search),
                    postimage: lines(replace),
                },
                span,
            )
        };
        let found = match base {
            Some(text) => Found::Text {
                document: Arc::new(Document::from_text(text)),
                executable: false,
            },
            None => Found::Absent,
        };
        self.files.push(Intake {
            change: Arc::new(FileChange {
                path: PathClaim::plain(path),
                operation,
                executable: None,
                is_regular: false,
                blobs: None,
                binary: None,
                hunks: hunks.iter().map(hunk).collect(),
                dialect: "test",
                span,
                patch: 0,
            }),
            order: HunkOrder::Any,
            path: path.to_owned(),
            other: OtherFile::None,
            found,
            protected: None,
            bytes: None,
            reading: countersign::review::NewTextEncoding::default(),
        });
    }
}

/// A small program in several files, with everything that is hard to show.
pub(crate) fn sample() -> ReviewSession {
    let client = "\
use std::time::Duration;

/// Talks to the server.
pub struct Client {
    inner: Inner,
    timeout: Duration,
}

impl Client {
    /// Sends a request.
    pub fn send(&self, request: Request) -> Response {
        let name = \"日本語 🎉\";
        self.inner.call(request)
    }

    /// Closes the connection.
    pub fn close(&mut self) {
        self.inner.close();
        self.timeout = Duration::ZERO;
    }

    /* A comment that
       goes on. */
    pub fn is_open(&self) -> bool {
        self.inner.is_open()
    }

    pub fn name(&self) -> &str {
        \"client\"
    }
}
";
    Batch::new("Add retry to the client, so that a lost packet is no lost request.")
        .modify(
            "Cargo.toml",
            "[package]\nname = \"client\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\n",
            &[("serde = \"1\"", "serde = \"1\"\nbackoff = \"0.4\"")],
        )
        .modify(
            "src/client.rs",
            client,
            &[
                ("    timeout: Duration,", "    timeout: Duration,\n    retries: u32,"),
                (
                    "        let name = \"日本語 🎉\";\n        self.inner.call(request)",
                    "        let name = \"日本語 🎊 e\u{301}\";\n        retry(self.retries, || self.inner.call(&request))",
                ),
                (
                    "        self.inner.is_open()",
                    "        // The inner connection may have been closed by the other side without our having been told: ask it, and ask again.\n        self.inner.is_open() && !self.inner.is_stale()",
                ),
            ],
        )
        .create("src/retry.rs", "//! Tries again.\n\n/// Calls `f` up to `times` times.\npub fn retry<T>(times: u32, f: impl Fn() -> Option<T>) -> Option<T> {\n\t(0..times).find_map(|_| f())\n}\n")
        .modify("tests/api.rs", "fn main() {}\n", &[("fn gone() {}", "fn here() {}")])
        .modify("Makefile", "all:\n\tcargo build\n\ntest:\n\tcargo test\n", &[("\tcargo test", "\tcargo test --all \n\tcargo doc")])
        .protect("it runs commands")
        .delete("src/old.rs", "pub fn old() {}\n")
        .session()
}
