//! The patches of a quilt series, given as its folder or as its list.

use std::fs;

use tempfile::TempDir;

use crate::run_in;

/// Makes a file of one line, and two patches on it, of which the second needs the first.
fn tree(series: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    let diff = |old: &str, new: &str| {
        format!("About it.\n\n--- p.orig/src/a\n+++ p/src/a\n@@ -1 +1 @@\n-{old}\n+{new}\n")
    };
    for (name, text) in [
        ("src/a", "one\n".to_owned()),
        ("patches/first.patch", diff("one", "two")),
        ("patches/second.patch", diff("two", "three")),
        ("patches/series", series.to_owned()),
    ] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

#[test]
fn a_series_is_read_in_its_order() {
    let check = |series: &str, name: &str, expected: &str| {
        let place = tree(series);
        let (code, out, err) = run_in(place.path(), &[], &["apply", name]);
        let file = fs::read_to_string(place.path().join("src/a")).unwrap();
        assert_eq!(file, expected, "{series:?} {name}: {code:?} {out}{err}");
        err
    };
    let both = "# the series\nfirst.patch -p1\n\nsecond.patch # done\n";
    check(both, "patches", "three\n");
    check(both, "patches/series", "three\n");
    check(both, ".", "three\n");
    check("first.patch\n", "patches", "two\n");
    let err = check("first.patch -R\n", "patches", "one\n");
    assert!(err.contains("takes the patch `first.patch` back"), "{err}");
    let err = check("no.patch\n", "patches", "one\n");
    assert!(err.contains("no.patch"), "{err}");
    let err = check("", "src", "one\n");
    assert!(err.contains("name the files in it"), "{err}");
}
