x = 1
return y
