//! Lines whose shape allows them to replace omitted code: dots, a comment, a bracketed phrase.
//!
//! The shape alone decides nothing. A complete file may hold any comment; only the lines that the file on disk would lose
//! show that a line replaces them. The words therefore grade the shape, and a comment in any language has at least the
//! lowest grade.

use super::phrase::{
    MOST_WORDS, Placeholder, WORDS, dots_at, has_word, is_dots, is_explicit, is_phrase, of_text,
    speaks, unbracketed,
};

/// Opening and closing signs of comments. A line may lack the closing sign if the opening one is a line comment's.
const COMMENTS: [(&str, &str); 24] = [
    ("<!--", "-->"),
    ("{{!--", "--}}"),
    ("<%--", "--%>"),
    ("@*", "*@"),
    ("#[", "]#"),
    ("{/*", "*/}"),
    ("{% comment %}", "{% endcomment %}"),
    ("/*", "*/"),
    ("(*", "*)"),
    ("{-", "-}"),
    ("{#", "#}"),
    ("#|", "|#"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("//", ""),
    ("#", ""),
    ("--", ""),
    (";", ""),
    ("%", ""),
    ("!", ""),
    ("REM ", ""),
    ("dnl ", ""),
    ("@comment ", ""),
    ("@c ", ""),
];

/// Comment signs that are something else in most files: the extensions in which they open a comment.
const COMMENTS_IN: [(&str, &[&str]); 4] = [
    (".. ", &["rst", "rest"]),
    ("'", &["vb", "vbs", "bas", "cls", "frm"]),
    ("\"", &["vim"]),
    ("\\", &["fs", "fth", "4th"]),
];

/// Extensions of Markdown, in which `#` opens a heading.
const MARKDOWN: [&str; 5] = ["md", "mdx", "markdown", "qmd", "rmd"];

/// Other extensions of files that consist of prose, in which a phrase is ordinary text.
const PROSE: [&str; 7] = ["txt", "text", "rst", "adoc", "org", "tex", "csv"];

/// Extensions of languages that write a call between parentheses.
const LISP: [&str; 9] = [
    "el", "lisp", "cl", "clj", "cljs", "edn", "scm", "rkt", "fnl",
];

/// Extensions of JSON, in which a placeholder is a string.
const JSON: [&str; 4] = ["json", "jsonc", "json5", "webmanifest"];

/// Directives of the C preprocessor, which begin with `#` and are code.
const DIRECTIVES: [&str; 14] = [
    "include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma",
    "error", "warning", "line", "import",
];

/// A line of prose of more words, which is no comment, is no phrase.
const MOST_PROSE: usize = 8;
/// A line of more characters is no placeholder unless it is a comment.
const MOST_CHARS: usize = 100;

/// Grades a line of a file, without the lines around it; `None` for a line that cannot be a placeholder.
pub fn placeholder(path: &str, line: &str) -> Option<Placeholder> {
    let line = line.trim();
    let extension = extension(path);
    match comment(&extension, line) {
        Some(WholeComment::Text(text)) => {
            let least = if has_word(text) {
                Placeholder::Comment
            } else {
                Placeholder::Signs
            };
            return of_text(text).or(Some(least));
        }
        Some(WholeComment::Code(_)) => return Some(Placeholder::Signs),
        Some(WholeComment::Directive) => return None,
        None => (),
    }
    if line.chars().nth(MOST_CHARS).is_some() {
        return None;
    }
    if JSON.contains(&extension.as_str()) {
        return of_json(line);
    }
    if is_dots(line) {
        return Some(Placeholder::Dots);
    }
    if !has_word(line) {
        return (is_sign(line) && !is_comment_edge(line)).then_some(Placeholder::Signs);
    }
    if let Some(text) = trailing_comment(line) {
        let grade = of_text(text).unwrap_or(Placeholder::Stub);
        return Some(grade.min(Placeholder::Phrase));
    }
    if COMMENT_BEHIND.iter().any(|open| {
        let text = line.rsplit_once(open).map(|(_, text)| text);
        let text = text.map(without_comment_end);
        text.is_some_and(|text| {
            let is_about_code = speaks(text) || dots_at(text) != (false, false);
            is_about_code && text.split_whitespace().count() <= MOST_WORDS
        })
    }) {
        return Some(Placeholder::Stub);
    }
    if let Some((tag, text)) = element(line) {
        return of_element(path, tag, text);
    }
    let pair = line.trim_end_matches([',', ';']);
    let pair =
        (pair.split_once(": ").or_else(|| pair.split_once('='))).filter(|_| !is_prose(&extension));
    if let Some(grade) = pair.and_then(|(key, value)| of_pair(key, value)) {
        return Some(grade);
    }
    if is_prose(&extension) && speaks(line) && line.split_whitespace().count() <= MOST_PROSE {
        return Some(Placeholder::Comment);
    }
    let (bare, bracketed) = unbracketed(line);
    let is_call = bracketed && line.starts_with('(') && LISP.contains(&extension.as_str());
    let dotted = dots_at(bare) != (false, false);
    let is_text = is_phrase(bare) || (bracketed && WORDS.contains(&bare.to_lowercase().as_str()));
    // `...props` is code in JavaScript, and `...rest of the file` is not.
    let opens_code =
        line.starts_with("...") && line[3..].starts_with(char::is_alphanumeric) && !speaks(bare);
    if (bracketed || dotted) && !is_call && !opens_code && is_text {
        return of_text(line).or(Some(Placeholder::Comment));
    }
    let text = between_signs(line)?;
    of_text(text).or(Some(Placeholder::Comment))
}

/// Grades the strings of a line in a file of JSON.
pub(super) fn of_strings(path: &str, line: &str) -> Option<Placeholder> {
    let is_json = JSON.contains(&extension(path).as_str());
    is_json.then(|| of_json(line)).flatten()
}

/// Grades a line of JSON by its strings: `"// ...": "rest of the scripts"`.
fn of_json(line: &str) -> Option<Placeholder> {
    let line = line.trim_end_matches(',');
    let members: Vec<(String, Option<serde_json::Value>)> =
        if let Ok(items) = serde_json::from_str::<Vec<String>>(&format!("[{line}]")) {
            items.into_iter().map(|item| (item, None)).collect()
        } else if let Ok(members) =
            serde_json::from_str::<serde_json::Map<_, _>>(&format!("{{{line}}}"))
        {
            let members = members.into_iter();
            members.map(|(key, value)| (key, Some(value))).collect()
        } else {
            return is_dots(line).then_some(Placeholder::Dots);
        };
    let grades = members.iter().map(|(key, value)| {
        let text = value.as_ref().and_then(serde_json::Value::as_str);
        let text = text.unwrap_or_default();
        let is_comment = key.trim_matches(['_', '$']).eq_ignore_ascii_case("comment");
        let least = is_comment.then_some(Placeholder::Stub);
        let of_value = if is_comment || is_dots(text) {
            of_text(text)
        } else {
            None
        };
        let pair = (value.as_ref()).and_then(|value| of_pair(key, &value.to_string()));
        placeholder("a.js", key).max(of_value).max(least).max(pair)
    });
    grades.max().flatten()
}

/// Literals that a placeholder may have for a value, because the notation asks for one.
const LITERALS: [&str; 11] = [
    "", "true", "false", "null", "nil", "none", "yes", "~", "{}", "[]", "\"\"",
];

/// Grades a key and its value, in data and in literals: `rest: unchanged`, `"etc": true`.
fn of_pair(key: &str, value: &str) -> Option<Placeholder> {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    let [key, text] = [key, value].map(|text| text.trim().trim_matches(is_quote));
    let is_plain = |text: &str| (text.chars()).all(|c| c.is_alphanumeric() || "_- ".contains(c));
    let is_empty = LITERALS.contains(&value.trim().to_lowercase().as_str());
    if !is_plain(key) || !(is_plain(text) || is_empty) {
        return None;
    }
    match (speaks(key) || !has_word(key), speaks(text)) {
        (true, true) => Some(Placeholder::Phrase),
        (false, true) => Some(Placeholder::Stub),
        (true, false) if is_empty => Some(Placeholder::Stub),
        (_, false) => None,
    }
}

/// Splits a line that is one element of markup into what its tag has behind the name, and its text.
fn element(line: &str) -> Option<(&str, &str)> {
    let (tag, rest) = line.strip_prefix('<')?.split_once('>')?;
    let name = tag.split_whitespace().next()?;
    let is_name = name.starts_with(char::is_alphabetic) && !tag.ends_with('/');
    let text = rest
        .strip_suffix('>')?
        .strip_suffix(name)?
        .strip_suffix("</")?;
    is_name.then_some((tag[name.len()..].trim(), text.trim()))
}

/// Grades the text of an element. A sentence with one of the words of placeholders may be content, and so is any with attributes.
fn of_element(path: &str, attributes: &str, text: &str) -> Option<Placeholder> {
    let is_short = text.split_whitespace().nth(MOST_PROSE).is_none();
    let is_mark = attributes.is_empty() && is_short && is_phrase(text) && is_explicit(text);
    let grade = placeholder(path, text).filter(|grade| *grade > Placeholder::Stub);
    let is_comment = comment_text(path, text).is_some();
    let grade = grade.filter(|_| is_comment || is_explicit(text));
    grade.or_else(|| is_mark.then_some(Placeholder::Comment))
}

/// Returns true for a line of signs that are no code by themselves in most languages, such as `* * *`.
fn is_sign(line: &str) -> bool {
    !line.is_empty()
        && !line.contains(['(', ')', '[', ']', '{', '}', ';', ',', ':', '"', '\'', '`'])
}

/// Returns true for the signs that open or close a comment of several lines.
pub(crate) fn is_comment_edge(line: &str) -> bool {
    let line = line.trim();
    let mut closed = COMMENTS.iter().filter(|(_, close)| !close.is_empty());
    closed.any(|(open, close)| {
        let ornament = line.strip_prefix(open);
        line == *close || ornament.is_some_and(|signs| signs.chars().all(|c| "*!-=".contains(c)))
    })
}

/// Signs that open a comment behind code.
const COMMENT_BEHIND: [&str; 8] = [
    " # ", " // ", " /* ", " -- ", " <!-- ", " (* ", " {- ", " ;; ",
];

/// Removes the signs that close a comment, and brackets behind it.
fn without_comment_end(text: &str) -> &str {
    text.trim_end_matches(|c: char| " }/*->)".contains(c))
}

/// Returns the comment behind a word that does nothing, such as `pass  # the rest stays`.
pub(super) fn trailing_comment(line: &str) -> Option<&str> {
    let (code, text) = COMMENT_BEHIND
        .iter()
        .find_map(|open| line.split_once(open))?;
    let code = code.trim().trim_end_matches(';');
    let is_word = code.chars().all(|c| c.is_alphabetic() || c == '_') || is_dots(code);
    is_word.then(|| without_comment_end(text).trim())
}

/// Returns true for a file that consists of prose.
pub(crate) fn is_prose_file(path: &str) -> bool {
    is_prose(&extension(path))
}

/// Returns true for the extension of a file that consists of prose.
fn is_prose(extension: &str) -> bool {
    MARKDOWN.contains(&extension) || PROSE.contains(&extension)
}

/// Returns the sentence between two signs or more at each end, which is a comment in any language.
pub(crate) fn between_signs(line: &str) -> Option<&str> {
    let is_sign = |c: char| c.is_ascii_punctuation() && !"\"'`.,&|".contains(c);
    let text = line.trim_start_matches(is_sign);
    let before = line.len() - text.len();
    let inner = text.trim_end_matches(is_sign);
    let after = text.len() - inner.len();
    let inner = inner.trim();
    (before >= 2 && after >= 2 && is_phrase(unbracketed(inner).0)).then_some(inner)
}

/// Returns `true` for a line of plain words, which is no code in most languages.
///
/// In a file that has no other such line, it is foreign to the language.
pub fn is_bare_phrase(path: &str, line: &str) -> bool {
    let line = line.trim();
    let words = line.split_whitespace().count();
    let extension = extension(path);
    let is_code = !matches!(
        extension.as_str(),
        "" | "sh" | "bash" | "zsh" | "fish" | "sql" | "yml" | "yaml"
    ) && !is_prose(&extension);
    let prose = line.trim_end_matches(['.', '!', ':']);
    let plain = prose
        .chars()
        .all(|c| c.is_alphabetic() || c == ' ' || c == ',');
    is_code && plain && (3..=MOST_WORDS).contains(&words)
}

/// A comment that takes the whole line.
enum WholeComment<'a> {
    /// One with this text.
    Text(&'a str),
    /// One that looks like code that was turned off.
    Code(&'a str),
    /// A directive or an attribute, which begins like a comment.
    Directive,
}

/// Returns true for a comment that takes the whole line and is no code that was turned off.
pub(crate) fn is_comment(path: &str, line: &str) -> bool {
    matches!(
        comment(&extension(path), line.trim()),
        Some(WholeComment::Text(_))
    )
}

/// Returns the text of a comment that takes the whole line, also of code that was turned off.
pub(crate) fn comment_text<'a>(path: &str, line: &'a str) -> Option<&'a str> {
    match comment(&extension(path), line.trim())? {
        WholeComment::Text(text) | WholeComment::Code(text) => Some(text),
        WholeComment::Directive => None,
    }
}

/// Reads a comment that takes the whole line.
fn comment<'a>(extension: &str, line: &'a str) -> Option<WholeComment<'a>> {
    let own = COMMENTS_IN
        .iter()
        .filter(|(_, extensions)| extensions.contains(&extension))
        .map(|(open, _)| (*open, ""));
    let signs = COMMENTS.into_iter().chain(own);
    let is_markdown = MARKDOWN.contains(&extension);
    signs
        .filter(|(open, _)| !is_markdown || open.starts_with('<') || open.starts_with("{/"))
        .find_map(|(open, close)| {
            let text = line.strip_prefix(open)?.strip_suffix(close)?;
            let text = text.trim_start_matches(['/', '#', ';', '%', '!']);
            let text = text.trim();
            if text.is_empty() {
                return None;
            }
            // `#include`, `#[derive]`, `--i`, `;;` and the like are code or rules.
            let first = text.split(|c: char| !c.is_alphanumeric()).next();
            let is_directive = open == "#" && first.is_some_and(|word| DIRECTIVES.contains(&word))
                || open == ".. " && (text.starts_with(['_', '[', '|']) || text.contains("::"));
            let attribute = open == "#" && (line.starts_with("#[") || line.starts_with("#!["));
            let code = (text.ends_with([';', '{', '}', '=', '>']) && !unbracketed(text).1)
                || text.contains("()");
            Some(if !close.is_empty() {
                WholeComment::Text(text)
            } else if is_directive || attribute && of_text(unbracketed(text).0).is_none() {
                WholeComment::Directive
            } else if code && line[open.len()..].starts_with(' ') {
                WholeComment::Code(text)
            } else if code {
                WholeComment::Directive
            } else {
                WholeComment::Text(text)
            })
        })
}

fn extension(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::Placeholder::{Comment, Dots, Phrase, Signs, Stub};
    use super::*;

    #[test]
    fn a_string_of_json_is_a_placeholder() {
        let check = |line: &str, expected: Option<Placeholder>| {
            assert_eq!(placeholder("package.json", line), expected, "{line}");
        };
        for line in [
            r#""// ...": "rest of the scripts""#,
            r#""... existing scripts": "...","#,
            r#""//...": "existing","#,
            r#""a": "...", "b": "...""#,
            r#""...","#,
            "...",
        ] {
            check(line, Some(Dots));
        }
        check(r#""// rest": "","#, Some(Phrase));
        check(r#""__comment__": "keep the scripts","#, Some(Phrase));
        check(r#""test": "run the rest","#, Some(Stub));
        for line in [r#""test": "jest","#, r#""name": "a","#, "},", "12", ""] {
            check(line, None);
        }
    }

    #[test]
    fn a_shape_is_graded_by_dots_and_words() {
        let check = |path: &str, line: &str, expected: Option<Placeholder>| {
            assert_eq!(placeholder(path, line), expected, "{path}: {line}");
        };
        for line in ["...", "…", "[...]", "# ...", "/* … */", "# [...]", "; ..."] {
            check("a.py", line, Some(Dots));
        }
        check("a.rs", "// ... existing code ...", Some(Dots));
        check("a.rs", "// ... código existente ...", Some(Dots));
        check("a.py", "[... rest unchanged ...]", Some(Dots));
        check("a.py", "# Rest of the code...", Some(Dots));
        check("a.js", "// [existing code]", Some(Phrase));
        check("a.py", "# --- rest of file ---", Some(Phrase));
        check("a.py", "# mul and div unchanged", Some(Phrase));
        check("a.html", "<!-- existing code -->", Some(Phrase));
        check("a.py", "(rest of the file unchanged)", Some(Phrase));
        check("a.py", "# der alte Code bleibt", Some(Comment));
        check("a.py", "# 其余代码不变", Some(Comment));
        check("a.py", "（其余代码不变）", Some(Phrase));
        check("a.py", "[snip]", Some(Phrase));
        for line in ["{...}", "/** ... **/", "\\ ...", "<%# ... %>", "#= ... =#"] {
            check("a.jl", line, Some(Dots));
        }
        check("a.py", "...rest of the code", Some(Dots));
        check("a.php", "// {{ existing code }}", Some(Phrase));
        check("a.rb", "# <rest of code>", Some(Phrase));
        check("a.php", "// ==== existing ====", Some(Phrase));
        check(
            "a.html",
            "{% comment %} rest of the page {% endcomment %}",
            Some(Phrase),
        );
        check("a.cshtml", "@* rest of the page *@", Some(Phrase));
        check("a.jl", "#= alles andere bleibt =#", Some(Comment));
        check("a.cs", "#region rest unchanged", Some(Phrase));
        for line in [
            "{{/* [rest of the implementation] */}}",
            "{{!-- (rest of the page) --}}",
            "<%-- [rest of the page] --%>",
            "@* [rest of the page] *@",
        ] {
            check("a.tpl", line, Some(Phrase));
        }
        check("CMakeLists.txt", "# Rest of the code...", Some(Dots));
        check("a.vb", "' der alte Code bleibt", Some(Comment));
        check("a.md", "<!-- rest -->", Some(Phrase));
        for line in [
            "",
            "x = ...",
            "...props,",
            "...args as any,",
            "\"...\",",
            "...,",
            "&& a and b &&",
            "<b>of some words</b>",
            "call(...)",
            "#include <stdio.h>",
            "#pragma once",
            "#[derive(Debug)]",
            "--count;",
            "return x",
            "}",
        ] {
            check("a.c", line, None);
        }
        for line in [
            "* * *", "- - -", "#####", "//", "@@", "|", "# * * *", "/* - */", "// go();",
        ] {
            check("a.py", line, Some(Signs));
        }
        for line in ["}", ");", "],", "{}", "();", "//go();"] {
            check("a.js", line, None);
        }
        check("a.py", "pass  # rest unchanged", Some(Phrase));
        check("a.js", "return; // ...", Some(Phrase));
        check("a.py", "pass  # nothing to do", Some(Stub));
        check("a.py", "x = 1  # rest unchanged", Some(Stub));
        check("a.py", "go()  # rest unchanged", Some(Stub));
        check("a.xml", "<item/> <!-- rest unchanged -->", Some(Stub));
        check("a.xml", "<item/> <!-- the first of ten -->", None);
        check("a.ml", "let x = 1 (* rest unchanged *)", Some(Stub));
        check("a.lisp", "(go) ;; rest unchanged", Some(Stub));
        check("a.rs", "#[derive(Clone, Copy)]", None);
        check("a.md", "_The rest is unchanged_", Some(Comment));
        check("a.txt", "Everything else stays the same.", Some(Comment));
        check(
            "a.md",
            "Everything else that the page says about it stays the same.",
            None,
        );
        check("a.md", "A sentence.", None);
        check("a.md", "# Remaining work", Some(Comment));
        check("a.el", "(rest items)", None);
        check("a.toml", "[dependencies]", None);
    }

    #[test]
    fn the_text_of_an_element_is_graded_without_its_tags() {
        let check = |line: &str, expected: Option<Placeholder>| {
            assert_eq!(placeholder("a.html", line), expected, "{line}");
        };
        check("<li>...</li>", Some(Dots));
        check("<td colspan=\"2\">... other cells ...</td>", Some(Dots));
        check("<li>[remaining items]</li>", Some(Phrase));
        check("<ul><li><!-- as it was --></li></ul>", Some(Comment));
        check("<li>the other items unchanged</li>", Some(Comment));
        // Content: other words, one word, one with attributes, and an element that is not closed in the line.
        for line in [
            "<li>the red items</li>",
            "<li>Other</li>",
            "<li>the other items</li>",
            "<label for=\"a\">keep the rest</label>",
            "<li>the other items unchanged",
            "<li>the other items unchanged</ul>",
            "<br/>the other items unchanged</br/>",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn plain_words_are_foreign_to_code_only() {
        assert!(is_bare_phrase("a.py", "the rest stays as it is"));
        assert!(!is_bare_phrase("a.md", "the rest stays as it is"));
        assert!(!is_bare_phrase("a.py", "from a import b.c"));
        assert!(!is_bare_phrase("a.py", "return value"));
    }
}
