//! One request over HTTP: with an end in time, an end in size, and another attempt where that may help.

use std::thread;
use std::time::{Duration, Instant};

use super::error::ModelError;
use super::service::Service;
use super::style::ServiceRequest;
use crate::agent::Cancel;

/// Failure of one attempt.
struct Failed {
    error: ModelError,
    /// The delay that the service asks for.
    wait: Option<Duration>,
}

/// Sends a request and gives the text in its answer. Once it is cancelled, nothing more is sent.
pub(super) fn send(
    service: &Service,
    request: &ServiceRequest,
    cancel: &Cancel,
) -> Result<String, ModelError> {
    let body = service
        .style
        .body(service.name.as_deref(), request)
        .to_string();
    if body.len() > service.most_bytes {
        return Err(ModelError::TooLarge {
            bytes: body.len(),
            most: service.most_bytes,
        });
    }
    let end = Instant::now() + service.timeout;
    let mut pause = service.pause;
    let mut left = service.retries;
    loop {
        if cancel.is_cancelled() {
            return Err(ModelError::GivenUp);
        }
        let time = end.saturating_duration_since(Instant::now());
        let Failed { error, wait } = match post(service, body.as_bytes(), time) {
            Ok(answer) => return service.style.text(&answer),
            Err(failed) => failed,
        };
        let wait = wait.unwrap_or(pause);
        // A service may name any time at all, so it is not added to a clock.
        let in_time = wait < end.saturating_duration_since(Instant::now());
        if left == 0 || !error.may_pass() || !in_time {
            return Err(error);
        }
        thread::sleep(wait);
        left -= 1;
        pause *= 2;
    }
}

#[cfg(feature = "model")]
fn post(service: &Service, body: &[u8], time: Duration) -> Result<Vec<u8>, Failed> {
    let mut config = ureq::Agent::config_builder()
        .timeout_global(Some(time))
        .http_status_as_error(false)
        // A key and a file are for the address that was configured, and for no other.
        .max_redirects(0)
        .user_agent("countersign");
    if is_here(&service.endpoint) {
        config = config.proxy(None);
    }
    let mut request = ureq::Agent::from(config.build())
        .post(&service.endpoint)
        .header("Content-Type", "application/json");
    if let Some(key) = &service.key {
        request = request.header("Authorization", format!("Bearer {key}"));
    }
    let mut answer = request
        .send(body)
        .map_err(|error| unanswered(service, &error))?;
    let status = answer.status().as_u16();
    if status != 200 {
        let wait = answer.headers().get("retry-after");
        let seconds = wait.and_then(|wait| wait.to_str().ok()?.trim().parse().ok());
        return Err(Failed {
            error: ModelError::Status { status },
            wait: seconds.map(Duration::from_secs),
        });
    }
    let limit = u64::try_from(service.most_bytes).unwrap_or(u64::MAX);
    let body = answer.body_mut().with_config().limit(limit);
    (body.read_to_vec()).map_err(|error| unanswered(service, &error))
}

/// Returns the failure of a request that got no answer, or too long a one.
#[cfg(feature = "model")]
fn unanswered(service: &Service, error: &ureq::Error) -> Failed {
    let error = if let ureq::Error::BodyExceedsLimit(_) = error {
        ModelError::TooLong {
            most: service.most_bytes,
        }
    } else {
        ModelError::NoAnswer {
            why: error.to_string(),
        }
    };
    Failed { error, wait: None }
}

#[cfg(not(feature = "model"))]
fn post(_: &Service, _: &[u8], _: Duration) -> Result<Vec<u8>, Failed> {
    Err(Failed {
        error: ModelError::NotBuilt,
        wait: None,
    })
}

/// Returns whether an address is on this machine, for which no proxy is used.
#[cfg(feature = "model")]
fn is_here(endpoint: &str) -> bool {
    let host = endpoint
        .split_once("://")
        .map_or(endpoint, |(_, rest)| rest);
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        host.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with([':', '/']))
    })
}
