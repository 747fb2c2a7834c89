//! Decodes the hunks of a proposal in the encoding of the file that they are for.
//!
//! The input of a proposal keeps its bytes ([`raw_bytes`]), because one diff can hold hunks of files in different encodings.
//! Here, where the file is known, the hunks get their text:
//!
//! * hunks that hold bytes that are not UTF-8 are read byte for byte in the encoding of the file. A new file, or one that is
//!   ASCII so far, gets an encoding that its new bytes are text in: the bytes of all parts for it together, because an edit may
//!   follow its creation. That holds for every file that is made, also in the place of a link;
//! * hunks in UTF-8 are read as they are, also for a file in another encoding, where the text of the file agrees. Where its bytes
//!   agree instead, they are read byte for byte as well. Where nothing tells, the characters are kept and the hunk is marked,
//!   because writing them in an encoding that was only guessed needs a person;
//! * hunks whose bytes are not text in the encoding of the file are refused, and so are hunks beyond ASCII for a file in an
//!   encoding that is not decoded, such as UTF-7.

use std::borrow::Cow;
use std::iter;
use std::sync::Arc;

use super::part::{Intake, NewTextEncoding, OtherFile};
use crate::proposal::{Body, FileChange, FinalNewline, Hunk, Operation};
use crate::review::session::versions::{Found, Refusal};
use crate::text::{Document, Encoding, may_be_recoded, raw_bytes};

/// Most lines of one file's hunks that are compared with the file to find out how they are encoded.
const MOST_COMPARED: usize = 200;

/// Decodes the parts of a proposal for one file, all of them or none. Parts that cannot be decoded get [`Refusal::Undecodable`].
pub(in crate::review) fn decoded(group: &[Intake]) -> Cow<'_, [Intake]> {
    let document = group.iter().find_map(document);
    let is_raw = (group.iter()).any(|part| texts(&part.change).any(raw_bytes::is_raw));
    let decoder = match (document, is_raw) {
        (None, false) => return Cow::Borrowed(group),
        (None, true) => match new_file(group) {
            Some(decoder) => decoder,
            None => return refused(group, None),
        },
        (Some(document), true) if group.iter().all(makes_entry) => {
            match new_file(group).filter(|decoder| decoder.encoding() == document.encoding()) {
                Some(decoder) => decoder,
                None => return refused(group, Some(document)),
            }
        }
        (Some(document), _) if !document.encoding().is_ascii_based() => {
            if is_raw
                || (group.iter()).any(|part| texts(&part.change).any(|text| text.contains('\0')))
            {
                return refused(group, Some(document));
            }
            return Cow::Borrowed(group);
        }
        (Some(document), _) if document.encoding().is_ascii_only() => {
            let is_ascii = |part: &Intake| texts(&part.change).all(str::is_ascii);
            if group.iter().all(is_ascii) {
                return Cow::Borrowed(group);
            }
            return refused(group, Some(document));
        }
        (Some(document), true) => match shared_encoding(document, group) {
            Some(encoding) => Decoder::Bytes(encoding),
            None => return refused(group, Some(document)),
        },
        (Some(document), false) => match of_utf8(document, group) {
            Utf8::Characters => return without_bom(group, document),
            Utf8::Unverified => Decoder::Guess,
            Utf8::Bytes => Decoder::Bytes(document.encoding()),
        },
    };
    let parts = group.iter().map(|part| decoder.part(part));
    match parts.collect() {
        Some(parts) => Cow::Owned(parts),
        None => refused(group, document),
    }
}

/// Returns true for a part that makes a file, or changes a link whose place the file may take.
fn makes_entry(part: &Intake) -> bool {
    matches!(
        part.change.operation,
        Operation::Create | Operation::Link { .. }
    )
}

/// Decoding of the hunks of a file.
enum Decoder {
    /// Byte for byte, in this encoding.
    Bytes(Encoding),
    /// As one text in this encoding, in which a line is more than the bytes between two line feeds.
    WholeText(Encoding),
    /// They are UTF-8, and nothing confirms the guess of the file's encoding.
    Guess,
}

impl Decoder {
    fn encoding(&self) -> Encoding {
        match self {
            Self::Bytes(encoding) | Self::WholeText(encoding) => *encoding,
            Self::Guess => Encoding::UTF_8,
        }
    }

    /// Decodes a part; `None` if one of its texts is not text in the encoding.
    fn part(&self, part: &Intake) -> Option<Intake> {
        let change = match self {
            Self::Guess => Arc::clone(&part.change),
            Self::Bytes(encoding) => {
                let text = |text: &str| encoding.decode_part(&raw_bytes::to_bytes(text));
                Arc::new(change(&part.change, &text)?)
            }
            Self::WholeText(_) => Arc::new(whole_text(&part.change)?),
        };
        let mut part = Intake {
            change,
            reading: NewTextEncoding {
                encoding: self.encoding(),
                is_guess: matches!(self, Self::Guess),
            },
            ..part.clone()
        };
        if let Self::Bytes(encoding) = self {
            recode(&mut part.found, *encoding);
            if let OtherFile::Source(source) = &mut part.other {
                recode(&mut source.found, *encoding);
            }
        }
        Some(part)
    }
}

/// The text that the hunks of a part are for.
fn document(part: &Intake) -> Option<&Document> {
    let found = part
        .other
        .source()
        .map_or(&part.found, |source| &source.found);
    match found {
        Found::Text { document, .. } => Some(document),
        Found::Absent | Found::Opaque(_) | Found::Link(_) | Found::Folder | Found::Refused(_) => {
            None
        }
    }
}

/// Gives a text that was read another encoding, if its bytes are text in it.
fn recode(found: &mut Found, encoding: Encoding) {
    if let Found::Text { document, .. } = found
        && document.encoding() != encoding
        && let Some(recoded) = document.recoded(encoding)
    {
        *document = Arc::new(recoded);
    }
}

/// Returns an encoding in which the file and all bytes of its hunks are text: the file's own, or, where that was guessed or the
/// file is ASCII, another one that fits all of them.
fn shared_encoding(document: &Document, group: &[Intake]) -> Option<Encoding> {
    let own = document.encoding();
    if own.is_guessed() && fits(own, group) {
        return Some(own);
    }
    if !may_be_recoded(document) {
        return Some(own).filter(|own| fits(*own, group));
    }
    let mut bytes = document.encode(document.text()).ok()?;
    for text in group.iter().flat_map(|part| texts(&part.change)) {
        bytes.extend_from_slice(&raw_bytes::to_bytes(text));
        bytes.push(b'\n');
    }
    [Encoding::of_bytes(&bytes), Encoding::WINDOWS_1252]
        .into_iter()
        .find(|encoding| fits(*encoding, group) && document.recoded(*encoding).is_some())
}

/// Returns true if every text of the hunks is text in an encoding.
fn fits(encoding: Encoding, group: &[Intake]) -> bool {
    let mut texts = group.iter().flat_map(|part| texts(&part.change));
    texts.all(|text| text.is_ascii() || encoding.decode_part(&raw_bytes::to_bytes(text)).is_some())
}

/// Interpretation of hunks in UTF-8 for a file in another encoding.
enum Utf8 {
    /// By their characters.
    Characters,
    /// By their bytes, which happen to be UTF-8.
    Bytes,
    /// By their characters, for all that is known.
    Unverified,
}

/// Compares hunks in UTF-8 with the text and with the bytes of a file.
fn of_utf8(document: &Document, group: &[Intake]) -> Utf8 {
    let encoding = document.encoding();
    let is_special = |text: &&str| !text.is_ascii();
    let lines = |text: fn(&Body) -> &Vec<String>| {
        let hunks = group.iter().flat_map(|part| part.change.hunks.iter());
        let lines = hunks
            .flat_map(move |hunk| text(&hunk.body))
            .map(String::as_str);
        lines.filter(is_special).take(MOST_COMPARED)
    };
    if !encoding.is_guessed()
        || !(group.iter()).any(|part| texts(&part.change).any(|text| !text.is_ascii()))
    {
        return Utf8::Characters;
    }
    let sought = || lines(|body| &body.preimage).chain(lines(|body| &body.postimage));
    let holds = |text: &str| document.text().contains(text.trim());
    if sought().any(holds) {
        return Utf8::Characters;
    }
    let as_bytes = |line: &str| encoding.decode_part(line.as_bytes());
    if sought().filter_map(as_bytes).any(|line| holds(&line)) {
        return Utf8::Bytes;
    }
    Utf8::Unverified
}

/// All texts of a change that are compared with the file or written into it.
fn texts(change: &FileChange) -> impl Iterator<Item = &str> {
    change.hunks.iter().flat_map(|hunk| {
        let bodies = [&hunk.body].into_iter().chain(&hunk.other_readings);
        let lines = bodies.flat_map(|body| body.preimage.iter().chain(&body.postimage));
        let anchors = hunk.anchors.iter().map(|anchor| &anchor.text);
        lines.chain(anchors).map(String::as_str)
    })
}

/// Gives every text of a change its characters; `None` if one has none.
fn change(change: &FileChange, text: &dyn Fn(&str) -> Option<String>) -> Option<FileChange> {
    let mut decoded = change.clone();
    for hunk in &mut decoded.hunks {
        let Hunk {
            body,
            other_readings,
            anchors,
            ..
        } = hunk;
        let bodies = iter::once(body).chain(other_readings);
        let lines = bodies.flat_map(
            |Body {
                 preimage,
                 postimage,
             }| preimage.iter_mut().chain(postimage),
        );
        for line in lines.chain(anchors.iter_mut().map(|anchor| &mut anchor.text)) {
            *line = text(line)?;
        }
    }
    Some(decoded)
}

/// Finds the decoding of a new file's hunks: one encoding for all of them, which their bytes together are text in. Any bytes but NUL
/// are text in the last one that is tried.
fn new_file(group: &[Intake]) -> Option<Decoder> {
    let hunks = || group.iter().flat_map(|part| &part.change.hunks);
    if hunks().count() == 1
        && let Some(document) = hunks().find_map(|hunk| Document::decode(bytes(hunk)).ok())
        && !document.encoding().is_ascii_based()
    {
        return Some(Decoder::WholeText(document.encoding()));
    }
    let mut bytes = Vec::new();
    for text in group.iter().flat_map(|part| texts(&part.change)) {
        bytes.extend_from_slice(&raw_bytes::to_bytes(text));
        bytes.push(b'\n');
    }
    if bytes.contains(&0) {
        return None;
    }
    let together = Document::decode(bytes).map(|document| with_bom_in_text(document.encoding()));
    (together.ok().into_iter())
        .chain([Encoding::WINDOWS_1252])
        .find(|encoding| fits(*encoding, group))
        .map(Decoder::Bytes)
}

/// Returns the encoding that leaves a byte order mark in the text.
fn with_bom_in_text(encoding: Encoding) -> Encoding {
    if encoding.has_bom() {
        Encoding::UTF_8
    } else {
        encoding
    }
}

/// Returns the bytes of the text that a hunk makes.
fn bytes(hunk: &Hunk) -> Vec<u8> {
    let mut bytes = raw_bytes::to_bytes(&hunk.body.postimage.join("\n")).into_owned();
    if hunk.final_newline != FinalNewline::Remove {
        bytes.push(b'\n');
    }
    bytes
}

/// Decodes the text of a new file as one; `None` if it has none.
fn whole_text(change: &FileChange) -> Option<FileChange> {
    let mut decoded = change.clone();
    for hunk in &mut decoded.hunks {
        let text = Document::decode(bytes(hunk)).ok()?.into_text();
        let ended = text.strip_suffix('\n');
        hunk.final_newline = match ended {
            Some(_) => FinalNewline::Keep,
            None => FinalNewline::Remove,
        };
        let lines = ended.unwrap_or(&text).split('\n');
        hunk.body.postimage = lines.map(str::to_owned).collect();
        hunk.other_readings.clear();
    }
    Some(decoded)
}

/// Takes a byte order mark off the first line of hunks for a file that has one: it is not part of the text.
fn without_bom<'a>(group: &'a [Intake], document: &Document) -> Cow<'a, [Intake]> {
    const BOM: char = '\u{feff}';
    let begins = |lines: &[String]| lines.first().is_some_and(|line| line.starts_with(BOM));
    let has_bom = |hunk: &Hunk| begins(&hunk.body.preimage) || begins(&hunk.body.postimage);
    let is_marked = |part: &Intake| part.change.hunks.iter().any(has_bom);
    if !document.encoding().has_bom() || !group.iter().any(is_marked) {
        return Cow::Borrowed(group);
    }
    let mut parts = group.to_vec();
    for part in parts.iter_mut().filter(|part| is_marked(part)) {
        let change = Arc::make_mut(&mut part.change);
        let takes_it_off = (change.hunks.iter())
            .any(|hunk| begins(&hunk.body.preimage) && !begins(&hunk.body.postimage));
        // A file that goes needs no encoding.
        if takes_it_off && change.operation != Operation::Delete {
            let why = "the edit takes the byte order mark off the file, and would have to change its encoding";
            part.found = Found::Refused(Refusal::Undecodable(why.to_owned()));
            continue;
        }
        for hunk in &mut change.hunks {
            for lines in [&mut hunk.body.preimage, &mut hunk.body.postimage] {
                if let Some(line) = lines.first_mut()
                    && let Some(rest) = line.strip_prefix(BOM)
                {
                    *line = rest.to_owned();
                }
            }
        }
    }
    Cow::Owned(parts)
}

/// Refuses hunks that are not text in the encoding of their file. Another refusal of a part stays.
fn refused<'a>(group: &'a [Intake], document: Option<&Document>) -> Cow<'a, [Intake]> {
    let why = match document {
        Some(document) => {
            let encoding = document.encoding();
            format!("the edit is in another encoding than the file, which is in {encoding}")
        }
        None => "its bytes are not text in any encoding".to_owned(),
    };
    let parts = group.iter().map(|part| match part.found {
        Found::Refused(_) => part.clone(),
        Found::Absent | Found::Text { .. } | Found::Link(_) | Found::Folder | Found::Opaque(_) => {
            Intake {
                found: Found::Refused(Refusal::Undecodable(why.clone())),
                ..part.clone()
            }
        }
    });
    Cow::Owned(parts.collect())
}
