//! Families of dialects. Each has a fuzz target of its name, and is tried on changed examples by every `cargo test`.

/// Dialects that share their code.
#[derive(Debug)]
pub(crate) struct Family {
    /// The name of the fuzz target.
    pub(crate) name: &'static str,
    /// The names of the dialects.
    pub(crate) dialects: &'static [&'static str],
    /// Words of its examples, where its dialect is that of another family.
    pub(crate) words: &'static [&'static str],
}

/// All families.
pub(crate) const FAMILIES: [Family; 7] = [
    Family {
        name: "blocks",
        dialects: &["search-replace", "aider", "roo-xml"],
        words: &[],
    },
    Family {
        name: "diffs",
        dialects: &["unified", "context", "normal", "ed", "rcs"],
        words: &[],
    },
    Family {
        name: "envelopes",
        dialects: &["envelope"],
        words: &[],
    },
    Family {
        name: "calls",
        dialects: &["tool-call"],
        words: &[],
    },
    Family {
        name: "streams",
        dialects: &[],
        words: &[
            "data:",
            "content_block_delta",
            "contentBlockDelta",
            "chat.completion.chunk",
        ],
    },
    Family {
        name: "mails",
        dialects: &[],
        words: &["Subject: ", "Content-Transfer-Encoding: ", "begin 644 "],
    },
    Family {
        name: "replies",
        dialects: &["whole", "sketch", "suggestion", "shell"],
        words: &[],
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
