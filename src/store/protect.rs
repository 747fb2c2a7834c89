//! Files whose change can widen what an agent may do, or make other programs run what it wrote.
//!
//! They may be changed, but only one by one and by a person: a batch that is accepted as a whole passes over them.

use std::fmt;
use std::sync::LazyLock;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::folder::{Folders, Kind, split};
use super::guard::Forbidden;
use super::ignore_files::{self, IgnoreFiles};
use super::root::Root;
use crate::parallel;
use crate::proposal::{PathClaim, RepoPath};

/// What a protected file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protected {
    /// It says which files an agent may touch.
    IgnoreFile,
    /// It sets what this program does here.
    Settings,
    /// It tells git to run or fetch something.
    Git,
    /// It makes an editor or a shell run something.
    Environment,
    /// It tells agents what to do, or what they may do.
    Agent,
    /// It says what runs when the work is pushed.
    Workflow,
    /// The settings say so.
    Configured,
    /// It has other names (hard links), which may be outside the root and change with it.
    OtherNames,
}

/// The patterns of each sort, as `.gitignore` writes them; case does not count.
const PATTERNS: [(Protected, &[&str]); 6] = [
    (Protected::IgnoreFile, &ignore_files::NAMES),
    (Protected::Settings, &[".countersign.toml"]),
    (
        Protected::Git,
        &[
            ".gitattributes",
            ".gitmodules",
            ".gitconfig",
            ".githooks/",
            ".husky/",
        ],
    ),
    (
        Protected::Environment,
        &[
            ".vscode/",
            ".idea/",
            ".zed/",
            ".devcontainer/",
            ".devcontainer.json",
            "*.code-workspace",
            ".envrc",
        ],
    ),
    (
        Protected::Agent,
        &[
            "AGENT.md",
            "AGENTS.md",
            "AGENTS.override.md",
            "CLAUDE.md",
            "CLAUDE.local.md",
            "GEMINI.md",
            ".claude/",
            ".codex/",
            ".gemini/",
            ".cursor/",
            ".cursorrules",
            ".cline*",
            ".roo*",
            ".aider*",
            ".opencode/",
            "opencode.json*",
            ".openhands*",
            ".windsurf*",
            ".continue/",
            ".goosehints",
            ".mcp.json",
            "**/.github/copilot-instructions.md",
            "**/.github/instructions/",
        ],
    ),
    (
        Protected::Workflow,
        &[
            "**/.github/workflows/",
            "**/.github/actions/",
            "**/.gitea/workflows/",
            "**/.forgejo/workflows/",
            ".gitlab-ci.yml",
            ".gitlab/",
            ".circleci/",
            ".buildkite/",
            ".travis.yml",
            ".drone.yml",
            ".woodpecker.yml",
            ".woodpecker/",
            "appveyor.yml",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "Jenkinsfile",
        ],
    ),
];

impl Protected {
    /// What a file is by its name alone.
    pub fn by_name(path: &RepoPath) -> Option<Self> {
        static RULES: LazyLock<Vec<(Protected, Gitignore)>> = LazyLock::new(|| {
            let sorts = PATTERNS.iter();
            sorts
                .map(|&(sort, patterns)| (sort, rules(patterns)))
                .collect()
        });
        let sort = RULES.iter().find(|(_, rules)| hit(rules, path));
        sort.map(|&(sort, _)| sort)
    }
}

/// Rules of patterns; what is no pattern is passed over.
fn rules<'a>(patterns: impl IntoIterator<Item = &'a (impl AsRef<str> + 'a + ?Sized)>) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    // Only this one setting of the builder cannot fail.
    let _: Result<_, ignore::Error> = builder.case_insensitive(true);
    for pattern in patterns {
        let _: Result<_, ignore::Error> = builder.add_line(None, pattern.as_ref());
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

fn hit(rules: &Gitignore, path: &RepoPath) -> bool {
    let matched = rules.matched_path_or_any_parents(path.as_path(), false);
    matched.is_ignore()
}

impl fmt::Display for Protected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IgnoreFile => "says which files agents may touch",
            Self::Settings => "says how edits here are reviewed",
            Self::Git => "tells git to run or fetch something",
            Self::Environment => "makes an editor or a shell run something",
            Self::Agent => "tells agents what to do",
            Self::Workflow => "says what runs when the work is pushed",
            Self::Configured => "the settings say so",
            Self::OtherNames => {
                "has other names (hard links), perhaps outside, that change with it"
            }
        })
    }
}

impl Root {
    /// Why a file is not to be changed in a batch, if so: by its own name, by that of the file a link leads to, or
    /// because the file has other names.
    pub fn protection(&self, path: &RepoPath) -> Option<Protected> {
        self.protection_in(&mut Folders::new(self.dir()), path)
    }

    /// Settles which files claims mean, and why each may not be accepted in batch, if it may not. On all cores.
    ///
    /// # Errors
    ///
    /// For each claim what [`Root::resolve`] says.
    pub fn resolve_all(
        &self,
        claims: &[&PathClaim],
    ) -> Vec<Result<(RepoPath, Option<Protected>), Forbidden>> {
        let own = || Folders::new(self.dir());
        parallel::map_with(claims, own, |folders, claim| {
            let path = self.resolve_in(folders, claim)?;
            let protected = self.protection_in(folders, &path);
            Ok((path, protected))
        })
    }

    fn protection_in(&self, folders: &mut Folders<'_>, path: &RepoPath) -> Option<Protected> {
        self.protection_by_name(path).or_else(|| {
            let target = self.admit(folders, path).ok()?;
            self.protection_by_name(&target)
                .or_else(|| other_names(folders, &target))
        })
    }

    /// Protects files that these patterns match as well, and obeys files of these names as ignore files too.
    #[must_use]
    pub fn guarding(mut self, patterns: &[String], ignore_files: &[String]) -> Self {
        self.protected = rules(patterns.iter().chain(ignore_files));
        self.ignore_files = Some(IgnoreFiles::obeying(ignore_files.to_vec()));
        self
    }

    fn protection_by_name(&self, path: &RepoPath) -> Option<Protected> {
        let configured = || hit(&self.protected, path).then_some(Protected::Configured);
        Protected::by_name(path).or_else(configured)
    }
}

fn other_names(folders: &mut Folders<'_>, target: &RepoPath) -> Option<Protected> {
    let (folder, name) = split(target);
    let stat = folders.get(folder).ok()?.stat(name).ok()??;
    (stat.kind == Kind::File && stat.links > 1).then_some(Protected::OtherNames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_are_understood() {
        let check = |name: &str, expected| {
            let path = RepoPath::parse(name).unwrap();
            assert_eq!(Protected::by_name(&path), expected, "{name}");
        };
        for (sort, patterns) in PATTERNS {
            for pattern in patterns {
                let name = pattern.trim_start_matches("**/").replace('*', "x");
                let name = if name.ends_with('/') {
                    name + "file"
                } else {
                    name
                };
                check(&name, Some(sort));
                check(&format!("sub/folder/{name}"), Some(sort));
            }
        }
        check("docs/claude.md", Some(Protected::Agent));
        check(".roomodes", Some(Protected::Agent));
        for name in [
            "src/agents.rs",
            ".gitignore",
            ".github/CODEOWNERS",
            "vscode/x",
            "README.md",
        ] {
            check(name, None);
        }
    }
}
