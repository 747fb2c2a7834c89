//! Messages of patches: what `git format-patch`, `git show`, `git log -p`, `hg export`, `hg log -p` and `svn log --diff` write above
//! a diff.
//!
//! A message is prose, whatever it quotes: `git am` and `hg import` apply the diffs below it, which begin at the first column. A
//! mail that has no such diff and no sign of a series is a reply, and is read as one. <https://git-scm.com/docs/git-mailinfo>

use std::ops::Range;

use crate::dialect::diff::diffstat;
use crate::dialect::diff::patch_series::{self, LONG_HASH, is_changeset, is_commit, is_hash};
use crate::dialect::diff::series_order::series_number;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parsed::Parsed;
use crate::text::LineIdx;

/// Search for the messages of the patches in an input, from its beginning to its end.
#[derive(Debug, Clone, Default)]
pub(in crate::dialect) struct MessageSearch {
    /// No message begins above this line: no diff is there that one could be for.
    free: LineIdx,
}

/// Header above a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessageHeader {
    /// A patch of a series, or the cover letter of one.
    Patch,
    /// A mail whose subject begins with a tag: a patch if a diff is below it.
    TaggedMail,
    /// Another mail: a patch if the totals of a diff are above that diff.
    Mail,
    /// A commit of a log, whose message is indented.
    Commit,
    /// A revision of `svn log`, which counts the lines of its message.
    Counted(usize),
}

impl MessageSearch {
    /// Returns the end of the message whose header begins at a line, within the code fence around it.
    pub(in crate::dialect) fn end(
        &mut self,
        input: &Input,
        at: LineIdx,
        around: Option<Fence>,
    ) -> Option<LineIdx> {
        if at < self.free {
            return None;
        }
        let header = MessageHeader::at(input, at)?;
        if header == MessageHeader::Commit {
            return Some(indented_end(input, at));
        }
        if let MessageHeader::Counted(lines) = header {
            return Some(counted_end(input, at, lines));
        }
        let (end, is_message) = free_end(input, at, header, around);
        if !is_message {
            self.free = end;
        }
        is_message.then_some(end)
    }
}

/// Returns the lines of the messages, with their headers, that are outside of all edits and problems.
pub(in crate::dialect) fn messages_beside(input: &Input, parsed: &Parsed) -> Vec<Range<LineIdx>> {
    let spans = (parsed.proposal.files.iter().map(|file| file.span))
        .chain(parsed.problems.iter().map(|problem| problem.span));
    let mut spans: Vec<_> = spans.collect();
    spans.sort_unstable_by_key(|span| span.first);
    let mut spans = spans.into_iter().peekable();
    let (mut search, mut around, mut found) = (MessageSearch::default(), None, Vec::new());
    let mut at = 0;
    while let Some(line) = input.line(at) {
        let number = input.number(at);
        while spans.next_if(|span| span.last < number).is_some() {}
        if spans.peek().is_some_and(|span| span.first <= number) {
            at += 1;
        } else if let Some(end) = search.end(input, at, around) {
            found.push(at..end);
            at = end;
        } else {
            around = fence_after(around, line);
            at += 1;
        }
    }
    found
}

impl MessageHeader {
    /// Returns the kind of the header that begins at a line.
    fn at(input: &Input, at: LineIdx) -> Option<Self> {
        let line = input.line(at)?;
        match line.as_bytes().first()? {
            b'#' => (line == "# HG changeset patch").then_some(Self::Patch),
            b'c' if is_commit(input, at) => Some(Self::Commit),
            b'c' => is_described_changeset(input, at).then_some(Self::Patch),
            b'-' => patch_series::counted_message(input, at).map(Self::Counted),
            b'F' | b'S' | b'D' => Self::of_mail(input, at),
            _ => None,
        }
    }

    /// Returns the kind of the mail whose header begins at a line.
    fn of_mail(input: &Input, at: LineIdx) -> Option<Self> {
        let line = input.line(at)?;
        if let Some(name) = line.strip_prefix("From ") {
            let is_patch = is_hash(name, LONG_HASH) && input.line(at + 1).is_some_and(is_field);
            return is_patch.then_some(Self::Patch);
        }
        let names = ["From: ", "Subject: ", "Date: "];
        if !names.iter().any(|name| line.starts_with(name)) {
            return None;
        }
        let header = (input.lines(at..at + MOST_FIELDS).iter())
            .take_while(|line| is_field(line) || is_continued(line));
        let field = |name: &str| header.clone().find_map(|line| line.strip_prefix(name));
        field("From: ")?;
        let subject = field("Subject: ")?;
        if series_number(subject).is_some_and(|(number, _)| number == 0) {
            Some(Self::Patch)
        } else if subject.starts_with('[') {
            Some(Self::TaggedMail)
        } else {
            Some(Self::Mail)
        }
    }
}

/// Returns `true` for a changeset of `hg log -v`, whose message is below `description:`. Without `-v` only its first line is shown.
fn is_described_changeset(input: &Input, at: LineIdx) -> bool {
    let header = input.lines(at..at + MOST_FIELDS).iter();
    let mut header = header.take_while(|line| !line.trim().is_empty());
    is_changeset(input, at) && header.any(|line| *line == "description:")
}

/// The most lines of the header of a mail.
const MOST_FIELDS: usize = 100;

/// Returns `true` for the first line of a field in the header of a mail.
fn is_field(line: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let name = line.split_once(':').map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_name_byte))
}

/// Returns `true` for a further line of a field.
fn is_continued(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

/// Returns the end of a message at the first column, and `true` if it is one: the first diff below it, or the end of the fence around it
/// or of the input.
fn free_end(
    input: &Input,
    start: LineIdx,
    header: MessageHeader,
    around: Option<Fence>,
) -> (LineIdx, bool) {
    let (mut open, mut opened): (Option<Fence>, LineIdx) = (None, start);
    let mut has_totals = false;
    for at in start + 1..input.len() {
        let line = input.line(at).unwrap_or_default();
        let is_around_open = |around| fence_after(Some(around), line).is_some();
        if open.is_none() && !around.is_none_or(is_around_open) {
            return (at, header == MessageHeader::Patch);
        }
        if begins_diff(input, at) {
            let is_fenced = open.is_some_and(|open| is_closed_below(input, at, open));
            let end = if is_fenced { opened } else { at };
            return (end, header != MessageHeader::Mail || has_totals);
        }
        has_totals |= header == MessageHeader::Mail && diffstat::is_above_diff(input, at);
        let next = fence_after(open, line);
        if open.is_none() && next.is_some() {
            opened = at;
        }
        open = next;
    }
    (input.len(), header == MessageHeader::Patch)
}

/// Returns the end of the header of a commit, of its indented message and of the notes and the summary below it.
fn indented_end(input: &Input, start: LineIdx) -> LineIdx {
    let line = |at: LineIdx| input.line(at).unwrap_or_default();
    let is_header = |line: &str| !line.trim().is_empty() && !line.starts_with([' ', '\t']);
    let mut lines = start + 1..input.len();
    let header = lines.find(|at| !is_header(line(*at)));
    let is_notes =
        |line: &str| line == "Notes:" || line.starts_with("Notes (") && line.ends_with("):");
    let is_message = |line: &str| !is_header(line) || line == "---" || is_notes(line);
    let mut lines = header.unwrap_or(input.len())..input.len();
    lines
        .find(|at| !is_message(line(*at)))
        .unwrap_or(input.len())
}

/// Returns the end of a message below a rule, a line with its number of lines, maybe the changed paths, and an empty line.
fn counted_end(input: &Input, start: LineIdx, lines: usize) -> LineIdx {
    let is_empty = |at: &LineIdx| input.line(*at).is_some_and(|line| line.trim().is_empty());
    let empty = (start..input.len()).find(is_empty);
    empty.map_or(input.len(), |empty| (empty + 1 + lines).min(input.len()))
}

/// Returns `true` if a diff begins at a line, at the first column.
fn begins_diff(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    let next = input.line(at + 1).unwrap_or_default();
    match line.as_bytes().first() {
        Some(b'd') if line.starts_with("diff --git ") => true,
        Some(b'd') => {
            line.starts_with("diff -")
                && (["--- ", "*** ", "diff -", "index ", "Binary file"].iter())
                    .any(|start| next.starts_with(start))
        }
        Some(b'I') => line.starts_with("Index: ") && next.starts_with("===="),
        Some(b'-') => line.starts_with("--- ") && next.starts_with("+++ "),
        Some(b'*') => line.starts_with("*** ") && next.starts_with("--- "),
        _ => false,
    }
}

/// Returns the fence that is open below a line. Those of a message are at the first column, as those of a diff never are.
pub(super) fn fence_after<'a>(open: Option<Fence<'a>>, line: &'a str) -> Option<Fence<'a>> {
    if !line.starts_with(['`', '~']) {
        return open;
    }
    match (open, Fence::of(line)) {
        (None, fence) => fence,
        (Some(open), Some(fence)) if fence.closes(&open) => None,
        (Some(_), _) => open,
    }
}

/// Returns `true` if a fence is closed below a line and above the next message.
fn is_closed_below(input: &Input, at: LineIdx, open: Fence) -> bool {
    (at..input.len())
        .take_while(|at| MessageHeader::at(input, *at).is_none())
        .any(|at| fence_after(Some(open), input.line(at).unwrap_or_default()).is_none())
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    const DIFF: &str =
        "diff --git a/lib.c b/lib.c\n--- a/lib.c\n+++ b/lib.c\n@@ -4 +4 @@\n-old\n+new\n";
    const SHELL: &str = "```sh\ncat > run.sh <<'END'\nrun\nEND\n```\n";
    const NAMED: &str = "In `conf.toml`:\n\n```toml\na = 1\n```\n";
    const SERIES: &str = "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n";

    /// Returns the names of the files that are edited or refused.
    fn files(text: &str) -> String {
        let parsed = parse(text, &Options::default());
        let problems = (parsed.problems.iter()).map(|problem| {
            format!(
                "? {}",
                problem.path.as_ref().map_or("", |path| path.first())
            )
        });
        let files = parsed.proposal.files.iter();
        let files = files.map(|file| file.path.first().to_owned());
        files.chain(problems).collect::<Vec<_>>().join(" ")
    }

    fn indented(text: &str) -> String {
        let lines = text.split_inclusive('\n');
        lines.flat_map(|line| ["    ", line]).collect()
    }

    #[test]
    fn nothing_in_a_message_is_an_edit() {
        let heads = [
            format!("{SERIES}From: A <a@b>\nSubject: [PATCH] Change\n\n"),
            "From: A <a@b>\nDate: Mon, 1 Jan 2026\nSubject: [lib 1/2] Change\n\n".to_owned(),
            "# HG changeset patch\n# User A\n# Date 0 0\nChange\n\n".to_owned(),
            "changeset:   1:0123456789ab\nuser:        A\ndescription:\nChange\n\n".to_owned(),
        ];
        let other = DIFF.replace("lib.c", "other.c");
        for head in &heads {
            for quoted in [SHELL, NAMED, &indented(&other), &indented(SHELL)] {
                assert_eq!(
                    files(&format!("{head}{quoted}\n{DIFF}")),
                    "lib.c",
                    "{head}{quoted}"
                );
                let below = format!("{head}Why.\n---\n{quoted}\n lib.c | 2 +-\n\n{DIFF}");
                assert_eq!(files(&below), "lib.c", "{below}");
            }
        }
        let commit = "commit 0123456\nAuthor: A <a@b>\nDate:   Mon Jan 1 00:00:00 2026 +0000\n\n";
        for quoted in [SHELL, NAMED, &other] {
            let text = format!("{commit}{}\n{DIFF}", indented(quoted));
            assert_eq!(files(&text), "lib.c", "{text}");
            let text = format!("{commit}    Change\n\nNotes:\n{}\n{DIFF}", indented(quoted));
            assert_eq!(files(&text), "lib.c", "{text}");
            let text = format!("{commit}    Change\n---\n{}\n{DIFF}", indented(quoted));
            assert_eq!(files(&text), "lib.c", "{text}");
        }
    }

    #[test]
    fn a_message_of_subversion_has_as_many_lines_as_it_counts() {
        let other = DIFF.replace("lib.c", "other.c");
        let log = |message: &str, count: usize| {
            let rule = "-".repeat(72);
            format!("{rule}\nr3 | me | 2026-01-02 | {count} lines\n\n{message}\n{DIFF}")
        };
        for quoted in [SHELL, NAMED, &other] {
            let count = quoted.lines().count();
            assert_eq!(files(&log(quoted, count)), "lib.c", "{quoted}");
        }
        assert_eq!(files(&log(&other, 0)), "other.c lib.c");
    }

    #[test]
    fn a_mail_without_a_diff_is_a_reply_unless_it_is_of_a_series() {
        let mail =
            |subject: &str, body: &str| format!("From: A <a@b>\nSubject: {subject}\n\n{body}\n");
        let (cover, patch) = (
            mail("[PATCH 0/1] All", SHELL),
            mail("[PATCH 1/1] One", DIFF),
        );
        // A command that is not read is named.
        assert_eq!(files(&(SERIES.to_owned() + &cover)), "? ");
        assert_eq!(files(&cover), "? ");
        assert_eq!(files(&(cover.clone() + &patch)), "lib.c");
        assert_eq!(files(&(patch + &cover)), "lib.c");
        assert_eq!(files(&mail("[lib] A script", SHELL)), "run.sh");
        let commit = "From 0123456789abcdef0123456789abcdef01234567 on\nit fails:\n\n";
        assert_eq!(files(&format!("{commit}{SHELL}")), "run.sh");
    }

    #[test]
    fn a_mail_without_a_tag_is_a_patch_if_the_totals_of_its_diff_are_in_it() {
        let mail = |between: &str| {
            format!(
                "From: A <a@b>\nDate: Mon, 1 Jan 2026\nSubject: Your script\n\n{SHELL}\n{between}{DIFF}"
            )
        };
        assert_eq!(files(&mail("")), "run.sh lib.c");
        assert_eq!(files(&mail("---\n\n")), "run.sh lib.c");
        let totals = " lib.c | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n";
        assert_eq!(files(&mail(&format!("---\n{totals}"))), "lib.c");
    }

    #[test]
    fn a_mail_in_the_text_of_a_file_is_no_message() {
        let mail = "From: A <a@b>\nSubject: [x] y\n\nText\n";
        let writes = |mail: &str| format!("cat > mail.eml <<'END'\n{mail}END\n");
        let text = format!("```sh\n{}```\n\n{SHELL}\n{DIFF}", writes(mail));
        assert_eq!(files(&text), "mail.eml run.sh lib.c");
        let commands = format!("{}cat > run.sh <<'END'\nrun\nEND\n", writes(mail));
        assert_eq!(files(&format!("{commands}{DIFF}")), "mail.eml run.sh lib.c");
    }

    #[test]
    fn a_message_ends_above_the_fence_of_its_diff_and_with_the_fence_around_it() {
        let head = "From: A <a@b>\nSubject: [PATCH] Change\n\n";
        let fenced = format!("{head}{SHELL}\n```diff\n{DIFF}```\n");
        assert_eq!(files(&fenced), "lib.c");
        let open = format!("{head}A fence that stays open:\n```\n\n{DIFF}");
        assert_eq!(files(&open), "lib.c");
        let quoted = format!("Your mail was:\n\n```text\n{head}Text\n```\n\n{SHELL}\n{DIFF}");
        assert_eq!(files(&quoted), "run.sh lib.c");
    }

    #[test]
    fn text_below_an_indented_message_is_no_part_of_it() {
        let log = "commit 0123456\nAuthor: A <a@b>\n\n    Change\n\n";
        assert_eq!(
            files(&format!("{log}I add a script:\n\n{SHELL}\n{DIFF}")),
            "run.sh lib.c"
        );
    }
}
