//! `roo-xml`: the tool calls of Roo Code and Cline as XML.
//!
//! `<apply_diff>` and `<replace_in_file>` with search/replace blocks for one file, or with `<args>` for several;
//! `<write_to_file>`, `<insert_content>`, `<search_and_replace>`.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::dialect::blocks::search_replace::SearchReplace;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::diff::unified::Unified;
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::scan::scan;
use crate::dialect::xml::element::Element;
use crate::dialect::xml::xml_call::XmlCall;
use crate::proposal::{FileChange, Hunk, Operation, PathClaim};
use crate::text::{LineIdx, LineNo};

/// The dialect `roo-xml`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct RooXml;

impl Dialect for RooXml {
    fn name(&self) -> &'static str {
        "roo-xml"
    }

    fn section(&self, input: &Input, at: LineIdx, _: &Before) -> Option<Section> {
        let call = XmlCall::read(input, at)?;
        let lines = at..call.end;
        let parsed = match (call.check_elements(), call.name) {
            (Err(error), _) => {
                let path = call.word("path").map(PathClaim::plain);
                let problem = error.into_problem(input, lines.clone(), self.name(), path);
                Parsed {
                    problems: vec![problem],
                    ..Parsed::default()
                }
            }
            (Ok(()), "write_to_file") => self.one(input, &lines, &call, call.written(input)),
            (Ok(()), "insert_content") => self.one(input, &lines, &call, call.inserted(input)),
            (Ok(()), "search_and_replace") => self.one(input, &lines, &call, call.replaced(input)),
            (Ok(()), _) => self.diffs(input, &lines, &call),
        };
        Some(Section {
            lines,
            files: parsed.proposal.files,
            problems: parsed.problems,
            said: String::new(),
            moved: None,
        })
    }
}

impl RooXml {
    /// Reads a call that makes one change.
    fn one(
        self,
        input: &Input,
        lines: &Range<LineIdx>,
        call: &XmlCall,
        change: Result<(Operation, Hunk), ParseError>,
    ) -> Parsed {
        let path = call.word("path").map(PathClaim::plain);
        let named = path
            .clone()
            .ok_or_else(|| ParseError::new(lines.start, "a call that names no file", "'<path>'"));
        let change = named.and_then(|path| Ok((path, change?)));
        let mut known = FxHashSet::default();
        let mut tags = call.fields.iter().map(|(name, _)| *name);
        let change = match tags.find(|tag| !known.insert(*tag)) {
            Some(name) => Err(ParseError::new(
                lines.start,
                format!("a call that has '<{name}>' twice"),
                "each field once",
            )),
            None => change,
        };
        let mut parsed = Parsed::default();
        match change {
            Ok((path, (operation, hunk))) => parsed.proposal.files.push(FileChange {
                hunks: vec![hunk],
                ..FileChange::new(path, operation, self.name(), input.span(lines.clone()))
            }),
            Err(error) => {
                let problem = error.into_problem(input, lines.clone(), self.name(), path);
                parsed.problems.push(problem);
            }
        }
        parsed
    }

    /// Reads the blocks of a call for one or several files.
    fn diffs(self, input: &Input, lines: &Range<LineIdx>, call: &XmlCall) -> Parsed {
        let mut parsed = Parsed::default();
        let mut path = input.path();
        for (i, (name, element)) in call.fields.iter().enumerate() {
            match *name {
                "path" => path = element.word(),
                "diff" | "content" => {
                    let start = match call.fields.get(i + 1) {
                        Some(("start_line", start)) => start.word(),
                        Some(_) | None => None,
                    };
                    let hint = start.and_then(|line| LineNo::new(line.parse().ok()?));
                    let one = self.diff(input, element, path, hint);
                    parsed.proposal.files.extend(one.proposal.files);
                    parsed.problems.extend(one.problems);
                }
                _ => (),
            }
        }
        if parsed.proposal.files.is_empty() && parsed.problems.is_empty() {
            let error = ParseError::new(
                lines.start,
                "a call without a diff",
                "'<path>' and '<diff>'",
            );
            let problem = error.into_problem(input, lines.clone(), self.name(), None);
            parsed.problems.push(problem);
        }
        parsed
    }

    /// Reads the text of one diff for one file.
    fn diff(
        self,
        input: &Input,
        element: &Element,
        path: Option<&str>,
        hint: Option<LineNo>,
    ) -> Parsed {
        let part = input.part(element.first, element.text.clone(), path);
        let mut parsed = scan(&part, &[&Unified, &SearchReplace]);
        if parsed.proposal.files.is_empty() && parsed.problems.is_empty() {
            let first = element.first.min(element.end.saturating_sub(1));
            let error = ParseError::new(first, "a diff without a block", "'<<<<<<< SEARCH'");
            let claim = path.map(PathClaim::plain);
            let problem = error.into_problem(input, first..element.end, self.name(), claim);
            parsed.problems.push(problem);
        }
        for file in &mut parsed.proposal.files {
            file.dialect = self.name();
            // The call names the file, whatever a diff's own header says.
            if let Some(path) = path {
                file.path = PathClaim::plain(path);
            }
            if let [hunk] = &mut file.hunks[..] {
                hunk.hint = hunk.hint.or(hint);
            }
        }
        for problem in &mut parsed.problems {
            problem.dialect = self.name();
        }
        parsed
    }
}
