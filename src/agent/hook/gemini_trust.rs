//! Trust of a folder by Gemini CLI, which calls the hooks of a folder's own settings only if the user trusts the folder.

use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;

use super::switches::{Layer, Settings, is_false};

/// Returns whether the user trusts a folder: by rules in `trustedFolders.json`, or by switching the question off.
///
/// `None` if the user was not asked yet, which Gemini CLI takes for no.
pub fn trusts(layers: &[Settings<'_>], rules: &str, folder: &Path) -> Option<bool> {
    // The settings of the folder itself have no say.
    let others: Vec<Settings<'_>> = layers
        .iter()
        .filter(|settings| settings.layer != Layer::Project)
        .copied()
        .collect();
    if is_false(&others, &["security", "folderTrust", "enabled"]) {
        return Some(true);
    }
    let root = CstRootNode::parse(rules, &ParseOptions::default()).ok()?;
    let folder = real(folder);
    let mut longest: Option<(usize, bool)> = None;
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
        let is_longer = longest.is_none_or(|(length, _)| path.len() > length);
        if is_longer && top.is_some_and(|top| folder.starts_with(real(top))) {
            longest = Some((path.len(), is_trusted));
        }
    }
    longest.map(|(_, is_trusted)| is_trusted)
}

/// Returns a path without links, or the path itself where there is nothing.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(layers: &[(Layer, &str)], rules: &str, expected: Option<bool>) {
        let layers: Vec<Settings<'_>> = layers
            .iter()
            .map(|&(layer, text)| Settings { layer, text })
            .collect();
        let found = trusts(&layers, rules, Path::new("/nowhere/w/p"));
        assert_eq!(found, expected, "{rules}");
    }

    #[test]
    fn the_longest_rule_decides() {
        check(&[], "", None);
        check(&[], "{}", None);
        check(&[], "[", None);
        check(&[], "{\"/nowhere/w/p\": \"TRUST_FOLDER\"}", Some(true));
        check(&[], "{\"/nowhere/w\": \"TRUST_FOLDER\"}", Some(true));
        check(&[], "{\"/nowhere/w/pq\": \"TRUST_FOLDER\"}", None);
        check(&[], "{\"/nowhere/w/q\": \"TRUST_PARENT\"}", Some(true));
        check(&[], "{\"/nowhere/w/p\": \"LIKE_IT\"}", None);
        check(
            &[],
            "{/*x*/\"/nowhere/w/p\": \"DO_NOT_TRUST\", \"/nowhere\": \"TRUST_FOLDER\"}",
            Some(false),
        );
    }

    #[test]
    fn the_question_is_switched_off_by_anybody_but_the_folder() {
        let off = "{\"security\": {\"folderTrust\": {\"enabled\": false}}}";
        check(&[(Layer::User, off)], "", Some(true));
        check(&[(Layer::Managed, off)], "", Some(true));
        check(&[(Layer::Project, off)], "", None);
    }
}
