//! Examples for the help and the manual page of every command.

use clap::builder::StyledStr;

/// The examples of each command: a line to type, and its purpose. Those of the program itself have an empty name.
#[rustfmt::skip]
const EXAMPLES: [(&str, &[(&str, &str)]); 25] = [
    ("", &[
        ("agent --print \"…\" | countersign", "review what an agent answers"),
        ("countersign reply.md", "review an answer that was saved"),
        ("countersign demo", "see how it looks"),
    ]),
    ("review", &[
        ("git diff main agent | countersign review", "review a diff, with the keys from the terminal"),
        ("countersign review --root ../project a.md b.md", "several answers, for another folder"),
        ("countersign review --report json reply.md > report.json", "tell a script what came of it"),
    ]),
    ("demo", &[
        ("countersign demo", "review it"),
        ("countersign demo --no-review", "lay it out, and say where it is"),
    ]),
    ("apply", &[
        ("countersign apply reply.md", "write all of it, if all of it has a sure place"),
        ("agent --print \"…\" | countersign apply --partial --report agent", "write what can be written, and tell the agent of the rest"),
        ("countersign apply --confidence exact --dry-run fix.diff", "would it fit to the letter?"),
        ("countersign apply --path src/a.rs --format normal change.txt", "a diff that names no file"),
        ("countersign apply --path src/a.rs --format whole reply.md", "the new text of a file, in a code fence that names no file"),
        ("countersign apply -p 1 fix.patch", "as `patch -p1`: without the first part of every name"),
    ]),
    ("check", &[
        ("countersign check reply.md", "where would it go?"),
        ("countersign check --report json - < reply.md", "the same for a script"),
    ]),
    ("git", &[
        ("countersign git", "what is not staged"),
        ("countersign git --staged", "what the next commit will hold"),
        ("countersign git main src", "a folder, since a revision"),
        ("countersign git v1.0..HEAD", "changes between two revisions that are still in the working tree"),
    ]),
    ("diff", &[
        ("countersign diff old.txt new.txt", "two files"),
        ("countersign diff before/ after/", "two folders, of which the second is written"),
    ]),
    ("serve", &[
        ("countersign serve", "wait for agents that work in this folder"),
        ("countersign serve --root ../project", "or in another"),
        ("countersign serve --gemini", "and show what Gemini CLI asks in its own window"),
    ]),
    ("submit", &[
        ("countersign submit --agent mine reply.md", "ask the open reviewer, and wait"),
        ("agent --print \"…\" | countersign submit --wait 600 --report agent", "for ten minutes at most"),
        ("countersign submit --whole fix.diff", "all of it as it is, or nothing"),
    ]),
    ("decide", &[
        ("countersign decide", "what waits, and for how long?"),
        ("countersign decide 3-9f2c1e", "show a proposal"),
        ("countersign decide 3-9f2c1e accept", "accept what is undecided in it"),
        ("countersign decide 3-9f2c1e reject --hunk 2 --comment Why", "reject a hunk of it, with a reason"),
    ]),
    ("threads", &[
        ("countersign threads", "which questions and comments are not resolved?"),
        ("countersign threads reply t3 Yes", "write in one"),
        ("countersign threads resolve t3", "resolve it"),
        ("countersign threads reply t3 Done --as claude", "answer as an agent"),
    ]),
    ("undo", &[
        ("countersign undo --dry-run", "what would the latest batch come back to?"),
        ("countersign undo", "take it back"),
    ]),
    ("run", &[
        ("countersign run -- claude", "hold everything back that the agent writes, and review it when it exits"),
        ("countersign run --no-review -- npm run codemod", "run any program, and review later"),
        ("countersign run --resume -- claude", "continue in the layer of the latest run"),
        ("countersign run --drop 1f2e3d4c", "discard a layer"),
    ]),
    ("runs", &[
        ("countersign runs", "which layers are there, and what have they changed?"),
    ]),
    ("hook", &[
        ("countersign hook claude --install", "put the gate into the agent's settings for this folder"),
        ("countersign hook gemini --install --user", "or for all folders"),
        ("countersign hook claude --install --stop", "and review what its shell commands wrote"),
        ("countersign hook claude --uninstall", "take it out again"),
    ]),
    ("doctor", &[
        ("countersign doctor", "does it all hold?"),
        ("countersign doctor --report json", "the same for a script"),
    ]),
    ("mcp", &[
        ("countersign mcp", "as an agent's settings name it"),
        ("countersign mcp --root ../project", "for a folder that the agent is not started in"),
    ]),
    ("acp", &[
        ("countersign acp -- gemini --acp", "as an editor's settings name the agent"),
        ("countersign acp --layer -- opencode acp", "for an agent that writes by itself"),
    ]),
    ("log", &[
        ("countersign log", "all of the last 30 days"),
        ("countersign log --report json", "the same for a script"),
    ]),
    ("policy", &[
        ("countersign policy explain --set policy.formatting=true reply.md", "which hunks would be accepted, and why the others would not"),
        ("countersign policy try --set policy.formatting=true", "the same for what was written before"),
    ]),
    ("config", &[
        ("countersign config", "every value, and where it comes from"),
        ("countersign config --init", "make the settings file, with every setting commented out"),
        ("countersign config --set ui.wrap=true", "what one value would do"),
    ]),
    ("schema", &[
        ("countersign schema", "the report of `--report json`"),
        ("countersign schema verdict", "the answer that agents get"),
    ]),
    ("licenses", &[
        ("countersign licenses | less", "read them"),
    ]),
    ("completions", &[
        ("mkdir -p ~/.local/share/bash-completion/completions && countersign completions bash > ~/.local/share/bash-completion/completions/countersign", "for bash"),
        ("mkdir -p ~/.config/fish/completions && countersign completions fish > ~/.config/fish/completions/countersign.fish", "for fish"),
    ]),
    ("man", &[
        ("countersign man apply | man -l -", "read the page of a command"),
        ("countersign man --all ~/.local/share/man/man1", "install all pages"),
    ]),
];

/// The program with examples under the long help of every command.
pub(super) fn added(mut program: clap::Command) -> clap::Command {
    for (name, examples) in EXAMPLES {
        program = if name.is_empty() {
            with_examples(program, examples)
        } else if program.find_subcommand(name).is_some() {
            program.mut_subcommand(name, |command| with_examples(command, examples))
        } else {
            // It was built without this command.
            program
        };
    }
    program
}

fn text(examples: &[(&str, &str)]) -> String {
    let lines = examples.iter();
    let lines = lines.map(|(line, why)| format!("  {line}\n      {why}"));
    format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// Adds examples below the help of a command.
fn with_examples(command: clap::Command, examples: &[(&str, &str)]) -> clap::Command {
    let before = command.get_after_help().map(StyledStr::to_string);
    let text = [before, Some(text(examples))];
    command.after_long_help(text.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::Arguments;

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        let program = <Arguments as CommandFactory>::command();
        let mut commands: Vec<&str> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(clap::Command::get_name)
            .collect();
        commands.push("");
        for command in commands {
            let found = EXAMPLES.iter().find(|(name, _)| *name == command);
            let (_, examples) = found.unwrap_or_else(|| panic!("`{command}` has no examples"));
            for (line, _) in *examples {
                let (_, words) = line.split_once("countersign").unwrap();
                let words = words
                    .split_whitespace()
                    .take_while(|word| !["|", ">", "<"].contains(word));
                let parsed = Arguments::try_parse_from(std::iter::once("countersign").chain(words));
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }
}
