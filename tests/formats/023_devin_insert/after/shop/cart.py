def total(items):
    check(items)
    return sum(items)


def count(items):
    return len(items)
