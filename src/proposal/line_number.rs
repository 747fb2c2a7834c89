//! Numbers that tools print before the lines of a file, and that models copy.

/// Returns a line's number and the text after it, as in `12 | code` or `12→code`; `None` without a number.
///
/// ```
/// use countersign::proposal::numbered_line;
///
/// assert_eq!(numbered_line(" 12 |   code"), Some((12, "  code")));
/// assert_eq!(numbered_line("    12→code"), Some((12, "code")));
/// assert_eq!(numbered_line("12 || code"), None);
/// ```
pub fn numbered_line(line: &str) -> Option<(usize, &str)> {
    let digits = line.trim_start_matches(' ');
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    let number = digits[..end].parse().ok()?;
    if let Some(rest) = digits[end..].strip_prefix('→') {
        return Some((number, rest));
    }
    let rest = digits[end..].trim_start_matches(' ').strip_prefix('|')?;
    (!rest.starts_with('|')).then(|| (number, rest.strip_prefix(' ').unwrap_or(rest)))
}
