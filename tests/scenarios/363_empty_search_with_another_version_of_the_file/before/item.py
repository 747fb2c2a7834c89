def gross(net, rate):
    return net * (1 + rate)


def label(item):
    return item.name.title()


def weight(item):
    return item.grams / 1000
