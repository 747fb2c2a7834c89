//! The text of a tree: old values as they are written, new ones in the layout of their place.

use serde_json::Value as Json;

use super::tree::{Holder, Item, JsonTree, Node};
use super::trivia::{blanks, has_comment, indentation};

/// Layout of the new values of a file, as its old values have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    /// Blanks behind a comma on one line.
    pub comma: String,
    /// The colon behind a name, and the blanks around it.
    pub colon: String,
    /// Indentation of one level.
    unit: String,
    /// False if the whole file is on one line.
    has_lines: bool,
}

impl Style {
    /// Finds the first of each in a file. The blanks of one sign are those of the other, where the file has only one of them.
    pub(super) fn of(tree: &JsonTree<'_>, text: &str) -> Self {
        let (mut comma, mut colon, mut unit) = (None, None, None);
        let mut nodes = vec![&tree.root];
        while let Some(node) = nodes.pop() {
            let Node::Holder(holder) = node else {
                continue;
            };
            let first = nodes.len();
            for (i, item) in holder.items.iter().enumerate() {
                let is_plain = |text: &str| !text.contains('\n') && !has_comment(text);
                if i > 0 && comma.is_none() && item.before.len() == blanks(&item.before).len() {
                    comma = Some(item.before.to_string()).filter(|blanks| is_plain(blanks));
                }
                let sign = item.name.as_ref().map(|name| name.colon.as_ref());
                let sign =
                    sign.filter(|sign| colon.is_none() && is_plain(&sign.replacen(':', "", 1)));
                colon = colon.or(sign.map(str::to_owned));
                let indent = indentation(&item.before).filter(|indent| !indent.is_empty());
                unit = unit.or(indent.map(str::to_owned));
                nodes.push(&item.value);
            }
            nodes[first..].reverse();
            if comma.is_some() && colon.is_some() && unit.is_some() {
                break;
            }
        }
        let of_colon = colon.as_ref().map(|colon| colon.replacen(':', "", 1));
        let of_comma = comma.as_ref().map(|blanks| format!(":{blanks}"));
        Self {
            comma: comma.or(of_colon).unwrap_or_else(|| " ".to_owned()),
            colon: colon.or(of_comma).unwrap_or_else(|| ": ".to_owned()),
            unit: unit.unwrap_or_else(|| "  ".to_owned()),
            has_lines: text.trim().contains('\n'),
        }
    }
}

impl JsonTree<'_> {
    /// Returns the text of the file.
    pub(super) fn text(&self, style: &Style) -> String {
        let mut writer = LayoutWriter {
            style,
            text: self.before.to_owned(),
        };
        writer.value(&self.root, true, style.has_lines.then_some(""));
        writer.text + self.after
    }
}

struct LayoutWriter<'s> {
    style: &'s Style,
    text: String,
}

impl LayoutWriter<'_> {
    /// Writes a value, with the indentation of its line, or on one line.
    fn value(&mut self, node: &Node<'_>, is_laid_out: bool, indent: Option<&str>) {
        match node {
            Node::Scalar(text) => self.text.push_str(text),
            Node::Holder(holder) => {
                let [open, close] = if holder.is_array() {
                    ['[', ']']
                } else {
                    ['{', '}']
                };
                self.text.push(open);
                if is_laid_out && holder.is_laid_out {
                    self.as_written(holder);
                } else {
                    self.newly(holder, indent);
                }
                self.text.push(close);
            }
        }
    }

    fn as_written(&mut self, holder: &Holder<'_>) {
        let count = holder.items.count();
        for (i, item) in holder.items.iter().enumerate() {
            self.text.push_str(&item.before);
            self.name(item, true);
            self.value(&item.value, true, indentation(&item.before));
            self.text.push_str(&item.after);
            if i + 1 < count || holder.has_trailing_comma {
                self.text.push(',');
            }
            self.text.push_str(&item.line_comment);
        }
        self.text.push_str(&holder.end);
    }

    fn newly(&mut self, holder: &Holder<'_>, indent: Option<&str>) {
        let inner = indent.map(|indent| format!("{indent}{}", self.style.unit));
        for (i, item) in holder.items.iter().enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            match &inner {
                Some(inner) => {
                    self.text.push('\n');
                    self.text.push_str(inner);
                }
                None if i > 0 => self.text.push_str(&self.style.comma),
                None => (),
            }
            self.name(item, false);
            self.value(&item.value, false, inner.as_deref());
        }
        if let Some(indent) = indent.filter(|_| !holder.items.is_empty()) {
            self.text.push('\n');
            self.text.push_str(indent);
        }
    }

    fn name(&mut self, item: &Item<'_>, is_laid_out: bool) {
        let Some(name) = &item.name else {
            return;
        };
        self.text.push_str(&name.written);
        let colon = if is_laid_out {
            &name.colon
        } else {
            self.style.colon.as_str()
        };
        self.text.push_str(colon);
    }
}

/// Returns a string as JSON.
pub(super) fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
