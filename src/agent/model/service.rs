//! The configured service.

use std::time::Duration;

use super::style::ModelProtocol;

/// A service that is configured.
#[derive(Clone)]
pub struct Service {
    /// The address that requests are posted to.
    pub endpoint: String,
    /// The key to it, if it wants one; never shown.
    pub key: Option<String>,
    /// The model's name, if the service has several.
    pub name: Option<String>,
    /// The protocol of the service.
    pub style: ModelProtocol,
    /// The longest time for all attempts together.
    pub timeout: Duration,
    /// The most bytes of a request or an answer.
    pub most_bytes: usize,
    /// Number of retries.
    pub retries: u32,
    /// The pause before the second attempt; each further one is twice as long.
    pub pause: Duration,
}
