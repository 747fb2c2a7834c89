//! The name of a file in the info string of a code fence, among a language and attributes: `python:src/a.py`, `js title="src/a.js"`,
//! `{.python filename="src/a.py"}`.
//!
//! The text below is the whole file only if every word is known. Any other word may mean that it is an excerpt, or not the file at all.

use super::name_shape::{NameShape, has_extension, is_path};

/// Attributes whose value is the name of the file.
const FILE_KEYS: [&str; 8] = [
    "file",
    "filename",
    "filepath",
    "file_path",
    "name",
    "path",
    "src",
    "title",
];

/// Attributes and words that change only how the text is shown.
const DISPLAY: [&str; 22] = [
    "class",
    "copy",
    "editable",
    "highlight",
    "hl_lines",
    "id",
    "ignore",
    "lang",
    "language",
    "line-numbers",
    "linenos",
    "linenumbers",
    "live",
    "no_run",
    "nocopy",
    "nowrap",
    "numberlines",
    "playground",
    "showlinenumbers",
    "theme",
    "twoslash",
    "wrap",
];

/// Attributes with the number of the first line: that of a whole file is 1.
const FIRST_LINE: [&str; 5] = [
    "firstline",
    "firstnumber",
    "linenostart",
    "linenums",
    "startfrom",
];

/// First words of media types.
const MEDIA: [&str; 8] = [
    "application",
    "audio",
    "font",
    "image",
    "message",
    "multipart",
    "text",
    "video",
];

/// Languages with a dot in their names.
const DOTTED_LANGUAGES: [&str; 8] = [
    "asp.net",
    "blade.php",
    "d.ts",
    "html.eex",
    "html.erb",
    "html.heex",
    "node.js",
    "vb.net",
];

/// The words of an info string.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InfoString<'a> {
    /// The name of a file.
    pub(super) name: Option<&'a str>,
    /// True if there are words of which nobody knows what they mean, or the name itself is in doubt.
    pub(super) is_doubtful: bool,
}

impl<'a> InfoString<'a> {
    pub(super) fn of(info: &'a str) -> Self {
        let mut found = Self::default();
        let (mut is_titled, mut is_marked) = (false, false);
        for (at, (word, is_braced)) in words(info).into_iter().enumerate() {
            match Word::of(word, is_braced, at == 0) {
                Word::Known => (),
                Word::Marked => is_marked = true,
                Word::Unknown => found.is_doubtful = true,
                Word::Name { name, is_sure } => {
                    found.is_doubtful |= !is_sure || found.name.is_some_and(|known| known != name);
                    found.name.get_or_insert(name);
                    is_titled |= word.contains(['=', '"']);
                }
            }
        }
        // Beside a bare name, the numbers may be those of the lines below.
        found.is_doubtful |= is_marked && found.name.is_some() && !is_titled;
        found
    }
}

/// A word of an info string.
enum Word<'a> {
    /// The language, or what changes only how the text is shown.
    Known,
    /// Numbers of lines in braces.
    Marked,
    Name {
        name: &'a str,
        is_sure: bool,
    },
    Unknown,
}

impl<'a> Word<'a> {
    fn of(word: &'a str, is_braced: bool, is_first: bool) -> Self {
        if is_braced && word.bytes().all(|c| c.is_ascii_digit() || c == b'-') {
            return Self::Marked;
        }
        let is_class = word.starts_with(['.', '#', '=']) && !word[1..].contains(['.', '/', '=']);
        if is_braced && is_class {
            return Self::Known;
        }
        if let Some(attribute) = Self::attribute(word) {
            return attribute;
        }
        let plain = word.to_lowercase();
        let is_media = (plain.split_once('/')).is_some_and(|(kind, _)| MEDIA.contains(&kind));
        let is_language = is_first && DOTTED_LANGUAGES.contains(&plain.as_str());
        let is_unnamed = is_language || (is_media && !has_extension(word));
        match Self::name(word).filter(|_| !is_unnamed) {
            Some(name) => name,
            None if is_first || DISPLAY.contains(&plain.as_str()) => Self::Known,
            None => Self::Unknown,
        }
    }

    /// Reads `key=value`, `key:value` and `"key":"value"`.
    fn attribute(word: &'a str) -> Option<Self> {
        let (key, value) = word.split_once(['=', ':'])?;
        let key = unquoted(key).to_lowercase();
        let value = unquoted(value);
        if FILE_KEYS.contains(&key.as_str()) {
            let found = if value.contains(char::is_whitespace) {
                let name = value.split_whitespace().find_map(Self::name);
                name.map(Self::in_doubt)
            } else {
                Self::name(value)
            };
            return Some(found.unwrap_or(Self::Known));
        }
        if !word.contains('=') {
            return None;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if FIRST_LINE.contains(&key.as_str()) && matches!(value, "1" | "true" | "True")
            || DISPLAY.contains(&key.as_str())
        {
            Some(Self::Known)
        } else {
            key.chars().all(is_word).then_some(Self::Unknown)
        }
    }

    /// Reads a word as a name, maybe behind the language.
    fn name(word: &'a str) -> Option<Self> {
        let word = unquoted(word);
        let core = word
            .trim_start_matches(['[', '(', '<', '{', '#', '@'])
            .trim_end_matches([']', ')', '>', '}', ':', ',', ';']);
        let is_language = |text: &str| text.len() > 1 && !text.contains(['.', '/', '\\']);
        if let Some((language, name)) = word.rsplit_once(':')
            && is_language(language)
            && let Some(name) = Self::name(name)
        {
            return Some(name);
        }
        if let Some((language, name)) = core.split_once(['#', '@', ';'])
            && is_language(language)
            && has_extension(name)
        {
            return Some(Self::Name {
                name,
                is_sure: false,
            });
        }
        let is_mention = word.starts_with('@');
        let is_sure = match NameShape::of(word) {
            NameShape::File if is_mention => false,
            NameShape::File => {
                return Some(Self::Name {
                    name: word,
                    is_sure: true,
                });
            }
            NameShape::Part(name) => {
                return Some(Self::Name {
                    name,
                    is_sure: false,
                });
            }
            NameShape::Folder | NameShape::Odd => false,
            NameShape::None if core != word && is_path(core) && has_extension(core) => {
                return Some(Self::Name {
                    name: core,
                    is_sure: false,
                });
            }
            NameShape::None => return None,
        };
        let name = if has_extension(core) { core } else { word };
        Some(Self::Name { name, is_sure })
    }

    fn in_doubt(self) -> Self {
        match self {
            Self::Name { name, .. } => Self::Name {
                name,
                is_sure: false,
            },
            Self::Known | Self::Marked | Self::Unknown => self,
        }
    }
}

fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// The words of an info string, and whether braces are around each. Blanks in quotes are part of a word.
fn words(info: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut quote = None;
    let mut is_braced = false;
    for (at, c) in info.char_indices() {
        match c {
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != c),
            '{' if start.is_none() && !is_braced => is_braced = true,
            '}' | ',' if is_braced => {
                found.extend(start.take().map(|start| (&info[start..at], true)));
                is_braced = c != '}';
            }
            _ if c.is_whitespace() => {
                found.extend(start.take().map(|start| (&info[start..at], is_braced)));
            }
            _ => {
                start.get_or_insert(at);
                quote = matches!(c, '"' | '\'').then_some(c);
            }
        }
    }
    found.extend(start.map(|start| (&info[start..], is_braced)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_words_beside_a_name_leave_no_doubt() {
        let check = |info: &str, expected: &str| {
            let found = InfoString::of(info);
            let doubt = if found.is_doubtful { "?" } else { "" };
            let name = found.name.unwrap_or_default();
            assert_eq!(format!("{name}{doubt}"), expected, "{info:?}");
        };
        check("", "");
        check("src/a.py", "src/a.py");
        check("python src/a.py", "src/a.py");
        check("python:src/a.py", "src/a.py");
        check("python \"src/a.py\"", "src/a.py");
        check("js title=\"src/a.js\"", "src/a.js");
        check("js title=\"src/a.js\" {2-3} showLineNumbers", "src/a.js");
        check("{.rust filename=\"src/x.rs\" .numberLines}", "src/x.rs");
        check("rust {title: \"src/x.rs\"}", "src/x.rs");
        check("rust {\"file\":\"src/x.rs\"}", "src/x.rs");
        check("rust {src/x.rs}", "src/x.rs");
        check("ts src/[id].tsx", "src/[id].tsx");
        check("python src/a.py linenums=\"1\"", "src/a.py");
        // An excerpt, or who knows.
        for info in [
            "python src/a.py (2-2)",
            "python src/a.py {2-2}",
            "python src/a.py mode=EXCERPT",
            "python src/a.py excerpt",
            "python src/a.py (partial)",
            "python src/a.py add()",
            "python src/a.py range=2-2",
            "python src/a.py linenostart=2",
            "python title=\"src/a.py (excerpt)\"",
            "python title=\"src/a.py#L2\"",
            "python {title=\"src/a.py\" linenos start=2}",
            "python src/a.py:add",
            "src/a.py(2,1)",
            "src/a.py;2",
            "[src/a.py]",
            "python (src/a.py)",
            "python#src/a.py",
            "python @src/a.py",
            "src/a.py:",
        ] {
            check(info, "src/a.py?");
        }
        check("js a.js b.js", "a.js?");
        check("js @a.js", "a.js?");
        check("sh bin/run", "bin/run?");
        // No names.
        for info in [
            "{.python}",
            "{r, echo=FALSE}",
            "js {1,3-5}",
            "python hl_lines=\"2 3\"",
            "text/x-rust",
            "application/json",
            "python3.11",
            "vb.net",
            "html.erb",
            "c++17",
        ] {
            let found = InfoString::of(info).name;
            assert_eq!(found, None, "{info}");
        }
    }
}
