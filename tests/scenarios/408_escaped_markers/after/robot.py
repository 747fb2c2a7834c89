def speed():
    return 2.0
