one
old
