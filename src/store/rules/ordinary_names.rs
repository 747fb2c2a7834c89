//! The hidden names that are not protected, as data: one pattern a line.
//!
//! Patterns are written as in [`protected_names`](super::protected_names), which wins where both match.

/// Names that begin with a dot and are ordinary parts of a project: they make no program run anything, and give no agent
/// instructions. Everything else that begins with a dot is protected.
///
/// Settings that can name a command, or a plugin, rule or module by its path, are missing here although they are data: the tool
/// runs what they name. A `*` at the end matches the extensions of [`DATA`] and nothing else: settings in a programming
/// language are run.
pub(in crate::store) const ORDINARY: &[&str] = &[
    // Version control and empty folders.
    ".gitignore",
    ".gitkeep",
    ".keep",
    ".placeholder",
    ".mailmap",
    ".git-blame-ignore-revs",
    ".hgignore",
    ".bzrignore",
    ".cvsignore",
    // What tools for builds and packages pass over.
    ".cfignore",
    ".dockerignore",
    ".ebignore",
    ".eslintignore",
    ".funcignore",
    ".gcloudignore",
    ".helmignore",
    ".jshintignore",
    ".markdownlintignore",
    ".npmignore",
    ".prettierignore",
    ".rbuildignore",
    ".slugignore",
    ".stylelintignore",
    ".terraformignore",
    ".vercelignore",
    ".vscodeignore",
    // Style of code and prose.
    ".alexrc",
    ".biome.json*",
    ".clang-format",
    ".clang-tidy",
    ".clippy.toml",
    ".codespellrc",
    ".editorconfig",
    ".hadolint.y*ml",
    ".isort.cfg",
    ".jshintrc",
    ".markdownlint.*",
    ".markdownlintrc",
    ".ocamlformat",
    ".pycodestyle",
    ".pydocstyle",
    ".ruff.toml",
    ".rustfmt.toml",
    ".scalafmt.conf",
    ".shellcheckrc",
    ".style.yapf",
    ".stylua.toml",
    ".swiftformat",
    ".swiftlint.yml",
    ".taplo.toml",
    ".typos.toml",
    ".vale.ini",
    ".yamlfmt*",
    ".yamllint*",
    // Builds, tests and coverage.
    ".browserslistrc",
    ".codeclimate.yml",
    ".codecov.y*ml",
    ".flowconfig",
    ".sqlx/",
    // Versions of languages, which are numbers.
    ".go-version",
    ".java-version",
    ".node-version",
    ".nvmrc",
    ".perl-version",
    ".php-version",
    ".python-version",
    ".ruby-gemset",
    ".ruby-version",
    ".swift-version",
    ".terraform-version",
    // Examples of an environment.
    ".env.dist",
    ".env.example",
    ".env.*.example",
    ".env.sample",
    ".env.template",
    // Changes, releases and people.
    ".all-contributorsrc",
    ".changes/",
    ".changeset/*.md",
    ".chglog/",
    ".reuse/dep5",
    // Sites and documentation.
    ".nojekyll",
    ".well-known/",
    // GitHub's texts for people.
    ".github/*.md",
    ".github/*.png",
    ".github/*.svg",
    ".github/assets/",
    ".github/images/",
    ".github/discussion_template/",
    ".github/issue_template/",
    ".github/pull_request_template/",
    ".github/funding.yml",
    ".github/release.yml",
];

/// Extensions of settings that are data, which no program runs.
pub(in crate::store) const DATA: &[&str] = &[
    "cfg", "ini", "json", "json5", "jsonc", "toml", "xml", "yaml", "yml",
];
