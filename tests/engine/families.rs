//! Families of dialects. Each has a fuzz target of its name, and is tried on changed examples by every `cargo test`.

/// Dialects that share their code.
#[derive(Debug)]
pub(crate) struct Family {
    /// The name of the fuzz target.
    pub(crate) name: &'static str,
    /// The names of the dialects.
    pub(crate) dialects: &'static [&'static str],
}

/// All families.
pub(crate) const FAMILIES: [Family; 5] = [
    Family {
        name: "blocks",
        dialects: &["search-replace", "aider", "roo-xml"],
    },
    Family {
        name: "diffs",
        dialects: &["unified", "context", "normal", "ed", "rcs"],
    },
    Family {
        name: "envelopes",
        dialects: &["envelope"],
    },
    Family {
        name: "calls",
        dialects: &["tool-call"],
    },
    Family {
        name: "replies",
        dialects: &["whole", "sketch", "suggestion", "shell"],
    },
];

/// Returns the family of a name.
///
/// # Panics
///
/// There is none.
pub(crate) fn family(name: &str) -> &'static Family {
    let found = FAMILIES.iter().find(|family| family.name == name);
    found.expect("the name of a family")
}
