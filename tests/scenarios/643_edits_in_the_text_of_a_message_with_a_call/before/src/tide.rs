fn high() -> u32 { 2 }
