//! Trust of a folder by Gemini CLI and Qwen Code, which call the hooks of a folder's own settings only if the user trusts it.
//!
//! Both read rules from `trustedFolders.json`. Gemini CLI takes the rule with the longest path, Qwen Code the one for the deepest
//! folder; Gemini CLI asks for trust unless this is switched off, Qwen Code only if it is switched on.

use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;

use super::names::Agent;
use super::switches::{SettingsOwner, SettingsText, value};

/// Returns whether the user trusts a folder: by rules in `trustedFolders.json`, or because no trust is asked for.
///
/// `None` if the user has not decided yet, which the clients take for no.
pub fn trusts(
    agent: Agent,
    layers: &[SettingsText<'_>],
    rules: &str,
    folder: &Path,
) -> Option<bool> {
    // The settings of the folder itself have no say.
    let others: Vec<SettingsText<'_>> = layers
        .iter()
        .filter(|settings| settings.layer != SettingsOwner::Project)
        .copied()
        .collect();
    let enabled = value(&others, &["security", "folderTrust", "enabled"]);
    let usual = agent != Agent::Qwen;
    if !enabled.map_or(usual, |enabled| enabled == "true") {
        return Some(true);
    }
    let root = CstRootNode::parse(rules, &ParseOptions::default()).ok()?;
    let folder = real(folder);
    let mut winner: Option<((usize, bool), bool)> = None;
    for rule in root.object_value()?.properties() {
        let Some(path) = rule.name().and_then(|name| name.decoded_value().ok()) else {
            continue;
        };
        let level = rule.value().and_then(|value| value.as_string_lit());
        let Some(level) = level.and_then(|level| level.decoded_value().ok()) else {
            continue;
        };
        let (top, is_trusted) = match level.as_str() {
            "TRUST_FOLDER" => (Some(Path::new(&path)), true),
            "TRUST_PARENT" => (Path::new(&path).parent(), true),
            "DO_NOT_TRUST" => (Some(Path::new(&path)), false),
            _ => continue,
        };
        let Some(top) = top else {
            continue;
        };
        let rank = if agent == Agent::Qwen {
            (top.components().count(), !is_trusted)
        } else {
            (path.len(), false)
        };
        let wins = winner.is_none_or(|(other, _)| rank > other);
        if wins && folder.starts_with(real(top)) {
            winner = Some((rank, is_trusted));
        }
    }
    winner.map(|(_, is_trusted)| is_trusted)
}

/// Returns whether the configuration of Copilot CLI names a folder, or one above it, as trusted.
pub fn trusted_by_copilot(config: &str, folder: &Path) -> bool {
    let folder = real(folder);
    let root = CstRootNode::parse(config, &ParseOptions::default()).ok();
    let top = root.and_then(|root| root.object_value());
    let lists = ["trustedFolders", "trusted_folders"]
        .into_iter()
        .filter_map(|name| top.as_ref()?.array_value(name));
    let mut names = lists.flat_map(|list| list.elements());
    names.any(|name| {
        let name = name.as_string_lit();
        let name = name.and_then(|name| name.decoded_value().ok());
        name.is_some_and(|name| folder.starts_with(real(Path::new(&name))))
    })
}

/// Returns a path without links, or the path itself where there is nothing.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(agent: Agent, layers: &[(SettingsOwner, &str)], rules: &str, expected: Option<bool>) {
        let layers: Vec<SettingsText<'_>> = layers
            .iter()
            .map(|&(layer, text)| SettingsText {
                layer,
                name: "settings.json",
                text,
            })
            .collect();
        let found = trusts(agent, &layers, rules, Path::new("/nowhere/w/p"));
        assert_eq!(found, expected, "{agent} {rules}");
    }

    const ON: (SettingsOwner, &str) = (
        SettingsOwner::User,
        "{\"security\": {\"folderTrust\": {\"enabled\": true}}}",
    );
    const OFF: &str = "{\"security\": {\"folderTrust\": {\"enabled\": false}}}";

    #[test]
    fn the_nearest_rule_decides() {
        for agent in [Agent::Gemini, Agent::Qwen] {
            let check = |rules: &str, expected| check(agent, &[ON], rules, expected);
            check("", None);
            check("{}", None);
            check("[", None);
            check("{\"/nowhere/w/p\": \"TRUST_FOLDER\"}", Some(true));
            check("{\"/nowhere/w\": \"TRUST_FOLDER\"}", Some(true));
            check("{\"/nowhere/w/pq\": \"TRUST_FOLDER\"}", None);
            check("{\"/nowhere/w/q\": \"TRUST_PARENT\"}", Some(true));
            check("{\"/nowhere/w/p\": \"LIKE_IT\"}", None);
            check(
                "{/*x*/\"/nowhere/w/p\": \"DO_NOT_TRUST\", \"/nowhere\": \"TRUST_FOLDER\"}",
                Some(false),
            );
        }
        // The path of the first rule is longer, the folder of the second one deeper.
        let both =
            "{\"/nowhere/w/q-and-more\": \"TRUST_PARENT\", \"/nowhere/w/p\": \"DO_NOT_TRUST\"}";
        check(Agent::Gemini, &[ON], both, Some(true));
        check(Agent::Qwen, &[ON], both, Some(false));
    }

    #[test]
    fn folders_of_copilot_cli() {
        let trusted = |config: &str| trusted_by_copilot(config, Path::new("/nowhere/w/p"));
        assert!(trusted("// mine\n{\"trustedFolders\": [\"/nowhere/w/p\"]}"));
        assert!(trusted("{\"trusted_folders\": [\"/x\", \"/nowhere/w\"]}"));
        for config in [
            "",
            "[",
            "{}",
            "{\"trustedFolders\": [\"/nowhere/w/pq\", 3]}",
        ] {
            assert!(!trusted(config), "{config}");
        }
    }

    #[test]
    fn the_folder_itself_has_no_say() {
        check(Agent::Gemini, &[], "", None);
        check(Agent::Gemini, &[(SettingsOwner::User, OFF)], "", Some(true));
        check(
            Agent::Gemini,
            &[(SettingsOwner::Managed, OFF)],
            "",
            Some(true),
        );
        check(Agent::Gemini, &[(SettingsOwner::Project, OFF)], "", None);
        check(Agent::Qwen, &[], "", Some(true));
        check(
            Agent::Qwen,
            &[(SettingsOwner::Project, ON.1)],
            "",
            Some(true),
        );
    }
}
