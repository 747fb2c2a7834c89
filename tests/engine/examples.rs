//! The examples of `tests/formats` and `tests/scenarios`, and changes of them such as models and tools make.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use countersign::dialect::{Options, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::families::Family;
use crate::inputs;

/// An input, and one of the files that it is for.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) file: String,
    pub(crate) text: String,
}

/// Every example, with the names of the dialects in which it is read.
static EXAMPLES: LazyLock<Vec<(Vec<&'static str>, Example)>> = LazyLock::new(|| {
    let mut examples = Vec::new();
    for folder in ["tests/formats", "tests/scenarios"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            examples.extend(example(&entry.unwrap().path()));
        }
    }
    examples.sort_by(|(_, a), (_, b)| a.text.cmp(&b.text));
    examples
});

/// The most bytes of an example; a longer one would make the tests slow.
const MOST_BYTES: usize = 4_000;

fn example(folder: &Path) -> Option<(Vec<&'static str>, Example)> {
    let is_input = |name: &str| name == "input" || name.starts_with("edit.");
    let mut entries = fs::read_dir(folder)
        .ok()?
        .map(|entry| entry.unwrap().path());
    let input = entries.find(|path| {
        path.file_name()
            .is_some_and(|name| is_input(&name.to_string_lossy()))
    })?;
    let text = fs::read_to_string(input).ok()?;
    if text.len() > MOST_BYTES {
        return None;
    }
    let options = Options {
        path: Some("f".to_owned()),
        ..Options::default()
    };
    let readings = parse(&text, &options).readings;
    let dialects = readings.iter().map(|reading| reading.dialect).collect();
    let file = first_file(&folder.join("before")).unwrap_or_default();
    Some((dialects, Example { file, text }))
}

/// Returns the first file of a folder that is not empty.
fn first_file(folder: &Path) -> Option<String> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .ok()?
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let file = |path: &std::path::PathBuf| {
        if path.is_dir() {
            first_file(path)
        } else {
            fs::read_to_string(path)
                .ok()
                .filter(|text| !text.is_empty() && text.len() < MOST_BYTES)
        }
    };
    paths.iter().find_map(file)
}

/// The examples that a family reads.
pub(crate) fn of(family: &Family) -> Vec<Example> {
    let is_read = |dialects: &[&str]| dialects.iter().any(|name| family.dialects.contains(name));
    let has_word = |text: &str| family.words.iter().any(|word| text.contains(word));
    let is_of =
        |(dialects, example): &&(Vec<&str>, Example)| is_read(dialects) || has_word(&example.text);
    let examples = EXAMPLES.iter().filter(is_of);
    examples.map(|(_, example)| example.clone()).collect()
}

/// A change of a text. A position counts from the beginning again where the text ends.
#[derive(Debug, Clone)]
enum Change {
    /// A line is left out.
    Drop(Index),
    /// A line comes twice.
    Repeat(Index),
    /// Two lines change places.
    Swap(Index, Index),
    /// The text ends early.
    Cut(Index),
    /// A line of any dialect comes between.
    Insert(Index, &'static str),
    /// A value of the JSON is another one.
    Value(Index, &'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        2 => at().prop_map(Change::Drop),
        2 => at().prop_map(Change::Repeat),
        2 => (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        1 => at().prop_map(Change::Cut),
        2 => (at(), select(inputs::PIECES)).prop_map(|(at, line)| Change::Insert(at, line)),
        3 => (at(), select(VALUES)).prop_map(|(at, value)| Change::Value(at, value)),
    ]
}

/// Values in place of others, as JSON.
const VALUES: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "1e400",
    "18446744073709551616",
    "\"\"",
    "\"a\"",
    "\"../f\"",
    "[]",
    "[[]]",
    "{}",
    "\"2#ZP\"",
    "\"/a/0\"",
    "\"(a*)*$\"",
    "{\"path\":\"f\"}",
];

impl Change {
    fn apply(&self, text: String) -> String {
        if let Self::Value(at, with) = self {
            let Ok(mut value) = serde_json::from_str::<Value>(&text) else {
                return text;
            };
            let count = count(&value);
            let with = serde_json::from_str(with).unwrap_or(Value::Null);
            *nth(&mut value, &mut at.index(count)).unwrap() = with;
            return value.to_string();
        }
        let mut lines: Vec<&str> = text.split('\n').collect();
        let count = lines.len();
        match self {
            Self::Drop(at) => _ = lines.remove(at.index(count)),
            Self::Repeat(at) => {
                let at = at.index(count);
                lines.insert(at, lines[at]);
            }
            Self::Swap(a, b) => lines.swap(a.index(count), b.index(count)),
            Self::Insert(at, line) => lines.insert(at.index(count), line),
            Self::Cut(at) => {
                let end = text.floor_char_boundary(at.index(text.len() + 1));
                return text[..end].to_owned();
            }
            Self::Value(..) => (),
        }
        lines.join("\n")
    }
}

/// The number of values in a value, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The value of a number, counted from the outermost inwards.
fn nth<'v>(value: &'v mut Value, number: &mut usize) -> Option<&'v mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(values) => values.iter_mut().find_map(|value| nth(value, number)),
        Value::Object(fields) => fields.values_mut().find_map(|value| nth(value, number)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Changed examples of a family.
pub(crate) fn changed(family: &Family) -> impl Strategy<Value = Example> + use<> {
    (select(of(family)), vec(change(), 0..6)).prop_map(|(example, changes)| Example {
        text: changes
            .iter()
            .fold(example.text, |text, change| change.apply(text)),
        ..example
    })
}
