//! What the fuzz targets try: the laws of `tests/engine`. Each function panics when a law does not hold.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../tests/engine/run.rs"]
mod engine;
#[path = "../../tests/engine/families.rs"]
mod families;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../tests/engine/laws.rs"]
mod laws;

/// Reads the data as text in every dialect.
pub fn parse(data: &[u8]) {
    laws::reading(&String::from_utf8_lossy(data));
}

/// Decodes the data as a file and encodes it again.
pub fn decode(data: &[u8]) {
    laws::decoding(data);
}

/// Places the edit behind the first NUL in the file before it.
///
/// Without a NUL all of the data is the file, and the edit is empty.
pub fn place(data: &[u8]) {
    let cut = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (file, edit) = data.split_at(cut);
    let edit = String::from_utf8_lossy(edit.get(1..).unwrap_or_default());
    laws::placing(file, &edit);
}

/// Reads the text behind the first NUL in the named family of dialects, and places it in the file before the NUL.
///
/// Without a NUL all of the data is the text, and the file is empty.
pub fn family(name: &str, data: &[u8]) {
    let cut = data.iter().position(|&byte| byte == 0).unwrap_or(0);
    let (file, text) = data.split_at(cut);
    let text = String::from_utf8_lossy(text);
    let text = text.strip_prefix('\0').unwrap_or(&text);
    laws::family(families::family(name), file, text);
}
