//! The cases in which we differ on purpose.

/// Why, and which: the suite and the name there. A case that agrees after all must not stand here.
pub(crate) const LISTED: &[(&str, &[&str])] = &[
    (
        "a name is not cut down to a file that happens to be there",
        &["aider: test_wholefile::test_update_files_bogus_path_prefix"],
    ),
    (
        "a block that ends with a divider is cut off, not ended",
        &[
            "aider-parse: chat_history[103] #### can we include TZ info in the dt?",
            "aider-parse: chat_history[8764] #### add a /reset command that does /drop and /clear",
        ],
    ),
    (
        "of several dividers the file decides; Aider drops what follows the second, Roo refuses the whole edit",
        &[
            "aider-parse: chat_history[7792] #### use rich to make the ♾️ the user input color",
            "aider-parse: chat_history[7831] #### move the analytics args to their own section, above Other Settings",
            "roo: head: MultiSearchReplaceDiffStrategy > validateMarkerSequencing > detects two separators",
        ],
    ),
    (
        "a block without an end is cut off",
        &[
            "cline: constructNewFileContent > should handle missing final REPLACE marker when isFinal is true (v1)",
            "cline: constructNewFileContent > should handle missing final REPLACE marker with multiple lines of replacement (v1)",
        ],
    ),
    (
        "blanks in a marker and after it are free",
        &[
            "cline: constructNewFileContent > should handle malformed diff - trailing space on separator case correctly (v1)",
            "cline: constructNewFileContent > should handle malformed diff - trailing space on separator case correctly (v2)",
            "cline: constructNewFileContent > should handle malformed search - missing space case correctly (v1)",
            "cline: constructNewFileContent > should handle malformed search - missing space case correctly (v2)",
        ],
    ),
    (
        "markers of five to nine characters are read",
        &[
            "roo: multifile: MultiFileSearchReplaceDiffStrategy - 8-character marker support > should reject markers with too many characters (9+)",
        ],
    ),
    (
        "of two equal places none is guessed",
        &["aider: test_editblock::test_replace_multiple_matches"],
    ),
    (
        "an unquoted name and fence inside a half are lines to look for",
        &["aider: test_editblock::test_strip_quoted_wrapping"],
    ),
    (
        "a new file has no old lines",
        &["aider: test_udiff::test_find_diffs_dev_null"],
    ),
    (
        "what an edit looks for and what it makes are both in the file: it may be done already, and is asked about",
        &[
            "aider: chat_history[9032] #### if section.strip() -> if not/continue",
            "aider: chat_history[9035] #### move the `FileNotFoundError` up to after the open+read block",
        ],
    ),
    (
        "an edit that looks for what it puts there, and stands nowhere exactly, is said to be none",
        &["aider: chat_history[922] #### fix that"],
    ),
    (
        "line numbers are taken off only where every line has one",
        &[
            "roo: jest2025: MultiSearchReplaceDiffStrategy > validateMarkerSequencing > line number stripping > line number stripping > aggressive line number stripping fallback > should use aggressive line number stripping when line numbers are inconsistent",
        ],
    ),
    (
        "a changed line with another name in it is another line",
        &[
            "roo: head: MultiSearchReplaceDiffStrategy > fuzzy matching > should match content with small differences (>90% similar)",
            "roo: jest2025: MultiSearchReplaceDiffStrategy > fuzzy matching > should match content with small differences (>90% similar)",
        ],
    ),
    (
        "a block that stands in one place needs no right line number",
        &[
            "roo: jest2025: MultiSearchReplaceDiffStrategy > line-constrained search > should not find matches outside search range and buffer zone",
        ],
    ),
    (
        "an empty search half below a file's name adds to its end, as Aider writes it",
        &[
            "roo: single: SearchReplaceDiffStrategy > insertion/deletion > insertion > should error if no start_line is provided for insertion",
        ],
    ),
    (
        "context keeps the file's own indentation, and added lines take it",
        &[
            "cline: constructNewFileContent > should handle line-trimmed match replacement case correctly (v1)",
            "cline: constructNewFileContent > should handle line-trimmed match replacement case correctly (v2)",
            "opencode: replacer-10",
            "opencode: replacer-11",
            "opencode: replacer-24",
            "opencode: replacer-26",
            "opencode: replacer-30",
            "opencode: replacer-4",
            "opencode: replacer-7",
            "roo: head: MultiSearchReplaceDiffStrategy > validateMarkerSequencing > exact matching > should handle mixed indentation styles in the same file",
        ],
    ),
    (
        "a file without a newline at its end stays without one",
        &[
            "cline: constructNewFileContent > should handle replace then delete case correctly (v1)",
            "cline: constructNewFileContent > should handle replace then delete case correctly (v2)",
            "openhands: resolver::test_apply_patch_preserves_line_endings[dos]",
            "openhands: resolver::test_apply_patch_preserves_line_endings[unix]",
            "openhands: resolver::test_patch_apply_with_empty_lines",
            "openhands: resolver::test_patch_whitespace_mismatch",
        ],
    ),
    (
        "a backslash in a text is a backslash",
        &[
            "opencode: replacer-18",
            "opencode: replacer-19",
            "opencode: replacer-20",
            "opencode: replacer-21",
        ],
    ),
    (
        "an empty file may be filled: nothing is lost by it",
        &["opencode: replacer-16"],
    ),
    (
        "what was written is taken back by `countersign undo`",
        &[
            "openhands: test_oh_editor::test_multiple_undo_edits",
            "openhands: test_oh_editor::test_undo_edit",
        ],
    ),
    (
        "neither a renaming nor a creation replaces another file",
        &[
            "codex: 010_move_overwrites_existing_destination",
            "codex: 011_add_overwrites_existing_file",
        ],
    ),
    (
        "a batch is written as a whole or not at all",
        &["codex: 015_failure_after_partial_success_leaves_changes"],
    ),
    (
        "an insertion that says no place has none",
        &["codex: 016_pure_addition_update_chunk"],
    ),
    (
        "a lone carriage return ends no line",
        &["codex: 024_preserves_mixed_line_endings"],
    ),
];
