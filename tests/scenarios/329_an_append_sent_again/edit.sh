cat >> f <<'E'
tail = 1
more = 2
E
