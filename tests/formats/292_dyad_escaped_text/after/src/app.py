import os
x = a < 2
print(x)
