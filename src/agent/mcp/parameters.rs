//! Parameters of the tools, and the proposals made from them.

use std::slice;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::agent::{SeenFile, Submission};

/// `apply_diff`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ApplyDiff {
    /// The file, relative to the working folder. Not needed if `args` is given.
    path: Option<String>,
    /// One or more `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE` blocks (with an optional `:start_line:` each), or a unified diff.
    diff: Option<String>,
    /// A hint: the line, from 1, where the only SEARCH block begins.
    start_line: Option<u32>,
    /// A hint: the line where it ends.
    end_line: Option<u32>,
    /// Several files at once: `{"file": [{"path": …, "diff": {"content": …, "start_line": …}}]}`, or the same as XML.
    args: Option<Value>,
}

/// `apply_patch`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ApplyPatch {
    /// A patch for any number of files: `*** Begin Patch … *** End Patch`, or a unified or context diff.
    patch: String,
    /// Taken for compatibility. An edit whose place is not sure is always shown to the person, who places it.
    #[serde(rename = "fuzzyMatch")]
    #[expect(
        dead_code,
        reason = "a place that is not sure is never taken without a person"
    )]
    fuzzy_match: Option<bool>,
    /// With `false`, all of the patch is applied or nothing of it. Without it, the person decides hunk by hunk.
    #[serde(rename = "allowRejects")]
    allow_rejects: Option<bool>,
}

/// `edit_file`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct EditFile {
    /// The file, relative to the working folder.
    path: String,
    /// The text to replace, exactly as in the file, with enough of its surroundings to be unique.
    old_string: Option<String>,
    /// The text to put there.
    new_string: Option<String>,
    /// Replace every occurrence.
    replace_all: Option<bool>,
    /// Several replacements in one file, instead of `old_string` and `new_string`.
    edits: Option<Vec<Replacement>>,
    /// Or the changed code, with `// ... existing code ...` in a comment of the language for what stays.
    code_edit: Option<String>,
    /// The purpose of the edit, in a sentence, for the person who reviews it.
    instructions: Option<String>,
}

/// One of several replacements.
#[derive(Debug, Deserialize, JsonSchema)]
struct Replacement {
    /// The text to replace.
    old_string: String,
    /// The text to put there.
    new_string: String,
    /// Replace every occurrence.
    replace_all: Option<bool>,
}

/// `write_file`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WriteFile {
    /// The file, relative to the working folder.
    path: String,
    /// All that it is to hold.
    content: String,
}

/// `propose_changes`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ProposeChanges {
    /// Edits of any number of files, in any form: search/replace blocks under file names, unified diffs, `*** Begin Patch`
    /// envelopes, whole files in code fences, tool calls as JSON.
    changes: Option<String>,
    /// Or the files one by one.
    files: Option<Vec<File>>,
    /// The purpose of the changes, for the person who reviews them.
    intent: Option<String>,
    /// The form of `changes`, if it must not be recognised: `unified`, `search-replace`, `envelope`, …
    format: Option<String>,
}

/// One file of a proposal: with `content`, with `diff`, or with `old_string` and `new_string`.
#[derive(Debug, Deserialize, JsonSchema)]
struct File {
    /// The file, relative to the working folder.
    path: String,
    /// All that it is to hold.
    content: Option<String>,
    /// Search/replace blocks, or a unified diff.
    diff: Option<String>,
    /// The text to replace.
    old_string: Option<String>,
    /// The text to put there.
    new_string: Option<String>,
    /// The whole file as it was when the change was made, where it may have changed since: it says where the change belongs.
    seen: Option<String>,
}

/// `wait_for_verdict`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WaitForVerdict {
    /// The ticket that the call came back with.
    pub(super) ticket: String,
}

/// `list_threads`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ListThreads {
    /// The threads to list; without it, all that are not resolved.
    pub(super) state: Option<ThreadFilter>,
    /// Only those of this file, relative to the working folder of the reviewer.
    pub(super) path: Option<String>,
}

/// Threads by their state.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ThreadFilter {
    /// All that are not resolved.
    Unresolved,
    /// Those that wait for your answer.
    Open,
    /// Those that wait for the person.
    Answered,
    /// Those that the person has resolved.
    Resolved,
    /// All.
    All,
}

/// `reply` and `propose_resolution`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Reply {
    /// The name of the thread, such as `t3`.
    pub(super) thread: String,
    /// Your answer, or what was done.
    pub(super) text: String,
}

/// `wait_for_feedback`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WaitForFeedback {
    /// The threads to wait for; all without it.
    pub(super) threads: Option<Vec<String>>,
}

/// Parses the arguments of a tool.
pub(super) fn arguments_of<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
    serde_json::from_value(arguments).map_err(|error| format!("the arguments are wrong: {error}"))
}

/// Parameters from which a proposal is made.
pub(super) trait Proposes {
    fn proposal(self) -> Result<Submission, &'static str>;
}

impl Proposes for ApplyDiff {
    fn proposal(self) -> Result<Submission, &'static str> {
        let Self {
            path,
            diff,
            start_line,
            end_line,
            args,
        } = self;
        match (path, diff, args) {
            (Some(path), Some(diff), None) => {
                let diff = hinted(&diff, start_line, end_line);
                Ok(call(&json!({"path": path, "diff": diff})))
            }
            (_, _, Some(Value::String(xml))) => Ok(submission(format!(
                "<apply_diff>\n<args>\n{xml}\n</args>\n</apply_diff>\n"
            ))),
            (_, _, Some(args)) => {
                several(&args).ok_or("`args` must hold `file`, each with `path` and `diff`")
            }
            (_, _, None) => Err("`path` and `diff` are needed, or `args`"),
        }
    }
}

impl Proposes for ApplyPatch {
    fn proposal(self) -> Result<Submission, &'static str> {
        let Self {
            patch,
            allow_rejects,
            ..
        } = self;
        let submission = submission(patch);
        Ok(Submission {
            partial: allow_rejects.unwrap_or(true),
            ..submission
        })
    }
}

impl Proposes for EditFile {
    fn proposal(self) -> Result<Submission, &'static str> {
        let Self {
            path,
            old_string,
            new_string,
            replace_all,
            edits,
            code_edit,
            instructions,
        } = self;
        let edit = |edit: &Replacement| json!({"old_string": edit.old_string, "new_string": edit.new_string, "replace_all": edit.replace_all == Some(true)});
        let call = match (old_string, new_string, edits, code_edit) {
            (Some(old_string), Some(new_string), None, None) => call(
                &json!({"path": path, "old_string": old_string, "new_string": new_string, "replace_all": replace_all == Some(true)}),
            ),
            (None, None, Some(edits), None) if !edits.is_empty() => {
                call(&json!({"path": path, "edits": edits.iter().map(edit).collect::<Vec<_>>()}))
            }
            (None, None, None, Some(code_edit)) => {
                call(&json!({"path": path, "code_edit": code_edit}))
            }
            _ => {
                return Err(
                    "one of these is needed: `old_string` with `new_string`, `edits`, or `code_edit`",
                );
            }
        };
        Ok(Submission {
            origin: instructions,
            ..call
        })
    }
}

impl Proposes for WriteFile {
    fn proposal(self) -> Result<Submission, &'static str> {
        Ok(call(&json!({"path": self.path, "content": self.content})))
    }
}

impl Proposes for ProposeChanges {
    fn proposal(self) -> Result<Submission, &'static str> {
        let Self {
            changes,
            files,
            intent,
            format,
        } = self;
        let made = match (changes, files) {
            (Some(changes), None) => Submission {
                format,
                ..submission(changes)
            },
            (None, Some(files)) if !files.is_empty() => {
                let seen = files.iter().filter_map(File::seen).collect();
                let files: Option<Vec<Value>> = files.into_iter().map(File::call).collect();
                let files = files.ok_or(
                    "each of `files` needs `content`, `diff`, or `old_string` and `new_string`",
                )?;
                Submission {
                    seen,
                    ..call(&Value::Array(files))
                }
            }
            _ => return Err("`changes` or `files` is needed"),
        };
        Ok(Submission {
            origin: intent,
            ..made
        })
    }
}

impl File {
    fn seen(&self) -> Option<SeenFile> {
        let (path, text) = (self.path.clone(), self.seen.clone()?);
        Some(SeenFile { path, text })
    }

    fn call(self) -> Option<Value> {
        let Self {
            path,
            content,
            diff,
            old_string,
            new_string,
            seen: _,
        } = self;
        match (content, diff, old_string, new_string) {
            (Some(content), None, None, None) => Some(json!({"path": path, "content": content})),
            (None, Some(diff), None, None) => Some(json!({"path": path, "diff": diff})),
            (None, None, Some(old), Some(new)) => {
                Some(json!({"path": path, "old_string": old, "new_string": new}))
            }
            _ => None,
        }
    }
}

/// Roo Code's files of a call, each with one diff or several.
fn several(args: &Value) -> Option<Submission> {
    let mut calls = Vec::new();
    let files = args.get("file").or_else(|| args.get("files"));
    for file in as_list(files.unwrap_or(args)) {
        let path = file.get("path")?.as_str()?.to_owned();
        for diff in as_list(file.get("diff")?) {
            let content = diff.as_str().or_else(|| diff.get("content")?.as_str())?;
            let line = diff.get("start_line").and_then(Value::as_u64);
            let line = line.and_then(|line| u32::try_from(line).ok());
            calls.push(json!({"path": path, "diff": hinted(content, line, None)}));
        }
    }
    (!calls.is_empty()).then(|| call(&Value::Array(calls)))
}

/// A diff with its line numbers inside, where they count, if it has one block without any.
fn hinted(diff: &str, start_line: Option<u32>, end_line: Option<u32>) -> String {
    let Some(start) = start_line.filter(|_| !diff.contains(":start_line:")) else {
        return diff.to_owned();
    };
    let mut blocks = diff.match_indices("<<<<<<< SEARCH\n");
    match (blocks.next(), blocks.next()) {
        (Some((at, mark)), None) => {
            let (head, rest) = diff.split_at(at + mark.len());
            let end = end_line
                .map(|end| format!(":end_line:{end}\n"))
                .unwrap_or_default();
            format!("{head}:start_line:{start}\n{end}-------\n{rest}")
        }
        (Some(_), Some(_)) | (None, _) => diff.to_owned(),
    }
}

fn call(call: &Value) -> Submission {
    Submission {
        format: Some("tool-call".to_owned()),
        ..submission(call.to_string())
    }
}

fn submission(input: String) -> Submission {
    Submission::new("mcp", input)
}

/// Returns the elements of a list; of another value, that alone.
fn as_list(value: &Value) -> &[Value] {
    (value.as_array()).map_or(slice::from_ref(value), Vec::as_slice)
}
