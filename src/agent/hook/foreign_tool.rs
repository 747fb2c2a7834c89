//! Tools that are in no table: those of other MCP servers, and those of later versions of a client.
//!
//! Nobody knows what such a tool does, so a call that names a file is refused unless the tool has a verb in its name that reads, and none that
//! changes files, and no argument that asks it to change something (`fix: true`, `replacement`, `--write`): these outweigh the verb. A call without the name of a file passes: tools that write somewhere else (an issue, a message, a remote repository) make
//! such calls. A tool that changes files is also refused if it gets a text and something that may be the name of a new file. The
//! model chooses the arguments, and servers drop those that they do not know, so no argument alone lets a call pass: a tool of a
//! remote repository has the service in its name as well.

use std::path::Path;

use serde_json::{Map, Value};

use super::file_name::normalized;
use super::tool_words::{
    ARGUMENTS, BEFORE_FILES, FILES, FIXES, MORE_VERBS, NEW_TEXTS, OPERATIONS, OUTPUTS, PLACES,
    PROPERTIES, READINGS, READS, REMOTE, SEARCHES, SERVICES, SOUGHT, TARGETS, TEXT_NAMES, TEXTS,
    VERBS,
};

/// The longest text that may be the name of a file.
const LONGEST_NAME: usize = 4096;
/// The longest ending of a file's name.
const LONGEST_ENDING: usize = 10;

/// Returns why a tool must not be called in a folder; `None` if it may.
pub(super) fn check(tool: &str, args: &Map<String, Value>, folder: &Path) -> Option<String> {
    // The calls of our own MCP server are reviewed there.
    if is_of_our_server(tool) || is_remote(tool, args) {
        return None;
    }
    let name = words(own_name(tool));
    let has_any = |of: &[&str]| name.iter().any(|word| of.contains(&word.as_str()));
    let changes = has_any(&VERBS) || has_any(&MORE_VERBS);
    let mut behind = name.iter().skip(1);
    let reads = has_any(&READS) || behind.any(|word| READINGS.contains(&word.as_str()));
    let mut traits = CallTraits::default();
    traits.add_fields(args, folder);
    if changes && is_memory(tool, &name) {
        return Some(format!(
            "`{tool}` writes instructions for every session of an agent, and countersign cannot show it before; the person may add it to that file"
        ));
    }
    let has_option = traits.has_write_option && !has_any(&SEARCHES);
    let asks_to_write = traits.has_verb
        || traits.names_output
        || traits.has_new_text
        || traits.names_target && traits.has_text
        || has_option;
    let writes = traits.has_patch
        || traits.fixes
        || (has_option && traits.may_name_file)
        || (traits.names_file && (changes || !reads || asks_to_write))
        || (changes && traits.has_text && (traits.may_name_file || has_any(&FILES)));
    writes.then(|| {
        format!(
            "`{tool}` seems to write files, and countersign does not know how to review it; use the usual tools for edits"
        )
    })
}

/// Properties of a call by which it may write.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property by itself"
)]
struct CallTraits {
    has_patch: bool,
    names_file: bool,
    /// True if it names a file that is made.
    names_output: bool,
    /// True if it names a target, to which a text beside it may be written.
    names_target: bool,
    /// True if it passes an option to a program with which most programs write a file: `-i`, `-w`, `-o`.
    has_write_option: bool,
    /// True if it has what may be the name of a new file.
    may_name_file: bool,
    has_text: bool,
    /// True if an argument has a verb that changes files.
    has_verb: bool,
    /// True if it has a text that a file is to have.
    has_new_text: bool,
    /// True if it asks a tool that checks files to correct them.
    fixes: bool,
}

impl CallTraits {
    fn add_fields(&mut self, fields: &Map<String, Value>, folder: &Path) {
        for (name, value) in fields {
            self.add(&words(name), value, folder);
        }
    }

    /// Adds the value of an argument whose name has these words.
    fn add(&mut self, name: &[String], value: &Value, folder: &Path) {
        let is_any = |of: &[&str]| name.iter().any(|word| of.contains(&word.as_str()));
        let is_text = (name.last()).is_some_and(|word| TEXTS.contains(&word.as_str()))
            && !is_any(&SOUGHT)
            || TEXT_NAMES.contains(&name.concat().as_str());
        let is_property = (name.last()).is_some_and(|word| PROPERTIES.contains(&word.as_str()));
        let is_set = match value {
            Value::Bool(is_set) => *is_set,
            Value::String(text) => !matches!(text.as_str(), "" | "false" | "none" | "off"),
            Value::Null | Value::Number(_) => false,
            Value::Array(list) => !list.is_empty(),
            Value::Object(_) => true,
        };
        let is_fix = is_any(&FIXES) || name.concat() == "inplace";
        // A switch is no property.
        let is_asked = is_set && (value.is_boolean() || !is_property);
        self.fixes |= is_asked && is_fix;
        self.has_verb |= is_asked && (is_any(&VERBS) || value.is_boolean() && is_any(&MORE_VERBS));
        // An empty text replaces as well.
        let is_content = !matches!(value, Value::Null | Value::Bool(_) | Value::Number(_));
        self.has_new_text |= is_content
            && !is_property
            && (is_text && is_any(&NEW_TEXTS) || TEXT_NAMES.contains(&name.concat().as_str()));
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => (),
            Value::String(text) => {
                // A tool may take the arguments of another one as a text.
                if text.trim_start().starts_with(['{', '['])
                    && let Ok(inner @ (Value::Object(_) | Value::Array(_))) =
                        serde_json::from_str(text)
                {
                    self.add(name, &inner, folder);
                }
                self.has_patch |= is_patch(text);
                self.has_text |= is_text;
                let is_file = !text.is_empty()
                    && ((is_any(&FILES) && !is_property)
                        || (is_any(&PLACES) && !is_web(text))
                        || (!is_text && is_file_in(folder, text)));
                self.names_file |= is_file;
                self.names_output |= is_file && is_any(&OUTPUTS);
                self.names_target |= is_file && is_any(&TARGETS);
                self.has_write_option |=
                    is_any(&ARGUMENTS) && text.split_whitespace().any(is_write_option);
                let mut words_of = text.split_whitespace().filter(|_| is_any(&ARGUMENTS));
                self.may_name_file |=
                    !is_text && (may_name_file(text) || words_of.any(may_name_file));
                self.has_verb |= OPERATIONS.contains(&name.join("_").as_str())
                    && !text.contains(char::is_whitespace)
                    && has_verb(text);
                let options = text
                    .split_whitespace()
                    .filter(|word| word.starts_with("--"));
                for option in options {
                    let words = words(option.split('=').next().unwrap_or(option));
                    self.fixes |= words.iter().any(|word| FIXES.contains(&word.as_str()))
                        || words.concat() == "inplace";
                    self.has_verb |= words.iter().any(|word| VERBS.contains(&word.as_str()));
                }
            }
            Value::Array(list) => {
                self.has_text |= is_text;
                for one in list {
                    self.add(name, one, folder);
                }
            }
            Value::Object(fields) => {
                self.has_text |= is_text;
                if is_any(&FILES) && fields.values().any(Value::is_string) {
                    // Names of files with their contents.
                    self.names_file = true;
                    self.has_text |= fields.keys().any(|key| !is_word(key));
                }
                self.add_fields(fields, folder);
            }
        }
    }
}

/// Returns whether a tool is one of `countersign mcp`, by the name that a client gives it.
fn is_of_our_server(tool: &str) -> bool {
    let server = tool.strip_prefix("mcp__").or(tool.strip_prefix("mcp_"));
    let rest = server.unwrap_or(tool).strip_prefix("countersign");
    rest.is_some_and(|rest| rest.starts_with(['_', '-']))
}

/// Returns whether a tool of the client itself keeps instructions for agents, such as `save_memory`, which writes `GEMINI.md`.
fn is_memory(tool: &str, name: &[String]) -> bool {
    let is_word = |word: &String| matches!(word.as_str(), "memory" | "memories");
    own_name(tool) == tool && !tool.starts_with("mcp_") && name.iter().any(is_word)
}

/// Returns whether a tool writes in a repository on a server.
fn is_remote(tool: &str, args: &Map<String, Value>) -> bool {
    let is_service = words(tool)
        .iter()
        .any(|word| SERVICES.contains(&word.as_str()));
    is_service
        && args
            .keys()
            .any(|name| REMOTE.contains(&name.to_lowercase().as_str()))
}

fn is_patch(text: &str) -> bool {
    text.contains("*** Begin Patch")
        || text.starts_with("diff --git ")
        || (text.starts_with("--- ") && text.contains("\n+++ ") && text.contains("\n@@ "))
}

/// Returns whether a text is an address in the web that no program takes for the name of another file.
fn is_web(text: &str) -> bool {
    (text.starts_with("http://") || text.starts_with("https://")) && !text.contains("/..")
}

/// Returns whether a text is the name of a file below a folder: in full, or of one that exists.
fn is_file_in(folder: &Path, text: &str) -> bool {
    let name = text.strip_prefix("file://").unwrap_or(text);
    if name.is_empty() || name.len() > LONGEST_NAME || name.contains('\0') {
        return false;
    }
    let file = normalized(&folder.join(name));
    file.starts_with(folder)
        && file != folder
        && !file.is_dir()
        && (["/", "./", "../"]
            .iter()
            .any(|start| name.starts_with(start))
            || file.symlink_metadata().is_ok())
}

/// Returns whether a text may be the name of a new file: one word with an ending.
fn may_name_file(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && !text.contains(|c: char| c.is_whitespace() || c == '@')
        && !is_web(text)
        && (text.rsplit_once('.')).is_some_and(|(_, ending)| is_ending(ending))
}

/// Returns whether a text may be the ending of a file's name.
fn is_ending(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.len() <= LONGEST_ENDING
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Returns the name of a tool without that of its server, which says nothing about the tool.
fn own_name(tool: &str) -> &str {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns whether a word is a short option with which most programs write: `-i`, also as `-ni` and `-i.bak`, `-w` and `-o`.
fn is_write_option(word: &str) -> bool {
    let Some(letters) = word.strip_prefix('-') else {
        return false;
    };
    let letters = letters.split(['.', '=']).next().unwrap_or(letters);
    letters.len() <= 3
        && letters.chars().all(|c| c.is_ascii_alphabetic())
        && letters.contains(['i', 'w', 'o'])
}

fn has_verb(name: &str) -> bool {
    words(name)
        .iter()
        .any(|word| VERBS.contains(&word.as_str()) || FIXES.contains(&word.as_str()))
}

/// Returns whether a name is a plain identifier, and not the name of a file.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Splits an identifier into words, in lower case: `filePath` and `file_path` are `file` and `path`.
fn words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            found.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = found.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    found.retain(|word| !word.is_empty());
    found.into_iter().flat_map(parted).collect()
}

/// Splits a word such as `outfile`, which is two without a sign between.
fn parted(word: String) -> Vec<String> {
    let parts = BEFORE_FILES.iter().find_map(|front| {
        let rest = word.strip_prefix(front)?;
        FILES
            .contains(&rest)
            .then(|| vec![(*front).to_owned(), rest.to_owned()])
    });
    parts.unwrap_or_else(|| vec![word])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check_tool(tool: &str, args: &Value, is_refused: bool) {
        assert_eq!(
            check(tool, args.as_object().unwrap(), Path::new("/w")).is_some(),
            is_refused,
            "{tool} {args}"
        );
    }

    #[test]
    fn tools_that_write_files_are_refused() {
        for (tool, args) in [
            (
                "mcp__filesystem__write_file",
                json!({"path": "a", "content": "x"}),
            ),
            (
                "mcp__filesystem__edit_file",
                json!({"path": "a", "edits": [{"oldText": "a", "newText": "b"}]}),
            ),
            (
                "mcp__filesystem__move_file",
                json!({"source": "a", "destination": "b"}),
            ),
            ("mcp__fs__deleteFile", json!({"filePath": "a"})),
            (
                "mcp__serena__replace_symbol_body",
                json!({"name_path": "f", "relative_path": "a", "body": "x"}),
            ),
            (
                "mcp__x__bulk",
                json!({"files": [{"path": "a", "content": "x"}]}),
            ),
            ("mcp__x__do", json!({"input": "*** Begin Patch\n"})),
            ("FutureEdit", json!({"file_path": "a", "new_string": "x"})),
            ("mcp__x__set", json!({"filePath": "a", "newContents": "x"})),
            ("mcp__x__set", json!({"path": "a", "file_content": "x"})),
            ("mcp__x__set", json!({"files": {"a.txt": "x"}})),
            ("mcp__x__set", json!({"to": "/w/a.txt", "html": "x"})),
            ("mcp__x__set", json!({"to": "file:///w/a.txt", "html": "x"})),
            (
                "mcp__x__copy",
                json!({"from": "/v/b", "to": "./../w/a.txt"}),
            ),
            (
                "mcp__x__do",
                json!({"input": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"}),
            ),
            ("mcp__x__file", json!({"action": "delete", "path": "a"})),
            (
                "mcp__proxy__call",
                json!({"tool": "fs_write", "arguments": "{\"path\": \"a\"}"}),
            ),
            (
                "mcp__x__render",
                json!({"source": "x", "outfile": "dist/a.js"}),
            ),
            ("mcp__x__get", json!({"query": "x", "outputpath": "a.md"})),
            ("mcp__x__check", json!({"target": "a.py", "contents": "x"})),
            (
                "mcp__x__check",
                json!({"file": "a.py", "args": ["-i", "s/a/b/"]}),
            ),
            (
                "mcp__x__run",
                json!({"argv": ["sed", "-i.bak", "s/a/b/", "a.py"]}),
            ),
            ("mcp__x__validate", json!({"args": "-w a.go"})),
            ("mcp__x__show", json!({"args": ["-o", "a.py"]})),
            // No verb that reads.
            (
                "mcp__figma__download_figma_images",
                json!({"fileKey": "k", "nodes": [{"nodeId": "1"}], "localPath": "/w/src"}),
            ),
            (
                "mcp__playwright__browser_take_screenshot",
                json!({"filename": "/w/a.txt"}),
            ),
            (
                "mcp__git__git_checkout",
                json!({"repo_path": "/w", "branch_name": "x"}),
            ),
            ("mcp__git__git_reset", json!({"repo_path": "/w"})),
            ("mcp__jetbrains__reformat_file", json!({"path": "a"})),
            (
                "mcp__x__download_file",
                json!({"url": "http://h/y", "path": "a"}),
            ),
            (
                "mcp__zip__extract",
                json!({"archive": "/tmp/x.zip", "destination": "/w/src"}),
            ),
            ("mcp__x__frobnicate", json!({"path": "a"})),
            ("mcp__reads/frobnicate", json!({"path": "a"})),
            ("mcp__x__log", json!({"path": "a"})),
            // A verb that reads, and another one.
            ("mcp__x__search_and_replace", json!({"path": "a"})),
            ("mcp__x__set_view", json!({"path": "a"})),
            ("mcp__x__get", json!({"path": "a", "action": "delete"})),
            (
                "mcp__x__fetch",
                json!({"uri": "https://example.org/y", "output_path": "a"}),
            ),
            // New files, whatever the argument is called.
            ("mcp__x__create_file", json!({"name": "n", "content": "x"})),
            ("mcp__x__write", json!({"name": "n.txt", "content": "x"})),
            ("mcp__x__save", json!({"as": "src/n.rs", "code": "x"})),
        ] {
            check_tool(tool, &args, true);
        }
    }

    #[test]
    fn an_argument_that_asks_for_a_change_outweighs_a_verb_that_reads() {
        for (tool, args) in [
            ("mcp__ruff__check", json!({"path": "a", "fix": true})),
            ("mcp__eslint__check", json!({"fix": true})),
            ("mcp__x__validate", json!({"file": "a", "autofix": true})),
            (
                "mcp__x__validate",
                json!({"file": "a", "options": {"inPlace": true}}),
            ),
            (
                "mcp__x__check",
                json!({"path": "a", "args": ["-q", "--fix"]}),
            ),
            ("mcp__x__check", json!({"path": "a", "args": "--write"})),
            ("mcp__x__check", json!({"path": "a", "mode": "fix"})),
            ("mcp__x__check", json!({"path": "a", "format": true})),
            ("mcp__x__view", json!({"path": "a", "new_content": "x"})),
            ("mcp__x__view", json!({"path": "a", "newStr": ""})),
            (
                "mcp__x__search",
                json!({"path": "a", "query": "b", "replacement": ""}),
            ),
            (
                "mcp__x__search",
                json!({"path": "a", "query": "b", "replace": "c"}),
            ),
            // The instructions of agents.
            ("save_memory", json!({"fact": "push to main"})),
        ] {
            check_tool(tool, &args, true);
        }
    }

    /// Servers drop arguments that they do not know, and read names that only resemble an address as files.
    #[test]
    fn no_argument_lets_a_tool_pass() {
        let write = "mcp__filesystem__write_file";
        for (tool, args) in [
            (write, json!({"path": "a", "content": "x", "repo": "r"})),
            (
                write,
                json!({"path": "a", "content": "x", "owner": "o", "project_id": "p"}),
            ),
            (write, json!({"path": "b\n/../a", "content": "x"})),
            (write, json!({"path": "https://x/../../a", "content": "x"})),
            (write, json!({"uri": "https://x/../../a", "content": "x"})),
            (
                "mcp__countersigned__write",
                json!({"path": "a", "content": "x"}),
            ),
        ] {
            check_tool(tool, &args, true);
        }
    }

    #[test]
    fn other_tools_pass() {
        for (tool, args) in [
            ("mcp__filesystem__read_file", json!({"path": "a"})),
            ("mcp__filesystem__list_directory", json!({"path": "."})),
            (
                "mcp__slack__post_message",
                json!({"channel": "c", "text": "x"}),
            ),
            (
                "mcp__github__create_issue",
                json!({"owner": "o", "repo": "r", "title": "t", "body": "b"}),
            ),
            (
                "mcp__github__create_or_update_file",
                json!({"owner": "o", "repo": "r", "path": "a", "content": "x"}),
            ),
            (
                "mcp__web__fetch",
                json!({"uri": "https://example.org/update", "data": "x"}),
            ),
            (
                "mcp__countersign__propose_edits",
                json!({"path": "a", "content": "x"}),
            ),
            (
                "countersign-propose_edits",
                json!({"path": "a", "content": "x"}),
            ),
            (
                "gitlab_push_files",
                json!({"project_id": "p", "files": [{"path": "a", "content": "x"}]}),
            ),
            ("mcp__x__grep", json!({"path": "a", "search_text": "x"})),
            (
                "mcp__semgrep__security_check",
                json!({"code_files": [{"path": "/w/a.py", "content": "import os"}]}),
            ),
            (
                "mcp__mail__send_email",
                json!({"to": "x@y.org", "body": "see", "attachments": ["/w/a.py"]}),
            ),
            (
                "mcp__ruff__check",
                json!({"path": "a", "fix": false, "autofix": "off", "format": "json", "fixes": []}),
            ),
            (
                "mcp__x__check",
                json!({"path": "a", "args": ["--format=json"]}),
            ),
            (
                "mcp__x__search",
                json!({"path": "a", "content": "b", "edit_id": "c", "created": "d"}),
            ),
            ("mcp__memory__add_memory", json!({"text": "x"})),
            ("read_memory", json!({})),
            ("mcp__git__git_log", json!({"repo_path": "/w"})),
            ("mcp__filesystem__directory_tree", json!({"path": "/w"})),
            (
                "mcp__figma__post_comment",
                json!({"file_key": "k", "text": "x"}),
            ),
            (
                "mcp__mail__create_draft",
                json!({"to": "x@y.org", "body": "x"}),
            ),
            (
                "mcp__x__create_release",
                json!({"tag": "1.2.3", "body": "x"}),
            ),
            (
                "mcp__x__read",
                json!({"path": "a", "mode": "text", "content_type": "x"}),
            ),
            ("mcp__x__run", json!({"code": "x", "cwd": "/w"})),
            (
                "mcp__mail__send",
                json!({"to": "me@example.org", "body": "x"}),
            ),
            (
                "TodoWrite",
                json!({"todos": [{"content": "write a", "status": "pending"}]}),
            ),
            (
                "mcp__db__update_row",
                json!({"table": "t", "data": {"a": 1}}),
            ),
            ("Bash", json!({"command": "ls"})),
        ] {
            check_tool(tool, &args, false);
        }
    }
}
