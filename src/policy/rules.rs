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
    /// The file matches a pattern of the person.
    Paths,
}

/// Every rule, in the order in which they are tried.
pub const RULES: [Rule; 4] = [Rule::Formatting, Rule::Imports, Rule::Comments, Rule::Paths];

impl Rule {
    /// Returns the name of its setting.
    pub fn name(self) -> &'static str {
        match self {
            Self::Formatting => "formatting",
            Self::Imports => "imports",
            Self::Comments => "comments",
            Self::Paths => "paths",
        }
    }
}

/// The rules that the person has switched on.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// True if [`Rule::Formatting`] decides.
    pub formatting: bool,
    /// True if [`Rule::Imports`] decides.
    pub imports: bool,
    /// The comments about which [`Rule::Comments`] decides. It must match a comment as a whole.
    pub comments: Option<Regex>,
    /// The files about which [`Rule::Paths`] decides.
    pub paths: Option<Gitignore>,
    /// The most changed lines of such a file.
    pub most_lines: usize,
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
            Rule::Paths => self.paths.is_some(),
        }
    }

    /// Returns true if a rule is on that needs a parser.
    #[cfg(feature = "syntax")]
    pub(super) fn has_syntax(&self) -> bool {
        self.formatting || self.imports || self.comments.is_some()
    }
}
