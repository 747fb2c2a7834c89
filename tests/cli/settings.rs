//! Settings: where they are read from, and what is said of those that are wrong.

use std::fs;

use tempfile::TempDir;

use super::run_in;

/// A folder with files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let place = TempDir::new().unwrap();
    for (name, text) in files {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

/// The line of a setting in what `countersign config` prints.
#[track_caller]
fn check(files: &[(&str, &str)], variables: &[(&str, &str)], arguments: &[&str], expected: &str) {
    let place = folder(files);
    let arguments = [&["config"], arguments].concat();
    let (code, out, err) = run_in(place.path(), variables, &arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let home = place.path().join("home").display().to_string();
    let out = out.replace(&home, "~");
    let line = out.lines().find(|line| line.starts_with("wrap "));
    assert_eq!(
        line.unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        expected
    );
}

const USUAL: &str = "home/.config/countersign/config.toml";

#[test]
fn every_value_says_where_it_came_from() {
    let wrap = "[ui]\nwrap = true\n";
    let other = ("COUNTERSIGN_CONFIG", "other.toml");
    let files = [(USUAL, wrap), ("other.toml", "\n[ui]\nwrap = true\n")];
    let repository = (".countersign.toml", "ui.wrap = true\n");
    check(&[], &[], &[], "wrap = false # default");
    check(&[repository], &[], &[], "wrap = true # .countersign.toml:1");
    check(
        &files,
        &[],
        &[],
        "wrap = true # ~/.config/countersign/config.toml:2",
    );
    check(&files, &[other], &[], "wrap = true # other.toml:3");
    check(
        &files,
        &[("COUNTERSIGN_CONFIG", "")],
        &[],
        "wrap = false # default",
    );
    check(
        &files,
        &[],
        &["--config", "other.toml"],
        "wrap = true # other.toml:3",
    );
    check(
        &files,
        &[("COUNTERSIGN_UI_WRAP", "false")],
        &[],
        "wrap = false # $COUNTERSIGN_UI_WRAP",
    );
    check(
        &files,
        &[],
        &["--set", "ui.wrap=false"],
        "wrap = false # --set",
    );
}

#[test]
fn keys_are_printed_as_settings_that_make_them() {
    let place = folder(&[(
        "keys.toml",
        "[keys]\npreset = 'vim'\n[keys.review]\nF9 = 'accept'\nj = 'none'\n",
    )]);
    let printed = |file: &str| {
        let (code, out, err) = run_in(place.path(), &[], &["config", "--keys", "--config", file]);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        out
    };
    let keys = printed("keys.toml");
    for line in [
        "\"F9\"          = \"accept\"",
        "\"] c\"         = \"next-hunk\"",
    ] {
        assert!(keys.contains(line), "{keys}");
    }
    let review = keys
        .lines()
        .take_while(|line| !line.starts_with("[keys.lines]"));
    let of_j: Vec<&str> = review.filter(|line| line.starts_with("\"j\" ")).collect();
    assert_eq!(of_j, ["\"j\"           = \"none\""]);
    fs::write(place.path().join("again.toml"), &keys).unwrap();
    assert_eq!(printed("again.toml"), keys);
}

#[test]
fn the_keys_of_every_preset_are_settings_that_make_them() {
    for preset in ["default", "vim", "git-add-p"] {
        let place = folder(&[("one.toml", &format!("[keys]\npreset = '{preset}'\n"))]);
        let printed = |file: &str| {
            let (code, out, err) =
                run_in(place.path(), &[], &["config", "--keys", "--config", file]);
            assert_eq!((code, err.as_str()), (Some(0), ""));
            out
        };
        let keys = printed("one.toml");
        fs::write(place.path().join("two.toml"), &keys).unwrap();
        assert_eq!(printed("two.toml"), keys, "{preset}");
    }
}

#[test]
fn a_settings_file_is_made_once() {
    let place = folder(&[]);
    let init = || run_in(place.path(), &[], &["config", "--init"]);
    let (code, out, err) = init();
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let made = fs::read_to_string(out.trim_end()).unwrap();
    assert!(made.contains("# [ui]") || made.contains("[ui]"), "{made}");
    let (code, _, err) = init();
    assert_eq!(code, Some(3));
    assert!(err.contains("cannot make"), "{err}");
}

#[test]
fn variables_that_are_no_settings_stop_everything() {
    let check = |name: &str, value: &str, expected: Option<&str>| {
        let place = folder(&[]);
        let (code, _, err) = run_in(place.path(), &[(name, value)], &["config"]);
        assert_eq!(
            code,
            Some(if expected.is_some() { 3 } else { 0 }),
            "{name}: {err}"
        );
        assert!(err.contains(expected.unwrap_or_default()), "{name}: {err}");
    };
    let meant = "did you mean `COUNTERSIGN_GUARD_PROTECTED`?";
    check("COUNTERSIGN_GUARD_PROTECTD", "['a']", Some(meant));
    check("countersign_guard_protected", "['a']", Some(meant));
    check(
        "COUNTERSIGN_SOMETHING",
        "1",
        Some("$COUNTERSIGN_SOMETHING: no such setting"),
    );
    check("COUNTERSIGN_GUARD_PROTECTED", "['a']", None);
    check("COUNTERSIGN_ROOT", "/x", None);
    check("MY_COUNTERSIGN_THING", "1", None);
}

#[test]
fn a_sample_file_and_its_place_are_printed() {
    let place = folder(&[]);
    let (code, sample, err) = run_in(place.path(), &[], &["config", "--default"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (code, path, _) = run_in(place.path(), &[], &["config", "--path"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        path.trim_end(),
        place.path().join(USUAL).display().to_string()
    );
    fs::create_dir_all(place.path().join(USUAL).parent().unwrap()).unwrap();
    fs::write(path.trim_end(), sample).unwrap();
    assert_eq!(run_in(place.path(), &[], &["config"]).0, Some(0));
}

#[test]
fn what_a_person_got_wrong_stops_everything_and_says_where() {
    let place = folder(&[("wrong.toml", "[guard]\nprotcted = ['*.sql']\n")]);
    let check = |arguments: &[&str], expected: &str| {
        let (code, out, err) = run_in(place.path(), &[], arguments);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(3), "", expected));
    };
    let hint = "hint: `countersign config --default` prints a file with every setting\n";
    let told =
        "wrong.toml:2: there is no setting `guard.protcted`; did you mean `guard.protected`?";
    let expected = format!("countersign: {told}\n{hint}");
    check(&["config", "--config", "wrong.toml"], &expected);
    check(&["apply", "--config", "wrong.toml", "edit.md"], &expected);
    check(
        &["check", "--set", "ui.mouse=maybe", "edit.md"],
        &format!("countersign: --set: `ui.mouse`: expected `true` or `false`\n{hint}"),
    );
    fs::create_dir(place.path().join("themes")).unwrap();
    fs::write(
        place.path().join("themes/mine.toml"),
        "[colours]\ntext = 'red'\n",
    )
    .unwrap();
    fs::write(place.path().join("theme.toml"), "[ui]\ntheme = 'mine'\n").unwrap();
    check(
        &["config", "--config", "theme.toml"],
        &format!(
            "countersign: themes/mine.toml:2: `text`: expected a colour like \"#1c7a3c\"\n{hint}"
        ),
    );
    check(
        &["config", "--config", "theme.toml", "--set", "ui.theme=drak"],
        &format!(
            "countersign: --set: there is no theme `drak`, as there is no `themes/drak.toml`; built in are: dark, light, \
             blue-orange-dark, blue-orange-light, contrast-dark, contrast-light\n{hint}"
        ),
    );
    let keys = "[keys.review]\ng = 'top'\nF2 = 'acept'\n[keys.prompt]\nj = 7\n";
    fs::write(place.path().join("keys.toml"), keys).unwrap();
    check(
        &["config", "--config", "keys.toml"],
        &format!(
            "countersign: keys.toml:5: `j`: expected the name of a command in quotes, or \"none\"\n\
             keys.toml:2: `g` hides `g a`, which does `accept-rest`; take that away with \"none\"\n\
             keys.toml:3: there is no command `acept` in `review`; did you mean `accept`?\n{hint}"
        ),
    );
    check(
        &["config", "--config", "none.toml"],
        "countersign: the settings in `none.toml` cannot be read: No such file or directory (os error 2)\n\
         hint: `--config` and `COUNTERSIGN_CONFIG` name another file\n",
    );
}

#[test]
fn what_a_repository_may_not_say_is_told_and_left_out() {
    let check = |text: &str, expected: &str| {
        let place = folder(&[(".countersign.toml", text)]);
        let (code, out, err) = run_in(place.path(), &[], &["config"]);
        assert_eq!((code, err.as_str()), (Some(0), expected));
        assert_eq!(out, run_in(folder(&[]).path(), &[], &["config"]).1);
    };
    check(
        "[editor]\ncommand = 'sh evil.sh'\n",
        "countersign: not taken over: .countersign.toml:2: `editor.command`: a repository cannot name commands to run\n",
    );
    check(
        "[place]\nprecision = 0.8\n",
        "countersign: not taken over: .countersign.toml:2: `place.precision`: a repository cannot let through more than 0.85\n",
    );
    check(
        "[keys.review]\nq = 'write'\n",
        "countersign: not taken over: .countersign.toml:2: a repository cannot change keys\n",
    );
    let place = folder(&[]);
    std::os::unix::fs::symlink("/dev/zero", place.path().join(".countersign.toml")).unwrap();
    let (code, out, err) = run_in(place.path(), &[], &["config"]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(
        err.starts_with("countersign: `.countersign.toml` cannot be read: it is a link"),
        "{err}"
    );
}

#[test]
fn the_settings_file_is_protected_wherever_it_is() {
    let edit = r#"{"name":"Write","input":{"file_path":"my.toml","content":"[check]\ncommand = \"make\"\n"}}"#;
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("my.toml"), "").unwrap();
    fs::write(place.path().join("edit"), edit).unwrap();
    for (environment, arguments) in [
        (&[][..], &["apply", "--config", "my.toml", "edit"][..]),
        (&[("COUNTERSIGN_CONFIG", "my.toml")], &["apply", "edit"]),
    ] {
        let (code, _, err) = run_in(place.path(), environment, arguments);
        assert_eq!(code, Some(2), "{err}");
    }
    let (code, _, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{err}");
}
