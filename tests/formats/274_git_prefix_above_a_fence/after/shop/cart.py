def total(items):
    return round(sum(items))
