//! A large input, read from its beginning and from its middle at the same time.
//!
//! The line in the middle may be anything, a line of a hunk too. Once the second walk is past a section that names its file
//! it is in a state that the first one will reach, as a rule. If the first one reaches that state, all that follows
//! is the second's; if not, the first goes on to the end, and what the second met is worth nothing.

use std::sync::OnceLock;

use super::fence::Wrappers;
use super::walk::{Met, Walk};
use crate::parallel;
use crate::proposal::PathClaim;
use crate::text::LineIdx;

/// State of a walk: two walks in the same state find the same sections from there on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stand {
    at: LineIdx,
    free: LineIdx,
    path: Option<PathClaim>,
}

impl Stand {
    /// Returns the state of a walk that is in no fence.
    fn of(walk: &Walk) -> Option<Self> {
        let free =
            walk.fences_from.is_some_and(|from| from <= walk.at) && !walk.wrappers.are_open();
        free.then(|| Self {
            at: walk.at,
            free: walk.before.free,
            path: walk.before.path.clone(),
        })
    }
}

/// A walk at the end of the input, gone over the lines from the middle on at the same time as over those before it.
pub(super) fn walked<'a, 'i>(walk: &Walk<'a, 'i>, middle: LineIdx) -> Walk<'a, 'i> {
    let joint = OnceLock::new();
    let (second, first) = parallel::both(
        || second_half(walk.clone(), middle, &joint),
        || first_half(walk.clone(), &joint),
    );
    join(first, second, joint.get())
}

/// Goes from the middle to the end. Keeps what it meets from the joint on, which it gives as soon as it is there.
fn second_half<'a, 'i>(
    mut walk: Walk<'a, 'i>,
    middle: LineIdx,
    joint: &OnceLock<Stand>,
) -> Walk<'a, 'i> {
    (walk.at, walk.before.free) = (middle, middle);
    while walk.step() {
        if joint.get().is_none()
            && let Some(stand) = Stand::of(&walk).filter(|stand| stand.path.is_some())
        {
            // Nobody else sets it.
            let _ = joint.set(stand);
            walk.met = Met::default();
            walk.wrappers = Wrappers::default();
        }
    }
    walk
}

/// Goes to the joint, or past it.
fn first_half<'a, 'i>(mut walk: Walk<'a, 'i>, joint: &OnceLock<Stand>) -> Walk<'a, 'i> {
    while joint.get().is_none_or(|joint| walk.at < joint.at) && walk.step() {}
    walk
}

/// One walk of two, if they meet.
fn join<'a, 'i>(
    mut first: Walk<'a, 'i>,
    second: Walk<'a, 'i>,
    joint: Option<&Stand>,
) -> Walk<'a, 'i> {
    if joint.is_none() || Stand::of(&first).as_ref() != joint {
        return first.walked();
    }
    first.met.append(second.met);
    first.wrappers.append(second.wrappers);
    first.at = second.at;
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::{Asked, Input};
    use crate::dialect::table::DIALECTS;

    /// Reads an input as a whole and in two halves that part at every line; gives how often the halves met.
    fn check(text: &str) -> usize {
        let input = Input::new(text, None, Asked::InTurn);
        let walk = Walk::new(&input, &DIALECTS);
        let whole = walk.clone().walked().finish();
        let mut met = 0;
        for middle in 0..input.len() {
            let joint = OnceLock::new();
            let second = second_half(walk.clone(), middle, &joint);
            let first = first_half(walk.clone(), &joint);
            met += usize::from(joint.get().is_some() && Stand::of(&first).as_ref() == joint.get());
            let joined = join(first, second, joint.get()).finish();
            assert_eq!(joined, whole, "in halves from line {middle} on:\n{text}");
        }
        met
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
        let input = Input::new(&text, None, Asked::InTurn);
        let walk = Walk::new(&input, &DIALECTS);
        let halves = walked(&walk, input.len() / 2).finish();
        assert_eq!(halves, walk.walked().finish());
        assert_eq!(halves.proposal.files.len(), 4_000);
    }
}
