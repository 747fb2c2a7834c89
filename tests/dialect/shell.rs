//! Commands of a shell.

use crate::show::check;

const SED: &str = "sed -i \"s/two/2/\" a.txt";

#[test]
fn a_command_that_may_run_elsewhere_is_refused() {
    let below = |above: &str| {
        let line = above.lines().count() + 2;
        let first = above.lines().next().unwrap_or_default();
        let found = format!(
            "! line {line} of the input: found a command below '{first}', after which it may run in another folder, or not at all, expected the command by itself, with the whole path of its file"
        );
        check(&format!("```bash\n{above}\n{SED}\n```\n"), &found);
        // A call of a tool.
        let call =
            serde_json::json!({"name": "Bash", "input": {"command": format!("{above}\n{SED}")}});
        let read = crate::show::read(&call.to_string());
        assert!(
            read.starts_with("! line 1 of the input: found a command below"),
            "{read}"
        );
    };
    below("cd sub");
    below("pushd sub");
    below("(");
    below("if make; then");
    below("for f in a b; do");
    below("change() {");
    below("exit 0");
    below("echo done; exit");
    below("make ||");
    below("ssh host '");
    check(
        &format!("cd sub\n{SED}\n"),
        "! line 2 of the input: found a command below 'cd sub', after which it may run in another folder, or not at all, expected the command by itself, with the whole path of its file",
    );
    check(
        &format!("```bash\npython - <<EOF\n{SED}\nEOF\n```\n"),
        "! line 2 of the input: found 'python - <<EOF', a shell command that may change files, expected its effect as an edit: commands are not executed, and only here-documents, `sed -i` with a literal text and `chmod +x` are read\n! line 3 of the input: found a command below 'python - <<EOF', after which it may run in another folder, or not at all, expected the command by itself, with the whole path of its file",
    );
}

#[test]
fn commands_beside_an_edit_are_named() {
    let named = |command: &str, line: Option<&str>| {
        let calls = serde_json::json!([
            {"name": "Edit", "input": {"file_path": "a.txt", "old_string": "two", "new_string": "2"}},
            {"name": "Bash", "input": {"command": command}},
        ]);
        let found = crate::show::read(&calls.to_string());
        assert!(found.starts_with("M a.txt text [two;=>2;]"), "{found}");
        match line {
            Some(line) => assert!(found.contains(line), "{command}\n{found}"),
            None => assert!(!found.contains('!'), "{command}\n{found}"),
        }
    };
    named(
        "bash <<'E'\nnpm test\nrm b.py\nE\n",
        Some("found 'rm b.py'"),
    );
    named("sh -s <<'E'\nrm b.py\nE\n", Some("found 'rm b.py'"));
    named("cat <<E | bash\nrm b.py\nE\n", Some("found 'rm b.py'"));
    named("bash <<'E'\nnpm test\nE\nnpm run x\n", None);
    named("git commit -F - <<'E'\nrm b.py\nE\n", None);
    named(
        "git commit -F - <<'E'\nx\nE\nrm b.py\n",
        Some("found 'rm b.py'"),
    );
    named("grep x <<< \"$y\"\nrm b.py\n", Some("found 'rm b.py'"));
    named("vim -c '%s/a/b/|wq' b.py", Some("found 'vim"));
    named("sd a b b.py", Some("found 'sd"));
    named("vim --version", None);
}

#[test]
fn an_ordinary_answer_is_read() {
    let edit = "M a.txt text [two;=>2;]";
    for above in [
        "# first, don't commit",
        "mkdir -p new",
        "set -e",
        "echo 'one\n(two)'",
        "npm install left-pad",
        "git add a.txt && cargo build",
    ] {
        check(&format!("```bash\n{above}\n{SED}\n```\n"), edit);
    }
    check(&format!("```bash\n{SED}\ncd sub\n```\n"), edit);
    // The script in another fence is another one, but the shell may be the same.
    check(
        &format!("```bash\nif make; then\n```\nThen:\n```bash\n{SED}\n```\n"),
        edit,
    );
    check(
        &format!("```bash\n(cd sub && make)\n```\nThen:\n```bash\n{SED}\n```\n"),
        edit,
    );
    check(
        &format!("```python\ncd sub\n```\nThen:\n```bash\n{SED}\n```\n"),
        edit,
    );
    check(
        &format!("```bash\ncd sub\n```\nThen:\n```bash\n{SED}\n```\n"),
        "! line 6 of the input: found a command that names its file by a relative path, after 'cd sub' in an earlier command: it may run in another folder, expected the absolute path of its file",
    );
    check(
        "```bash\nmkdir -p new\ncat > new/x <<EOF\n# cd\nif a\nEOF\n# Then:\ncat > new/y <<'EOF'\nb\nEOF\ngit add new\ncargo build\n```\n",
        "O new/x +nl [=># cd;if a;]\nO new/y +nl [=>b;]",
    );
}

#[test]
fn the_commands_of_one_line_are_read_together() {
    let file = "<<'E'";
    let check = |line: &str, expected: &str| {
        check(&format!("```bash\n{line}\na\nE\nmake\n```\n"), expected);
    };
    let plain = "O new/x +nl [=>a;]";
    check(&format!("mkdir -p new && cat > new/x {file}"), plain);
    check(&format!("mkdir --parents new; cat {file} > new/x"), plain);
    check(&format!("cat > new/x {file} && make test"), plain);
    check(
        &format!("cat > new/x {file} && chmod +x new/x"),
        "O new/x +x +nl [=>a;]",
    );
    for unread in [
        "rm b",
        "cd new",
        "chmod 600 new/x",
        "cp new/x b",
        "cat > y <<'F'",
    ] {
        let line = format!("cat > new/x {file} && {unread}");
        let read = crate::show::read(&format!("```bash\n{line}\na\nE\nmake\n```\n"));
        assert!(
            read.starts_with("! line 2 of the input: found a shell command"),
            "{line}\n{read}"
        );
    }
    for above in ["cd new", "mkdir new", "make", "rm b"] {
        let line = format!("{above} && cat > new/x {file}");
        let read = crate::show::read(&format!("```bash\n{line}\na\nE\nmake\n```\n"));
        assert!(
            read.starts_with("! line 2 of the input: found a shell command"),
            "{line}\n{read}"
        );
    }
}

#[test]
fn a_mode_below_a_write_is_one_change_with_it() {
    let write = "cat > run <<'E'\na\nE\n";
    let check =
        |below: &str, expected: &str| check(&format!("```bash\n{write}{below}\n```\n"), expected);
    check("chmod +x run", "O run +x +nl [=>a;]");
    check("chmod 755 run", "O run +x +nl [=>a;]");
    check("ls\nchmod +x run", "O run +nl [=>a;]\nM run +x");
    check("chmod +x a.txt", "O run +nl [=>a;]\nM a.txt +x");
    check("chmod a-x a.txt", "O run +nl [=>a;]\nM a.txt -x");
}
