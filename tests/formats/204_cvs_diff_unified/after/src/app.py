import os
x = 2
print(x)
