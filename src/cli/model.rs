//! The apply model, asked for what placing by rule left: only if it is configured, and only when the person says so.

use std::env;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::batch::Batch;
use super::output;
use super::source::Source;
use crate::agent::model::{Errand, ModelError, Service, Style};
use crate::config::{Model, ModelStyle};
use crate::locate::Unplaced;
use crate::review::{HunkId, Outcome, ReviewSession};

/// The pause before a request is sent again.
const PAUSE: Duration = Duration::from_millis(500);

/// The service that the settings name.
///
/// # Errors
///
/// [`ModelError`] if they name none, or if the environment lacks its key.
pub(super) fn service(model: &Model) -> Result<Service, ModelError> {
    let Some(endpoint) = model.endpoint.clone() else {
        return Err(ModelError::NotConfigured);
    };
    let key = match &model.api_key_env {
        None => None,
        Some(variable) => Some(env::var(variable).map_err(|_| ModelError::NoKey {
            variable: variable.clone(),
        })?),
    };
    Ok(Service {
        endpoint,
        key,
        name: model.name.clone(),
        style: match model.style {
            ModelStyle::OpenAiChat => Style::OpenAiChat,
            ModelStyle::Morph => Style::Morph,
            ModelStyle::Relace => Style::Relace,
        },
        timeout: Duration::from_secs(model.timeout.0 as u64),
        most_bytes: model.max_bytes.0,
        retries: u32::try_from(model.retries.0).unwrap_or(u32::MAX),
        pause: PAUSE,
    })
}

/// A question about one hunk of a batch.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// What is sent.
    pub(super) errand: Errand,
    /// The number of the change and of the hunk in it.
    pub(super) at: (usize, usize),
}

/// What can be asked about a hunk.
///
/// # Errors
///
/// [`ModelError`] if it has a place, or cannot be sent.
pub(super) fn errand(
    batch: &Batch,
    session: &ReviewSession,
    id: HunkId,
    most_bytes: usize,
) -> Result<Asked, ModelError> {
    let file = session.files.get(id.file).ok_or(ModelError::NotNeeded)?;
    let near = match session.hunk(id).map(|hunk| &hunk.outcome) {
        Some(Outcome::Unplaced(unplaced)) => near(unplaced)?,
        Some(
            Outcome::Placed(_)
            | Outcome::AlreadyApplied { .. }
            | Outcome::Follows { .. }
            | Outcome::Refused,
        )
        | None => return Err(ModelError::NotNeeded),
    };
    let (at, edit) = batch.hunk(session, id).ok_or(ModelError::NotNeeded)?;
    let base = Arc::clone(&file.base);
    let errand = Errand::new(&file.path, base, edit, near, most_bytes)?;
    Ok(Asked { errand, at })
}

/// The lines near which a hunk belongs, if anything is known of that. One that could be meant for several places, or that
/// contradicts itself or another, is for a person.
fn near(unplaced: &Unplaced) -> Result<Option<Range<usize>>, ModelError> {
    match unplaced {
        Unplaced::NotFound { nearest } => Ok(nearest
            .first()
            .map(|near| near.line.idx()..near.last.idx() + 1)),
        Unplaced::Nowhere => Ok(None),
        Unplaced::Ambiguous { .. }
        | Unplaced::Overlap { .. }
        | Unplaced::Conflict { .. }
        | Unplaced::Unclear { .. }
        | Unplaced::Elisions { .. }
        | Unplaced::NoCell { .. }
        | Unplaced::NoChange => Err(ModelError::NotNeeded),
    }
}

/// Asks about every hunk that has no place, says what came of it, and places the batch again if anything did.
///
/// # Errors
///
/// [`ModelError`] if there is no service, or what placing it again gives.
pub(super) fn all(batch: &mut Batch, session: ReviewSession) -> anyhow::Result<ReviewSession> {
    let service = service(&batch.config.settings.model)?;
    let mut answers = Vec::new();
    for (id, _) in session.hunks() {
        let Ok(asked) = errand(batch, &session, id, service.most_bytes) else {
            continue;
        };
        let path = &session.files[id.file].path;
        let number = id.hunk + 1;
        match asked.errand.run(&service) {
            Ok(hunk) => {
                output::say(&format!(
                    "the apply model has placed `{path}`, hunk {number}"
                ));
                answers.push((asked, hunk));
            }
            Err(error) => {
                let hint = error.hint();
                output::say(&format!("`{path}`, hunk {number}: {error}\nhint: {hint}"));
            }
        }
    }
    if answers.is_empty() {
        return Ok(session);
    }
    for (asked, hunk) in answers {
        batch.answer(&asked, hunk);
    }
    batch.place()
}
