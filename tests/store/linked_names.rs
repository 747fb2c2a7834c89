//! Files of the tree that links with protected names lead to.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use countersign::proposal::RepoPath;
use countersign::store::{Protected, Root};

use crate::tree::{Tree, open};

/// Returns why an edit of a file is asked about; empty if it is not.
fn protection(root: &Root, name: &str) -> String {
    let protected = root.protection(&RepoPath::parse(name).unwrap());
    protected.map_or_else(String::new, |why| why.to_string())
}

/// Makes a link in a tree, and edits a file.
#[track_caller]
fn check(link: &str, to: &str, edited: &str, expected: &str) {
    let tree = Tree::new(&[
        ("docs/agents.txt", "Be kind.\n"),
        ("scripts/check.sh", "echo ok\n"),
        ("scripts/deep/one/two/three/x", ""),
        (".husky/keep", ""),
        (".claude/skills/a/keep", ""),
        (".claude/skills/a/b/c/keep", ""),
        (".newtool/deep/keep", ""),
        (".git/hooks/sample", ""),
        ("pkg/src/x", ""),
    ]);
    let link = tree.path(link);
    let _: Result<(), _> = fs::remove_dir_all(&link);
    symlink(to, link).unwrap();
    let root = open(&tree.path(""));
    assert_eq!(protection(&root, edited), expected, "{edited}");
}

const GIT: &str = "makes git run or fetch something";
const AGENT: &str = "instructs or configures agents";
const WORKFLOW: &str = "decides what runs when the work is pushed, or who reviews it";
const SHELL: &str = "makes an editor or a shell run something";
const TOOL: &str = "has a hidden name, and tools read such files unasked";

#[test]
fn what_a_link_with_a_protected_name_leads_to_is_protected() {
    let linked =
        |what: &str, link: &str, why: &str| format!("{what} is what {link} leads to ({why})");
    let agents = "docs/agents.txt";
    let script = "scripts/check.sh";
    let by = |link: &str, why: &str| linked(script, link, why);
    check(
        "CLAUDE.md",
        agents,
        agents,
        &linked(agents, "CLAUDE.md", AGENT),
    );
    check("CLAUDE.md", agents, script, "");
    check("notes.md", agents, agents, "");
    check(
        ".husky/pre-commit",
        "../scripts/check.sh",
        script,
        &by(".husky/pre-commit", GIT),
    );
    check(
        ".git/hooks/pre-commit",
        "../../scripts/check.sh",
        script,
        &by(".git/hooks/pre-commit", GIT),
    );
    check(
        ".git/hooks",
        "../scripts",
        script,
        &linked("scripts", ".git/hooks", TOOL),
    );
    check(
        ".newtool/rules",
        "../scripts/check.sh",
        script,
        &by(".newtool/rules", TOOL),
    );
    check(
        ".claude/skills/a/SKILL.md",
        "../../../docs/agents.txt",
        agents,
        &linked(agents, ".claude/skills/a/SKILL.md", AGENT),
    );
    // A folder, and all below it; so are files that are not there yet.
    let folder = linked("scripts", ".husky", GIT);
    check(".husky", "scripts", script, &folder);
    check(".husky", "scripts", "scripts/deep/one/two/three/x", &folder);
    check(".husky", "scripts", "scripts/new", &folder);
    check(".husky", "scripts", agents, "");
    check(
        "AGENTS.md",
        "docs/new.md",
        "docs/new.md",
        &linked("docs/new.md", "AGENTS.md", AGENT),
    );
    check(
        ".git/hooks/pre-push",
        "../../new.sh",
        "new.sh",
        &linked("new.sh", ".git/hooks/pre-push", GIT),
    );
    // A link beside the file or above it.
    check(
        "docs/CLAUDE.md",
        "agents.txt",
        agents,
        &linked(agents, "docs/CLAUDE.md", AGENT),
    );
    // In the folders of others, and deep in protected ones.
    check(
        "pkg/CLAUDE.md",
        "../docs/agents.txt",
        agents,
        &linked(agents, "pkg/CLAUDE.md", AGENT),
    );
    check("pkg/src/notes.md", "../../docs/agents.txt", agents, "");
    check(
        ".claude/skills/a/b/c/SKILL.md",
        "../../../../../docs/agents.txt",
        agents,
        &linked(agents, ".claude/skills/a/b/c/SKILL.md", AGENT),
    );
    check(
        ".newtool/deep/rules",
        "../../scripts/check.sh",
        script,
        &by(".newtool/deep/rules", TOOL),
    );
    // Hidden names that are ordinary stay so, also through a link.
    check(".gitkeep", script, script, "");
}

#[test]
fn a_link_counts_wherever_it_is() {
    let check = |link: &str, expected: &str| {
        let tree = Tree::new(&[("docs/real.txt", "x\n"), (".git/config", "")]);
        let up = "../".repeat(Path::new(link).components().count() - 1);
        let path = tree.path(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(format!("{up}docs/real.txt"), path).unwrap();
        let expected = match expected {
            "" => String::new(),
            why => format!("docs/real.txt is what {link} leads to ({why})"),
        };
        assert_eq!(protection(&open(&tree.path("")), "docs/real.txt"), expected);
        assert_eq!(
            protection(&open(&tree.path("docs")), "real.txt").is_empty(),
            expected.is_empty()
        );
    };
    for (link, why) in [
        (".github/workflows/nightly/a.yml", WORKFLOW),
        (".github/actions/setup/deep/index.js", WORKFLOW),
        (".github/chatmodes/a.chatmode.md", AGENT),
        (".kiro/specs/login/tasks.md", TOOL),
        (".config/newtool/one/two/three/rules", TOOL),
        ("app/android/.idea/runConfigurations/a.xml", SHELL),
        ("infra/team/Jenkinsfile", WORKFLOW),
        ("dotfiles/home/.zshrc", SHELL),
        ("one/two/three/four/five/AGENTS.md", AGENT),
        ("a/hooks/hooks.json", AGENT),
        // The other side.
        (".github/ISSUE_TEMPLATE/deep/bug.md", ""),
        ("infra/team/notes.txt", ""),
        ("one/agents/reviewer.md", ""),
        ("a/hooks/readme.txt", ""),
    ] {
        check(link, why);
    }
}

#[test]
fn the_links_on_the_way_of_a_link_count() {
    let tree = Tree::new(&[("real/x.md", ""), ("real/y.md", ""), ("other/x.md", "")]);
    symlink("real", tree.path("cfg")).unwrap();
    symlink("cfg/x.md", tree.path("CLAUDE.md")).unwrap();
    symlink("middle", tree.path("AGENTS.md")).unwrap();
    symlink("other/new.md", tree.path("middle")).unwrap();
    symlink("other", tree.path("hooks")).unwrap();
    let found = |name: &str| protection(&open(&tree.path("")), name);
    let linked = |what: &str, link: &str| format!("{what} is what {link} leads to ({AGENT})");
    assert_eq!(found("real/x.md"), linked("real/x.md", "CLAUDE.md"));
    assert_eq!(found("cfg/x.md"), linked("real/x.md", "CLAUDE.md"));
    // What it leads to need not be there.
    assert_eq!(found("other/new.md"), linked("other/new.md", "AGENTS.md"));
    // To aim the link elsewhere changes where the other one leads.
    assert_eq!(found("cfg"), linked("cfg", "CLAUDE.md"));
    assert_eq!(found("middle"), linked("other/new.md", "AGENTS.md"));
    // A file below a link to a folder is protected by the name that it has there.
    assert_eq!(found("other/hooks.json"), linked("other", "hooks"));
    for name in ["real/y.md", "cfg/y.md", "other/x.md", "hooks"] {
        assert_eq!(found(name), "", "{name}");
    }
}

#[test]
fn a_link_in_a_folder_that_a_link_leads_to_counts() {
    let tree = Tree::new(&[("scripts/check.sh", ""), ("hooks/keep", "")]);
    symlink("hooks", tree.path(".husky")).unwrap();
    symlink("../scripts/check.sh", tree.path("hooks/_run")).unwrap();
    assert_eq!(
        protection(&open(&tree.path("")), "scripts/check.sh"),
        format!("scripts/check.sh is what .husky/_run leads to ({GIT})")
    );
    // A loop, links out of the root, and one to the root itself end.
    symlink("loop", tree.path(".loop")).unwrap();
    symlink(".loop", tree.path("loop")).unwrap();
    symlink("../outside", tree.path(".out")).unwrap();
    assert_eq!(protection(&open(&tree.path("")), "hooks2/x"), "");
    symlink(".", tree.path(".claude")).unwrap();
    assert_eq!(
        protection(&open(&tree.path("")), "hooks2/x"),
        format!("the root is what .claude leads to ({AGENT})")
    );
}

#[test]
fn the_hooks_of_the_settings_of_git_and_of_a_linked_tree_count() {
    let tree = Tree::new(&[
        ("scripts/check.sh", ""),
        ("tools/hooks/keep", ""),
        (".git/config", "[core]\n\thooksPath = tools/hooks\n"),
    ]);
    symlink("../../scripts/check.sh", tree.path("tools/hooks/pre-push")).unwrap();
    let linked = |link: &str| format!("scripts/check.sh is what {link} leads to ({GIT})");
    let found = || protection(&open(&tree.path("")), "scripts/check.sh");
    assert_eq!(found(), linked("tools/hooks/pre-push"));
    // A hook may call it.
    assert_eq!(
        protection(&open(&tree.path("")), "tools/hooks/lib/common.sh"),
        format!("tools/hooks is what core.hooksPath leads to ({GIT})")
    );
    assert_eq!(protection(&open(&tree.path("")), "tools/other.sh"), "");
    fs::remove_dir_all(tree.path(".git")).unwrap();
    // The name of the link is that of a hook in any folder.
    assert_eq!(found(), linked("tools/hooks/pre-push"));
    fs::remove_file(tree.path("tools/hooks/pre-push")).unwrap();
    assert_eq!(found(), "");
    let main = tree.outside().join("main");
    fs::create_dir_all(main.join("worktrees/a")).unwrap();
    fs::create_dir_all(main.join("hooks")).unwrap();
    fs::write(main.join("worktrees/a/commondir"), "../..\n").unwrap();
    fs::write(
        tree.path(".git"),
        format!("gitdir: {}\n", main.join("worktrees/a").display()),
    )
    .unwrap();
    assert_eq!(found(), "");
    symlink(tree.path("scripts/check.sh"), main.join("hooks/pre-push")).unwrap();
    assert_eq!(found(), linked(".git/hooks/pre-push"));
}

#[test]
fn what_the_settings_of_git_name_is_protected() {
    let files = [
        ("README.md", ""),
        ("tools/fsm", ""),
        ("tools/my lint.sh", ""),
        ("attrs", ""),
        ("less/x", ""),
        ("docs/x", ""),
        ("pkg/.git/x", ""),
        ("pkg/tools/fsm", ""),
    ];
    let check = |settings: &str, edited: &str, expected: &str| {
        let tree = Tree::new(&files);
        fs::create_dir_all(tree.path(".git")).unwrap();
        fs::write(tree.path(".git/config"), settings).unwrap();
        fs::write(tree.path("pkg/.git/config"), settings).unwrap();
        fs::write(
            tree.path("team.gitconfig"),
            "[diff]\nexternal = ./d.sh -x\n",
        )
        .unwrap();
        let expected = match expected {
            "" => String::new(),
            key => format!("{edited} is what {key} leads to ({GIT})"),
        };
        let found = protection(&open(&tree.path("")), edited);
        assert_eq!(found, expected, "{settings}");
    };
    for (settings, edited, key) in [
        (
            "[core]\nfsmonitor = tools/fsm",
            "tools/fsm",
            "core.fsmonitor",
        ),
        (
            "[core]\nfsmonitor = tools/fsm",
            "pkg/tools/fsm",
            "core.fsmonitor",
        ),
        ("[core]\npager = less -F", "tools/fsm", ""),
        (
            "[hook \"lint\"]\ncommand = 'tools/my lint.sh' -x",
            "tools/my lint.sh",
            "hook.lint.command",
        ),
        (
            "[filter \"a\"]\nclean = \"sh -c 'tools/new.sh %f'\"",
            "tools/new.sh",
            "filter.a.clean",
        ),
        (
            "[credential]\nhelper = !tools/fsm",
            "tools/fsm",
            "credential.helper",
        ),
        (
            "[core]\nattributesFile = attrs",
            "attrs",
            "core.attributesFile",
        ),
        ("[core]\nattributesFile = new", "new", "core.attributesFile"),
        // Includes, and what these name.
        (
            "[include]\npath = ../team.gitconfig",
            "team.gitconfig",
            "include.path",
        ),
        (
            "[includeIf \"onbranch:x\"]\npath = ../team.gitconfig",
            "d.sh",
            "diff.external",
        ),
        ("[include]\npath = ../new", "new", "include.path"),
        // The other side: data, comments, and names of programs that are folders or nothing here.
        (
            "[user]\nname = README.md\n[branch \"a\"]\ndescription = see README.md",
            "README.md",
            "",
        ),
        (
            "# see README.md\n[core]\nbare = false ; README.md",
            "README.md",
            "",
        ),
        ("[alias]\nst = status README.md", "README.md", ""),
        ("[alias]\nst = !cat README.md", "README.md", "alias.st"),
        ("[core]\npager = less", "less/x", ""),
        ("[core]\npager = less", "less", ""),
        ("[flow]\nprefix = docs/", "docs/x", ""),
        ("[core]\nworktree = ../docs", "docs/x", ""),
    ] {
        check(settings, edited, key);
    }
}

#[test]
fn links_above_the_root_count() {
    let tree = Tree::new(&[("sub/docs/agents.txt", ""), (".git/config", "")]);
    symlink("sub/docs/agents.txt", tree.path("CLAUDE.md")).unwrap();
    assert_eq!(
        protection(&open(&tree.path("sub")), "docs/agents.txt"),
        format!("docs/agents.txt is what CLAUDE.md leads to ({AGENT})")
    );
}

#[test]
fn a_folder_that_cannot_be_read_protects() {
    let tree = Tree::new(&[("a", ""), (".husky/keep", "")]);
    let husky = tree.path(".husky");
    let set = |mode: u32| fs::set_permissions(&husky, fs::Permissions::from_mode(mode)).unwrap();
    set(0);
    let is_readable = fs::read_dir(&husky).is_ok();
    let found = tree.root.protection(&RepoPath::parse("a").unwrap());
    set(0o755);
    match found {
        Some(Protected::LinksUnread { folder, .. }) => {
            assert_eq!(Path::new(&folder), Path::new(".husky"));
        }
        found => assert!(is_readable, "{found:?}"),
    }
}
