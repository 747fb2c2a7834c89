//! Files and edits made by rule: the same on every run, and like code in that hardly two lines are equal.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each benchmark takes what it needs"
)]

use countersign::proposal::{Body, Hunk, InputSpan};
use countersign::text::{Document, LineNo};

const WORDS: [&str; 16] = [
    "width", "height", "offset", "buffer", "parcel", "channel", "quiet", "hours", "message",
    "outbox", "reader", "writer", "cursor", "window", "margin", "border",
];

/// The n-th line of a file.
pub fn line(n: usize) -> String {
    // Multiplying by this odd number spreads neighbours over all words.
    let spread = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = |shift: u32| WORDS[spread.rotate_right(shift) % WORDS.len()];
    match n % 10 {
        0 => format!("fn {}_{n}({}: usize) -> usize {{", word(7), word(23)),
        9 => "}".to_owned(),
        _ => format!(
            "    let {}_{n} = measure({}, {}, \"{}\");",
            word(11),
            word(29),
            spread >> 44,
            word(41)
        ),
    }
}

/// The lines of a file.
pub fn lines(count: usize) -> Vec<String> {
    (0..count).map(line).collect()
}

/// A file of lines.
pub fn document(lines: &[String]) -> Document {
    Document::from_text(lines.join("\n") + "\n")
}

/// A hunk that puts a line into the middle of `preimage`.
pub fn hunk(preimage: Vec<String>) -> Hunk {
    let mut postimage = preimage.clone();
    let middle = postimage.len() / 2;
    postimage.insert(middle, "    countersigned();".to_owned());
    let body = Body {
        preimage,
        postimage,
    };
    Hunk::new(body, InputSpan::of(0..1))
}

/// The same hunk, with the line that it stands at.
pub fn hinted(preimage: Vec<String>, line: usize) -> Hunk {
    Hunk {
        hint: Some(LineNo::from_idx(line)),
        ..hunk(preimage)
    }
}
