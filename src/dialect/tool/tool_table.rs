//! The table of editing tools: which agent has them, what their fields mean, and where that is documented.
//!
//! A call is read by the row that its name and its fields fit completely. A row's `fields` are words of the form
//! `role=field`; `field:value` demands a constant; `?` marks what may be missing; `field:*` allows
//! any value, `*:*?` any other field; `edits=field[…]` describes the objects of an array, and
//! `edits_or_one=field[…]` those of an array or one object in its place; `#` is a number in the names of numbered fields. The roles are
//! those of [`ToolAction`].
//! A new tool is one row here and one folder in `tests/formats`.

use ToolAction::{
    Append, AppendLines, Cell, CopyFile, Create, CreateLines, Delete, DeleteAll, EnvelopeHunks,
    EnvelopeLines, InsertAfter, InsertBefore, LinesFromZero, Patch, Pattern, Refuse, RemoveLines,
    Rename, Replace, ReplaceEvery, ReplaceOrRemove, Shell, ShellInput, Sketch, Write, WriteTrimmed,
};

/// Operation of a tool on its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum ToolAction {
    /// Replaces `old` by `new` in `path`: once, or everywhere if `every`; `count` states the number of places, `line` the
    /// first line. An empty `old` creates the file.
    Replace,
    /// The same, but an empty `new` removes the line break behind `old` as well, if `old` has none at its end.
    ReplaceOrRemove,
    /// Replaces, everywhere unless `every` is false.
    ReplaceEvery,
    /// Removes the lines of `old`, everywhere if `every`.
    RemoveLines,
    /// Writes `text` as the whole of `path`; with `overwrite` false only where no file is.
    Write,
    /// The same with the text of an element, without the blanks around it and with a line break at its end.
    WriteTrimmed,
    /// Creates `path` with `text`.
    Create,
    /// Creates `path` with `text`, whose last line gets an end unless `ends` is false.
    CreateLines,
    /// Adds `text` at the end of `path`, with a line break before it if `leading` and after it if `trailing`.
    Append,
    /// The same, on a line of its own: the last line of the file gets an end if it has none.
    AppendLines,
    /// Inserts `text` after the line `line`, which may be 0.
    InsertAfter,
    /// Inserts `text` before the line `line`.
    InsertBefore,
    /// Replaces the lines `start` to `end` by `text`; the first line is 0.
    LinesFromZero,
    /// Replaces the matches of `old`, a regular expression of Python, by `new`: one, or all if `every`.
    Pattern,
    /// Merges `text`, in which marks replace code that stays.
    Sketch,
    /// Reads `patch` as a diff, an envelope or search/replace blocks, for `path` where it names no file.
    Patch,
    /// Reads `patch` as hunks of an envelope that changes `path`.
    EnvelopeHunks,
    /// Reads `patch` as the added lines of an envelope that creates `path`.
    EnvelopeLines,
    /// Deletes `path`.
    Delete,
    /// Deletes each of `paths`.
    DeleteAll,
    /// Renames `path` to `to`.
    Rename,
    /// Makes `to` of the text of `path`.
    CopyFile,
    /// Edits a cell of the notebook `path`.
    Cell,
    /// Reads `patch` as commands of a shell that write files, in the folder `folder`.
    Shell,
    /// Reads `patch` as input of a program that runs already. An edit in it is refused.
    ShellInput,
    /// Cannot be carried out without running the tool; the text says why.
    Refuse(&'static str),
}

/// A tool of an agent.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Tool {
    /// The agent or the product.
    pub(in crate::dialect) agent: &'static str,
    /// The names of the tool.
    pub(in crate::dialect) names: &'static [&'static str],
    pub(in crate::dialect) action: ToolAction,
    /// The schema, as described in the documentation of this module.
    pub(in crate::dialect) fields: &'static str,
    /// The source of the schema.
    pub(in crate::dialect) source: &'static str,
}

const fn tool(
    agent: &'static str,
    names: &'static [&'static str],
    action: ToolAction,
    fields: &'static str,
    source: &'static str,
) -> Tool {
    Tool {
        agent,
        names,
        action,
        fields,
        source,
    }
}

const EDITOR: &[&str] = &[
    "str_replace_based_edit_tool",
    "str_replace_editor",
    "str_replace_editor_tool",
    "text_editor",
    "edit_tool",
    "edit_file",
    "file_editor",
    "fs_write",
    "str-replace-editor",
];
/// Tools that run commands. Only edits in a command are read, so its other fields are free.
const SHELLS: &[&str] = &[
    "Bash",
    "shell",
    "shell_command",
    "exec_command",
    "execute_command",
    "local_shell",
    "container.exec",
    "run_shell_command",
    "run_in_terminal",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_command",
    "execute_shell_command",
    "executeBash",
    "launch-process",
    "terminal",
];
const TEXT_EDITOR: &str = "platform.claude.com text-editor-tool";
const COPILOT: &str = "microsoft/vscode-copilot-chat package.json";
const PROMPTS: &str = "x1xhlol/system-prompts-and-models-of-ai-tools";
const OPENHANDS: &str = "OpenHands/OpenHands openhands/events/action";
const DROID: &str = "@factory/cli 0.225 (npm)";
const MEMORY: &str = "recorded calls";
/// A tool whose schema no public source was found for.
const UNVERIFIED: &str = "no public source: unverified";
const CURSOR_CLI: &str = "cursor.com/docs/cli/reference/output-format";
const CURSOR_STREAM: &str = "BloopAI/vibe-kanban crates/executors/src/executors/cursor.rs";
const KIRO: &str = "git.d-popov.com popov/gogo2 tools-kiro.md";

/// Every tool. Of several rows that a call without a name fits, the first one reads it.
#[rustfmt::skip]
pub(in crate::dialect) static TOOLS: &[Tool] = &[
    // --- Claude
    tool("Claude Code", &["Edit"], ReplaceOrRemove, "path=file_path old=old_string new=new_string every=replace_all?", "code.claude.com tools reference"),
    tool("Claude Code", &["MultiEdit"], ReplaceOrRemove, "path=file_path edits=edits[old=old_string new=new_string every=replace_all?]", MEMORY),
    tool("Claude Code", &["Write"], Write, "path=file_path text=content overwrite=overwrite?", "code.claude.com tools reference"),
    tool("Claude Code", &["NotebookEdit"], Cell, "path=notebook_path cell=cell_id? source=new_source? kind=cell_type? edit=edit_mode?", "code.claude.com tools reference"),
    tool("Claude", EDITOR, Replace, "command:str_replace path=path old=old_str new=new_str? every=replace_all?", TEXT_EDITOR),
    tool("Claude", EDITOR, InsertAfter, "command:insert path=path line=insert_line text=insert_text", TEXT_EDITOR),
    tool("OpenHands", EDITOR, InsertAfter, "command:insert path=path line=insert_line text=new_str", "OpenHands/OpenHands str_replace_editor"),
    tool("Claude", EDITOR, Create, "command:create path=path text=file_text?", TEXT_EDITOR),
    tool("OpenHands", &["edit"], Replace, "command:str_replace path=path old=old_str new=new_str? content:? start:*? end:*? impl_source:oh_aci? confirmation_state:*?", OPENHANDS),
    tool("OpenHands", &["edit"], InsertAfter, "command:insert path=path line=insert_line text=new_str content:? start:*? end:*? impl_source:oh_aci? confirmation_state:*?", OPENHANDS),
    tool("OpenHands", &["edit"], Create, "command:create path=path text=file_text? content:? start:*? end:*? impl_source:oh_aci? confirmation_state:*?", OPENHANDS),
    tool("OpenHands", &["write"], Write, "path=path text=content start:0? end:-1?", OPENHANDS),
    tool("OpenHands", &["run", "execute_bash"], Shell, "patch=command is_input:false? blocking:*? is_static:*? hidden:*? cwd=cwd? timeout=timeout? confirmation_state:*?", OPENHANDS),
    tool("OpenHands", EDITOR, Create, "command:create path=path text=content", MEMORY),
    tool("OpenHands", EDITOR, Refuse("an edit; `countersign undo` takes back a batch"), "command:undo_edit path=path", "OpenHands/OpenHands str_replace_editor"),
    tool("Amp, Claude", &["undo_edit", "<undo_edit>"], Refuse("an edit; `countersign undo` takes back a batch"), "path=path", PROMPTS),
    // --- Gemini, Qwen, Copilot, Cursor
    tool("Gemini CLI", &["replace", "edit"], Replace, "path=file_path old=old_string new=new_string count=expected_replacements? every=allow_multiple? modified_by_user:*? ai_proposed_content:*?", "google-gemini/gemini-cli packages/core/src/tools/edit.ts"),
    tool("Gemini CLI", &["write_file", "write"], Write, "path=file_path text=content modified_by_user:*? ai_proposed_content:*?", "google-gemini/gemini-cli packages/core/src/tools/write-file.ts"),
    tool("Qwen Code", &["edit"], Replace, "path=file_path old=old_string new=new_string every=replace_all?", "QwenLM/qwen-code packages/core/src/tools/edit.ts"),
    tool("Copilot", &["replace_string_in_file", "copilot_replaceString"], Replace, "path=filePath old=oldString new=newString", COPILOT),
    tool("Copilot", &["multi_replace_string_in_file", "copilot_multiReplaceString"], Replace, "edits=replacements[path=filePath old=oldString new=newString]", COPILOT),
    tool("Copilot", &["insert_edit_into_file", "copilot_insertEdit"], Sketch, "path=filePath text=code", COPILOT),
    tool("Copilot", &["create_file", "copilot_createFile"], Create, "path=filePath text=content", COPILOT),
    tool("Copilot", &["create_file", "create"], Create, "path=file_path text=content", MEMORY),
    tool("Copilot CLI", &["create"], Create, "path=path text=file_text", MEMORY),
    tool("Copilot", &["edit_notebook_file", "copilot_editNotebook"], Refuse("the cell as the file names it: the ids of VS Code are its own"), "path=filePath editType:* cellId:*? newCode:*?", COPILOT),
    tool("Copilot, Codex", &["apply_patch", "applypatch", "copilot_applyPatch"], Patch, "patch=input", COPILOT),
    tool("Copilot CLI, Amp", &["edit", "edit_file", "str_replace", "StringReplace", "<find_and_replace>"], Replace, "path=path old=old_str new=new_str? every=replace_all?", MEMORY),
    tool("Emergent", &["search_replace", "mcp_search_replace"], Replace, "path=path old=old_str new=new_str every=replace_all? run_lint:*?", PROMPTS),
    tool("Emergent", &["insert_text", "mcp_insert_text"], InsertAfter, "path=path line=insert_line text=new_str run_lint:*?", PROMPTS),
    tool("Emergent", &["create_file", "mcp_create_file"], Create, "path=path text=file_text run_lint:*?", PROMPTS),
    tool("Cursor", &["edit_file"], Sketch, "path=target_file text=code_edit", PROMPTS),
    tool("Cursor", &["search_replace"], Replace, "path=file_path old=old_string new=new_string every=replace_all?", PROMPTS),
    tool("Cursor", &["StrReplace", "edit"], Replace, "path=path old=old_string new=new_string every=replace_all?", PROMPTS),
    tool("Cursor", &["delete_file"], Delete, "path=target_file", PROMPTS),
    tool("Cursor", &["parallel_apply"], Refuse("the edits themselves: another model would make them"), "edit_plan:* edit_regions:*", UNVERIFIED),
    tool("Cursor", &["edit_notebook"], Refuse("an edit that names the cell by its id, as Claude Code's `NotebookEdit`"), "path=target_notebook cell_idx:* is_new_cell:*? cell_language:*? old=old_string new=new_string", PROMPTS),
    tool("Cursor", &["Write"], Write, "path=path text=contents", PROMPTS),
    tool("Cursor CLI", &["writeToolCall"], Write, "path=path text=fileText", CURSOR_CLI),
    tool("Cursor CLI", &["writeToolCall"], Write, "path=path text=contents", CURSOR_STREAM),
    tool("Cursor CLI", &["editToolCall"], Replace, "path=path edits_or_one=strReplace[old=oldText new=newText every=replaceAll?]", CURSOR_STREAM),
    tool("Cursor CLI", &["editToolCall"], Patch, "path=path edits_or_one=applyPatch[patch=patchContent]", CURSOR_STREAM),
    tool("Cursor CLI", &["deleteToolCall"], Delete, "path=path", CURSOR_STREAM),
    tool("Cursor CLI", &["shellToolCall"], Shell, "patch=command folder=workingDirectory? *:*?", CURSOR_STREAM),
    tool("Morph", &["edit_file"], Sketch, "path=path text=code_edit", "docs.morphllm.com"),
    tool("Morph", &["edit_file"], Sketch, "path=target_filepath text=code_edit", "docs.morphllm.com"),
    tool("Relace", &["edit_file"], Sketch, "path=path text=edit_snippet", "docs.relace.ai"),
    // --- Windsurf, Antigravity, Kiro, Droid, Augment, Trae, Same, Manus
    tool("Windsurf, Antigravity", &["replace_file_content", "multi_replace_file_content"], Replace, "path=TargetFile edits=ReplacementChunks[old=TargetContent new=ReplacementContent every=AllowMultiple? line=StartLine? last=EndLine?]", PROMPTS),
    tool("Antigravity", &["replace_file_content"], Replace, "path=TargetFile old=TargetContent new=ReplacementContent every=AllowMultiple? near=StartLine? last=EndLine?", PROMPTS),
    tool("Windsurf, Antigravity", &["write_to_file"], Write, "path=TargetFile text=CodeContent? overwrite=Overwrite? empty=EmptyFile?", PROMPTS),
    tool("Kiro", &["strReplace"], Replace, "path=path old=oldStr new=newStr", UNVERIFIED),
    tool("Kiro", &["fsWrite"], Write, "path=path text=text", KIRO),
    tool("Windsurf", &["edit_file"], Sketch, "path=TargetFile text=CodeEdit Blocking:*?", MEMORY),
    tool("Kiro", &["deleteFile"], Delete, "path=targetFile", MEMORY),
    tool("Kiro", &["fsAppend"], AppendLines, "path=path text=text", UNVERIFIED),
    tool("Amazon Q, Kiro", &["fs_write"], AppendLines, "command:append path=path text=new_str", "aws/amazon-q-developer-cli chat/tools/tool_index.json"),
    tool("Droid", &["Edit"], Replace, "path=file_path old=old_str new=new_str every=change_all?", DROID),
    tool("Droid", &["Edit", "MultiEdit"], Replace, "path=file_path edits=changes[old=old_str new=new_str every=change_all?]", DROID),
    tool("Droid", &["Create"], Create, "path=file_path text=content", DROID),
    tool("Droid", &["ApplyPatch", "apply_patch_cli"], Patch, "patch=input", DROID),
    tool("Augment", EDITOR, Replace, "command:str_replace path=path edits=str_replace_entries[old=old_str new=new_str line=old_str_start_line_number? last=old_str_end_line_number?]", PROMPTS),
    tool("Augment", EDITOR, Replace, "command:str_replace path=path old=old_str_# new=new_str_# line=old_str_start_line_number_#? last=old_str_end_line_number_#?", PROMPTS),
    tool("Augment", EDITOR, InsertAfter, "command:insert path=path line=insert_line_# text=new_str_#", PROMPTS),
    tool("Augment", &["save-file"], CreateLines, "path=path text=file_content instructions_reminder:*? ends=add_last_line_newline?", PROMPTS),
    tool("Trae", &["update_file"], Replace, "path=file_path edits=replace_blocks[old=old_str new=new_str]", PROMPTS),
    tool("Trae", &["write_to_file"], Write, "path=file_path text=content rewrite:*?", PROMPTS),
    tool("Trae", &["rename_file"], Rename, "path=file_path to=rename_file_path", PROMPTS),
    tool("Trae, Augment", &["delete_file", "remove-files"], DeleteAll, "paths=file_paths", PROMPTS),
    tool("Qoder", &["search_replace"], Replace, "path=file_path edits=replacements[old=original_text new=new_text every=replace_all?]", PROMPTS),
    tool("Qoder", &["create_file"], CreateLines, "path=file_path text=file_content ends=add_last_line_newline?", MEMORY),
    tool("Trae", &["edit_file_fast_apply"], Sketch, "path=file_path text=content", PROMPTS),
    tool("Same.dev", &["string_replace"], Replace, "path=relative_file_path old=old_string new=new_string every=replace_all?", PROMPTS),
    tool("Same.dev", &["edit_file"], Sketch, "path=relative_file_path text=code_edit smart_apply:*?", PROMPTS),
    tool("Same.dev", &["delete_file"], Delete, "path=relative_file_path", PROMPTS),
    tool("Manus", &["file_write"], Append, "path=file text=content append:true leading=leading_newline? trailing=trailing_newline? sudo:*?", PROMPTS),
    tool("Manus", &["file_write"], Write, "path=file text=content append:false? leading_newline:false? trailing_newline:false? sudo:*?", PROMPTS),
    tool("Manus", &["file_str_replace"], Replace, "path=file old=old_str new=new_str sudo:*?", PROMPTS),
    // --- Kimi, Vibe, Goose, SWE-agent, Moatless, Continue, Serena, JetBrains
    tool("Kimi CLI", &["StrReplaceFile"], Replace, "path=path edits_or_one=edit[old=old new=new every=replace_all?]", "MoonshotAI/kimi-cli src/kimi_cli/tools/file/replace.py"),
    tool("Kimi CLI", &["WriteFile"], Append, "path=path text=content mode:append", "MoonshotAI/kimi-cli src/kimi_cli/tools/file/write.py"),
    tool("Codebuff", &["write_file"], Sketch, "path=path text=content instructions:*", "CodebuffAI/codebuff common/src/tools"),
    tool("Kimi CLI", &["WriteFile", "write_file", "write", "create_file"], Write, "path=path text=content mode:overwrite? overwrite=overwrite?", "MoonshotAI/kimi-cli src/kimi_cli/tools/file/write.py"),
    tool("Mistral Vibe", &["search_replace"], Patch, "path=file_path patch=content", "mistralai/mistral-vibe search_replace.md"),
    tool("Mistral Vibe", &["edit", "search_replace"], Replace, "path=file_path edits=content[old=old_str new=new_str]", "mistralai/mistral-vibe edit.py"),
    tool("Goose", &["text_editor"], Patch, "command:str_replace path=path patch=diff", "block/goose crates/goose-mcp"),
    tool("Goose", &["text_editor"], Write, "command:write path=path text=file_text", "block/goose crates/goose-mcp"),
    tool("Goose", &["edit"], Replace, "path=path old=before new=after", "block/goose crates/goose-mcp/src/developer/edit.rs"),
    tool("SWE-agent", &["edit"], Replace, "old=search new=replace every=replace-all?", "SWE-agent/SWE-agent tools/windowed_edit_replace"),
    tool("Continue", &["single_find_and_replace"], Replace, "path=filepath old=old_string new=new_string every=replace_all?", "continuedev/continue core/tools/definitions"),
    tool("Continue", &["multi_edit"], Replace, "path=filepath edits=edits[old=old_string new=new_string every=replace_all?]", "continuedev/continue core/tools/definitions"),
    tool("Continue", &["edit_existing_file"], Sketch, "path=filepath text=changes", "continuedev/continue core/tools/definitions"),
    tool("Continue", &["search_and_replace_in_file"], Patch, "path=filepath patch=diffs", "continuedev/continue core/tools/definitions"),
    tool("Continue", &["create_new_file"], Create, "path=filepath text=contents", "continuedev/continue core/tools/definitions"),
    tool("Serena", &["replace_content", "replace_regex"], Replace, "path=relative_path old=needle new=repl mode:literal every=allow_multiple_occurrences?", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["replace_content"], Pattern, "path=relative_path old=needle new=repl mode:regex every=allow_multiple_occurrences?", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["replace_regex"], Pattern, "path=relative_path old=regex new=repl every=allow_multiple_occurrences?", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["replace_symbol_body"], Refuse("a text edit: only a language server knows where the symbol ends"), "symbol=name_path path=relative_path text=body", "oraios/serena src/serena/tools/symbol_tools.py"),
    tool("Serena", &["insert_after_symbol", "insert_before_symbol"], Refuse("a text edit: only a language server knows where the symbol ends"), "symbol=name_path path=relative_path text=body", "oraios/serena src/serena/tools/symbol_tools.py"),
    tool("Serena", &["rename_symbol", "safe_delete_symbol"], Refuse("a text edit: only a language server knows where the symbol is used"), "symbol=name_path? symbol=name_path_pattern? path=relative_path new=new_name?", "oraios/serena src/serena/tools/symbol_tools.py"),
    tool("Serena", &["replace_in_files"], Refuse("the edit of one file: which files match is not stated"), "old=needle new=repl mode:* path=relative_path?", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["replace_lines"], LinesFromZero, "path=relative_path start=start_line end=end_line text=content", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["delete_lines"], LinesFromZero, "path=relative_path start=start_line end=end_line", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["insert_at_line"], InsertAfter, "path=relative_path line=line text=content", "oraios/serena src/serena/tools/file_tools.py"),
    tool("Serena", &["create_text_file"], Write, "path=relative_path text=content", "oraios/serena src/serena/tools/file_tools.py"),
    tool("JetBrains", &["replace_text_in_file"], ReplaceEvery, "path=pathInProject old=oldText new=newText every=replaceAll? project=projectPath? case:true?", "JetBrains/intellij-community plugins/mcp-server"),
    tool("JetBrains", &["replace_specific_text"], ReplaceEvery, "path=pathInProject old=oldText new=newText", "JetBrains/mcp-server-plugin textTools.kt"),
    tool("JetBrains", &["create_new_file"], Write, "path=pathInProject text=text overwrite:true project=projectPath?", "JetBrains/intellij-community plugins/mcp-server"),
    tool("JetBrains", &["rename_refactoring"], Refuse("a text edit: only the IDE knows where the symbol is used"), "path=pathInProject symbol=symbolName new=newName project=projectPath?", "JetBrains/intellij-community plugins/mcp-server"),
    tool("JetBrains", &["create_new_file", "create_new_file_with_text"], Create, "path=pathInProject text=text? overwrite:false? project=projectPath?", "JetBrains/mcp-server-plugin textTools.kt"),
    // --- MCP servers, Pi, Codebuff, Zed, Junie, Lovable
    tool("filesystem MCP server", &["edit_file"], Replace, "path=path edits=edits[old=oldText new=newText] dryRun:false?", "modelcontextprotocol/servers src/filesystem"),
    tool("Pi", &["edit"], Replace, "path=path edits_or_one=edits[old=oldText new=newText]", "earendil-works/pi packages/coding-agent"),
    tool("MCP servers", &["delete_file", "remove_file"], Delete, "path=path", MEMORY),
    tool("MCP servers", &["delete_file", "remove_file"], Delete, "path=file_path", MEMORY),
    tool("MCP servers", &["move_file", "rename_file"], Rename, "path=old_path to=new_path", MEMORY),
    tool("filesystem MCP server", &["move_file"], Rename, "path=source to=destination", "modelcontextprotocol/servers src/filesystem"),
    tool("Desktop Commander", &["edit_block"], Replace, "path=file_path old=old_string new=new_string count=expected_replacements?", "wonderwhy-er/DesktopCommanderMCP"),
    tool("Desktop Commander", &["write_file"], Append, "path=path text=content mode:append", "wonderwhy-er/DesktopCommanderMCP"),
    tool("Desktop Commander", &["write_file"], Write, "path=path text=content mode:rewrite", "wonderwhy-er/DesktopCommanderMCP"),
    tool("Pi", &["edit"], Replace, "path=path old=oldText new=newText", MEMORY),
    tool("oh-my-pi", &["edit"], EnvelopeHunks, "path=path edits=edits[op:update? patch=diff]", "can1357/oh-my-pi prompts/tools/patch.md"),
    tool("Codebuff", &["str_replace"], Replace, "path=path edits=replacements[old=old new=new every=allowMultiple?]", "CodebuffAI/codebuff common/src/tools"),
    tool("Zed", &["edit_file"], Replace, "path=path mode:edit? edits=edits[old=old_text new=new_text]", "zed-industries/zed crates/agent/src/tools/edit_file_tool.rs"),
    tool("Zed", &["edit_file"], Write, "path=path mode:write text=content", "zed-industries/zed crates/agent/src/tools/edit_file_tool.rs"),
    tool("Zed", &["delete_path"], Delete, "path=path", "zed-industries/zed crates/agent/src/tools/delete_path_tool.rs"),
    tool("Zed", &["move_path"], Rename, "path=source_path to=destination_path", "zed-industries/zed crates/agent/src/tools/move_path_tool.rs"),
    tool("Zed", &["copy_path"], CopyFile, "path=source_path to=destination_path", "zed-industries/zed crates/agent/src/tools/copy_path_tool.rs"),
    tool("Junie, Cline", &["search_replace", "search_and_replace"], Replace, "path=file old=search new=replace", MEMORY),
    tool("Lovable", &["lov-line-replace"], Replace, "path=file_path old=search line=first_replaced_line last=last_replaced_line new=replace", PROMPTS),
    tool("Lovable", &["lov-write"], Write, "path=file_path text=content", PROMPTS),
    tool("Dyad", &["dyad-write"], WriteTrimmed, "path=file_path text=content", PROMPTS),
    // --- opencode, Roo, Cline, Codex, OpenAI, ACP
    tool("opencode", &["edit"], Replace, "path=filePath old=oldString new=newString every=replaceAll?", "sst/opencode packages/opencode/src/tool/edit.ts"),
    tool("opencode", &["multiedit"], Replace, "path=filePath edits=edits[path=filePath? old=oldString new=newString every=replaceAll?]", "sst/opencode packages/opencode/src/tool/multiedit.ts"),
    tool("opencode", &["write"], Write, "path=filePath text=content", "sst/opencode packages/opencode/src/tool/write.ts"),
    tool("opencode", &["apply_patch", "patch"], Patch, "patch=patchText", "sst/opencode packages/opencode/src/tool"),
    tool("Roo Code, Cline", &["apply_diff", "replace_in_file", "apply_patch"], Patch, "path=path? patch=diff start=start_line? end=end_line?", "RooCodeInc/Roo-Code src/core/tools"),
    tool("Roo Code, Cline", &["write_to_file"], Write, "path=path text=content count=line_count?", "RooCodeInc/Roo-Code src/core/tools"),
    tool("Roo Code", &["edit_file", "search_replace"], Replace, "path=file_path old=old_string new=new_string count=expected_replacements?", "RooCodeInc/Roo-Code src/core/prompts/tools/native-tools"),
    tool("Roo Code", &["insert_content"], Append, "path=path line:0 text=content", "RooCodeInc/Roo-Code src/core/tools"),
    tool("Roo Code", &["insert_content"], InsertBefore, "path=path line=line text=content", "RooCodeInc/Roo-Code src/core/tools"),
    tool("Roo Code", &["search_and_replace"], ReplaceEvery, "path=path old=search new=replace use_regex:false? ignore_case:false?", "RooCodeInc/Roo-Code src/core/tools"),
    tool("Cline", &["write_to_file"], Write, "path=absolutePath text=content count=line_count?", "cline/cline src/core/prompts"),
    tool("Cline", &["replace_in_file"], Patch, "path=absolutePath patch=diff", "cline/cline src/core/prompts"),
    tool("Cline", &["editor"], Replace, "path=path old=old_text new=new_text", "cline/cline sdk/packages/core/src/extensions/tools"),
    tool("Cline", &["editor"], InsertBefore, "path=path line=insert_line text=new_text", "cline/cline sdk/packages/core/src/extensions/tools"),
    tool("Cline", &["editor"], Create, "path=path text=new_text", "cline/cline sdk/packages/core/src/extensions/tools"),
    tool("Codex", &["apply_patch"], Patch, "path=path? patch=patch fuzzy=fuzzyMatch? rejects=allowRejects?", "openai/codex codex-rs/apply-patch"),
    tool("Claude Code, Codex", SHELLS, Shell, "patch=command folder=workdir? folder=working_directory? folder=cwd? folder=directory? *:*?", "code.claude.com tools reference; openai/codex codex-rs"),
    tool("Codex", SHELLS, Shell, "patch=cmd folder=workdir? folder=cwd? *:*?", "openai/codex codex-rs"),
    tool("Codex", &["write_stdin"], ShellInput, "patch=chars session_id:* *:*?", "openai/codex codex-rs"),
    tool("Windsurf", SHELLS, Shell, "patch=CommandLine folder=Cwd? *:*?", PROMPTS),
    tool("OpenAI Responses API", &["apply_patch_call"], EnvelopeHunks, "type:update_file path=path patch=diff", "developers.openai.com tools-apply-patch"),
    tool("OpenAI Responses API", &["apply_patch_call"], EnvelopeLines, "type:create_file path=path patch=diff", "developers.openai.com tools-apply-patch"),
    tool("OpenAI Responses API", &["apply_patch_call"], Delete, "type:delete_file path=path", "developers.openai.com tools-apply-patch"),
    tool("Agent Client Protocol", &[], Delete, "type:diff path=path old=oldText? new=newText? deleted:true", "agentclientprotocol docs/rfds/diff-delete.mdx"),
    tool("Agent Client Protocol", &[], Replace, "type:diff path=path old=oldText? new=newText deleted:false?", "agentclientprotocol.com/protocol/tool-calls#diffs"),
    // --- Markup
    tool("Devin", &["str_replace"], Replace, "path=path old=old_str new=new_str every=many? sudo:*?", PROMPTS),
    tool("Devin", &["<create_file>"], Create, "path=path text=content sudo:*?", PROMPTS),
    tool("Devin", &["<remove_str>"], RemoveLines, "path=path old=content every=many? sudo:*?", PROMPTS),
    tool("Devin", &["<find_and_edit>"], Refuse("the edit of one file: another model would make it"), "dir:* regex:* exclude_file_glob:*? file_extension_glob:*? text=content", PROMPTS),
    tool("Devin", &["<insert>"], InsertBefore, "path=path line=insert_line text=content sudo:*?", PROMPTS),
    tool("AI Studio", &["<change>"], Write, "path=file text=content", PROMPTS),
    tool("AutoCodeRover", &["<modification>"], Replace, "path=file old=original new=patched", "nus-apr/auto-code-rover app/agents/agent_write_patch.py"),
    tool("Lovable, Dyad", &["lov-delete", "dyad-delete"], Delete, "path=file_path", PROMPTS),
    tool("Lovable, Dyad", &["lov-delete", "dyad-delete"], Delete, "path=path", PROMPTS),
    tool("Dyad", &["dyad-rename"], Rename, "path=from to=to", "dyad-sh/dyad src/ipc/utils/dyad_tag_parser.ts"),
    tool("Dyad", &["dyad-copy"], CopyFile, "path=from to=to", "dyad-sh/dyad src/ipc/utils/dyad_tag_parser.ts"),
    tool("Dyad", &["dyad-search-replace"], Patch, "path=path patch=content", "dyad-sh/dyad src/ipc/utils/dyad_tag_parser.ts"),
    tool("Lovable", &["lov-copy"], CopyFile, "path=source_file_path to=destination_file_path", PROMPTS),
    tool("Leap", &["leapFile"], Write, "path=path text=content", PROMPTS),
    tool("Leap", &["leapDeleteFile"], Delete, "path=path", PROMPTS),
    tool("Leap", &["leapMoveFile"], Rename, "path=from to=to", PROMPTS),
    tool("Lovable", &["lov-rename"], Rename, "path=original_file_path to=new_file_path", PROMPTS),
    tool("Dyad", &["dyad-write"], WriteTrimmed, "path=path text=content", "dyad-sh/dyad src/ipc/utils/dyad_tag_parser.ts"),
    tool("bolt", &["boltAction"], WriteTrimmed, "type:file path=filePath text=content", "stackblitz/bolt.new app/lib/runtime/message-parser.ts"),
];
