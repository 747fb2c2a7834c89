def total(items):
    return round(sum(items), 2)


def name(cart):
    return cart.title
