//! The gate comes into settings and goes again.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// Runs `countersign hook` in a folder that is the home too.
fn hook(home: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command
        .arg("hook")
        .args(arguments)
        .current_dir(home)
        .env("HOME", home);
    for name in [
        "CLINE_DIR",
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "XDG_CONFIG_HOME",
    ] {
        command.env_remove(name);
    }
    let out = command.stdin(std::process::Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(out.stdout), text(out.stderr), out.status.code())
}

/// What a folder holds: names and texts.
fn tree(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_was_there_comes_back_exactly() {
    let minified = |agent| {
        let takes_comments = ["droid", "gemini", "qwen"].contains(&agent);
        let comment = if takes_comments { "/*mine*/" } else { "" };
        format!("{{\"model\":\"x\",{comment}\"hooks\":{{}}}}")
    };
    for (agent, file) in [
        ("claude", ".claude/settings.json"),
        ("cline", ".cline/hooks/PreToolUse.sh"),
        ("codex", ".codex/hooks.json"),
        ("copilot", ".copilot/settings.json"),
        ("droid", ".factory/settings.json"),
        ("gemini", ".gemini/settings.json"),
        ("kilo", ".kilo/plugins/countersign.js"),
        ("opencode", ".opencode/plugins/countersign.js"),
        ("pi", ".pi/agent/extensions/countersign.js"),
        ("qwen", ".qwen/settings.json"),
    ] {
        let minified = minified(agent);
        for before in [None, Some(minified.as_str()), Some("")] {
            let home = tempfile::tempdir().unwrap();
            let path = home.path().join(file);
            if let Some(before) = before.filter(|_| file.contains(".json")) {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, before).unwrap();
            }
            let found = tree(home.path());
            let (diff, said, code) = hook(home.path(), &[agent, "--install"]);
            assert_eq!(code, Some(4), "{said}");
            assert!(
                diff.contains('+') && said.contains("`--yes`"),
                "{diff}{said}"
            );
            assert_eq!(tree(home.path()), found, "it was not confirmed");
            assert_eq!(hook(home.path(), &[agent, "--install", "--yes"]).2, Some(0));
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(&format!("hook {agent}")), "{text}");
            let installed = tree(home.path());
            let (_, said, code) = hook(home.path(), &[agent, "--install", "--yes"]);
            assert_eq!((tree(home.path()), code), (installed, Some(0)));
            assert!(said.contains("already"), "{said}");
            assert_eq!(
                hook(home.path(), &[agent, "--uninstall", "--yes"]).2,
                Some(0)
            );
            assert_eq!(tree(home.path()), found, "{agent} {before:?}");
            let folder = home.path().join(file.split('/').next().unwrap());
            assert_eq!(folder.exists(), !found.is_empty(), "{agent} {before:?}");
        }
    }
}

#[test]
fn what_is_changed_after_the_gate_came_stays_when_it_goes() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(".claude/settings.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\n  \"theme\":  1,\n  \"model\": \"x\"\n}\n").unwrap();
    assert_eq!(
        hook(home.path(), &["claude", "--install", "--yes", "--user"]).2,
        Some(0)
    );
    let changed = fs::read_to_string(&path).unwrap().replace("\"x\"", "\"y\"");
    fs::write(&path, changed).unwrap();
    assert_eq!(
        hook(home.path(), &["claude", "--uninstall", "--yes", "--user"]).2,
        Some(0)
    );
    let expected = [(
        ".claude/settings.json".to_owned(),
        "{\n  \"theme\":  1,\n  \"model\": \"y\"\n}\n".to_owned(),
    )];
    assert_eq!(tree(home.path()), expected);
}

#[test]
fn settings_that_are_not_understood_stay() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join(".codex")).unwrap();
    fs::write(home.path().join(".codex/hooks.json"), "{ oh").unwrap();
    let (_, said, code) = hook(home.path(), &["codex", "--install", "--yes"]);
    assert_eq!(code, Some(4));
    assert!(
        said.contains(".codex/hooks.json`: the settings are not JSON") && said.contains("by hand"),
        "{said}"
    );
    assert_eq!(
        fs::read_to_string(home.path().join(".codex/hooks.json")).unwrap(),
        "{ oh"
    );
}

/// Checks that settings are not changed, with a message that has this.
#[track_caller]
fn check_refused(arguments: &[&str], file: &str, before: &str, message: &str) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, before).unwrap();
    let found = tree(home.path());
    let (_, said, code) = hook(home.path(), arguments);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains(file) && said.contains(message), "{said}");
    assert_eq!(tree(home.path()), found);
}

#[test]
fn a_name_that_is_there_twice_is_refused() {
    let twice = "{\"hooks\": {\"Stop\": []}, \"hooks\": {}}";
    let file = ".claude/settings.json";
    for action in ["--install", "--uninstall"] {
        check_refused(
            &["claude", action, "--yes"],
            file,
            twice,
            "`hooks` is there twice",
        );
    }
}

#[test]
fn a_gate_in_a_file_with_a_byte_order_mark_goes() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(".codex/hooks.json");
    assert_eq!(
        hook(home.path(), &["codex", "--install", "--yes"]).2,
        Some(0)
    );
    let marked = format!("\u{feff}{}", fs::read_to_string(&path).unwrap());
    fs::write(&path, marked).unwrap();
    let (_, said, code) = hook(home.path(), &["codex", "--uninstall", "--yes"]);
    assert_eq!(
        (
            fs::read_to_string(&path).unwrap().contains("hook codex"),
            code
        ),
        (false, Some(0)),
        "{said}"
    );
    let install = ["codex", "--install", "--yes"];
    check_refused(
        &install,
        ".codex/hooks.json",
        "\u{feff}{}",
        "byte-order mark",
    );
}

#[test]
fn a_link_to_settings_stays_a_link() {
    for before in [None, Some("{\"model\": \"x\"}\n")] {
        let home = tempfile::tempdir().unwrap();
        let link = home.path().join(".claude/settings.json");
        let target = home.path().join("dot/files/settings.json");
        fs::create_dir(home.path().join(".claude")).unwrap();
        symlink("../dot/link.json", &link).unwrap();
        fs::create_dir(home.path().join("dot")).unwrap();
        symlink("files/settings.json", home.path().join("dot/link.json")).unwrap();
        if let Some(before) = before {
            fs::create_dir(home.path().join("dot/files")).unwrap();
            fs::write(&target, before).unwrap();
        }
        assert_eq!(
            hook(home.path(), &["claude", "--install", "--yes"]).2,
            Some(0)
        );
        assert!(link.is_symlink());
        assert!(fs::read_to_string(&target).unwrap().contains("hook claude"));
        assert_eq!(
            hook(home.path(), &["claude", "--uninstall", "--yes"]).2,
            Some(0)
        );
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).ok().as_deref(), before);
    }
}

#[test]
fn new_settings_have_the_permissions_of_new_files() {
    let home = tempfile::tempdir().unwrap();
    let mode = |name: &str| {
        let about = fs::metadata(home.path().join(name)).unwrap();
        about.permissions().mode() & 0o777
    };
    fs::write(home.path().join("new"), "").unwrap();
    hook(home.path(), &["gemini", "--install", "--yes"]);
    assert_eq!(mode(".gemini/settings.json"), mode("new"));
    // A copy is not open to more people than the original.
    fs::create_dir(home.path().join(".claude")).unwrap();
    let private = home.path().join(".claude/settings.json");
    fs::write(&private, "{}").unwrap();
    fs::set_permissions(&private, fs::Permissions::from_mode(0o600)).unwrap();
    hook(home.path(), &["claude", "--install", "--yes"]);
    assert_eq!(mode(".claude/settings.json"), 0o600);
    assert_eq!(mode(".claude/settings.json.before-countersign"), 0o600);
}

#[test]
fn a_hook_of_the_user_in_the_place_of_the_gate_stays() {
    let own = "#!/bin/sh\nexec my-guard\n";
    let install = ["cline", "--install", "--yes"];
    let file = ".cline/hooks/PreToolUse.sh";
    check_refused(&install, file, own, "this is a file of your own");
}

#[test]
fn settings_that_the_client_would_drop_are_refused() {
    let install = ["codex", "--install", "--yes"];
    for before in ["{\"hooks\": {},}", "{/*mine*/}"] {
        check_refused(&install, ".codex/hooks.json", before, "Codex reads nothing");
    }
}

#[test]
fn settings_that_cannot_be_read_are_not_said_to_have_no_gate() {
    let uninstall = ["claude", "--uninstall", "--yes"];
    check_refused(&uninstall, ".claude/settings.json", "{ oh", "not JSON");
}

#[test]
fn a_wait_that_was_asked_for_stays() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".claude/settings.json");
    let install = |more: &[&str]| {
        let arguments = [&["claude", "--install", "--yes"], more].concat();
        let (_, said, code) = hook(home.path(), &arguments);
        (fs::read_to_string(&file).unwrap_or_default(), said, code)
    };
    let (first, _, code) = install(&["--wait", "600"]);
    assert!(first.contains("hook claude --wait 600 || sh"), "{first}");
    assert_eq!(code, Some(0));
    let (again, said, _) = install(&[]);
    assert_eq!(again, first);
    assert!(said.contains("already"), "{said}");
    // Other parts come beside it, and it can be changed.
    let (turns, _, _) = install(&["--stop"]);
    assert!(turns.contains("hook claude --wait 600 --stop"), "{turns}");
    let (changed, _, _) = install(&["--wait", "90"]);
    assert_eq!(changed, first.replace("--wait 600", "--wait 90"));
    let (kept, said, code) = install(&["--wait", "7200"]);
    assert_eq!((kept, code), (changed, Some(3)), "{said}");
    assert!(said.contains("soon after 3540 s"), "{said}");
    hook(home.path(), &["claude", "--uninstall", "--yes"]);
    assert_eq!(tree(home.path()), []);
    let (_, said, code) = hook(home.path(), &["cline", "--print", "--wait", "111"]);
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn it_is_printed() {
    let home = tempfile::tempdir().unwrap();
    let (text, _, code) = hook(home.path(), &["gemini", "--print"]);
    assert_eq!(code, Some(0));
    let settings: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(settings["hooks"]["BeforeTool"][0]["matcher"], ".*");
    assert_eq!(
        settings["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"],
        3_600_000
    );
    assert!(tree(home.path()).is_empty());
}

#[test]
fn the_review_of_turns_comes_and_goes_with_the_gate_and_by_itself() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".claude/settings.json");
    let read = || fs::read_to_string(&file).unwrap();
    hook(home.path(), &["claude", "--install", "--yes"]);
    let gate = read();
    assert!(
        !gate.contains("Stop"),
        "it is not there unless it is asked for"
    );
    hook(home.path(), &["claude", "--install", "--stop", "--yes"]);
    for part in [
        "UserPromptSubmit",
        "\"Stop\"",
        "hook claude --stop\"",
        "; exit 2",
    ] {
        assert!(read().contains(part), "{part}: {}", read());
    }
    let (_, said, _) = hook(home.path(), &["claude", "--install", "--stop", "--yes"]);
    assert!(said.contains("already"), "{said}");
    let (printed, _, _) = hook(home.path(), &["claude", "--print", "--stop"]);
    assert_eq!(printed, read());
    hook(home.path(), &["claude", "--install", "--yes"]);
    assert_eq!(read(), gate);
    hook(home.path(), &["claude", "--install", "--stop", "--yes"]);
    hook(home.path(), &["claude", "--uninstall", "--yes"]);
    assert_eq!(tree(home.path()), []);
    let (_, said, code) = hook(home.path(), &["codex", "--install", "--stop", "--yes"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(
        said.contains("codex has no hook for the end of a turn"),
        "{said}"
    );
}
