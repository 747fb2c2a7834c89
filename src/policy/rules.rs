//! The rules, and which of them the person has switched on.

use ignore::gitignore::Gitignore;
use regex::Regex;

/// A rule that accepts hunks in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Only layout changes.
    Formatting,
    /// Only the order of imports changes.
    Imports,
    /// Only comments change that the person declared to be prose.
    Comments,
    /// Only the order of items changes.
    Moves,
    /// Only new tests are added.
    Tests,
    /// A command of the person makes the file as it is proposed.
    Generated,
    /// Only version numbers rise, in a file that matches a pattern of the person.
    Versions,
    /// The file matches a pattern of the person.
    Paths,
}

/// Every rule, in the order in which they are tried.
pub const RULES: [Rule; 8] = [
    Rule::Formatting,
    Rule::Imports,
    Rule::Comments,
    Rule::Moves,
    Rule::Tests,
    Rule::Generated,
    Rule::Versions,
    Rule::Paths,
];

impl Rule {
    /// Returns the name of its setting.
    pub fn name(self) -> &'static str {
        match self {
            Self::Formatting => "formatting",
            Self::Imports => "imports",
            Self::Comments => "comments",
            Self::Moves => "moves",
            Self::Tests => "tests",
            Self::Generated => "generated",
            Self::Versions => "versions",
            Self::Paths => "paths",
        }
    }
}

/// Files that a command makes.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The files.
    pub files: Gitignore,
    /// The files of a proposal that the command gets as they are proposed; all others it gets as they are.
    pub from: Gitignore,
    /// The command line.
    pub command: String,
}

/// The rules that the person has switched on.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Rules {
    /// True if [`Rule::Formatting`] decides.
    pub formatting: bool,
    /// True if [`Rule::Imports`] decides.
    pub imports: bool,
    /// True if [`Rule::Moves`] decides.
    pub moves: bool,
    /// True if [`Rule::Tests`] decides.
    pub tests: bool,
    /// The comments about which [`Rule::Comments`] decides. It must match a comment as a whole.
    pub comments: Option<Regex>,
    /// The files about which [`Rule::Generated`] decides, and the command that makes them.
    pub generated: Option<Generated>,
    /// The files about which [`Rule::Versions`] decides.
    pub versions: Option<Gitignore>,
    /// The files about which [`Rule::Paths`] decides.
    pub paths: Option<Gitignore>,
    /// The most changed lines of such a file.
    pub most_lines: usize,
}

impl Generated {
    /// Returns true if the command makes a file of this name.
    pub fn makes(&self, path: &str) -> bool {
        is_matched(&self.files, path)
    }

    /// Returns true if the command gets a file of this name as it is proposed.
    pub fn reads(&self, path: &str) -> bool {
        is_matched(&self.from, path)
    }
}

fn is_matched(patterns: &Gitignore, path: &str) -> bool {
    patterns
        .matched_path_or_any_parents(path, false)
        .is_ignore()
}

impl Rules {
    /// Returns true if no rule decides anything.
    pub fn is_empty(&self) -> bool {
        RULES.iter().all(|rule| !self.has(*rule))
    }

    /// Returns true if a rule is switched on.
    pub fn has(&self, rule: Rule) -> bool {
        match rule {
            Rule::Formatting => self.formatting,
            Rule::Imports => self.imports,
            Rule::Comments => self.comments.is_some(),
            Rule::Moves => self.moves,
            Rule::Tests => self.tests,
            Rule::Generated => self.generated.is_some(),
            Rule::Versions => self.versions.is_some(),
            Rule::Paths => self.paths.is_some(),
        }
    }

    /// Returns true if a rule is on that needs a parser.
    #[cfg(feature = "syntax")]
    pub(super) fn has_syntax(&self) -> bool {
        self.formatting || self.imports || self.tests || self.comments.is_some()
    }
}
