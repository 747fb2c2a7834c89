a
b

