//! The outbox: messages wait here until a channel takes them.

use std::collections::VecDeque;
use std::time::Duration;

use crate::channel::{Channel, SendError};
use crate::message::Message;

/// How often a message is tried before it is given up.
const MAX_TRIES: u32 = 5;

/// A message, and how often it was tried.
#[derive(Debug)]
struct Pending {
    message: Message,
    tries: u32,
    wait: Duration,
}

/// Messages in the order they were written.
#[derive(Debug, Default)]
pub struct Outbox {
    queue: VecDeque<Pending>,
    given_up: Vec<Message>,
}

impl Outbox {
    /// Puts a message at the end of the queue.
    pub fn push(&mut self, message: Message) {
        self.queue.push_back(Pending {
            message,
            tries: 0,
            wait: Duration::ZERO,
        });
    }

    /// Offers every waiting message to `channel` once.
    /// Returns how many were sent.
    pub fn flush(&mut self, channel: &dyn Channel) -> usize {
        let mut sent = 0;
        for _ in 0..self.queue.len() {
            let Some(mut pending) = self.queue.pop_front() else {
                break;
            };
            match channel.send(&pending.message) {
                Ok(()) => sent += 1,
                Err(SendError::Busy) => self.queue.push_back(pending),
                Err(SendError::Failed) if pending.tries < MAX_TRIES => {
                    pending.tries += 1;
                    pending.wait = backoff(pending.tries);
                    self.queue.push_back(pending);
                }
                Err(SendError::Failed) => {
                    self.given_up.push(pending.message);
                }
            }
        }
        sent
    }

    /// Messages that no channel wanted.
    pub fn given_up(&self) -> &[Message] {
        &self.given_up
    }
}

/// Waits twice as long after every failure, an hour at most.
fn backoff(tries: u32) -> Duration {
    let minutes = 2_u64.saturating_pow(tries).min(60);
    Duration::from_secs(60 * minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_longer_but_not_forever() {
        assert_eq!(backoff(1), Duration::from_secs(120));
        assert_eq!(backoff(3), Duration::from_secs(480));
        assert_eq!(backoff(40), Duration::from_secs(3600));
    }
}
