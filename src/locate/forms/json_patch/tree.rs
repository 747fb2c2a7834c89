//! JSON as a tree that keeps comments and layout.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::trivia::{position_of, split_line_comment};
use crate::text::PLAIN_JSON;

/// A JSON file: its value, and what is before and after it.
#[derive(Debug)]
pub(super) struct JsonTree<'a> {
    pub before: &'a str,
    pub root: Node<'a>,
    pub after: &'a str,
}

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Node<'a> {
    /// A string, a number or a word, as it is written.
    Scalar(Cow<'a, str>),
    Holder(Box<Holder<'a>>),
}

/// An object or an array.
#[derive(Debug, Clone)]
pub(super) struct Holder<'a> {
    /// False if it is new where it is: it and all in it gets the layout of its place, and its trivia does not count.
    pub is_laid_out: bool,
    pub items: JsonItems<'a>,
    pub has_trailing_comma: bool,
    /// Blanks and comments before the closing bracket.
    pub end: Cow<'a, str>,
    /// The levels of values in it, or more.
    pub depth: usize,
}

/// An element of an array, or a member of an object.
#[derive(Debug, Clone)]
pub(super) struct Item<'a> {
    /// Blanks and comments behind the comma or the bracket before it.
    pub before: Cow<'a, str>,
    pub name: Option<MemberName<'a>>,
    pub value: Node<'a>,
    /// Blanks and comments between it and the comma.
    pub after: Cow<'a, str>,
    /// The comment behind the comma on the same line.
    pub line_comment: Cow<'a, str>,
}

/// The name of a member.
#[derive(Debug, Clone)]
pub(super) struct MemberName<'a> {
    pub text: String,
    pub written: Cow<'a, str>,
    /// The colon, and what is around it.
    pub colon: Cow<'a, str>,
}

/// The elements of an array by their position, or the members of an object by numbers in their order.
#[derive(Debug, Clone)]
#[allow(clippy::vec_box, reason = "an insertion moves all elements behind it")]
pub(super) enum JsonItems<'a> {
    Array(Vec<Box<Item<'a>>>),
    Object {
        members: BTreeMap<usize, Item<'a>>,
        /// The number of the member with a name; `None` if there are two.
        numbers: HashMap<String, Option<usize>>,
    },
}

impl<'a> JsonItems<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Array(elements) => elements.len(),
            Self::Object { members, .. } => members.len(),
        }
    }

    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = &Item<'a>> + '_> {
        match self {
            Self::Array(elements) => Box::new(elements.iter().map(AsRef::as_ref)),
            Self::Object { members, .. } => Box::new(members.values()),
        }
    }

    pub(super) fn for_each(&mut self, change: impl FnMut(&mut Item<'a>)) {
        match self {
            Self::Array(elements) => elements.iter_mut().map(AsMut::as_mut).for_each(change),
            Self::Object { members, .. } => members.values_mut().for_each(change),
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<&Item<'a>> {
        match self {
            Self::Array(elements) => elements.get(at).map(AsRef::as_ref),
            Self::Object { members, .. } => members.get(&at),
        }
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Item<'a>> {
        match self {
            Self::Array(elements) => elements.get_mut(at).map(AsMut::as_mut),
            Self::Object { members, .. } => members.get_mut(&at),
        }
    }

    pub(super) fn first(&self) -> Option<usize> {
        match self {
            Self::Array(elements) => (!elements.is_empty()).then_some(0),
            Self::Object { members, .. } => members.keys().next().copied(),
        }
    }

    pub(super) fn last(&self) -> Option<usize> {
        match self {
            Self::Array(elements) => elements.len().checked_sub(1),
            Self::Object { members, .. } => members.keys().next_back().copied(),
        }
    }

    /// Puts an element before the one at a position, or a member behind all others.
    pub(super) fn insert(&mut self, at: usize, item: Item<'a>) {
        match self {
            Self::Array(elements) => elements.insert(at, Box::new(item)),
            Self::Object { members, numbers } => {
                let name = item.name.as_ref().map(|name| name.text.clone());
                let at = members.keys().next_back().map_or(0, |last| last + 1);
                let other = numbers.entry(name.unwrap_or_default());
                other.and_modify(|at| *at = None).or_insert(Some(at));
                members.insert(at, item);
            }
        }
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<Item<'a>> {
        match self {
            Self::Array(elements) => (at < elements.len()).then(|| *elements.remove(at)),
            Self::Object { members, numbers } => {
                let item = members.remove(&at)?;
                numbers.remove(&item.name.as_ref()?.text);
                Some(item)
            }
        }
    }

    /// Returns the one that is first where this one is removed.
    pub(super) fn next_mut(&mut self, removed: usize) -> Option<&mut Item<'a>> {
        match self {
            Self::Array(elements) => elements.get_mut(removed).map(AsMut::as_mut),
            Self::Object { members, .. } => {
                members.range_mut(removed..).next().map(|(_, next)| next)
            }
        }
    }
}

/// Parses JSON with comments and trailing commas.
pub(super) fn parse(text: &str) -> Result<JsonTree<'_>, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        ..PLAIN_JSON
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    let value = parsed.map_err(|error| error.to_string())?.value;
    let value = value.ok_or("it is empty")?;
    let (start, end) = (value.start(), value.end());
    Ok(JsonTree {
        before: &text[..start],
        root: node(text, value),
        after: &text[end..],
    })
}

fn node<'a>(text: &'a str, value: Value<'a>) -> Node<'a> {
    let (start, end) = (value.start(), value.end());
    let inner = start + 1..end.saturating_sub(1);
    match value {
        Value::Array(array) => {
            let elements = array.elements.into_iter().map(|value| (None, value));
            holder(text, inner, JsonItems::Array(Vec::new()), elements)
        }
        Value::Object(object) => {
            let member = |prop: jsonc_parser::ast::ObjectProp<'a>| {
                let (start, end) = (prop.name.start(), prop.name.end());
                let name = MemberName {
                    written: text[start..end].into(),
                    colon: text[end..prop.value.start()].into(),
                    text: prop.name.into_string(),
                };
                (Some((start, name)), prop.value)
            };
            let empty = JsonItems::Object {
                members: BTreeMap::new(),
                numbers: HashMap::new(),
            };
            holder(
                text,
                inner,
                empty,
                object.properties.into_iter().map(member),
            )
        }
        Value::StringLit(_)
        | Value::NumberLit(_)
        | Value::BooleanLit(_)
        | Value::NullKeyword(_) => Node::Scalar(text[start..end].into()),
    }
}

fn holder<'a>(
    text: &'a str,
    inner: std::ops::Range<usize>,
    mut items: JsonItems<'a>,
    found: impl Iterator<Item = (Option<(usize, MemberName<'a>)>, Value<'a>)>,
) -> Node<'a> {
    let (mut at, mut depth) = (inner.start, 0);
    let mut last: Option<Item<'a>> = None;
    for (name, value) in found {
        let start = name.as_ref().map_or(value.start(), |(start, _)| *start);
        let (before, _) = behind(last.as_mut(), &text[at..start]);
        items.extend(last);
        at = value.end();
        let value = node(text, value);
        depth = depth.max(value.depth());
        last = Some(Item {
            before: before.into(),
            name: name.map(|(_, name)| name),
            value,
            after: "".into(),
            line_comment: "".into(),
        });
    }
    let (end, has_trailing_comma) = behind(last.as_mut(), &text[at..inner.end]);
    items.extend(last);
    Node::Holder(Box::new(Holder {
        is_laid_out: true,
        items,
        has_trailing_comma,
        end: end.into(),
        depth: depth + 1,
    }))
}

/// Gives an item its part of what follows it. Returns the rest, and `true` if there is a comma.
fn behind<'a>(item: Option<&mut Item<'a>>, trivia: &'a str) -> (&'a str, bool) {
    let Some(item) = item else {
        return (trivia, false);
    };
    let Some(comma) = position_of(',', trivia) else {
        let (after, rest) = split_line_comment(trivia);
        item.after = after.into();
        return (rest, false);
    };
    item.after = trivia[..comma].into();
    let (line_comment, rest) = split_line_comment(&trivia[comma + 1..]);
    item.line_comment = line_comment.into();
    (rest, true)
}

impl<'a> JsonItems<'a> {
    fn extend(&mut self, item: Option<Item<'a>>) {
        if let Some(item) = item {
            self.insert(self.count(), item);
        }
    }
}

impl Node<'_> {
    /// Returns the levels of values in it, or more.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Holder(holder) => holder.depth,
        }
    }

    /// Returns the bytes of its names and values.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Scalar(text) => text.len(),
            Self::Holder(holder) => {
                let name =
                    |item: &Item<'_>| item.name.as_ref().map_or(0, |name| name.written.len());
                let size = |item| name(item) + item.value.size() + 1;
                holder.items.iter().map(size).sum::<usize>() + 2
            }
        }
    }

    /// Returns `true` if the values are equal, however they are written.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scalar(a), Self::Scalar(b)) => a == b || is_same_scalar(a, b),
            (Self::Holder(a), Self::Holder(b)) => a.is_same(b),
            (Self::Scalar(_), Self::Holder(_)) | (Self::Holder(_), Self::Scalar(_)) => false,
        }
    }
}

fn is_same_scalar(a: &str, b: &str) -> bool {
    use serde_json::Value;
    let value = |text| serde_json::from_str(text).ok();
    match (value(a), value(b)) {
        (Some(Value::Number(a)), Some(Value::Number(b))) => a == b || a.as_f64() == b.as_f64(),
        (Some(a), Some(b)) => a == b,
        (Some(_) | None, None) | (None, Some(_)) => false,
    }
}

impl Holder<'_> {
    pub(super) fn is_array(&self) -> bool {
        matches!(self.items, JsonItems::Array(_))
    }

    fn is_same(&self, other: &Self) -> bool {
        let name = |item: &Item<'_>| item.name.as_ref().map(|name| name.text.clone());
        let pairs = || self.items.iter().zip(other.items.iter());
        let same_count = self.items.count() == other.items.count();
        if !same_count || self.is_array() != other.is_array() {
            return false;
        }
        if pairs().all(|(a, b)| name(a) == name(b)) {
            return pairs().all(|(a, b)| a.value.is_same(&b.value));
        }
        self.items.iter().all(|item| {
            let name = name(item).unwrap_or_default();
            let found = other.find(&name).ok().flatten();
            let found = found.and_then(|at| other.items.get(at));
            found.is_some_and(|found| item.value.is_same(&found.value))
        })
    }

    /// Returns where a member or an element is; of two members with one name neither is meant.
    pub(super) fn find(&self, token: &str) -> Result<Option<usize>, String> {
        match &self.items {
            JsonItems::Array(elements) => {
                let at = super::pointer::position(token);
                Ok(at.filter(|at| *at < elements.len()))
            }
            JsonItems::Object { numbers, .. } => match numbers.get(token) {
                Some(None) => Err(format!("an object has two members `{token}`")),
                Some(at) => Ok(*at),
                None => Ok(None),
            },
        }
    }
}
