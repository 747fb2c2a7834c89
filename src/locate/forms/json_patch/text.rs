//! Operations on the text of a JSON file.

use jsonc_parser::cst::{CstArray, CstInputValue, CstLeafNode, CstNode, CstObject, CstObjectProp};
use jsonc_parser::cst::{CstContainerNode, CstRootNode};
use serde_json::Value;

use super::cst::{member, parse};
use super::one_line::{Blanks, without};
use super::operation::PatchOperation;
use super::pointer::{missing, position, shown};

/// Returns the value that a pointer names.
fn find(root: &CstRootNode, pointer: &[String]) -> Result<CstNode, String> {
    let mut node = root.value().ok_or("the file is empty")?;
    for (i, token) in pointer.iter().enumerate() {
        let next = if let Some(object) = node.as_object() {
            member(&object, token)?.and_then(|member| member.value())
        } else {
            let elements = node.as_array().map(|array| array.elements());
            elements.and_then(|elements| elements.into_iter().nth(position(token)?))
        };
        node = next.ok_or_else(|| missing(&pointer[..=i]))?;
    }
    Ok(node)
}

/// The object or the array that holds a value.
enum Holder {
    Object(CstObject),
    Array(CstArray),
}

impl Holder {
    fn node(&self) -> CstContainerNode {
        match self {
            Self::Object(object) => object.clone().into(),
            Self::Array(array) => array.clone().into(),
        }
    }
}

fn holder(root: &CstRootNode, pointer: &[String]) -> Result<Holder, String> {
    let node = find(root, pointer)?;
    let object = node.as_object().map(Holder::Object);
    let holder = object.or_else(|| node.as_array().map(Holder::Array));
    holder.ok_or_else(|| format!("`{}` is no object and no array", shown(pointer)))
}

/// Returns a value with its numbers as they are written.
fn input(node: &CstNode) -> Result<CstInputValue, String> {
    let unknown = || "a value of the JSON Patch cannot be read".to_owned();
    Ok(match node {
        CstNode::Leaf(CstLeafNode::StringLit(text)) => {
            CstInputValue::String(text.decoded_value().map_err(|_| unknown())?)
        }
        CstNode::Leaf(CstLeafNode::NumberLit(number)) => CstInputValue::Number(number.to_string()),
        CstNode::Leaf(CstLeafNode::BooleanLit(flag)) => CstInputValue::Bool(flag.value()),
        CstNode::Leaf(CstLeafNode::NullKeyword(_)) => CstInputValue::Null,
        CstNode::Container(CstContainerNode::Array(array)) => {
            let elements: Result<Vec<_>, _> = array.elements().iter().map(input).collect();
            CstInputValue::Array(elements?)
        }
        CstNode::Container(CstContainerNode::Object(object)) => {
            let member = |prop: CstObjectProp| {
                let (name, value) = (prop.decoded_name(), prop.value());
                Ok((
                    name.ok_or_else(unknown)?,
                    input(&value.ok_or_else(unknown)?)?,
                ))
            };
            let members: Result<Vec<_>, String> =
                object.properties().into_iter().map(member).collect();
            CstInputValue::Object(members?)
        }
        CstNode::Leaf(
            CstLeafNode::WordLit(_)
            | CstLeafNode::Token(_)
            | CstLeafNode::Whitespace(_)
            | CstLeafNode::Newline(_)
            | CstLeafNode::Comment(_),
        )
        | CstNode::Container(CstContainerNode::Root(_) | CstContainerNode::ObjectProp(_)) => {
            return Err(unknown());
        }
    })
}

fn replace(node: CstNode, value: CstInputValue) {
    match node {
        CstNode::Leaf(CstLeafNode::StringLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::NumberLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::BooleanLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::NullKeyword(node)) => node.replace_with(value),
        CstNode::Container(CstContainerNode::Array(node)) => node.replace_with(value),
        CstNode::Container(CstContainerNode::Object(node)) => node.replace_with(value),
        CstNode::Leaf(
            CstLeafNode::WordLit(_)
            | CstLeafNode::Token(_)
            | CstLeafNode::Whitespace(_)
            | CstLeafNode::Newline(_)
            | CstLeafNode::Comment(_),
        )
        | CstNode::Container(CstContainerNode::Root(_) | CstContainerNode::ObjectProp(_)) => None,
    };
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let is_in = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(is_in)
        }
        _ => a == b,
    }
}

/// Puts a value in place of the one that a pointer names.
fn put(root: &CstRootNode, at: &[String], value: CstInputValue) -> Result<(), String> {
    let Some((last, parents)) = at.split_last() else {
        root.set_value(value);
        return Ok(());
    };
    let node = find(root, at)?;
    match holder(root, parents)? {
        Holder::Object(object) => {
            let member = member(&object, last)?;
            member.ok_or_else(|| missing(at))?.set_value(value);
        }
        Holder::Array(_) => replace(node, value),
    }
    Ok(())
}

/// Puts a value in place of another, on its line if the values beside it are on one.
fn set(root: &CstRootNode, at: &[String], value: CstInputValue) -> Result<(), String> {
    let blanks = Blanks::of(root);
    let on_one_line = match at.split_last() {
        Some((_, parents)) => blanks.has_one_line(&holder(root, parents)?.node()),
        None => blanks.is_all_one_line(),
    };
    let value = if on_one_line {
        raw(blanks.value(&value))
    } else {
        value
    };
    put(root, at, value)
}

/// A text that is written as it is.
fn raw(text: String) -> CstInputValue {
    CstInputValue::Number(text)
}

fn add(root: &CstRootNode, to: &[String], value: CstInputValue) -> Result<(), String> {
    let Some((last, parents)) = to.split_last() else {
        return set(root, to, value);
    };
    let holder = holder(root, parents)?;
    let blanks = Blanks::of(root);
    let on_one_line = blanks.has_one_line(&holder.node());
    let (at, new) = match &holder {
        Holder::Object(object) => {
            if member(object, last)?.is_some() {
                return set(root, to, value);
            }
            if !on_one_line {
                object.append(last, value);
                return Ok(());
            }
            (usize::MAX, blanks.member(last, &value))
        }
        Holder::Array(array) => {
            let count = array.elements().len();
            let at = if last == "-" {
                Some(count)
            } else {
                position(last)
            };
            let at = at.filter(|at| *at <= count).ok_or_else(|| missing(to))?;
            if !on_one_line {
                array.insert(at, value);
                return Ok(());
            }
            (at, blanks.value(&value))
        }
    };
    put(root, parents, raw(blanks.with(&holder.node(), at, &new)))
}

fn remove(root: &CstRootNode, from: &[String]) -> Result<(), String> {
    let (last, parents) = from
        .split_last()
        .ok_or("the whole file cannot be removed")?;
    let holder = holder(root, parents)?;
    let node = find(root, from)?;
    if Blanks::of(root).has_one_line(&holder.node()) {
        let at = match &holder {
            Holder::Object(object) => {
                let names = object.properties().into_iter();
                let mut names = names.map(|prop| prop.decoded_name());
                names.position(|name| name.as_deref() == Some(last))
            }
            Holder::Array(_) => position(last),
        };
        let left = at.and_then(|at| without(&holder.node(), at));
        return put(root, parents, raw(left.ok_or_else(|| missing(from))?));
    }
    match holder {
        Holder::Object(object) => {
            let member = member(&object, last)?;
            member.ok_or_else(|| missing(from))?.remove();
        }
        Holder::Array(_) => node.remove(),
    }
    Ok(())
}

impl PatchOperation {
    /// Carries the operation out on the text of a file.
    pub(super) fn apply(&self, root: CstRootNode) -> Result<CstRootNode, String> {
        match self {
            Self::Add(to, value) => add(&root, to, input(value)?)?,
            Self::Remove(from) => remove(&root, from)?,
            Self::Replace(at, value) => {
                find(&root, at)?;
                set(&root, at, input(value)?)?;
            }
            Self::Move { from, to } => {
                let value = input(&find(&root, from)?)?;
                if from == to {
                    return Ok(root);
                }
                if to.starts_with(from) {
                    return Err("a value cannot be moved into itself".to_owned());
                }
                remove(&root, from)?;
                let left = parsed_again(&root)?;
                add(&left, to, value)?;
                return parsed_again(&left);
            }
            Self::Copy { from, to } => {
                let value = input(&find(&root, from)?)?;
                add(&root, to, value)?;
            }
            Self::Test(at, value) => {
                let (found, value) = (find(&root, at)?.to_serde_value(), value.to_serde_value());
                let equal = found.zip(value).is_some_and(|(a, b)| is_same(&a, &b));
                if !equal {
                    return Err(format!(
                        "the value `{}` is another than the patch tests for",
                        shown(at)
                    ));
                }
                return Ok(root);
            }
        }
        parsed_again(&root)
    }
}

/// Parses a file into which a part was put as a text.
fn parsed_again(root: &CstRootNode) -> Result<CstRootNode, String> {
    parse(&root.to_string())
}
