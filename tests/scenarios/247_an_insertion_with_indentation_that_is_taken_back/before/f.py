def run(a):
    x = load(a)
    return y
