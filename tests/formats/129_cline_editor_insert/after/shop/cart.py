def total(items):
    items = list(items)
    return sum(items)


def count(items):
    return len(items)
