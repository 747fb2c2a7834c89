def total(items):
    return sum(items)


def count(items):
    return 0
