def total(items):
    return round(sum(items))


def count(items):
    return len(items)
