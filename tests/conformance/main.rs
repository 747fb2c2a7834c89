//! Cases from other tools' own test suites, as data outside of this repository.
//!
//! `CONFORMANCE_CASES` names the folder that holds them; without it there is nothing to run. A case with files is run
//! through the whole engine, with everything accepted that has a place; of a case without, only the reading is compared.
//! Where we differ on purpose, `listed` says why.

#[path = "../engine/run.rs"]
mod engine;
mod listed;
mod reading;
mod suites;
mod writing;

use std::collections::BTreeSet;
use std::path::PathBuf;

use listed::LISTED;

#[test]
fn other_tools_do_the_same() {
    let Some(folder) = std::env::var_os("CONFORMANCE_CASES").map(PathBuf::from) else {
        say("skipped: CONFORMANCE_CASES names no folder");
        return;
    };
    let cases = suites::all(&folder);
    let mut listed: BTreeSet<&str> = LISTED
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .collect();
    let mut wrong = Vec::new();
    let mut differing = 0;
    for case in &cases {
        let is_listed = listed.remove(case.name.as_str());
        match &case.difference {
            Some(_) if is_listed => differing += 1,
            Some(difference) => wrong.push(format!("{}: {difference}", case.name)),
            None if is_listed => wrong.push(format!("{}: is listed, but agrees", case.name)),
            None => (),
        }
    }
    wrong.extend(
        listed
            .iter()
            .map(|name| format!("{name}: is listed, but no case")),
    );
    say(&format!(
        "{} cases, {differing} of them other on purpose",
        cases.len()
    ));
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[expect(clippy::print_stderr, reason = "says what was compared")]
fn say(text: &str) {
    eprintln!("{text}");
}
