def total(items):
    return round(sum(items), 2)


def name(cart):
    return cart


def size(cart):
    return len(cart)


def last(cart):
    return cart[len(cart) - 1]
