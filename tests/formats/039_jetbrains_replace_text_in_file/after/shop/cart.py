def total(goods):
    return sum(goods)


def count(goods):
    return len(goods)
