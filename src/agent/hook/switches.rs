//! Settings of the clients that keep an installed gate from being called.
//!
//! Which settings these are is in the table of `clients`. Gemini CLI and Qwen Code also call the hooks of a folder's
//! own settings only if the user trusts it ([`trusts`](super::trusts)).

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstRootNode};

/// Owner of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
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
pub struct Settings<'a> {
    /// Whose settings they are.
    pub layer: Layer,
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
}

pub(super) fn json_layers(layers: &[Settings<'_>]) -> Vec<(Layer, CstRootNode)> {
    let parse = |text| CstRootNode::parse(text, &ParseOptions::default()).ok();
    layers
        .iter()
        .filter_map(|layer| Some((layer.layer, parse(layer.text)?)))
        .collect()
}

/// Returns the text of a value in the first settings that have it.
pub(super) fn value(layers: &[Settings<'_>], path: &[&str]) -> Option<String> {
    first(&json_layers(layers), path)
}

/// Returns the text of the first value at a path that is set.
pub(super) fn first(layers: &[(Layer, CstRootNode)], path: &[&str]) -> Option<String> {
    layers
        .iter()
        .find_map(|(_, root)| Some(at(root, path)?.to_string()))
}

pub(super) fn at(root: &CstRootNode, path: &[&str]) -> Option<CstNode> {
    let (last, folders) = path.split_last()?;
    let mut object = root.object_value()?;
    for name in folders {
        object = object.object_value(name)?;
    }
    object.get(last)?.value()
}

/// Checks the settings that keep a gate of a client from being called.
#[cfg(test)]
#[track_caller]
pub(super) fn check_switches(
    switched_off: fn(&[Settings<'_>], Gate<'_>) -> Vec<String>,
    layers: &[(Layer, &str)],
    expected: &[&str],
) {
    let layers: Vec<Settings<'_>> = layers
        .iter()
        .map(|&(layer, text)| Settings { layer, text })
        .collect();
    let gate = Gate {
        file: "/h/hooks.json",
        command: "countersign hook gemini",
    };
    assert_eq!(switched_off(&layers, gate), expected);
}
