def total(items):
    return sum(items)


def name(cart):
    return cart.title
