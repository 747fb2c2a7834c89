//! The versions of a file that git knows a diff by.

/// The names of the blobs that a diff leads from and to: its `index` line, as in `index 1a2b3c4..5d6e7f8 100644`.
///
/// If the repository has the first, a hunk without a match can still be merged three-way from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Blobs {
    /// The name of the version before, in full or cut off; nothing but zeros if there is none.
    pub before: String,
    /// The name of the version after.
    pub after: String,
}

impl Blobs {
    /// Reads what follows `index `; `None` if it is not two names.
    ///
    /// ```
    /// use countersign::proposal::Blobs;
    ///
    /// let blobs = Blobs::parse("1a2b3c4..5d6e7f8 100644").unwrap();
    /// assert_eq!((blobs.before.as_str(), blobs.after.as_str()), ("1a2b3c4", "5d6e7f8"));
    /// assert_eq!(Blobs::parse("1a2b3c4,5d6e7f8..0000000"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (before, after) = text.split_whitespace().next()?.split_once("..")?;
        let is_name = |name: &str| {
            (4..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        (is_name(before) && is_name(after)).then(|| Self {
            before: before.to_ascii_lowercase(),
            after: after.to_ascii_lowercase(),
        })
    }
}
