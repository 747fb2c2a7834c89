fn high() -> u32 { 3 }
