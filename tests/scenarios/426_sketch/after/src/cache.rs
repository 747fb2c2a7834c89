//! Keeps the last answers, so that the same question is asked once.

use std::collections::HashMap;

/// A cache that forgets the oldest entry when it is full.
pub struct Cache {
    entries: HashMap<String, Entry>,
    capacity: usize,
    clock: u64,
}

struct Entry {
    value: String,
    used: u64,
}

impl Cache {
    /// A cache for at most `capacity` entries.
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: HashMap::new(),
            capacity,
            clock: 0,
        }
    }

    /// The value for a key, if it is still known.
    pub fn get(&mut self, key: &str) -> Option<&str> {
        self.clock = self.clock.wrapping_add(1);
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        Some(&entry.value)
    }

    /// Keeps a value and forgets another if there are too many.
    pub fn put(&mut self, key: String, value: String) {
        self.clock += 1;
        let used = self.clock;
        self.entries.insert(key, Entry { value, used });
        if self.entries.len() > self.capacity {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
        if let Some(key) = oldest.map(|(key, _)| key.clone()) {
            self.entries.remove(&key);
        }
    }
}
