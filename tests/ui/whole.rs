//! Every changed token of a hunk is on the screen while the hunk is current, at every usual width.

use countersign::review::HunkId;

use crate::fixture::Batch;
use crate::script::Script;

/// A file of lines as wide as a formatter leaves them, with changes near their ends.
fn session() -> countersign::review::ReviewSession {
    let line = |n: usize, end: &str| {
        format!("    result_{n} = compute(first_argument_{n}, second_argument, third={n}, {end})")
    };
    let long = |n: usize, end: &str| format!("# {} {end}_{n}", "word ".repeat(40));
    let base: Vec<String> = (0..60).map(|n| line(n, "before")).collect();
    let mut base = base;
    base[40] = long(40, "before");
    let narrow = "one\ntwo\nthree\n";
    let texts = base.join("\n") + "\n";
    let (old_first, new_first) = (line(10, "before"), line(10, "after_word"));
    let (old_last, new_last) = (long(40, "before"), long(40, "after_word"));
    Batch::new("Change what stands at the ends of lines.")
        .modify(
            "wide.py",
            &texts,
            &[(&old_first, &new_first), (&old_last, &new_last)],
        )
        .modify("narrow.txt", narrow, &[("two", "zwei")])
        .session()
}

#[test]
fn every_changed_token_is_on_the_screen_of_its_hunk() {
    for (width, height) in [(80, 24), (100, 30), (120, 36), (160, 50)] {
        let mut script = Script::new(session(), width, height);
        let hunks: Vec<HunkId> = script.app.session.hunks().map(|(id, _)| id).collect();
        for id in hunks {
            script.app.go_to_hunk(id);
            let screen: String = script.screen().split_whitespace().collect();
            let review = &script.app.session.files[id.file];
            for changed in review.hunks[id.hunk].state.lines.iter() {
                let old = changed.removes.then(|| review.base.line(changed.at));
                let texts = old.into_iter().chain(changed.adds.as_deref());
                for token in texts.flat_map(str::split_whitespace) {
                    // A token may be broken between two rows, with a gutter in between.
                    let shown = screen.contains(token)
                        || (1..token.len()).any(|cut| {
                            screen.contains(&token[..cut]) && screen.contains(&token[cut..])
                        });
                    assert!(shown, "{width}: `{token}` is not in\n{screen}");
                }
            }
        }
    }
}
