//! Hunks that have a name in common which one of them adds, removes or defines otherwise.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::changed_text::{ChangedText, names};
use super::definition::{Definition, definition};

/// Fewer hunks than this have nothing in common.
const LEAST: usize = 2;

/// A name, and the hunks that have it in changed lines.
#[derive(Debug, Default)]
pub(super) struct Entity<'a> {
    pub(super) name: &'a str,
    /// The hunks, by their positions: those with its definition first.
    pub(super) hunks: Vec<usize>,
}

/// Definitions and uses of a name in changed lines.
#[derive(Debug, Default)]
struct NameUses {
    is_at_margin: bool,
    added: SideUses,
    removed: SideUses,
    /// The hunks, in their order.
    hunks: Vec<usize>,
    defined_in: Vec<usize>,
}

/// Definitions and uses of a name on one side.
#[derive(Debug, Default, Clone, Copy)]
struct SideUses {
    is_defined: bool,
    is_used: bool,
}

impl NameUses {
    fn side(&mut self, is_added: bool) -> &mut SideUses {
        if is_added {
            &mut self.added
        } else {
            &mut self.removed
        }
    }

    /// Returns false if lines use the name on a side on which it is not defined: there it means something else.
    fn is_one_thing(&self) -> bool {
        let has = |side: SideUses| side.is_defined || !side.is_used;
        has(self.added) && has(self.removed)
    }
}

/// Groups the hunks that are free by the names that they have in common, those in more hunks first. No hunk is in two groups.
pub(super) fn entities<'a>(hunks: &[ChangedText<'a>], is_free: &[bool]) -> Vec<Entity<'a>> {
    let mut all = defined_names(hunks);
    for (at, hunk) in hunks.iter().enumerate() {
        for (lines, is_added) in [(&hunk.removed, false), (&hunk.added, true)] {
            for name in lines.iter().flat_map(|line| names(line)) {
                if let Some(uses) = all.get_mut(name) {
                    uses.side(is_added).is_used = true;
                    if uses.hunks.last() != Some(&at) {
                        uses.hunks.push(at);
                    }
                }
            }
        }
    }
    let is_group = |(_, uses): &(&str, NameUses)| uses.hunks.len() >= LEAST && uses.is_one_thing();
    let mut groups: Vec<(&str, NameUses)> = all.into_iter().filter(is_group).collect();
    // Names of members recur in other types, those at the margin seldom.
    groups.sort_by_key(|(name, uses)| {
        (
            !uses.is_at_margin,
            Reverse(uses.hunks.len()),
            uses.hunks.first().copied(),
            *name,
        )
    });
    let mut is_free = is_free.to_vec();
    let mut found = Vec::new();
    for (name, mut uses) in groups {
        uses.hunks.retain(|&hunk| is_free[hunk]);
        if uses.hunks.len() < LEAST {
            continue;
        }
        for &hunk in &uses.hunks {
            is_free[hunk] = false;
        }
        let defined_in = &uses.defined_in;
        uses.hunks
            .sort_by_key(|hunk| defined_in.binary_search(hunk).is_err());
        found.push(Entity {
            name,
            hunks: uses.hunks,
        });
    }
    found
}

/// Returns the names whose definitions some hunks add, remove or change.
fn defined_names<'a>(hunks: &[ChangedText<'a>]) -> FxHashMap<&'a str, NameUses> {
    let mut names: FxHashMap<&str, NameUses> = FxHashMap::default();
    for (at, hunk) in hunks.iter().enumerate().filter(|(_, hunk)| hunk.is_program) {
        let [removed, added] = [&hunk.removed, &hunk.added].map(|lines| definitions(lines));
        // A definition on both sides is not changed.
        let is_changed = |(name, (line, _)): &(&&'a str, &(&str, bool)), other: &Definitions| {
            other.get(*name).is_none_or(|(same, _)| same != line)
        };
        for (own, other, is_added) in [(&removed, &added, false), (&added, &removed, true)] {
            for (name, (_, is_at_margin)) in own.iter().filter(|own| is_changed(own, other)) {
                let uses = names.entry(name).or_default();
                uses.is_at_margin |= is_at_margin;
                uses.side(is_added).is_defined = true;
                if uses.defined_in.last() != Some(&at) {
                    uses.defined_in.push(at);
                }
            }
        }
    }
    names
}

/// The lines with definitions by the defined name, with true for those at the margin.
type Definitions<'a> = FxHashMap<&'a str, (&'a str, bool)>;

fn definitions<'a>(lines: &[&'a str]) -> Definitions<'a> {
    let defined = lines
        .iter()
        .filter_map(|line| Some((*line, definition(line)?)));
    let defined = defined
        .map(|(line, Definition { name, is_at_margin })| (name, (line.trim(), is_at_margin)));
    defined.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups hunks, each with removed and added lines between `|`; those that begin with `!` are not free.
    #[track_caller]
    fn check(hunks: &[&str], expected: &str) {
        let texts = hunks.iter().map(|hunk| hunk.trim_start_matches('!'));
        let texts: Vec<ChangedText> = texts.map(ChangedText::of_program).collect();
        let is_free: Vec<bool> = hunks.iter().map(|hunk| !hunk.starts_with('!')).collect();
        let found = entities(&texts, &is_free).into_iter().map(|entity| {
            let hunks = entity.hunks.iter().map(usize::to_string);
            format!("{} {}", entity.name, hunks.collect::<Vec<_>>().join(" "))
        });
        assert_eq!(found.collect::<Vec<_>>().join(", "), expected, "{hunks:?}");
    }

    #[test]
    fn hunks_belong_to_the_definition_that_they_use() {
        // Added, removed, and changed; the definition comes first.
        check(&["+send(x)", "+fn send() {", "+other()"], "send 1 0");
        check(&["-fn send() {|-}", "-send()"], "send 0 1");
        check(
            &["-fn send() {|+fn send(x: u8) {", "-send()|+send(1)"],
            "send 0 1",
        );
        // Alone, not changed, and too short.
        check(&["+fn send() {", "+other()"], "");
        check(&["-fn send() {|+  fn send() {", "-send()|+send(1)"], "");
        check(&["+fn of() {", "+of()"], "");
        check(&["+send()", "-send()"], "");
    }

    #[test]
    fn a_name_that_means_something_else_groups_nothing() {
        check(&["+fn send() {", "-send()|+post()"], "");
        check(&["-fn send() {", "+send()"], "");
    }

    #[test]
    fn each_hunk_is_in_one_group() {
        let hunks = [
            "+fn send() {",
            "+fn post() {",
            "+send(post())",
            "+send()",
            "+post()",
        ];
        check(&hunks, "send 0 2 3, post 1 4");
        // The larger group is made first, and names at the margin before others.
        let hunks = ["+fn send() {", "+fn post() {", "+send(post())", "+post()"];
        check(&hunks, "post 1 2 3");
        let hunks = ["+  fn post() {", "+fn send() {", "+send(post())", "+post()"];
        check(&hunks, "send 1 2, post 0 3");
        // What is announced is no member.
        check(&["!+fn send() {", "+send()", "+a(send)"], "send 1 2");
        check(&["!+fn send() {", "+send()"], "");
    }
}
