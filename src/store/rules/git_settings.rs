//! Settings of git, and the paths in their values, as `git-config(1)` describes them.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::path::{Component, Path, PathBuf};
use std::str::Chars;

/// A setting of git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::store) struct GitSetting {
    /// Section, subsection and name with dots between them, as they are written.
    pub(in crate::store) key: String,
    pub(in crate::store) value: String,
}

/// The most folders that a command is taken to change to.
const MOST_FOLDERS: usize = 16;

/// Role of the value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum ValueKind {
    /// A file with more settings.
    Include,
    /// The path of a file or folder.
    Path,
    /// A command.
    Command,
    /// A value that makes git neither read nor run a file.
    Data,
}

/// Ends of the names of settings whose values are commands or keys.
const COMMANDS: [&str; 27] = [
    "agent",
    "args",
    "askpass",
    "browser",
    "cainfo",
    "cert",
    "clean",
    "cmd",
    "command",
    "driver",
    "editor",
    "exec",
    "external",
    "filter",
    "fsmonitor",
    "helper",
    "hook",
    "httpd",
    "key",
    "pack",
    "pager",
    "process",
    "program",
    "proxy",
    "smudge",
    "textconv",
    "vcs",
];
/// Sections whose other settings are words and texts.
const WORDS: [&str; 23] = [
    "advice",
    "bundle",
    "column",
    "completion",
    "fetch",
    "format",
    "grep",
    "i18n",
    "init",
    "log",
    "notes",
    "pack",
    "protocol",
    "pull",
    "push",
    "rebase",
    "rerere",
    "showbranch",
    "stash",
    "status",
    "tag",
    "transfer",
    "versionsort",
];

/// Values that switch something on or off, or choose when. As the name of a command they would be looked for in `PATH`.
const SWITCHES: [&str; 10] = [
    "true", "false", "yes", "no", "on", "off", "input", "auto", "always", "never",
];

impl GitSetting {
    pub(in crate::store) fn new(key: &str, value: &str) -> Self {
        Self {
            key: key.to_owned(),
            value: value.to_owned(),
        }
    }

    /// Returns the role of the value. A setting that is not known holds a command if its value has several words or a path.
    pub(in crate::store) fn kind(&self) -> ValueKind {
        let key = self.key.to_ascii_lowercase();
        let section = key.split('.').next().unwrap_or_default();
        let name = key.rsplit('.').next().unwrap_or_default();
        // `ext::COMMAND` in place of a URL is run, and `!COMMAND` in place of a word.
        let is_run =
            self.key.contains("::") || self.value.contains("::") || self.value.starts_with('!');
        let names_command = section == "pager" || COMMANDS.iter().any(|end| name.ends_with(end));
        let is_one_word = !self.value.contains(|c: char| c.is_whitespace() || c == '/');
        let is_data = match section {
            "remote" | "url" if is_run => false,
            "author" | "branch" | "color" | "committer" | "extensions" | "mailmap" | "safe"
            | "url" => true,
            "user" => matches!(name, "name" | "email"),
            "remote" => matches!(name, "url" | "pushurl" | "fetch" | "push"),
            "submodule" => name != "update",
            "alias" => !self.value.starts_with('!'),
            "blame" => name == "ignorerevsfile",
            "commit" => name == "template",
            "core" => matches!(name, "worktree" | "commentchar" | "commentstring"),
            _ => false,
        };
        let is_path = ["path", "file", "dir", "directory"];
        if is_data {
            ValueKind::Data
        } else if matches!(section, "include" | "includeif") && name == "path" {
            ValueKind::Include
        } else if is_path.iter().any(|end| name.ends_with(end)) {
            ValueKind::Path
        } else if SWITCHES.contains(&self.value.to_ascii_lowercase().as_str()) {
            ValueKind::Data
        } else if is_run || names_command {
            ValueKind::Command
        } else if is_one_word || WORDS.contains(&section) {
            // A program of this name would be looked for in `PATH`.
            ValueKind::Data
        } else {
            ValueKind::Command
        }
    }

    /// Returns the texts in the value that may be paths: the value, the words of it as a shell reads them, and the parts between quotes
    /// and signs, for a command within another one.
    pub(in crate::store) fn words(&self) -> BTreeSet<String> {
        let is_apart = |c: char| c.is_whitespace() || ";|&()<>{}`!".contains(c);
        let is_sign = |c: char| is_apart(c) || "\"'=,:".contains(c);
        let mut words: BTreeSet<String> = BTreeSet::from([self.value.clone()]);
        words.extend(self.value.split(['"', '\'']).map(str::to_owned));
        words.extend(self.value.split(is_sign).map(str::to_owned));
        let mut word = String::new();
        let mut quote = None;
        let mut rest = self.value.chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' if quote != Some('\'') => word.extend(rest.next()),
                _ if quote == Some(c) => quote = None,
                '"' | '\'' if quote.is_none() => quote = Some(c),
                _ if quote.is_none() && is_apart(c) => {
                    words.insert(std::mem::take(&mut word));
                }
                _ => word.push(c),
            }
        }
        words.insert(word);
        // The value of a variable or a command in front is not known.
        let is_computed = self.value.contains(['$', '`']);
        let below: Vec<String> = words
            .iter()
            .filter(|_| is_computed)
            .filter_map(|word| match word.rsplit_once('$') {
                Some((_, rest)) => rest.split_once('/'),
                None => word.split_once('/').filter(|(front, _)| front.is_empty()),
            })
            .map(|(_, rest)| rest.to_owned())
            .collect();
        words.extend(below);
        words.remove("");
        words
    }
}

/// Returns the folders in which a command may be run that contains these words: the top, and those that it may change to one after the
/// other. `is_folder` tells whether a path below the top is one.
pub(in crate::store) fn folders_of(
    words: &BTreeSet<String>,
    is_folder: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::new()];
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        for word in words.iter().filter(|word| !word.starts_with(['/', '~'])) {
            let inner = normal(&folder.join(word));
            if folders.len() < MOST_FOLDERS && !folders.contains(&inner) && is_folder(&inner) {
                folders.push(inner);
            }
        }
    }
    folders
}

/// Returns a path without parts that stay in a folder.
fn normal(path: &Path) -> PathBuf {
    let is_step = |part: &Component<'_>| *part != Component::CurDir;
    path.components().filter(is_step).collect()
}

/// Reads settings. A line that is not understood is left out, as git refuses the file.
pub(in crate::store) fn git_settings(text: &str) -> Vec<GitSetting> {
    let mut settings = Vec::new();
    let mut section = String::new();
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut rest = text.chars().peekable();
    while let Some(&c) = rest.peek() {
        if c.is_whitespace() {
            rest.next();
        } else if c == '[' {
            rest.next();
            section = section_name(&mut rest);
        } else if c.is_ascii_alphanumeric() {
            let name = take_while(&mut rest, |c| c.is_ascii_alphanumeric() || c == '-');
            take_while(&mut rest, |c| c == ' ' || c == '\t');
            if rest.next_if_eq(&'=').is_some() {
                let value = value(&mut rest);
                settings.push(GitSetting::new(&format!("{section}.{name}"), &value));
            }
        } else {
            take_while(&mut rest, |c| c != '\n');
        }
    }
    settings
}

/// Reads the name of a section behind its bracket.
fn section_name(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut name = String::new();
    let mut is_quoted = false;
    while let Some(c) = rest.next_if(|c| *c != '\n') {
        match c {
            ']' if !is_quoted => break,
            '"' if !is_quoted && !name.ends_with('.') => {
                name.push('.');
                is_quoted = true;
            }
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => name.extend(rest.next()),
            ' ' | '\t' if !is_quoted => (),
            _ => name.push(c),
        }
    }
    name
}

/// Reads a value behind its sign.
fn value(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut value = String::new();
    let mut length = 0;
    let mut is_quoted = false;
    take_while(rest, |c| c == ' ' || c == '\t');
    while let Some(c) = rest.next() {
        match c {
            '\n' => break,
            '#' | ';' if !is_quoted => {
                take_while(rest, |c| c != '\n');
                continue;
            }
            '"' => {
                is_quoted = !is_quoted;
                length = value.len();
                continue;
            }
            '\\' => match rest.next() {
                Some('\n') | None => continue,
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some(c) => value.push(c),
            },
            _ => value.push(c),
        }
        if is_quoted || !c.is_whitespace() {
            length = value.len();
        }
    }
    value.truncate(length);
    value
}

fn take_while(rest: &mut Peekable<Chars<'_>>, is_in: impl Fn(char) -> bool) -> String {
    let mut taken = String::new();
    while let Some(c) = rest.next_if(|c| is_in(*c)) {
        taken.push(c);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let expected = expected.iter().map(|(key, value)| GitSetting {
                key: (*key).to_owned(),
                value: (*value).to_owned(),
            });
            let expected: Vec<_> = expected.collect();
            assert_eq!(git_settings(text), expected, "{text:?}");
        };
        check(
            "[core]\n\tbare = false\n\thooksPath = tools/hooks\n",
            &[("core.bare", "false"), ("core.hooksPath", "tools/hooks")],
        );
        check("[Core] a-b=x y # ours\n", &[("Core.a-b", "x y")]);
        check(
            "[core]\nHOOKSPATH = \"a b;c\"\r\n",
            &[("core.HOOKSPATH", "a b;c")],
        );
        check(
            "\u{feff}[core]\n# a = x\n; b = y\nbare\nc = z",
            &[("core.c", "z")],
        );
        check(
            "[hook \"A.\\\"b\"]\ncommand = a \\\n  b \" c \" \\\"\n[x.y]k=1",
            &[("hook.A.\"b.command", "a   b  c  \""), ("x.y.k", "1")],
        );
        check("[a]\n=\n?\nb = \\", &[("a.b", "")]);
        check("", &[]);
        check("[", &[]);
    }

    #[test]
    fn the_role_of_a_value_is_known_by_its_key() {
        let check = |key: &str, value: &str, expected: ValueKind| {
            assert_eq!(GitSetting::new(key, value).kind(), expected, "{key}");
        };
        check("include.path", "x", ValueKind::Include);
        check("includeIf.gitdir:~/a/.path", "x", ValueKind::Include);
        check("core.hooksPath", "x", ValueKind::Path);
        check("CORE.HOOKSPATH", "x", ValueKind::Path);
        check("core.attributesFile", "x", ValueKind::Path);
        check("init.templateDir", "x", ValueKind::Path);
        check("core.fsmonitor", "x", ValueKind::Command);
        check("hook.lint.command", "x", ValueKind::Command);
        check("remote.origin.uploadpack", "x", ValueKind::Command);
        check("submodule.a.update", "!x", ValueKind::Command);
        check("submodule.a.update", "rebase", ValueKind::Data);
        check("pager.log", "x", ValueKind::Command);
        check("diff.a.textconv", "x", ValueKind::Command);
        check("credential.helper", "x", ValueKind::Command);
        check("core.commentChar", "x", ValueKind::Data);
        check("core.commentString", "x y", ValueKind::Data);
        check("init.defaultBranch", "a/x", ValueKind::Data);
        check("merge.tool", "x", ValueKind::Data);
        check("format.subjectPrefix", "x y", ValueKind::Data);
        check("alias.x", "!x", ValueKind::Command);
        check("user.signingKey", "x", ValueKind::Command);
        check("new.unknown", "x", ValueKind::Data);
        check("new.unknown", "sh x", ValueKind::Command);
        check("new.unknown", "a/x", ValueKind::Command);
        check("remote.origin.url", "ext::x", ValueKind::Command);
        check("url.ext::x.insteadOf", "y", ValueKind::Command);
        check("core.autocrlf", "input", ValueKind::Data);
        check("core.fileMode", "True", ValueKind::Data);
        check("core.hooksPath", "input", ValueKind::Path);
        for key in [
            "user.name",
            "remote.origin.url",
            "branch.main.merge",
            "submodule.a.url",
            "alias.x",
            "core.worktree",
            "blame.ignoreRevsFile",
        ] {
            check(key, "x", ValueKind::Data);
        }
    }

    #[test]
    fn a_command_may_change_to_other_folders() {
        let check = |value: &str, expected: &[&str]| {
            let words = GitSetting::new("a.command", value).words();
            let is_folder =
                |path: &Path| ["tools", "tools/in", "b"].contains(&path.to_str().unwrap());
            let found = folders_of(&words, is_folder);
            let found: Vec<&str> = found.iter().map(|path| path.to_str().unwrap()).collect();
            assert_eq!(found, expected, "{value}");
        };
        check("./f", &[""]);
        check("cd tools; ./f", &["", "tools"]);
        check(
            "sh -c 'cd ./tools && cd in && ./f'",
            &["", "tools", "tools/in"],
        );
        check("(cd b && ./f) | (cd tools/in; ./g)", &["", "b", "tools/in"]);
        check("cd /tools; ./f", &[""]);
    }

    #[test]
    fn every_word_that_a_shell_would_read_counts() {
        let check = |value: &str, path: &str, expected: bool| {
            let words = GitSetting::new("a.b", value).words();
            assert_eq!(words.contains(path), expected, "{value}: {words:?}");
        };
        check("tools/a.sh", "tools/a.sh", true);
        check("!tools/a.sh", "tools/a.sh", true);
        check("python tools/a.py --x", "tools/a.py", true);
        check("a --config=tools/a.py", "tools/a.py", true);
        check("sh -c 'cd x; tools/a.sh'", "tools/a.sh", true);
        check("'my tools/a.sh' -x", "my tools/a.sh", true);
        check("my\\ tools/a.sh -x", "my tools/a.sh", true);
        check("to\"ols\"/a.sh", "tools/a.sh", true);
        check(
            "$(git rev-parse --show-toplevel)/tools/a.sh",
            "tools/a.sh",
            true,
        );
        check("\"$GIT_WORK_TREE/tools/a.sh\"", "tools/a.sh", true);
        check("/usr/bin/a", "usr/bin/a", false);
        check("tools/a.sh", "tools", false);
    }
}
