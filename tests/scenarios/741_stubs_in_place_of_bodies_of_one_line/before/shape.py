def area(w, h):
    return w * h


def edge(w, h):
    return 2 * (w + h)


def mean(w, h):
    return (w + h) / 2


UNIT = 'cm'
