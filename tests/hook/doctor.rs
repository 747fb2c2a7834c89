//! The doctor tries the gates.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// What the doctor finds in a folder that is the home too, about one area; and its exit code.
fn doctor(home: &Path, area: &str) -> (Vec<(String, String)>, Option<i32>) {
    doctor_with(home, area, &[])
}

/// The same with more options, where programs in `bin` are on the `PATH`.
fn doctor_with(home: &Path, area: &str, flags: &[&str]) -> (Vec<(String, String)>, Option<i32>) {
    doctor_in(home, area, flags, &[])
}

/// The same with variables of the environment.
fn doctor_in(
    home: &Path,
    area: &str,
    flags: &[&str],
    variables: &[(&str, &Path)],
) -> (Vec<(String, String)>, Option<i32>) {
    let out = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["doctor", "--report", "json"])
        .args(flags)
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .env("PATH", format!("{}/bin:/usr/bin:/bin", home.display()))
        .env("XDG_RUNTIME_DIR", home)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let findings: Vec<Value> = serde_json::from_slice(&out.stdout).unwrap();
    let about = findings.iter().filter(|finding| finding["area"] == area);
    let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
    let found = about.map(|finding| (text(finding, "state"), text(finding, "found")));
    (found.collect(), out.status.code())
}

fn install(home: &Path, agent: &str) {
    let done = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["hook", agent, "--install", "--yes", "--project"])
        .current_dir(home)
        .output()
        .unwrap();
    assert!(done.status.success());
    if agent == "gemini" {
        trust(home, "TRUST_FOLDER");
    }
    if agent == "copilot" {
        let config = json!({"trustedFolders": [home.to_str().unwrap()]});
        fs::create_dir_all(home.join(".copilot")).unwrap();
        fs::write(home.join(".copilot/config.json"), config.to_string()).unwrap();
    }
}

/// Makes a program on the `PATH` that runs a line of shell.
fn client(home: &Path, name: &str, line: &str) {
    let path = home.join("bin").join(name);
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
    let done = Command::new("chmod").arg("+x").arg(&path).status().unwrap();
    assert!(done.success());
}

/// Has Gemini CLI trust a folder that is the home too, or not.
fn trust(home: &Path, level: &str) {
    let rules = json!({ home.to_str().unwrap(): level });
    fs::write(home.join(".gemini/trustedFolders.json"), rules.to_string()).unwrap();
}

#[test]
fn gates_that_hold_and_gates_that_do_not() {
    let home = tempfile::tempdir().unwrap();
    for (agent, file) in [
        ("claude", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("copilot", ".github/copilot/settings.json"),
        ("gemini", ".gemini/settings.json"),
        ("kilo", ".kilo/plugins/countersign.js"),
        ("opencode", ".opencode/plugins/countersign.js"),
        ("pi", ".pi/extensions/countersign.js"),
        ("qwen", ".qwen/settings.json"),
    ] {
        install(home.path(), agent);
        let gate = |found: &[(String, String)]| {
            let mut about = found.iter().filter(|(_, found)| found.contains(file));
            about.next().cloned().unwrap()
        };
        let (found, code) = doctor(home.path(), agent);
        let (state, words) = gate(&found);
        assert_eq!((state.as_str(), code), ("absent", Some(0)), "{words}");
        assert!(words.contains("works, and fails closed; "), "{words}");
        assert!(words.contains("is not on the PATH"), "{words}");
        // The reviewers that it was tried with have left.
        let sockets = fs::read_dir(home.path().join("countersign")).unwrap();
        let names: Vec<_> = sockets.map(|entry| entry.unwrap().path()).collect();
        assert!(names.is_empty(), "{names:?}");
        if file.contains("countersign.js") {
            continue;
        }
        // A gate without its guard, and one that does nothing.
        let path = home.path().join(file);
        let good = fs::read_to_string(&path).unwrap();
        for (from, to) in [
            (" || sh -c ", " # "),
            ("exit 2", "exit 1"),
            ("\"command\": \"", "\"command\": \"true "),
        ] {
            fs::write(&path, good.replace(from, to)).unwrap();
            let (found, code) = doctor(home.path(), agent);
            let (state, words) = gate(&found);
            assert_eq!((state.as_str(), code), ("bad", Some(2)), "{words}");
            assert!(words.contains("lets edits through"), "{words}");
        }
        fs::write(&path, good).unwrap();
    }
}

#[test]
fn a_gate_that_the_client_does_not_wait_for_is_not_good() {
    for (agent, file, second) in [
        ("claude", ".claude/settings.json", ""),
        ("codex", ".codex/hooks.json", ""),
        ("copilot", ".github/copilot/settings.json", ""),
        ("droid", ".factory/settings.json", ""),
        ("gemini", ".gemini/settings.json", "000"),
        ("qwen", ".qwen/settings.json", "000"),
    ] {
        let home = tempfile::tempdir().unwrap();
        install(home.path(), agent);
        let path = home.path().join(file);
        let good = fs::read_to_string(&path).unwrap();
        let check = |timeout: &str, wait: &str, expected| {
            let text = good.replacen(
                &format!("\"timeout\": 3600{second}"),
                &format!("\"timeout\": {timeout}{second}"),
                1,
            );
            let text = text.replace(
                &format!("hook {agent} ||"),
                &format!("hook {agent}{wait} ||"),
            );
            assert!(text != good, "{text}");
            fs::write(&path, text).unwrap();
            let (found, code) = doctor(home.path(), agent);
            let is_hasty = |(state, words): &(String, String)| {
                state == "bad" && words.contains("writes while you decide")
            };
            assert_eq!(found.iter().any(is_hasty), expected, "{found:?}");
            assert_eq!(code, Some(if expected { 2 } else { 0 }), "{found:?}");
        };
        check("5", "", true);
        check("600", " --wait 600", true);
        check("600", " --wait 500", false);
    }
}

#[test]
fn a_gate_that_the_environment_switches_off_is_not_good() {
    let home = tempfile::tempdir().unwrap();
    install(home.path(), "droid");
    let file = home.path().join("more.json");
    fs::write(&file, "{\"hooks\": {\"hooksDisabled\": true}}").unwrap();
    let one = Path::new("1");
    for (agent, variable, value, reason) in [
        (
            "droid",
            "FACTORY_RUNTIME_SETTINGS_PATH",
            file.as_path(),
            "hooks.hooksDisabled: true",
        ),
        (
            "droid",
            "FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH",
            &file,
            "hooks.hooksDisabled: true",
        ),
        (
            "qwen",
            "QWEN_CODE_SIMPLE",
            one,
            "the environment sets QWEN_CODE_SIMPLE",
        ),
        (
            "claude",
            "CLAUDE_CODE_RESTRICTED",
            one,
            "the environment sets CLAUDE_CODE_RESTRICTED",
        ),
    ] {
        install(home.path(), agent);
        assert_eq!(doctor(home.path(), agent).1, Some(0), "{agent}");
        let (found, code) = doctor_in(home.path(), agent, &[], &[(variable, value)]);
        let is_named = |(state, words): &(String, String)| state == "bad" && words.contains(reason);
        assert!(found.iter().any(is_named), "{agent} {found:?}");
        assert_eq!(code, Some(2), "{agent}");
    }
}

#[test]
fn another_hook_that_may_change_a_call_is_named() {
    let home = tempfile::tempdir().unwrap();
    install(home.path(), "cline");
    for folder in [".cline/hooks", ".clinerules/hooks"] {
        let other = home.path().join(folder).join("PreToolUse");
        fs::create_dir_all(other.parent().unwrap()).unwrap();
        for (text, state, said, code) in [
            (
                "#!/bin/sh\necho '{\"overrideInput\": {}}'\n",
                "bad",
                "gives arguments as well",
                2,
            ),
            (
                "#!/bin/sh\nexec my-log\n",
                "absent",
                "nothing shows whether it changes a call",
                0,
            ),
        ] {
            fs::write(&other, text).unwrap();
            let (found, found_code) = doctor(home.path(), "cline");
            let about: Vec<_> = (found.iter())
                .filter(|(_, words)| words.contains(&format!("{folder}/PreToolUse`")))
                .collect();
            let [(found_state, words)] = about.as_slice() else {
                panic!("{found:?}");
            };
            assert_eq!((found_state.as_str(), found_code), (state, Some(code)));
            assert!(words.contains(said), "{words}");
        }
        fs::remove_file(other).unwrap();
    }
}

#[test]
fn other_hooks_and_plugins_of_the_settings_are_named() {
    let log = json!([{"matcher": "*", "hooks": [{"type": "command", "command": "my-log --all"}]}]);
    let settings = json!({"hooks": {"PreToolUse": log, "PostToolUse": log}}).to_string();
    let hook = "the hook `my-log --all` of `";
    for (agent, file, text, said) in [
        (
            "claude",
            ".claude/settings.local.json",
            settings.as_str(),
            hook,
        ),
        (
            "claude",
            ".claude/settings.local.json",
            "{\"hooks\": {\"Stop\": [{\"command\": \"x\"}]}}",
            "",
        ),
        ("qwen", ".qwen/settings.json", &settings, hook),
        (
            "kilo",
            ".kilo/plugins/mine.ts",
            "export const Mine = 1",
            "the plugin `",
        ),
        ("opencode", ".opencode/plugins/mine.js", "", "the plugin `"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        install(home.path(), agent);
        let (found, code) = doctor(home.path(), agent);
        let about: Vec<_> = (found.iter())
            .filter(|(_, words)| words.contains("nothing shows whether it changes a call"))
            .collect();
        assert_eq!(
            (about.is_empty(), code),
            (said.is_empty(), Some(0)),
            "{agent} {found:?}"
        );
        assert!(
            about
                .iter()
                .all(|(state, words)| state == "absent" && words.contains(said)),
            "{about:?}"
        );
    }
}

#[test]
fn a_gate_is_good_beside_settings_that_do_not_concern_it() {
    for (agent, file, text) in [
        // Only the events at the top of a file of hooks replace those of the settings.
        ("droid", ".factory/hooks.json", "{\"hooks\": {}}"),
        (
            "droid",
            ".factory/hooks.json",
            "{\"hooks\": {\"PreToolUse\": []}}",
        ),
        ("droid", ".factory/hooks.json", "{\"hooksDisabled\": false}"),
        ("droid", ".factory/hooks.json", "{\"Stop\": []}"),
        (
            "droid",
            ".factory/hooks.json",
            "{\"hooks\": {\"hooksDisabled\": true}}",
        ),
        (
            "droid",
            ".factory/settings.local.json",
            "{\"hooks\": {\"hooksDisabled\": true}}",
        ),
        (
            "codex",
            ".codex/config.toml",
            "sandbox_mode = \"workspace-write\"\napproval_policy = \"never\"\n",
        ),
    ] {
        let home = tempfile::tempdir().unwrap();
        install(home.path(), agent);
        fs::write(home.path().join(file), text).unwrap();
        let (found, code) = doctor(home.path(), agent);
        assert_eq!(code, Some(0), "{file} {text}: {found:?}");
    }
    for (value, code) in [("TRUE", 0), ("false", 0), ("1", 2), ("yes", 2)] {
        let home = tempfile::tempdir().unwrap();
        install(home.path(), "opencode");
        let variables = [("OPENCODE_PURE", Path::new(value))];
        let (found, given) = doctor_in(home.path(), "opencode", &[], &variables);
        assert_eq!(given, Some(code), "OPENCODE_PURE={value}: {found:?}");
    }
}

#[test]
fn a_gate_that_the_settings_switch_off_is_not_good() {
    for (agent, file, text, reason) in [
        (
            "claude",
            ".claude/settings.local.json",
            "{\"disableAllHooks\": true}",
            "disableAllHooks: true",
        ),
        (
            "copilot",
            ".claude/settings.json",
            "{\"disableAllHooks\": true}",
            "disableAllHooks: true",
        ),
        (
            "copilot",
            ".copilot/config.json",
            "{}",
            "GitHub Copilot CLI does not trust this folder yet",
        ),
        (
            "claude",
            ".claude/settings.local.json",
            "{\"env\": {\"CLAUDE_CODE_RESTRICTED\": \"1\"}}",
            "env.CLAUDE_CODE_RESTRICTED",
        ),
        (
            "qwen",
            ".env",
            "QWEN_CODE_SIMPLE=1\n",
            "sets QWEN_CODE_SIMPLE",
        ),
        (
            "droid",
            ".factory/hooks.json",
            "// mine\n{\"PreToolUse\": []}",
            "hooks.json` in its place",
        ),
        (
            "droid",
            ".factory/hooks/hooks.json",
            "{\"PostToolUse\": [], \"hooks\": {}}",
            "hooks.json` in its place",
        ),
        (
            "droid",
            ".factory/hooks.json",
            "{\"hooksDisabled\": true}",
            "hooksDisabled: true",
        ),
        (
            "codex",
            ".codex/config.toml",
            "[features]\nhooks = false\n",
            "[features] hooks = false",
        ),
        (
            "codex",
            ".codex/config.toml",
            "features.codex_hooks = false\n",
            "[features] codex_hooks = false",
        ),
    ] {
        let home = tempfile::tempdir().unwrap();
        install(home.path(), agent);
        assert_eq!(doctor(home.path(), agent).1, Some(0), "{agent}");
        let path = home.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let (found, code) = doctor(home.path(), agent);
        let is_named = |(state, words): &(String, String)| state == "bad" && words.contains(reason);
        assert!(found.iter().any(is_named), "{agent} {found:?}");
        assert_eq!(code, Some(2), "{agent}");
    }
}

#[test]
fn a_file_of_which_the_client_reads_nothing_has_no_gate() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    install(&home, "claude");
    let check = |wrong: &str, words: &str, expected: (&str, i32)| {
        let file = home.join(wrong);
        let report = format!(
            "Claude Code doctor\n\nInvalid settings\n- {} › {words}\n\nNo more.",
            file.display()
        );
        client(
            &home,
            "claude",
            &format!("[ $1 = doctor ] && echo '{report}'"),
        );
        let (found, code) = doctor(&home, "claude");
        let (state, found) = found.last().unwrap();
        assert_eq!((state.as_str(), code), (expected.0, Some(expected.1)));
        found.clone()
    };
    let gate = ".claude/settings.json";
    let found = check(gate, "permissions: Expected object", ("bad", 2));
    assert!(found.contains("(permissions: Expected object)"), "{found}");
    check(gate, "permissions.allow: \"\" was skipped", ("good", 0));
    let local = ".claude/settings.local.json";
    fs::write(home.join(local), "{\"disableAllHooks\": true}").unwrap();
    check(local, "permissions: Expected object", ("good", 0));
    check(local, "permissions.allow: \"\" was skipped", ("bad", 2));
    fs::remove_file(home.join(local)).unwrap();

    // Copilot CLI prints the settings that are in effect.
    let path = home.join(".copilot/settings.json");
    let done = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["hook", "copilot", "--install", "--yes", "--user"])
        .env("HOME", &home)
        .env_remove("COPILOT_HOME")
        .output()
        .unwrap();
    assert!(done.status.success());
    let list = |line: &str, expected: i32| {
        client(&home, "copilot", line);
        let (found, code) = doctor(&home, "copilot");
        assert_eq!(code, Some(expected), "{line}: {found:?}");
    };
    list("echo '{}'", 2);
    list(&format!("cat '{}'", path.display()), 0);
    // An earlier version has no such command.
    list("exit 1", 0);
}

#[test]
fn system_settings_are_read_where_the_client_reads_them() {
    let home = tempfile::tempdir().unwrap();
    let system = home.path().join("system");
    fs::create_dir(&system).unwrap();
    install(home.path(), "qwen");
    install(home.path(), "gemini");
    let qwen = "QWEN_CODE_SYSTEM_SETTINGS_PATH";
    let check = |agent: &str, variable: &str, file: &Path, expected: i32| {
        let (found, code) = doctor_in(home.path(), agent, &[], &[(variable, file)]);
        assert_eq!(code, Some(expected), "{agent} {variable}: {found:?}");
    };
    let file = system.join("settings.json");
    check("qwen", qwen, &file, 0);
    let defaults = system.join("system-defaults.json");
    fs::write(&defaults, "{\"disableAllHooks\": true}").unwrap();
    check("qwen", qwen, &file, 2);
    check("qwen", qwen, Path::new("system/settings.json"), 2);
    check("qwen", qwen, Path::new(""), 0);
    check("qwen", "QWEN_CODE_SYSTEM_DEFAULTS_PATH", &defaults, 2);
    fs::write(&file, "{\"disableAllHooks\": false}").unwrap();
    check("qwen", qwen, &file, 0);
    // Everybody may write this one, and Gemini CLI skips it.
    fs::write(&file, "{\"hooksConfig\": {\"enabled\": false}}").unwrap();
    let done = Command::new("chmod").arg("o+w").arg(&file).status();
    assert!(done.unwrap().success());
    check("gemini", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", &file, 0);
}

#[test]
fn a_folder_that_gemini_does_not_trust_has_no_gate() {
    let home = tempfile::tempdir().unwrap();
    install(home.path(), "gemini");
    assert_eq!(doctor(home.path(), "gemini").1, Some(0));
    trust(home.path(), "DO_NOT_TRUST");
    let (found, code) = doctor(home.path(), "gemini");
    let is_named = |(state, words): &(String, String)| {
        state == "bad" && words.contains("does not trust this folder: you refused it")
    };
    assert!(found.iter().any(is_named), "{found:?}");
    assert_eq!(code, Some(2));
}

#[cfg(feature = "mcp")]
#[test]
fn a_client_that_writes_without_asking_is_found_by_a_probe() {
    let home = tempfile::tempdir().unwrap();
    install(home.path(), "claude");
    // The file has the number of the process of the doctor, which is the parent of the client.
    client(
        home.path(),
        "claude",
        "case $1 in --version|doctor) ;; *) echo probe > probe-claude-$PPID.txt ;; esac",
    );
    // Without a probe nothing shows that the client calls its gate.
    let (found, code) = doctor(home.path(), "claude");
    let (state, words) = found.last().unwrap();
    assert_eq!((state.as_str(), code), ("good", Some(0)), "{words}");
    let is_said = words.contains("not tried whether Claude Code calls it");
    assert!(
        is_said && words.contains("`countersign doctor --probe`"),
        "{words}"
    );
    let (found, code) = doctor_with(home.path(), "claude", &["--probe"]);
    let (state, words) = found.last().unwrap();
    assert_eq!((state.as_str(), code), ("bad", Some(2)), "{words}");
    assert!(words.contains("wrote a file without asking"), "{words}");
    let left = fs::read_dir(home.path()).unwrap();
    let names: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    let is_left = names
        .iter()
        .any(|name| name.to_string_lossy().starts_with("probe-"));
    assert!(!is_left, "{names:?}");
}

#[test]
fn settings_that_are_a_pipe_hold_nobody_up() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join(".claude")).unwrap();
    let made = Command::new("mkfifo")
        .arg(home.path().join(".claude/settings.json"))
        .status()
        .unwrap();
    assert!(made.success());
    let (found, code) = doctor(home.path(), "claude");
    let is_bad =
        |(state, words): &(String, String)| state == "bad" && words.contains("not a regular file");
    assert!(found.iter().any(is_bad), "{found:?}");
    assert_eq!(code, Some(2));
}

#[test]
fn the_review_of_turns_is_tried() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".claude/settings.json");
    let done = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["hook", "claude", "--install", "--stop", "--yes"])
        .current_dir(home.path())
        .output()
        .unwrap();
    assert!(done.status.success());
    let about = |found: Vec<(String, String)>| {
        let mut about = found
            .into_iter()
            .filter(|(_, found)| found.contains("turns"));
        about.next().unwrap().0
    };
    let (found, code) = doctor(home.path(), "claude");
    assert_eq!((about(found).as_str(), code), ("good", Some(0)));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(" --stop", " --stop || exit 2; exit 2")).unwrap();
    let (found, code) = doctor(home.path(), "claude");
    assert_eq!((about(found).as_str(), code), ("bad", Some(2)));
}

#[test]
fn hooks_that_nobody_tried_are_no_protection() {
    let home = tempfile::tempdir().unwrap();
    let protection = || {
        let (found, _) = doctor(home.path(), "protection");
        let [(state, words)] = found.as_slice() else {
            panic!("{found:?}");
        };
        (state.clone(), words.clone())
    };
    let (state, words) = protection();
    assert_eq!(
        (state.as_str(), words.as_str()),
        (
            "absent",
            "none: no gate works, and no command runs in a layer"
        )
    );
    install(home.path(), "claude");
    let (state, words) = protection();
    assert_eq!(
        (state.as_str(), words.as_str()),
        (
            "absent",
            "hooks are installed for claude, and nothing shows that they are called"
        )
    );
    // Looking leaves nothing behind.
    assert!(!home.path().join(".local").exists());
}
