first
two
