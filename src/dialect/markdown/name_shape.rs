//! Words that look like names of files.

/// Returns `true` for a word that can only be a path.
pub(super) fn is_path(word: &str) -> bool {
    let parted = word.contains(['.', '/', '\\']);
    let ends_sentence = word.ends_with(['.', '!', '?', ',', ';', ':', ')']);
    let letters = word.contains(|c: char| c.is_alphabetic());
    parted && letters && !ends_sentence && is_clean(word)
}

/// Returns `true` for a word that may be a file's name, if it is set apart.
pub(super) fn is_word(word: &str) -> bool {
    // Languages without blanks between words have sentences in one word.
    let is_mark = |c: char| !c.is_ascii() && !c.is_alphanumeric();
    word.contains(char::is_alphanumeric)
        && !word.ends_with(['.', '!', '?', ','])
        && !word.contains(is_mark)
        && is_clean(word)
}

/// Returns `true` for a word without characters that file names do not have.
fn is_clean(word: &str) -> bool {
    !word.contains(['<', '>', '|', '*', '`', '"', '\0']) && !word.contains("://")
}
