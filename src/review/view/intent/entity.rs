//! Hunks that have a name in common which the change defines, removes or redefines, or which it brings into the programs.
//!
//! A word is such a name only if the change is about it: words that are common in the lines that stay, such as `index` or `new`, mean
//! something else in each of them.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::changed_text::{ChangedText, is_compound, names};
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

/// Definitions and uses of a name.
#[derive(Debug, Default)]
struct NameUses<'a> {
    is_at_margin: bool,
    added: SideUses,
    removed: SideUses,
    /// The hunks with the name, in their order.
    hunks: Vec<usize>,
    defined_in: Vec<usize>,
    /// Languages of the hunks that define it.
    languages: Vec<&'a str>,
    /// True if a changed line has it and does not define it.
    is_used: bool,
    /// Number of times that changed lines have it.
    touched: usize,
    /// Number of times that lines of programs have it which stay as they are.
    untouched: usize,
}

/// Definitions and uses of a name on one side.
#[derive(Debug, Default, Clone, Copy)]
struct SideUses {
    is_defined: bool,
    has_name: bool,
}

impl NameUses<'_> {
    fn side(&mut self, is_added: bool) -> &mut SideUses {
        if is_added {
            &mut self.added
        } else {
            &mut self.removed
        }
    }

    /// Returns true if the change is about the thing that the name means.
    fn is_entity(&self, name: &str) -> bool {
        if self.defined_in.is_empty() {
            // What nothing defines is new, or gone, everywhere.
            let is_one_sided = self.added.has_name != self.removed.has_name;
            return is_compound(name) && is_one_sided && self.untouched == 0;
        }
        // On a side on which it is not defined it would mean something else.
        let is_clear = |side: SideUses| side.is_defined || !side.has_name;
        let is_one_thing = is_clear(self.added) && is_clear(self.removed);
        is_one_thing && self.is_used && self.touched >= self.untouched
    }
}

/// Groups the hunks that are free by the names that they have in common, those in more hunks first, and names in most hunks, which are
/// the topic of the whole change, last. No hunk is in two groups. `untouched` are the lines of programs that stay as they are.
pub(super) fn entities<'a>(
    hunks: &[ChangedText<'a>],
    is_free: &[bool],
    untouched: impl Iterator<Item = &'a str>,
) -> Vec<Entity<'a>> {
    let mut groups: Vec<(&str, NameUses)> = shared_names(hunks, untouched).into_iter().collect();
    groups.retain(|(name, uses)| uses.is_entity(name));
    // Names of members recur in other types, those at the margin seldom.
    groups.sort_by_key(|(name, uses)| {
        (
            uses.hunks.len() * 2 > hunks.len(),
            uses.defined_in.is_empty(),
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

/// Returns the names that changed lines of more than one hunk have: those that hunks define, and those that can only be names.
fn shared_names<'a>(
    hunks: &[ChangedText<'a>],
    untouched: impl Iterator<Item = &'a str>,
) -> FxHashMap<&'a str, NameUses<'a>> {
    let mut all = defined_names(hunks);
    for (at, hunk) in hunks.iter().enumerate() {
        for (name, is_added, is_definition) in changed_names(hunk) {
            if is_compound(name) {
                all.entry(name).or_default();
            }
            let Some(uses) = all.get_mut(name) else {
                continue;
            };
            // In another language or in prose a plain word is that word.
            let is_here = |own: &&str| hunk.language == Some(*own);
            if !is_compound(name) && !uses.languages.iter().any(is_here) {
                continue;
            }
            uses.side(is_added).has_name = true;
            uses.is_used |= !is_definition;
            uses.touched += 1;
            if uses.hunks.last() != Some(&at) {
                uses.hunks.push(at);
            }
        }
    }
    all.retain(|_, uses| uses.hunks.len() >= LEAST);
    if !all.is_empty() {
        for name in untouched.flat_map(names) {
            if let Some(uses) = all.get_mut(name) {
                uses.untouched += 1;
            }
        }
    }
    all
}

/// Returns the names in the changed lines of a hunk, each with true if the line is added, and true if the line defines it.
fn changed_names<'a>(hunk: &ChangedText<'a>) -> impl Iterator<Item = (&'a str, bool, bool)> {
    let is_program = hunk.language.is_some();
    let sides = [(&hunk.removed, false), (&hunk.added, true)].into_iter();
    let lines = sides.flat_map(|(lines, is_added)| lines.iter().map(move |&line| (line, is_added)));
    lines.flat_map(move |(line, is_added)| {
        let defined = is_program.then(|| definition(line)).flatten();
        let defined = defined.map(|defined| defined.name);
        names(line).map(move |name| (name, is_added, defined == Some(name)))
    })
}

/// Returns the names whose definitions some hunks add, remove or change.
fn defined_names<'a>(hunks: &[ChangedText<'a>]) -> FxHashMap<&'a str, NameUses<'a>> {
    let mut names: FxHashMap<&str, NameUses> = FxHashMap::default();
    let programs = hunks.iter().enumerate();
    let programs = programs.filter_map(|(at, hunk)| Some((at, hunk, hunk.language?)));
    for (at, hunk, language) in programs {
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
                if !uses.languages.contains(&language) {
                    uses.languages.push(language);
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

    /// Groups hunks, each with removed and added lines between `|`; those that begin with `!` are not free, those with `?` are prose,
    /// and lines with a blank before them stay as they are.
    #[track_caller]
    fn check(hunks: &[&str], expected: &str) {
        let (hunks, stay): (Vec<&str>, Vec<&str>) =
            hunks.iter().partition(|hunk| !hunk.starts_with(' '));
        let texts = hunks.iter().map(|hunk| {
            let text = ChangedText::of_program(hunk.trim_start_matches(['!', '?']));
            let language = text.language.filter(|_| !hunk.starts_with('?'));
            ChangedText { language, ..text }
        });
        let texts: Vec<ChangedText> = texts.collect();
        let is_free: Vec<bool> = hunks.iter().map(|hunk| !hunk.starts_with('!')).collect();
        let found = entities(&texts, &is_free, stay.into_iter())
            .into_iter()
            .map(|entity| {
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
    fn a_word_that_is_common_in_lines_that_stay_groups_nothing() {
        let hunks = ["+fn index() {", "+show(index)"];
        check(
            &[&hunks[..], &[" index(1)", " index(2)"]].concat(),
            "index 0 1",
        );
        check(&[&hunks[..], &[" index(1)", " index, index"]].concat(), "");
        // In prose a plain word means itself.
        check(&["+fn send() {", "?+We send it."], "");
        check(&["+fn send_all() {", "?+Calls `send_all`."], "send_all 0 1");
    }

    #[test]
    fn definitions_alone_share_no_use() {
        check(&["+fn send() {", "+fn send() {"], "");
        check(&["+fn send() {", "+fn send() {", "+send()"], "send 0 1 2");
    }

    #[test]
    fn a_name_that_comes_or_goes_everywhere_needs_no_definition() {
        check(&["+    max_size: 3,", "?+max_size = 3"], "max_size 0 1");
        check(&["-x.maxSize()", "-maxSize: 3"], "maxSize 0 1");
        check(&["+size: 3", "+size = 3"], "");
        check(&["+max_size: 3", "-max_size = 3"], "");
        check(&["+max_size: 3", "+max_size = 3", " x.max_size"], "");
    }

    #[test]
    fn the_topic_of_the_whole_change_divides_it_last() {
        let hunks = [
            "+fn send() {",
            "+send(1)",
            "+send(2)",
            "+send(post())",
            "+fn post() {",
        ];
        check(&hunks, "post 4 3, send 0 1 2");
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
        let hunks = [
            "+fn send() {",
            "+fn post() {",
            "+send(post())",
            "+post()",
            "+x",
            "+y",
        ];
        check(&hunks, "post 1 2 3");
        let hunks = [
            "+  fn post() {",
            "+fn send() {",
            "+send(post())",
            "+post()",
            "+x",
            "+y",
        ];
        check(&hunks, "send 1 2, post 0 3");
        // What is announced is no member.
        check(&["!+fn send() {", "+send()", "+a(send)"], "send 1 2");
        check(&["!+fn send() {", "+send()"], "");
    }
}
