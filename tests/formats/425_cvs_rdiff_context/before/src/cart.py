def total(items):
    return sum(items)


def name(cart):
    return cart


def size(cart):
    return len(cart)


def last(cart):
    return cart[-1]
