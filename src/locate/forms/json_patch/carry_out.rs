//! Operations carried out on the tree of a file.

use super::layout::Style;
use super::operation::PatchOperation;
use super::pointer::{missing, position, shown};
use super::tree::{Holder, JsonTree, Node};

/// Maximum levels of values, as in a file that can be parsed.
const MAX_DEPTH: usize = 512;

/// Maximum bytes that the `copy` operations of a patch add: a few of them can double a value again and again.
const MAX_COPIED: usize = 1 << 24;

/// A file to which the operations of a patch are applied.
#[derive(Debug)]
pub(super) struct PatchTarget<'a> {
    pub tree: JsonTree<'a>,
    pub style: Style,
    /// True if only a number names an element of an array that an operation changes, and no test before proves which one it is.
    pub counts: bool,
    /// The pointers whose values were tested, as far as they still lead to these.
    tested: Vec<Vec<String>>,
    copied: usize,
}

impl<'a> PatchTarget<'a> {
    pub(super) fn new(tree: JsonTree<'a>, text: &str) -> Self {
        Self {
            style: Style::of(&tree, text),
            tree,
            counts: false,
            tested: Vec::new(),
            copied: 0,
        }
    }

    /// Carries out one operation.
    pub(super) fn apply(&mut self, operation: PatchOperation<'a>) -> Result<(), String> {
        match operation {
            PatchOperation::Add(to, value) => self.add(&to, value),
            PatchOperation::Remove(from) => self.remove(&from).map(|_| ()),
            PatchOperation::Replace(at, value) => self.replace(&at, value),
            PatchOperation::Move { from, to } if from == to => self.find(&from).map(|_| ()),
            PatchOperation::Move { from, to } => {
                if to.starts_with(&from) {
                    return Err("a value cannot be moved into itself".to_owned());
                }
                let value = self.remove(&from)?;
                self.add(&to, value)
            }
            PatchOperation::Copy { from, to } => {
                let value = self.find(&from)?;
                let size = value.size();
                if self.copied + size > MAX_COPIED {
                    return Err("the JSON Patch copies too much".to_owned());
                }
                let value = value.clone();
                self.copied += size;
                self.counts |= self.is_counted(&from);
                self.add(&to, value)
            }
            PatchOperation::Test(at, value) => {
                if !self.find(&at)?.is_same(&value) {
                    let at = shown(&at);
                    return Err(format!(
                        "the value `{at}` is another than the patch tests for"
                    ));
                }
                self.tested.push(at);
                Ok(())
            }
        }
    }

    /// Returns the value that a pointer names.
    fn find(&self, pointer: &[String]) -> Result<&Node<'a>, String> {
        let mut node = &self.tree.root;
        for (i, token) in pointer.iter().enumerate() {
            let next = match node {
                Node::Holder(holder) => holder.find(token)?.and_then(|at| holder.items.get(at)),
                Node::Scalar(_) => None,
            };
            node = &next.ok_or_else(|| missing(&pointer[..=i]))?.value;
        }
        Ok(node)
    }

    /// Returns `true` if a pointer to a value names an element of an array by its number alone: neither the element, nor a part of it,
    /// nor the array was tested.
    fn is_counted(&self, pointer: &[String]) -> bool {
        let mut node = Some(&self.tree.root);
        pointer.iter().enumerate().any(|(at, token)| {
            let Some(Node::Holder(holder)) = node else {
                return false;
            };
            let found = holder.find(token).ok().flatten();
            node = found
                .and_then(|found| holder.items.get(found))
                .map(|item| &item.value);
            holder.is_array() && position(token).is_some() && !self.is_tested(&pointer[..=at])
        })
    }

    /// Forgets the tests of the elements whose numbers another element of the array at `parents` changes.
    fn forget_elements(&mut self, parents: &[String]) {
        let depth = parents.len();
        self.tested.retain(|tested| {
            !tested.starts_with(parents)
                || tested.get(depth).is_none_or(|at| position(at).is_none())
        });
    }

    /// Returns `true` if an element was tested, or a part of it, or what it is a part of.
    fn is_tested(&self, element: &[String]) -> bool {
        let mut tested = self.tested.iter();
        tested.any(|tested| tested.starts_with(element) || element.starts_with(tested))
    }

    fn add(&mut self, to: &[String], value: Node<'a>) -> Result<(), String> {
        let Some((last, parents)) = to.split_last() else {
            self.tree.root = value.relaid();
            return Ok(());
        };
        self.counts |= self.is_counted(to);
        self.forget_elements(parents);
        let holder = holder(&mut self.tree, parents, value.depth())?;
        holder
            .add(last, value, &self.style)?
            .ok_or_else(|| missing(to))
    }

    fn replace(&mut self, at: &[String], value: Node<'a>) -> Result<(), String> {
        let Some((last, parents)) = at.split_last() else {
            self.tree.root = value.relaid();
            return Ok(());
        };
        self.counts |= self.is_counted(at);
        let holder = holder(&mut self.tree, parents, value.depth())?;
        let found = holder.find(last)?.and_then(|at| holder.items.get_mut(at));
        found.ok_or_else(|| missing(at))?.value = value.relaid();
        Ok(())
    }

    fn remove(&mut self, from: &[String]) -> Result<Node<'a>, String> {
        let (last, parents) = from
            .split_last()
            .ok_or("the whole file cannot be removed")?;
        self.counts |= self.is_counted(from);
        self.forget_elements(parents);
        let holder = holder(&mut self.tree, parents, 0)?;
        let removed = holder.find(last)?.and_then(|at| holder.take(at));
        removed.ok_or_else(|| missing(from))
    }
}

/// Returns the object or the array that gets a value at the end of a pointer.
fn holder<'t, 'a>(
    tree: &'t mut JsonTree<'a>,
    parents: &[String],
    value_depth: usize,
) -> Result<&'t mut Holder<'a>, String> {
    if parents.len() + value_depth >= MAX_DEPTH {
        return Err("the values of the JSON Patch are nested too deeply".to_owned());
    }
    let no_holder = |i: usize| format!("`{}` is no object and no array", shown(&parents[..i]));
    let mut node = &mut tree.root;
    for (i, token) in parents.iter().enumerate() {
        let Node::Holder(holder) = node else {
            return Err(missing(&parents[..=i]));
        };
        holder.depth = holder.depth.max(parents.len() - i + value_depth + 1);
        let at = holder.find(token)?;
        let item = at.and_then(|at| holder.items.get_mut(at));
        node = &mut item.ok_or_else(|| missing(&parents[..=i]))?.value;
    }
    let Node::Holder(holder) = node else {
        return Err(no_holder(parents.len()));
    };
    holder.depth = holder.depth.max(value_depth + 1);
    Ok(holder)
}
