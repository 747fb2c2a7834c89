//! A reviewer that does what a test says, behind the real socket.

use std::io::BufRead;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use countersign::agent::{
    Approved, FileDecision, FileVerdict, Request, ReviewerMessage, Socket, Submission,
    VERDICT_SCHEMA, Verdict, read_request, write_line,
};
use countersign::review::Status;
use countersign::store::ContentHash;

/// What the reviewer does with a proposal.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    /// Gives these files these texts; without one nothing of the file is approved.
    Approve(Vec<(&'static str, FileDecision, Option<&'static str>)>),
    /// Approves a text of `a.txt` that was made from another one than stands there.
    Late,
    /// Hangs up.
    Leave,
    /// Says nothing.
    Hang,
    /// Says what is no reply.
    Babble,
}

/// Listens for one proposal, and tells what it was.
pub(crate) fn reviewer(root: &Path, does: Does) -> Receiver<Submission> {
    let socket = Socket::listen(&root.canonicalize().unwrap()).unwrap();
    let (tell, told) = mpsc::channel();
    let root = Arc::new(root.to_owned());
    thread::spawn(move || {
        loop {
            let Ok(stream) = socket.accept() else { return };
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            let mut line = Vec::new();
            lines.read_until(b'\n', &mut line).unwrap();
            // Whoever only looks whether somebody is there says nothing.
            let Ok(Request::Submit(submission)) = read_request(&line) else {
                continue;
            };
            let id = submission.id.clone();
            let _ = tell.send(*submission);
            let mut stream = stream;
            match &does {
                Does::Approve(files) => {
                    let verdict = Box::new(verdict(&root, files));
                    write_line(&mut stream, &ReviewerMessage::Verdict { id, verdict }).unwrap();
                }
                Does::Late => {
                    let mut verdict =
                        verdict(&root, &[("a.txt", FileDecision::Accepted, Some("x\n"))]);
                    verdict.files[0].base_sha256 = Some(ContentHash::of(b"before").to_string());
                    let verdict = Box::new(verdict);
                    write_line(&mut stream, &ReviewerMessage::Verdict { id, verdict }).unwrap();
                }
                Does::Leave => (),
                Does::Babble => {
                    std::io::Write::write_all(&mut stream, b"{\"v\":1,\"type\":\"yes\"}\n")
                        .unwrap();
                }
                Does::Hang => {
                    let mut rest = Vec::new();
                    let _ = lines.read_until(0, &mut rest);
                }
            }
        }
    });
    told
}

fn verdict(root: &Path, files: &[(&'static str, FileDecision, Option<&'static str>)]) -> Verdict {
    let hash = |path: PathBuf| {
        std::fs::read(path)
            .ok()
            .map(|bytes| ContentHash::of(&bytes).to_string())
    };
    let files: Vec<FileVerdict> = (files.iter())
        .map(|&(path, decision, result)| FileVerdict {
            path: path.to_owned(),
            rename: None,
            decision,
            sha256_before: None,
            sha256_after: None,
            base_sha256: hash(root.join(path)),
            result: result.map(|text| Approved::Text(text.to_owned())),
            hunks: Vec::new(),
        })
        .collect();
    Verdict {
        schema: VERDICT_SCHEMA.to_owned(),
        status: Status::Partial,
        written: false,
        id: None,
        files,
        comments: Vec::new(),
        threads: Vec::new(),
        message: "keep two small".to_owned(),
    }
}
