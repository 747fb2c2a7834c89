//! Purpose of a file, judged by its name and its first lines.

use crate::text::Document;

/// Number of first lines that may say that a file is generated.
const HEAD: usize = 5;

/// Purpose of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileGroup {
    /// A program, or a file of which nothing is known.
    #[default]
    Source,
    /// Configuration and data.
    Configuration,
    /// Tests, benchmarks and examples.
    Tests,
    /// Documentation.
    Documentation,
    /// Made by a program.
    Generated,
    /// Versions that a package manager chose.
    LockFile,
}

const LOCK_FILES: [&str; 7] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "go.sum",
    "packages.lock.json",
    "bun.lockb",
    "gradle.lockfile",
];
const TEST_FOLDERS: [&str; 13] = [
    "test",
    "tests",
    "spec",
    "specs",
    "__tests__",
    "__mocks__",
    "testdata",
    "fixtures",
    "snapshots",
    "__snapshots__",
    "benches",
    "benchmarks",
    "examples",
];
const DOCUMENTATION: [&str; 6] = ["md", "mdx", "rst", "adoc", "txt", "markdown"];
const DOCUMENTS: [&str; 6] = [
    "license",
    "licence",
    "readme",
    "changelog",
    "authors",
    "notice",
];
const CONFIGURATION: [&str; 11] = [
    "toml",
    "yaml",
    "yml",
    "json",
    "jsonc",
    "ini",
    "cfg",
    "conf",
    "properties",
    "xml",
    "csv",
];
const GENERATED: [&str; 7] = [
    ".min.js", ".min.css", ".pb.go", "_pb2.py", ".g.dart", ".snap", ".map",
];
const NOTICES: [&str; 4] = [
    "@generated",
    "do not edit",
    "automatically generated",
    "auto-generated",
];

impl FileGroup {
    /// Judges a file by its name and its first lines.
    pub fn of(path: &str, text: &Document) -> Self {
        let path = path.to_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_test = |word: &str| matches!(word, "test" | "tests" | "spec");
        let mut words = stem.split(['_', '.', '-']);
        let first = words.next().unwrap_or_default();
        let last = words.next_back().unwrap_or(first);
        if extension == "lock" || LOCK_FILES.contains(&name) {
            Self::LockFile
        } else if GENERATED.iter().any(|end| name.ends_with(end)) || has_notice(text) {
            Self::Generated
        } else if folders
            .split('/')
            .any(|folder| TEST_FOLDERS.contains(&folder))
            || is_test(first)
            || is_test(last)
        {
            Self::Tests
        } else if DOCUMENTATION.contains(&extension) || DOCUMENTS.contains(&first) {
            Self::Documentation
        } else if CONFIGURATION.contains(&extension) || stem.is_empty() {
            Self::Configuration
        } else {
            Self::Source
        }
    }

    /// Returns the heading of the group.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "Source",
            Self::Configuration => "Configuration",
            Self::Tests => "Tests",
            Self::Documentation => "Documentation",
            Self::Generated => "Generated",
            Self::LockFile => "Lock files",
        }
    }
}

/// Returns true if one of the first lines says that a program made the file.
fn has_notice(text: &Document) -> bool {
    (0..text.len().min(HEAD)).any(|line| {
        let line = text.line(line);
        let start = &line.as_bytes()[..line.len().min(200)];
        let start = String::from_utf8_lossy(start).to_lowercase();
        NOTICES.iter().any(|notice| start.contains(notice))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_judged_by_their_names() {
        let check = |path: &str, expected: FileGroup| {
            assert_eq!(
                FileGroup::of(path, &Document::from_text("x\n")),
                expected,
                "{path}"
            );
        };
        check("src/client.rs", FileGroup::Source);
        check("Makefile", FileGroup::Source);
        check("src/latest.rs", FileGroup::Source);
        check("src/contest/a.py", FileGroup::Source);
        check("tests/api.rs", FileGroup::Tests);
        check("src/client_test.go", FileGroup::Tests);
        check("src/test_client.py", FileGroup::Tests);
        check("web/a.spec.ts", FileGroup::Tests);
        check("Cargo.lock", FileGroup::LockFile);
        check("web/package-lock.json", FileGroup::LockFile);
        check("Cargo.toml", FileGroup::Configuration);
        check(".env", FileGroup::Configuration);
        check("docs/guide.md", FileGroup::Documentation);
        check("LICENSE", FileGroup::Documentation);
        check("web/app.min.js", FileGroup::Generated);
    }

    #[test]
    fn a_notice_in_the_first_lines_tells_that_a_program_made_the_file() {
        let check = |text: &str, expected: FileGroup| {
            assert_eq!(
                FileGroup::of("a.rs", &Document::from_text(text)),
                expected,
                "{text:?}"
            );
        };
        check(
            "// Code generated by x. DO NOT EDIT.\n",
            FileGroup::Generated,
        );
        check("\n\n\n\n# @generated\n", FileGroup::Generated);
        check("\n\n\n\n\n# @generated\n", FileGroup::Source);
    }
}
