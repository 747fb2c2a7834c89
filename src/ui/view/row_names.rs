//! Names of files in the rows of a list, cut to their room so that no two of them look the same.

use std::collections::BTreeMap;

use super::truncate;
use crate::ui::file_name::ShownName;
use crate::ui::glyphs;
use crate::ui::layout::display_settings::DisplaySettings;

/// The least cells for an old and a new name: with fewer, only the old one is shown.
const BOTH: usize = 12;
/// The most characters of a name that are kept because other rows differ there.
const MOST_KEPT: usize = 4;

/// Name with the cells that it may take.
#[derive(Debug, Default)]
pub(crate) struct RowName<'a> {
    pub(crate) name: ShownName<'a>,
    pub(crate) room: usize,
}

/// Cuts the names of the rows of a screen to their room. Of names that look the same then, the characters in which they differ are shown.
pub(crate) fn cut_all(look: &DisplaySettings, rows: &[RowName]) -> Vec<String> {
    let mut kept: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    let mut shown: Vec<String> = (rows.iter())
        .map(|row| cut(look, &row.name, row.room))
        .collect();
    let names: Vec<&str> = rows.iter().map(|row| row.name.old).collect();
    // What is shown for one difference may hide another one.
    for _ in 0..MOST_KEPT {
        let mut is_done = true;
        for same in alike(&shown) {
            let Some(at) = first_difference(&names, &same) else {
                continue;
            };
            for row in same {
                let RowName { name, room } = &rows[row];
                let own = &mut kept[row];
                let Err(place) = own.binary_search(&at) else {
                    continue;
                };
                own.insert(place, at);
                shown[row] = parts(look, name, *room, own).concat();
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    shown
}

/// Cuts a name to some cells: of a renamed file, both names.
pub(crate) fn cut(look: &DisplaySettings, name: &ShownName, room: usize) -> String {
    parts(look, name, room, &[]).concat()
}

/// Cuts a name to some cells: the part that stays or goes, and the part that comes for it.
pub(crate) fn parts(
    look: &DisplaySettings,
    name: &ShownName,
    room: usize,
    kept: &[usize],
) -> [String; 2] {
    let becomes = look.signs.becomes;
    let whole = name.shown(becomes).to_string();
    let old = name.old;
    let Some(new) = &name.new else {
        return [truncate::keeping(look, old, room, kept), String::new()];
    };
    if glyphs::width(&whole) <= room {
        let at = whole.find(becomes).unwrap_or(whole.len());
        let (before, after) = whole.split_at(at);
        return [before, after].map(|part| truncate::start(look, part, room));
    }
    let between = format!(" {becomes} ");
    let both = room.saturating_sub(glyphs::width(&between));
    if room < BOTH {
        return [truncate::keeping(look, old, room, kept), String::new()];
    }
    let least = both / 2;
    let old_room = least.max(both.saturating_sub(glyphs::width(new)));
    let old_shown = truncate::keeping(look, old, old_room, kept);
    let new_room = both - glyphs::width(&old_shown);
    // The first character of a name is always shown.
    let differs: Vec<usize> = [common_start(old, new)]
        .into_iter()
        .filter(|at| *at > 0)
        .collect();
    let new = truncate::keeping(look, new, new_room, &differs);
    [old_shown, between + &new]
}

/// Returns the rows with equal texts, if there are several of them.
fn alike(shown: &[String]) -> Vec<Vec<usize>> {
    let mut by_text: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (row, text) in shown.iter().enumerate() {
        by_text.entry(text).or_default().push(row);
    }
    let groups = by_text.into_values();
    groups.filter(|rows| rows.len() > 1).collect()
}

/// Returns the first byte in which the names of some rows differ; `None` if all are equal.
fn first_difference(names: &[&str], rows: &[usize]) -> Option<usize> {
    let (first, rest) = rows.split_first()?;
    let first = names[*first];
    let others = rest.iter().map(|&row| names[row]);
    let differing = others.filter(|name| *name != first);
    differing.map(|name| common_start(first, name)).min()
}

/// Returns the bytes of the characters with which both texts begin.
fn common_start(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ui::options::ScreenOptions;

    #[track_caller]
    fn check(room: usize, names: &[&str]) -> Vec<String> {
        let look = ScreenOptions::default().display_settings();
        let names = names.iter().map(|name| ShownName::plain(name));
        let rows: Vec<RowName> = names.map(|name| RowName { name, room }).collect();
        let shown = cut_all(&look, &rows);
        let fit = shown.iter().all(|name| glyphs::width(name) <= room);
        assert!(fit, "{shown:?} at {room}");
        let different: BTreeSet<&String> = shown.iter().collect();
        assert_eq!(different.len(), shown.len(), "{shown:?} at {room}");
        shown
    }

    #[test]
    fn names_that_differ_look_different() {
        let pages = [
            "the_name_of_page_1_is_long.md",
            "the_name_of_page_2_is_long.md",
            "a.md",
        ];
        let shown = check(16, &pages);
        assert_eq!(shown, ["…ge_1_is_long.md", "…ge_2_is_long.md", "a.md"]);
        // Pairs of pairs: each differs from one in one place, from another in another.
        let pairs = [
            "some_first_name_or_1_of_many.md",
            "some_first_name_or_2_of_many.md",
            "some_other_name_or_1_of_many.md",
            "some_other_name_or_2_of_many.md",
        ];
        for room in 12..40 {
            check(room, &pairs);
            check(room, &pages);
            check(
                room,
                &["core/src/one/deep/lib.rs", "core/src/two/deep/lib.rs"],
            );
            check(
                room,
                &["資料/日本語の名前の一.md", "資料/日本語の名前の二.md"],
            );
        }
    }

    #[test]
    fn of_a_renamed_file_both_names_are_cut() {
        let look = ScreenOptions::default().display_settings();
        let name = ShownName::renamed("src/ui/first_name.rs", "src/ui/other_name.rs", 0);
        let whole = "src/ui/{first_name.rs → other_name.rs}";
        assert_eq!(cut(&look, &name, glyphs::width(whole)), whole);
        for room in BOTH..glyphs::width(whole) {
            let shown = cut(&look, &name, room);
            assert!(glyphs::width(&shown) <= room, "{shown} at {room}");
            let (old, new) = shown.split_once(" → ").unwrap_or_default();
            assert!(old.contains('f') && new.contains('o'), "{shown} at {room}");
        }
        // There is no room for both.
        assert_eq!(cut(&look, &name, BOTH - 1), "first…me.rs");
    }
}
