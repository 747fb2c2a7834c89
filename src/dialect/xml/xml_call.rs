//! A tool call as XML: its name and its fields.

use super::element::{self, Element};
use crate::dialect::body::whole_file;
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::dialect::tool::schema::is_note;
use crate::proposal::{Body, Extent, Hunk, Operation};
use crate::text::{LineIdx, LineNo};

/// The elements that are a call; `args` is also one by itself.
const CALLS: [&str; 6] = [
    "apply_diff",
    "replace_in_file",
    "args",
    "write_to_file",
    "insert_content",
    "search_and_replace",
];

/// The elements inside a call that hold text.
const FIELDS: [&str; 10] = [
    "path",
    "diff",
    "content",
    "line",
    "line_count",
    "start_line",
    "search",
    "replace",
    "use_regex",
    "ignore_case",
];

/// Elements that group others.
const GROUPS: [&str; 2] = ["args", "file"];

/// A call and the elements in it, in order.
#[derive(Debug)]
pub(in crate::dialect) struct XmlCall<'a> {
    pub(in crate::dialect) name: &'static str,
    start: LineIdx,
    /// The first line after it.
    pub(in crate::dialect) end: LineIdx,
    pub(in crate::dialect) fields: Vec<(&'static str, Element<'a>)>,
    /// The first element that is none of a call's: it may change what the call does.
    unknown: Option<(LineIdx, &'a str)>,
    /// A closing tag of the call below it, which no other call opened: its text may go on up to there.
    stray_end: Option<LineIdx>,
}

impl<'a> XmlCall<'a> {
    /// Reads the call that opens at a line, up to its closing tag, to the next call, or to prose.
    pub(in crate::dialect) fn read(input: &Input<'a>, at: LineIdx) -> Option<Self> {
        let name = call(input.line(at)?)?;
        let mut read = Self {
            name,
            start: at,
            end: at + 1,
            fields: Vec::new(),
            unknown: None,
            stray_end: None,
        };
        while let Some(line) = input.line(read.end) {
            if element::closes(line, name) {
                read.end += 1;
                break;
            }
            let other = call(line).is_some_and(|other| other != "args" || name == "args");
            if other {
                break;
            }
            let note = opened(line).filter(|name| is_note(name) && !FIELDS.contains(name));
            if let Some(note) = note.and_then(|name| element::raw(input, read.end, name, is_own)) {
                read.end = note.end.max(read.end + 1);
                continue;
            }
            let field = FIELDS
                .into_iter()
                .find(|field| element::opens(line, field).is_some())
                .filter(|field| *field != "diff" || !is_group(input, read.end));
            let element = field.and_then(|field| match name {
                "apply_diff" | "replace_in_file" | "args" => {
                    element::blocks(input, read.end, field, is_own)
                }
                _ => element::raw(input, read.end, field, is_own),
            });
            match field.zip(element) {
                Some((field, element)) => {
                    read.end = element.end.max(read.end + 1);
                    read.fields.push((field, element));
                }
                // Prose below a call that has no closing tag.
                None if !line.trim().is_empty() && !line.trim_start().starts_with('<') => break,
                None => {
                    // No field has attributes.
                    let unknown = opened(line)
                        .filter(|name| !is_known(name))
                        .or_else(|| with_attributes(line));
                    read.unknown = read.unknown.or(unknown.map(|name| (read.end, name)));
                    read.end += 1;
                }
            }
        }
        let mut below = (read.end..input.len()).map_while(|at| {
            let line = input.line(at).filter(|line| call(line).is_none())?;
            Some((at, line))
        });
        read.stray_end = (below.find(|(_, line)| element::closes(line, name))).map(|(at, _)| at);
        // A call with other fields is that of another agent.
        let inner = input.line(at + 1).map(str::trim_start);
        let names_none = read.field("path").is_none() && name != "args";
        let is_other = (read.fields.is_empty() || names_none)
            && inner.is_some_and(|line| line.starts_with('<') && !line.starts_with("</"));
        (!is_other || is_own(inner?)).then_some(read)
    }

    fn field(&self, name: &str) -> Option<&Element<'a>> {
        let mut fields = self.fields.iter();
        fields.find_map(|(field, element)| (*field == name).then_some(element))
    }

    /// The text of an element that is one line.
    pub(in crate::dialect) fn word(&self, name: &str) -> Option<&'a str> {
        self.field(name)?.word()
    }

    /// The text of an element that must be whole.
    fn text(&self, input: &Input, name: &str) -> Result<&Element<'a>, ParseError> {
        match self.field(name) {
            Some(element) if element.closed => Ok(element),
            Some(element) => Err(ParseError::line(input, element.end, format!("'</{name}>'"))),
            None => {
                let found = "a call that is not whole";
                Err(ParseError::new(self.start, found, format!("'<{name}>'")))
            }
        }
    }

    /// Refuses a call with an element that is not known.
    pub(in crate::dialect) fn check_elements(&self) -> Result<(), ParseError> {
        let Some((at, name)) = self.unknown else {
            return Ok(());
        };
        let found = format!("'<{name}>' in '<{}>', which has no such field", self.name);
        Err(ParseError::new(at, found, "the fields of the call"))
    }

    /// Refuses a call whose text may hold its closing tags.
    fn check_end(&self, input: &Input) -> Result<(), ParseError> {
        let Some(at) = self.stray_end else {
            return Ok(());
        };
        let expected = format!(
            "'<{}>' before it, or another text than its closing tags",
            self.name
        );
        Err(ParseError::line(input, at, expected))
    }

    /// `<write_to_file>`: the file's new contents.
    pub(in crate::dialect) fn written(
        &self,
        input: &Input,
    ) -> Result<(Operation, Hunk), ParseError> {
        self.check_end(input)?;
        let content = self.text(input, "content")?;
        let hunk = hunk(input, &[], content);
        let path = self.word("path").unwrap_or_default();
        let (body, other_readings) = whole_file::readings(path, hunk.body.postimage);
        let hunk = Hunk {
            body,
            other_readings,
            ..Hunk::new(Body::default(), hunk.span)
        };
        let lines = self.word("line_count").and_then(|count| count.parse().ok());
        Ok((Operation::Overwrite, whole_file::counted(hunk, lines)))
    }

    /// `<insert_content>`: lines before a line, or at the end for line 0.
    pub(in crate::dialect) fn inserted(
        &self,
        input: &Input,
    ) -> Result<(Operation, Hunk), ParseError> {
        self.check_end(input)?;
        let content = self.text(input, "content")?;
        let line = self.text(input, "line")?;
        let number = line.word().and_then(|line| line.parse().ok());
        let Some(number) = number else {
            return Err(ParseError::line(input, line.first, "the number of a line"));
        };
        let hint = LineNo::new(number);
        Ok((
            Operation::Modify,
            Hunk {
                hint,
                at_end: hint.is_none(),
                ..hunk(input, &[], content)
            },
        ))
    }

    /// `<search_and_replace>`: a literal text, everywhere or at a line.
    pub(in crate::dialect) fn replaced(
        &self,
        input: &Input,
    ) -> Result<(Operation, Hunk), ParseError> {
        self.check_end(input)?;
        let search = self.text(input, "search")?;
        let replace = self.text(input, "replace")?;
        for option in ["use_regex", "ignore_case"] {
            if let Some(element) = self.field(option).filter(|e| e.word() == Some("true")) {
                return Err(ParseError::line(
                    input,
                    element.first,
                    "the text as the file has it",
                ));
            }
        }
        let start = self.word("start_line").and_then(|line| line.parse().ok());
        let hint = start.and_then(LineNo::new);
        let extent = if hint.is_some() {
            Extent::Text
        } else {
            Extent::EveryText
        };
        Ok((
            Operation::Modify,
            Hunk {
                extent,
                hint,
                ..hunk(input, &search.text, replace)
            },
        ))
    }
}

/// A hunk of the texts of two elements.
fn hunk(input: &Input, old: &[&str], new: &Element) -> Hunk {
    let lines = |text: &[&str]| text.iter().map(ToString::to_string).collect();
    let body = Body {
        preimage: lines(old),
        postimage: lines(&new.text),
    };
    Hunk::new(body, input.span(new.first..new.first + new.text.len()))
}

/// The call that a line opens.
pub(in crate::dialect) fn call(line: &str) -> Option<&'static str> {
    let line = line.trim();
    CALLS.into_iter().find(|name| {
        element::opens(line, name).is_some_and(|rest| rest.is_empty() || rest == "<file>")
    })
}

/// Returns the name of the element that a line opens.
fn opened(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('<')?;
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let (name, behind) = rest.split_at(rest.find(|c| !is_of_name(c))?);
    (!name.is_empty() && behind.starts_with(['>', ' ', '/'])).then_some(name)
}

/// Returns the opening tag of a field or a group with attributes that a line begins with.
fn with_attributes(line: &str) -> Option<&str> {
    let (tag, _) = line.trim_start().strip_prefix('<')?.split_once('>')?;
    let (name, rest) = tag.split_once(char::is_whitespace)?;
    let is_field = FIELDS.contains(&name) || GROUPS.contains(&name);
    (is_field && rest.contains('=')).then_some(tag)
}

/// Returns `true` for an element of a call: a field, a group of them, or a note, which changes no edit.
fn is_known(name: &str) -> bool {
    FIELDS.contains(&name) || GROUPS.contains(&name) || is_note(name)
}

/// Returns `true` for a tag of a call.
fn is_own(line: &str) -> bool {
    line.trim_start().starts_with('<')
        && (call(line).is_some()
            || CALLS.iter().any(|name| element::closes(line, name))
            || ["file", "diff", "args"]
                .iter()
                .any(|name| element::closes(line, name))
            || FIELDS
                .iter()
                .any(|name| element::opens(line, name).is_some()))
}

/// Returns `true` if a `<diff>` only groups a `<content>` and its hints.
fn is_group(input: &Input, at: LineIdx) -> bool {
    let next = input.skip_blank(at + 1);
    input.line(next).is_some_and(|line| {
        ["content", "start_line"]
            .iter()
            .any(|name| element::opens(line, name).is_some())
    })
}
