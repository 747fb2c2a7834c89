//! The shapes in which services take a request and give an answer.
//!
//! Chat completions: <https://platform.openai.com/docs/api-reference/chat>. Morph, the same with tags of its own in the
//! message: <https://docs.morphllm.com>. Relace: <https://docs.relace.ai>.

use serde_json::{Value, json};

use super::error::ModelError;

/// Protocol of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelProtocol {
    /// Chat completions, as most services offer them.
    OpenAiChat,
    /// Morph's form of them.
    Morph,
    /// Relace's own form.
    Relace,
}

/// Request to a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServiceRequest {
    /// The file's name.
    pub(super) path: String,
    /// The instruction, in words.
    pub(super) instruction: String,
    /// The text as it is.
    pub(super) code: String,
    /// The edit, with marks for what stays.
    pub(super) update: String,
}

const SYSTEM: &str = "You put an edit into a text. Answer with the whole text after the edit, between <updated_code> and \
</updated_code>, and with nothing else. Change only what the edit asks for, and keep every other line, blank lines and \
indentation included, exactly as it is. Never leave lines out, and never replace them by a comment.";

impl ModelProtocol {
    pub(super) fn body(self, name: Option<&str>, request: &ServiceRequest) -> Value {
        let ServiceRequest {
            path,
            instruction,
            code,
            update,
        } = request;
        let mut body = match self {
            Self::OpenAiChat => {
                let asked = format!(
                    "The file is {path}. {instruction}\n\n<original_code>\n{code}</original_code>\n\n<edit>\n{update}</edit>"
                );
                json!({
                    "messages": [
                        { "role": "system", "content": SYSTEM },
                        { "role": "user", "content": asked },
                    ],
                    "temperature": 0,
                    "stream": false,
                })
            }
            Self::Morph => {
                let asked = format!(
                    "<instruction>{instruction}</instruction>\n<code>{code}</code>\n<update>{update}</update>"
                );
                json!({ "messages": [{ "role": "user", "content": asked }], "stream": false })
            }
            Self::Relace => json!({
                "initialCode": code,
                "editSnippet": update,
                "instruction": instruction,
                "stream": false,
            }),
        };
        if let (Some(name), Some(fields)) = (name, body.as_object_mut()) {
            fields.insert("model".to_owned(), name.into());
        }
        body
    }

    pub(super) fn text(self, answer: &[u8]) -> Result<String, ModelError> {
        let unreadable = |why: String| ModelError::Unreadable { why };
        let answer: Value = serde_json::from_slice(answer).map_err(|error| {
            if error.is_eof() {
                ModelError::CutOff
            } else {
                unreadable(error.to_string())
            }
        })?;
        let at = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str);
        match self {
            Self::Relace => match at("/mergedCode") {
                Some(text) => Ok(text.to_owned()),
                None => Err(unreadable("it has no `mergedCode`".to_owned())),
            },
            Self::OpenAiChat | Self::Morph => {
                if at("/choices/0/finish_reason") == Some("length") {
                    return Err(ModelError::CutOff);
                }
                let text = at("/choices/0/message/content")
                    .ok_or_else(|| unreadable("it has no message".to_owned()))?;
                if self == Self::Morph {
                    return Ok(text.to_owned());
                }
                unwrapped(text)
            }
        }
    }
}

/// The text between the tags that were asked for, or in the code fence that models use instead.
fn unwrapped(text: &str) -> Result<String, ModelError> {
    if let Some((_, rest)) = text.split_once("<updated_code>") {
        let inner = rest
            .rsplit_once("</updated_code>")
            .ok_or(ModelError::CutOff)?
            .0;
        return Ok(inner.strip_prefix('\n').unwrap_or(inner).to_owned());
    }
    let text = text.trim_start_matches(['\r', '\n']);
    if !text.starts_with("```") {
        return Ok(text.to_owned());
    }
    let (_, inner) = text.split_once('\n').ok_or(ModelError::CutOff)?;
    let inner = inner
        .trim_end()
        .strip_suffix("```")
        .ok_or(ModelError::CutOff)?;
    Ok(inner.to_owned())
}
