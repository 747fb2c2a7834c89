//! The heart of Pigeon: from a carrier's event to a message.

pub mod channel;
pub mod message;
pub mod outbox;

pub use channel::{Channel, SendError};
pub use message::Message;
pub use outbox::Outbox;

/// The version that is shown in `/health`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
