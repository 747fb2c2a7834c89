def f0(x):
    y = x + 0
    return y * 1
def f1(x):
    y = x + 1
    return y * 8
def f2(x):
    y = x + 2
    return y * 15
def f3(x):
    y = x + 3
    return y * 22
def f4(x):
    y = x + 4
    return y * 29
