const DAYS: u32 = 29;
