//! What is said to a customer.

use std::fmt;

/// A message in the customer's language, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The parcel's number, as the carrier prints it.
    pub parcel: String,
    /// Who gets it: an address, a number or a session.
    pub to: String,
    /// The text itself.
    pub text: String,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}: {}", self.parcel, self.to, self.text)
    }
}
