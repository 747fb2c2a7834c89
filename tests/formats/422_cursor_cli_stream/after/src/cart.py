def total(items):
    return round(sum(items), 2)


def count(items):
    return len(items)
