const DAYS: u32 = 28;
