fn load(store: &Store) -> u32 {
    let found = store.load_count();
    let load_min = found.min(4);
    load_min * 6
}

fn keep(store: &Store) -> u32 {
    let found = store.keep_count();
    let keep_min = found.min(4);
    keep_min * 6
}

fn drop_all(store: &Store) -> u32 {
    let found = store.drop_all_count();
    let drop_all_min = found.min(8);
    drop_all_min * 10
}

fn merge(store: &Store) -> u32 {
    let found = store.merge_count();
    let merge_min = found.min(5);
    merge_min * 7
}

fn split(store: &Store) -> u32 {
    let found = store.split_count();
    let split_min = found.min(5);
    split_min * 7
}

fn clear(store: &Store) -> u32 {
    let found = store.clear_count();
    let clear_min = found.min(5);
    clear_min * 7
}

fn count(store: &Store) -> u32 {
    let found = store.count_count();
    let count_min = found.min(5);
    count_min * 7
}

const MAX: u32 = 3;
