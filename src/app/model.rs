//! The apply model, asked about hunks without a match: only if it is configured, and only on request of the person.

use std::env;
use std::sync::Arc;
use std::time::Duration;

use crate::agent::Cancel;
use crate::agent::model::{Errand, ModelError, Service};
use crate::app::notice;
use crate::config::{Config, ModelSettings};
use crate::review::{HunkId, ModelQuestion, ReviewSession};

/// The pause before a request is sent again.
const PAUSE: Duration = Duration::from_millis(500);

/// The service that the settings name.
///
/// # Errors
///
/// [`ModelError`] if they name none, or if the environment lacks its key.
pub(crate) fn service(model: &ModelSettings) -> Result<Service, ModelError> {
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
        style: model.style,
        timeout: Duration::from_secs(model.timeout.0 as u64),
        most_bytes: model.max_bytes.0,
        retries: u32::try_from(model.retries.0).unwrap_or(u32::MAX),
        pause: PAUSE,
    })
}

/// Returns the request about a hunk.
///
/// # Errors
///
/// [`ModelError`] if it has a place, or cannot be sent.
fn errand(session: &ReviewSession, id: HunkId, most_bytes: usize) -> Result<Errand, ModelError> {
    let file = session.files.get(id.file).ok_or(ModelError::NotNeeded)?;
    let ModelQuestion { asked, near } = session.question(id).ok_or(ModelError::NotNeeded)?;
    Errand::new(&file.path, Arc::clone(&file.base), asked, near, most_bytes)
}

/// Asks about every hunk that has no place, puts the answers in their place, and says what came of it.
///
/// # Errors
///
/// [`ModelError`] if there is no service.
pub(crate) fn all(config: &Config, session: &mut ReviewSession) -> Result<(), ModelError> {
    let service = service(&config.settings.model)?;
    let ids: Vec<HunkId> = session.hunks().map(|(id, _)| id).collect();
    for id in ids {
        let Ok(errand) = errand(session, id, service.most_bytes) else {
            continue;
        };
        let at = format!("`{}`, hunk {}", session.files[id.file].path, id.hunk + 1);
        match errand.run(&service, &Cancel::new()) {
            Ok(answer) => match session.take_answer(id, &answer) {
                Ok(()) => notice::say(&format!("the apply model has placed {at}")),
                Err(why) => notice::say(&format!(
                    "{at}: the apply model's answer is not taken: {why}"
                )),
            },
            Err(error) => {
                let hint = error.hint();
                notice::say(&format!("{at}: {error}\nhint: {hint}"));
            }
        }
    }
    Ok(())
}
