//! Threads: conversations between a person and an agent at lines of a file, from one review to the next.
//!
//! A comment or a question of the person opens a thread. The agent replies or proposes that it is resolved; only the person
//! resolves it. A thread keeps the lines that it is about with some around them, by which it is placed in later versions of the file.

mod carry;
mod collect;
mod moved;
mod passage;
mod place;
pub(in crate::review) mod record;
mod replies;
mod report;

pub(crate) use carry::comments_on_files;
pub use carry::{Carried, comments_of, kept_passages};
pub use collect::{Spot, passage_at};
pub use passage::{LeftOutPlace, Passage};
pub use place::{PlacedPassage, place_threads, placed_in};
pub use record::{
    Author, Thread, ThreadKind, ThreadMessage, ThreadPresence, ThreadRefusal, agent_name,
    check_text,
};
pub use replies::replies_in;
pub use report::{MessageReport, THREADS_SCHEMA, ThreadLines, ThreadList, ThreadReport, mentioned};
