import os

def alpha(a):
    return load(a)

def bravo(a):
    return a + 1

def carol(a):
    return a + 2
