//! A rejected change that comes again at another place, in pieces, or with others; and a change that undoes some of what the person wrote.

use countersign::review::{
    Decision, HunkId, RecurrenceKind, RejectionRecord, Rejections, ReviewSession, Target,
    rejected_changes,
};

use crate::fixture::{composed, of_edits};

const FILE: &str = "use std::io;||fn one() {|    first();|    second();|}||fn two() {|    third();|    fourth();|}||\
fn three() {|    fifth();|    sixth();|}";
const FIRST: &str =
    "    second(); =>     let all = read(path)?;|    check(&all, limit)?;|    send(all, target)?;";

fn record(session: &ReviewSession) -> RejectionRecord {
    RejectionRecord {
        time: 1,
        rejected: rejected_changes(session),
        ..RejectionRecord::default()
    }
}

fn kinds(record: RejectionRecord, mut session: ReviewSession) -> Vec<Option<RecurrenceKind>> {
    Rejections::new([record]).mark(&mut session);
    let hunks = session.hunks();
    hunks
        .map(|(_, hunk)| Some(hunk.recurrence()?.kind))
        .collect()
}

/// Rejects an edit of the file, and returns what another edit of it is.
#[track_caller]
fn check(first: &str, again: &str, expected: Option<RecurrenceKind>) {
    let mut session = of_edits(FILE, first);
    session.reject_all();
    assert_eq!(
        kinds(record(&session), of_edits(FILE, again)),
        [expected],
        "{again}"
    );
}

#[test]
fn a_change_is_recognised_at_another_place() {
    use RecurrenceKind::Moved;
    let added = "let all = read(path)?;|    check(&all, limit)?;|    send(all, target)?;";
    let at = |line: &str| format!("    {line}(); =>     {line}();|    {added}");
    check(&at("second"), &at("fourth"), Some(Moved));
    // Diffs may begin it with another line.
    let with_blank = |above: &str, below: &str| {
        format!("{above} => {above}||fn four() {{|    {added}|}} ; {below}")
    };
    let first = with_blank("use std::io;", "    fifth(); =>     fifth(1);");
    let mut session = of_edits(FILE, &first);
    session.reject_all();
    let again = format!("fn three() {{ => fn four() {{|    {added}|}}||fn three() {{");
    assert_eq!(
        kinds(record(&session), of_edits(FILE, &again)),
        [Some(Moved)]
    );
    // A few words at another place are another change.
    let short = |line: &str| format!("    {line}(); =>     {line}();|    flush();");
    check(&short("second"), &short("fourth"), None);
}

#[test]
fn a_change_that_moved_with_its_lines_is_recognised_in_another_file() {
    let mut session = of_edits(FILE, "    third(); =>     third().unwrap();");
    session.reject_all();
    let mut moved = record(&session);
    for change in &mut moved.rejected {
        change.path = "src/elsewhere.rs".to_owned();
        change.before.drain(..change.before.len() - 5);
        change.after.truncate(5);
    }
    let again = || of_edits(FILE, "    third(); =>     third().unwrap();");
    assert_eq!(kinds(moved.clone(), again()), [Some(RecurrenceKind::Moved)]);
    // Beside other lines it is another change.
    for change in &mut moved.rejected {
        change.before = vec!["other".to_owned()];
    }
    assert_eq!(kinds(moved, again()), [None]);
}

#[test]
fn the_pieces_of_a_change_are_recognised_and_so_is_a_change_among_others() {
    use RecurrenceKind::{Contains, Part};
    for piece in [
        "    second(); =>     let all = read(path)?;",
        "    second(); =>     let all = read(path)?;|    check(&all, limit)?;",
        "    second(); =>     second();|    send(all, target)?;",
    ] {
        check(FIRST, piece, Some(Part));
    }
    let short = "    second(); =>     second(1, 2);";
    check(short, &format!("{short}|    more(3);"), Some(Contains));
    check(
        short,
        "    second(); =>     before(0);|    second(1, 2);",
        Some(Contains),
    );
    // Other lines at the same place, and the same lines elsewhere.
    check(short, "    second(); =>     other(3, 4);", None);
    check(
        short,
        "    fourth(); =>     second(1, 2);|    more(3);",
        None,
    );
}

/// Writes other lines in the place of the agent's, and returns what a later edit is.
#[track_caller]
fn check_edited(mine: &[&str], again: &str, expected: Option<RecurrenceKind>) {
    let mut session = of_edits(FILE, FIRST);
    let id = HunkId { file: 0, hunk: 0 };
    let region = session.begin_edit(id, 0).expect("it can be edited");
    session.edit(
        &region,
        &mine.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(),
    );
    session.finish_edit();
    session.decide(&Target::Hunk(id), Decision::Accepted);
    let left = composed(&session);
    assert_eq!(
        kinds(record(&session), of_edits(&left, again)),
        [expected],
        "{again}"
    );
}

#[test]
fn a_change_that_undoes_some_of_what_the_person_wrote_is_recognised() {
    use RecurrenceKind::{UndoesEdit, UndoesPart};
    let mine = [
        "    let every = read_all(path);",
        "    verify(&every);",
        "    deliver(every);",
    ];
    let check = |again: &str, expected| check_edited(&mine, again, expected);
    let all = mine.join("|");
    check(
        &format!(
            "{all} =>     let all = read(path)?;|    check(&all, limit)?;|    send(all, target)?;"
        ),
        Some(UndoesEdit),
    );
    // One of the lines is brought back, alone or with other lines of the agent.
    check(
        "    verify(&every); =>     check(&all, limit)?;",
        Some(UndoesPart),
    );
    check(
        "    verify(&every); =>     check(&all, limit)?;|    log(limit);",
        Some(UndoesPart),
    );
    check(
        "    verify(&every);|    deliver(every); =>     verify(&every);|    send(all, target)?;",
        Some(UndoesPart),
    );
    // One of the person's lines is only removed.
    check(
        "    first();|    let every = read_all(path);|    verify(&every); => \
            first();|    let every = read_all(path);",
        Some(UndoesPart),
    );
    // Other changes of the same lines, and of others.
    check("    verify(&every); =>     verify(&every, 3);", None);
    check("    third(); =>     check(&all, limit)?;", None);
}
