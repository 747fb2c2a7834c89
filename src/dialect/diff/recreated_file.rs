//! Files that a diff deletes and makes again, where the tool that wrote it has no word for a new file.
//!
//! Without time stamps and without `/dev/null`, a new file looks like a file without lines: `@@ -0,0 +1,2 @@`. Behind its deletion it is
//! a new one, as `patch(1)` takes it.

use std::collections::HashSet;

use super::hunk_header;
use crate::dialect::input::Input;
use crate::proposal::{FileChange, Operation};
use crate::text::{LineIdx, LineNo};

/// Turns the changes that make a deleted file again into creations.
pub(super) fn mark(input: &Input, files: &mut [FileChange]) {
    let mut deleted: HashSet<String> = HashSet::new();
    for file in files {
        let names = file.path.longest();
        if file.operation == Operation::Delete {
            deleted.extend(names);
        } else if names.iter().any(|name| deleted.contains(name)) {
            if file.operation == Operation::Modify && adds_all(file) && has_bare_names(input, file)
            {
                file.operation = Operation::Create;
            }
            deleted.retain(|name| !names.contains(name));
        }
    }
}

/// Returns `true` for a diff that states an empty file and the lines that it gets.
fn adds_all(file: &FileChange) -> bool {
    let [hunk] = &file.hunks[..] else {
        return false;
    };
    file.dialect == "unified"
        && file.blobs.is_none()
        && hunk.body.preimage.is_empty()
        && hunk.hint.map(LineNo::get) == Some(1)
        && hunk.miscount.is_none()
}

/// Returns `true` if the header of a diff has its names and nothing else: no line of git, and no date or revision.
fn has_bare_names(input: &Input, file: &FileChange) -> bool {
    let first: LineIdx = (file.span.first.idx()).saturating_sub(input.number(0).idx());
    let end = (file.span.last.get()).saturating_sub(input.number(0).idx());
    let lines = input.lines(first..end).iter();
    let mut header = lines.take_while(|line| !hunk_header::is_header(line));
    header
        .all(|line| (line.starts_with("--- ") || line.starts_with("+++ ")) && !line.contains('\t'))
}
