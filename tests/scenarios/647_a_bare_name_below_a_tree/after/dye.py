RED = 1
