use crate::job::Job;

/// Jobs that wait.
pub struct Queue {
    limit: usize,
}
