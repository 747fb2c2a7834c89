//! An edit as an agent writes it, in each dialect.

use std::fmt::Write;
use std::ops::Range;

use crate::plan::{Ask, Case, Change, Dialect, File};

/// The edit of a case; empty if nothing is asked.
pub(crate) fn edit(case: &Case) -> String {
    let mut edit = String::new();
    for file in case.files.iter().filter(|file| file.is_asked()) {
        match case.dialect {
            Dialect::Unified => unified(&mut edit, file, 0),
            Dialect::Drifted => unified(&mut edit, file, 7),
            Dialect::Aider => aider(&mut edit, file),
            Dialect::Envelope => envelope(&mut edit, file),
            Dialect::Roo => roo(&mut edit, file),
            Dialect::Call => call(&mut edit, file),
        }
    }
    if case.dialect == Dialect::Envelope && !edit.is_empty() {
        edit = format!("*** Begin Patch\n{edit}*** End Patch\n");
    }
    edit
}

impl File {
    /// Whether the edit names it.
    pub(crate) fn is_asked(&self) -> bool {
        self.ask != Ask::Modify || !self.changes.is_empty()
    }

    /// The name that the edit has for it.
    pub(crate) fn called(&self) -> &str {
        self.link.as_deref().unwrap_or(&self.name)
    }

    /// The lines around a change that stay: up to three on each side.
    fn around(&self, change: &Change) -> [Range<usize>; 2] {
        let end = change.at + change.old;
        [
            change.at.saturating_sub(3)..change.at,
            end..(end + 3).min(self.lines.len()),
        ]
    }

    /// A change with the lines around it, as old and as new lines.
    fn halves<'a>(&'a self, change: &'a Change) -> [Vec<&'a str>; 2] {
        let [above, below] = self.around(change);
        let part = |range: Range<usize>| self.lines[range].iter().map(String::as_str);
        let old = part(change.at..change.at + change.old);
        let new = change.new.iter().map(String::as_str);
        [
            part(above.clone())
                .chain(old)
                .chain(part(below.clone()))
                .collect(),
            part(above).chain(new).chain(part(below)).collect(),
        ]
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

fn unified(edit: &mut String, file: &File, drift: usize) {
    let (from, to) = match &file.ask {
        Ask::Rename(to) => (file.called(), to.as_str()),
        Ask::Modify | Ask::Create { .. } | Ask::Delete | Ask::Mode => {
            (file.called(), file.called())
        }
    };
    let [a, b] = [("a/", from), ("b/", to)].map(|(side, name)| quoted(&format!("{side}{name}")));
    writeln!(edit, "diff --git {a} {b}").unwrap();
    let modes = if file.executable {
        ["100755", "100644"]
    } else {
        ["100644", "100755"]
    };
    let (mut old_name, mut new_name) = (a, b);
    match &file.ask {
        Ask::Modify => (),
        Ask::Mode => writeln!(edit, "old mode {}\nnew mode {}", modes[0], modes[1]).unwrap(),
        Ask::Create { executable } => {
            writeln!(edit, "new file mode {}", modes[usize::from(*executable)]).unwrap();
            "/dev/null".clone_into(&mut old_name);
        }
        Ask::Delete => {
            writeln!(edit, "deleted file mode {}", modes[0]).unwrap();
            "/dev/null".clone_into(&mut new_name);
        }
        Ask::Rename(to) => {
            writeln!(
                edit,
                "rename from {}\nrename to {}",
                quoted(from),
                quoted(to)
            )
            .unwrap();
        }
    }
    let changes: Vec<&Change> = file
        .changes
        .iter()
        .filter(|c| c.old + c.new.len() > 0)
        .collect();
    if changes.is_empty() {
        return;
    }
    let tab = |name: &str| {
        if name.contains(' ') && !name.starts_with('"') {
            "\t"
        } else {
            ""
        }
    };
    writeln!(
        edit,
        "--- {old_name}{}\n+++ {new_name}{}",
        tab(&old_name),
        tab(&new_name)
    )
    .unwrap();
    let drift = match file.ask {
        Ask::Create { .. } | Ask::Delete => 0,
        Ask::Modify | Ask::Rename(_) | Ask::Mode => drift,
    };
    let mut shift = 0_isize;
    for change in changes {
        let [above, below] = file.around(change);
        let kept = above.len() + below.len();
        let (olds, news) = (kept + change.old, kept + change.new.len());
        let numbered = |lines: usize, first: usize| {
            let first = if lines == 0 { first } else { first + 1 };
            format!("{},{lines}", first + drift)
        };
        let new_first = above.start.saturating_add_signed(shift);
        writeln!(
            edit,
            "@@ -{} +{} @@",
            numbered(olds, above.start),
            numbered(news, new_first)
        )
        .unwrap();
        shift += change.new.len().cast_signed() - change.old.cast_signed();
        let last = (!file.form.final_newline).then(|| file.lines.len().saturating_sub(1));
        let mut put = |mark: char, line: &str, ends: bool| {
            writeln!(edit, "{mark}{line}").unwrap();
            if ends {
                edit.push_str("\\ No newline at end of file\n");
            }
        };
        let creates = matches!(file.ask, Ask::Create { .. });
        for (mark, range) in [(' ', above), ('-', change.at..change.at + change.old)] {
            range.for_each(|line| put(mark, &file.lines[line], last == Some(line)));
        }
        for (at, line) in change.new.iter().enumerate() {
            let ends = creates && at + 1 == change.new.len() && last.is_some();
            put('+', line, ends);
        }
        below.for_each(|line| put(' ', &file.lines[line], last == Some(line)));
    }
}

/// A name as git writes it.
fn quoted(name: &str) -> String {
    let odd = |byte: u8| !(b' '..0x7f).contains(&byte) || byte == b'"' || byte == b'\\';
    if !name.bytes().any(odd) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            _ if odd(byte) => write!(quoted, "\\{byte:03o}").unwrap(),
            _ => quoted.push(char::from(byte)),
        }
    }
    quoted + "\""
}

fn aider(edit: &mut String, file: &File) {
    for change in &file.changes {
        let [old, new] = file.halves(change).map(|half| joined(&half));
        let name = file.called();
        writeln!(
            edit,
            "{name}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"
        )
        .unwrap();
    }
}

fn envelope(edit: &mut String, file: &File) {
    let name = file.called();
    match &file.ask {
        Ask::Delete => writeln!(edit, "*** Delete File: {name}").unwrap(),
        Ask::Create { .. } => {
            writeln!(edit, "*** Add File: {name}").unwrap();
            for line in file.changes.iter().flat_map(|change| &change.new) {
                writeln!(edit, "+{line}").unwrap();
            }
        }
        Ask::Modify | Ask::Rename(_) | Ask::Mode => {
            writeln!(edit, "*** Update File: {name}").unwrap();
            if let Ask::Rename(to) = &file.ask {
                writeln!(edit, "*** Move to: {to}").unwrap();
            }
            for change in &file.changes {
                let [above, below] = file.around(change);
                edit.push_str("@@\n");
                let old = change.at..change.at + change.old;
                for (mark, range) in [(' ', above), ('-', old)] {
                    file.lines[range]
                        .iter()
                        .for_each(|line| writeln!(edit, "{mark}{line}").unwrap());
                }
                change
                    .new
                    .iter()
                    .for_each(|line| writeln!(edit, "+{line}").unwrap());
                file.lines[below]
                    .iter()
                    .for_each(|line| writeln!(edit, " {line}").unwrap());
            }
        }
    }
}

fn roo(edit: &mut String, file: &File) {
    let name = file.called();
    if matches!(file.ask, Ask::Create { .. }) {
        let text: String = file
            .changes
            .iter()
            .flat_map(|change| &change.new)
            .map(|line| line.clone() + "\n")
            .collect();
        writeln!(
            edit,
            "<write_to_file>\n<path>{name}</path>\n<content>\n{text}</content>\n</write_to_file>\n"
        )
        .unwrap();
        return;
    }
    writeln!(edit, "<apply_diff>\n<path>{name}</path>\n<diff>").unwrap();
    for change in &file.changes {
        let [old, new] = file.halves(change).map(|half| joined(&half));
        let line = file.around(change)[0].start + 1;
        writeln!(
            edit,
            "<<<<<<< SEARCH\n:start_line:{line}\n-------\n{old}=======\n{new}>>>>>>> REPLACE"
        )
        .unwrap();
    }
    writeln!(edit, "</diff>\n</apply_diff>\n").unwrap();
}

fn call(edit: &mut String, file: &File) {
    let name = file.called();
    for change in &file.changes {
        let call = if matches!(file.ask, Ask::Create { .. }) {
            let end = if file.form.final_newline && !change.new.is_empty() {
                "\n"
            } else {
                ""
            };
            let text = change.new.join("\n") + end;
            serde_json::json!({ "file_path": name, "content": text })
        } else {
            let [old, new] = file.halves(change).map(|half| half.join("\n"));
            serde_json::json!({ "file_path": name, "old_string": old, "new_string": new })
        };
        writeln!(edit, "{call}").unwrap();
    }
}
