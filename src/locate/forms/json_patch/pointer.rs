//! JSON Pointers.
//!
//! <https://www.rfc-editor.org/rfc/rfc6901>

/// A JSON Pointer: the names and numbers on the way to a value.
pub(super) type Pointer = Vec<String>;

/// Parses a JSON Pointer.
pub(super) fn pointer(text: &str) -> Result<Pointer, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let invalid = || format!("`{text}` is no JSON Pointer");
    let tokens = text.strip_prefix('/').ok_or_else(invalid)?;
    let token = |token: &str| {
        let rest = token.replace("~0", "").replace("~1", "");
        (!rest.contains('~')).then(|| token.replace("~1", "/").replace("~0", "~"))
    };
    let tokens: Option<Pointer> = tokens.split('/').map(token).collect();
    tokens.ok_or_else(invalid)
}

pub(super) fn shown(pointer: &[String]) -> String {
    let token = |token: &String| format!("/{}", token.replace('~', "~0").replace('/', "~1"));
    pointer.iter().map(token).collect()
}

pub(super) fn missing(pointer: &[String]) -> String {
    format!("the file has no value `{}`", shown(pointer))
}

/// Parses the position of an element, which has no zeros before it.
pub(super) fn position(token: &str) -> Option<usize> {
    let is_number = !token.is_empty() && token.bytes().all(|c| c.is_ascii_digit());
    let has_zeros = token.len() > 1 && token.starts_with('0');
    token.parse().ok().filter(|_| is_number && !has_zeros)
}
