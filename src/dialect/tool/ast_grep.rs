//! Matches of `ast-grep --json` and their replacements: <https://ast-grep.github.io/guide/tools/json.html>.

use std::borrow::Cow;

use serde_json::Value;

use super::edit_request::{CallEdit, EditRequest, Every};
use crate::text::LineNo;

/// Reads a list of matches, in an order in which none moves the lines of a later one.
pub(in crate::dialect) fn rewrites(values: &[Value]) -> Option<Vec<EditRequest<'_>>> {
    let requests: Option<Vec<EditRequest>> = values.iter().map(rewrite).collect();
    let mut requests = requests.filter(|requests| !requests.is_empty())?;
    for of_one_file in requests.chunk_by_mut(|left, right| left.path == right.path) {
        of_one_file.reverse();
    }
    Some(requests)
}

/// Reads a match; one that has no replacement is refused.
pub(in crate::dialect) fn rewrite(value: &Value) -> Option<EditRequest<'_>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let (old, path) = (text("text")?, text("file")?);
    let range = value.get("range")?;
    let line = range.get("start")?.get("line")?.as_u64()?;
    let Some(new) = text("replacement") else {
        range.get("byteOffset")?;
        let expected = "the output of `ast-grep run --pattern … --rewrite … --json`";
        let found = "a match of ast-grep without a `replacement`";
        return Some(EditRequest::refused(Some(path), found, expected));
    };
    let edit = CallEdit::Replace {
        old,
        new,
        every: Every::Once,
        line: LineNo::new(usize::try_from(line).ok()?.checked_add(1)?),
        removes_line: false,
    };
    Some(EditRequest {
        path: Some(Cow::Borrowed(path)),
        edit,
    })
}
