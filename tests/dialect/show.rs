//! A proposal as a few short lines, so that a case fits on one.
//!
//! `M src/a.rs 3 ^fn a() [x;y => x;z]` is a modification with one hunk: hint 3, anchor `fn a()`, two old lines and two new
//! ones. `C`, `D`, `O`, `A` create, delete, overwrite, create-or-append; `R a -> b` renames, `K b <- a` copies; `+x` and `-x` after the name
//! set the mode, and `?` says that the name may be none; `text`, `every`, `2 lines` and `sketch` mark hunks that are no whole lines; `guessed` marks those that a
//! person must confirm; `$` binds a hunk to the end of the file; `+nl` and `-nl` speak of the final newline; `|` parts other
//! readings.

use std::fmt::Write;

use countersign::dialect::{Options, Parsed, named, parse};
use countersign::proposal::{
    AnchorStrength, Body, CellKind, Extent, FileChange, FinalNewline, Hunk, Operation, PathClaim,
};

/// Reads an input in whatever dialect it is.
pub(crate) fn read(text: &str) -> String {
    show(&parse(text, &Options::default()))
}

/// Reads an input in one dialect, for the file `path`.
pub(crate) fn read_as(dialect: &str, path: Option<&str>, text: &str) -> String {
    let options = Options {
        dialect: (dialect != "auto").then(|| named(dialect).expect("a dialect")),
        path: path.map(str::to_owned),
        ..Options::default()
    };
    show(&parse(text, &options))
}

/// Compares what an input reads as.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    assert_eq!(read(text), expected, "\n{text}\n");
}

pub(crate) fn show(parsed: &Parsed) -> String {
    let files = parsed.proposal.files.iter().map(file);
    let problems = parsed.problems.iter().map(|problem| format!("! {problem}"));
    files.chain(problems).collect::<Vec<_>>().join("\n")
}

fn file(file: &FileChange) -> String {
    let name = |claim: &PathClaim| {
        let doubt = if claim.is_perhaps() { "?" } else { "" };
        format!("{claim}{doubt}")
    };
    let mut line = match &file.operation {
        Operation::Modify => format!("M {}", name(&file.path)),
        Operation::Create => format!("C {}", name(&file.path)),
        Operation::CreateOrAppend => format!("A {}", name(&file.path)),
        Operation::Overwrite => format!("O {}", name(&file.path)),
        Operation::Delete => format!("D {}", name(&file.path)),
        Operation::Rename(to) => format!("R {} -> {}", name(&file.path), name(to)),
        Operation::CopyOf(from) => format!("K {} <- {}", name(&file.path), name(from)),
        Operation::Link { from, to } => format!("L {} {from:?} -> {to:?}", name(&file.path)),
    };
    match file.executable {
        Some(true) => line.push_str(" +x"),
        Some(false) => line.push_str(" -x"),
        None => (),
    }
    if let Some(binary) = &file.binary {
        line = format!("{line} {binary:?}");
    }
    for hunk in &file.hunks {
        line.push_str(&show_hunk(hunk));
    }
    line
}

fn show_hunk(hunk: &Hunk) -> String {
    let mut text = String::new();
    if let Some(hint) = hunk.hint {
        let _ = write!(text, " {hint}");
    }
    for anchor in &hunk.anchors {
        let mark = match anchor.strength {
            AnchorStrength::Stated => '^',
            AnchorStrength::Heading => '~',
        };
        let _ = write!(text, " {mark}{}", anchor.text);
    }
    match hunk.extent {
        Extent::Lines | Extent::Insertion => (),
        Extent::Text => text.push_str(" text"),
        Extent::EveryText => text.push_str(" every"),
        Extent::Texts(count) => _ = write!(text, " {count} texts"),
        Extent::Span { from, to } => _ = write!(text, " span {from}-{}:{}", to.0, to.1),
        Extent::Numbered(count) => _ = write!(text, " {count} lines"),
        Extent::Sketch => text.push_str(" sketch"),
        Extent::Cell { edit, kind } => {
            let kind = kind.map_or("", CellKind::name);
            _ = write!(text, " {edit:?} {kind}");
        }
        Extent::Hashed(edit) => _ = write!(text, " hashed {edit:?}"),
        Extent::JsonPatch => text.push_str(" JSON patch"),
        Extent::Pattern { every } => {
            text.push_str(if every { " every match" } else { " match" });
        }
    }
    text.push_str(if hunk.guess.is_some() { " guessed" } else { "" });
    text.push_str(if hunk.at_end { " $" } else { "" });
    text.push_str(match hunk.final_newline {
        FinalNewline::Keep => "",
        FinalNewline::Add => " +nl",
        FinalNewline::Remove => " -nl",
    });
    let readings: Vec<String> = std::iter::once(&hunk.body)
        .chain(&hunk.other_readings)
        .map(body)
        .collect();
    let _ = write!(text, " [{}]", readings.join("|"));
    text
}

fn body(body: &Body) -> String {
    let half = |lines: &[String]| {
        let mut text = lines.join(";");
        text.push_str(if lines.is_empty() { "" } else { ";" });
        text
    };
    format!("{}=>{}", half(&body.preimage), half(&body.postimage))
}
