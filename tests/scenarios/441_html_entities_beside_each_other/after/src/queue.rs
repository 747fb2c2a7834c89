use crate::job::Job;
use crate::rank::Rank; // <https://docs.example.org/rank>

/// Jobs that wait.
pub struct Queue {
    jobs: Vec<Job>,
    limit: usize,
}

impl Queue {
    pub fn is_full(&self) -> bool {
        self.jobs.len() > self.limit
    }
}
