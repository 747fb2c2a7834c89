//! Words that look like names of files.

/// Names without a dot or a slash that are known to be files.
pub(super) const KNOWN: [&str; 20] = [
    "AUTHORS",
    "BUILD",
    "Brewfile",
    "CHANGELOG",
    "CODEOWNERS",
    "COPYING",
    "Containerfile",
    "Dockerfile",
    "Gemfile",
    "INSTALL",
    "Jenkinsfile",
    "Justfile",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "Procfile",
    "README",
    "Rakefile",
    "Vagrantfile",
    "justfile",
];

/// Products whose names look like those of files. `.NET` and `.IO` in capitals are no extensions either.
const PRODUCTS: [&str; 37] = [
    "Alpine.js",
    "Angular.js",
    "Babylon.js",
    "Backbone.js",
    "Bootstrap.js",
    "Chart.js",
    "D3.js",
    "Day.js",
    "Discord.js",
    "Electron.js",
    "Ember.js",
    "Express.js",
    "Fastify.js",
    "Gatsby.js",
    "Handlebars.js",
    "Hapi.js",
    "Knockout.js",
    "Koa.js",
    "Meteor.js",
    "Moment.js",
    "Nest.js",
    "Next.js",
    "Node.js",
    "Nuxt.js",
    "P5.js",
    "Phaser.js",
    "Preact.js",
    "React.js",
    "Remix.js",
    "Sails.js",
    "Solid.js",
    "Svelte.js",
    "TensorFlow.js",
    "Three.js",
    "Underscore.js",
    "Vite.js",
    "Vue.js",
];

/// Returns `true` for a name without folders that is that of a product at least as often as that of a file.
pub(super) fn is_product(name: &str) -> bool {
    let (_, ending) = name.rsplit_once('.').unwrap_or_default();
    PRODUCTS.contains(&name) || (matches!(ending, "NET" | "IO") && !name.contains(['/', '\\']))
}

/// Signs between the name of a file and what names a part of it.
const PART_SIGNS: [char; 9] = ['#', '@', '?', '~', '+', ';', ':', '(', '†'];

/// Sort of a word that is set apart as the name of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameShape<'a> {
    /// A name with an extension, or a known one without.
    File,
    /// Words between slashes: a file without an extension, or words of prose, such as `and/or`.
    Folder,
    /// A file and a part of it: `src/a.py::add`, `src/a.py#L2`, `src/a.py(2)`. Has the name of the file.
    Part(&'a str),
    /// A name with signs that names of files rarely have.
    Odd,
    /// A word of prose or code, or a version.
    None,
}

impl<'a> NameShape<'a> {
    pub(super) fn of(word: &'a str) -> Self {
        if let Some(name) = file_of_part(word) {
            return Self::Part(name);
        }
        let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let is_odd = |c: char| matches!(c, '{' | '}' | ';' | '=' | '#' | '†');
        if KNOWN.contains(&word) {
            Self::File
        } else if !is_path(word) {
            Self::None
        } else if word.contains(is_odd) || word.contains("::") || word.starts_with('[') {
            Self::Odd
        } else if has_extension(word) || KNOWN.contains(&last) {
            Self::File
        } else if word.contains(['/', '\\']) {
            Self::Folder
        } else {
            Self::None
        }
    }
}

/// Returns the name of the file of which a word names a part.
fn file_of_part(word: &str) -> Option<&str> {
    word.match_indices(PART_SIGNS).find_map(|(at, sign)| {
        let (name, part) = (&word[..at], &word[at + sign.len()..]);
        let is_part = match sign {
            "(" => part.ends_with(')'),
            ":" => part.starts_with(':') || !part.contains('.'),
            _ => !has_extension(part),
        };
        let is_named = is_part && part.contains(char::is_alphanumeric) && !part.contains('/');
        (is_named && is_path(name) && has_extension(name)).then_some(name)
    })
}

/// Returns `true` for a name whose last part ends with a dot and letters, unlike a version.
pub(super) fn has_extension(name: &str) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let Some((_, extension)) = last.rsplit_once('.') else {
        return false;
    };
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '~');
    let is_word = extension.starts_with(char::is_alphabetic) && extension.chars().all(is_letter);
    let has_letters = extension.contains(char::is_alphabetic);
    is_word || (has_letters && extension.chars().all(char::is_alphanumeric))
}

/// Returns `true` for a word that can only be a path.
pub(super) fn is_path(word: &str) -> bool {
    let parted = word.contains(['.', '/', '\\']);
    // A name that ends with a slash is that of a folder.
    let ends_sentence = word.ends_with(['.', '!', '?', ',', ';', ':', ')', '/', '\\']);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_known() {
        for name in ["Node.js", "ASP.NET", "Socket.IO"] {
            assert!(is_product(name), "{name}");
        }
        for name in ["node.js", "App.js", "src/Node.js", "a/b.NET", "main.io"] {
            assert!(!is_product(name), "{name}");
        }
    }

    #[test]
    fn words_have_a_shape() {
        let check = |word: &str, expected: NameShape| {
            assert_eq!(NameShape::of(word), expected, "{word:?}");
        };
        for word in [
            "src/a.py",
            "Makefile",
            "docker/Dockerfile",
            ".gitignore",
            "a.7z",
            "app/(group)/page.tsx",
            "src/[id].tsx",
            "icon@2x.png",
            "@types/a.d.ts",
            "src/routes/+page.svelte",
            "文档.md",
        ] {
            check(word, NameShape::File);
        }
        for word in ["and/or", "bin/run", "docs/git.1"] {
            check(word, NameShape::Folder);
        }
        for word in [
            "src/a.py::add",
            "src/a.py::Foo.add",
            "src/a.py:add",
            "src/a.py:2:5",
            "src/a.py#add",
            "src/a.py@L2",
            "src/a.py;2",
            "src/a.py(2,1)",
            "src/a.py†L2-L2",
        ] {
            check(word, NameShape::Part("src/a.py"));
        }
        for word in ["{name}.py", "path=src/a.py", "[a.py]"] {
            check(word, NameShape::Odd);
        }
        for word in [
            "Output",
            "POST",
            "add",
            "add()",
            "1.0.0",
            "v1.2.3",
            "127.0.0.1",
            "python3.11",
            "localhost:8080",
            "x=1",
            "e.g.",
            "src/",
            "a\\\\",
            "",
        ] {
            check(word, NameShape::None);
        }
    }
}
