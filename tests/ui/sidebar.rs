//! The list of files at the side: folders, decided hunks, signs, and its width.

use countersign::ui::ScreenOptions;
use countersign::ui::file_list::Sort;
use countersign::ui::layout::areas::LIST_FROM;
use insta::assert_snapshot;
use ratatui::layout::Size;

use crate::fixture::Batch;
use crate::script::Script;

fn batch() -> Batch {
    let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
    Batch::new("")
        .modify("Cargo.toml", "one\n", &[("one", "1")])
        .modify("core/src/outbox.rs", text, &[("two", "2"), ("seven", "7")])
        .modify("core/src/queue.rs", text, &[("two", "2")])
        .executable()
        .modify("core/tests/api.rs", text, &[("two", "2")])
        .delete("core/tests/old.rs", "one\n")
        .create("docs/guide/a_very_long_name_of_a_page.md", "one\n")
        .modify("web/src/a.ts", text, &[("two", "2")])
}

fn list(script: &mut Script) -> String {
    let screen = script.screen();
    let rows = screen.lines().skip(1).filter_map(|row| row.split_once('│'));
    let rows = rows.map(|(list, _)| list.trim_end().to_owned() + "\n");
    rows.take_while(|row| row.len() > 1).collect()
}

fn script(order: Sort, width: u16) -> Script {
    let options = ScreenOptions {
        order,
        ..ScreenOptions::default()
    };
    Script::with_options(batch().session(), Size { width, height: 20 }, &options)
}

#[test]
fn by_path_the_files_are_below_their_folders() {
    let mut script = script(Sort::Path, 160);
    script.press("} j a");
    assert_snapshot!(list(&mut script), @r"
    ── Files · by path ──────────────────────────────────
     · Cargo.toml                              0/1 +1 −1
     ◐ core/                                         1/6
     ◐   src/                                        1/4
     ◐     outbox.rs                           1/2 +2 −2
     ·     queue.rs                       mode 0/2 +1 −1
     ·   tests/                                      0/2
     ·     api.rs                              0/1 +1 −1
     ·     old.rs                             del 0/1 −1
     · docs/…/a_very_long_name_of_a_page.md   new 0/1 +1
     · web/src/a.ts                            0/1 +1 −1
    ");
}

#[test]
fn in_another_order_files_that_follow_each_other_are_below_their_folder() {
    assert_snapshot!(list(&mut script(Sort::Risk, 160)), @r"
    ── Files · riskiest first ───────────────────────────
     · core/src/                                     0/4
     ·   queue.rs                         mode 0/2 +1 −1
     ·   outbox.rs                             0/2 +2 −2
     · web/src/a.ts                            0/1 +1 −1
     · Cargo.toml                              0/1 +1 −1
     · core/tests/                                   0/2
     ·   api.rs                                0/1 +1 −1
     ·   old.rs                               del 0/1 −1
     · docs/…/a_very_long_name_of_a_page.md   new 0/1 +1
    ");
    assert_snapshot!(list(&mut script(Sort::Proposal, 160)), @r"
    ── Files · as proposed ──────────────────────────────
     · Cargo.toml                              0/1 +1 −1
     · core/                                         0/6
     ·   src/                                        0/4
     ·     outbox.rs                           0/2 +2 −2
     ·     queue.rs                       mode 0/2 +1 −1
     ·   tests/                                      0/2
     ·     api.rs                              0/1 +1 −1
     ·     old.rs                             del 0/1 −1
     · docs/…/a_very_long_name_of_a_page.md   new 0/1 +1
     · web/src/a.ts                            0/1 +1 −1
    ");
}

#[test]
fn a_closed_folder_shows_what_it_hides() {
    let mut script = script(Sort::Path, 160);
    // What it hides can be chosen, decided, and found by a filter.
    script.press("t g g j j z a");
    assert!(script.screen().contains("src/  2 files"));
    script.press("Space a y Esc");
    assert_snapshot!(list(&mut script), @r"
    ── Files · by path ──────────────────────────────────
     · Cargo.toml                              0/1 +1 −1
     ◐ core/                                         4/6
     ✓   src/                                2 files 4/4
     ·   tests/                                      0/2
     ·     api.rs                              0/1 +1 −1
     ·     old.rs                             del 0/1 −1
     · docs/…/a_very_long_name_of_a_page.md   new 0/1 +1
     · web/src/a.ts                            0/1 +1 −1
    ");
    // The row of the folder is that of the cursor's file.
    script.press("} j");
    let listed = script.app.listed_here();
    assert_eq!(listed, Some(2));
    script.press("t f <queue> Enter");
    assert!(script.screen().contains("core/src/queue.rs"));
    script.press("Enter");
    assert!(script.screen().contains("── core/src/queue.rs ─"));
    script.press("Esc t f <zzz> Enter Esc g g V");
    assert_eq!(script.app.file_list.chosen().len(), 7);
}

#[test]
fn long_names_are_cut_in_the_middle() {
    assert_snapshot!(list(&mut script(Sort::Path, LIST_FROM)), @r"
    ── Files · by path ─────────────────────
     · Cargo.toml                 0/1 +1 −1
     · core/                            0/6
     ·   src/                           0/4
     ·     outbox.rs              0/2 +2 −2
     ·     queue.rs          mode 0/2 +1 −1
     ·   tests/                         0/2
     ·     api.rs                 0/1 +1 −1
     ·     old.rs                del 0/1 −1
     · a_very_long…f_a_page.md   new 0/1 +1
     · web/src/a.ts               0/1 +1 −1
    ");
}

#[test]
fn a_folder_is_decided_with_its_files() {
    let mut script = script(Sort::Path, 160);
    script.press("t g g j r y");
    assert_snapshot!(list(script.press("t")), @r"
    ── Files · by path ──────────────────────────────────
     · Cargo.toml                              0/1 +1 −1
     ✗ core/                                         6/6
     ✗   src/                                        4/4
     ✗     outbox.rs                           2/2 +2 −2
     ✗     queue.rs                       mode 2/2 +1 −1
     ✗   tests/                                      2/2
     ✗     api.rs                              1/1 +1 −1
     ✗     old.rs                             del 1/1 −1
     · docs/…/a_very_long_name_of_a_page.md   new 0/1 +1
     · web/src/a.ts                            0/1 +1 −1
    ");
}

#[test]
fn what_becomes_of_a_file_is_shown_beside_any_name() {
    let long = "a/b/an_outstandingly_long_name_of_a_file_in_some_folder.rs";
    let batch = Batch::new("")
        .modify("a/c.rs", "one\n", &[("one", "1")])
        .delete(long, "one\n")
        .create(
            "a/b/another_outstandingly_long_name_of_some_file.rs",
            "one\n",
        );
    let options = ScreenOptions {
        order: Sort::Path,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: LIST_FROM,
        height: 12,
    };
    let mut script = Script::with_options(batch.session(), size, &options);
    script.app.display.list_width = Some(24);
    script.app.resize(size);
    assert_snapshot!(list(&mut script), @r"
    ── Files · by path ─────
     · a/               0/3
     ·   b/             0/2
     ·     an_o…er.rs   del
     ·     anot…le.rs   new
     ·   c.rs     0/1 +1 −1
    ");
}

#[test]
fn names_are_whole_before_lines_are_counted() {
    let lines: Vec<String> = (0..120).map(|n| format!("line {n}\n")).collect();
    let batch = Batch::new("")
        .create("src/click/_textwrap.py", &lines.concat())
        .create("src/click/ui.py", &lines.concat())
        .create("src/click/a_name_of_many_words.py", &lines.concat());
    let mut script = Script::new(batch.session(), 80, 20);
    script.press("b");
    assert_snapshot!(list(&mut script), @r"
    ── Files · as proposed ───
     · src/click/         0/3
     ·   _textwrap.py     new
     ·   ui.py        new 0/1
     ·   a_name…ords.py   new
    ");
    // A narrower screen has no room for names.
    assert_snapshot!(list(script.resize(60, 20)), @r"
    ── Files ───────────
     · src/click/   0/3
     ·   _te…p.py   new
     ·   ui.py      new
     ·   a_n…s.py   new
    ");
    let shows_list = |script: &mut Script| script.screen().contains("── Files");
    assert!(!shows_list(script.resize(59, 20)));
    let screen = script.press("b").screen();
    let words = "too narrow for the file list: t shows it alone";
    assert!(screen.contains(words), "{screen}");
    assert!(shows_list(script.resize(80, 20)));
}

#[test]
fn a_renamed_file_has_both_names() {
    let text = "one\ntwo\nthree\n";
    let batch = Batch::new("")
        .rename("src/view/old_name.rs", "src/view/new_name.rs", text, &[])
        .rename("src/view/a.rs", "lib/a.rs", text, &[("two", "2")])
        .rename("docs/guide.md", "docs/book.md", text, &[]);
    let options = ScreenOptions {
        order: Sort::Path,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 150,
        height: 20,
    };
    let mut script = Script::with_options(batch.session(), size, &options);
    assert_snapshot!(list(&mut script), @r"
    ── Files · by path ─────────────────────────
     · docs/{guide.md → book.md}        ren 0/1
     · src/view/                            0/3
     ·   a.rs → ../../lib/a.rs    ren 0/2 +1 −1
     ·   old_name.rs → new_name.rs      ren 0/1
    ");
    assert_snapshot!(list(script.resize(120, 20)), @r"
    ── Files · by path ─────────────────────
     · docs/{guide.md → book.md}    ren 0/1
     · src/view/                        0/3
     ·   a.rs → ../..…/a.rs   ren 0/2 +1 −1
     ·   old_name.rs → new_name.rs      ren
    ");
    script.app.display.list_width = Some(30);
    assert_snapshot!(list(script.resize(120, 20)), @r"
    ── Files · by path ───────────
     · gui…e.md → …/book.md   ren
     · src/view/              0/3
     ·   a.rs → .…/a.rs   ren 0/2
     ·   old….rs → new…e.rs   ren
    ");
    script.press("t");
    let screen = script.screen();
    assert!(screen.contains("docs/{guide.md → book.md}"), "{screen}");
    assert!(screen.contains("a.rs → ../../lib/a.rs"), "{screen}");
}

#[test]
fn names_that_are_cut_stay_different() {
    let text = "one\n";
    let mut batch = Batch::new("");
    for name in ["first_1", "first_2", "other_1", "other_2"] {
        let path = format!("shots/the_{name}_of_the_long_pictures.snap");
        batch = batch.modify(&path, text, &[("one", "1")]);
    }
    let mut script = Script::new(batch.session(), 120, 20);
    script.app.display.list_width = Some(34);
    assert_snapshot!(list(script.resize(120, 20)), @r"
    ── Files · as proposed ───────────
     · shots/                     0/4
     ·   …firs…1_of….snap   0/1 +1 −1
     ·   …firs…2_of….snap   0/1 +1 −1
     ·   …othe…1_of….snap   0/1 +1 −1
     ·   …othe…2_of….snap   0/1 +1 −1
    ");
}
