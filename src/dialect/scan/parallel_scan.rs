//! A large input, read from its beginning and from its middle at the same time.
//!
//! The line in the middle may be anything, a line of a hunk too. Once the second scan is past a section that names its file
//! it is in a state that the first one will reach, as a rule. If the first one reaches that state, all that follows
//! is the second's; if not, the first goes on to the end, and what the second met is worth nothing.

use std::sync::OnceLock;

use super::findings::Findings;
use super::scanner::Scanner;
use crate::dialect::markdown::fence::Wrappers;
use crate::dialect::mentioned_names::MentionedNames;
use crate::dialect::script_state::ScriptState;
use crate::parallel;
use crate::proposal::PathClaim;
use crate::text::LineIdx;

/// State of a scan: two scans in the same state find the same sections from there on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScanState {
    at: LineIdx,
    free: LineIdx,
    path: Option<PathClaim>,
    names: MentionedNames,
    script: ScriptState,
}

impl ScanState {
    /// Returns the state of a scan that is in no fence.
    fn of(scanner: &Scanner) -> Option<Self> {
        let free = scanner.blocks_from <= scanner.at
            && !scanner.wrappers.are_open()
            && scanner.hidden.is_none();
        free.then(|| Self {
            at: scanner.at,
            free: scanner.before.free,
            path: scanner.before.path.clone(),
            names: scanner.before.names.clone(),
            script: scanner.before.script.clone(),
        })
    }
}

/// A scan at the end of the input, gone over the lines from the middle on at the same time as over those before it.
pub(super) fn scanned<'a, 'i>(scanner: &Scanner<'a, 'i>, middle: LineIdx) -> Scanner<'a, 'i> {
    let joint = OnceLock::new();
    let (second, first) = parallel::both(
        || second_half(scanner.clone(), middle, &joint),
        || first_half(scanner.clone(), &joint),
    );
    join(first, second, joint.get())
}

/// Goes from the middle to the end. Keeps what it meets from the joint on, which it gives as soon as it is there.
fn second_half<'a, 'i>(
    mut scanner: Scanner<'a, 'i>,
    middle: LineIdx,
    joint: &OnceLock<ScanState>,
) -> Scanner<'a, 'i> {
    (scanner.at, scanner.before.free) = (middle, middle);
    while scanner.step() {
        if joint.get().is_none()
            && let Some(state) = ScanState::of(&scanner).filter(|state| state.path.is_some())
        {
            // Nobody else sets it.
            let _ = joint.set(state);
            scanner.findings = Findings::default();
            scanner.wrappers = Wrappers::default();
        }
    }
    scanner
}

/// Goes to the joint, or past it.
fn first_half<'a, 'i>(
    mut scanner: Scanner<'a, 'i>,
    joint: &OnceLock<ScanState>,
) -> Scanner<'a, 'i> {
    while joint.get().is_none_or(|joint| scanner.at < joint.at) && scanner.step() {}
    scanner
}

/// One scan of two, if they meet.
fn join<'a, 'i>(
    mut first: Scanner<'a, 'i>,
    second: Scanner<'a, 'i>,
    joint: Option<&ScanState>,
) -> Scanner<'a, 'i> {
    if joint.is_none() || ScanState::of(&first).as_ref() != joint {
        return first.scanned();
    }
    first.findings.append(second.findings);
    first.wrappers.append(second.wrappers);
    first.at = second.at;
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::{Input, ReadReason};
    use crate::dialect::table::DIALECTS;

    /// Reads an input as a whole and in two halves that part at every line; gives how often the halves met.
    fn check(text: &str) -> usize {
        let input = Input::new(text, None, ReadReason::InTurn);
        let scanner = Scanner::new(&input, &DIALECTS);
        let whole = scanner.clone().scanned().finish();
        let mut findings = 0;
        for middle in 0..input.len() {
            let joint = OnceLock::new();
            let second = second_half(scanner.clone(), middle, &joint);
            let first = first_half(scanner.clone(), &joint);
            findings +=
                usize::from(joint.get().is_some() && ScanState::of(&first).as_ref() == joint.get());
            let joined = join(first, second, joint.get()).finish();
            assert_eq!(joined, whole, "in halves from line {middle} on:\n{text}");
        }
        findings
    }

    #[test]
    fn two_halves_make_the_whole() {
        let diff = "\
diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,2 +1,2 @@
 one
-two
+2
@@ -8 +8 @@
-diff --git a/x b/x
+three
diff --git a/b b/b
--- a/b
+++ b/b
@@ -1 +1 @@
-one
+1
diff --git a/b b/b
--- a/b
+++ b/b
@@ -5 +5 @@
-five
+5
";
        assert!(check(diff) > 5);
        let blocks = "\
Like this:

a.py
```python
<<<<<<< SEARCH
one
=======
1
>>>>>>> REPLACE
```

<<<<<<< SEARCH
two
=======
2
>>>>>>> REPLACE

b.py
```python
<<<<<<< SEARCH
diff --git a/x b/x
=======
>>>>>>> REPLACE
<<<<<<< SEARCH
=======
4
>>>>>>> REPLACE
```
That is all.
";
        assert!(check(blocks) > 5);
        check(&format!("First:\n\n```diff\n{diff}```\n\nThen:\n{blocks}"));
        check(&format!(
            "* so:\n\n  ```diff\n  {}```\n\n{diff}",
            diff.replace('\n', "\n  ")
        ));
        check(&format!(
            "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n{diff}{blocks}"
        ));
        check(&format!("b.py\n````\nx = 1\n{diff}\ny = 2\n````\n{blocks}"));
    }

    #[test]
    fn a_large_input_is_read_as_a_small_one() {
        let diff = |n: usize| {
            format!(
                "diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n@@ -1,2 +1,2 @@\n a\n-{n}\n+b\n"
            )
        };
        let text: String = (0..4_000).map(diff).collect();
        let input = Input::new(&text, None, ReadReason::InTurn);
        let scanner = Scanner::new(&input, &DIALECTS);
        let halves = scanned(&scanner, input.len() / 2).finish();
        assert_eq!(halves, scanner.scanned().finish());
        assert_eq!(halves.proposal.files.len(), 4_000);
    }
}
