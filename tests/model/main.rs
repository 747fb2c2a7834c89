//! The apply model, against a server on this machine that speaks the three styles, faults included.

#![cfg(feature = "model")]
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod asked;
mod drafts;
mod program;
mod server;
mod taken;

use std::sync::Arc;
use std::time::Duration;

use countersign::agent::model::{Errand, ModelError, ModelProtocol, Service};
use countersign::proposal::{Body, Extent, Hunk, InputSpan};
use countersign::text::Document;

/// What the file holds.
const FILE: &str =
    "fn open() {\n    lock();\n    read();\n}\n\nfn close() {\n    write();\n    unlock();\n}\n";
/// What it is to hold.
const AFTER: &str =
    "fn open() {\n    lock();\n    read();\n}\n\nfn close() {\n    flush();\n    unlock();\n}\n";

/// A service that answers at once or not at all.
fn service(endpoint: String, style: ModelProtocol) -> Service {
    Service {
        endpoint,
        key: Some("sesame".to_owned()),
        name: Some("small".to_owned()),
        style,
        timeout: Duration::from_secs(5),
        most_bytes: 4096,
        retries: 2,
        pause: Duration::from_millis(1),
    }
}

/// The errand of an edit that is out of date.
fn errand(most_bytes: usize) -> Result<Errand, ModelError> {
    let lines = |text: &str| text.split('|').map(str::to_owned).collect();
    let body = Body {
        preimage: lines("fn close(file) {|    write(file);"),
        postimage: lines("fn close(file) {|    flush();"),
    };
    let edit = Hunk::new(body, InputSpan::of(2..5));
    let base = Arc::new(Document::from_text(FILE));
    Errand::new("src/door.rs", base, &edit, None, most_bytes)
}

/// The errand of a sketch.
fn sketch() -> Errand {
    let body = Body {
        preimage: Vec::new(),
        postimage: vec![
            "// ... existing code ...".to_owned(),
            "    flush();".to_owned(),
            "    unlock();".to_owned(),
        ],
    };
    let mut edit = Hunk::new(body, InputSpan::of(0..1));
    edit.extent = Extent::Sketch;
    let base = Arc::new(Document::from_text(FILE));
    Errand::new("src/door.rs", base, &edit, None, 4096).unwrap()
}
