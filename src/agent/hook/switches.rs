//! Settings of the clients that keep an installed gate from being called.
//!
//! Which settings these are is in the table of `clients`. Gemini CLI and Qwen Code also call the hooks of a folder's
//! own settings only if the user trusts it ([`trusts`](super::trusts)).

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstObject, CstRootNode};

/// Owner of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsOwner {
    /// The administrator of the machine; the user cannot override these.
    Managed,
    /// The user, for one project.
    Local,
    /// A project.
    Project,
    /// The user.
    User,
    /// The administrator of the machine; everybody else can override these.
    Defaults,
}

/// Text of a settings file. The layers of a client are given in order, the one that overrides the others first.
#[derive(Debug, Clone, Copy)]
pub struct SettingsText<'a> {
    /// Whose settings they are.
    pub layer: SettingsOwner,
    /// The name of the file, without its folder.
    pub name: &'a str,
    /// The text; for Codex TOML, for the others JSON with comments.
    pub text: &'a str,
}

/// The gate that is checked.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// The file that it is installed in, in full.
    pub file: &'a str,
    /// Its command.
    pub command: &'a str,
    /// Owner of that file.
    pub owner: SettingsOwner,
}

/// Returns `true` if a variable counts as set with this value, for a client that makes no difference between its variables.
pub fn is_set(_variable: &str, value: &str) -> bool {
    !matches!(value, "" | "0" | "false")
}

/// Returns `true` if a value, as it is in the settings, counts as true for a client in JavaScript that does not check its type.
pub(super) fn is_truthy(value: &str) -> bool {
    let is_zero = value.parse().is_ok_and(|number: f64| number == 0.0);
    !is_zero && !matches!(value, "false" | "null" | "\"\"")
}

/// Returns `true` if settings have a list of hooks for an event at their top.
pub fn has_event(text: &str, event: &str) -> bool {
    let hooks = parsed(text).and_then(|root| at(&root, &[event]));
    hooks.is_some_and(|hooks| hooks.as_array().is_some())
}

pub(super) fn json_layers(layers: &[SettingsText<'_>]) -> Vec<(SettingsOwner, CstRootNode)> {
    layers
        .iter()
        .filter_map(|layer| Some((layer.layer, parsed(layer.text)?)))
        .collect()
}

pub(super) fn parsed(text: &str) -> Option<CstRootNode> {
    let text = text.trim_start_matches('\u{feff}');
    CstRootNode::parse(text, &ParseOptions::default()).ok()
}

/// Returns the text of a value in the first settings that have it.
pub(super) fn value(layers: &[SettingsText<'_>], path: &[&str]) -> Option<String> {
    first(&json_layers(layers), path)
}

/// Returns the text of the first value at a path that is set.
pub(super) fn first(layers: &[(SettingsOwner, CstRootNode)], path: &[&str]) -> Option<String> {
    layers
        .iter()
        .find_map(|(_, root)| Some(at(root, path)?.to_string()))
}

pub(super) fn at(root: &CstRootNode, path: &[&str]) -> Option<CstNode> {
    let (last, folders) = path.split_last()?;
    let mut object = root.object_value()?;
    for name in folders {
        object = last_value(&object, name)?.as_object()?;
    }
    last_value(&object, last)
}

/// Returns the value of a name. Where an object has it twice the clients take the last one.
fn last_value(object: &CstObject, name: &str) -> Option<CstNode> {
    let mut properties = object.properties().into_iter().rev();
    properties
        .find(|property| property.decoded_name().as_deref() == Some(name))?
        .value()
}

/// Checks the settings that keep a gate of a client from being called.
#[cfg(test)]
#[track_caller]
pub(super) fn check_switches(
    switched_off: fn(&[SettingsText<'_>], Gate<'_>) -> Vec<String>,
    layers: &[(SettingsOwner, &str)],
    expected: &[&str],
) {
    let layers: Vec<SettingsText<'_>> = layers
        .iter()
        .map(|&(layer, text)| SettingsText {
            layer,
            name: "settings.json",
            text,
        })
        .collect();
    check_files(switched_off, &layers, expected);
}

/// Checks the same for settings in files of several names.
#[cfg(test)]
#[track_caller]
pub(super) fn check_files(
    switched_off: fn(&[SettingsText<'_>], Gate<'_>) -> Vec<String>,
    layers: &[SettingsText<'_>],
    expected: &[&str],
) {
    let gate = Gate {
        file: "/h/hooks.json",
        command: "countersign hook gemini",
        owner: SettingsOwner::User,
    };
    assert_eq!(switched_off(layers, gate), expected);
}
