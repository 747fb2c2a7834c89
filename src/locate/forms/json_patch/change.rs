//! Changes of the members of an object and of the elements of an array.

use std::borrow::Cow;

use super::layout::{Style, quoted};
use super::pointer::position;
use super::tree::{Holder, Item, JsonItems, MemberName, Node};
use super::trivia::{blanks, has_comment, indentation, joined};

impl Node<'_> {
    /// Makes it a value that gets the layout of the place where it is put.
    pub(super) fn relaid(mut self) -> Self {
        if let Self::Holder(holder) = &mut self {
            holder.is_laid_out = false;
        }
        self
    }
}

impl<'a> Holder<'a> {
    /// Adds an element, or adds or replaces a member; `None` if there can be no element at that position.
    pub(super) fn add(
        &mut self,
        token: &str,
        value: Node<'a>,
        style: &Style,
    ) -> Result<Option<()>, String> {
        let value = value.relaid();
        let (at, name) = match &self.items {
            JsonItems::Array(elements) => {
                let count = elements.len();
                let at = if token == "-" {
                    Some(count)
                } else {
                    position(token)
                };
                let Some(at) = at.filter(|at| *at <= count) else {
                    return Ok(None);
                };
                (at, None)
            }
            JsonItems::Object { .. } => {
                let name = MemberName {
                    text: token.to_owned(),
                    written: quoted(token).into(),
                    colon: style.colon.clone().into(),
                };
                if let Some(at) = self.find(token)? {
                    if let Some(item) = self.items.get_mut(at) {
                        item.value = value;
                    }
                    return Ok(Some(()));
                }
                (usize::MAX, Some(name))
            }
        };
        let before = self.make_room(at, style);
        let item = Item {
            before,
            name,
            value,
            after: "".into(),
            line_comment: "".into(),
        };
        self.items.insert(at, item);
        Ok(Some(()))
    }

    /// Returns the trivia before a new item at a position, or behind all others, and changes that of its neighbours.
    fn make_room(&mut self, at: usize, style: &Style) -> Cow<'a, str> {
        let (Some(first), Some(last)) = (self.items.first(), self.items.last()) else {
            return self.make_first();
        };
        let of = |item: Option<&Item<'a>>| item.map_or("", |item| item.before.as_ref()).to_owned();
        let first_before = of(self.items.get(first));
        let between = if self.items.count() > 1 {
            style.shape(&of(self.items.get(if at == 0 { 1 } else { last })))
        } else if first_before.contains('\n') {
            style.shape(&first_before)
        } else {
            style.comma.clone()
        };
        if at == 0 {
            if let Some(item) = self
                .items
                .get_mut(0)
                .filter(|item| !item.before.contains('\n') && !has_comment(&item.before))
            {
                item.before = between.into();
            }
            return match indentation(&first_before) {
                Some(indent) => format!("\n{indent}"),
                None => blanks(&first_before).to_owned(),
            }
            .into();
        }
        if let Some(next) = self.items.get(at) {
            return style.shape(&next.before).into();
        }
        // The comment on the line of the last one is behind the comma that it gets.
        if let Some(item) = self
            .items
            .get_mut(last)
            .filter(|item| !self.has_trailing_comma && item.after.contains("//"))
        {
            item.line_comment = std::mem::take(&mut item.after);
        }
        between.into()
    }

    /// Returns the trivia before the first item.
    fn make_first(&mut self) -> Cow<'a, str> {
        if !has_comment(&self.end) {
            self.is_laid_out = false;
            return "".into();
        }
        let Some((comments, _)) = self.end.rsplit_once('\n') else {
            return std::mem::take(&mut self.end);
        };
        let line = comments
            .trim_end()
            .rsplit_once('\n')
            .map_or("", |(_, line)| blanks(line));
        let before = format!("{}\n{line}", comments.trim_end());
        self.end = self.end[comments.len()..].to_owned().into();
        before.into()
    }

    /// Removes the item at a position. The comments before it stay; the one behind it is removed with it.
    pub(super) fn take(&mut self, at: usize) -> Option<Node<'a>> {
        let is_first = self.items.first() == Some(at);
        let removed = self.items.remove(at)?;
        if let Some(next) = self.items.next_mut(at) {
            let after = std::mem::take(&mut next.before);
            next.before = joined(removed.before, after, is_first);
        } else {
            let end = std::mem::take(&mut self.end);
            self.end = joined(removed.before, end, false);
        }
        if self.items.is_empty() {
            self.has_trailing_comma = false;
            if !has_comment(&self.end) {
                self.end = "".into();
            }
        }
        Some(removed.value)
    }
}

impl Style {
    /// Returns the trivia before an item beside one that has these.
    fn shape(&self, before: &str) -> String {
        match indentation(before) {
            Some(indent) => format!("\n{indent}"),
            None if has_comment(before) => self.comma.clone(),
            None => before.to_owned(),
        }
    }
}
