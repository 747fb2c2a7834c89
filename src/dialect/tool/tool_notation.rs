//! Calls of editing tools in notations that are not read, so that each is refused by the name of its tool.

use super::field_names::{NAMES, PATHS, TEXTS};
use super::schema;

/// Names of the fields of a call, beside its name.
const FIELDS: [&str; 5] = ["arguments", "args", "input", "parameters", "params"];

/// Describes the call that a line and the next one begin in a notation that is not read: that of Python, YAML, or JSON as HTML
/// escapes it.
pub(in crate::dialect) fn other(line: &str, next: &str) -> Option<String> {
    let named = |tool: Option<&str>| {
        tool.map_or_else(|| "an editing tool".to_owned(), |tool| format!("`{tool}`"))
    };
    if is_python(line) {
        let tool = called(line).or_else(|| quoted_name(line, '\''));
        return Some(format!(
            "a call of {} in the notation of Python",
            named(tool)
        ));
    }
    if let Some(tool) = called_in_python(line) {
        return Some(format!("a call of `{tool}` in the notation of Python"));
    }
    let argument = || {
        next.trim_start()
            .split_once('=')
            .map_or("", |(name, _)| name)
    };
    if line.ends_with('(')
        && let Some(tool) = called(line)
        && (PATHS.contains(&argument()) || TEXTS.contains(&argument()))
    {
        return Some(format!("a call of `{tool}` in the notation of Python"));
    }
    if let Some(tool) = of_yaml(line, next) {
        return Some(format!("a call of `{tool}` in YAML"));
    }
    if line.contains("&quot;") {
        let plain = line.replace("&quot;", "\"");
        let tool = of_json(&plain)?;
        return Some(format!("a call of `{tool}` whose JSON is escaped as HTML"));
    }
    None
}

/// Describes such a call beside others, if a known tool is named and the line is not JSON, whose strings may hold such text.
pub(in crate::dialect) fn other_of_known(line: &str, next: &str) -> Option<String> {
    let is_json = line.starts_with(['"', '{', '[']) && !line.contains('\'') || line.contains("\":");
    let is_named = || {
        called(line).or_else(|| quoted_name(line, '\'')).is_some() || of_yaml(line, next).is_some()
    };
    (!is_json && is_named())
        .then(|| other(line, next))
        .flatten()
}

/// Returns the tool that a text in JSON calls, which may be cut off or written wrong.
pub(in crate::dialect) fn of_json(text: &str) -> Option<&str> {
    let has_fields = FIELDS
        .iter()
        .any(|name| text.contains(&format!("\"{name}\"")));
    quoted_name(text, '"').filter(|_| has_fields)
}

/// The name of a tool behind one of the keys for it.
fn quoted_name(text: &str, quote: char) -> Option<&str> {
    NAMES.iter().find_map(|key| {
        let (_, rest) = text.split_once(&format!("{quote}{key}{quote}"))?;
        let rest = rest.trim_start().strip_prefix(':')?.trim_start();
        let (name, _) = rest.strip_prefix(quote)?.split_once(quote)?;
        schema::named(name).next().map(|_| name)
    })
}

/// Returns `true` for a line with the fields of an edit in the notation of Python.
fn is_python(line: &str) -> bool {
    let has = |names: &[&str]| {
        names.iter().any(|name| {
            let marks = [
                format!("'{name}':"),
                format!("({name}="),
                format!(", {name}="),
            ];
            marks.iter().any(|mark| line.contains(mark))
        })
    };
    line.contains(['{', '(']) && has(&PATHS) && has(&TEXTS)
}

/// The tool whose name is before a parenthesis.
fn called(line: &str) -> Option<&str> {
    let parentheses = line.match_indices('(');
    let mut before = parentheses.map(|(at, _)| &line[..at]);
    before.find_map(|before| {
        let name = before
            .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
            .next()?;
        let name = schema::bare_name(name);
        schema::named(name).next().map(|_| name)
    })
}

/// The tool that a line calls with fields that it takes, with a text, or in a dictionary.
fn called_in_python(line: &str) -> Option<&str> {
    let has_fields = |name: &&str| line.contains(&format!("'{name}'"));
    if let Some(tool) = quoted_name(line, '\'').filter(|_| FIELDS.iter().any(has_fields)) {
        return Some(tool);
    }
    line.match_indices('(').find_map(|(at, _)| {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let name = line[..at].rsplit(|c: char| !is_name(c)).next()?;
        schema::named(name).next()?;
        let inner = &line[at + 1..];
        let parts = inner.split(['(', ',']).map(str::trim_start);
        let fields = parts.filter_map(|part| Some(part.split_once('=')?.0.trim_end()));
        let fields = fields
            .filter(|field| schema::has_field(name, field))
            .count();
        // One word may be the name of any function.
        let is_own = name.contains(['_', '-']);
        let has_text = inner
            .trim_start()
            .trim_start_matches(['r', 'f'])
            .starts_with(['"', '\'']);
        (fields > 1 || is_own && (fields == 1 || has_text)).then_some(name)
    })
}

/// The tool that a line names in YAML, if its fields are below.
fn of_yaml<'a>(line: &'a str, next: &str) -> Option<&'a str> {
    let (key, name) = line.trim_start_matches("- ").split_once(": ")?;
    let name = name.trim().trim_matches(['"', '\'']);
    let is_fields = next
        .trim()
        .strip_suffix(':')
        .is_some_and(|key| FIELDS.contains(&key));
    (NAMES.contains(&key) && is_fields).then_some(())?;
    schema::named(name).next().map(|_| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_in_another_notation_is_named() {
        let check = |line: &str, next: &str, expected: Option<&str>| {
            assert_eq!(other(line, next).as_deref(), expected, "{line}");
        };
        let python = Some("a call of `replace` in the notation of Python");
        check(
            "print(default_api.replace(file_path='a', old_string='b'))",
            "",
            python,
        );
        check(
            "{'name': 'replace', 'args': {'path': 'a', 'old_str': 'b'}}",
            "",
            python,
        );
        check("replace(", "    file_path='a',", python);
        check("replace(", "    x='a',", None);
        check(
            "fancy(path='a', content='b')",
            "",
            Some("a call of an editing tool in the notation of Python"),
        );
        check(
            "tool: replace",
            "arguments:",
            Some("a call of `replace` in YAML"),
        );
        check("name: replace", "on: push", None);
        for (line, tool) in [
            (r#"apply_patch("""*** Begin Patch"#, "apply_patch"),
            ("edit(search='a', replace='b')", "edit"),
            ("replace_content(relative_path='a',", "replace_content"),
            (
                "str-replace-editor(command='create', path='a')",
                "str-replace-editor",
            ),
            (
                "Call: {'name': 'apply_patch', 'input': {'patchText': '*** Begin Patch'}}",
                "apply_patch",
            ),
        ] {
            let expected = format!("a call of `{tool}` in the notation of Python");
            check(line, "", Some(&expected));
        }
        check("text = text.replace('a', 'b')", "", None);
        check("file.write(content=text)", "", None);
        check("{'name': 'replace'}", "", None);
        check(
            "{&quot;name&quot;: &quot;replace&quot;, &quot;args&quot;: {}}",
            "",
            Some("a call of `replace` whose JSON is escaped as HTML"),
        );
        check("&quot;name&quot;: &quot;x&quot;", "", None);
    }

    #[test]
    fn the_tool_of_invalid_json_is_found() {
        assert_eq!(
            of_json(r#"{"name": "replace", "args": {"a" "#),
            Some("replace")
        );
        assert_eq!(of_json(r#"{"name": "replace", "version": 1"#), None);
        assert_eq!(of_json(r#"{"name": "other", "args": {"a" "#), None);
    }
}
