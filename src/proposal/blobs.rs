//! The versions of a file that git knows a diff by.

use sha1::{Digest, Sha1};
use sha2::Sha256;

use crate::text::hex;

/// Number of digits of a SHA-1.
const SHA1_DIGITS: usize = 40;

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

    /// Returns the names that a diff has which deletes an empty file.
    pub(crate) fn of_empty() -> Self {
        Self {
            before: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391".to_owned(),
            after: "0".repeat(SHA1_DIGITS),
        }
    }

    /// Returns true if the version before has this content. A name of more than 40 digits is read as one of a SHA-256 repository.
    ///
    /// ```
    /// use countersign::proposal::Blobs;
    ///
    /// let blobs = Blobs::parse("ce01362..0000000").unwrap();
    /// assert!(blobs.is_before(b"hello\n"));
    /// assert!(!blobs.is_before(b"hello"));
    /// ```
    pub fn is_before(&self, content: &[u8]) -> bool {
        is_name_of(&self.before, content)
    }

    /// Returns true if the version after has this content.
    pub(crate) fn is_after(&self, content: &[u8]) -> bool {
        is_name_of(&self.after, content)
    }
}

/// Returns true if a name, in full or cut off, is that of a blob with this content.
fn is_name_of(name: &str, content: &[u8]) -> bool {
    let header = format!("blob {}\0", content.len());
    let full = if name.len() > SHA1_DIGITS {
        let hash = Sha256::new().chain_update(&header).chain_update(content);
        hex(&hash.finalize())
    } else {
        let hash = Sha1::new().chain_update(&header).chain_update(content);
        hex(&hash.finalize())
    };
    full.starts_with(name)
}
