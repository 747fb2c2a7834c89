//! Names as the most forgiving file system reads them.
//!
//! APFS, HFS+ and NTFS open the same file under many spellings. Rules about names compare folded names, so no spelling gets
//! around them. The folding covers git's `core.protectHFS` and `core.protectNTFS`.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Folds one component of a path: compatibility characters (full width, `K`, `ſ`) become plain ones, letters lower
/// case; code points that are ignored, a stream (`::$DATA`), and dots and blanks at the end are removed.
pub(in crate::store) fn folded(name: &str) -> Cow<'_, str> {
    let is_folded = name
        .bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b':')
        && !name.ends_with(['.', ' ']);
    if is_folded {
        return Cow::Borrowed(name);
    }
    let plain: String = name
        .chars()
        .filter(|&c| !is_ignored(c))
        .nfkc()
        .flat_map(char::to_lowercase)
        .filter(|&c| !is_ignored(c))
        .collect();
    let base = plain.split(':').next().unwrap_or_default();
    Cow::Owned(base.trim_end_matches(['.', ' ']).to_owned())
}

/// True for code points that HFS+ ignores in names, and for all others that Unicode calls default ignorable: they are
/// invisible, so a name with them looks like the one without.
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str) {
        assert_eq!(folded(name), expected, "{name:?}");
    }

    #[test]
    fn spellings_of_one_name_are_folded_to_one() {
        for name in [
            ".husky",
            ".HUSKY",
            ".hus\u{212a}y",
            ".hu\u{17f}ky",
            "\u{ff0e}husky",
            ".\u{ff48}usky",
            ".husky.",
            ".husky . .",
            ".husky ",
            ".husky::$DATA",
            ".husky:stream",
            "\u{200b}.husky",
            ".hus\u{ad}ky",
            ".husky\u{fe0f}",
            ".hu\u{e0101}sky",
        ] {
            check(name, ".husky");
        }
        check("Straße", "straße");
        check("a.b", "a.b");
        check(" a", " a");
    }

    #[test]
    fn every_code_point_that_hfs_ignores_is_removed() {
        let ranges = [
            '\u{200c}'..='\u{200f}',
            '\u{202a}'..='\u{202e}',
            '\u{206a}'..='\u{206f}',
        ];
        for c in ranges.into_iter().flatten().chain(['\u{feff}']) {
            check(&format!(".g{c}it"), ".git");
        }
        for c in ['\u{200a}', '\u{2027}', '\u{202f}', '\u{2070}'] {
            assert_ne!(folded(&format!(".g{c}it")), ".git", "{c:?}");
        }
    }
}
