use crate::job::Job;

/// Jobs that wait.
pub struct Queue {
    jobs: Vec&lt;Job&gt;,
    limit: usize,
}
