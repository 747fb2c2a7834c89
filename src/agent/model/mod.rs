//! The apply model: a service that puts an edit into a file where placing it by rule fails.
//!
//! Nothing is sent unless a service is configured and the person asks for it. An [`Errand`] is one edit and the text that it
//! is for; [`Errand::run`] sends both (`call`, in the shape that the service wants, `style`), and takes the answer only
//! if it is a whole text that differs from the old one near the edit and nowhere else (`answer`). What comes out is a hunk
//! like any other, to be placed and reviewed. A [`Draft`] is some lines of a text and what a person wants of them; its answer
//! is taken only if it is a whole text in which no other line changes.

mod answer;
mod apply_request;
mod call;
mod error;
mod rewrite_request;
mod service;
mod style;

pub use apply_request::Errand;
pub use error::ModelError;
pub use rewrite_request::Draft;
pub use service::Service;
pub use style::ModelProtocol;
