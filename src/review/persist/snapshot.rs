//! Cheap snapshot of the decisions, for autosave after every key. It is turned into [`Decisions`] on a thread of its own.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::decisions::{
    Decisions, EditDecision, FileDecisions, HunkDecisions, LineCommentDecision, LineDecisions,
    PassageDecision, PlaceDecision, SCHEMA,
};
use super::hunk_snapshot::{Acceptance, HunkImprint};
use crate::review::rejections::{ApprovalExtent, ApprovedChange, ApprovedFile};
use crate::review::session::decision::{Decision, Mark};
use crate::review::session::file::PassageComment;
use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::{ChangedLine, LineComment, Step};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::{Found, Stance};
use crate::text::{Document, LineIdx, hex};

/// A snapshot of the decisions in a session.
#[derive(Debug, Clone)]
pub struct Imprint {
    comment: Option<String>,
    files: Vec<FileImprint>,
}

/// A file as far as its decisions depend on it.
#[derive(Debug, Clone)]
pub(in crate::review) struct FileImprint {
    path: String,
    kind: FileKind,
    stance: Stance,
    base: Arc<Document>,
    /// Its versions, where decisions about it as a whole depend on bytes that are not text.
    versions: Vec<Found>,
    hunks: Vec<HunkImprint>,
    comment: Option<String>,
    passages: Vec<PassageComment>,
}

impl Imprint {
    /// Takes the imprint of a session.
    pub fn of(session: &ReviewSession) -> Self {
        Self::taken(session, session.comment.clone(), session.files.iter())
    }

    /// Takes the imprint of one call of a session.
    pub fn of_call(session: &ReviewSession, call: u64) -> Self {
        let known = session.calls.iter().find(|own| own.call.number == call);
        let comment = known.and_then(|own| own.comment.clone());
        let open = |file: &&FileReview| file.is_of(call) && file.is_open();
        Self::taken(session, comment, session.files.iter().filter(open))
    }

    fn taken<'a>(
        session: &ReviewSession,
        comment: Option<String>,
        files: impl Iterator<Item = &'a FileReview>,
    ) -> Self {
        let touched = |file: &FileReview| {
            file.is_commented() || file.hunks.iter().any(|hunk| !hunk.is_fresh())
        };
        Self {
            comment,
            files: files
                .map(|file| session.without_place_in_progress(file))
                .filter(|file| touched(file))
                .map(|file| FileImprint::of(&file))
                .collect(),
        }
    }

    /// Returns true if nothing was decided, edited or commented on.
    pub fn is_empty(&self) -> bool {
        self.comment.is_none() && self.files.is_empty()
    }

    /// The same as [`Imprint::decisions`], with the hashes of the files.
    pub fn decisions_with_hashes(&self) -> Decisions {
        let mut decisions = self.decisions();
        for (file, decided) in self.files.iter().zip(&mut decisions.files) {
            decided.before = file.hash();
            decided.approved = None;
        }
        decisions
    }

    /// The decisions, edits and comments in it.
    pub fn decisions(&self) -> Decisions {
        Decisions {
            schema: SCHEMA,
            comment: self.comment.clone(),
            files: self.files.iter().map(FileImprint::decisions).collect(),
        }
    }
}

impl Decisions {
    /// The decisions, edits and comments of a session.
    pub fn of(session: &ReviewSession) -> Self {
        Imprint::of(session).decisions()
    }
}

impl FileImprint {
    pub(in crate::review) fn of(file: &FileReview) -> Self {
        Self {
            path: file.path.clone(),
            kind: file.kind.clone(),
            stance: file.stance(),
            base: Arc::clone(&file.base),
            versions: without_text(file),
            hunks: (file.hunks.iter())
                .map(|hunk| HunkImprint::of(hunk, &file.base))
                .collect(),
            comment: file.comment.clone(),
            passages: file.passages.clone(),
        }
    }

    /// Returns the first base line of a hunk; `None` if it has no place.
    pub(in crate::review) fn anchor(&self, hunk: usize) -> Option<LineIdx> {
        Some(self.hunks.get(hunk)?.stands.as_ref()?.start)
    }

    /// Returns the identity of each hunk: a hash of the text that it replaces and of the text that it makes of it, wherever in
    /// the file that is. Equal hunks are numbered. `None` for hunks without a place, and for later parts of a split hunk.
    pub(in crate::review) fn contents(&self) -> Vec<Option<String>> {
        let digests: Vec<Option<Sha256>> = (self.hunks.iter())
            .map(|hunk| {
                let stands = hunk.stands.clone().filter(|_| !hunk.is_later_part())?;
                self.digest(hunk, stands)
            })
            .collect();
        let plain = |digest: &Sha256| <[u8; 32]>::from(digest.clone().finalize());
        let mut equal: FxHashMap<[u8; 32], (u64, u64)> = FxHashMap::default();
        for digest in digests.iter().flatten() {
            equal.entry(plain(digest)).or_default().1 += 1;
        }
        let mut contents = Vec::with_capacity(digests.len());
        for digest in digests {
            contents.push(digest.map(|mut digest| {
                if let Some((before, all)) = equal.get_mut(&plain(&digest))
                    && *all > 1
                {
                    digest.update(before.to_le_bytes());
                    digest.update(all.to_le_bytes());
                    *before += 1;
                }
                hex(&digest.finalize())
            }));
        }
        contents
    }

    fn digest(&self, hunk: &HunkImprint, stands: Range<LineIdx>) -> Option<Sha256> {
        let mut digest = Sha256::new();
        let mut text = |text: &str| {
            digest.update(text.len().to_le_bytes());
            digest.update(text);
        };
        match (&hunk.step, &self.kind) {
            (None, _) => text("lines"),
            (Some(Step::Create), _) => text("create"),
            (Some(Step::Delete), _) => text("delete"),
            (Some(Step::Rename), FileKind::Renamed { to }) => {
                text("rename");
                text(to);
            }
            (Some(Step::Copy), FileKind::Copied { from, .. }) => {
                text("copy");
                text(from);
            }
            (Some(Step::Rename | Step::Copy), _) => return None,
            (Some(Step::Content), _) => text("content"),
            (Some(Step::Bytes(bytes)), _) => {
                text("bytes");
                text(&hex(&Sha256::digest(bytes)));
            }
            (Some(Step::Link { to }), _) => {
                text("link");
                text(to);
            }
            (Some(Step::Unlink), _) => text("unlink"),
            (Some(Step::MakeFolder), _) => text("make folder"),
            (Some(Step::RemoveFolder), _) => text("remove folder"),
            (Some(Step::Form { from, to }), _) => {
                text("form");
                text(from);
                text(to);
            }
            (Some(Step::Mode { executable }), _) => {
                text(if *executable { "+x" } else { "-x" });
            }
        }
        (self.versions.iter()).for_each(|found| text(version(found)));
        let start = stands.start;
        stands.for_each(|idx| text(self.base.line(idx)));
        text("become");
        for line in hunk.proposed.iter() {
            text(&(line.at - start).to_string());
            text(if line.removes { "-" } else { "" });
            text(if line.adds.is_some() { "+" } else { "" });
            text(line.adds.as_deref().unwrap_or_default());
        }
        Some(digest)
    }

    /// Returns the SHA-256 of the file's bytes, if there is a file.
    fn hash(&self) -> Option<String> {
        let opaque = self.versions.iter().find_map(|version| match version {
            Found::Opaque(opaque) => Some(opaque.hash.clone()),
            Found::Absent
            | Found::Text { .. }
            | Found::Link(_)
            | Found::Folder
            | Found::Refused(_) => None,
        });
        let is_new = matches!(self.kind, FileKind::Created | FileKind::Copied { .. });
        let bytes = || self.base.encode(self.base.text()).ok();
        let text = || bytes().map(|bytes| hex(&Sha256::digest(bytes)));
        opaque.or_else(|| if is_new { None } else { text() })
    }

    fn decisions(&self) -> FileDecisions {
        let contents = self.contents().into_iter();
        FileDecisions {
            path: self.path.clone(),
            before: None,
            comment: self.comment.clone(),
            passages: (self.passages.iter())
                .map(|said| PassageDecision {
                    place: self.place(&said.lines, None),
                    text: said.text.clone(),
                })
                .collect(),
            hunks: (self.hunks.iter().enumerate().zip(contents))
                .filter(|((_, hunk), _)| !hunk.is_fresh() && !hunk.is_later_part())
                .map(|((number, hunk), content)| self.hunk_decisions(number, hunk, content))
                .collect(),
            approved: self.approved(),
        }
    }

    /// Returns what is accepted of it and not carried out yet.
    fn approved(&self) -> Option<ApprovedFile> {
        let changes: Vec<ApprovedChange> = (self.hunks.iter())
            .filter_map(HunkImprint::approved)
            .collect();
        let closed: Vec<String> = (self.hunks.iter())
            .filter(|hunk| hunk.acceptance == Acceptance::None)
            .filter_map(|hunk| Some(hunk.identity.as_deref()?.to_owned()))
            .collect();
        (!changes.is_empty() || !closed.is_empty()).then(|| ApprovedFile {
            path: self.path.clone(),
            changes,
            extent: match self.stance {
                Stance::Standing => ApprovalExtent::Added,
                Stance::Proposed => ApprovalExtent::Pending,
            },
            closed,
        })
    }

    /// Returns the later parts of a split hunk, in the order of its lines.
    fn later_parts(&self, number: usize) -> Vec<&HunkImprint> {
        let begin = |hunk: &HunkImprint| hunk.part.as_ref().map_or(0, |part| part.lines.start);
        let own = |hunk: &&HunkImprint| hunk.part.as_ref().is_some_and(|part| part.of == number);
        let mut parts: Vec<&HunkImprint> = (self.hunks.iter().filter(own))
            .filter(|hunk| hunk.is_later_part())
            .collect();
        parts.sort_by_key(|hunk| begin(hunk));
        parts
    }

    /// Returns the decisions about the later parts of a split hunk.
    fn parts(&self, number: usize) -> Vec<HunkDecisions> {
        (self.later_parts(number).into_iter())
            .map(|hunk| HunkDecisions {
                begins: hunk.part.as_ref().map(|part| part.lines.start),
                ..self.hunk_decisions(number, hunk, None)
            })
            .collect()
    }

    /// Returns the person's edit of a hunk and of its parts as a whole: the lines from its first to its last one, and what they become.
    fn edit(&self, number: usize, hunk: &HunkImprint) -> Option<EditDecision> {
        if let Some(kept) = &hunk.kept_edit {
            return Some(EditDecision {
                from: kept.preimage.clone(),
                to: kept.postimage.clone(),
            });
        }
        let pieces: Vec<&HunkImprint> = ([hunk].into_iter())
            .chain(self.later_parts(number))
            .collect();
        let stands = hunk.stands.clone()?;
        if hunk.is_later_part() || !pieces.iter().any(|piece| piece.state.edited) {
            return None;
        }
        let lines = || pieces.iter().flat_map(|piece| piece.state.lines.iter());
        let first = lines().map(|line| line.at).chain([stands.start]).min()?;
        let last = lines().map(ChangedLine::end).chain([stands.end]).max()?;
        let all = first..last.min(self.base.len());
        let mut to = Vec::new();
        let mut next = all.start;
        let kept = |lines: Range<LineIdx>| lines.map(|idx| self.base.line(idx).to_owned());
        for line in lines() {
            to.extend(kept(next..line.at));
            to.extend(line.adds.clone());
            next = line.end().max(next);
        }
        to.extend(kept(next..all.end));
        let from = kept(all).collect();
        Some(EditDecision { from, to })
    }

    fn place(&self, lines: &Range<LineIdx>, becomes: Option<Vec<String>>) -> PlaceDecision {
        let line = |idx: LineIdx| (idx < self.base.len()).then(|| self.base.line(idx).to_owned());
        PlaceDecision {
            line: lines.start + 1,
            lines: lines.clone().filter_map(line).collect(),
            above: lines.start.checked_sub(1).and_then(line),
            below: line(lines.end),
            becomes,
        }
    }

    fn hunk_decisions(
        &self,
        number: usize,
        hunk: &HunkImprint,
        content: Option<String>,
    ) -> HunkDecisions {
        let HunkImprint { stands, state, .. } = hunk;
        let start = stands.as_ref().map_or(0, |stands| stands.start);
        let whole = Mark::of(state.decisions(0..usize::MAX));
        let decision = match whole {
            Some(Mark::Accepted) => Some(Decision::Accepted),
            Some(Mark::Rejected) => Some(Decision::Rejected),
            Some(Mark::Undecided | Mark::Mixed) | None => None,
        };
        let has_lines = state.edited || whole == Some(Mark::Mixed);
        HunkDecisions {
            hunk: number + 1,
            line: stands.as_ref().map(|stands| stands.start + 1),
            content,
            decision,
            edited: state.edited,
            edit: self.edit(number, hunk),
            lines: has_lines.then(|| {
                (state.lines.iter().zip(&state.marks))
                    .map(|(line, marks)| LineDecisions {
                        at: line.at.cast_signed() - start.cast_signed(),
                        removes: line.removes.then(|| self.base.line(line.at).to_owned()),
                        adds: line.adds.clone(),
                        removed: marks.removed.in_part(line.removes && decision.is_none()),
                        added: marks
                            .added
                            .in_part(line.adds.is_some() && decision.is_none()),
                    })
                    .collect()
            }),
            comment: state.comment.clone(),
            comments: (state.line_comments.iter())
                .map(LineCommentDecision::of)
                .collect(),
            place: (hunk.chosen.as_ref())
                .map(|place| self.place(&place.lines, place.becomes.clone())),
            begins: None,
            parts: if hunk.is_later_part() {
                Vec::new()
            } else {
                self.parts(number)
            },
        }
    }
}

impl LineCommentDecision {
    /// Copies a comment on changed lines.
    fn of(comment: &LineComment) -> Self {
        Self {
            first: comment.lines.start,
            last: comment.lines.end.saturating_sub(1),
            side: comment.side,
            text: comment.text.clone(),
        }
    }
}

/// The versions of a file that are known, if one of them is not text.
fn without_text(file: &FileReview) -> Vec<Found> {
    match (file.opaque(), &file.sides) {
        (None, _) => Vec::new(),
        (Some(opaque), None) => vec![Found::Opaque(opaque.clone())],
        (Some(_), Some(sides)) => vec![sides.old.clone(), sides.new.clone()],
    }
}

/// Returns text that differs between two versions of a file.
fn version(found: &Found) -> &str {
    match found {
        Found::Opaque(opaque) => &opaque.hash,
        Found::Text { document, .. } => document.text(),
        Found::Link(target) => target,
        Found::Folder => "folder",
        Found::Absent | Found::Refused(_) => "",
    }
}
