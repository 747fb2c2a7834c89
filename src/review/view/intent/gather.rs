//! Values by their keys.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Gathers values by keys, in the order in which the keys come first.
pub(super) fn gather<K: Copy + Eq + Hash, V>(
    values: impl Iterator<Item = (K, V)>,
) -> Vec<(K, Vec<V>)> {
    let mut gathered: Vec<(K, Vec<V>)> = Vec::new();
    let mut places = FxHashMap::default();
    for (key, value) in values {
        let place = *places.entry(key).or_insert(gathered.len());
        if place == gathered.len() {
            gathered.push((key, Vec::new()));
        }
        gathered[place].1.push(value);
    }
    gathered
}
