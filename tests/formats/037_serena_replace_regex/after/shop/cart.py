def total(items):
    return 0


def count(items):
    return len(items)
