def total(items):


def count(items):
    return len(items)
