//! The file name above an edit, as models write it: bare, in bold or backticks, as a heading or a comment, in
//! the fence's first line, or at the end of a sentence.

use super::fence::{Fence, is_tag};
use super::file_tree;
use super::info_string::InfoString;
use super::name_shape::{KNOWN, NameShape, is_path, is_product, is_word};
use super::unspaced_name::{UnspacedName, is_unspaced, names_several};
use crate::dialect::dialect_trait::Before;
use crate::dialect::input::Input;
use crate::proposal::PathClaim;
use crate::text::LineIdx;

/// The most lines between an edit and its name, blank lines and the fence included.
const REACH: usize = 4;

/// The longest line that is believed to hold one.
const LONGEST: usize = 250;

/// Signs around a name.
const WRAPS: [(&str, &str); 8] = [
    ("**", "**"),
    ("*", "*"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("<!--", "-->"),
    ("/*", "*/"),
    ("__", "__"),
];

/// Signs and words before a name.
const LEADS: [&str; 9] = [
    "//",
    "--",
    "File:",
    "file:",
    "Filename:",
    "filename:",
    "Path:",
    "path:",
    "File path:",
];

/// Programs whose commands name a file: text in backticks that begins with one is no name.
const PROGRAMS: [&str; 27] = [
    "bash", "bun", "cargo", "cat", "cd", "cmake", "curl", "deno", "docker", "dotnet", "gcc", "git",
    "go", "java", "make", "node", "npm", "npx", "perl", "php", "pytest", "python", "python3",
    "ruby", "sh", "uv", "yarn",
];

/// A name and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct FileName {
    pub(in crate::dialect) claim: PathClaim,
    pub(in crate::dialect) at: LineIdx,
}

/// Looks for the name of the edit that begins at a line: upwards, over one fence and a blank line or two.
pub(in crate::dialect) fn above(input: &Input, at: LineIdx, before: &Before) -> Option<FileName> {
    let mut fenced = false;
    for at in (before.free..at).rev().take(REACH) {
        let line = input.line(at)?;
        if line.trim().is_empty() {
            continue;
        }
        let fence = Fence::of(line);
        if fence.is_none() && !is_tag(line) {
            return of_line(line).map(|claim| FileName { claim, at });
        }
        if fenced {
            return None;
        }
        fenced = true;
        if let Some(claim) = fence.and_then(|fence| of_info(fence.info)) {
            return Some(FileName { claim, at });
        }
    }
    None
}

/// The lone word above the edit that begins at a line, or above its fence: it may be the name of a file, such as `gradlew`, or
/// prose.
pub(in crate::dialect) fn word_above<'a>(
    input: &Input<'a>,
    at: LineIdx,
    before: &Before,
) -> Option<&'a str> {
    let mut above = (before.free..at).rev().filter_map(|at| input.line(at));
    let line = above.next()?;
    let line = if Fence::of(line).is_some() {
        above.next()?
    } else {
        line
    };
    let word = line.trim();
    (is_word(word) && !word.ends_with(':') && !word.contains(char::is_whitespace)).then_some(word)
}

/// Returns the first line of an edit that ends the text above it: its file name, if there is one from `free` on.
pub(in crate::dialect) fn or_above(input: &Input, free: LineIdx, edit: LineIdx) -> LineIdx {
    let before = Before {
        free,
        ..Before::default()
    };
    input
        .line(edit)
        .and_then(|_| above(input, edit, &before))
        .map_or(edit, |name| name.at)
}

/// Returns `true` for a header that names lines of its file, as `src/a.py:10-20`, `10:20:src/a.py`, `src/a.py#L10` and
/// `src/a.py (lines 10-20)` do: the text below it is not the whole file.
pub(in crate::dialect) fn names_lines(header: &str) -> bool {
    if header.len() > LONGEST {
        return false;
    }
    let name = undress(header).0;
    let name = UnspacedName::of(name).map_or(name, |inner| inner.name);
    if !name.contains(char::is_whitespace) && matches!(NameShape::of(name), NameShape::Part(_)) {
        return true;
    }
    let is_sign = |c: char| "()[]`*\"',".contains(c);
    let mut before = "";
    header.split_whitespace().any(|dressed| {
        let word = dressed.trim_matches(is_sign);
        let word = word.trim_end_matches(':').trim_matches(is_sign);
        let is_range = dressed.starts_with(['(', '[']) || word.contains(['-', '–']);
        let is_behind_name = is_range && is_path(before) && are_lines(word);
        let (key, value) = word.split_once('=').unwrap_or((before, word));
        let is_key = matches!(
            key.to_lowercase().as_str(),
            "line" | "lines" | "startline" | "start_line" | "start"
        );
        let is_named = is_key && are_lines(value.trim_matches(is_sign));
        before = word;
        let has_suffix = (word.rsplit_once([':', '#'])).is_some_and(|(path, lines)| {
            is_path(path.rsplit(':').next().unwrap_or(path)) && are_lines(lines)
        });
        let has_prefix =
            (word.rsplit_once(':')).is_some_and(|(lines, path)| is_path(path) && are_lines(lines));
        is_named
            || is_behind_name
            || has_suffix
            || has_prefix
            || (word.starts_with('L') && are_lines(word))
    })
}

/// Returns `true` for the number of a line, or for a range of such numbers.
fn are_lines(text: &str) -> bool {
    text.split(['-', '–', ',', ':']).all(|number| {
        let digits = number.trim_start_matches(['L', 'l']);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Reads a line as a file name, or as a sentence that ends with one.
pub(in crate::dialect) fn of_line(line: &str) -> Option<PathClaim> {
    if line.len() > LONGEST || file_tree::is_row(line) {
        return None;
    }
    alone(line).or_else(|| of_sentence(line))
}

/// Reads a line as a file name and nothing else.
pub(in crate::dialect) fn alone(line: &str) -> Option<PathClaim> {
    if line.len() > LONGEST || file_tree::is_row(line) {
        return None;
    }
    let (name, decorated) = undress(line);
    if let Some(inner) = UnspacedName::of(name) {
        return inner.alone();
    }
    if names_several(name) {
        return None;
    }
    let is_name = KNOWN.contains(&name) || is_path(name) || (decorated && is_word(name));
    (is_name && !name.contains(char::is_whitespace)).then(|| PathClaim::written(name))
}

/// Reads a line above a code fence as the name of the file that the fence holds. A word without an extension is no name, as a label
/// such as `**Output:**` is none; one with slashes is a name if there is such a file.
pub(super) fn title(line: &str) -> Option<PathClaim> {
    let claim = alone(line)?;
    match NameShape::of(claim.first()) {
        NameShape::File if is_product(claim.first()) && !is_marked(line) => {
            Some(PathClaim::perhaps(claim.first()))
        }
        NameShape::File => Some(prefixed(claim)),
        NameShape::Folder => Some(PathClaim::perhaps(claim.first())),
        NameShape::Part(_) | NameShape::Odd | NameShape::None => None,
    }
}

/// Reads a line near a code fence as one that may name the file of the fence: a name, or a sentence with one.
pub(in crate::dialect) fn guess(line: &str) -> Option<PathClaim> {
    let Some(claim) = alone(line) else {
        let is_named = |claim: &PathClaim| is_marked(line) || !claim.readings().any(is_product);
        return of_line(line).filter(is_named);
    };
    if is_product(claim.first()) && !is_marked(line) {
        return None;
    }
    match NameShape::of(claim.first()) {
        NameShape::File | NameShape::Folder => Some(claim),
        NameShape::Odd => {
            let name = claim.first();
            let name = name.split_once('=').map_or(name, |(_, value)| value);
            is_path(name).then(|| PathClaim::plain(name))
        }
        NameShape::Part(_) | NameShape::None => None,
    }
}

/// Returns `true` for a line that sets a name apart as that of a file: in backticks, or behind `File:` and its like.
fn is_marked(line: &str) -> bool {
    line.contains('`')
        || LEADS
            .iter()
            .any(|lead| lead.ends_with(':') && line.contains(lead))
}

/// A name with git's prefix of the old or the new side, which may be a folder as well: the files that exist decide.
pub(in crate::dialect) fn prefixed(claim: PathClaim) -> PathClaim {
    let name = claim.first();
    let inner = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
    match inner {
        Some(inner) if claim.readings().count() == 1 && inner.contains('/') => {
            PathClaim::in_doubt(name, inner)
        }
        Some(_) | None => claim,
    }
}

/// The most words beside the name in a heading.
const HEADING: usize = 3;

/// Reads a line above a code fence with one name and few other words: `src/a.py (modified)`, `=== src/a.py ===`. Only a name with a
/// folder has other words beside it: `Node.js` may be a word of prose.
pub(in crate::dialect) fn heading(line: &str) -> Option<PathClaim> {
    if line.len() > LONGEST || file_tree::is_row(line) {
        return None;
    }
    let mut names = mentions(line)
        .map(|(name, _)| name)
        .filter(|name| NameShape::of(name) == NameShape::File)
        .filter(|name| is_marked(line) || !is_product(name));
    let name = names.next()?;
    let is_other = |word: &&str| word.contains(char::is_alphanumeric) && !word.contains(name);
    let others = line.split_whitespace().filter(is_other).count();
    let is_heading = others == 0 || (others <= HEADING && name.contains(['/', '\\']));
    (is_heading && names.all(|other| other == name)).then(|| PathClaim::written(name))
}

/// Returns the file that the first line of a code fence names, whether or not the fence holds its whole text: `src/a.py`,
/// `python src/a.py`, `python:src/a.py`, `js title="src/a.js"`.
pub(in crate::dialect) fn of_info(info: &str) -> Option<PathClaim> {
    let name = InfoString::of(info)
        .name
        .filter(|_| info.len() <= LONGEST)?;
    Some(match NameShape::of(name) {
        NameShape::Folder => PathClaim::perhaps(name),
        NameShape::File => prefixed(PathClaim::plain(name)),
        NameShape::Part(_) | NameShape::Odd | NameShape::None => PathClaim::plain(name),
    })
}

/// Returns `true` if the first line of a code fence has words of which nobody knows what they mean: the fence may hold a part of the
/// file, or none.
pub(in crate::dialect) fn is_doubtful(info: &str) -> bool {
    info.len() > LONGEST || InfoString::of(info).is_doubtful
}

/// A name with blanks in it, or a sentence that ends with one: the file system knows which. If there is no such file yet, only
/// the look of a sentence tells that it is one.
fn of_sentence(line: &str) -> Option<PathClaim> {
    let text = undress(line).0;
    let has_blank = text.contains(char::is_whitespace);
    if !has_blank && !text.contains(is_unspaced) {
        return None;
    }
    let quoted: Vec<&str> = line
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| is_path(name))
        .collect();
    if let [name] = quoted[..] {
        let program = name.split_whitespace().next().filter(|word| *word != name);
        let is_command = program.is_some_and(|program| PROGRAMS.contains(&program));
        return (!is_command).then(|| PathClaim::plain(name));
    }
    if !has_blank {
        return UnspacedName::of(text).map(|inner| inner.in_sentence());
    }
    let last = text.split_whitespace().next_back()?;
    let paths: Vec<&str> = text
        .split_whitespace()
        .filter(|word| is_path(word))
        .collect();
    // `my dir/my file.py`: the parts before the last cannot be files.
    let is_folder = |word: &str| {
        word.rsplit('/')
            .next()
            .is_some_and(|end| !end.contains('.'))
    };
    match paths[..] {
        _ if !is_path(last) || text.contains([',', ';']) || text.contains(" and ") => None,
        [_] if is_prose(line) => Some(PathClaim::with_others(last, [text.to_owned()])),
        [_] => Some(PathClaim::in_doubt(text, last)),
        [.., _] if paths[..paths.len() - 1].iter().all(|part| is_folder(part)) => {
            Some(PathClaim::plain(text))
        }
        _ => None,
    }
}

/// Returns `true` for a line with a name at its end that does not look like a name with blanks in it: it leads over to an edit as a
/// sentence does, has a colon before the name, or begins as a list's rows do.
fn is_prose(line: &str) -> bool {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '#');
    let text = line.trim_matches(is_around);
    let is_sentence = text.ends_with(':') && text.starts_with(char::is_uppercase);
    let before = text.rsplit_once(char::is_whitespace);
    let before = before.map_or("", |(before, _)| before.trim_end());
    let number = before.strip_suffix(['.', ')']).unwrap_or_default();
    let is_row = matches!(before, "-" | "+" | "") || number.parse::<u32>().is_ok();
    is_sentence || before.ends_with(':') || is_row
}

/// Takes off what is around a name, and says whether that sets it apart from a word of prose.
fn undress(text: &str) -> (&str, bool) {
    let mut name = text;
    let mut decorated = false;
    loop {
        let before = name;
        name = name
            .trim()
            .trim_start_matches('#')
            .trim_end_matches([':', '：'])
            .trim();
        for lead in LEADS {
            name = name.strip_prefix(lead).unwrap_or(name).trim_start();
        }
        // A link is shown by its text.
        let link = name
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(')'));
        if let Some((text, _)) = link.and_then(|link| link.split_once("](")) {
            name = text.trim();
            decorated = true;
        }
        for (open, close) in WRAPS {
            let inner = name
                .strip_prefix(open)
                .and_then(|rest| rest.strip_suffix(close));
            // Two wrapped words are a sentence, not one wrapped name.
            if let Some(inner) = inner.filter(|inner| !inner.contains(open)) {
                name = inner.trim();
                decorated = true;
            }
        }
        if name == before {
            return (name, decorated);
        }
    }
}

/// Returns the words of a line that may be names of files, without the signs around them, and whether the line is a name as it is
/// written above an edit.
pub(in crate::dialect) fn mentions(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let heading = alone(line);
    let is_sign = |c: char| !c.is_alphanumeric() && !"._-/\\+@~$%".contains(c);
    // What is behind the last dot of a version is a number.
    let is_version = |word: &str| {
        let (_, end) = word.rsplit_once('.').unwrap_or_default();
        end.starts_with(|c: char| c.is_ascii_digit())
    };
    let may_be_file = move |word: &&str| {
        let is_name = KNOWN.contains(word) || (is_path(word) && !is_version(word));
        is_name && !word.starts_with('-')
    };
    line.split_whitespace()
        .filter(|word| !word.contains("://") && !word.contains("()"))
        .flat_map(move |word| word.split(is_sign))
        .map(|word| UnspacedName::of(word).map_or(word, |inner| inner.name))
        .map(|word| word.strip_prefix("./").unwrap_or(word))
        .map(|word| word.trim_end_matches(['.', '/', '-']))
        .filter(may_be_file)
        .map(move |word| {
            let is_heading = heading.as_ref().is_some_and(|claim| claim.first() == word);
            (word, is_heading)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::mentioned_names::MentionedNames;

    #[test]
    fn a_header_may_name_lines() {
        for header in [
            "12:15:src/a.py",
            "L2-L3:src/a.py",
            "python:src/a.py:2-3",
            "src/a.py#L10-L20",
            "`src/a.py` (lines 2-3):",
            "src/a.py, line 7",
            "python file=src/a.py lines=2-3",
            "js title=\"a.js\" startLine=4",
            "**a.py** (L4)",
            "python src/a.py (2-3)",
            "python src/a.py [2]",
            "python src/a.py 2-3",
            "`src/a.py` (2-3):",
            "**src/a.py::add**",
            "### src/a.py:2:5",
            "【F:src/a.py†L2-L2】",
        ] {
            assert!(names_lines(header), "{header}");
        }
        for header in [
            "src/a.py",
            "python:src/a.py",
            "### 2. `src/a.py`:",
            "js title=\"a.js\" {2-3}",
            "python:3",
            "C:/a.py",
            "a line of src/a.py",
            "2. src/a.py 2",
            "`a.b()`, in src/a.py:",
            "L10N.md",
            "",
        ] {
            assert!(!names_lines(header), "{header}");
        }
    }

    #[test]
    fn names_are_read_through_their_decoration() {
        let check = |line: &str, expected: &str| {
            let found = of_line(line).map(|claim| {
                let doubt = if claim.is_in_doubt() { "?" } else { "|" };
                claim.readings().collect::<Vec<_>>().join(doubt)
            });
            assert_eq!(found.unwrap_or_default(), expected, "{line:?}");
        };
        check("src/a.py", "src/a.py");
        check("  src/a.py:  ", "src/a.py");
        check("**src/a.py**", "src/a.py");
        check("**`src/a.py`**:", "src/a.py");
        check("`src/a.py`:", "src/a.py");
        check("### `src/a.py`", "src/a.py");
        check("# src/a.py", "src/a.py");
        check("// src/a.js", "src/a.js");
        check("/* a.css */", "a.css");
        check("<!-- index.html -->", "index.html");
        check("File: src/a.py", "src/a.py");
        check("**File: `src/a.py`**", "src/a.py");
        check("/abs/a.py", "/abs/a.py");
        check("../a.py", "../a.py");
        check(".gitignore", ".gitignore");
        check("src\\a.py", "src\\a.py?src/a.py");
        check("Makefile", "Makefile");
        check("`mypkg`", "mypkg");
        check("my dir/my file.py", "my dir/my file.py");
        check("a/my dir/größe café.py", "a/my dir/größe café.py");
        check("Now update src/a.py:", "src/a.py|Now update src/a.py");
        check("**Now update src/a.py:**", "src/a.py|Now update src/a.py");
        check("In `src/a.py` we need:", "src/a.py");
        check("New file: src/a.py", "src/a.py|New file: src/a.py");
        check("2. src/a.py", "src/a.py|2. src/a.py");
        check("- src/a.py", "src/a.py|- src/a.py");
        check("* src/a.py", "src/a.py|* src/a.py");
        check("a b/x", "a b/x?b/x");
        check("a b/x:", "a b/x?b/x");
        check("Here is a.py", "Here is a.py?a.py");
        check("### `a b/x`:", "a b/x");
        check("Sure! Here is the change you asked for:", "");
        check("Then:", "");
        check("...", "");
        check("That is all.", "");
        check("Change a.py and b.py", "");
        check("see https://example.com/a.html", "");
        // Languages without blanks between words.
        check("修改src/app.py如下：", "src/app.py|修改src/app.py如下");
        check(
            "src/app.pyを次のように変更します：",
            "src/app.py|src/app.pyを次のように変更します",
        );
        check("src/app.py를 수정:", "");
        check("ファイル`src/app.py`を変更します。", "src/app.py");
        check("修改src/app.py：", "修改src/app.py?src/app.py");
        check("「src/app.py」", "src/app.py");
        check("文档/说明.md", "文档/说明.md");
        check("src/工具v2.py", "src/工具v2.py");
        check("应用/app.py", "应用/app.py");
        check("文档.md", "文档.md");
        check("修改a.py和b.py：", "");
        check("1.2.3", "");
        check("", "");
    }

    #[test]
    fn a_heading_has_one_name() {
        let check = |line: &str, expected: &str| {
            let found = heading(line).map(|claim| claim.first().to_owned());
            assert_eq!(found.unwrap_or_default(), expected, "{line:?}");
        };
        for line in [
            "### src/a.py (modified)",
            "=== src/a.py ===",
            "--- src/a.py ---",
            "📁 **src/a.py**",
            "- **src/a.py**",
            "<summary>src/a.py</summary>",
            "[File: src/a.py]",
            "2. src/a.py: fix add",
        ] {
            check(line, "src/a.py");
        }
        check("📁 a.py", "a.py");
        check("Node.js example:", "");
        check("In src/a.py the function `add` has one line:", "");
        check("src/a.py and src/b.py", "");
        check("Output and/or input:", "");
    }

    #[test]
    fn a_label_is_no_title() {
        let check = |line: &str, expected: &str| {
            let found = title(line).map(|claim| {
                let doubt = if claim.is_perhaps() { "?" } else { "" };
                format!("{}{doubt}", claim.first())
            });
            assert_eq!(found.unwrap_or_default(), expected, "{line:?}");
        };
        check("**src/a.py**", "src/a.py");
        check("**Makefile**", "Makefile");
        check("`.gitignore`:", ".gitignore");
        check("**bin/run**", "bin/run?");
        for line in [
            "**Output:**",
            "`add`:",
            "<!-- output -->",
            "`1.0.0`",
            "v1.2.3",
            "`localhost:8080`",
            "`src/a.py::add`",
            "path=src/a.py",
            "**{name}.py**",
        ] {
            check(line, "");
        }
    }

    #[test]
    fn a_fence_may_name_the_file() {
        let check = |info: &str, expected: &str| {
            let found = of_info(info).map(|claim| claim.first().to_owned());
            assert_eq!(found.unwrap_or_default(), expected, "{info:?}");
        };
        check("python", "");
        check("src/a.py", "src/a.py");
        check("python src/a.py", "src/a.py");
        check("python:src/a.py", "src/a.py");
        check("js title=\"src/a.js\"", "src/a.js");
    }

    #[test]
    fn a_text_may_name_another_file() {
        let check = |text: &str, expected: &str| {
            let mut names = MentionedNames::default();
            for (name, is_heading) in text.lines().flat_map(mentions) {
                names.add(name, is_heading);
            }
            let found = names.file_below(&PathClaim::plain("src/a.txt"));
            let found = found.map_or_else(String::new, |claim| {
                let doubt = if claim.is_perhaps() { "?" } else { "" };
                claim.readings().collect::<Vec<_>>().join("|") + doubt
            });
            assert_eq!(found, expected, "{text}");
        };
        for text in [
            "b.txt\n\nHere three becomes 3.",
            "1. **b.txt** - change three:",
            "--- b.txt ---",
            "[b.txt](b.txt)",
            "b.txt (line 3)",
            "And in b.txt we need this:",
            "File: b.txt",
            "the file b.txt.",
            "(b.txt:3)",
        ] {
            check(text, "b.txt?");
        }
        check("In src/b.rs and here:", "src/b.rs?");
        check("`b.rs`", "b.rs?");
        // The file before, by its name or without one.
        check("Then, in 1.2 and v1.2.3:", "src/a.txt");
        check("Again in a.txt, `self.x` becomes `self.y`:", "src/a.txt");
        check("See https://b.io/b.txt and run b.txt():", "src/a.txt");
        // A word that may be no file.
        check("`self.x` becomes this:", "self.x|src/a.txt");
        // Several files.
        check("b.txt and c.txt", "");
        check("b.txt as a.txt", "");
        check("src/b.txt, which is b.txt", "src/b.txt?");
    }
}
