a
total = 2
c
d
