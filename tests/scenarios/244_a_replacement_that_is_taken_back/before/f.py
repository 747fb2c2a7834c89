def run(a):
    x = load(a)
    y = work(x)
    return y
