x = 1
return z
