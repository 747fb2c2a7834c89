//! Forms that are recognised and cannot be read: each is refused by its name, with the command that gives a readable form.

use std::borrow::Cow;

use crate::dialect::commit_message;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parse_error::{self, ParseError};
use crate::dialect::parsed::Parsed;
use crate::dialect::refused_forms::{
    COMMAND, COMMAND_READ, FORMS, NO_WORD_DIFF, TEXTS, WORD_DIFF, is_patch_name, is_word_diff,
};
use crate::dialect::shell::changing_command::{CommandPlace, may_change_files};
use crate::dialect::shell::here_document::CommandInput;
use crate::dialect::tool::tool_notation;
use crate::proposal::Problem;
use crate::text::LineIdx;

/// The name that problems have in place of a dialect.
pub(super) const UNSUPPORTED: &str = "unsupported";

/// Names the commands that may change files, beside edits that were read: those in the code fences of a shell, and those that
/// prose shows with a prompt or with the path of a file. Without them the edits may be half of what is asked for.
pub(super) fn name_commands(input: &Input, parsed: &mut Parsed) {
    let mut open: Option<Fence> = None;
    let mut continued = ContinuedCommand::default();
    name_those(input, parsed, |line| {
        if let Some(fence) = Fence::of(line) {
            open = match open {
                Some(opening) if fence.closes(&opening) => None,
                opening => opening.or(Some(fence)),
            };
            continued = ContinuedCommand::default();
            return false;
        }
        let place = match open {
            Some(fence) if fence.is_shell() => CommandPlace::Shell,
            Some(fence) if !fence.info.is_empty() => return false,
            Some(_) | None => CommandPlace::Text,
        };
        let command = continued.take_line(line);
        command.is_some_and(|command| may_change_files(&command, place))
    });
}

/// Lines of a command that goes on behind a backslash.
#[derive(Debug, Default)]
struct ContinuedCommand(String);

impl ContinuedCommand {
    /// Returns the whole command with which a line ends; `None` if the next line continues it.
    fn take_line<'l>(&mut self, line: &'l str) -> Option<Cow<'l, str>> {
        if let Some(part) = line.trim_end().strip_suffix('\\') {
            self.0.push_str(part);
            return None;
        }
        if self.0.is_empty() {
            return Some(Cow::Borrowed(line));
        }
        let mut command = std::mem::take(&mut self.0);
        command.push_str(line);
        Some(Cow::Owned(command))
    }
}

/// Names the commands that may change files in the text of a shell, beside those that were read.
pub(super) fn name_all_commands(input: &Input, parsed: &mut Parsed) {
    // The text of a here-document is that of a program or of a message, unless a shell runs it.
    let mut open: Option<CommandInput> = None;
    let mut continued = ContinuedCommand::default();
    name_those(input, parsed, |line| {
        match &open {
            Some(document) if line.trim() == document.end => {
                open = None;
                return false;
            }
            Some(document) if !document.is_script => return false,
            Some(_) => (),
            None => open = CommandInput::below(line),
        }
        let command = continued.take_line(line);
        command.is_some_and(|command| may_change_files(&command, CommandPlace::Shell))
    });
}

/// Names the lines that no edit, no problem and no message of a patch has, and for which a test holds.
fn name_those<'a>(input: &Input<'a>, parsed: &mut Parsed, mut is_it: impl FnMut(&'a str) -> bool) {
    let mut read: Vec<_> = (parsed.proposal.files.iter().map(|file| file.span))
        .chain(parsed.problems.iter().map(|problem| problem.span))
        .collect();
    let messages = commit_message::messages_beside(input, parsed).into_iter();
    read.extend(messages.map(|lines| input.span(lines)));
    read.sort_unstable_by_key(|span| span.first);
    let mut read = read.into_iter().peekable();
    for at in 0..input.len() {
        let line = input.line(at).unwrap_or_default();
        let number = input.number(at);
        while read.next_if(|span| span.last < number).is_some() {}
        if read.peek().is_none_or(|span| number < span.first) && is_it(line) {
            let found = format!("{}, {COMMAND}", parse_error::quoted(line));
            let error = ParseError::new(at, found, COMMAND_READ);
            let problem = error.into_problem(input, at..at + 1, UNSUPPORTED, None);
            parsed.problems.push(problem);
        }
    }
}

/// Finds the first such form in an input in which nothing else was read, or else the first command in a fence of a shell.
pub(super) fn named(input: &Input) -> Option<Problem> {
    form(input).or_else(|| text(input)).or_else(|| {
        let mut commands = Parsed::default();
        name_commands(input, &mut commands);
        commands.problems.into_iter().next()
    })
}

/// Finds the form that the lines of an input show together.
fn text(input: &Input) -> Option<Problem> {
    TEXTS.iter().find_map(|form| {
        let at = (form.find)(input)?;
        let error = ParseError::new(at, form.found, form.expected);
        Some(error.into_problem(input, at..input.len(), UNSUPPORTED, None))
    })
}

fn form(input: &Input) -> Option<Problem> {
    let is_alone = input.skip_blank(0);
    let mut open: Option<Fence> = None;
    (0..input.len()).find_map(|at: LineIdx| {
        let line = input.line(at)?.trim_start();
        if line.is_empty() {
            return None;
        }
        if let Some(fence) = Fence::of(line) {
            let is_end = open.is_some_and(|open| fence.closes(&open));
            open = if is_end { None } else { open.or(Some(fence)) };
        }
        let next = input.line(input.skip_blank(at + 1)).unwrap_or_default();
        // The last line of a fence is above no other one.
        let is_last = open.is_some_and(|open| Fence::of(next).is_some_and(|it| it.closes(&open)));
        let next = if is_last { "" } else { next };
        if let Some(found) = tool_notation::other(line, next) {
            let error = ParseError::new(at, found, "the same call in JSON");
            return Some(error.into_problem(input, at..input.len(), UNSUPPORTED, None));
        }
        let form = FORMS.iter().find(|form| (form.is)(line, next))?;
        // The name of a patch in prose is prose.
        if is_patch_name(line) && !is_series(input) {
            return None;
        }
        // A URL in prose is prose.
        if form.found == "a URL" && (at != is_alone || input.skip_blank(at + 1) < input.len()) {
            return None;
        }
        let expected = if form.found == "a URL" {
            let url = patch_behind(line.trim());
            format!("the text behind it, as in `curl -L '{url}' | countersign review -`")
        } else {
            form.expected.to_owned()
        };
        let error = ParseError::new(at, form.found, expected);
        Some(error.into_problem(input, at..input.len(), UNSUPPORTED, None))
    })
}

/// Returns the URL of the patch of a commit, or of what a request asks to merge, whose page on GitHub or GitLab has this one; for
/// another page its own.
///
/// <https://docs.github.com/en/rest/pulls>, <https://docs.gitlab.com/user/project/merge_requests/reviews/#download-merge-request-changes>
fn patch_behind(url: &str) -> String {
    const PAGES: [&str; 5] = [
        "/-/merge_requests/",
        "/-/commit/",
        "/pull/",
        "/commit/",
        "/compare/",
    ];
    let bare = url.split(['?', '#']).next().unwrap_or(url);
    let page = PAGES.iter().find_map(|page| {
        let (site, rest) = bare.split_once(page)?;
        let name = rest.split('/').next().filter(|name| !name.is_empty())?;
        Some((format!("{site}{page}{name}"), name))
    });
    match page {
        Some((page, name)) if !name.contains('.') => page + ".patch",
        // A quote would end the one around it.
        Some(_) | None => url.replace('\'', "%27"),
    }
}

/// Replaces the problems of a diff whose lines hold old and new words by one that names the form.
pub(super) fn name_word_diff(input: &Input, parsed: &mut Parsed) {
    let is_bad_diff = |problem: &Problem| problem.dialect == "unified";
    if !parsed.proposal.files.is_empty() || !parsed.problems.iter().all(is_bad_diff) {
        return;
    }
    if let Some(first) = parsed.problems.first()
        && let Some(at) =
            (first.span.first.idx()..input.len()).find(|at| has_words_of_diff(input, *at))
    {
        let error = ParseError::new(at, WORD_DIFF, NO_WORD_DIFF);
        parsed.problems = vec![error.into_problem(input, at..input.len(), "unified", None)];
    }
}

/// Returns `true` for a line of a word diff below its header: words in marks or in colors, or the `~` that
/// `--word-diff=porcelain` writes for the end of a line.
fn has_words_of_diff(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    let after_removed = line.split_once("\u{1b}[31m").map(|(_, rest)| rest);
    line == "~"
        || is_word_diff(line, "")
        || after_removed.is_some_and(|rest| rest.contains("\u{1b}[32m"))
}

/// Returns `true` if every line names a patch or is a comment.
fn is_series(input: &Input) -> bool {
    let lines = input.lines(0..input.len()).iter();
    lines
        .filter(|line| !line.trim().is_empty())
        .all(|line| is_patch_name(line) || line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patch_behind_a_page_is_named() {
        let check = |url: &str, expected: &str| assert_eq!(patch_behind(url), expected);
        for url in [
            "https://github.com/o/r/pull/12",
            "https://github.com/o/r/pull/12/files?w=1#r1",
            "https://github.com/o/r/pull/12/commits/abc",
        ] {
            check(url, "https://github.com/o/r/pull/12.patch");
        }
        let raw = "https://gitlab.com/g/s/r/-/merge_requests/3.patch";
        check("https://gitlab.com/g/s/r/-/merge_requests/3/diffs", raw);
        check(raw, raw);
        check(
            "https://github.com/o/r/commit/abc",
            "https://github.com/o/r/commit/abc.patch",
        );
        check("https://x.org/a.diff?raw=1", "https://x.org/a.diff?raw=1");
        check("https://x.org/'a", "https://x.org/%27a");
    }
}
