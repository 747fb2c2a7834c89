//! Parts of README.md that a test knows better than a writer.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Fails unless README.md holds `expected` between `<!-- name -->` and `<!-- /name -->`. With `UPDATE_README` in the
/// environment it is put there.
#[track_caller]
pub(crate) fn expect_block(name: &str, expected: &str) {
    static WRITING: Mutex<()> = Mutex::new(());
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("\n<!-- /{name} -->"));
    let (before, rest) = readme.split_once(&begin).unwrap();
    let (found, after) = rest.split_once(&end).unwrap();
    if found == expected {
        return;
    }
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, [before, &begin, expected, &end, after].concat()).unwrap();
        return;
    }
    let diff = similar::TextDiff::from_lines(found, expected);
    let diff = diff
        .unified_diff()
        .header("README.md", "the truth")
        .to_string();
    panic!("the block `{name}` of README.md is not true; UPDATE_README=1 rewrites it\n{diff}");
}
