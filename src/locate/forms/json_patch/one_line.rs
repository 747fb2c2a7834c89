//! Objects and arrays whose members are all on one line, and files that are: what is written into them stays on that line.

use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstNode, CstRootNode};

/// Blanks after the signs between members, as the file has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blanks {
    comma: String,
    colon: String,
    /// True if the whole file is on one line.
    is_one_line: bool,
}

impl Blanks {
    /// Finds the first of each in a file. One is the other's, where the file has only one of them.
    pub(super) fn of(root: &CstRootNode) -> Self {
        let mut found = [None, None];
        let mut nodes = vec![root.children()];
        while let Some(siblings) = nodes.pop() {
            for (i, node) in siblings.iter().enumerate() {
                let next = siblings.get(i + 1);
                let is_line_end = next.is_none_or(|next| next.is_newline() || next.is_comment());
                let kind = [",", ":"].iter().position(|sign| node.to_string() == *sign);
                if let Some(kind) = kind.filter(|_| node.is_token() && !is_line_end) {
                    let blanks = next.filter(|next| next.is_whitespace());
                    found[kind].get_or_insert(blanks.map_or_else(String::new, CstNode::to_string));
                }
                nodes.push(node.children());
            }
        }
        let [comma, colon] = found;
        let default = || " ".to_owned();
        Self {
            comma: comma.clone().or(colon.clone()).unwrap_or_else(default),
            colon: colon.or(comma).unwrap_or_else(default),
            is_one_line: !root.to_string().trim().contains('\n'),
        }
    }

    /// Returns `true` if the whole file is on one line.
    pub(super) fn is_all_one_line(&self) -> bool {
        self.is_one_line
    }

    /// Returns `true` if the members of an object or an array, and those that it gets, are on one line.
    pub(super) fn has_one_line(&self, holder: &CstContainerNode) -> bool {
        let children = holder.children();
        let is_empty = members(holder).is_empty();
        self.is_one_line || (!is_empty && !children.iter().any(CstNode::is_newline))
    }

    /// Returns a value as one line.
    pub(super) fn value(&self, value: &CstInputValue) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let joined = |values: Vec<String>| values.join(&format!(",{}", self.comma));
        match value {
            CstInputValue::Null => "null".to_owned(),
            CstInputValue::Bool(flag) => flag.to_string(),
            CstInputValue::Number(number) => number.clone(),
            CstInputValue::String(text) => quoted(text),
            CstInputValue::Array(values) => {
                let values = values.iter().map(|value| self.value(value)).collect();
                format!("[{}]", joined(values))
            }
            CstInputValue::Object(members) => {
                let member = |(name, value): &(String, CstInputValue)| self.member(name, value);
                format!("{{{}}}", joined(members.iter().map(member).collect()))
            }
        }
    }

    /// Returns a member of an object as one line.
    pub(super) fn member(&self, name: &str, value: &CstInputValue) -> String {
        let name = serde_json::Value::from(name);
        format!("{name}:{}{}", self.colon, self.value(value))
    }

    /// Returns the text of an object or an array with one more member or element, before the one at a position.
    pub(super) fn with(&self, holder: &CstContainerNode, at: usize, new: &str) -> String {
        let children = holder.children();
        let members = members(holder);
        let text = |range: std::ops::Range<usize>| -> String {
            children[range].iter().map(ToString::to_string).collect()
        };
        let all = children.len();
        let Some(last) = members.last() else {
            // Between the brackets are at most blanks and comments.
            let inner = text(1..all - 1);
            let after = if inner.trim().is_empty() {
                inner.as_str()
            } else {
                ""
            };
            return format!("{}{inner}{new}{after}{}", text(0..1), text(all - 1..all));
        };
        let comma = (members.get(1).map(|next| text(members[0] + 1..*next)))
            .and_then(|between| Some(between.split_once(',')?.1.to_owned()))
            .filter(|blanks| blanks.trim().is_empty())
            .unwrap_or_else(|| self.comma.clone());
        if let Some(next) = members.get(at) {
            return format!("{}{new},{comma}{}", text(0..*next), text(*next..all));
        }
        let is_comma = |at: &usize| children[*at].is_token() && children[*at].to_string() == ",";
        match (last + 1..all).find(is_comma) {
            Some(sign) => format!("{}{comma}{new},{}", text(0..sign + 1), text(sign + 1..all)),
            None => format!("{},{comma}{new}{}", text(0..last + 1), text(last + 1..all)),
        }
    }
}

/// Returns the text of an object or an array without the member or the element at a position.
pub(super) fn without(holder: &CstContainerNode, at: usize) -> Option<String> {
    let children = holder.children();
    let members = members(holder);
    let member = *members.get(at)?;
    let is_comma = |at: &usize| children[*at].is_token() && children[*at].to_string() == ",";
    let is_blank = |at: &usize| children[*at].is_whitespace();
    let mut gone: Vec<usize> = vec![member];
    // The comma after it goes with it, or else the one before it.
    if let Some(comma) = (member + 1..children.len()).find(is_comma) {
        gone.push(comma);
        gone.extend((comma + 1..children.len()).take_while(is_blank));
    } else {
        gone.extend((0..member).rev().take_while(is_blank));
        gone.extend((0..member).rev().find(is_comma));
    }
    let kept = (0..children.len()).filter(|at| !gone.contains(at));
    let kept: Vec<String> = kept.map(|at| children[at].to_string()).collect();
    match kept.as_slice() {
        [open, inner @ .., close] if inner.concat().trim().is_empty() => {
            Some(format!("{open}{close}"))
        }
        kept => Some(kept.concat()),
    }
}

/// The positions of the members or the elements among the children of an object or an array.
fn members(holder: &CstContainerNode) -> Vec<usize> {
    let children = holder.children();
    let is_member = |node: &CstNode| !node.is_trivia() && !node.is_token();
    (0..children.len())
        .filter(|at| is_member(&children[*at]))
        .collect()
}
