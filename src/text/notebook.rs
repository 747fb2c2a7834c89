//! A Jupyter notebook as the JSON text that it is: its cells with their places, and new JSON in the layout of the old.
//!
//! <https://nbformat.readthedocs.io/en/latest/format_description.html>

use std::fmt::Write;
use std::ops::Range;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use rustc_hash::FxHashMap;

use super::json_syntax::PLAIN_JSON;
use super::number::LineIdx;

/// A notebook, as its text says it.
pub(crate) struct Notebook<'a> {
    text: &'a str,
    /// The bytes of the list of cells in the text, brackets included.
    pub(crate) list: Range<usize>,
    pub(crate) cells: Vec<NotebookCell<'a>>,
    /// The positions of the cells of each name.
    named: FxHashMap<String, Vec<usize>>,
    /// The positions of the line feeds in the text.
    line_feeds: Vec<usize>,
    /// True if cells have names.
    pub(crate) names_cells: bool,
    layout: JsonLayout<'a>,
}

/// A cell.
pub(crate) struct NotebookCell<'a> {
    /// The bytes of its object in the text, braces included.
    pub(crate) range: Range<usize>,
    pub(crate) id: Option<String>,
    pub(crate) kind: String,
    pub(crate) source: String,
    /// The bytes of its source's value in the text.
    pub(crate) source_range: Range<usize>,
    /// The lines of its source, with how they are written; `None` if it is one text and no list.
    listed: Option<Vec<(String, &'a str)>>,
    /// Its properties, as they are written.
    pub(crate) properties: Vec<(String, &'a str)>,
    /// The bytes of the values of its properties in the text.
    ranges: Vec<Range<usize>>,
}

impl NotebookCell<'_> {
    /// The bytes of the value of a property in the text.
    pub(crate) fn property_range(&self, name: &str) -> Option<Range<usize>> {
        let mut names = self.properties.iter().map(|(name, _)| name.as_str());
        let at = names.position(|known| known == name)?;
        self.ranges.get(at).cloned()
    }
}

/// The layout of the JSON.
#[derive(Debug, Clone, Copy)]
struct JsonLayout<'a> {
    /// One level of indentation; `None` if values are not on lines of their own.
    unit: Option<&'a str>,
    /// The separator of entries on one line.
    comma: &'static str,
    /// The separator behind a name.
    colon: &'static str,
    /// True if characters beyond ASCII are escaped.
    ascii: bool,
}

impl<'a> Notebook<'a> {
    /// Reads a notebook; what is wrong with it if it is none.
    pub(crate) fn read(text: &'a str) -> Result<Self, String> {
        let strict = ParseOptions {
            // Python writes these in outputs.
            allow_non_finite_numbers: true,
            ..PLAIN_JSON
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &strict)
            .map_err(|error| format!("it is no JSON: {error}"))?;
        let Some(Value::Object(root)) = &parsed.value else {
            return Err("it is no JSON object".to_owned());
        };
        let Some(Value::Array(list)) = value(root, "cells") else {
            return Err("it has no list of cells".to_owned());
        };
        let cells: Option<Vec<NotebookCell>> = list
            .elements
            .iter()
            .map(|cell| read_cell(text, cell))
            .collect();
        let cells = cells.ok_or("one of its cells has no type or no source")?;
        let mut named: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, cell) in cells.iter().enumerate() {
            if let Some(id) = &cell.id {
                named.entry(id.clone()).or_default().push(at);
            }
        }
        Ok(Self {
            named,
            line_feeds: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
            text,
            list: range(&list.range()),
            cells,
            names_cells: names_cells(root),
            layout: JsonLayout::of(text, root, list),
        })
    }

    /// The text between two positions.
    pub(crate) fn between_bytes(&self, bytes: Range<usize>) -> &'a str {
        &self.text[bytes]
    }

    /// The positions of the cells of a name, which ought to be one at most.
    pub(crate) fn cells_named(&self, name: &str) -> impl Iterator<Item = usize> {
        self.named.get(name).into_iter().flatten().copied()
    }

    /// The line of a position in the text.
    pub(crate) fn line_of(&self, at: usize) -> LineIdx {
        self.line_feeds.partition_point(|feed| *feed < at)
    }

    /// The position that a name like `cell-2` means, which is the third cell's, if there is one.
    pub(crate) fn cell_numbered(&self, name: &str) -> Option<usize> {
        let number = name.strip_prefix("cell-")?.parse().ok();
        number.filter(|number| *number < self.cells.len())
    }

    /// Another source for a cell, in the layout of the one it has. Lines that stay are written as they are.
    pub(crate) fn source(&self, source: &str, cell: &NotebookCell) -> String {
        let Some(old) = &cell.listed else {
            return self.layout.quoted(source);
        };
        let lines = source.split_inclusive('\n').map(|line| {
            let same = old.iter().find(|(text, _)| text == line);
            same.map_or_else(|| self.layout.quoted(line), |(_, raw)| (*raw).to_owned())
        });
        let lines: Vec<String> = lines.collect();
        let indent = self.indent(cell.source_range.start);
        self.layout.list('[', &lines, ']', indent)
    }

    /// A cell's properties in the layout of the notebook.
    pub(crate) fn cell(&self, properties: &[(String, String)], indent: &str) -> String {
        let entries: Vec<String> = properties
            .iter()
            .map(|(name, value)| {
                format!("{}{}{value}", self.layout.quoted(name), self.layout.colon)
            })
            .collect();
        self.layout.list('{', &entries, '}', indent)
    }

    /// A text as a JSON string.
    pub(crate) fn quoted(&self, text: &str) -> String {
        self.layout.quoted(text)
    }

    /// Returns the separator of two cells, with the indentation of the second.
    pub(crate) fn between(&self, indent: &str) -> String {
        match self.layout.unit {
            Some(_) => format!(",\n{indent}"),
            None => self.layout.comma.to_owned(),
        }
    }

    /// The list with one cell in it.
    pub(crate) fn list_of(&self, cell: &str) -> String {
        let indent = self.indent(self.list.start);
        self.layout.list('[', &[cell.to_owned()], ']', indent)
    }

    /// The indentation of the line that holds a position.
    pub(crate) fn indent(&self, at: usize) -> &'a str {
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// The indentation of cells and of their properties.
    pub(crate) fn cell_indent(&self) -> String {
        let list = self.indent(self.list.start);
        format!("{list}{}", self.layout.unit.unwrap_or_default())
    }

    /// One level deeper.
    pub(crate) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.layout.unit.unwrap_or_default())
    }

    /// A source for a cell that is made, whose properties are indented so.
    pub(crate) fn new_source(&self, source: &str, indent: &str) -> String {
        let lines: Vec<String> = source
            .split_inclusive('\n')
            .map(|line| self.layout.quoted(line))
            .collect();
        self.layout.list('[', &lines, ']', indent)
    }
}

impl<'a> JsonLayout<'a> {
    fn of(text: &'a str, root: &Object, list: &Array) -> Self {
        let own_line = |at: usize| indent_before(text, at);
        let first = root.properties.first();
        let unit = first
            .and_then(|property| own_line(property.range.start))
            .filter(|unit| !unit.is_empty());
        let spread = list
            .elements
            .first()
            .is_none_or(|cell| own_line(cell.start()).is_some());
        let spaced = first.is_some_and(|property| text[property.range.start..].contains("\": "));
        Self {
            unit: unit.filter(|_| spread),
            comma: if text.contains(", \"") { ", " } else { "," },
            colon: if spaced { ": " } else { ":" },
            ascii: text.is_ascii() && text.contains("\\u"),
        }
    }

    /// Entries between brackets: each on its own line if the notebook is spread over lines.
    fn list(&self, open: char, entries: &[String], close: char, indent: &str) -> String {
        match self.unit {
            _ if entries.is_empty() => format!("{open}{close}"),
            None => format!("{open}{}{close}", entries.join(self.comma)),
            Some(unit) => {
                let gap = format!(",\n{indent}{unit}");
                format!(
                    "{open}\n{indent}{unit}{}\n{indent}{close}",
                    entries.join(&gap)
                )
            }
        }
    }

    fn quoted(&self, text: &str) -> String {
        let quoted = serde_json::Value::from(text).to_string();
        if !self.ascii {
            return quoted;
        }
        let mut escaped = String::with_capacity(quoted.len());
        for character in quoted.chars() {
            if character.is_ascii() {
                escaped.push(character);
                continue;
            }
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
        escaped
    }
}

fn read_cell<'a>(text: &'a str, cell: &Value) -> Option<NotebookCell<'a>> {
    let Value::Object(cell) = cell else {
        return None;
    };
    let string = |name| Some(value(cell, name)?.as_string_lit()?.value.to_string());
    let source = value(cell, "source")?;
    let listed = match source {
        Value::StringLit(_) => None,
        Value::Array(lines) => Some(
            (lines.elements.iter())
                .map(|line| {
                    let raw = &text[range(&line.range())];
                    Some((line.as_string_lit()?.value.to_string(), raw))
                })
                .collect::<Option<Vec<_>>>()?,
        ),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::Object(_) | Value::NullKeyword(_) => {
            return None;
        }
    };
    let properties = cell.properties.iter();
    let values = properties.map(|property| (property, range(&property.value.range())));
    Some(NotebookCell {
        range: range(&cell.range),
        id: string("id"),
        kind: string("cell_type")?,
        source: match (source, &listed) {
            (_, Some(lines)) => lines.iter().map(|(line, _)| line.as_str()).collect(),
            (source, None) => source.as_string_lit()?.value.to_string(),
        },
        source_range: range(&source.range()),
        listed,
        properties: (values.clone())
            .map(|(property, value)| (property.name.as_str().to_owned(), &text[value]))
            .collect(),
        ranges: values.map(|(_, value)| value).collect(),
    })
}

/// Returns true if the notebook's format gives every cell a name: since 4.5.
fn names_cells(root: &Object) -> bool {
    let [major, minor] = ["nbformat", "nbformat_minor"].map(|name| {
        value(root, name)?
            .as_number_lit()?
            .value
            .parse::<u32>()
            .ok()
    });
    (major, minor) >= (Some(4), Some(5))
}

fn value<'o, 'a>(object: &'o Object<'a>, name: &str) -> Option<&'o Value<'a>> {
    let mut properties = object.properties.iter();
    properties.find_map(|property| (property.name.as_str() == name).then_some(&property.value))
}

fn range(range: &jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

/// Returns the indentation of what is at a position, if it begins its line.
fn indent_before(text: &str, at: usize) -> Option<&str> {
    let before = &text[..at];
    let indent = &before[before.rfind('\n')? + 1..];
    (indent.trim_matches([' ', '\t']).is_empty()).then_some(indent)
}
