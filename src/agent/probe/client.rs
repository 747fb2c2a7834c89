//! Command lines and environments that start the clients with the scripted model instead of their own.
//!
//! The client reads its own settings, so that the gate is called as in any session. Only the model is replaced, by the
//! way that overrides all other settings of the client, and sessions are not saved where the client has an option for it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};
use serde_json::json;

use crate::agent::hook::Agent;
use crate::agent::launcher::overlay_signs;

/// The prompt, for the history of those clients that keep one.
const PROMPT: &str = "countersign doctor --probe: make the edit";
/// A key that no service accepts.
const KEY: &str = "countersign-probe";

/// A client that has a gate.
#[derive(Debug, Clone, Copy)]
pub struct Client<'a> {
    /// The agent.
    pub agent: Agent,
    /// Its program.
    pub program: &'a Path,
    /// The settings file of the user.
    pub settings_file: &'a Path,
    /// The text of that file.
    pub settings: &'a str,
}

/// Start of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) client: Client<'a>,
    /// The folder that it works in.
    pub(super) folder: &'a Path,
    /// A folder for what only this run needs.
    pub(super) scratch: &'a Path,
    /// Address of the scripted model.
    pub(super) address: &'a str,
}

impl Start<'_> {
    /// Returns the command that has a client answer one prompt.
    ///
    /// # Errors
    ///
    /// Any I/O error of the files that the client is given.
    pub(super) fn command(self) -> io::Result<Command> {
        let mut command = Command::new(self.client.program);
        command.current_dir(self.folder);
        self.isolate(&mut command)?;
        match self.client.agent {
            Agent::Claude => self.claude(&mut command),
            Agent::Codex => self.codex(&mut command),
            Agent::Copilot => self.copilot(&mut command),
            Agent::Gemini => self.gemini(&mut command)?,
            Agent::Opencode => self.opencode(&mut command),
            Agent::Qwen => self.qwen(&mut command),
        }
        Ok(command)
    }

    /// Keeps the gate from finding or opening a reviewer, and the client from reaching any other machine.
    fn isolate(self, command: &mut Command) -> io::Result<()> {
        let own = |(name, _): &(OsString, _)| {
            name.to_str()
                .is_some_and(|name| name.starts_with("COUNTERSIGN_"))
        };
        for (name, _) in std::env::vars_os().filter(own) {
            command.env_remove(name);
        }
        for sign in overlay_signs() {
            command.env_remove(sign);
        }
        let config = self.scratch.join("config.toml");
        fs::write(&config, "")?;
        command
            .env("COUNTERSIGN_CONFIG", config)
            .env("XDG_RUNTIME_DIR", self.scratch)
            .env("XDG_STATE_HOME", self.scratch.join("state"));
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env(name, self.address);
            command.env(name.to_lowercase(), self.address);
        }
        for name in ["NO_PROXY", "no_proxy"] {
            command.env(name, "127.0.0.1");
        }
        Ok(())
    }

    fn claude(self, command: &mut Command) {
        let variables = [
            ("ANTHROPIC_BASE_URL", self.address),
            ("ANTHROPIC_API_KEY", KEY),
            ("ANTHROPIC_AUTH_TOKEN", ""),
            ("CLAUDE_CODE_USE_BEDROCK", ""),
            ("CLAUDE_CODE_USE_FOUNDRY", ""),
            ("CLAUDE_CODE_USE_VERTEX", ""),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ];
        // Its settings may set variables as well; those of the command line override them.
        let settings = json!({"env": variables.iter().copied().collect::<BTreeMap<_, _>>()});
        command.envs(variables).args([
            "--print",
            PROMPT,
            "--no-session-persistence",
            "--permission-mode",
            "acceptEdits",
            "--settings",
            &settings.to_string(),
        ]);
    }

    fn codex(self, command: &mut Command) {
        let provider = format!(
            "model_providers.countersign={{name=\"countersign\",base_url=\"{}/v1\",wire_api=\"responses\"}}",
            self.address
        );
        command.args([
            "exec",
            "--skip-git-repo-check",
            "--ephemeral",
            "--sandbox",
            "danger-full-access",
            "--config",
            &provider,
            "--config",
            "model_provider=\"countersign\"",
            "--model",
            "gpt-5.5",
            PROMPT,
        ]);
    }

    fn copilot(self, command: &mut Command) {
        let others = std::env::vars_os().filter(|(name, _)| {
            name.to_str()
                .is_some_and(|name| name.starts_with("COPILOT_PROVIDER_"))
        });
        for (name, _) in others {
            command.env_remove(name);
        }
        command
            .env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", self.address))
            .env("COPILOT_PROVIDER_API_KEY", KEY)
            .env("COPILOT_OFFLINE", "true")
            .env("COPILOT_AUTO_UPDATE", "false")
            .args(["--model", "claude-sonnet-4", "--allow-tool", "write"])
            .args(["--log-dir".as_ref(), self.scratch.as_os_str()])
            .args(["--prompt", PROMPT]);
    }

    /// Gemini CLI has no option for the account, so it gets a home with the settings of the user and no account.
    fn gemini(self, command: &mut Command) -> io::Result<()> {
        let own = self.scratch.join(".gemini");
        fs::create_dir(&own)?;
        let text = with_api_key(self.client.settings)?;
        fs::write(own.join("settings.json"), text)?;
        let trust = "GEMINI_CLI_TRUSTED_FOLDERS_PATH";
        if std::env::var_os(trust).is_none() {
            let folders = self
                .client
                .settings_file
                .with_file_name("trustedFolders.json");
            command.env(trust, folders);
        }
        command
            .env("GEMINI_CLI_HOME", self.scratch)
            .env("GEMINI_API_KEY", KEY)
            .env("GOOGLE_GEMINI_BASE_URL", self.address)
            .env("GEMINI_CLI_NO_RELAUNCH", "1");
        command.args(["--model", "gemini-2.5-flash", "--prompt", PROMPT]);
        command.args(["--approval-mode", "auto_edit"]);
        Ok(())
    }

    fn opencode(self, command: &mut Command) {
        let provider = json!({
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": format!("{}/v1", self.address), "apiKey": KEY},
            "models": {"probe": {"name": "probe", "tool_call": true}},
        });
        let settings = json!({
            "provider": {"countersign": provider}, "enabled_providers": ["countersign"],
            "model": "countersign/probe", "small_model": "countersign/probe", "share": "disabled", "autoupdate": false,
        });
        command
            .env("OPENCODE_CONFIG_CONTENT", settings.to_string())
            .env("OPENCODE_DISABLE_MODELS_FETCH", "1")
            .env("OPENCODE_DISABLE_AUTOUPDATE", "1")
            .env("XDG_DATA_HOME", self.scratch.join("data"));
        command.args(["run", "--agent", "build", "--model", "countersign/probe"]);
        command.arg(PROMPT);
    }

    fn qwen(self, command: &mut Command) {
        let address = format!("{}/v1", self.address);
        command
            .env("OPENAI_API_KEY", KEY)
            .env("OPENAI_BASE_URL", &address)
            .args(["--auth-type", "openai", "--openai-api-key", KEY])
            .args(["--openai-base-url", &address, "--model", "probe"])
            .args(["--approval-mode", "auto-edit", "--chat-recording=false"])
            .args(["--prompt", PROMPT]);
    }
}

/// Returns settings of Gemini CLI with which it uses a key and no account.
fn with_api_key(text: &str) -> io::Result<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(io::Error::other)?;
    let auth = root
        .object_value_or_create()
        .and_then(|top| top.object_value_or_create("security"))
        .and_then(|security| security.object_value_or_create("auth"))
        .ok_or_else(|| io::Error::other("the settings of Gemini CLI are not understood"))?;
    for name in ["selectedType", "enforcedType"] {
        if let Some(value) = auth.get(name) {
            value.remove();
        }
    }
    let kind = CstInputValue::String("gemini-api-key".to_owned());
    auth.append("selectedType", kind);
    Ok(root.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(settings: &str, expected: &Value) {
        let text = with_api_key(settings).unwrap();
        assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), expected);
    }

    #[test]
    fn the_settings_of_gemini_stay_but_for_the_account() {
        let auth = json!({"selectedType": "gemini-api-key"});
        check("", &json!({"security": {"auth": auth}}));
        check(
            "{\"hooksConfig\":{\"enabled\":false}, \"security\":{\"auth\":{\"selectedType\":\"oauth\",\"enforcedType\":\"oauth\"}}}",
            &json!({"hooksConfig": {"enabled": false}, "security": {"auth": auth}}),
        );
        assert!(with_api_key("[]").is_err());
    }
}
