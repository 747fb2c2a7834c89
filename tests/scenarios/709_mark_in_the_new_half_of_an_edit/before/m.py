import os


def a(x):
    y = x + 1
    z = y * 2
    print(z)
    return z


def b(k):
    return k
