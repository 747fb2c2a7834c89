//! Words in the names of tools and of their arguments. They tell what a tool may do that is in no table.

/// Last words of the names of arguments that hold text for a file.
pub(super) const TEXTS: [&str; 21] = [
    "base64",
    "blob",
    "body",
    "changes",
    "code",
    "content",
    "contents",
    "data",
    "diff",
    "edit",
    "edits",
    "html",
    "lines",
    "markdown",
    "newtext",
    "patch",
    "patches",
    "replacement",
    "replacements",
    "snippet",
    "text",
];
/// Names of arguments that hold text for a file, but for the separators.
pub(super) const TEXT_NAMES: [&str; 3] = ["newsource", "newstr", "newstring"];
/// Words in the names of arguments that hold text to look for.
pub(super) const SOUGHT: [&str; 8] = [
    "filter", "find", "match", "old", "pattern", "query", "search", "type",
];
/// Words in the names of arguments that hold the name of a file.
pub(super) const FILES: [&str; 9] = [
    "file",
    "files",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "path",
    "paths",
    "pathname",
];
/// Words in the names of arguments that hold the name of a file, or an address in the web.
pub(super) const PLACES: [&str; 7] = [
    "destination",
    "dest",
    "dst",
    "target",
    "targets",
    "uri",
    "uris",
];
/// Words in the names of arguments that hold the name of a file that is made.
pub(super) const OUTPUTS: [&str; 8] = [
    "dest",
    "destination",
    "download",
    "dst",
    "out",
    "output",
    "save",
    "saved",
];
/// Words in the names of arguments that hold the name of a file to which the text beside it is written.
pub(super) const TARGETS: [&str; 2] = ["target", "targets"];
/// Words that are written before `file` and `path` without a sign between, as in `outfile`.
pub(super) const BEFORE_FILES: [&str; 17] = [
    "dest",
    "destination",
    "dst",
    "in",
    "input",
    "log",
    "new",
    "old",
    "out",
    "output",
    "save",
    "source",
    "src",
    "target",
    "temp",
    "text",
    "tmp",
];
/// Words in the names of arguments that hold the arguments of a program.
pub(super) const ARGUMENTS: [&str; 9] = [
    "arg",
    "args",
    "argument",
    "arguments",
    "argv",
    "cmdline",
    "flags",
    "options",
    "params",
];
/// Verbs in the name of a tool that searches or compares, as programs do for which `-i` and `-w` are about letters and words.
pub(super) const SEARCHES: [&str; 13] = [
    "compare", "count", "diff", "find", "glob", "grep", "list", "locate", "lookup", "ls", "query",
    "rg", "search",
];
/// Last words of the names of arguments that hold something about a file, and not its name.
pub(super) const PROPERTIES: [&str; 8] = [
    "extension",
    "format",
    "id",
    "ids",
    "key",
    "size",
    "type",
    "types",
];
/// Arguments that say what a tool of several uses does.
pub(super) const OPERATIONS: [&str; 10] = [
    "action",
    "command",
    "function",
    "method",
    "mode",
    "name",
    "op",
    "operation",
    "tool",
    "tool_name",
];
/// Verbs that change files: in the name of a tool, and in an argument that says what a tool does.
pub(super) const VERBS: [&str; 22] = [
    "append",
    "apply",
    "copy",
    "create",
    "delete",
    "edit",
    "insert",
    "mkdir",
    "modify",
    "move",
    "overwrite",
    "patch",
    "put",
    "remove",
    "rename",
    "replace",
    "rm",
    "save",
    "touch",
    "truncate",
    "update",
    "write",
];
/// More verbs that change files, in the name of a tool.
pub(super) const MORE_VERBS: [&str; 33] = [
    "add", "change", "checkout", "clean", "clear", "clone", "commit", "convert", "download",
    "export", "extract", "fix", "format", "generate", "import", "init", "install", "merge",
    "prepend", "pull", "rebase", "refactor", "reformat", "repair", "reset", "restore", "revert",
    "rewrite", "set", "store", "sync", "unzip", "zip",
];
/// Verbs in the name of a tool that only reads the files that it is given, or sends them elsewhere.
pub(super) const READS: [&str; 40] = [
    "analyse",
    "analyze",
    "ask",
    "attach",
    "check",
    "compare",
    "count",
    "describe",
    "diff",
    "email",
    "explain",
    "fetch",
    "find",
    "get",
    "glob",
    "grep",
    "inspect",
    "list",
    "load",
    "locate",
    "look",
    "lookup",
    "ls",
    "open",
    "parse",
    "preview",
    "query",
    "read",
    "retrieve",
    "review",
    "scan",
    "search",
    "select",
    "send",
    "show",
    "summarize",
    "upload",
    "validate",
    "verify",
    "view",
];
/// Words in the name of a tool for what it reads, behind another word.
pub(super) const READINGS: [&str; 15] = [
    "blame",
    "definition",
    "definitions",
    "diagnostics",
    "history",
    "hover",
    "info",
    "log",
    "logs",
    "outline",
    "overview",
    "references",
    "stat",
    "status",
    "tree",
];
/// Services with repositories, as their servers are named.
pub(super) const SERVICES: [&str; 9] = [
    "ado",
    "azure",
    "bitbucket",
    "codeberg",
    "devops",
    "forgejo",
    "gitea",
    "github",
    "gitlab",
];
/// Arguments by which a tool addresses a repository on a server.
pub(super) const REMOTE: [&str; 6] = [
    "owner",
    "project_id",
    "projectid",
    "repo",
    "repository",
    "workspace_slug",
];
/// Words for changes that a tool makes which reads otherwise: in the names of arguments, their values and options in them.
pub(super) const FIXES: [&str; 8] = [
    "autocorrect",
    "autofix",
    "fix",
    "fixes",
    "inplace",
    "refactor",
    "reformat",
    "rewrite",
];
/// Words in the names of arguments that hold the text that a file is to have.
pub(super) const NEW_TEXTS: [&str; 7] = [
    "edit",
    "edits",
    "new",
    "newtext",
    "replace",
    "replacement",
    "replacements",
];
