//! A gate that cannot answer, and one whose client has ended.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::reviewer::{Does, reviewer};
use super::{project, recorded};

const PROGRAM: &str = env!("CARGO_BIN_EXE_countersign");

/// The command that `--install` puts into the settings of an agent.
fn installed(agent: &str) -> String {
    let out = Command::new(PROGRAM)
        .args(["hook", agent, "--print"])
        .output()
        .unwrap();
    let settings: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let event = match agent {
        "gemini" => "BeforeTool",
        "copilot" => "preToolUse",
        _ => "PreToolUse",
    };
    let command = &settings["hooks"][event][0]["hooks"][0]["command"];
    command.as_str().unwrap().to_owned()
}

fn start(command: &str, input: &str) -> Child {
    let mut shell = Command::new("sh")
        .args(["-c", command])
        .env_remove("TMUX")
        .env_remove("ZELLIJ")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command may end without having read it.
    let _ = shell.stdin.take().unwrap().write_all(input.as_bytes());
    shell
}

/// Waits until a process has a child, and returns it.
fn child_of(process: u32) -> u32 {
    let children = format!("/proc/{process}/task/{process}/children");
    let begin = Instant::now();
    loop {
        let found = fs::read_to_string(&children).unwrap_or_default();
        if let Some(child) = found.split_whitespace().next() {
            return child.parse().unwrap();
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "it has no child");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn kill(signal: &str, process: u32) {
    let done = Command::new("kill")
        .args([signal, &process.to_string()])
        .status()
        .unwrap();
    assert!(done.success());
}

const CALLS: [(&str, &str); 6] = [
    ("claude", "claude-edit.json"),
    ("codex", "codex-apply-patch.json"),
    ("copilot", "copilot-edit.json"),
    ("droid", "droid-edit.json"),
    ("gemini", "gemini-replace.json"),
    ("qwen", "qwen-edit.json"),
];

#[test]
fn a_gate_that_is_killed_blocks_and_says_why() {
    let check = |agent: &str, call: &str, signal: &str| {
        let project = project();
        let asked = reviewer(project.path(), Does::Hang);
        let shell = start(&installed(agent), &recorded(call, project.path()));
        asked.recv_timeout(Duration::from_mins(1)).unwrap();
        kill(signal, child_of(shell.id()));
        let out = shell.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{agent} {signal}");
        assert!(!out.stderr.is_empty(), "{agent} {signal}");
    };
    std::thread::scope(|scope| {
        for signal in ["-INT", "-TERM", "-HUP", "-QUIT", "-KILL", "-ABRT"] {
            for (agent, call) in CALLS {
                scope.spawn(move || check(agent, call, signal));
            }
        }
    });
}

/// The script that `--install` writes for Cline CLI.
fn script_of_cline() -> String {
    let printed = Command::new(PROGRAM)
        .args(["hook", "cline", "--print"])
        .output()
        .unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    printed[printed.find("#!").unwrap()..].to_owned()
}

/// Returns whether the last line of an output ends the turn of Cline CLI.
fn cancels(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    let control = said.lines().last().unwrap_or_default();
    let control = control.strip_prefix("HOOK_CONTROL\t").unwrap_or(control);
    let control: serde_json::Value = serde_json::from_str(control).unwrap_or_default();
    control["cancel"] == true
}

/// Cline CLI takes no notice of the exit code, so its script prints a denial.
#[test]
fn the_script_of_cline_ends_the_turn_where_countersign_gives_no_answer() {
    let script = script_of_cline();
    let command = script.lines().last().unwrap().split(" ||").next().unwrap();
    for instead in [
        "/nowhere/countersign",
        "kill -9 $$",
        "printf 'cut off'; false",
        "(exit 2)",
        "kill -TERM $PPID $$; sleep 9",
        "kill -HUP $PPID; kill -INT $PPID; kill -QUIT $PPID; false",
    ] {
        let script = script.replace(command, &format!("sh -c {}", quoted(instead)));
        let out = start(&script, "{}").wait_with_output().unwrap();
        assert!(cancels(&out.stdout), "{instead}");
        assert_eq!(out.status.code(), Some(2), "{instead}");
        assert!(!out.stderr.is_empty(), "{instead}");
    }
}

#[test]
fn the_script_of_cline_blocks_without_its_streams() {
    let script = script_of_cline();
    let call = "{}";
    let check = |redirect: &str, stays_silent: bool| {
        let command = format!("sh -c {} {redirect}", quoted(&script));
        let out = start(&command, call).wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{redirect} {said}");
        assert!(
            stays_silent || said.contains("nothing may be written"),
            "{redirect} {said}"
        );
    };
    for redirect in [
        ">&-",
        ">/dev/full",
        ">/dev/null",
        "<&- >&-",
        "</dev/null >&-",
    ] {
        check(redirect, false);
    }
    for redirect in [">&- 2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"] {
        check(redirect, true);
    }
    for redirect in ["2>&-", "2>/dev/full", "<&-", "<."] {
        let command = format!("sh -c {} {redirect}", quoted(&script));
        let out = start(&command, call).wait_with_output().unwrap();
        assert!(cancels(&out.stdout), "{redirect}");
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn an_answer_that_reaches_nobody_blocks_and_says_why() {
    for (agent, call) in CALLS {
        for redirect in [">&-", ">/dev/full", ">/dev/null", "</dev/null >&-"] {
            for does in [
                Does::Leave,
                Does::Approve(vec![("a.txt", super::Accepted, Some("one\nTWO\nthree\n"))]),
            ] {
                let project = project();
                let _asked = reviewer(project.path(), does);
                let command = format!("sh -c {} {redirect}", quoted(&installed(agent)));
                let shell = start(&command, &recorded(call, project.path()));
                let out = shell.wait_with_output().unwrap();
                let said = String::from_utf8_lossy(&out.stderr);
                assert_eq!(out.status.code(), Some(2), "{agent} {redirect} {said}");
                assert!(said.contains("countersign"), "{agent} {redirect} {said}");
            }
        }
    }
}

#[test]
fn a_gate_without_its_streams_blocks() {
    // A denial on standard output is enough; without one the exit code says it.
    for (agent, call) in CALLS {
        for redirect in [
            "<&-",
            "</dev/full",
            "<.",
            "2>&-",
            "2>/dev/full",
            "<&- >&- 2>&-",
            ">/dev/full 2>/dev/full",
        ] {
            let project = project();
            let _asked = reviewer(project.path(), Does::Leave);
            let command = format!("'{PROGRAM}' hook {agent} --wait 1 {redirect}");
            let mut shell = Command::new("sh");
            shell.args(["-c", &command]).current_dir(project.path());
            let input = project.path().join("call.json");
            fs::write(&input, recorded(call, project.path())).unwrap();
            let out = shell.stdin(File::open(input).unwrap()).output().unwrap();
            let said = String::from_utf8_lossy(&out.stdout);
            let denied = out.status.code() == Some(0) && said.contains("\"deny\"");
            assert!(
                denied || out.status.code() == Some(2),
                "{agent} {redirect} {said}"
            );
        }
    }
}

#[test]
fn a_missing_program_blocks_and_reads_its_input() {
    for (agent, _) in CALLS {
        let command = installed(agent).replace(PROGRAM, "/nowhere/countersign");
        // More than a pipe holds: Codex lets the edit through if it cannot write all of it.
        let shell = start(&command, &"x".repeat(1 << 20));
        let out = shell.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{agent}");
        assert!(!out.stderr.is_empty(), "{agent}");
    }
}

#[test]
fn a_client_that_is_killed_withdraws_its_proposal() {
    for how in ["reader", "parent"] {
        let project = project();
        let asked = reviewer(project.path(), Does::Hang);
        let call = project.path().join("call.json");
        fs::write(&call, recorded("claude-edit.json", project.path())).unwrap();
        let out = project.path().join("out");
        // The client, a shell that runs the installed command, and the hook; each outlives the one before.
        let to = if how == "reader" {
            "| cat".to_owned()
        } else {
            format!("> '{}'", out.display())
        };
        let hook = format!(
            "'{PROGRAM}' hook claude --wait 600 < '{}' {to} || exit 2",
            call.display()
        );
        let mut client = Command::new("sh")
            .args(["-c", "sh -c \"$0\" & wait", &hook])
            .stdout(File::create(project.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        asked.recv_timeout(Duration::from_mins(1)).unwrap();
        let hook = hook_of(project.path());
        if how == "reader" {
            let reader = sibling_cat(hook);
            kill("-KILL", reader);
        } else {
            client.kill().unwrap();
        }
        let begin = Instant::now();
        while Path::new(&format!("/proc/{hook}/exe")).exists() {
            assert!(
                begin.elapsed() < Duration::from_secs(15),
                "{how}: the hook still waits"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = client.kill();
        client.wait().unwrap();
    }
}

/// The hook that reads the call of a project.
fn hook_of(project: &Path) -> u32 {
    let call = project.join("call.json");
    let is_hook = |process: &u32| {
        fs::read_link(format!("/proc/{process}/fd/0")).is_ok_and(|input| input == call)
            && fs::read_link(format!("/proc/{process}/exe"))
                .is_ok_and(|exe| exe == Path::new(PROGRAM))
    };
    processes().into_iter().find(is_hook).unwrap()
}

/// The `cat` that has the same parent as a process.
fn sibling_cat(process: u32) -> u32 {
    let parent = parent_of(process);
    let is_cat = |other: &u32| {
        parent_of(*other) == parent
            && fs::read_to_string(format!("/proc/{other}/comm"))
                .is_ok_and(|name| name.trim() == "cat")
    };
    processes().into_iter().find(is_cat).unwrap()
}

fn parent_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1).map(str::to_owned)
}

fn processes() -> Vec<u32> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}
