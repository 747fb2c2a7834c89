//! The session: files, hunks, decisions, and every way to change them.

pub(super) mod attention;
pub(super) mod call;
pub(super) mod comments;
pub(super) mod compose;
pub(super) mod decide;
pub(super) mod decision;
pub(super) mod distance;
pub(super) mod drafts;
pub(super) mod edit;
pub(super) mod file;
pub(super) mod history;
pub(super) mod hunk;
pub(super) mod in_progress;
pub(super) mod line_comments;
pub(super) mod manual;
pub(super) mod outline;
pub(super) mod pair;
pub(super) mod placed_thread;
pub(super) mod request;
pub(super) mod review_session;
pub(super) mod split;
pub(super) mod steps;
pub(super) mod versions;
pub(super) mod view_tracking;
