//! Protected files: a change of one can widen what an agent may do, or make another program run what the agent wrote.
//!
//! A person may accept such a change, one by one. A batch that is accepted as a whole leaves it out.

use std::borrow::Cow;
use std::fmt;
use std::iter;
use std::ops::Range;
use std::path::{Component, Path};
use std::sync::LazyLock;

use cap_std::fs::Metadata;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::root::Root;
use super::symlinks::Admitted;
use crate::parallel;
use crate::proposal::{PathClaim, RepoPath};
use crate::store::folder::folder_handle::{NameKind, OpenFolders};
use crate::store::rules::guard::Forbidden;
use crate::store::rules::ignore_rules::IgnoreFiles;
use crate::store::rules::name_folding::folded;
use crate::store::rules::ordinary_names::{DATA, ORDINARY};
use crate::store::rules::own_files::OwnFile;
use crate::store::rules::protected_names::PROTECTED;
use crate::store::rules::protection::Protected;

impl Protected {
    /// Returns why a file is protected by its name alone.
    pub fn by_name(path: &RepoPath) -> Option<Self> {
        by_name(path.as_path())
    }
}

fn by_name(path: &Path) -> Option<Protected> {
    let parts = folded_parts(path);
    PROTECTED_PATTERNS
        .iter()
        .find(|(_, pattern)| pattern.covers(&parts).is_some())
        .map(|(why, _)| why.clone())
        .or_else(|| hidden(&parts))
}

fn folded_parts(path: &Path) -> Vec<Cow<'_, str>> {
    path.components()
        .map(Component::as_os_str)
        .map(|part| match part.to_str() {
            Some(part) => folded(part),
            None => Cow::Owned(part.to_string_lossy().into_owned()),
        })
        .collect()
}

/// Returns why a file below a folder may be protected by a pattern that names the folder and the file.
fn by_name_of_folder(path: &Path) -> Option<Protected> {
    let parts = folded_parts(path);
    PROTECTED_PATTERNS
        .iter()
        .find(|(_, pattern)| pattern.begins_in(&parts))
        .map(|(why, _)| why.clone())
}

/// Returns why a path is protected for a part that begins with a dot, unless all of these are ordinary.
fn hidden(parts: &[Cow<'_, str>]) -> Option<Protected> {
    let patterns = ORDINARY_PATTERNS.iter();
    let ordinary: Vec<_> = patterns
        .filter_map(|pattern| pattern.covers(parts))
        .collect();
    let at = (0..parts.len()).find(|at| {
        parts[*at].starts_with('.') && !ordinary.iter().any(|covered| covered.contains(at))
    })?;
    let name = &parts[at];
    let says_what_to_ignore = name.ends_with("ignore") && at + 1 == parts.len();
    Some(if says_what_to_ignore {
        Protected::IgnoreFile
    } else {
        Protected::Tool
    })
}

/// The patterns of [`PROTECTED`], each with its reason.
static PROTECTED_PATTERNS: LazyLock<Vec<(Protected, Pattern)>> = LazyLock::new(|| {
    let patterns = PROTECTED.iter().flat_map(|(why, patterns)| {
        let patterns = patterns.iter().map(|pattern| Pattern::parse(pattern));
        patterns.map(move |pattern| (why.clone(), pattern))
    });
    patterns.collect()
});

/// The patterns of [`ORDINARY`].
static ORDINARY_PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    ORDINARY
        .iter()
        .map(|pattern| Pattern::parse(pattern).of_data())
        .collect()
});

/// A pattern of [`protected_names`](crate::store::rules::protected_names).
struct Pattern {
    names: Vec<NamePattern>,
    is_at_top: bool,
    is_folder: bool,
}

/// A pattern for one part of a path.
enum NamePattern {
    Exact(&'static str),
    /// Anything between a front and an end.
    Around(&'static str, &'static str),
    /// A front, and the rest of the name of a file of data.
    Data(&'static str),
}

impl Pattern {
    fn parse(pattern: &'static str) -> Self {
        let names = pattern.trim_matches('/').split('/');
        let names = names.map(|name| match name.split_once('*') {
            None => NamePattern::Exact(name),
            Some((front, end)) => NamePattern::Around(front, end),
        });
        Self {
            names: names.collect(),
            is_at_top: pattern.starts_with('/'),
            is_folder: pattern.ends_with('/'),
        }
    }

    /// Returns the same pattern, whose `*` at the end matches names of data only.
    fn of_data(mut self) -> Self {
        if let Some(last) = self.names.last_mut()
            && let NamePattern::Around(front, "") = *last
        {
            *last = NamePattern::Data(front);
        }
        self
    }

    /// Returns the parts of a path that it matches.
    fn covers(&self, parts: &[Cow<'_, str>]) -> Option<Range<usize>> {
        let count = self.names.len();
        let last_start = parts.len().checked_sub(count)?;
        let mut starts = match (self.is_at_top, self.is_folder) {
            (true, true) => 0..1,
            (true, false) => last_start..(last_start + 1).min(1),
            (false, true) => 0..last_start + 1,
            (false, false) => last_start..last_start + 1,
        };
        let start = starts.find(|&start| matches_all(&self.names, &parts[start..]))?;
        Some(start..start + count)
    }

    /// Returns true if the first of its names, but not all, match the end of the path of a folder.
    fn begins_in(&self, parts: &[Cow<'_, str>]) -> bool {
        (1..self.names.len()).any(|count| {
            let start = parts.len().checked_sub(count);
            start.is_some_and(|start| {
                (start == 0 || !self.is_at_top)
                    && matches_all(&self.names[..count], &parts[start..])
            })
        })
    }
}

/// Returns true if each name matches its part; parts that are too many are not looked at.
fn matches_all(names: &[NamePattern], parts: &[Cow<'_, str>]) -> bool {
    names
        .iter()
        .zip(parts)
        .all(|(name, part)| name.matches(part))
}

impl NamePattern {
    fn matches(&self, part: &str) -> bool {
        match self {
            Self::Exact(name) => *name == part,
            Self::Around(front, end) => part
                .strip_prefix(front)
                .is_some_and(|rest| rest.ends_with(end)),
            Self::Data(front) => {
                let extension = part.get(1..).and_then(|name| name.rsplit_once('.'));
                part.starts_with(front)
                    && extension.is_none_or(|(_, extension)| DATA.contains(&extension))
            }
        }
    }
}

/// Compiles patterns of the settings, which are checked when they are read; case does not count.
fn rules<'a>(patterns: impl IntoIterator<Item = &'a (impl AsRef<str> + 'a + ?Sized)>) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    // Only this one setting of the builder cannot fail.
    let _: Result<_, ignore::Error> = builder.case_insensitive(true);
    for pattern in patterns {
        let _: Result<_, ignore::Error> = builder.add_line(None, pattern.as_ref());
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

fn hit(rules: &Gitignore, path: &Path) -> bool {
    !rules.is_empty() && rules.matched_path_or_any_parents(path, false).is_ignore()
}

impl fmt::Display for Protected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IgnoreFile => "limits which files agents may touch",
            Self::Settings => "configures how edits are reviewed",
            Self::Git => "makes git run or fetch something",
            Self::Environment => "makes an editor or a shell run something",
            Self::Keys => "holds keys or decides who may log in",
            Self::Packages => "configures what a package manager fetches and runs",
            Self::Agent => "instructs or configures agents",
            Self::Workflow => "decides what runs when the work is pushed, or who reviews it",
            Self::Tool => "has a hidden name, and tools read such files unasked",
            Self::Configured => "listed in the setting `guard.protected`",
            Self::OtherNames => {
                "has other names (hard links), perhaps outside, that change with it"
            }
            Self::Linked { link, target, why } => {
                return write!(f, "{target} is what {link} leads to ({why})");
            }
            Self::LinksUnread { folder, error } => {
                return write!(
                    f,
                    "a link in `{folder}` may make it a protected file, and cannot be read: {error}"
                );
            }
        })
    }
}

impl Root {
    /// Returns why a file is not to be changed in a batch: for its own name, for that of the file that it leads to, or
    /// because the file has other names.
    pub fn protection(&self, path: &RepoPath) -> Option<Protected> {
        self.protection_in(&mut OpenFolders::new(self.dir()), path)
    }

    /// Resolves claims to files, and finds why each may not be accepted in a batch. Uses all cores.
    ///
    /// # Errors
    ///
    /// The error of [`Root::resolve`], for each claim.
    pub fn resolve_all(
        &self,
        claims: &[&PathClaim],
    ) -> Vec<Result<(RepoPath, Option<Protected>), Forbidden>> {
        let own = || OpenFolders::new(self.dir());
        parallel::map_with(claims, own, |folders, claim| {
            let (path, admitted) = self.resolve_admitted(folders, claim)?;
            let protected = self
                .protection_by_name(&path)
                .or_else(|| self.protection_of_target(&path, &admitted));
            Ok((path, protected))
        })
    }

    fn protection_in(&self, folders: &mut OpenFolders<'_>, path: &RepoPath) -> Option<Protected> {
        self.protection_by_name(path).or_else(|| {
            let admitted = self.admitted(folders, path).ok()?;
            self.protection_of_target(path, &admitted)
        })
    }

    /// Returns why the file that a path leads to is protected.
    fn protection_of_target(&self, path: &RepoPath, admitted: &Admitted) -> Option<Protected> {
        let Admitted { target, stat } = admitted;
        let has_other_names =
            stat.is_some_and(|stat| stat.kind == NameKind::File && stat.links > 1);
        let by_name = (target != path).then(|| self.protection_by_name(target));
        by_name
            .flatten()
            .or_else(|| self.protection_by_link(target))
            .or_else(|| self.protection_of_step(path).filter(|_| target != path))
            .or_else(|| has_other_names.then_some(Protected::OtherNames))
    }

    /// Protects files that these patterns match as well, and reads files of these names as ignore files too.
    #[must_use]
    pub fn guarding(mut self, patterns: &[String], ignore_files: &[String]) -> Self {
        self.protected = rules(patterns.iter().chain(ignore_files));
        self.ignore_files = IgnoreFiles::named(ignore_files.to_vec());
        self
    }

    /// Returns why a name, as seen from the top of the repository, is protected, whatever is there.
    pub(super) fn protection_of_name_from_top(&self, name: &Path) -> Option<Protected> {
        let inside = self.enclosing.seen_from_root(name);
        let names = || iter::once(name).chain(inside);
        names().find_map(by_name).or_else(|| {
            let is_configured = names().any(|name| hit(&self.protected, name));
            is_configured.then_some(Protected::Configured)
        })
    }

    /// Returns why a file below a folder, given as seen from the top of the repository, may be protected by the name of the folder.
    pub(super) fn protection_below(&self, folder: &Path) -> Option<Protected> {
        let inside = self.enclosing.seen_from_root(folder);
        let by_folder = || iter::once(folder).chain(inside).find_map(by_name_of_folder);
        (self.protection_of_name_from_top(&folder.join("x"))).or_else(by_folder)
    }

    /// Returns why a link to a path may not be made in a batch, if that is or may become a folder: the name of the link, or the path, that
    /// may protect a file below it.
    pub(crate) fn protection_of_folder_link<'p>(
        &self,
        link: &'p RepoPath,
        path: &'p RepoPath,
    ) -> Option<(&'p RepoPath, Protected)> {
        let is_file = |meta: Metadata| meta.is_file();
        if self.dir().metadata(path.as_path()).is_ok_and(is_file) {
            return None;
        }
        [link, path].into_iter().find_map(|folder| {
            let why = self.protection_below(&self.enclosing.seen_from_top(folder))?;
            Some((folder, why))
        })
    }

    /// Names count from the root and, where it lies in a larger repository, from the top of that.
    fn protection_by_name(&self, path: &RepoPath) -> Option<Protected> {
        let full = (!self.enclosing.is_top()).then(|| self.enclosing.seen_from_top(path));
        let mut names = iter::once(path.as_path()).chain(full.as_deref());
        if let Some(protected) = names.clone().find_map(by_name) {
            return Some(protected);
        }
        if self.own_file(path) == Some(OwnFile::Settings) {
            return Some(Protected::Settings);
        }
        let is_configured = names.any(|name| hit(&self.protected, name));
        is_configured.then_some(Protected::Configured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<Protected>) {
        let path = RepoPath::parse(name).unwrap();
        let found = Protected::by_name(&path);
        assert_eq!((name, found), (name, expected));
    }

    /// An example of the names that a pattern matches.
    fn example(pattern: &str) -> String {
        let name = pattern.trim_start_matches('/').replace('*', "x");
        if name.ends_with('/') {
            name + "file"
        } else {
            name
        }
    }

    #[test]
    fn every_pattern_protects_and_is_folded() {
        for (why, patterns) in PROTECTED {
            for pattern in *patterns {
                assert!(pattern.matches('*').count() <= 1, "{pattern}");
                assert_eq!(folded(pattern), *pattern);
                let name = example(pattern);
                check(&name, Some(why.clone()));
                check(&name.to_uppercase(), Some(why.clone()));
                if !pattern.starts_with('/') {
                    check(&format!("sub/folder/{name}"), Some(why.clone()));
                }
            }
        }
    }

    #[test]
    fn every_ordinary_name_is_needed_and_not_protected() {
        for pattern in ORDINARY {
            assert!(pattern.matches('*').count() <= 1, "{pattern}");
            assert_eq!(folded(pattern), *pattern);
            let name = match pattern.strip_suffix(".*") {
                Some(front) => format!("{front}.json"),
                None => example(pattern.strip_suffix('*').unwrap_or(pattern)),
            };
            assert!(name.starts_with('.'), "{pattern}");
            check(&name, None);
            check(&format!("sub/{name}"), None);
            check(&format!(".unknown/{name}"), Some(Protected::Tool));
        }
    }

    #[test]
    fn unknown_hidden_names_are_protected() {
        for name in [
            ".newagent/rules.md",
            ".newagent",
            ".newrules",
            "sub/.newtool.toml",
            ".env",
            ".env.local",
            ".ci/run",
            ".github/new-folder/x.yml",
            ".storybook/.hidden",
            ".config/countersign/config.toml",
            ".local/bin/git",
            ".config/newtool/x",
            // Settings that are code.
            ".eslintrc.js",
            ".ESLINTRC.CJS",
            ".prettierrc.mjs",
            ".babelrc.js",
            ".markdownlint.cjs",
            ".pylintrc",
            ".simplecov",
            ".rspec",
            ".storybook/main.js",
            ".php-cs-fixer.php",
            ".formatter.exs",
            ".htaccess",
            // Settings that are data, and name commands or code by its path.
            ".versionrc",
            ".versionrc.json",
            ".rubocop.yml",
            ".mocharc.json",
            ".nycrc",
            ".c8rc.json",
            ".babelrc",
            ".prettierrc",
            ".prettierrc.yaml",
            ".eslintrc",
            "sub/.eslintrc.json",
            ".stylelintrc.json",
            ".mypy.ini",
            ".flake8",
            ".sqlfluff",
            ".phpcs.xml",
            ".czrc",
            ".commitlintrc",
            ".coveragerc",
            ".golangci.yml",
            ".markdownlint-cli2.jsonc",
            ".ansible-lint",
            ".gitlint",
            ".tflint.hcl",
            ".changeset/config.json",
            ".reuse/templates/x.jinja2",
        ] {
            check(name, Some(Protected::Tool));
        }
        check(".newignore", Some(Protected::IgnoreFile));
        check("sub/.llmignore", Some(Protected::IgnoreFile));
        check("docs/claude.md", Some(Protected::Agent));
        check(".roomodes", Some(Protected::Agent));
        check("hooks/pre-commit", Some(Protected::Git));
        check("CRUSH.md", Some(Protected::Agent));
        check("hooks/update", Some(Protected::Git));
        check("id_rsa_sk", Some(Protected::Keys));
        check("python311._pth", Some(Protected::Environment));
        check("agents/reviewer.md", Some(Protected::Agent));
        check("commands/deploy.md", Some(Protected::Agent));
        check("knowledge.md", Some(Protected::Agent));
        check("auth.json", Some(Protected::Keys));
        check("id_ed25519-work", Some(Protected::Keys));
        check("certs/server.key", Some(Protected::Keys));
        check("hk.local.pkl", Some(Protected::Git));
        check("data/HEAD", Some(Protected::Git));
        check("MEMORY.md", Some(Protected::Agent));
        check("commands/deploy.toml", Some(Protected::Agent));
        check("jupyter_config.py", Some(Protected::Environment));
        check("etc/profile.d/a.sh", Some(Protected::Environment));
        check("App/ci_scripts/lib/x.sh", Some(Protected::Workflow));
        check(".config/autostart/x.desktop", Some(Protected::Environment));
    }

    #[test]
    fn ordinary_files_are_not_protected() {
        for name in [
            "src/agents.rs",
            "src/main.rs",
            "docs/crush.md",
            "docs/memory.md",
            "docs/tools.md",
            "src/user.md",
            "docs/commands/deploy.toml",
            "locales/hk.json",
            "src/head.rs",
            "src/key.rs",
            "functions/a.js",
            "src/env.rs",
            "docs/conventions.md",
            "docs/pre-commit/index.md",
            "docs/agents/index.md",
            "scripts/pre-commit.md",
            ".gitignore",
            "sub/.gitignore",
            ".editorconfig",
            ".markdownlint.jsonc",
            ".ruff.toml",
            ".changeset/brave-cats-sing.md",
            ".github/assets/a.sh",
            ".env.example",
            ".github/ISSUE_TEMPLATE/bug.yml",
            ".github/PULL_REQUEST_TEMPLATE.md",
            "vscode/x",
            "README.md",
            "package.json",
            "Cargo.toml",
            "Cargo.lock",
            "Makefile",
            "Dockerfile",
            "build.rs",
            "setup.py",
            "pyproject.toml",
            "conftest.py",
            "nix/default.nix",
            "lib/gradle.properties",
            "gradlew",
            "mvnw",
            "Directory.Build.targets",
            "gradle.properties",
            "app.json",
            "OWNERS",
            "src/auth.json",
            "docs/knowledge.md",
            "docs/agents/reviewer.md",
            "docs/commands/deploy.md",
            "commands/deploy.rs",
            "update.sh",
            "src/update.rs",
            "id_map_sk.rs",
            "init.d/server",
            "conf.d/site.conf",
            "wrangler.ts",
            "mypy.ini",
            "a..b",
            "models/agent.py",
            "config.json",
        ] {
            check(name, None);
        }
    }

    #[test]
    fn no_spelling_gets_around_a_name() {
        for (name, expected) in [
            (".hus\u{212a}y/pre-commit", Protected::Git),
            ("AGENT\u{17f}.md", Protected::Agent),
            ("AGENTS\u{200b}.md", Protected::Agent),
            ("\u{ff0e}envrc", Protected::Environment),
            (".envrc.", Protected::Environment),
            (".envrc::$DATA", Protected::Environment),
            (".GitHub/Workflows/x.yml", Protected::Workflow),
            ("\u{200e}.newtool/x", Protected::Tool),
            ("CLAUDE.md. .", Protected::Agent),
        ] {
            check(name, Some(expected));
        }
    }
}
