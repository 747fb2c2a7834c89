//! One encoding for several versions of a text.
//!
//! The encoding of a text that declares none is a guess, and one more letter can change it. With two guesses, equal bytes of two versions
//! would be different characters, and a line of one version could be written with the bytes of another character.

use super::document::Document;
use super::encoding::Encoding;

/// Reads versions of a text in one encoding, where some of their encodings differ and are only guessed. `None` if they are in one already,
/// or are not text in any encoding that all of them may have.
pub(crate) fn in_one_encoding<const N: usize>(versions: [&Document; N]) -> Option<[Document; N]> {
    let first = versions.first()?.encoding();
    if versions.iter().all(|version| version.encoding() == first) {
        return None;
    }
    let settled = versions.iter().filter(|version| !may_be_recoded(version));
    let mut candidates: Vec<Encoding> = settled.map(|version| version.encoding()).collect();
    if candidates.is_empty() {
        candidates.push(guessed_together(&versions)?);
        candidates.extend(versions.iter().map(|version| version.encoding()));
        candidates.push(Encoding::WINDOWS_1252);
    }
    candidates.retain(|encoding| !encoding.has_bom());
    (candidates.into_iter()).find_map(|encoding| read_in(versions, encoding))
}

/// Returns the versions in an encoding, if all of them are text in it.
fn read_in<const N: usize>(versions: [&Document; N], encoding: Encoding) -> Option<[Document; N]> {
    let read = versions.iter().map(|version| {
        if version.encoding() == encoding {
            Some((*version).clone())
        } else {
            version
                .recoded(encoding)
                .filter(|_| may_be_recoded(version))
        }
    });
    read.collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// Returns true if a text may be in another encoding than the one that it was read in: its encoding was guessed, or it is of ASCII alone.
pub(crate) fn may_be_recoded(text: &Document) -> bool {
    let encoding = text.encoding();
    encoding.is_guessed() || (encoding == Encoding::UTF_8 && text.text().is_ascii())
}

/// Returns the encoding that all versions together seem to be in.
fn guessed_together(versions: &[&Document]) -> Option<Encoding> {
    let mut bytes = Vec::new();
    for version in versions {
        bytes.extend(version.encode(version.text()).ok()?);
        bytes.push(b'\n');
    }
    Some(Encoding::of_bytes(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(versions: [&[u8]; 2], expected: Option<&str>) {
        let [old, new] = versions.map(|bytes| Document::decode(bytes.to_vec()).unwrap());
        let read = in_one_encoding([&old, &new]);
        let encodings = read
            .as_ref()
            .map(|read| read.each_ref().map(Document::encoding));
        assert_eq!(encodings.map(|both| both[0].name()), expected);
        for (version, bytes) in read.iter().flatten().zip(versions) {
            assert_eq!(version.encode(version.text()).unwrap(), bytes);
            assert_eq!(Some(version.encoding()), encodings.map(|both| both[0]));
        }
    }

    #[test]
    fn versions_are_read_in_one_encoding() {
        // Each is guessed otherwise alone.
        let (old, new) = (b"\xa9 2020 Caf\xe9\n", b"\xa9 2021 Caf\xe9s\n");
        check([old, new], Some("windows-1252"));
        // The last letter that is not ASCII goes, or the first one comes.
        check([b"Caf\xe9\n", b"Cafe\n"], Some("windows-1252"));
        check([b"Cafe\n", b"Caf\xe9\n"], Some("windows-1252"));
        // They have the same encoding, or one of them is known to have another.
        check([b"Caf\xe9\n", b"Caf\xe9 1\n"], None);
        check([b"Caf\xe9\n", "Café\n".as_bytes()], None);
        check([b"Cafe\n", b"\xEF\xBB\xBFCafe\n"], None);
        check([b"a\n", "é\n".as_bytes()], None);
    }
}
