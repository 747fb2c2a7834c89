//! Generated blocks of the book.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Returns the text of a page, by its path from the project's folder.
pub(crate) fn read(page: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
}

/// Fails unless `page` holds `expected` between `<!-- name -->` and `<!-- /name -->`.
///
/// With `UPDATE_DOCS` in the environment the block is rewritten instead.
#[track_caller]
pub(crate) fn expect_block(page: &str, name: &str, expected: &str) {
    static WRITING: Mutex<()> = Mutex::new(());
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let text = read(page);
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("\n<!-- /{name} -->"));
    let (before, rest) = text.split_once(&begin).unwrap();
    let (found, after) = rest.split_once(&end).unwrap();
    if found == expected {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        fs::write(path, [before, &begin, expected, &end, after].concat()).unwrap();
        return;
    }
    let diff = similar::TextDiff::from_lines(found, expected);
    let diff = diff.unified_diff().header(page, "generated").to_string();
    panic!("the block `{name}` of {page} is out of date; UPDATE_DOCS=1 rewrites it\n{diff}");
}
